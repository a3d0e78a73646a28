"""The Scientist as a language model, and the run without one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from dolq_core.agents.builtin.conflicts import unanswered
from dolq_core.agents.builtin.losing import behind
from dolq_core.agents.llm import scientist_prompt
from dolq_core.agents.llm.account import as_shown
from dolq_core.agents.llm.allowance import Allowance
from dolq_core.agents.llm.asking import Asker, Question
from dolq_core.agents.llm.looks import Looker
from dolq_core.agents.llm.schemas import GradeReply, LiftReply, ScientistReply
from dolq_core.agents.llm.telling import key_of
from dolq_core.bans import ban_on, by_person
from dolq_core.errors import TermError
from dolq_core.fitting import Workbench
from dolq_core.fitting.limits import explains
from dolq_core.mechanisms import explanations
from dolq_core.ports import ChatModel
from dolq_core.records import Ablation, EquationFit, Lift, Models, Review, RunState, TermKey, TermReview
from dolq_core.terms import parse_term


class ModelScientist:
    """Asks a language model for one grade per term, and for the insight."""

    def __init__(self, model: ChatModel, models: Models) -> None:
        self._model = model
        self._models = models

    def review(
        self,
        state: RunState,
        attempt: Sequence[EquationFit | None],
        ablations: Sequence[Ablation],
        bench: Workbench,
        rng: np.random.Generator,
    ) -> Review:
        """Return the grades by skeleton; a grade that names no term is a note; raise AgentError."""
        question = Question(
            "scientist",
            scientist_prompt.SYSTEM,
            scientist_prompt.prompt(state, attempt, ablations, bench),
            state.settings.scientist_temperature,
            state.settings.max_tokens,
            Looker(state, bench, (state.models or self._models).looks),
        )
        answer = Asker(self._model, Allowance(state.models or self._models, state.spent)).ask(question, ScientistReply)
        reply = answer.reply or ScientistReply(grades=[])
        names = _Named(state, attempt, ablations, bench)
        graded, notes = _found([names.graded(one) for one in reply.grades])
        lifted, more = _found([names.lifted(one) for one in reply.lift])
        return Review(
            tuple(graded),
            reply.insight.strip(),
            (*answer.notes, *notes, *more),
            answer.calls,
            _unanswered(state, attempt, ablations, bench),
            tuple(lifted),
        )


Found = TypeVar("Found")


def _found(some: Sequence[Found | str]) -> tuple[list[Found], list[str]]:
    """Return what was understood, and what is to be said of the rest."""
    return [one for one in some if not isinstance(one, str)], [one for one in some if isinstance(one, str)]


@dataclass(frozen=True, slots=True)
class _Named:
    """Finds the terms that a reply speaks of: by number, by skeleton, or as they were shown, with their numbers."""

    state: RunState
    attempt: Sequence[EquationFit | None]
    ablations: Sequence[Ablation]
    bench: Workbench

    def graded(self, said: GradeReply) -> TermReview | str:
        """Return the grade with its term, or why it is nobody's."""
        if 0 < said.number <= len(self.ablations):
            key = self.ablations[said.number - 1].key
            other = self.key(said.variable, said.term) if said.term.strip() and said.variable.strip() else key
            if other != key and not isinstance(other, str):
                key = other  # a name says more than a number that was miscounted
        elif not said.term.strip():
            return f"A grade for term {said.number} was left out: there are {len(self.ablations)}."
        else:
            named = self.key(said.variable, said.term)
            if isinstance(named, str):
                return f"A grade for {named}, was left out."
            key = named
        return TermReview(key, said.grade, said.reason.strip())

    def lifted(self, said: LiftReply) -> Lift | str:
        """Return the ban to lift, or why there is none."""
        key = self.key(said.variable, said.term)
        if isinstance(key, str):
            return f"A ban on {key}, cannot be lifted."
        ban = ban_on(self.state, key)
        if ban is None:
            return f"{key.skeleton} in the equation of {said.variable} is not banned."
        if by_person(self.state, key):
            return f"The Scientist would let in {key.skeleton}, which you banned: {said.reason.strip()}"
        return Lift(key, said.reason.strip())

    def key(self, variable: str, text: str) -> TermKey | str:
        """Return which term of which equation is meant, or what is wrong with its name."""
        j = key_of(variable, self.bench, len(self.state.problem.dataset.states))
        if j is None:
            return f"{text!r} in an equation of {variable!r}, which is no state"
        try:
            skeleton = parse_term(text, self.bench.names, max_params=self.state.settings.max_params).skeleton
        except TermError:
            return f"{text!r}, which is no term"
        shown = as_shown((fit for fit in self.attempt if fit is not None and fit.equation == j), self.bench.names)
        return TermKey(j, shown.get(skeleton, skeleton))


def _unanswered(
    state: RunState, attempt: Sequence[EquationFit | None], ablations: Sequence[Ablation], bench: Workbench
) -> str:
    """Say that the description speaks of another system than the equations, once these explain the data."""
    if not all(fit is not None and not fit.failure and explains(fit) for fit in attempt):
        return ""
    known = [explanations(state.problem, bench.names, j) for j in range(len(attempt))]
    found = {known[a.key.equation].get(a.key.skeleton) for a in ablations if a.grade == "good"}
    if None in found:
        return ""  # it may be what the words speak of
    names = {entry.family.name for entry in found if entry is not None}
    return unanswered(state.problem.description, names, partial(behind, state, bench))


class NoScientist:
    """The ablation of the paper: nobody grades, and every term goes back to the Sampler with its numbers."""

    def review(
        self,
        state: RunState,
        attempt: Sequence[EquationFit | None],
        ablations: Sequence[Ablation],
        bench: Workbench,
        rng: np.random.Generator,
    ) -> Review:
        """Return a neutral grade for every term."""
        return Review(tuple(TermReview(a.key, "neutral", "This run has no Scientist.") for a in ablations))
