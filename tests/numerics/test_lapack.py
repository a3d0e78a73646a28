"""The triangle of a QR, for tables of more and of fewer columns than rows."""

import numpy as np
import pytest

from dolq_core.numerics.bordered import solved
from dolq_core.numerics.lapack import triangle


@pytest.mark.parametrize("shape", [(3, 40), (5, 5), (6, 2), (40, 60)])
def test_a_triangle_has_the_products_of_its_table(shape):
    table = np.random.default_rng(1).normal(size=shape)
    r = triangle(table.copy())
    assert r.shape == (shape[0], shape[0])
    assert r.T @ r == pytest.approx(table @ table.T)
    assert np.array_equal(r, np.triu(r))


def test_rows_of_stretches_stay_as_they_are():
    """Also where they lie column by column: in LAPACK's own order they would be written over."""
    tables = [np.asfortranarray(np.random.default_rng(2).normal(size=(rows, 4))) for rows in (3, 9)]
    before = [table.copy() for table in tables]
    solved(tables, 1)
    assert [table.tolist() for table in tables] == [table.tolist() for table in before]
