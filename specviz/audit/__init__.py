"""Prove or refute losslessness: statistics against exact laws, wrong verifiers to test the tests, and the report.

`specviz.audit(verifier, ...)` runs `specviz.audit.run.audit`: the package is named after its main function, so it can be called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """A module that is called like its main function, which is imported when it is needed: it brings scipy.stats."""

    def __call__(self, verifier: Callable[..., Any], **options: Any) -> Any:
        """Audit a verifier; see `specviz.audit.run.audit`."""
        from .run import audit

        return audit(verifier, **options)


sys.modules[__name__].__class__ = _Callable
