"""The questions that an audit asks, one a file; `CHECKS` has them in order."""

from __future__ import annotations

from ...models.designed import CHAINS
from ..check import Check
from .anytime import AnytimeLaw
from .bad_input import BadInput
from .conformance import TokenRule
from .corners import Corners
from .exact_law import ExactLaw
from .neighbours import Neighbours
from .padding import Padding
from .prefixes import Prefixes
from .results import Results
from .rounds import Rounds
from .rows import Rows
from .sequences import Sequences
from .stream import Stream
from .tokens import AcceptanceBound
from .wide import WideLaw

__all__ = ["CHECKS", "describe_checks"]

CHECKS: tuple[Check, ...] = (
    Results(),
    Stream(),
    Padding(),
    Neighbours(),
    Corners(),
    BadInput(),
    ExactLaw(),
    *(check(chain) for chain in CHAINS for check in (Sequences, Rounds)),
    Prefixes(),
    WideLaw(),
    Rows(),
    AcceptanceBound(),
    TokenRule(),
    AnytimeLaw(),
)
"""Every check, in the order of the report: what is certain first, for that makes the rest of a report readable."""


def describe_checks() -> str:
    """Name, kind and question of every check, a line each."""
    name, kind = (max(len(getattr(check, key)) for check in CHECKS) for key in ("name", "kind"))
    return "\n".join(f"{check.name:{name}s}  {check.kind:{kind}s}  {check.question}" for check in CHECKS)
