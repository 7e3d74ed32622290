"""Other people's verifiers behind the common signature (draft, q, p, num_draft, rng), and specviz's verifiers behind theirs.

`FromRow` takes a function of one row, `FromFlat` one of the flattened layout of serving engines, `FromTorch` one of tensors;
`ToFlat` and `ToTorch` lead back. They nest: `FromFlat(FromTorch(function))` takes a flat function of tensors.
"""

from .flat import FromFlat, ToFlat
from .one_row import FromRow
from .torch import FromTorch, ToTorch

__all__ = ["FromFlat", "FromRow", "FromTorch", "ToFlat", "ToTorch"]
