"""Equations of one data set fitted one at a time on the target, and the evidence for each of their terms."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, wraps
from math import inf
from typing import Any, Self, TypeAlias, TypeVar, cast

import numpy as np

from dolq_core import clock
from dolq_core.arrays import Floats, frozen
from dolq_core.blocks import FREE
from dolq_core.extensions import extension
from dolq_core.fitting.coefficients import Fitter, bare_terms, with_numbers, with_systematic_errors
from dolq_core.fitting.columns import Columns
from dolq_core.fitting.evidence import Question, support
from dolq_core.fitting.held_out import HeldOut
from dolq_core.fitting.hidden import crossing_words, hidden_words
from dolq_core.fitting.names import names_of
from dolq_core.fitting.reasons import failed, loose, too_many, why_not
from dolq_core.fitting.restriction import restriction_of
from dolq_core.fitting.score import description_length
from dolq_core.fitting.single_equation import SingleEquationShooting, shooting_of
from dolq_core.fitting.stepped import coarse_words, jump_words
from dolq_core.fitting.totals import total_words
from dolq_core.fitting.trajectories import Trajectories
from dolq_core.fitting.watching import seen
from dolq_core.fitting.weighing import given_states
from dolq_core.fitting.within import Shape, free_of, held_of, rest, restricted, told
from dolq_core.numerics.given import is_followed
from dolq_core.numerics.least_squares import jackknife_t, left_out, zeroed
from dolq_core.numerics.rounding import known_ratio
from dolq_core.numerics.target import Target, weighed
from dolq_core.records import AT_FLOOR, Blocks, Dataset, EquationFit, FittedTerm, Optimizer, TargetInfo, TargetKind
from dolq_core.terms import Skeleton, compile_columns

Inner: TypeAlias = tuple[float, ...]
"""Inner parameters of one term."""

TOLD = 3.0
"""Coefficient over its jackknife error from which a term is significant."""
MOST_TIMES = 1e6
"""Ratio of errors that stands for every larger one, and for a simulation that fails."""
TRAJECTORY = "trajectory"
Asked = TypeVar("Asked", bound=Callable[..., Any])


def _on_own_rows(method: Asked) -> Asked:
    """Ask the bench whose rows count as the samples of an equation do; the equation by its number, or fitted."""

    @wraps(method)
    def asked(bench: "Equations", of: int | EquationFit, *args: Any, **kwargs: Any) -> Any:
        return method(bench.for_equation(of if isinstance(of, int) else of.equation), of, *args, **kwargs)

    return cast(Asked, asked)


class Equations:
    """A pure function of (data set, kind of target), with caches: single equations, and what their terms are worth.

    Attributes:
        names: own names and symbols; symbols: states, then inputs.
        d: number of states; n: number of samples in all runs.
        x, t, dx: (d, N), (N,), (d, N) states at which terms are evaluated, their times, estimated derivatives.
        values: (d + inputs, N) what the symbols stand for, in their order.
        columns: values of terms as rows of the target.
        target: left-hand sides b (d, M) with error floor, blocks and number of independent rows.
        held: the end of each run, and the runs, that no fit above sees; None when nothing is held out.
        blocks: what is declared of the numbers of laws; every fit keeps to it.
        holds: what each known input does between its samples.
    """

    def __init__(
        self,
        dataset: Dataset,
        target: Target,
        held: HeldOut | None = None,
        kind: TargetKind = "auto",
        held_words: str = "",
        trajectories: Trajectories | None = None,
        blocks: Blocks = FREE,
    ) -> None:
        self._dataset, self.holds, self.growth = dataset, dataset.holds, dataset.noise
        self.blocks = blocks
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
        self._fitter = Fitter(self.columns)
        driving = () if held is None else held.fitted_runs
        self._trajectories = trajectories or Trajectories(dataset, target.noise, self.symbols, driving, blocks)
        self._single_equation = shooting_of(dataset, target, self.symbols, blocks)
        self._given = given_states(dataset)
        self._views: dict[int, Self] = {}
        self._is_followed = target.kind != "given" or is_followed(
            self._trajectories.runs, [run.derivatives for run in dataset.trajectories if run.derivatives is not None]
        )
        self.held = held
        self._kind: TargetKind = kind
        self._held_words = held_words

    @cached_property
    def info(self) -> TargetInfo:
        """What the fits aim at, for the record."""
        dataset, target = self._dataset, self.target
        return TargetInfo(
            kind=target.kind,
            reason=target.reason + self._held_words,
            floor=tuple(float(self.for_equation(j).target.floor[j]) for j in range(self.d)),
            noise=tuple(target.noise.tolist()),
            null_score=tuple(self.null(j).score for j in range(self.d)),
            hidden=hidden_words(dataset, target.noise),
            crossing=crossing_words(dataset, target.noise),
            coarse=tuple(coarse_words(dataset, j) for j in range(self.d)),
            jumps=tuple(jump_words(dataset, j) for j in range(self.d)),
            walk_score=self._walk_scores(),
            total=total_words(self.names.own, self.x, self.t, target.noise),
        )

    @property
    def dataset(self) -> Dataset:
        """The part of the data that is fitted."""
        return self._dataset

    @property
    def is_sparse(self) -> bool:
        """Whether runs have so few samples that the error floor is known only to a factor of about two (`is_dense`)."""
        return self._trajectories.sparse and self.target.kind != "given"

    @property
    def is_clean(self) -> bool:
        """Whether nothing but the error of an integrator is left at the floor; slopes that were given may be noisy."""
        return self._trajectories.precise and self.target.kind != "given"

    @property
    def _is_exact(self) -> bool:
        """Whether the target chooses structures better than trajectories: clean and dense samples, or given slopes."""
        return self._trajectories.precise or self.target.kind == "given"

    def for_equation(self, equation: int) -> Self:
        """Return the same data with rows that count as the samples of one state do; itself where all count alike."""
        if self.target.scales is None:
            return self
        if equation not in self._views:
            target = weighed(self.target, equation)
            self._views[equation] = type(self)(
                self._dataset, target, self.held, self._kind, trajectories=self._trajectories, blocks=self.blocks
            )
        return self._views[equation]

    # --- columns ------------------------------------------------------------------------------------

    def column(self, skeleton: Skeleton, inner: Sequence[float] = ()) -> Floats | None:
        """Return the regression column (M,) of a term, or None where it is not finite on the data."""
        return self.columns.one(skeleton, inner)

    def trial_columns(self, skeleton: Skeleton) -> list[tuple[Inner, Floats]]:
        """Return (inner parameters, column (M,)) to search with: one, or one per start of the inner parameters."""
        clock.check()
        found = self._fitter.starts_of(skeleton)
        if not found[0].size:
            column = self.column(skeleton)
            return [] if column is None else [((), column)]
        rows = self.columns.stack(skeleton, np.array(found))
        return [(tuple(inner.tolist()), row) for inner, row in zip(found, rows, strict=True) if np.isfinite(row[0])]

    def why_not(self, skeleton: Skeleton, inner: Sequence[float] = ()) -> str:
        """Return why a term gives no usable column on these data; empty when it does."""
        typical = inner or self._fitter.typical(skeleton)
        samples = [run.x for run in self._dataset.trajectories]
        why = why_not(skeleton, typical, self.values, self.t, self.symbols, samples)
        return why or ("" if self.column(skeleton, typical) is not None else "it varies faster than the samples follow")

    # --- fits ---------------------------------------------------------------------------------------

    @_on_own_rows
    def fit(self, equation: int, skeletons: Sequence[Skeleton], optimizer: Optimizer = "linear") -> EquationFit:
        """Fit the coefficients of one structure; never raises: a failure is a text and mse inf.

        optimizer: "linear" is least squares with variable projection, the others are the paper's searches.
        """
        if optimizer != "linear":
            return extension("optimizers")(self, equation, skeletons, optimizer)
        key = (equation, tuple(skeletons))
        if key not in self._fits:
            found = self.on_target(equation, skeletons)
            shooting = self._single_equation_of(equation) if found.terms and not found.failure else None
            self._fits[key] = found if shooting is None else self._on_own_trajectory(shooting, found)
        return self._fits[key]

    @_on_own_rows
    def on_target(self, equation: int, skeletons: Sequence[Skeleton]) -> EquationFit:
        """Fit on the target alone; `fit` goes on from there where samples are few."""
        key = (equation, tuple(skeletons))
        if key not in self._on_target:
            self._on_target[key] = seen(self._fit(equation, tuple(skeletons)))
        return self._on_target[key]

    @_on_own_rows
    def rough(self, equation: int, skeletons: Sequence[Skeleton], near: Sequence[Inner] = ()) -> EquationFit:
        """Fit as `fit` does with few evaluations, to rank structures, from the inner parameters in `near` if any."""
        key = (equation, tuple(skeletons), tuple(near))
        if key not in self._rough:
            self._rough[key] = seen(self._fit(equation, tuple(skeletons), thorough=False, near=tuple(near)))
        return self._rough[key]

    @_on_own_rows
    def again(self, equation: int, skeletons: Sequence[Skeleton], near: Sequence[Inner]) -> EquationFit:
        """Fit as `fit` does, from known inner parameters of some terms: those of the others, (), have their starts."""
        key = (equation, tuple(skeletons), tuple(near))
        if key not in self._again:
            self._again[key] = self._fit(equation, tuple(skeletons), near=tuple(near))
        return self._again[key]

    @_on_own_rows
    def null(self, equation: int) -> EquationFit:
        """Return the structure without any term: the state stands still."""
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
        clock.check()
        b = self.target.b[equation]
        found = self._fitter.fit(b, skeletons, self.target.effective, thorough=thorough, near=near)
        rule, held = restriction_of(self.blocks, [(equation, s) for s in skeletons]), None
        if rule is not None:
            shape = Shape(skeletons, lambda k, inner: self.column(skeletons[k], inner))
            found, held = restricted(shape, b, rule, found, self._fitter.typical, self.target.effective)
        if isinstance(found, str):
            why = found or next((f"{s}: {w}" for s in skeletons if (w := self.why_not(s))), "not finite on the data")
            return failed(equation, skeletons, why)
        numbers = held.free.shape[1] if held is not None else len(skeletons) + sum(map(len, found.inner))
        if why := too_many(numbers, len(b), self.target.effective):
            return failed(equation, skeletons, why)
        recorded = thorough and self.target.operator is None  # along a reference nobody asks for errors or blocks
        if recorded and any(found.inner) and held is None:
            found = self._fitter.with_joint_errors(b, skeletons, found, self.target.effective)
        mse = found.linear.mse
        bare = bare_terms(skeletons, found)
        terms, correlation = with_numbers(bare, found.linear)
        if recorded and self._trajectories.precise and mse <= (AT_FLOOR * float(self.target.floor[equation])) ** 2:
            terms = with_systematic_errors(terms, jackknife_t(found.columns, b, self.target.blocks))
        out = left_out(*rest(held, terms, found.columns, b), self.target.blocks) if recorded else mse
        strategy = "variable projection" if any(found.inner) else "least squares"
        fit = self.scored(equation, terms, mse, out, strategy, ahead=recorded)
        note = "" if held is not None else loose(skeletons, found.linear)
        return replace(fit, note=note, correlation=correlation)

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
        measured = self.measured(found, TRAJECTORY)
        return replace(measured, floor_ratio=found.floor_ratio)

    # --- evidence -----------------------------------------------------------------------------------

    @_on_own_rows
    def ablate(self, fit: EquationFit) -> tuple[tuple[Skeleton, float, float], ...]:
        """Return (skeleton, zeroed, refitted) per term.

        zeroed: relative change of the MSE with the coefficient set to zero, the rest as it is (Algorithm 1).
        refitted: error on left-out blocks without the term over that with it, each of the best subset of the other
        terms, fitted again (`evidence.support`). At most 1 where the score does not lose by it, or the coefficient
        is not TOLD times its block-jackknife error: with few samples chance alone makes 1.2. Where samples are few:
        squared error of the equation's own simulation without the term over that with it, both fitted again.
        """
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
        known = ~free_of(held_of(self.blocks, fit.equation, fit.terms), fit.terms)
        needed = (found.lost > 0.0) & ((found.told >= TOLD) | known)
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

    @_on_own_rows
    def certainty(self, fit: EquationFit) -> tuple[float, ...]:
        """Return per term the size of its coefficient over its block-jackknife standard error."""
        a = self._matrix(fit)
        if fit.failure or a is None:
            return tuple(0.0 for _ in fit.terms)
        held = held_of(self.blocks, fit.equation, fit.terms)
        return tuple(map(known_ratio, told(held, fit.terms, a, self.target.b[fit.equation], self.target.blocks)))

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

    @_on_own_rows
    def _mse(self, fit: EquationFit) -> float:
        """Mean squared residual of a fit with its coefficients as they are; inf where a term is not finite."""
        a = self._matrix(fit)
        if a is None:
            return self.power(fit.equation) if not fit.terms else inf
        squares: Floats = (self.target.b[fit.equation] - np.array([t.coefficient for t in fit.terms]) @ a) ** 2
        return float(np.mean(squares))

    @_on_own_rows
    def measured(self, fit: EquationFit, strategy: str) -> EquationFit:
        """Return the record of a fit whose coefficients came from elsewhere, measured on the target."""
        a = self._matrix(fit)
        if a is None:
            return fit
        rows = rest(held_of(self.blocks, fit.equation, fit.terms), fit.terms, a, self.target.b[fit.equation])
        out = left_out(*rows, self.target.blocks)
        scored = self.scored(fit.equation, fit.terms, self._mse(fit), out, strategy)
        return replace(scored, score=fit.score, note=fit.note, correlation=fit.correlation)
