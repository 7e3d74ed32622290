"""One round of draft and verify, step by step: the drafts, each test u * q < p, then the recovered or the bonus token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Text

from ..models.markov import MarkovPair
from ..rules.token import verify_row
from ..types import Floats
from ..uniforms import GivenUniforms
from .names import token_names
from .style import FAINT, INK, OWED, OWED_INK, REJECTED, REJECTED_INK, P, Q, axes_or_new, style

WAITING, KEPT, STOPPED, UNUSED = "waiting", "kept", "rejected", "never looked at"


@dataclass(frozen=True)
class Round:
    """One round with all that it drew.

    Attributes
    ----------
    draft : tuple of int, length K
    u : tuple of float, length K
        The uniform of each accept test.
    tokens : tuple of int
        What the round emits: accepted drafts, then the recovered or bonus token.
    q, p : tuple of ndarray
        The laws at each position: K of q, K + 1 of p.
    """

    draft: tuple[int, ...]
    u: tuple[float, ...]
    tokens: tuple[int, ...]
    q: tuple[Floats, ...]
    p: tuple[Floats, ...]

    @property
    def accepted(self) -> int:
        """Drafts kept."""
        return len(self.tokens) - 1

    @property
    def steps(self) -> int:
        """Steps to the end of the round: drafting, one test for each draft that is looked at, and the last token."""
        return 1 + min(self.accepted + 1, len(self.draft)) + 1

    def test(self, i: int) -> tuple[float, float]:
        """The two sides of the test of draft i: u q(x) and p(x)."""
        x = self.draft[i]
        return self.u[i] * self.q[i][x], self.p[i][x]

    def state(self, i: int, step: int) -> str:
        """What has become of draft i after so many steps; the first step drafts, step i + 2 tests draft i."""
        if i > self.accepted:
            return UNUSED if step >= self.accepted + 2 else WAITING
        if step < i + 2:
            return WAITING
        return KEPT if i < self.accepted else STOPPED


def play_round(pair: MarkovPair, K: int, seed: int) -> Round:
    """Draft K tokens and verify them with the scalar program of the token rule.

    Parameters
    ----------
    pair : MarkovPair
    K : int
        Drafts.
    seed : int

    Returns
    -------
    Round
    """
    rng = np.random.default_rng(seed)
    u = GivenUniforms(rng=rng)
    draft: list[int] = []
    states = [pair.start]
    for i in range(K):
        draft.append(u.choose(("draft", i), pair.drafter[states[-1]].tolist()))
        states.append(draft[-1])
    q, p = [pair.drafter[s] for s in states[:-1]], [pair.target[s] for s in states]
    tests = tuple(u["accept", i] for i in range(K))
    tokens = verify_row(draft, [row.tolist() for row in q], [row.tolist() for row in p], u)
    return Round(tuple(draft), tests, tokens, tuple(q), tuple(p))


@dataclass(frozen=True)
class RoundReading:
    """A round after some of its steps.

    Attributes
    ----------
    played : Round
    step : int
        Steps that are done; 0 is before the first draft.
    names : tuple of str, length V
        Of the tokens.
    states : tuple of str, length K
        What has become of each draft.
    """

    played: Round
    step: int
    names: tuple[str, ...]
    states: tuple[str, ...]

    @property
    def says(self) -> str:
        """What the last of these steps did."""
        played, step, names = self.played, self.step, self.names
        K = len(played.draft)
        drafted = " ".join(names[x] for x in played.draft)
        if step == 0:
            return f"Before the round: the drafter will propose {K} tokens."
        if step == 1:
            return f"The drafter proposes {drafted}." if K else "Nothing is drafted."
        if step < played.steps:
            i = step - 2
            left, right = played.test(i)
            kept = self.states[i] == KEPT
            test = f"u q = {left:.3f} {'<' if kept else '>='} p = {right:.3f}"
            return f"Draft {i + 1} is {names[played.draft[i]]}: {test}, {'kept' if kept else 'rejected'}."
        out = " ".join(names[x] for x in played.tokens)
        last = "a recovered token" if played.accepted < K else "the bonus token"
        emitted = f"{len(played.tokens)} token{'s' if len(played.tokens) > 1 else ''}"
        return f"Drafted {drafted or 'nothing'}, kept {played.accepted}; with {last} the round emits {emitted}: {out}."


def read_round(played: Round, *, step: int | None = None, tokens: Sequence[str] | None = None) -> RoundReading:
    """Look at a round after some of its steps.

    Parameters
    ----------
    played : Round
    step : int, optional
        All of them unless given.
    tokens : sequence of str, optional
        Names; A, B, C, ... unless given.

    Returns
    -------
    RoundReading
    """
    step = played.steps if step is None else step
    names = tuple(token_names(len(played.p[0])) if tokens is None else tokens)
    return RoundReading(played, step, names, tuple(played.state(i, step) for i in range(len(played.draft))))


class RoundBoxes:
    """A box for each draft and one for the bonus, for up to `most` drafts; `set` shows a round after some of its steps."""

    def __init__(self, ax: Axes, most: int) -> None:
        self.boxes: list[FancyBboxPatch] = []
        self.headings: list[Text] = []
        self.letters: list[Text] = []
        self.notes: list[Text] = []
        with style():
            for i in range(most + 1):
                box = FancyBboxPatch((i + 0.12, 0.46), 0.76, 0.36, boxstyle="round,pad=0.02", facecolor="white", linewidth=2)
                ax.add_patch(box)
                self.boxes.append(box)
                self.headings.append(ax.text(i + 0.5, 0.88, "", ha="center", va="bottom"))
                self.letters.append(ax.text(i + 0.5, 0.635, "", ha="center", va="center", fontsize=20, fontweight="bold"))
                self.notes.append(ax.text(i + 0.5, 0.4, "", ha="center", va="top", fontsize=10, linespacing=1.35))
            ax.set_xlim(-0.02, most + 1.02)
            ax.set_ylim(-0.02, 1.0)
            ax.axis("off")
            ax.set_title("One round: draft, test, replace or add")

    def set(self, reading: RoundReading) -> None:
        """Show another round, or another step of it."""
        K = len(reading.states)
        for i, (box, heading, letter, note) in enumerate(zip(self.boxes, self.headings, self.letters, self.notes, strict=True)):
            for artist in (box, heading, letter, note):
                artist.set_visible(i <= K)
            if i <= K:
                text, colour, says = _content(reading, i)
                heading.set_text(f"draft {i + 1}" if i < K else "bonus")
                box.set_edgecolor(colour)
                box.set_linewidth(5 if colour == OWED else 2)  # the recovered token stands out in grey as well
                box.set_linestyle("--" if colour in (FAINT, Q) else "-")
                letter.set_text(text)
                note.set_text(says)
                for artist in (letter, note):
                    artist.set_color({Q: INK, OWED: OWED_INK, REJECTED: REJECTED_INK}.get(colour, colour))

    @property
    def artists(self) -> list[FancyBboxPatch | Text]:
        """What moves."""
        return [*self.boxes, *self.headings, *self.letters, *self.notes]


def _content(reading: RoundReading, i: int) -> tuple[str, str, str]:
    """Letter, colour and note of position i."""
    played, names, K = reading.played, reading.names, len(reading.states)
    if i == played.accepted and reading.step >= played.steps:
        if i == K:
            return names[played.tokens[-1]], P, "drawn from p"
        return names[played.tokens[-1]], OWED, f"for {names[played.draft[i]]}, {STOPPED}:\nrecovered\nfrom p - q"
    if i == K or reading.step == 0:
        return "", FAINT, ""
    state = reading.states[i]
    colour = {WAITING: Q, KEPT: P, STOPPED: REJECTED, UNUSED: FAINT}[state]
    says = state if state != UNUSED else "never\nlooked at"
    if state in (KEPT, STOPPED):
        left, right = played.test(i)
        sign = "<" if state == KEPT else "\u2265"
        says = f"u q = {left:.2f}\n{sign} p = {right:.2f}\n{state}"
    return names[played.draft[i]], colour, says


def plot_round(played: Round, *, step: int | None = None, tokens: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Draw a round after some of its steps, all of them unless said.

    Parameters
    ----------
    played, step, tokens
        As in `read_round`.
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    reading = read_round(played, step=step, tokens=tokens)
    ax = axes_or_new(ax, 2 * len(played.p), 2.6)
    RoundBoxes(ax, len(played.draft)).set(reading)
    return ax


def describe_round(played: Round, *, step: int | None = None, tokens: Sequence[str] | None = None) -> str:
    """Say what `plot_round` shows."""
    return read_round(played, step=step, tokens=tokens).says
