"""Columns of the regression: values of terms at the samples, turned into rows of the target."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.fitting.reasons import LARGEST
from dolq_core.numerics.target import Target, on_rows, on_samples
from dolq_core.terms import Skeleton, compile_columns, compile_stack

CACHED = 6000
"""Columns of terms without inner parameters that are kept."""
LEAST_ROWS, ROWS_EACH = 64, 2.0
"""A search for inner parameters on fewer rows than all keeps at least so many, and so many per independent row."""
LEAST_SAMPLES = 24
"""Samples under a test function that are enough to compare starts: one of them alone is worth a thousandth."""


class Columns:
    """Columns of terms on one target; `values` (symbols, N) stand for `symbols` at the times t (N,)."""

    def __init__(self, target: Target, values: Floats, symbols: tuple[str, ...]) -> None:
        self.target = target
        self.values = values
        self.t = target.t
        self.symbols = symbols
        self._known: dict[Skeleton, Floats | None] = {}

    def one(self, skeleton: Skeleton, inner: Sequence[float] = ()) -> Floats | None:
        """Return the column (M,) of a term, or None where it is not finite on the data."""
        if len(inner):
            return self._one(skeleton, inner)
        if skeleton not in self._known:
            if len(self._known) >= CACHED:
                self._known.clear()
            self._known[skeleton] = self._one(skeleton, inner)
        return self._known[skeleton]

    def stack(self, skeleton: Skeleton, inner: Floats) -> Floats:
        """Return a column for each set of inner parameters (s, p), as (s, M); NaN where one is not finite."""
        return self.of_values(self.values_of(skeleton, inner))

    def values_of(self, skeleton: Skeleton, inner: Floats) -> Floats:
        """Return values of a term for each set of inner parameters (s, p), as (s, N)."""
        return compile_stack(skeleton, self.symbols)(self.values, self.t, inner)

    def of_values(self, values: Floats) -> Floats:
        """Turn values (s, N) of terms into columns (s, M); NaN where one is not finite."""
        columns = self.target.apply(values)
        size = np.abs(columns).max(axis=1)
        usable = (size <= LARGEST) & ((size >= 1.0 / LARGEST) | (size == 0.0))
        if self.target.sums is not None:
            usable &= [bool(fits) and self.target.resolves(row) for fits, row in zip(usable, values, strict=True)]
        return columns if usable.all() else np.where(usable[:, None], columns, np.nan)

    @cached_property
    def fewer(self) -> "tuple[Columns, Ints | slice]":
        """The same columns on the rows that a search for inner parameters needs, and which rows these are.

        Test functions overlap: rows are several times as many as are independent, and every few of them say the same.
        """
        target, rows = self.target, self.target.b.shape[1]
        count = round(max(ROWS_EACH * target.effective, LEAST_ROWS))
        if target.rows is None or 2 * count > rows:
            return self, slice(None)
        some: Ints = np.arange(count) * (rows - 1) // (count - 1)
        return Columns(on_rows(target, some), self.values, self.symbols), some

    @cached_property
    def coarse(self) -> "Columns":
        """About the same columns from fewer samples, to compare starts with."""
        rows = self.target.rows
        step = 1 if rows is None else int(np.min(np.diff(rows.mean.indptr))) // LEAST_SAMPLES
        if step < 2:
            return self
        return Columns(on_samples(self.target, step), np.ascontiguousarray(self.values[:, ::step]), self.symbols)

    def _one(self, skeleton: Skeleton, inner: Sequence[float]) -> Floats | None:
        values = compile_columns(skeleton, self.symbols)(self.values, self.t, inner)
        size = float(np.max(np.abs(values)))
        if not np.isfinite(size) or size > LARGEST or 0.0 < size < 1.0 / LARGEST:
            return None
        return self.target.apply(values[None, :])[0] if self.target.resolves(values) else None
