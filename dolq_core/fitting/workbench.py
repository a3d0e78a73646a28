"""One data set, prepared for fitting: columns of terms, coefficients, evidence, simulations."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.blocks import FREE, is_watched, own_of, why_broken, why_left
from dolq_core.fitting.all_rows import kept, on_all_rows
from dolq_core.fitting.bands import band
from dolq_core.fitting.equations import TRAJECTORY, Equations, names_of
from dolq_core.fitting.held_out import HeldOut, held_as, prepared, split
from dolq_core.fitting.in_stretches import STRETCHES, in_stretches
from dolq_core.fitting.known_starts import refitted
from dolq_core.fitting.likelihood import Judged, Likelihood, likelihoods_of
from dolq_core.fitting.output_error import further_run_target, output_error_target
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.profile import Profile, profile
from dolq_core.fitting.ranking import choose, shortest
from dolq_core.fitting.restriction import law_of, restriction_of
from dolq_core.fitting.together import together
from dolq_core.fitting.trajectories import COMPARED, Simulation, Trajectories
from dolq_core.fitting.weighing import counted, is_weighed, noisy_as
from dolq_core.fitting.whole_runs import Near, in_order, system_of
from dolq_core.numerics.rounding import known_ratio
from dolq_core.numerics.target import Target
from dolq_core.records import AT_FLOOR, Blocks, Dataset, EquationFit, TargetKind, TrajectoryScore
from dolq_core.terms import Skeleton

__all__ = ["Simulation", "Workbench", "names_of"]

DRIFT = 3.0
"""Growth of the residual that a fit on trajectories may cost: true coefficients stay within it, absurd ones do not."""
CLOSE = 10.0
"""Nats within which the whole system decides between structures that were compared on their own trajectories."""
ALL_ROWS = "all rows"
"""What the strategy of a fit says that has seen the held-out part as well."""


class Workbench(Equations):
    """Whole systems on the same data: their likelihood, simulations and fits; and what one iteration compares.

    Attributes:
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
        blocks: Blocks = FREE,
    ) -> None:
        super().__init__(dataset, target, held, kind, held_words, trajectories, blocks)
        self._lengths: dict[tuple[int | tuple[int, tuple[Skeleton, ...]], ...], tuple[float, float]] = {}
        self._output_error: dict[tuple[tuple[EquationFit, ...], int, bool, bytes], Workbench | None] = {}
        self._likelihoods: tuple[Likelihood, ...] | None = None
        self._whole: Workbench | None = None
        self._under: dict[Blocks, Workbench] = {}

    @property
    def refines(self) -> bool:
        """Whether coefficients are fitted again on trajectories: the samples are noisy or few (`refine`)."""
        return not self._trajectories.precise and self._is_followed

    @property
    def likelihoods(self) -> tuple[Likelihood, ...]:
        """The yardstick where noise is the limit, on whole runs and on shorter stretches; none elsewhere.

        All samples count, also the ends of the runs, which coefficients that forecast them have not seen (`held`);
        only runs that are held out whole do not. What was compared since `compare_from` is remembered.
        """
        if self._likelihoods is None:
            self._likelihoods = self.new_likelihoods()
        return self._likelihoods

    def new_likelihoods(self) -> tuple[Likelihood, ...]:
        """Return the same with nothing compared yet."""
        noisy = not (self._is_exact or self.is_sparse or self._given)
        return likelihoods_of(self.whole.target, self.symbols, self.blocks) if noisy and self._is_followed else ()

    def compare_from(self, known: Sequence[Likelihood] = ()) -> None:
        """Begin to compare with what `known` have fitted: nothing may hang on what this process did before."""
        self._likelihoods = tuple(like.copy() for like in known) or None

    def judged(self, system: Sequence[EquationFit], *, anew: bool = False) -> tuple[Likelihood, Judged] | None:
        """Return a system fitted to the longest stretches that it follows, and their likelihood; None elsewhere."""
        for like in self.likelihoods:
            found = like.anew(system_of(system)) if anew else like.judged(system_of(system))
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

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        kind: TargetKind = "auto",
        held_out: float = 0.0,
        held_out_runs: Sequence[str] = (),
        blocks: Blocks = FREE,
    ) -> "Workbench":
        """Prepare the data; raise FitError when no run has enough samples, DataError when a run cannot be held out.

        held_out: share of each run that keeps 50 samples, at its end, that no fit sees (`likelihoods` compare on it).
        held_out_runs: runs that no fit sees at all, by label or number; not the last one on all rows either.
        blocks: what is declared of the numbers of laws: every fit keeps to it.
        """
        dataset = noisy_as(held_as(counted(dataset)))
        parts = split(dataset, held_out, held_out_runs)
        target = prepared(parts.fit, kind)
        held = HeldOut(dataset, parts, target, names_of(dataset).symbols) if parts.held is not None else None
        return cls(parts.fit, target, held, kind, parts.reason, blocks=blocks)

    @property
    def whole(self) -> "Workbench":
        """The same data with the ends of the runs, for the coefficients of a structure that is already chosen.

        A run that is held out whole is not in it.
        """
        if self.held is None or not self.held.cut:
            return self
        if self._whole is None:
            self._whole = Workbench.of(self.held.rest, self._kind, blocks=self.blocks)
        return self._whole

    def output_error(
        self,
        fits: Sequence[EquationFit],
        equation: int,
        *,
        decoupled: bool = False,
        along: Floats | None = None,
    ) -> "Workbench | None":
        """Return the same data prepared for one equation with the samples themselves as its left-hand side.

        To first order around `fits`, which must explain the data roughly, on the path `along` where there is one
        (`fitting.output_error`). None where the derivative is not the weak point (clean or sparse data, a given one).
        """
        fits = [self._known(fit) for fit in fits]
        key = (tuple(fits), equation, decoupled, b"" if along is None else along.tobytes())
        if key not in self._output_error:
            precise = self._is_exact or self._trajectories.sparse or equation in self._given
            target = (
                None
                if precise
                else output_error_target(
                    self.target, self.symbols, fits, equation, self.blocks, decoupled=decoupled, along=along
                )
            )
            self._output_error[key] = None if target is None else self._on(target)
        return self._output_error[key]

    def _known(self, fit: EquationFit) -> EquationFit:
        """Return a reference of an equation that is known in part with no terms but those that it may have."""
        own = own_of(self.blocks, fit.equation)
        if not own.fixed or own.terms is None or {term.skeleton for term in fit.terms} <= set(own.terms):
            return fit
        known = self.on_target(fit.equation, own.terms)
        return fit if known.failure else known

    def ahead(self, fits: Sequence[EquationFit], equation: int, path: Simulation, samples: int) -> "Workbench | None":
        """Return what a run of `samples` samples that follows `path` would add to `output_error`; None with inputs."""
        if self._is_unlike(equation):
            return None
        target = further_run_target(self.target, self.symbols, fits, equation, (path.t, path.x), samples)
        return None if target is None else self._on(target)

    def _on(self, target: Target) -> "Workbench":
        return Workbench(self._dataset, target, trajectories=self._trajectories, blocks=self.blocks)

    def under(self, blocks: Blocks) -> "Workbench":
        """Return the same data for laws of which something else is declared."""
        if blocks == self.blocks:
            return self
        if blocks not in self._under:
            self._under[blocks] = Workbench(self._dataset, self.target, self.held, self._kind, blocks=blocks)
        return self._under[blocks]

    def _is_unlike(self, equation: int) -> bool:
        """Whether the samples alone do not say what a row is worth: they have weights, or a derivative is given."""
        return self.target.scales is not None or self.target.scale is not None or equation in self._given

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

        None where that is not known. A run held out whole has a start of its own, and the others' coefficients.
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

    def profile(self, fits: Sequence[EquationFit], place: int, error: float | None) -> Profile | None:
        """Return how well the number at a place of the system is told by whole runs (`fitting.profile`)."""
        return profile(self._trajectories, fits, place, error)

    def together(self, fits: Sequence[EquationFit]) -> tuple[EquationFit, ...]:
        """Return a system whose numbers are one where its rules say so (`fitting.together`)."""
        return together(self, fits)

    def why_not_together(self, fits: Sequence[EquationFit]) -> str:
        """Return which rule for whole systems a fitted one breaks, by its terms or its simulation; empty where none."""
        law = [[term.skeleton for term in fit.terms] for fit in fits]
        if (broken := why_broken(self.blocks, law)) or not is_watched(self.blocks):
            return broken
        paths = [self.simulate(fits, run) for run in range(len(self._dataset.trajectories))]
        if any(path.failure for path in paths):
            return "its simulation fails, and limits are set to it"
        ends = np.cumsum([0, *(len(path.t) for path in paths)])
        x = np.concatenate([path.x for path in paths])
        return why_left(self.blocks, self.names.own, x, ends.tolist(), self.target.noise)

    def refine(self, fits: Sequence[EquationFit], near: Near | None = None) -> tuple[EquationFit, ...]:
        """Fit all coefficients of the system again on the trajectories; empty when that is not better.

        Only of noisy or sparse data: clean dense ones keep the weak form. With many samples `floor_ratio` is then the
        misfit of the simulation over the noise. near: where to start; by default the system as `judged` has it.
        """
        if not self.refines or any(fit.failure for fit in fits):
            return ()
        near = near or self.near(fits)
        begin = fits if near is None else [replace(f, terms=own) for f, own in zip(fits, near.system, strict=True)]
        agrees = self._agrees_with([replace(fit, mse=self._mse(fit)) for fit in begin])
        found, ratios = self._trajectories.refine(begin, agrees, near.runs if near else ())
        if not found:
            return in_stretches(self, fits)
        measured = tuple(self.measured(fit, TRAJECTORY) for fit in found)
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

    def near(self, fits: Sequence[EquationFit]) -> Near | None:
        """Return how a system follows whole runs; None where it does not, or noise is not the limit."""
        found = self.judged(fits)
        if found is None or found[0] is not self.likelihoods[0]:
            return None
        like, judged = found
        system = in_order(judged.system, fits)
        return Near(system, like.runs(judged), like.above_rest(judged), like.whiteness(judged))

    def settle(
        self,
        leaders: Sequence[Sequence[EquationFit]],
        systems: Sequence[Sequence[EquationFit]] = (),
        prior: Prior | None = None,
    ) -> tuple[EquationFit, ...]:
        """Return one structure per equation out of its leaders (the best score first) by how the system simulates.

        Only of data that `refine` takes. systems: to begin with, besides that of the first leaders. prior: what
        structures cost, where whole systems are compared by the length of their description. Elsewhere see `choose`: on
        whole runs, and on stretches of them where the best system does not explain those: a wrong law, or chaos.
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
        if self._trajectories.sparse or self._length(best, 1)[1] <= AT_FLOOR:
            return best
        return choose(leaders, lambda fits: self._length(fits, COMPARED)[0], sound)

    def _length(self, fits: Sequence[EquationFit], parts: int) -> tuple[float, float]:
        if why_broken(self.blocks, [[term.skeleton for term in fit.terms] for fit in fits]):
            return inf, inf
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

    def final(self, fits: Sequence[EquationFit]) -> tuple[EquationFit, ...]:
        """Fit a chosen system once more with the ends of its runs and nothing thinned; empty when neither changes it.

        `held_out` and `score` stay those of `fits`: they speak of coefficients that have not seen those rows.
        """
        if any(fit.failure for fit in fits):
            return ()
        whole, again = self.whole, tuple(fits)
        if whole is not self:
            again = tuple(refitted(whole, fit) for fit in fits)
            if any(fit.failure for fit in again):
                return ()
            again = whole.together(again)
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

        Coefficients from trajectories stay where the whole system simulates no better with the others, those from
        stretches always. Samples with weights, given derivatives and restricted numbers are fitted on the thinned view.
        """
        if any(fit.strategy == STRETCHES for fit in fits):
            return fits
        if self._given or is_weighed(self._dataset) or restriction_of(self.blocks, law_of(fits)) is not None:
            return fits
        runs, inputs = self._trajectories.runs, self._trajectories.mean_inputs
        long = tuple(
            self.measured(fit, fit.strategy) if fit.terms != old.terms else fit
            for fit, old in zip(on_all_rows(fits, self.target, runs, inputs, self.symbols), fits, strict=True)
        )
        if any(fit.strategy == TRAJECTORY for fit in fits) and self._simulates(long) > self._simulates(fits):
            return tuple(kept(fit, "fitted on a thinned view: all samples simulate no better") for fit in fits)
        return long

    def _simulates(self, fits: Sequence[EquationFit]) -> float:
        """Return the mean NMSE of the simulations; inf when they fail."""
        return float(np.mean(self._trajectories.score(fits).nmse))


def _with_all_rows(new: EquationFit, old: EquationFit) -> str:
    """The strategy of the last fit, which says so where it changed anything."""
    return f"{new.strategy}, {ALL_ROWS}" if new.terms != old.terms else new.strategy
