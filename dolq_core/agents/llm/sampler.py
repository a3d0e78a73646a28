"""The Sampler as a language model, alone or beside the built-in search."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dolq_core.agents.llm import sampler_prompt
from dolq_core.agents.llm.account import as_shown
from dolq_core.agents.llm.allowance import Allowance
from dolq_core.agents.llm.asking import Asker, Question
from dolq_core.agents.llm.families import chosen, written
from dolq_core.agents.llm.looks import Looker
from dolq_core.agents.llm.schemas import EquationReply, HypothesisReply, SamplerReply
from dolq_core.agents.llm.telling import key_of
from dolq_core.blocks import read_statement
from dolq_core.errors import DataError, TermError
from dolq_core.fitting import Workbench
from dolq_core.ports import ChatModel, Sampler
from dolq_core.records import Models, ProposedTerm, Refusal, RunState, Sampling, Stated
from dolq_core.terms import Skeleton, parse_term

MOST_STATEMENTS = 6
"""Statements of one hypothesis that are read: each is a fit of its own."""
Hypothesis = tuple[tuple[ProposedTerm, ...], ...]


class ModelSampler:
    """Asks a language model for `count` hypotheses (all of an iteration where it is None)."""

    def __init__(self, model: ChatModel, models: Models, count: int | None = None) -> None:
        self._model = model
        self._models = models
        self._count = count

    def propose(self, state: RunState, bench: Workbench, rng: np.random.Generator) -> Sampling:
        """Return what the model proposes; what cannot be used is refused with its reason; raise AgentError."""
        count = self._count or state.settings.hypotheses
        question = Question(
            "sampler",
            sampler_prompt.SYSTEM,
            sampler_prompt.prompt(state, bench, count),
            state.settings.sampler_temperature,
            state.settings.max_tokens,
            Looker(state, bench, (state.models or self._models).looks),
        )
        answer = Asker(self._model, Allowance(state.models or self._models, state.spent)).ask(question, SamplerReply)
        refused = [Refusal(0, None, "the reply of the Sampler", note) for note in answer.notes]
        hypotheses: list[Hypothesis] = []
        stated: list[tuple[Stated, ...]] = []
        for number, said in enumerate(answer.reply.hypotheses[:count] if answer.reply else ()):
            terms, wrong = _hypothesis(number, said, state, bench)
            terms, members = chosen(terms, state, bench)
            held, unread = _statements(number, [written(text, members) for text in said.statements], state, bench)
            refused += [*wrong, *unread]
            if any(terms):
                hypotheses.append(terms)
                stated.append(held)
            else:
                refused.append(Refusal(number, None, "the whole hypothesis", "it names no term of any equation"))
        if answer.reply and len(answer.reply.hypotheses) > count:
            beyond = f"{len(answer.reply.hypotheses)} came, {count} were asked for"
            refused.append(Refusal(count, None, "further hypotheses", beyond))
        note = f"Proposed by the language model {self._model.choice.model}."
        return Sampling(tuple(hypotheses), answer.calls, note, tuple(refused), tuple(stated) if any(stated) else ())


def _hypothesis(
    number: int, said: HypothesisReply, state: RunState, bench: Workbench
) -> tuple[Hypothesis, list[Refusal]]:
    d = len(state.problem.dataset.states)
    terms: list[tuple[ProposedTerm, ...]] = [()] * d
    refused: list[Refusal] = []
    for equation in said.equations:
        j = key_of(equation.variable, bench, d)
        if j is None:
            why = f"there is no equation of {equation.variable!r}: the states are {', '.join(bench.names.symbols[:d])}"
            refused.append(Refusal(number, None, f"an equation with {len(equation.terms)} terms", why))
        else:
            terms[j] = (*terms[j], *_terms(equation, j, state, bench))
    return tuple(terms), refused


def _statements(
    number: int, said: Sequence[str], state: RunState, bench: Workbench
) -> tuple[tuple[Stated, ...], list[Refusal]]:
    """Read what a hypothesis states; a line that cannot be read, or that a person's rules speak against, is refused."""
    held: list[Stated] = []
    refused: list[Refusal] = []
    texts = list(dict.fromkeys(said))
    for text in texts[:MOST_STATEMENTS]:
        try:
            held.append(Stated(text, read_statement(text, bench.names, len(state.problem.dataset.states))))
        except DataError as error:
            refused.append(Refusal(number, None, text, str(error)))
    beyond = texts[MOST_STATEMENTS:]
    refused += [Refusal(number, None, text, f"at most {MOST_STATEMENTS} statements are read") for text in beyond]
    return tuple(held), refused


def _terms(equation: EquationReply, j: int, state: RunState, bench: Workbench) -> Sequence[ProposedTerm]:
    """Return the terms of an equation; one that was copied from the prompt with its numbers is the one it was."""
    shown = as_shown((v.reported for (i, _), v in state.archive.items() if i == j), bench.names)
    return [ProposedTerm(_meant(one.term, shown, bench), one.reason, source="model") for one in equation.terms]


def _meant(text: str, shown: Mapping[Skeleton, Skeleton], bench: Workbench) -> str:
    try:
        return shown.get(parse_term(text, bench.names).skeleton, text) if shown else text
    except TermError:
        return text  # it is refused with the reason when it is read


class MixedSampler:
    """Some hypotheses from a language model, the rest from the built-in search; all are graded alike."""

    def __init__(self, model: Sampler, builtin: Sampler, count: int) -> None:
        self._model = model
        self._builtin = builtin
        self._count = count

    def propose(self, state: RunState, bench: Workbench, rng: np.random.Generator) -> Sampling:
        """Return the model's hypotheses first; raise AgentError when the model has no answer."""
        asked = self._model.propose(state, bench, rng)
        found = self._builtin.propose(state, bench, rng)
        rest = found.hypotheses[: max(state.settings.hypotheses - self._count, 0)]
        note = f"{asked.note} {len(rest)} from the built-in search."
        stated = (*asked.stated, *[()] * len(rest)) if asked.stated else ()
        return replace(asked, hypotheses=(*asked.hypotheses, *rest), note=note, stated=stated)
