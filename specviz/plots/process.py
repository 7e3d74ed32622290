"""Raw and processed laws of target and drafter, and what comes out when the rule is told the wrong one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..logits import process_logits
from ..probability import overlap
from ..theory.misreport import Outcome, mismatches
from ..types import Floats
from .bars import Bars
from .names import token_names
from .style import INK, OWED_INK, Q_HATCH, REJECTED, REJECTED_INK, P, Q, axes_or_new, style

TOLD = {"processed p and q": "right", "raw q": "q raw", "raw p": "p raw"}
"""What the rule can be told; drafts are always sampled from the processed q."""
EXACT = 1e-9


@dataclass(frozen=True, eq=False)
class ProcessReading:
    """Both laws before and after, and what comes out.

    Attributes
    ----------
    p_raw, p, q_raw, q : ndarray, shape (V,)
    told : str
        "right", "q raw" or "p raw".
    order : tuple of int
        The tokens with a bar of their own; the others have one together.
    outcomes : dict of str to Outcome
        For each of them: the exact law that comes out, its distance from the processed target, and the acceptance.
    """

    p_raw: Floats
    p: Floats
    q_raw: Floats
    q: Floats
    told: str
    order: tuple[int, ...]
    outcomes: dict[str, Outcome]

    @property
    def out(self) -> Outcome:
        """What comes out of what the rule is told."""
        return self.outcomes[self.told]

    def bars(self, law: Floats) -> Floats:
        """The tokens of `order` one by one, and all others together if there are any."""
        first = law[list(self.order)]
        return np.append(first, law.sum() - first.sum()) if len(self.order) < len(law) else first

    @property
    def says(self) -> str:
        """What processing does, and what comes out."""
        before, after = float(overlap(self.p_raw, self.q_raw)), float(overlap(self.p, self.q))
        left = f"{int((self.p > 0).sum())} and {int((self.q > 0).sum())} tokens are left of {len(self.p)}"
        says = f"Overlap {before:.3f} raw, {after:.3f} processed; {left}."
        told = next(name for name, key in TOLD.items() if key == self.told)
        bias = "exactly the processed target" if self.out.bias < EXACT else f"off by a total variation of {self.out.bias:.3f}"
        return f"{says} Told {told}: what comes out is {bias}; {self.out.acceptance:.3f} of the drafts are kept."


def read_process(
    target_logits: ArrayLike, drafter_logits: ArrayLike, told: str = "right", *, most: int | None = None, **settings: Any
) -> ProcessReading:
    """Process both sides and verify one draft.

    Parameters
    ----------
    target_logits, drafter_logits : array_like, shape (V,)
    told : {"right", "q raw", "p raw"}
    most : int, optional
        Tokens with a bar of their own, by the larger of the raw p and q; all unless given.
    **settings
        For `specviz.process_logits`, the same on both sides.

    Returns
    -------
    ProcessReading
    """
    if told not in TOLD.values():
        raise ValueError(f"told is {told!r}; expected one of {', '.join(map(repr, TOLD.values()))}")
    p_raw, q_raw = (process_logits(side) for side in (target_logits, drafter_logits))
    p, q = (process_logits(side, **settings) for side in (target_logits, drafter_logits))
    order = sorted(np.argsort(-np.maximum(p_raw, q_raw), kind="stable")[:most].tolist())
    outcomes = mismatches(target_logits, drafter_logits, **settings)
    return ProcessReading(p_raw, p, q_raw, q, told, tuple(order), outcomes)


class LawBars:
    """A law before processing, as an outline, and after it, as filled bars; `set` moves them."""

    def __init__(self, ax: Axes, bars: int, *, target: bool) -> None:
        self.target = target
        x = np.arange(bars)
        filled: dict[str, Any] = (
            {"facecolor": P, "edgecolor": "none"}
            if target
            else {"facecolor": "white", "edgecolor": Q, "hatch": Q_HATCH, "linewidth": 1.2}
        )
        with style():
            self.after = Bars(ax, x, 0.5, label="processed", **filled)
            self.before = Bars(ax, x, 0.84, facecolor="none", edgecolor=INK, linestyle=":", linewidth=1.4, label="raw")
            _dress(ax, bars)
            ax.set_title("Target p" if target else "Drafter q: drafts come from here")
            ax.legend(loc="upper right", ncols=2, handlelength=1.4, fontsize=10, borderaxespad=0.2)

    def set(self, reading: ProcessReading) -> None:
        """Show another pair of laws."""
        before, after = (reading.p_raw, reading.p) if self.target else (reading.q_raw, reading.q)
        self.before.put(_filled(reading.bars(before), self.before))
        self.after.put(_filled(reading.bars(after), self.after))

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.after, self.before]


class OutcomeOfMismatch:
    """The law that comes out against the processed target as marks; `set` moves them."""

    def __init__(self, ax: Axes, bars: int) -> None:
        x = np.arange(bars)
        with style():
            self.out = Bars(ax, x, 0.5, facecolor=P, edgecolor="none")
            self.marks = ax.hlines(x, x - 0.42, x + 0.42, color=INK, linewidth=2.5, label="processed p")
            self.verdict = ax.text(0.99, 0.87, "", transform=ax.transAxes, ha="right", va="top", fontweight="bold")
            self.kept = ax.text(0.99, 0.78, "", transform=ax.transAxes, ha="right", va="top")
            _dress(ax, bars)
            ax.set_title("What comes out")
            ax.legend(loc="upper right", handlelength=1.4, fontsize=10, borderaxespad=0.2)

    def set(self, reading: ProcessReading) -> None:
        """Show another law, its target, and how many drafts are kept."""
        outcome, right = reading.out, reading.outcomes["right"]
        exact = outcome.bias < EXACT
        self.out.put(_filled(reading.bars(outcome.law), self.out))
        self.out.set_facecolor(P if exact else REJECTED)
        self.marks.set_segments([[(i - 0.42, y), (i + 0.42, y)] for i, y in enumerate(reading.bars(reading.p))])
        self.verdict.set_text("exactly the processed p" if exact else f"off by TV = {outcome.bias:.3f}")
        self.verdict.set_color(OWED_INK if exact else REJECTED_INK)
        change = outcome.acceptance - right.acceptance
        beside = f", {'up' if change > 0 else 'down'} from {right.acceptance:.3f}" if abs(change) > EXACT else ""
        self.kept.set_text(f"drafts kept: {outcome.acceptance:.3f}{beside}")

    @property
    def artists(self) -> list[Artist]:
        """What moves."""
        return [self.out, self.marks, self.verdict, self.kept]


def _filled(law: Floats, bars: Bars) -> Floats:
    """A law with nothing at the bars that it has no token for."""
    return np.pad(law, (0, len(bars.heights) - len(law)))


def _dress(ax: Axes, bars: int) -> None:
    ax.set_xlim(-0.6, bars - 0.4)
    ax.set_ylim(0, 1.3)
    ax.set_yticks([0, 0.5, 1])
    ax.set_xticks(range(bars), [""] * bars)
    ax.tick_params(axis="x", length=0)


def plot_process(
    target_logits: ArrayLike,
    drafter_logits: ArrayLike,
    told: str = "right",
    tokens: Sequence[str] | None = None,
    *,
    most: int | None = None,
    ax: Axes | None = None,
    **settings: Any,
) -> Axes:
    """Draw the law that comes out against the processed target.

    Parameters
    ----------
    target_logits, drafter_logits, told, most, **settings
        As in `read_process`.
    tokens : sequence of str, optional
        Their names; A, B, C, ... unless given.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    reading = read_process(target_logits, drafter_logits, told, most=most, **settings)
    ax = axes_or_new(ax)
    names = token_names(len(reading.p)) if tokens is None else tokens
    shown = [names[i] for i in reading.order] + (["all others"] if len(reading.order) < len(names) else [])
    OutcomeOfMismatch(ax, len(shown)).set(reading)
    ax.set_xticklabels(shown)
    return ax


def describe_process(
    target_logits: ArrayLike, drafter_logits: ArrayLike, told: str = "right", *, most: int | None = None, **settings: Any
) -> str:
    """Say what processing does, and what comes out; arguments as in `read_process`."""
    return read_process(target_logits, drafter_logits, told, most=most, **settings).says
