"""What the notebooks ask: questions before an answer is shown, and exercises that check themselves."""

from .card import predict
from .checking.exercise import Exercise, Verdict
from .checking.hand_in import check, exercise, hint, solution, stub
from .exercises.suspects import SUSPECT_NAMES, suspects

__all__ = ["SUSPECT_NAMES", "Exercise", "Verdict", "check", "exercise", "hint", "predict", "solution", "stub", "suspects"]
