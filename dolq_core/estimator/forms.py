"""The law of a model in other forms, and the laws beside it."""

# PySINDy has no stubs, and is imported where it is asked for:
# pyright: reportMissingTypeStubs=false, reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportMissingModuleSource=false

from typing import Any

import numpy as np
import pandas as pd

from dolq_core import runs
from dolq_core.arrays import Floats
from dolq_core.errors import ExportError
from dolq_core.estimator import algebra
from dolq_core.fitting import names_of
from dolq_core.records import EquationFit
from dolq_core.terms import compile_columns, to_text, variables
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

        dataset = self.begun.state.problem.dataset
        fits = complete(self.begun.state)
        texts = [(term.skeleton, term.inner) for fit in fits for term in fit.terms]
        own = list(dict.fromkeys(texts))
        symbols = names_of(dataset).symbols
        if dataset.inputs or any("t" in variables(skeleton) for skeleton, _ in own):
            raise ExportError("The law", "PySINDy's library takes states alone", "Export it as Python instead.")
        library = pysindy.CustomLibrary(
            [_column(skeleton, inner, symbols) for skeleton, inner in own],
            [_name(to_text(skeleton, names_of(dataset), inner), len(symbols)) for skeleton, inner in own],
            interaction_only=True,
        )
        model = pysindy.SINDy(feature_library=library, optimizer=pysindy.STLSQ(threshold=0.0))
        start = np.concatenate([one.x for one in dataset.trajectories])
        start = start[np.isfinite(start).all(axis=1)]
        model.fit(start, t=1.0, x_dot=np.zeros_like(start), feature_names=[one.name for one in dataset.states])
        matrix = np.zeros((len(fits), len(own)))
        for j, fit in enumerate(fits):
            for term in fit.terms:
                matrix[j, own.index((term.skeleton, term.inner))] = term.coefficient
        model.optimizer.coef_ = matrix
        return model


def _column(skeleton: str, inner: tuple[float, ...], symbols: tuple[str, ...]) -> Any:
    """Return a function of as many arguments as there are states, which is how PySINDy knows what to hand it."""
    made = compile_columns(skeleton, symbols)

    def column(states: Any) -> Any:
        at: Floats = np.array([np.asarray(one, dtype=np.float64).ravel() for one in states])
        return np.reshape(made(at, np.zeros_like(at[0]), inner), np.shape(states[0]))

    return _of_all(column, len(symbols))


def _name(text: str, count: int) -> Any:
    def name(_: Any) -> str:
        return text

    return _of_all(name, count)


def _of_all(function: Any, count: int) -> Any:
    arguments = ", ".join(f"a{k}" for k in range(count))
    return eval(f"lambda {arguments}: function(({arguments},))", {"function": function})  # noqa: S307  a count alone
