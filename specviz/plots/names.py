"""Names of tokens, as they stand in pictures and sentences."""

from __future__ import annotations


def token_names(V: int) -> list[str]:
    """A, B, C, ... for small vocabularies, numbers for larger ones."""
    return [chr(ord("A") + i) for i in range(V)] if V <= 26 else [str(i) for i in range(V)]


def visible(text: str) -> str:
    """A token's text with its white space made visible, no longer than an axis label can be; mathtext is not started."""
    shown = text.replace("\n", "\u21b5").replace("\t", "\u21e5").replace(" ", "\u2423").replace("$", r"\$")
    return shown if len(shown) <= 12 else shown[:11] + "\u2026"
