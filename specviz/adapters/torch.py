"""Functions of PyTorch tensors as functions of arrays, and back. PyTorch itself is imported when one is called, not before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rules.contract import as_array
from .adapter import Adapter


@dataclass(frozen=True)
class FromTorch(Adapter):
    """A function of arrays made from the same function of tensors: a verifier from a verifier, a flat function from a flat one.

    Parameters
    ----------
    function : callable
        Takes tensors and returns a tensor, or a tuple or list of them. Its last positional argument is the source of chance.
    device : str or torch.device
        Where the tensors are made.
    dtype : torch.dtype, optional
        Of the tensors that hold fractions; that of the arrays unless given. Integers keep theirs.
    generator : bool
        The function gets a `torch.Generator` on the device, seeded anew in each call by an integer drawn from rng: equal seeds
        give equal results. False: it gets rng itself. An audit can then choose the numbers that rng gives, and so asks more.

    Raises
    ------
    ImportError
        When called, if PyTorch is not installed.

    Notes
    -----
    Tensors are copies, so the function may write to them. None and plain numbers are passed as they are; results are detached,
    fetched and given back as arrays. Whoever calls a verifier checks what it returns.

    A function that draws from PyTorch's global stream can seed it: `torch.manual_seed(generator.initial_seed())`.

    Examples
    --------
    With `engine_verify(draft, q, p, num_draft, generator)`, a function of tensors::

        audit(FromTorch(engine_verify, device="cuda", dtype=torch.float32))
    """

    device: Any = "cpu"
    dtype: Any = None
    generator: bool = True

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function with tensors of the same shapes."""
        torch = _torch()

        def tensor(value: Any) -> Any:
            if not isinstance(value, np.ndarray):
                return value
            dtype = self.dtype if value.dtype.kind == "f" else None
            return torch.as_tensor(np.array(value, order="C"), dtype=dtype, device=self.device)  # torch.tensor is much slower

        *values, rng = arguments
        if self.generator:
            rng = torch.Generator(device=self.device).manual_seed(int(rng.integers(2**63)))
        return _each(as_array, self.function(*map(tensor, values), rng, **{name: tensor(v) for name, v in named.items()}))


@dataclass(frozen=True)
class ToTorch(Adapter):
    """A function of tensors made from the same function of arrays: how one of specviz's verifiers is called with tensors.

    Parameters
    ----------
    function : callable
        Its last positional argument is a `numpy.random.Generator`.

    Notes
    -----
    The function of tensors takes a `torch.Generator` in its place, or None for PyTorch's default one, and draws from it the seed
    of a numpy Generator. Results are on the device of the first tensor. Half precision becomes float32, which holds it exactly.

    Examples
    --------
    With tensors of float32, float64, float16 or bfloat16::

        tokens, n_out = ToTorch(specviz.verify)(draft, q, p, num_draft, torch.Generator().manual_seed(0))
    """

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function with arrays of the same shapes."""
        torch = _torch()

        def array(value: Any) -> Any:
            if not isinstance(value, torch.Tensor):
                return value
            return as_array(value.float() if value.dtype in (torch.float16, torch.bfloat16) else value)

        *values, generator = arguments
        source = None if generator is None else generator.device
        seed = int(torch.randint(2**63 - 1, (), generator=generator, device=source))
        arrays = map(array, values)
        result = self.function(*arrays, np.random.default_rng(seed), **{name: array(v) for name, v in named.items()})
        device = next((value.device for value in values if isinstance(value, torch.Tensor)), None)
        return _each(lambda value: torch.as_tensor(value, device=device), result)


def _each(change: Any, result: Any) -> Any:
    return tuple(map(change, result)) if isinstance(result, (tuple, list)) else change(result)


def _torch() -> Any:
    """PyTorch, which is no requirement of specviz."""
    try:
        import torch
    except ImportError as error:
        raise ImportError("FromTorch and ToTorch need PyTorch, which is not installed: pip install torch") from error
    return torch
