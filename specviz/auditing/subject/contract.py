"""A verifier as it comes, behind the common signature: results made into arrays, the contract checked, time limited."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...adapters import FromRow
from ...rules.contract import ContractError, Verified, check_result
from ...types import Array
from .timeout import TimeIsUp, time_limit


class VerifierError(ContractError):
    """A verifier broke the contract, or gave no result at all: its `part` may also be "raised" or "time".

    The message is the finding alone; whoever reports it says whose it is.
    """

    def __str__(self) -> str:
        return self.finding


@dataclass
class Adapted:
    """Calls a verifier, makes arrays of whatever it returns, and holds it to the contract.

    Parameters
    ----------
    verifier : callable
        Of the common signature (draft, q, p, num_draft, rng). Results may be arrays, lists, or tensors.
    one_row : bool
        The verifier takes one row, see `specviz.adapters.FromRow`.
    timeout : float
        Seconds. A call that takes longer is stopped, where the platform can: in the main thread, on a system with SIGALRM.
    deadline : float
        All calls end before this value of `time.monotonic`.
    """

    verifier: Callable[..., Any]
    one_row: bool = False
    timeout: float = 20.0
    deadline: float = field(default=float("inf"))

    def __call__(self, draft: Array, q: Array | None, p: Array, num_draft: Array, rng: Any, /) -> Verified:
        """Call the verifier; a VerifierError says how it broke the contract."""
        call = FromRow(self.verifier) if self.one_row else self.verifier
        B, K, V = len(p), p.shape[1] - 1, p.shape[2]
        limit = min(self.timeout, self.deadline - time.monotonic())
        try:
            with time_limit(limit), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with np.errstate(all="ignore"):
                    return check_result(call(draft, q, p, num_draft, rng), num_draft, K, V)
        except TimeIsUp as error:
            where = f"a batch of {B} rows, K = {K}, V = {V}"
            raise VerifierError(f"took more than {max(limit, 0):.3g} s on {where} and was stopped", "time") from error
        except ContractError as error:
            raise VerifierError(error.finding, error.part, error.row) from None
        except Exception as error:  # whatever the verifier raises is a finding
            text = " ".join(str(error).split())[:200]
            raise VerifierError(f"raised {type(error).__name__}: {text}", "raised") from error
