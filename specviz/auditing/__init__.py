"""Prove or refute that a verifier is lossless: the audit, its checks and report, and the statistics behind them."""

from __future__ import annotations

from .check import Check, Counted, Draw, Found, Probe, Sizes
from .checks import CHECKS, describe_checks
from .diagnosis.diagnose import diagnose
from .joint_law import audit_law
from .options import Options
from .records.audit import audit_records
from .records.file import RoundRecorder
from .report import AuditReport
from .run import LosslessnessError, assert_lossless, audit, run_checks
from .statistics.chi_square import ChiSquare, chi_square, count_cells, divergence, noncentrality_for, power, smallest_visible_bias
from .subject.contract import VerifierError
from .trees import audit_tree

__all__ = [
    "CHECKS",
    "AuditReport",
    "Check",
    "ChiSquare",
    "Counted",
    "Draw",
    "Found",
    "LosslessnessError",
    "Options",
    "Probe",
    "RoundRecorder",
    "Sizes",
    "VerifierError",
    "assert_lossless",
    "audit",
    "audit_law",
    "audit_records",
    "audit_tree",
    "chi_square",
    "count_cells",
    "describe_checks",
    "diagnose",
    "divergence",
    "noncentrality_for",
    "power",
    "run_checks",
    "smallest_visible_bias",
]
