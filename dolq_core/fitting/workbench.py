"""One data set, prepared for fitting: columns of terms, coefficients, evidence, simulations."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.extensions import extension
from dolq_core.fitting.all_rows import kept, on_all_rows
from dolq_core.fitting.bands import band
from dolq_core.fitting.coefficients import Fitter, bare_terms, with_numbers, with_systematic_errors
from dolq_core.fitting.columns import Columns
from dolq_core.fitting.evidence import Question, support
from dolq_core.fitting.held_out import HeldOut, prepared, split
from dolq_core.fitting.hidden import turning_run
from dolq_core.fitting.likelihood import Judged, Likelihood, System, likelihoods_of, system_of
from dolq_core.fitting.output_error import further_run_target, output_error_target
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.ranking import choose, shortest
from dolq_core.fitting.reasons import failed, loose, too_many, why_not
from dolq_core.fitting.score import description_length
from dolq_core.fitting.single_equation import SingleEquationShooting
from dolq_core.fitting.stepped import coarse_words, jump_words
from dolq_core.fitting.trajectories import COMPARED, Simulation, Trajectories
from dolq_core.fitting.weighing import counted, given_states, relative_weights
from dolq_core.numerics.given import is_followed
from dolq_core.numerics.least_squares import jackknife_t, left_out, zeroed
from dolq_core.numerics.rounding import known_ratio
from dolq_core.numerics.target import Target
from dolq_core.numerics.weighing import weighed
from dolq_core.records import Dataset, EquationFit, FittedTerm, Optimizer, TargetInfo, TargetKind, TrajectoryScore
from dolq_core.terms import Names, Skeleton, compile_columns

Inner: TypeAlias = tuple[float, ...]
"""Inner parameters of one term."""

__all__ = ["Simulation", "Workbench", "names_of"]

TOLD = 3.0
"""Coefficient over its jackknife error from which a term is significant."""
DRIFT = 3.0
"""Growth of the residual that a fit on trajectories may cost: true coefficients stay within it, absurd ones do not."""
AT_NOISE = 1.5
"""Misfit over noise up to which a simulation explains whole runs."""
CLOSE = 10.0
"""Nats within which the whole system decides between structures that were compared on their own trajectories."""
MOST_TIMES = 1e6
"""Ratio of errors that stands for every larger one, and for a simulation that fails."""
TRAJECTORY = "trajectory"
ALL_ROWS = "all rows"
"""What the strategy of a fit says that has seen the held-out part as well."""


def names_of(dataset: Dataset) -> Names:
    """Return the names of states and inputs, as `dolq_core.terms` reads and writes them."""
    variables = (*dataset.states, *dataset.inputs)
    return Names(tuple(v.name for v in variables), tuple(v.symbol for v in variables), dataset.time.name)


@dataclass(frozen=True, slots=True)
class Near:
    """A system as it follows whole runs.

    Attributes:
        system: its terms; runs: times (n,) and simulation (n, d) of each run.
        above_rest, whiteness: per equation, see `Likelihood`.
    """

    system: System
    runs: list[tuple[Floats, Floats]]
    above_rest: tuple[float, ...]
    whiteness: tuple[float, ...]


class Workbench:
    """A pure function of (data set, kind of target), with caches; and what one iteration compares (`likelihoods`).

    Attributes:
        names: own names and symbols; symbols: states, then inputs.
        d: number of states; n: number of samples in all runs.
        info: what the fits aim at, for the record.
        x, t, dx: (d, N), (N,), (d, N) states at which terms are evaluated, their times, estimated derivatives.
        values: (d + inputs, N) what the symbols stand for, in their order.
        columns: values of terms as rows of the target.
        target: left-hand sides b (d, M) with error floor, blocks and number of independent rows.
        held: the end of each run, and the runs, that no fit above sees; None when nothing is held out.
        whole: the same data with the ends of the runs; itself when none is held out.
    """

    def __init__(
        self,
        dataset: Dataset,
        target: Target,
        held: HeldOut | None = None,
        kind: TargetKind = "auto",
        held_words: str = "",
        trajectories: Trajectories | None = None,
    ) -> None:
        self._dataset = dataset
        self.names = names_of(dataset)
        self.symbols: tuple[str, ...] = self.names.symbols
        self.d = len(dataset.states)
        self.n = sum(len(run.t) for run in dataset.trajectories)
        self.target = target
        self.x, self.t, self.dx = frozen(target.x), frozen(target.t), frozen(target.dx)
        self.values = frozen(np.vstack((target.x, target.inputs)))
        self.columns = Columns(target, self.values, self.symbols)
        self._fits: dict[tuple[int, tuple[Skeleton, ...]], EquationFit] = {}
        self._on_target: dict[tuple[int, tuple[Skeleton, ...]], EquationFit] = {}
        self._rough: dict[tuple[int, tuple[Skeleton, ...], tuple[Inner, ...]], EquationFit] = {}
        self._again: dict[tuple[int, tuple[Skeleton, ...], tuple[Inner, ...]], EquationFit] = {}
        self._lengths: dict[tuple[int | tuple[int, tuple[Skeleton, ...]], ...], tuple[float, float]] = {}
        self._fitter = Fitter(self.columns)
        driving = () if held is None else held.fitted_runs
        self._trajectories = trajectories or Trajectories(dataset, target.noise, self.symbols, driving)
        self._single_equation = _single_equation_shooting(dataset, target, self.symbols)
        self._given = given_states(dataset)
        self._views: dict[int, Workbench] = {}
        self._is_followed = target.kind != "given" or is_followed(
            self._trajectories.runs, [run.derivatives for run in dataset.trajectories if run.derivatives is not None]
        )
        self._output_error: dict[tuple[tuple[EquationFit, ...], int, bool], Workbench | None] = {}
        self._likelihoods: tuple[Likelihood, ...] | None = None
        self.held = held
        self._kind: TargetKind = kind
        self._whole: Workbench | None = None
        seen = ([dataset] * self.d, range(self.d))
        self.info = TargetInfo(
            kind=target.kind,
            reason=target.reason + held_words,
            floor=tuple(float(self.for_equation(j).target.floor[j]) for j in range(self.d)),
            noise=tuple(target.noise.tolist()),
            null_score=tuple(self.null(j).score for j in range(self.d)),
            hidden=_hidden(dataset, target),
            coarse=tuple(map(coarse_words, *seen)),
            jumps=tuple(map(jump_words, *seen)),
            walk_score=self._walk_scores(),
        )

    @property
    def dataset(self) -> Dataset:
        """The part of the data that is fitted."""
        return self._dataset

    @property
    def refines(self) -> bool:
        """Whether coefficients are fitted again on trajectories: the samples are noisy or few (`refine`)."""
        return not self._trajectories.precise and self._is_followed

    @property
    def likelihoods(self) -> tuple[Likelihood, ...]:
        """The yardstick where noise is the limit, on whole runs and on shorter stretches; none elsewhere.

        Structures are compared on all samples, the ends of the runs too; only runs that are held out whole are not
        in it. Coefficients that forecast the ends have not seen them (`held`).
        They remember what was compared since `compare_from`.
        """
        if self._likelihoods is None:
            self._likelihoods = self.new_likelihoods()
        return self._likelihoods

    def new_likelihoods(self) -> tuple[Likelihood, ...]:
        """Return the same with nothing compared yet."""
        noisy = not (self._is_exact or self.is_sparse or self._given)
        return likelihoods_of(self.whole.target, self.symbols) if noisy and self._is_followed else ()

    def compare_from(self, known: Sequence[Likelihood] = ()) -> None:
        """Begin to compare with what `known` have fitted: nothing may hang on what this process did before."""
        self._likelihoods = tuple(like.copy() for like in known) or None

    def judged(self, system: Sequence[EquationFit]) -> tuple[Likelihood, Judged] | None:
        """Return a system fitted to the longest stretches that it follows, and their likelihood; None elsewhere."""
        for like in self.likelihoods:
            found = like.judged(system_of(system))
            if like.is_whole(found):
                return like, found
        return None

    def lengths(
        self, systems: Sequence[Sequence[EquationFit]], prior: Prior
    ) -> tuple[Callable[[Sequence[EquationFit]], float], list[float]] | None:
        """Return what measures the description of a system, and that of each one; inf for one that does not follow.

        On the longest stretches that one of them follows; None where none does, or whole systems are not compared.
        """
        for like in self.likelihoods:

            def length(fits: Sequence[EquationFit], like: Likelihood = like) -> float:
                found = like.judged(system_of(fits))
                return like.length(found, prior) if like.is_whole(found) else inf

            found = [length(system) for system in systems]
            if min(found, default=inf) < inf:
                return length, found
        return None

    @property
    def is_sparse(self) -> bool:
        """Whether runs have so few samples (under 50) that the error floor is known only to a factor of about two."""
        return self._trajectories.sparse and self.target.kind != "given"

    @property
    def _is_exact(self) -> bool:
        """Whether the target chooses structures better than trajectories: clean and dense samples, or given slopes."""
        return self._trajectories.precise or self.target.kind == "given"

    def for_equation(self, equation: int) -> "Workbench":
        """Return the same data with rows that count as the samples of one state do; itself where all count alike."""
        if self.target.scales is None:
            return self
        if equation not in self._views:
            target = weighed(self.target, equation)
            self._views[equation] = Workbench(
                self._dataset, target, self.held, self._kind, trajectories=self._trajectories
            )
        return self._views[equation]

    @classmethod
    def of(
        cls, dataset: Dataset, kind: TargetKind = "auto", held_out: float = 0.0, held_out_runs: Sequence[str] = ()
    ) -> "Workbench":
        """Prepare the data; raise FitError when no run has enough samples, DataError when a run cannot be held out.

        held_out: share of each run of at least 50 samples, at its end, that no fit sees (`likelihoods` compare on it).
        held_out_runs: runs that no fit sees at all, by label or number; not the last one on all rows either.
        """
        dataset = counted(dataset)
        parts = split(dataset, held_out, held_out_runs)
        target = prepared(parts.fit, kind)
        held = HeldOut(dataset, parts, target, names_of(dataset).symbols) if parts.held is not None else None
        return cls(parts.fit, target, held, kind, parts.reason)

    @property
    def whole(self) -> "Workbench":
        """The same data with the ends of the runs, for the coefficients of a structure that is already chosen.

        A run that is held out whole is not in it.
        """
        if self.held is None or not self.held.cut:
            return self
        if self._whole is None:
            self._whole = Workbench.of(self.held.rest, self._kind)
        return self._whole

    def output_error(
        self, fits: Sequence[EquationFit], equation: int, *, decoupled: bool = False
    ) -> "Workbench | None":
        """Return the same data prepared for one equation with the samples themselves as its left-hand side.

        To first order around `fits`, which must explain the data roughly (`fitting.output_error`). None where the
        derivative is not the weak point (clean or sparse data, a given derivative).
        """
        key = (tuple(fits), equation, decoupled)
        if key not in self._output_error:
            precise = self._is_exact or self._trajectories.sparse or equation in self._given
            target = (
                None if precise else output_error_target(self.target, self.symbols, fits, equation, decoupled=decoupled)
            )
            made = None if target is None else Workbench(self._dataset, target, trajectories=self._trajectories)
            self._output_error[key] = made
        return self._output_error[key]

    def ahead(self, fits: Sequence[EquationFit], equation: int, path: Simulation, samples: int) -> "Workbench | None":
        """Return, as `along` does, what a run of `samples` samples that follows `path` would add; None with inputs."""
        if self._is_unlike(equation):
            return None
        target = further_run_target(self.target, self.symbols, fits, equation, (path.t, path.x), samples)
        return None if target is None else Workbench(self._dataset, target, trajectories=self._trajectories)

    def _is_unlike(self, equation: int) -> bool:
        """Whether the samples alone do not say what a row is worth: they have weights, or a derivative is given."""
        return self.target.scales is not None or self.target.scale is not None or equation in self._given

    # --- columns ------------------------------------------------------------------------------------

    def column(self, skeleton: Skeleton, inner: Sequence[float] = ()) -> Floats | None:
        """Return the regression column (M,) of a term, or None where it is not finite on the data."""
        return self.columns.one(skeleton, inner)

    def trial_columns(self, skeleton: Skeleton) -> list[tuple[Inner, Floats]]:
        """Return (inner parameters, column (M,)) to search with: one, or one per start of the inner parameters."""
        found = self._fitter.starts_of(skeleton)
        if not found[0].size:
            column = self.column(skeleton)
            return [] if column is None else [((), column)]
        rows = self.columns.stack(skeleton, np.array(found))
        return [(tuple(inner.tolist()), row) for inner, row in zip(found, rows, strict=True) if np.isfinite(row[0])]

    def why_not(self, skeleton: Skeleton, inner: Sequence[float] = ()) -> str:
        """Return why a term gives no usable column on these data; empty when it does."""
        typical = inner or self._fitter.typical(skeleton)
        why = why_not(skeleton, typical, self.values, self.t, self.symbols)
        return why or ("" if self.column(skeleton, typical) is not None else "it varies faster than the samples follow")

    # --- fits ---------------------------------------------------------------------------------------

    def fit(self, equation: int, skeletons: Sequence[Skeleton], optimizer: Optimizer = "linear") -> EquationFit:
        """Fit the coefficients of one structure; never raises: a failure is a text and mse inf.

        optimizer: "linear" is least squares with variable projection, the others are the paper's searches.
        """
        own = self.for_equation(equation)
        if own is not self:
            return own.fit(equation, skeletons, optimizer)
        if optimizer != "linear":
            return extension("optimizers")(self, equation, skeletons, optimizer)
        key = (equation, tuple(skeletons))
        if key not in self._fits:
            found = self.on_target(equation, skeletons)
            shooting = self._single_equation_of(equation) if found.terms and not found.failure else None
            self._fits[key] = found if shooting is None else self._on_own_trajectory(shooting, found)
        return self._fits[key]

    def on_target(self, equation: int, skeletons: Sequence[Skeleton]) -> EquationFit:
        """Fit on the target alone; `fit` goes on from there where samples are few."""
        own = self.for_equation(equation)
        if own is not self:
            return own.on_target(equation, skeletons)
        key = (equation, tuple(skeletons))
        if key not in self._on_target:
            self._on_target[key] = self._fit(equation, tuple(skeletons))
        return self._on_target[key]

    def rough(self, equation: int, skeletons: Sequence[Skeleton], near: Sequence[Inner] = ()) -> EquationFit:
        """Fit as `fit` does, but with few evaluations for inner parameters: to rank structures in a search.

        near: inner parameters of each term to start from, instead of the best of their starts.
        """
        own = self.for_equation(equation)
        if own is not self:
            return own.rough(equation, skeletons, near)
        key = (equation, tuple(skeletons), tuple(near))
        if key not in self._rough:
            self._rough[key] = self._fit(equation, tuple(skeletons), thorough=False, near=tuple(near))
        return self._rough[key]

    def again(self, equation: int, skeletons: Sequence[Skeleton], near: Sequence[Inner]) -> EquationFit:
        """Fit as `fit` does, from known inner parameters of some terms: those of the others, (), have their starts."""
        own = self.for_equation(equation)
        if own is not self:
            return own.again(equation, skeletons, near)
        key = (equation, tuple(skeletons), tuple(near))
        if key not in self._again:
            self._again[key] = self._fit(equation, tuple(skeletons), near=tuple(near))
        return self._again[key]

    def null(self, equation: int) -> EquationFit:
        """Return the structure without any term: the state stands still."""
        own = self.for_equation(equation)
        if own is not self:
            return own.null(equation)
        power = self.power(equation)
        fit = self.scored(equation, (), power, power, "no term")
        shooting = self._single_equation_of(equation)
        return fit if shooting is None else shooting.still(fit)

    def _single_equation_of(self, equation: int) -> SingleEquationShooting | None:
        """What fits one equation on its own trajectories where samples are few; None where its derivative is given."""
        return None if equation in self._given else self._single_equation

    def _walk_scores(self) -> tuple[float, ...]:
        """Scores of a walk, where samples are few; inf where a derivative is given: no walk explains that."""
        if self._single_equation is None:
            return ()
        alone = [self.for_equation(j)._single_equation_of(j) for j in range(self.d)]
        return tuple(inf if own is None else own.random_walk_score(j) for j, own in enumerate(alone))

    def _fit(
        self,
        equation: int,
        skeletons: tuple[Skeleton, ...],
        *,
        thorough: bool = True,
        near: tuple[Inner, ...] = (),
    ) -> EquationFit:
        if not skeletons:
            return self.null(equation)
        b = self.target.b[equation]
        found = self._fitter.fit(b, skeletons, self.target.effective, thorough=thorough, near=near)
        if isinstance(found, str):
            why = found or next((f"{s}: {w}" for s in skeletons if (w := self.why_not(s))), "not finite on the data")
            return failed(equation, skeletons, why)
        numbers = len(skeletons) + sum(map(len, found.inner))
        if why := too_many(numbers, len(b), self.target.effective):
            return failed(equation, skeletons, why)
        if thorough and any(found.inner):
            found = self._fitter.with_joint_errors(b, skeletons, found, self.target.effective)
        mse = found.linear.mse
        bare = bare_terms(skeletons, found)
        terms, correlation = with_numbers(bare, found.linear)
        if thorough and self._trajectories.precise and mse <= (AT_NOISE * float(self.target.floor[equation])) ** 2:
            terms = with_systematic_errors(terms, jackknife_t(found.columns, b, self.target.blocks))
        out = left_out(found.columns, b, self.target.blocks) if thorough else mse
        strategy = "variable projection" if any(found.inner) else "least squares"
        fit = self.scored(equation, terms, mse, out, strategy, ahead=thorough)
        return replace(fit, note=loose(skeletons, found.linear), correlation=correlation)

    def scored(
        self,
        equation: int,
        terms: tuple[FittedTerm, ...],
        mse: float,
        out: float,
        strategy: str,
        *,
        ahead: bool = True,
    ) -> EquationFit:
        """Return the record of a fit: `mse` on its rows, `out` on left-out blocks; ahead: measure it held out too."""
        floor, power = float(self.target.floor[equation]), self.power(equation)
        spread = float(np.var(self.target.b[equation]))
        scale = spread if spread > 1e-24 * power else power or 1.0
        sizes = [(term.skeleton, len(term.inner)) for term in terms]
        fit = EquationFit(
            equation=equation,
            terms=terms,
            mse=mse,
            nmse=mse / scale,
            cv_nmse=out / scale,
            floor_ratio=known_ratio(float(np.sqrt(mse)) / floor) if floor > 0.0 else (inf if mse > 0.0 else 0.0),
            score=description_length(mse, floor, power, self.target.effective, sizes),
            strategy=strategy,
        )
        return replace(fit, held_out=self.held.nmse(fit)) if ahead and self.held is not None else fit

    def power(self, equation: int) -> float:
        """Return the mean square of the left-hand side."""
        squares: Floats = self.target.b[equation] ** 2
        return float(np.mean(squares))

    def _on_own_trajectory(self, shooting: SingleEquationShooting, fit: EquationFit) -> EquationFit:
        """Fit again with the other states as measured, and score it there (`fitting.single_equation`)."""
        found = shooting.fitted(fit)
        measured = self._measured(found, TRAJECTORY)
        return replace(measured, floor_ratio=found.floor_ratio)

    # --- evidence -----------------------------------------------------------------------------------

    def ablate(self, fit: EquationFit) -> tuple[tuple[Skeleton, float, float], ...]:
        """Return (skeleton, zeroed, refitted) per term.

        zeroed: relative change of the MSE with the coefficient set to zero, the rest as it is (Algorithm 1).
        refitted: error on left-out blocks without the term over that with it, each of the best subset of the other
        terms, fitted again (`evidence.support`). At most 1 where the score does not lose by it, or the coefficient
        is not TOLD times its block-jackknife error: with few samples chance alone makes 1.2. Where samples are few:
        squared error of the equation's own simulation without the term over that with it, both fitted again.
        """
        own = self.for_equation(fit.equation)
        if own is not self:
            return own.ablate(fit)
        a = self._matrix(fit)
        if fit.failure or a is None or not fit.terms:
            return ()
        if self._single_equation_of(fit.equation) is not None:
            return self._ablated_single_equation(fit, a)
        b, blocks = self.target.b[fit.equation], self.target.blocks
        changes = zeroed(a, b, np.array([term.coefficient for term in fit.terms]))
        sizes = [(term.skeleton, len(term.inner)) for term in fit.terms]
        floor = float(self.target.floor[fit.equation])
        found = support(Question(a, b, sizes, floor, self.target.effective, blocks))
        needed = (found.lost > 0.0) & (found.told >= TOLD)
        ratios = np.where(needed, found.ratio, np.minimum(found.ratio, 1.0))
        return tuple(
            (term.skeleton, known_ratio(float(change)), known_ratio(float(ratio)))
            for term, change, ratio in zip(fit.terms, changes, ratios, strict=True)
        )

    def _ablated_single_equation(self, fit: EquationFit, a: Floats) -> tuple[tuple[Skeleton, float, float], ...]:
        skeletons = [term.skeleton for term in fit.terms]
        whole = self.fit(fit.equation, skeletons)
        changes = zeroed(a, self.target.b[fit.equation], np.array([term.coefficient for term in fit.terms]))
        found: list[tuple[Skeleton, float, float]] = []
        for skeleton, change in zip(skeletons, changes, strict=True):
            less = self.fit(fit.equation, [s for s in skeletons if s != skeleton])
            ratio = known_ratio((less.floor_ratio / max(whole.floor_ratio, 1e-12)) ** 2)
            needed = less.score > whole.score
            found.append((skeleton, known_ratio(float(change)), min(ratio, MOST_TIMES) if needed else min(ratio, 1.0)))
        return tuple(found)

    def certainty(self, fit: EquationFit) -> tuple[float, ...]:
        """Return per term the size of its coefficient over its block-jackknife standard error."""
        own = self.for_equation(fit.equation)
        if own is not self:
            return own.certainty(fit)
        a = self._matrix(fit)
        if fit.failure or a is None:
            return tuple(0.0 for _ in fit.terms)
        return tuple(map(known_ratio, jackknife_t(a, self.target.b[fit.equation], self.target.blocks).tolist()))

    def _matrix(self, fit: EquationFit) -> Floats | None:
        columns = [self.column(term.skeleton, term.inner) for term in fit.terms]
        whole = [c for c in columns if c is not None]
        return np.array(whole) if len(whole) == len(columns) and whole else None

    def residual(self, fit: EquationFit) -> Floats:
        """Return dx minus the model (N,) at the samples, for hints; zeros where the model is not finite."""
        model = np.zeros(len(self.t))
        for term in fit.terms:
            model += term.coefficient * compile_columns(term.skeleton, self.symbols)(self.values, self.t, term.inner)
        left = self.dx[fit.equation] - model
        return np.where(np.isfinite(left), left, 0.0)

    # --- trajectories -------------------------------------------------------------------------------

    def times(self, run: int) -> Floats:
        """Return the times (n,) of a whole run, its held-out part too."""
        return self._trajectories.runs[run][0] if self.held is None else self.held.dataset.trajectories[run].t

    def simulate(
        self, fits: Sequence[EquationFit], run: int, t: Floats | None = None, start: Floats | None = None
    ) -> Simulation:
        """Simulate the system from the run's start (or from `start` at t[0]) at the run's times (or at t).

        On noisy data the start is the one that explains the run best under these equations: the first sample
        alone would carry its noise through the whole curve.
        """
        if self.held is None:
            return self._trajectories.simulate(fits, run, t, start)
        own_t = self.times(run)
        if start is not None:
            return self.held.simulate(fits, run, t, start, float((own_t if t is None else t)[0]))
        place = self.held.place[run]
        if place is None:
            return self.held.alone(fits, run, t)
        begin = self._trajectories.simulate(fits, place, own_t[:2], None)
        if begin.failure:
            times = own_t if t is None else t
            return Simulation(times, np.full((len(times), self.d), np.nan), begin.failure)
        return self.held.simulate(fits, run, t, begin.x[0], float(own_t[0]))

    def band(self, fits: Sequence[EquationFit], run: int, t: Floats | None = None) -> tuple[Floats, Floats] | None:
        """Return (low, high), each (n, d): what the uncertainty of coefficients and start does to a simulation.

        None where that is not known. A run that is held out whole has a start of its own, and the coefficients of the
        others.
        """
        place, times = (run if self.held is None else self.held.place[run]), self.times(run) if t is None else t
        if self.held is not None and place is None:
            return self.held.band(self._trajectories, fits, run, times)
        return None if place is None else band(self._trajectories, fits, place, times)

    def trajectory_score(self, fits: Sequence[EquationFit]) -> TrajectoryScore:
        """Simulate every run and compare with the data: NMSE per state where it was fitted, and on what is held out."""
        seen = self._trajectories.score(fits)
        if self.held is None:
            return seen
        return self.held.score(seen, [self.simulate(fits, run) for run in range(len(self.held.since))])

    def refine(self, fits: Sequence[EquationFit], near: "Near | None" = None) -> tuple[EquationFit, ...]:
        """Fit all coefficients of the system again on the trajectories; empty when that is not better.

        Only where the derivative is the weak point: noisy or sparse data. Clean dense data keep the weak form. With
        many samples `floor_ratio` is then the misfit of the simulation over the noise, the sharper of the two.
        near: the system as it follows whole runs, to start from; by default as `judged` has it.
        """
        if not self.refines or any(fit.failure for fit in fits):
            return ()
        near = near or self.near(fits)
        begin = fits if near is None else [replace(f, terms=own) for f, own in zip(fits, near.system, strict=True)]
        found, ratios = self._trajectories.refine(begin, self._agrees_with(fits), near.runs if near else ())
        if not found:
            return ()
        measured = tuple(self._measured(fit, TRAJECTORY) for fit in found)
        if self._single_equation is not None:
            return tuple(replace(new, floor_ratio=old.floor_ratio) for new, old in zip(measured, fits, strict=True))
        if self._trajectories.sparse or not np.all(self._trajectories.least > 0.0):
            return measured
        ratios = ratios or self._trajectories.beyond_noise(found)
        known = [replace(fit, floor_ratio=known_ratio(r)) for fit, r in zip(measured, ratios, strict=True)]
        if near is None:
            return tuple(known)
        told = zip(known, near.above_rest, near.whiteness, strict=True)
        return tuple(replace(fit, above_rest=above, whiteness=white) for fit, above, white in told)

    def near(self, fits: Sequence[EquationFit]) -> "Near | None":
        """Return how a system follows whole runs; None where it does not, or noise is not the limit."""
        found = self.judged(fits)
        if found is None or found[0] is not self.likelihoods[0]:
            return None
        like, judged = found
        order = [{term.skeleton: term for term in terms} for terms in judged.system]
        system = tuple(tuple(own[t.skeleton] for t in fit.terms) for fit, own in zip(fits, order, strict=True))
        return Near(system, like.runs(judged), like.above_rest(judged), like.whiteness(judged))

    def settle(
        self,
        leaders: Sequence[Sequence[EquationFit]],
        systems: Sequence[Sequence[EquationFit]] = (),
        prior: Prior | None = None,
    ) -> tuple[EquationFit, ...]:
        """Return one structure per equation out of its leaders (the best score first) by how the system simulates.

        systems: whole systems to begin with besides that of the first leaders.
        prior: what structures cost, where whole systems are compared by the length of their description.

        Only where the derivative is the weak point, as in `refine`. Without a prior a structure that is preferred to
        the first one of its equation has a better score than that from now on (see `choose`), on whole runs, and on
        stretches of them where the best system does not explain whole runs: a law that is wrong, or chaos.
        """
        if self._is_exact or any(fit.failure for fits in leaders for fit in fits):
            return tuple(fits[0] for fits in leaders)
        sound = [system for system in systems if not any(fit.failure for fit in system)]
        systems = [[fits[0] for fits in leaders], *sound]
        compared = None if prior is None else self.lengths(systems, prior)
        if compared is not None:
            length, found = compared
            return shortest(leaders, systems[found.index(min(found))], length)
        if self._single_equation is not None:
            leaders = [[fit for fit in fits if fit.score <= fits[0].score + CLOSE] for fits in leaders]
            sound = []
        best = choose(leaders, lambda fits: self._length(fits, 1)[0], sound)
        if self._trajectories.sparse or self._length(best, 1)[1] <= AT_NOISE:
            return best
        return choose(leaders, lambda fits: self._length(fits, COMPARED)[0], sound)

    def _length(self, fits: Sequence[EquationFit], parts: int) -> tuple[float, float]:
        key = (parts, *((fit.equation, tuple(sorted(term.skeleton for term in fit.terms))) for fit in fits))
        if key not in self._lengths:
            self._lengths[key] = self._trajectories.length(fits, self._agrees_with(fits), parts)
        return self._lengths[key]

    def _agrees_with(self, fits: Sequence[EquationFit]) -> Callable[[Sequence[EquationFit]], bool]:
        """Whether other coefficients still explain the target: the residual at most DRIFT times as large as before.

        The target's own error is added on both sides; what it cannot tell apart, the trajectories decide.
        """
        floors = [float(self.for_equation(fit.equation).target.floor[fit.equation]) ** 2 for fit in fits]
        most = [DRIFT**2 * (fit.mse + floor) for fit, floor in zip(fits, floors, strict=True)]
        return lambda others: all(self._mse(fit) <= limit for fit, limit in zip(others, most, strict=True))

    def _mse(self, fit: EquationFit) -> float:
        """Mean squared residual of a fit with its coefficients as they are; inf where a term is not finite."""
        own = self.for_equation(fit.equation)
        if own is not self:
            return own._mse(fit)
        a = self._matrix(fit)
        if a is None:
            return self.power(fit.equation) if not fit.terms else inf
        squares: Floats = (self.target.b[fit.equation] - np.array([t.coefficient for t in fit.terms]) @ a) ** 2
        return float(np.mean(squares))

    def final(self, fits: Sequence[EquationFit]) -> tuple[EquationFit, ...]:
        """Fit a chosen system once more with the ends of its runs and nothing thinned; empty when neither changes it.

        `held_out` and `score` stay those of `fits`: they speak of coefficients that have not seen those rows.
        """
        if any(fit.failure for fit in fits):
            return ()
        whole, again = self.whole, tuple(fits)
        if whole is not self:
            again = tuple(whole.fit(fit.equation, [term.skeleton for term in fit.terms]) for fit in fits)
            if any(fit.failure for fit in again):
                return ()
            again = whole.refine(again, self.near(fits)) or again
        long = whole.on_all_rows(again)
        if long == tuple(fits):
            return ()
        return tuple(
            replace(new, strategy=_with_all_rows(new, old), held_out=old.held_out, score=old.score)
            for new, old in zip(long, fits, strict=True)
        )

    def on_all_rows(self, fits: tuple[EquationFit, ...]) -> tuple[EquationFit, ...]:
        """Fit outer coefficients on every sample of data that the search sees thinned.

        Coefficients from trajectories stay where the whole system simulates no better with the others. Samples with
        weights and given derivatives are fitted on the thinned view.
        """
        if self._given or self._dataset.weights:
            return fits
        runs, inputs = self._trajectories.runs, self._trajectories.inputs
        long = tuple(
            self._measured(fit, fit.strategy) if fit.terms != old.terms else fit
            for fit, old in zip(on_all_rows(fits, self.target, runs, inputs, self.symbols), fits, strict=True)
        )
        if any(fit.strategy == TRAJECTORY for fit in fits) and self._simulates(long) > self._simulates(fits):
            return tuple(kept(fit, "fitted on a thinned view: all samples simulate no better") for fit in fits)
        return long

    def _simulates(self, fits: Sequence[EquationFit]) -> float:
        """Return the mean NMSE of the simulations; inf when they fail."""
        return float(np.mean(self._trajectories.score(fits).nmse))

    def _measured(self, fit: EquationFit, strategy: str) -> EquationFit:
        """Return the record of a fit whose coefficients came from elsewhere, measured on the target."""
        own = self.for_equation(fit.equation)
        if own is not self:
            return own._measured(fit, strategy)
        a = self._matrix(fit)
        if a is None:
            return fit
        out = left_out(a, self.target.b[fit.equation], self.target.blocks)
        scored = self.scored(fit.equation, fit.terms, self._mse(fit), out, strategy)
        return replace(scored, score=fit.score, note=fit.note, correlation=fit.correlation)


def _with_all_rows(new: EquationFit, old: EquationFit) -> str:
    """The strategy of the last fit, which says so where it changed anything."""
    return f"{new.strategy}, {ALL_ROWS}" if new.terms != old.terms else new.strategy


def _single_equation_shooting(
    dataset: Dataset, target: Target, symbols: tuple[str, ...]
) -> SingleEquationShooting | None:
    """Own trajectories, where samples are few."""
    if target.kind != "integral":
        return None
    runs = [(run.t, run.x) for run in dataset.trajectories]
    unresolved = np.sqrt(np.maximum(target.floor**2 - target.noise**2, 0.0))
    inputs = [run.inputs for run in dataset.trajectories]
    return SingleEquationShooting(runs, inputs, target.noise, unresolved, symbols, relative_weights(dataset))


def _hidden(dataset: Dataset, target: Target) -> str:
    """Return why the measured states alone have no law without time; empty where that is not proven."""
    run = turning_run([(run.t, run.x) for run in dataset.trajectories], target.noise)
    if run is None or dataset.inputs:
        return ""
    name, label = dataset.states[0].name, dataset.trajectories[run].label
    where = f" in the run {label}" if label and len(dataset.trajectories) > 1 else ""
    return (
        f"{name} passes the same values rising and falling{where}: no law in {name} alone can do that. "
        "Something that was not measured, or time itself, moves it."
    )
