"""What happened in one iteration, phase by phase, as a person reads it."""

from collections.abc import Mapping
from dataclasses import dataclass

from dolq_core.export import latex
from dolq_core.fitting import names_of
from dolq_core.grades import reason_in
from dolq_core.records import UNGRADED, Action, EquationFit, Grade, Iteration, Term, TermKey
from dolq_core.runs import Run
from dolq_core.terms import Names, to_latex


@dataclass(frozen=True, slots=True)
class Sampled:
    """A term as it was proposed, for one reason. hypotheses count from 1; name: the state whose change it stands in."""

    hypotheses: tuple[int, ...]
    name: str
    latex: str
    reason: str
    family: str
    source: str


@dataclass(frozen=True, slots=True)
class Refused:
    """What was not taken. name: the state whose change it was meant for; empty for a whole hypothesis."""

    hypothesis: int
    name: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Tried:
    """One equation of one hypothesis, fitted.

    Attributes:
        latex: the equation with its coefficients; where the fit failed, the terms alone.
        error: residual NMSE; floor_ratio: residual over the error floor. inf where the fit failed.
        chosen: it became the current attempt.
        duplicate: answered from the archive.
    """

    hypothesis: int
    name: str
    latex: str
    error: float
    floor_ratio: float
    failure: str
    duplicate: bool
    chosen: bool
    note: str


@dataclass(frozen=True, slots=True)
class JudgedTerm:
    """One term of the current attempt: both figures, both grades, and what was decided; see `Ablation`, `Verdict`."""

    name: str
    latex: str
    zeroed: float
    refitted: float
    nats: float | None
    numbers: Grade
    scientist: Grade
    reason: str
    action: Action
    strikes: int
    conflict: bool

    @property
    def is_ungraded(self) -> bool:
        """Whether the Scientist was asked about it and said nothing: its grade counts as neutral and is none."""
        return self.reason == UNGRADED


@dataclass(frozen=True, slots=True)
class Account:
    """One iteration, in the order of the loop.

    Attributes:
        hypotheses: how many were let in.
        sampled, refused: what was proposed; said: what the Sampler said of it as a whole.
        pardoned: (name of the state, LaTeX) of the terms whose ban ended at the start.
        simulated: (name, NMSE, NMSE of the held-out part or None) per state; empty when nothing was simulated.
        failure: why the simulation failed; strategies: how the reported coefficients were found.
        seconds: by phase.
    """

    number: int
    hypotheses: int
    sampled: tuple[Sampled, ...]
    refused: tuple[Refused, ...]
    said: str
    tried: tuple[Tried, ...]
    judged: tuple[JudgedTerm, ...]
    pardoned: tuple[tuple[str, str], ...]
    simulated: tuple[tuple[str, float, float | None], ...]
    failure: str
    strategies: tuple[str, ...]
    seconds: Mapping[str, float]


def account(run: Run, done: Iteration) -> Account:
    """Return what happened in one iteration of the run."""
    dataset = run.state.problem.dataset
    names, own = names_of(dataset), [variable.name for variable in dataset.states]
    return Account(
        number=done.number,
        hypotheses=len(done.proposal.candidates),
        sampled=_sampled(done, names, own),
        refused=tuple(
            Refused(no.hypothesis + 1, "" if no.equation is None else own[no.equation], no.text, no.reason)
            for no in done.proposal.refused
        ),
        said=done.proposal.note,
        tried=_tried(done, names, own),
        judged=_judged(done, names, own),
        pardoned=tuple((own[key.equation], to_latex(key.skeleton, names)) for key in done.pardoned),
        simulated=_simulated(done, own),
        failure=done.trajectory.failure if done.trajectory else "",
        strategies=tuple(sorted({fit.strategy for fit in done.refined})),
        seconds=done.seconds,
    )


def _sampled(done: Iteration, names: Names, own: list[str]) -> tuple[Sampled, ...]:
    """Terms by equation, in the order in which they were proposed; one that several hypotheses have is told once."""
    found: dict[tuple[int, Term], list[int]] = {}
    for candidate in done.proposal.candidates:
        for j, terms in enumerate(candidate.terms):
            for term in terms:
                found.setdefault((j, term), []).append(candidate.hypothesis + 1)
    return tuple(
        Sampled(tuple(numbers), own[j], to_latex(term.skeleton, names), term.reason, term.family, term.source)
        for (j, term), numbers in sorted(found.items(), key=lambda item: item[0][0])
    )


def _tried(done: Iteration, names: Names, own: list[str]) -> tuple[Tried, ...]:
    proposed = {candidate.hypothesis: candidate.terms for candidate in done.proposal.candidates}
    return tuple(
        Tried(
            hypothesis=system.hypothesis + 1,
            name=own[fit.equation],
            latex=_equation(fit, proposed[system.hypothesis][fit.equation], names),
            error=fit.nmse,
            floor_ratio=fit.floor_ratio,
            failure=fit.failure,
            duplicate=fit.duplicate,
            chosen=done.attempt[fit.equation] == fit,
            note=fit.note,
        )
        for system in done.fits
        for fit in system.equations
    )


def _equation(fit: EquationFit, proposed: tuple[Term, ...], names: Names) -> str:
    if not fit.failure:
        return latex.equation(fit, names)
    return r",\; ".join(to_latex(term.skeleton, names) for term in proposed) or "0"


def _judged(done: Iteration, names: Names, own: list[str]) -> tuple[JudgedTerm, ...]:
    ablations = {ablation.key: ablation for ablation in done.evaluation.ablations}
    inner = {
        TermKey(fit.equation, term.skeleton): term.inner
        for fit in done.attempt
        if fit is not None
        for term in fit.terms
    }
    return tuple(
        JudgedTerm(
            name=own[said.key.equation],
            latex=to_latex(said.key.skeleton, names, inner.get(said.key, ())),
            zeroed=ablations[said.key].zeroed,
            refitted=ablations[said.key].refitted,
            nats=ablations[said.key].nats,
            numbers=said.evidence,
            scientist=said.semantic,
            reason=reason_in(done, said),
            action=said.action,
            strikes=said.strikes,
            conflict=said.conflict,
        )
        for said in done.verdicts
    )


def _simulated(done: Iteration, own: list[str]) -> tuple[tuple[str, float, float | None], ...]:
    scores = done.trajectory
    if scores is None:
        return ()
    ahead = scores.held_out or (None,) * len(scores.nmse)
    return tuple(zip(own, scores.nmse, ahead, strict=True))
