"""The law of a model in other forms, and the laws beside it."""

# PySINDy has no stubs, and is imported where it is asked for:
# pyright: reportMissingTypeStubs=false, reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportMissingModuleSource=false, reportUntypedBaseClass=false
# pyright: reportUntypedFunctionDecorator=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dolq_core import runs
from dolq_core.arrays import Floats
from dolq_core.errors import ExportError
from dolq_core.estimator import algebra
from dolq_core.export.pysindy import library
from dolq_core.fitting import names_of
from dolq_core.records import EquationFit
from dolq_core.terms import Column, compile_columns, to_text, variables
from dolq_core.views.files import copies
from dolq_core.views.rivals import Front, front, front_error, identifiability
from dolq_core.views.system import complete, law


class Forms:
    """What a model gives besides its own equations: algebra, LaTeX, PySINDy, the front and the rivals."""

    @property
    def begun(self) -> runs.Run:
        """The run; raises NotFittedError before there is one."""
        raise NotImplementedError

    @property
    def front(self) -> pd.DataFrame:
        """The structures of each equation that nothing smaller beats, by their number of terms.

        error: on the part that is held out, else on left-out blocks; knee: after it more terms bring little.
        """
        rows: list[dict[str, Any]] = []
        for j, state in enumerate(self.begun.state.problem.dataset.states):
            found: Front = front(self.begun.state, j)
            rows += [
                {"equation": state.name, **self._row(fit, front_error(fit)), "knee": k == found.knee}
                for k, fit in enumerate(found.points)
            ]
        return pd.DataFrame(rows, columns=["equation", "structure", "terms", "error", "floor_ratio", "knee"])

    @property
    def rivals(self) -> pd.DataFrame:
        """Other laws that explain the samples about as well, with the coefficients that they were fitted with."""
        names = [one.name for one in self.begun.state.problem.dataset.states]
        rows = [
            {"equation": names[ties.equation], **self._row(fit, fit.cv_nmse)}
            for ties in identifiability(self.begun)
            for fit in ties.fits
        ]
        return pd.DataFrame(rows, columns=["equation", "structure", "terms", "error", "floor_ratio"])

    def _row(self, fit: EquationFit, error: float) -> dict[str, Any]:
        names = names_of(self.begun.state.problem.dataset)
        texts = [f"{term.coefficient:.4g} {to_text(term.skeleton, names, term.inner)}" for term in fit.terms]
        said = " + ".join(texts).replace("+ -", "- ") or "0"
        return {"structure": said, "terms": len(fit.terms), "error": error, "floor_ratio": fit.floor_ratio}

    def latex(self) -> str:
        """Return the equations as LaTeX; empty before the first iteration."""
        return copies(self.begun).latex

    def sympy(self) -> list[Any]:
        """Return the equations as SymPy's `Eq`, every number in full precision; needs SymPy.

        Raises ExportError while an equation is missing.
        """
        return algebra.equations(law(self.begun))

    def to_pysindy(self) -> Any:
        """Return the law as a fitted `pysindy.SINDy`, with the library of its own terms; needs PySINDy.

        It predicts and simulates there. Raises ExportError for a law with inputs or with time in it.
        """
        import pysindy  # noqa: PLC0415

        dataset, names = self.begun.state.problem.dataset, names_of(self.begun.state.problem.dataset)
        fits = complete(self.begun.state)
        own, matrix = library(fits)
        if dataset.inputs or any("t" in variables(skeleton) for skeleton, _ in own):
            raise ExportError("The law", "PySINDy's library takes states alone", 'Take export("pysindy") instead.')
        known = _library(
            [(compile_columns(skeleton, names.symbols), inner) for skeleton, inner in own],
            [to_text(skeleton, names, inner) for skeleton, inner in own],
        )
        model = pysindy.SINDy(feature_library=known, optimizer=pysindy.STLSQ(threshold=0.0))
        start = np.concatenate([one.x for one in dataset.trajectories])
        start = start[np.isfinite(start).all(axis=1)]
        model.fit(start, t=1.0, x_dot=np.zeros_like(start), feature_names=[one.name for one in dataset.states])
        fitted: Any = model.optimizer
        fitted.coef_ = matrix
        return model


def _library(columns: Sequence[tuple[Column, Sequence[float]]], texts: Sequence[str]) -> Any:
    """Return a library of PySINDy that has the terms of the law and no others; columns: with their inner numbers."""
    from pysindy.feature_library.base import BaseFeatureLibrary, x_sequence_or_item  # noqa: PLC0415
    from pysindy.utils import AxesArray, comprehend_axes  # noqa: PLC0415

    class Terms(BaseFeatureLibrary):
        @x_sequence_or_item
        def fit(self, x: Any, y: Any = None) -> Any:
            self.n_features_in_ = x[0].shape[-1]
            self.n_output_features_ = len(texts)
            return self

        @x_sequence_or_item
        def transform(self, x: Any) -> Any:
            found: list[Any] = []
            for one in x:
                rows: Floats = np.asarray(one, dtype=np.float64).reshape(-1, one.shape[-1]).T
                values = np.array([column(rows, np.zeros(rows.shape[1]), inner) for column, inner in columns])
                values = values.T.reshape(*one.shape[:-1], len(texts))
                found.append(AxesArray(values, comprehend_axes(values)))
            return found

        def get_feature_names(self, input_features: Any = None) -> list[str]:
            return list(texts)

    return Terms()
