"""Checks that need no statistics: a call or two each, and no lossless verifier that keeps the contract fails them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...types import Array
from ..check import Check
from ..subject.batches import PADDINGS, Case, padded, ragged
from ..subject.contract import Adapted, VerifierError
from ..subject.generators import generator, show
from ..subject.scripted import Stub

CONSTANTS = (0.137, 0.382, 0.618, 0.863)
"""Uniforms that stand for all of a call's: with them a row's tokens can only depend on the row."""


def guarded(name: str, check: Callable[[], Check]) -> Check:
    """A verifier that breaks the contract in a check has failed it; one that is stopped stops the audit."""
    try:
        return check()
    except VerifierError as error:
        if error.part == "time":
            raise
        return Check(name, "FAIL", f"the verifier {error}" if error.part != "values" else f"the verifier's {error}")


def same(one: tuple[Array, Array], two: tuple[Array, Array]) -> bool:
    """Are the results equal, but for what stands behind n_out?"""
    (tokens, n_out), (others, others_n) = one, two
    if not np.array_equal(n_out, others_n):
        return False
    emitted = np.arange(tokens.shape[1]) < n_out[:, None]
    return bool((tokens == others)[emitted].all())


def one_row(result: tuple[Array, Array], b: int) -> tuple[Array, Array]:
    """Row b of a result, as a batch of one."""
    return result[0][b : b + 1], result[1][b : b + 1]


def repeatable(verifier: Adapted, seed: int) -> bool:
    """Do equal seeds give equal results in two calls in a row? Not if the verifier draws from a stream of its own."""
    case = ragged(seed)
    one, two = (verifier(*case.copy(), generator(seed)) for _ in range(2))
    return same(one, two)


def check_results(verifier: Adapted, seed: int) -> Check:
    """What is returned: ids, counts, the drafts themselves before the last token, -1 behind it; and what is written to."""
    case = ragged(seed)
    given = case.copy()
    tokens, n_out = verifier(*given, generator(seed))
    for name, before, after in zip(Case._fields, case, given, strict=True):
        if not np.array_equal(before, after):
            return Check("results", "FAIL", f"writes to its argument {name}", ran="one call of 64 rows")
    K = case.draft.shape[1]
    accepted = np.arange(K) < n_out[:, None] - 1
    off = np.argwhere(accepted & (tokens[:, :K] != case.draft))
    if len(off):
        b, i = (int(j) for j in off[0])
        finding = f"tokens[{b}, {i}] is not the draft, and still row {b} goes on: p behind it belongs to the draft"
        return Check("results", "FAIL", finding, ran="one call of 64 rows", example=show(case, b, f"seed = {seed}"))
    off = np.argwhere((np.arange(K + 1) >= n_out[:, None]) & (tokens != -1))
    if len(off):
        b, i = (int(j) for j in off[0])
        return Check("results", "FAIL", f"tokens[{b}, {i}] is {tokens[b, i]}, behind n_out[{b}] = {n_out[b]}; expected -1")
    return Check("results", "pass", "shapes, ids, counts, -1 behind n_out; inputs unchanged", ran="one call of 64 rows")


def check_stream(verifier: Adapted, seed: int) -> Check:
    """Fresh numbers at every call; and no memory: equal seeds give equal results, also with another call between."""
    case, other = ragged(seed), ragged(seed + 1)
    rng = generator(seed)
    if same(verifier(*case.copy(), rng), verifier(*case.copy(), rng)):
        return Check("stream", "FAIL", "frozen: two calls with one generator give the same 64 rows", ran="two calls of 64 rows")
    if not repeatable(verifier, seed):
        finding = "equal seeds give other results: a stream of its own. Memory between calls and padding are judged by law only"
        return Check("stream", "n/a", finding, ran="four calls of 64 rows")
    verifier(*case.copy(), generator(seed))
    one = verifier(*case.copy(), generator(seed))
    verifier(*other.copy(), generator(seed + 1))
    two = verifier(*case.copy(), generator(seed))
    if not same(one, two):
        finding = "keeps state: a call gives another result when a call on other rows came before it"
        return Check("stream", "FAIL", finding, ran="five calls of 64 rows")
    return Check(
        "stream", "pass", "fresh at every call, repeatable by seed, no memory of other calls", ran="seven calls of 64 rows"
    )


def check_padding(verifier: Adapted, seed: int) -> Check:
    """Whatever lies beyond a row's drafts, the result is the same."""
    if not repeatable(verifier, seed):
        return Check("padding", "n/a", "needs equal results from equal seeds; the ragged law below is judged in its place")
    case = ragged(seed)
    plain = verifier(*padded(case, PADDINGS[0]), generator(seed))
    for how in PADDINGS[1:]:
        try:
            other = verifier(*padded(case, how), generator(seed))
        except VerifierError as error:
            if error.part == "time":
                raise
            return Check("padding", "FAIL", f"with {how} in the padding: {error}", ran="one call of 64 rows")
        if not same(plain, other):
            b = next(b for b in range(64) if not same(one_row(plain, b), one_row(other, b)))
            finding = f"row {b}, with {case.num_draft[b]} of 3 drafts, changes with the padding ({how})"
            return Check("padding", "FAIL", finding, ran="two calls of 64 rows", example=show(case, b, f"seed = {seed}"))
    return Check("padding", "pass", "four kinds of padding give the same 64 rows", ran="four calls of 64 rows")


def check_neighbours(verifier: Adapted, seed: int) -> Check:
    """With one number for all uniforms, a row alone must give what it gives in a batch."""
    case = ragged(seed)
    try:
        for u in CONSTANTS:
            for b in range(4):
                tokens, n_out = verifier(*case.rows([b] * 5), Stub(u))
                if len({(*t, n) for t, n in zip(tokens.tolist(), n_out.tolist(), strict=True)}) > 1:
                    return _no_neighbours("equal rows with equal uniforms differ, so its uniforms are not from rng.random")
    except VerifierError as error:
        if error.part == "time":
            raise
        return _no_neighbours("needs a verifier that draws by rng.random only")
    for u in CONSTANTS:
        together = verifier(*case.copy(), Stub(u))
        for b in range(0, 64, 3):
            alone = verifier(*case.rows([b]), Stub(u))
            if not same(alone, one_row(together, b)):
                finding = f"row {b} of 64 gives other tokens than alone, all uniforms being {u}: it reads its neighbours"
                example = show(case, b, f"64 rows, seed {seed}, every u = {u}")
                return Check("neighbours", "FAIL", finding, ran="64 rows together, 22 of them alone", example=example)
    return Check(
        "neighbours", "pass", "rows of a batch of 64 give what each gives alone", ran="four batches of 64 rows, 22 of them alone"
    )


def _no_neighbours(why: str) -> Check:
    return Check("neighbours", "n/a", f"{why}; mixed-up rows are left to the law")


def certain_checks(verifier: Adapted, seed: int) -> list[tuple[str, Callable[[], Check]]]:
    """Names and questions, in order."""
    from .corners import check_bad_input, check_corners
    from .exact_law import check_edges

    questions: list[tuple[str, Callable[[Adapted, int], Check]]] = [
        ("results", check_results),
        ("stream", check_stream),
        ("padding", check_padding),
        ("neighbours", check_neighbours),
        ("corners", check_corners),
        ("bad input", check_bad_input),
        ("edges", check_edges),
    ]

    def ask(name: str, question: Callable[[Adapted, int], Check]) -> tuple[str, Callable[[], Check]]:
        return name, lambda: guarded(name, lambda: question(verifier, seed))

    return [ask(name, question) for name, question in questions]


def plain_call(verifier: Adapted, seed: int) -> Any:
    """The most ordinary call there is: full rows. What fails here could not be run at all."""
    case = ragged(seed, B=8)
    return verifier(*case._replace(num_draft=np.full(8, 3)), generator(seed))
