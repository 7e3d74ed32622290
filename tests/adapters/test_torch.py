"""With PyTorch where it is installed; without it a stand-in that has just what the adapters ask of it."""

import pickle
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from cases import random_case

from specviz import audit, verify
from specviz.adapters import FromFlat, FromRow, FromTorch, ToFlat, ToTorch

CASE = random_case(np.random.default_rng(3), B=4, K=2)


class Tensor:
    """An array on a device, which can be read only when it was detached and fetched."""

    def __init__(self, array, device="cpu", attached=True):
        self.array, self.device, self.attached = array, device or "cpu", attached

    dtype = property(lambda self: self.array.dtype)
    shape = property(lambda self: self.array.shape)
    ndim = property(lambda self: self.array.ndim)

    def detach(self):
        return Tensor(self.array, self.device, attached=False)

    def cpu(self):
        return Tensor(self.array, "cpu", self.attached)

    def float(self):
        return Tensor(self.array.astype(np.float32), self.device, self.attached)

    def numpy(self):
        assert not self.attached
        assert self.device == "cpu"
        return self.array

    def __array__(self, *args, **kwargs):
        raise TypeError("call detach().cpu().numpy()")


class Generator:
    def __init__(self, device="cpu"):
        self.device = device

    def manual_seed(self, seed):
        self.seed, self.numbers = seed, np.random.default_rng(seed)
        return self

    def initial_seed(self):
        return self.seed


STAND_IN = SimpleNamespace(
    Tensor=Tensor,
    Generator=Generator,
    as_tensor=lambda array, dtype=None, device="cpu": Tensor(np.asarray(array, dtype), device),
    randint=lambda high, size, generator, device: generator.numbers.integers(high, size=size),
    float16=np.dtype(np.float16),
    float32=np.dtype(np.float32),
    float64=np.dtype(np.float64),
    int64=np.dtype(np.int64),
    bfloat16=None,
)


@pytest.fixture(params=["stand-in", "PyTorch"])
def torch(request, monkeypatch):
    if request.param == "PyTorch":
        return pytest.importorskip("torch")
    monkeypatch.setitem(sys.modules, "torch", STAND_IN)
    return STAND_IN


def tensor_rule(draft, q, p, num_draft, generator):
    """The token rule on tensors, its numbers from numpy: a function of tensors for which PyTorch itself is not needed."""
    import torch

    rng = generator if hasattr(generator, "random") else np.random.default_rng(generator.initial_seed())
    arrays = (None if tensor is None else tensor.detach().cpu().numpy() for tensor in (draft, q, p, num_draft))
    return tuple(torch.as_tensor(array) for array in verify(*arrays, rng))


def test_the_function_gets_tensors_and_arrays_come_back(torch):
    seen = []
    tokens, n_out = FromTorch(lambda *given: seen.append(given) or tensor_rule(*given))(*CASE, np.random.default_rng(0))
    *tensors, generator = seen[0]
    for tensor, array in zip(tensors, CASE, strict=True):
        assert isinstance(tensor, torch.Tensor)
        assert np.array_equal(tensor.detach().cpu().numpy(), array)
    assert isinstance(generator, torch.Generator)
    assert type(tokens) is type(n_out) is np.ndarray
    assert tokens.dtype == n_out.dtype == np.int64


@pytest.mark.parametrize("asked", [None, "float32", "float64"])
@pytest.mark.parametrize("of_arrays", ["float32", "float64"])
def test_types_are_kept_unless_another_is_asked_for(torch, asked, of_arrays):
    seen = []
    case = CASE._replace(q=CASE.q.astype(of_arrays), p=CASE.p.astype(of_arrays))
    dtype = asked and getattr(torch, asked)
    FromTorch(lambda *given: seen.append(given) or tensor_rule(*given), dtype=dtype)(*case, np.random.default_rng(0))
    draft, q, p, num_draft, _ = seen[0]
    assert q.dtype == p.dtype == getattr(torch, asked or of_arrays)
    assert draft.dtype == num_draft.dtype == torch.int64


def test_tensors_and_generator_are_on_the_device(torch):
    seen = []
    device = "cuda:3" if torch is STAND_IN else "meta"

    def function(draft, q, p, num_draft, generator):
        seen.extend([draft, q, p, num_draft])
        return [[0, -1, -1]] * 4, [1] * 4

    FromTorch(function, device=device, generator=False)(*CASE, np.random.default_rng(0))
    assert {str(tensor.device) for tensor in seen} == {device}
    if torch is STAND_IN:
        FromTorch(lambda *given: seen.append(given[-1]), device=device)(*CASE, np.random.default_rng(0))
        assert seen[-1].device == device


def test_equal_seeds_give_equal_results_and_a_stream_goes_on(torch):
    def seed_of(rng):
        return FromTorch(lambda *given: given[-1].initial_seed())(*CASE, rng).item()

    rng = np.random.default_rng(7)
    first, second = seed_of(rng), seed_of(rng)
    assert first != second
    assert seed_of(np.random.default_rng(7)) == first


def test_rng_itself_is_handed_on_when_asked_for(torch):
    tokens, n_out = FromTorch(tensor_rule, generator=False)(*CASE, np.random.default_rng(4))
    expected = verify(*CASE, np.random.default_rng(4))
    assert np.array_equal(tokens, expected.tokens)
    assert np.array_equal(n_out, expected.n_out)


def test_a_deterministic_drafter_has_no_q(torch):
    tokens, _ = FromTorch(tensor_rule, generator=False)(*CASE._replace(q=None), np.random.default_rng(4))
    assert np.array_equal(tokens, verify(*CASE._replace(q=None), np.random.default_rng(4)).tokens)


@pytest.mark.filterwarnings("error")
def test_any_array_is_taken_and_none_is_written_to(torch):
    def spoils(draft, q, p, num_draft, rng):
        result = tensor_rule(draft, q, p, num_draft, rng)
        p.detach().numpy()[...] = 0
        return result

    p = CASE.p.copy()
    p.flags.writeable = False
    case = CASE._replace(p=p[..., ::-1], q=np.broadcast_to(np.full(4, 0.25), (4, 2, 4)))
    tokens, _ = FromTorch(spoils, generator=False)(*case, np.random.default_rng(4))
    assert np.array_equal(tokens, verify(*case, np.random.default_rng(4)).tokens)
    assert np.array_equal(p, CASE.p)


def test_adapters_nest(torch):
    tokens, n_out = FromFlat(FromTorch(ToTorch(ToFlat(verify))))(*CASE, np.random.default_rng(4))
    assert np.array_equal((tokens >= 0).sum(axis=1), n_out)

    def row_of_arrays(draft, q, p, num_draft, rng):
        tokens, n_out = verify(draft[None], q[None], p[None], [num_draft], rng)
        return tokens[0], n_out[0]

    def row_of_tensors(*row):
        tokens, n_out = row_of_arrays(*(a.detach().numpy() for a in row[:3]), *row[3:])
        return torch.as_tensor(tokens), n_out

    by_tensors = FromRow(FromTorch(row_of_tensors, generator=False))(*CASE, np.random.default_rng(4))
    assert np.array_equal(by_tensors.tokens, FromRow(row_of_arrays)(*CASE, np.random.default_rng(4)).tokens)


def test_a_verifier_is_called_with_tensors(torch):
    tensors = [torch.as_tensor(array) for array in CASE]
    results = [ToTorch(verify)(*tensors, torch.Generator().manual_seed(seed)) for seed in (1, 1, 2)]
    tokens, n_out = ([part.detach().cpu().numpy().tolist() for part in result] for result in zip(*results, strict=True))
    assert isinstance(results[0][0], torch.Tensor)
    assert results[0][0].dtype == torch.int64
    assert tokens[0] == tokens[1]
    assert n_out[0] == n_out[1]
    assert (tokens[0], n_out[0]) != (tokens[2], n_out[2])


def test_half_precision_becomes_float32(torch):
    seen = []
    draft, q, p, num_draft = (torch.as_tensor(a.astype(np.float16) if a.dtype.kind == "f" else a) for a in CASE)
    ToTorch(lambda *given: seen.append(given) or verify(*given))(draft, q, p, num_draft, torch.Generator().manual_seed(0))
    assert seen[0][1].dtype == seen[0][2].dtype == np.float32
    assert seen[0][0].dtype == np.int64


def test_without_pytorch_one_line_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for adapter in (FromTorch(tensor_rule), ToTorch(verify)):
        with pytest.raises(ImportError, match="need PyTorch, which is not installed: pip install torch"):
            adapter(*CASE, np.random.default_rng(0))


def test_the_module_is_not_taken_for_pytorch():
    code = "import sys, specviz.adapters.torch; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_it_travels_and_goes_by_the_name_of_its_function():
    for adapter in (FromTorch(tensor_rule, device="cuda"), ToTorch(tensor_rule)):
        assert pickle.loads(pickle.dumps(adapter)) == adapter
        assert adapter.__name__ == "tensor_rule"


def test_a_right_function_of_tensors_passes_an_audit(torch):
    report = audit(FromTorch(tensor_rule), budget="quick", progress=False)
    assert report.passed, report


def test_a_wrong_function_of_tensors_stays_wrong(torch):
    def same_numbers_again(draft, q, p, num_draft, generator):
        return tensor_rule(draft, q, p, num_draft, torch.Generator().manual_seed(0))

    assert not audit(FromTorch(same_numbers_again), budget="quick", progress=False).passed


def torch_rule(draft, q, p, num_draft, generator, residual=True):
    """The token rule written in PyTorch."""
    import torch

    B, K = draft.shape
    row, is_draft = torch.arange(B), torch.arange(K) < num_draft[:, None]
    x = torch.where(is_draft, draft, 0)[..., None]
    p_x, q_x = p[:, :K].gather(2, x)[..., 0], q.gather(2, x)[..., 0]
    u = torch.rand(B, K, generator=generator, dtype=torch.float64)
    accepted = ((u * q_x < p_x) & is_draft).long().cumprod(1).sum(1)
    law = p[row, accepted]
    if residual and K:
        owed = (law - q[row, accepted.clamp(max=K - 1)]).clamp_min(0)
        law = torch.where(((accepted < num_draft) & (owed.sum(1) > 0))[:, None], owed, law)
    tokens = torch.full((B, K + 1), -1)
    tokens[:, :K] = torch.where(torch.arange(K) < accepted[:, None], draft, -1)
    tokens[row, accepted] = torch.multinomial(law, 1, generator=generator)[:, 0]
    return tokens, accepted + 1


def without_residual(*given):
    return torch_rule(*given, residual=False)


@pytest.mark.parametrize(("rule", "right"), [(torch_rule, True), (without_residual, False)])
def test_rules_written_in_pytorch(rule, right):
    pytest.importorskip("torch")
    report = audit(FromTorch(rule), budget="quick", progress=False)
    assert report.passed == right, report
