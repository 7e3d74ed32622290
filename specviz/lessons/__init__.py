"""What the notebooks ask: questions before an answer is shown, and exercises that check themselves."""

from .card import predict
from .desk import check, exercise, hint, solution, stub
from .exercise import Exercise, Verdict
from .suspects import SUSPECT_NAMES, suspects

__all__ = ["SUSPECT_NAMES", "Exercise", "Verdict", "check", "exercise", "hint", "predict", "solution", "stub", "suspects"]
