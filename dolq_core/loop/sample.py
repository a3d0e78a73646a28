"""Phase 1 (paper, 3.1): ask the Sampler, read its terms, refuse what may not be fitted, and say why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

import numpy as np

from dolq_core.bans import ban_on, why_banned
from dolq_core.blocks import completed, is_joint, required
from dolq_core.errors import TermError
from dolq_core.fitting import Workbench
from dolq_core.loop.ranking import shape
from dolq_core.ports import Sampler
from dolq_core.records import Candidate, EquationNote, Proposal, ProposedTerm, Refusal, RunState, Stated, Term, TermKey
from dolq_core.terms import ParsedTerm, Skeleton, count_params, parse_term


def sample(state: RunState, sampler: Sampler, bench: Workbench, rng: np.random.Generator) -> Proposal:
    """Return the hypotheses that may be fitted, with the person's pins and proposals in them, and every refusal."""
    sampling = sampler.propose(state, bench, rng)
    reader = _Reader(state, bench)
    candidates: list[Candidate] = []
    whole = _with_the_persons_terms(state, sampling.hypotheses)
    stated = [()] * (len(whole) - len(sampling.stated)) + list(sampling.stated)
    for number, hypothesis in enumerate(whole):
        candidate = reader.candidate(number, hypothesis, stated[number] if sampling.stated else ())
        if candidate is None:
            continue
        twin = next((c for c in candidates if shape(c.terms) == shape(candidate.terms)), None)
        if twin is None:
            candidates.append(candidate)
        else:
            reader.refuse(number, None, "the whole hypothesis", f"the same as hypothesis {twin.hypothesis + 1}")
    refused = (*sampling.refused, *reader.refused)
    return Proposal(tuple(candidates), refused, sampling.note, sampling.calls)


ASKED = "It goes with a term of another equation: you said so of the building blocks."
NOT_THERE = "by what you said of whole systems it is not in this equation"
ALWAYS = "It is always in this equation: you said so of the building blocks."
Hypothesis = tuple[tuple[ProposedTerm, ...], ...]


def _with_the_persons_terms(state: RunState, hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Whole equations go first; what must be there and pins first in each, typed terms first in the Sampler's first.

    What goes first meets the term cap last.
    """
    d = len(state.problem.dataset.states)
    must = [
        (TermKey(j, skeleton), ProposedTerm(skeleton, ALWAYS, source="pin"))
        for j in range(d)
        for skeleton in required(state.problem.blocks, j)
    ]
    pins = must + [
        (p.key, ProposedTerm(p.key.skeleton, p.reason or "Pinned by you.", source="pin")) for p in state.pins.values()
    ]
    typed = [
        (n.key, ProposedTerm(n.key.skeleton, n.reason or "Proposed by you.", source="human")) for n in state.proposals
    ]
    sampled = list(hypotheses) or ([((),) * d] if pins or typed or state.equations else [])
    own = _own_equations(state.equations, sampled[0]) if sampled else []
    return [*(_prepend(h, pins) for h in own), *(_prepend(h, pins + typed * (i == 0)) for i, h in enumerate(sampled))]


def _own_equations(notes: Sequence[EquationNote], base: Hypothesis) -> list[Hypothesis]:
    """Return as many hypotheses as the person typed for one equation: theirs in place of the Sampler's first."""
    by_equation = [[note for note in notes if note.equation == j] for j in range(len(base))]
    rounds = max(map(len, by_equation), default=0)
    return [
        tuple(_typed(typed[k]) if k < len(typed) else terms for typed, terms in zip(by_equation, base, strict=True))
        for k in range(rounds)
    ]


def _typed(note: EquationNote) -> tuple[ProposedTerm, ...]:
    why = note.reason or "In an equation that you wrote."
    return tuple(ProposedTerm(skeleton, why, source="human") for skeleton in note.skeletons)


def _is_start(skeleton: Skeleton, start: Sequence[float]) -> bool:
    return len(start) == count_params(skeleton) and all(map(isfinite, start))


def _prepend(hypothesis: Hypothesis, extra: Iterable[tuple[TermKey, ProposedTerm]]) -> Hypothesis:
    added = list(extra)
    return tuple(tuple(term for key, term in added if key.equation == j) + terms for j, terms in enumerate(hypothesis))


@dataclass
class _Reader:
    """Reads one proposal; collects the refusals on the way."""

    state: RunState
    bench: Workbench
    refused: list[Refusal] = field(default_factory=list[Refusal])

    def refuse(self, hypothesis: int, equation: int | None, text: str, reason: str) -> None:
        self.refused.append(Refusal(hypothesis, equation, text, reason))

    def candidate(self, number: int, hypothesis: Hypothesis, stated: Sequence[Stated] = ()) -> Candidate | None:
        """Return the hypothesis with its usable terms, or None when the whole of it is discarded."""
        d, cap = len(self.state.problem.dataset.states), self.state.settings.max_terms
        if len(hypothesis) != d:
            self.refuse(number, None, "the whole hypothesis", f"it has {len(hypothesis)} equations, the system has {d}")
            return None
        read = tuple(self._equation(number, j, terms) for j, terms in enumerate(hypothesis))
        longest = max(len(terms) for terms in read)
        if longest > cap:
            self.refuse(
                number, None, "the whole hypothesis", f"an equation has {longest} terms; at most {cap} are allowed"
            )
            return None
        return self._completed(Candidate(number, read, tuple(stated)))

    def _completed(self, candidate: Candidate) -> Candidate | None:
        """Return the hypothesis with the terms that rules for whole systems ask for, and without those they rule out.

        None where one that is asked for may not be tried.
        """
        law = [[term.skeleton for term in terms] for terms in candidate.terms]
        whole = completed(self.state.problem.blocks, law) if is_joint(self.state.problem.blocks) else ()
        equations: list[tuple[Term, ...]] = []
        for j, skeletons in enumerate(whole):
            known = {term.skeleton: term for term in candidate.terms[j]}
            for skeleton in [s for s in skeletons if s not in known]:
                ban = ban_on(self.state, TermKey(j, skeleton), {*skeletons} - {skeleton})
                if ban is not None:
                    why = f"{skeleton} would have to be there too, and {why_banned(self.state, ban)}"
                    self.refuse(candidate.hypothesis, j, "the whole hypothesis", why)
                    return None
            for skeleton in [s for s in known if s not in skeletons]:
                self.refuse(candidate.hypothesis, j, skeleton, NOT_THERE)
            equations.append(tuple(known.get(s) or Term(s, ASKED, source="pin") for s in skeletons))
        return replace(candidate, terms=tuple(equations)) if whole else candidate

    def _read(self, number: int, equation: int, proposed: ProposedTerm) -> ParsedTerm | None:
        try:
            return parse_term(proposed.text, self.bench.names, max_params=self.state.settings.max_params)
        except TermError as error:
            self.refuse(number, equation, proposed.text, str(error))
            return None

    def _equation(self, number: int, equation: int, terms: Sequence[ProposedTerm]) -> tuple[Term, ...]:
        taken: dict[str, Term] = {}
        parsed = [(proposed, read) for proposed in terms if (read := self._read(number, equation, proposed))]
        together = {read.skeleton for _, read in parsed}
        for proposed, read in parsed:
            skeleton = read.skeleton
            ban = ban_on(self.state, TermKey(equation, skeleton), together - {skeleton})
            if ban is not None:
                self.refuse(number, equation, proposed.text, why_banned(self.state, ban))
            elif not count_params(skeleton) and self.bench.column(skeleton) is None:
                self.refuse(number, equation, proposed.text, self.bench.why_not(skeleton) or "not finite on the data")
            elif skeleton not in taken:
                stated = read.coefficient if proposed.source == "model" and read.coefficient != 1.0 else None
                start = proposed.start if proposed.text == skeleton and _is_start(skeleton, proposed.start) else ()
                taken[skeleton] = Term(skeleton, proposed.reason, proposed.family, proposed.source, stated, start)
            elif proposed.source == taken[skeleton].source:
                self.refuse(number, equation, proposed.text, "the same term stands in this equation already")
        return tuple(taken.values())
