"""Other people's verifiers behind the common signature (draft, q, p, num_draft, rng), and specviz's verifiers behind theirs.

`FromRow` takes a function of one row, `FromFlat` one of the flattened layout of serving engines; `ToFlat` leads back.
"""

from .flat import FromFlat, ToFlat
from .one_row import FromRow

__all__ = ["FromFlat", "FromRow", "ToFlat"]
