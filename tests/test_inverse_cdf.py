import numpy as np
import pytest
from cases import wide_rows

from specviz.inverse_cdf import LONG, inverse_cdf, is_long, row_totals, tiles

BELOW_ONE = np.nextafter(1, 0)


@pytest.mark.parametrize("V", [3, 200, LONG + 513])
def test_inverse_cdf_is_the_first_token_above_u(V):
    rng = np.random.default_rng(1)
    weights = rng.multinomial(2**14, rng.dirichlet(np.ones(V), 30)) / 2**14
    cum = weights.cumsum(axis=1)
    u = np.concatenate([rng.random(10), cum[10:20, V // 2], np.nextafter(cum[20:, V // 2], 0)])
    u = np.minimum(u, BELOW_ONE)
    tokens, totals = inverse_cdf(weights, u)
    assert tokens.tolist() == [int(np.argmax(c > x)) for c, x in zip(cum, u, strict=True)]
    assert totals == pytest.approx(1)


def test_long_rows_are_drawn_from_by_the_law():
    """The interval of u that leads to each block has the block's mass, although blocks are summed in float32."""
    row = wide_rows(rows=1)
    edges = np.concatenate([[0], row[0].astype(np.float64).cumsum()])
    edges /= edges[-1]
    middle = (edges[1:] + edges[:-1]) / 2
    likely = np.argsort(row[0])[-2000:]
    tokens, _ = inverse_cdf(np.repeat(row, len(likely), axis=0), middle[likely])
    assert (tokens == likely).mean() > 0.999


def test_long_rows_do_not_depend_on_their_layout():
    """Small weights behind a large one are lost when float32 numbers are added one after another."""
    row = np.full(8448, 1e-5, np.float32)
    row[0], row[1:256] = 0.9, 2.9e-8
    u = np.linspace(0.9, 0.92, 4000)
    contiguous = np.repeat(row[None], len(u), axis=0)
    strided = np.repeat(contiguous, 2, axis=1)[:, ::2]
    assert np.array_equal(inverse_cdf(contiguous, u)[0], inverse_cdf(strided, u)[0])


@pytest.mark.parametrize("V", [4, 100, LONG + 300])
def test_past_the_end_the_last_token_with_weight_is_drawn(V):
    """u = 1 stands for a product that rounding has lifted to the total."""
    weights = np.zeros((2, V))
    weights[0, [0, 2]], weights[1, 1] = 0.5, 1
    assert inverse_cdf(weights, np.ones(2))[0].tolist() == [2, 1]


@pytest.mark.parametrize(("V", "long"), [(1, False), (LONG, False), (LONG + 1, True)])
def test_long_begins_behind_the_limit(V, long):
    assert is_long(V) == long


@pytest.mark.parametrize("V", [1, 300, LONG, LONG + 513, 70_000])
def test_totals_of_rows(V):
    weights = np.random.default_rng(V).integers(0, 100, (3, V)).astype(np.float32)
    assert row_totals(weights).tolist() == weights.sum(axis=1, dtype=np.float64).tolist()


@pytest.mark.parametrize(("rows", "width"), [(0, 4), (1, 70_000), (100_000, 3), (5, 1 << 16)])
def test_tiles_are_all_rows_in_order_and_stay_small(rows, width):
    parts = [np.arange(rows)[tile] for tile in tiles(rows, width)]
    assert np.array_equal(np.concatenate([np.arange(0), *parts]), np.arange(rows))
    assert all(len(part) == 1 or len(part) * width <= 1 << 16 for part in parts)
