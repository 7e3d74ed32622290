"""Names of a package that are imported when they are first asked for, so that `import specviz` pays only for what it uses.

A package names what others may use in its `__init__`. What costs nothing more is imported there as usual. A module that
`import specviz` has no use for, such as the recorded rounds or whatever needs scipy.stats, comes later, with this.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def later(package: str, names: Mapping[str, Iterable[str]]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package some of whose names are imported when they are first asked for (PEP 562).

    The package imports the same names once more under `if TYPE_CHECKING:`, for type checkers and readers. A name that is also
    that of a module would be hidden by the module; a test forbids it.

    Parameters
    ----------
    package : str
        Its `__name__`.
    names : mapping
        Module, relative to the package, to the names that it gives.

    Returns
    -------
    (callable, callable)
        To be assigned to `__getattr__` and `__dir__` in the package.

    Examples
    --------
    >>> get, listed = later("specviz", {"theory.speed": ["speedup"]})
    >>> get("speedup").__name__, "speedup" in listed()
    ('speedup', True)
    """
    module_of = {name: module for module, given in names.items() for name in given}

    def get(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f".{module_of[name]}", package), name)

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_of})

    return get, listed
