"""The audit on a cluster: two worker processes on this machine, one of which is killed half-way."""

import logging
import os
import signal
import threading
import warnings

import pytest

import specviz
from specviz import verify

distributed = pytest.importorskip("distributed")


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_loses_a_worker_gives_the_serial_result():
    here = specviz.audit(verify, budget="quick", progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=logging.CRITICAL
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            client.run(os.getpid)
            pids = list(client.run(os.getpid).values())
            killer = threading.Timer(0.5, os.kill, (pids[0], signal.SIGKILL))
            killer.start()
            there = specviz.audit(verify, budget="quick", progress=False, executor=client.get_executor(pure=False))
            killer.join()
            assert set(client.run(os.getpid).values()) != set(pids), "a worker was replaced"
    assert [(c.name, c.verdict, str(c.statistic)) for c in there.checks] == [
        (c.name, c.verdict, str(c.statistic)) for c in here.checks
    ]
    assert there.remarks == ()
