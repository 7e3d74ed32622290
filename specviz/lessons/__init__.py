"""Lessons: questions to answer before the reveal, and exercises that check themselves."""

from .card import predict
from .check import EXERCISES, check, exercise, hint, solution
from .exercises.engine import engine_verify
from .exercises.n06 import FAULTS, suspects

__all__ = ["EXERCISES", "FAULTS", "check", "engine_verify", "exercise", "hint", "predict", "solution", "suspects"]
