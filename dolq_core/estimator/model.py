"""The estimator: data in, equations out, a person's words in between. It stands on `dolq_core.runs` and adds no method.

Conventions: parameters of `__init__` are kept as given and never checked there; what a fit finds ends with _ or is a
property; `fit` returns the model, and fitting again begins anew.
"""

import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from dolq_core import clock, runs
from dolq_core.arrays import Floats
from dolq_core.errors import DataError
from dolq_core.estimator import showing
from dolq_core.estimator.arrays import Described, InputError, Words, as_runs, is_several
from dolq_core.estimator.forms import Forms
from dolq_core.estimator.interventions import Interventions
from dolq_core.estimator.parameters import ParameterError, Parameters, not_fitted
from dolq_core.estimator.taking_in import is_frame, like, problem_of
from dolq_core.numerics.integrate import METHODS
from dolq_core.ports import Store
from dolq_core.records import Dataset, Models, Pause, Settings
from dolq_core.views import files, summary
from dolq_core.views.equations import panels
from dolq_core.views.files import copies
from dolq_core.views.system import Inputs, path_from, rates_at, score_on

Place = str | PathLike[str] | bool | None


class DoLQ(Parameters, Interventions, Forms):
    """Ordinary differential equations from trajectories, term by term.

    Args:
        agents: "builtin", which needs no key and no network, or "models" with `models`.
        max_iterations: at most so many; None: those of `settings`.
        random_state: seed of every draw; the same data, words and seed give the same law.
        settings: every other knob of the loop, `dolq_core.Settings`.
        models: the language models, where agents is "models".
        max_seconds: of wall time for a fit, kept inside an iteration as well: the search ends with what it has found,
            an iteration that cannot be finished is dropped, and a warning says so.
        verbose: 1 for a line on standard output after each iteration, 2 for every phase.
        callback: called with the model after each iteration; what is true ends the fit.
        database: where the log is kept: a path, True for the database that the app opens, None for memory alone.
        name: of the run.

    Attributes:
        run_: the run as it stands, for `dolq_core.runs`.
        feature_names_in_, n_features_in_: the states.
        n_iter_: iterations that were done.
    """

    def __init__(
        self,
        agents: str = "builtin",
        *,
        max_iterations: int | None = None,
        random_state: int = 0,
        settings: Settings | None = None,
        models: Models | None = None,
        database: Place = None,
        name: str = "",
        max_seconds: float | None = None,
        verbose: int = 0,
        callback: Callable[["DoLQ"], object] | None = None,
    ) -> None:
        self.agents = agents
        self.max_iterations = max_iterations
        self.random_state = random_state
        self.settings = settings
        self.models = models
        self.database = database
        self.name = name
        self.max_seconds = max_seconds
        self.verbose = verbose
        self.callback = callback

    # --- a run -----------------------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        t: Any = None,
        *,
        description: str = "",
        allow: str | Path = "",
        u: Any = None,
        x_dot: Any = None,
        weights: Any = None,
        feature_names: Sequence[str] | None = None,
        input_names: Sequence[str] | None = None,
        run: str | None = None,
        units: Words = (),
        meanings: Words = (),
        time_name: str = "t",
        steps: int | None = None,
    ) -> Self:
        """Begin a run on the data and go on until there is a reason to stop; raise DataError for data of no use.

        Args:
            X: states (n, d), NaN where one was not measured; a list of such arrays, one for each run; a data frame or
                a list of them; the path of a table; or a problem, such as `dolq_core.runs.load_bundled("yeast")`.
            t: times (n,), a list of them, or the step between samples. Of a table: the name of its column, None for
                a guess.
            description: what the system is, in plain words.
            allow: what laws may be made of: TOML, or the path of a file of it (docs/building-blocks.md).
            u: known inputs (n, u). Of a table: the names of its input columns.
            x_dot: measured derivatives (n, d). Of a table: {column: state}.
            weights: (n, d) or (n,), 0 for a sample that does not count. Of a table: {column: state}.
            feature_names: the states; of a table those of its columns that are.
            input_names: what the columns of `u` are called.
            run: of a table, the column that tells runs apart.
            units: of states and inputs, in order or by name.
            meanings: likewise, a few words each.
            time_name: what the time of arrays is called.
            steps: iterations to do now, such as 0 to look at the data and say a word first.
        """
        self.check_params()
        told = Described(t, u, x_dot, weights, feature_names, input_names, run, units, meanings, time_name)
        problem = problem_of(X, told, description, self.name)
        if allow:
            problem = runs.with_blocks(problem, _blocks_in(allow))
        knobs = self.settings or Settings()
        if self.max_iterations is not None:
            knobs = replace(knobs, iterations=self.max_iterations)
        self._store = _opened(self.database)
        begun = runs.start(self._store, problem, knobs, self.random_state, self.agents, self.name, self.models)
        self.run_ = runs.load(self._store, begun)
        return self.auto() if steps is None else self.step(steps)

    @classmethod
    def open(cls, run: str, database: Place = True) -> "DoLQ":
        """Return a stored run as a model to read and to go on with; raise StoreError when there is none of this id."""
        store = _opened(database)
        found = runs.load(store, run)
        state = found.state
        model = cls(
            state.agents,
            random_state=state.seed,
            settings=state.settings,
            models=state.models,
            database=database,
            name=found.name,
        )
        model._store, model.run_ = store, found
        return model

    def auto(self, iterations: int | None = None) -> Self:
        """Go on until there is a reason to stop, or so many iterations are done."""
        seconds, on_phase = self.max_seconds, self._say_phase if self.verbose > 1 else None
        with clock.limited(seconds):
            runs.auto(self._store, self.begun.id, iterations, self._after, on_phase=on_phase, max_seconds=seconds)
        self.run_ = runs.load(self._store, self.begun.id)
        if seconds is not None and isinstance(self.run_.entries[-1], Pause):
            warnings.warn(self.run_.state.paused, stacklevel=2)
        return self

    def _after(self, run: runs.Run) -> bool:
        """Tell of an iteration; return whether the callback wants no more."""
        self.run_ = run
        if self.verbose:
            both = zip(self.equations(), self.status.values(), strict=True)
            laws = "; ".join(f"{line} ({status})" for line, status in both)
            sys.stdout.write(f"Iteration {run.state.iteration}: {laws}\n")
        return bool(self.callback(self)) if self.callback is not None else False

    def _say_phase(self, phase: str, done: int, of: int) -> None:
        sys.stdout.write(f"  {phase}" + (f" {done} of {of}" if of > 1 else "") + "\n")

    def step(self, iterations: int = 1) -> Self:
        """Do one iteration, or several, whether or not there is a reason to stop."""
        for _ in range(iterations):
            self.run_ = runs.step_once(self._store, self.begun.id)
        return self

    @property
    def begun(self) -> runs.Run:
        """The run; raises NotFittedError before there is one."""
        if not hasattr(self, "run_"):
            raise not_fitted()
        return self.run_

    # --- the law ---------------------------------------------------------------------------------------

    def equations(self, precision: int = 4) -> list[str]:
        """Return one line for each state, numbers rounded to so many digits."""
        return summary.equations(self.begun, precision)

    @property
    def coefficients(self) -> pd.DataFrame:
        """The terms of the best equations with coefficients and standard errors."""
        return showing.coefficients(self.begun)

    @property
    def terms(self) -> pd.DataFrame:
        """The terms of the law, those of `coefficients`, with both grades, what was decided and why."""
        return showing.terms(self.begun)

    @property
    def tried(self) -> pd.DataFrame:
        """The same of the terms that the last iteration tried and that are not in the law."""
        return showing.terms(self.begun, in_law=False)

    @property
    def bans(self) -> pd.DataFrame:
        """What may not be proposed, by whom and why."""
        return showing.bans(self.begun)

    @property
    def status(self) -> dict[str, str]:
        """For each state "settled", "provisional", or "none" where nothing is worth claiming."""
        return {panel.name: panel.status for panel in panels(self.begun)}

    @property
    def reasons(self) -> dict[str, str]:
        """For each state why its status is what it is, as a sentence."""
        return {panel.name: panel.status_reason for panel in panels(self.begun)}

    def result(self) -> dict[str, Any]:
        """Return the result document, `dolq-result/1`."""
        return summary.result(self.begun)

    def export(self, target: str) -> bytes:
        """Return the run in another form, such as "python", "latex", "sbml", "notebook", "report" or "bundle"."""
        return files.export(self.begun, target).content

    # --- its predictions -------------------------------------------------------------------------------

    def predict(self, X: Any, u: Any = None, t: Any = None) -> Any:
        """Return dx/dt at the points X (n, d), or a list of them for a list; NaN where the law is not defined.

        u: (n, inputs) where the law has inputs. t: (n,) where time stands in a term. A data frame may hold all of
        them.
        """
        run = self._claimed("predict")
        if not is_several(X):
            return self._rates(run, X, u, t)
        none = [None] * len(X)
        parts = zip(X, none if u is None else u, none if t is None else t, strict=True)
        return [self._rates(run, *part) for part in parts]

    def _rates(self, run: runs.Run, X: Any, u: Any, t: Any) -> Floats:
        dataset = run.state.problem.dataset
        points = X
        if is_frame(X):
            u = _of_frame(X, [one.name for one in dataset.inputs]) if u is None and dataset.inputs else u
            t = X[dataset.time.name] if t is None and dataset.time.name in X.columns else t
            points = _of_frame(X, [one.name for one in dataset.states])
        (x,) = as_runs(np.asarray(points, dtype=np.float64), [np.shape(points)], "X")
        if x.shape[1] != (d := len(dataset.states)):
            way_out = f"Give one for each state. Reshape your data: a row of {d} numbers is one point."
            reason = f"X has {x.shape[1]} features, but {type(self).__name__} is expecting {d} features as input"
            raise InputError("X", reason, way_out)
        times = np.full(len(x), np.nan) if t is None else np.asarray(t, dtype=np.float64)
        return rates_at(run, x, times, _inputs(dataset, u, len(x)))

    def simulate(
        self, x0: npt.ArrayLike, t: npt.ArrayLike, u: npt.ArrayLike | Inputs | None = None, *, method: str = ""
    ) -> Floats:
        """Return the states (n, d) from x0 (d,) at t[0] through the times t (n,); NaN from where it cannot go on.

        x0: or several starts (k, d), for which (k, n, d) is returned.
        u: (n, inputs) at these times, between them as in the data: straight lines, or held; or a function of the time.
        method: LSODA, and Radau where that gives up; or one of SciPy's `solve_ivp` alone, such as "Radau" or "DOP853".
        A warning says where and why a path ends early.
        """
        run = self._claimed("simulate")
        start, times = (np.atleast_1d(np.asarray(one, dtype=np.float64)) for one in (x0, t))
        dataset = run.state.problem.dataset
        if start.ndim > 2 or start.shape[-1] != len(dataset.states):
            raise DataError("x0", f"its shape is {start.shape}", f"Give one number for each of {len(dataset.states)}.")
        if method not in ("", *METHODS):
            raise ParameterError(f"method={method!r}", "there is no such solver", f"Use one of {', '.join(METHODS)}.")
        if times.ndim != 1 or len(times) < 2 or not np.all(np.diff(times) > 0.0):
            raise DataError("t", "its times do not increase", "Give two times at least, each later than the last.")
        driven = u if callable(u) else _inputs(dataset, u, len(times))
        paths = [path_from(run, one, times, driven, method) for one in np.atleast_2d(start)]
        for failure in dict.fromkeys(path.failure for path in paths if path.failure):
            warnings.warn(failure, stacklevel=2)
        return np.array([path.x for path in paths]) if start.ndim == 2 else paths[0].x

    def score(self, X: Any, t: Any = None, **said: Any) -> float:
        """Return R squared of the simulated trajectories on data of the same columns, the mean over the states.

        1 is a perfect law, 0 no better than the mean of each state. The law is simulated through each run, without
        fitting a coefficient: a good derivative alone proves little. On clean, dense data it starts at the first
        sample; on others at the start that explains the run best. -inf where a simulation fails. `said` as for `fit`.
        """
        run = self._claimed("score")
        return 1.0 - float(np.mean(score_on(run, like(run.state.problem.dataset, X, t, said)).nmse))

    def _claimed(self, what: str) -> runs.Run:
        """Return the run, with a warning where nothing is claimed of a state: the best structure stands in."""
        nothing = [f"{name} ({self.reasons[name]})" for name, status in self.status.items() if status == "none"]
        if nothing:
            words = f"No law is claimed for {', '.join(nothing)} What {what} uses there is the best structure so far."
            warnings.warn(words, stacklevel=3)
        return self.begun

    # --- conventions -----------------------------------------------------------------------------------

    @property
    def feature_names_in_(self) -> npt.NDArray[np.object_]:
        """The names of the states."""
        return np.array([one.name for one in self.begun.state.problem.dataset.states], dtype=object)

    @property
    def n_features_in_(self) -> int:
        """How many states there are."""
        return len(self.begun.state.problem.dataset.states)

    @property
    def n_iter_(self) -> int:
        """How many iterations were done."""
        return self.begun.state.iteration

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the open store: a copy begins a log of its own, or opens the same database."""
        return {name: value for name, value in self.__dict__.items() if name != "_store"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "run_" in state:
            self._store = _opened(self.database)
            if self.database in (None, False):
                own = runs.store_log(self._store, self.run_.entries, self.run_.name)
                self.run_ = runs.load(self._store, own)

    def _repr_html_(self) -> str | None:
        return showing.as_html(self.run_) if hasattr(self, "run_") else None

    def _repr_latex_(self) -> str | None:
        found = copies(self.run_).latex if hasattr(self, "run_") else ""
        return f"$${found}$$" if found else None


def _of_frame(frame: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return the columns of a data frame; raise InputError for one that it does not have."""
    for name in names:
        if name not in frame.columns:
            there = ", ".join(map(repr, frame.columns))
            raise InputError(
                f"Column {name!r}", "there is no such column", f"The law needs it; the columns are {there}."
            )
    return frame[list(names)]


def _blocks_in(allow: str | Path) -> str:
    """Return TOML as it is given, or that of a file; raise ParameterError where there is none."""
    if isinstance(allow, str) and ("=" in allow or "\n" in allow):
        return allow
    if not Path(allow).is_file():
        way_out = "Give the rules themselves, such as degree = 2, or the path of a file of them."
        raise ParameterError(f"allow={str(allow)!r}", "there is no such file", way_out)
    return Path(allow).read_text("utf-8")


def _opened(database: Place) -> Store:
    if database is None or database is False:
        return runs.memory_store()
    return runs.open_store(None if database is True else Path(database))


def _inputs(dataset: Dataset, u: Any, rows: int) -> Floats:
    """Return the inputs (n, u) of a prediction; raise DataError where the law's columns are not given."""
    if not dataset.inputs:
        return np.empty((rows, 0))
    if u is None:
        names = ", ".join(one.name for one in dataset.inputs)
        raise DataError("u", f"the data have inputs ({names})", "Give their values, one row for each sample.")
    (found,) = as_runs(np.asarray(u, dtype=np.float64), [(rows, len(dataset.inputs))], "u")
    if found.shape[1] != len(dataset.inputs):
        raise DataError("u", f"{found.shape[1]} columns for {len(dataset.inputs)} inputs", "Give one for each.")
    return found
