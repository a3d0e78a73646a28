"""The Scientist as a language model, and the run without one."""

from collections.abc import Sequence

import numpy as np

from dolq_core.agents.llm import scientist_prompt
from dolq_core.agents.llm.allowance import Allowance
from dolq_core.agents.llm.asking import Asker, Question
from dolq_core.agents.llm.sampler_prompt import key_of
from dolq_core.agents.llm.schemas import GradeReply, ScientistReply
from dolq_core.errors import TermError
from dolq_core.fitting import Workbench
from dolq_core.ports import ChatModel
from dolq_core.records import Ablation, EquationFit, Models, Review, RunState, TermKey, TermReview
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
        )
        answer = Asker(self._model, Allowance(state.models or self._models, state.spent)).ask(question, ScientistReply)
        notes = list(answer.notes)
        grades: list[TermReview] = []
        for said in answer.reply.grades if answer.reply else ():
            key = _key(said, state, bench, ablations)
            if isinstance(key, str):
                notes.append(key)
            else:
                grades.append(TermReview(key, said.grade, said.reason.strip()))
        insight = answer.reply.insight.strip() if answer.reply else ""
        return Review(tuple(grades), insight, tuple(notes), answer.calls)


def _key(said: GradeReply, state: RunState, bench: Workbench, ablations: Sequence[Ablation]) -> TermKey | str:
    """Return whose grade it is, or why it is nobody's."""
    j = key_of(said.variable, bench, len(state.problem.dataset.states))
    if j is None:
        return f"A grade for {said.term!r} in an equation of {said.variable!r}, which is no state, was left out."
    exact = next((a.key for a in ablations if a.key.equation == j and a.key.skeleton == said.term.strip()), None)
    if exact is not None:
        return exact
    try:
        return TermKey(j, parse_term(said.term, bench.names, max_params=state.settings.max_params).skeleton)
    except TermError:
        return f"A grade for {said.term!r}, which is no term, was left out."


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
