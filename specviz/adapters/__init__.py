"""Other people's verifiers behind the common signature (draft, q, p, num_draft, rng). `FromRow` takes a function of one row."""

from .one_row import FromRow

__all__ = ["FromRow"]
