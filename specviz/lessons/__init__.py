"""What the notebooks ask: questions before an answer is shown, and exercises that check themselves."""

from .card import predict
from .checking.exercise import Exercise, Verdict
from .exercises.engine import engine_verify
from .exercises.suspects import SUSPECT_NAMES, suspects
from .hand_in import check, exercise, hint, solution, stub

__all__ = [
    "SUSPECT_NAMES",
    "Exercise",
    "Verdict",
    "check",
    "engine_verify",
    "exercise",
    "hint",
    "predict",
    "solution",
    "stub",
    "suspects",
]
