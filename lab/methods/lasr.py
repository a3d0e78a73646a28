"""LaSR: concepts, which a model abstracts from good and bad laws, guide how laws are changed and crossed.

Grayeli, Sehgal, Costilla-Reyes, Cranmer, Chaudhuri: "Symbolic Regression with a Learned Concept Library" (2024).
There most changes are blind ones of an evolution; here the program crosses two laws by chance and shows the child to
the model beside the concepts, which it is free to follow. The concepts are the insight of the run.
"""

from collections.abc import Sequence

import numpy as np

from dolq_core.agents.llm.allowance import Allowance
from dolq_core.agents.llm.asking import Asker, Question
from dolq_core.agents.llm.schemas import Shape
from dolq_core.agents.llm.telling import quoted, system_part
from dolq_core.fitting import Workbench
from dolq_core.ports import ChatModel
from dolq_core.records import Ablation, EquationFit, Models, Review, RunState, TermReview
from lab.methods.sampler import SYSTEM, law_text, listed_laws, visited_of

GOOD, BAD, MOST = 4, 3, 8


class ConceptsReply(Shape):
    """What the model has abstracted, a sentence each."""

    concepts: list[str]


def prompt(state: RunState, bench: Workbench, count: int, rng: np.random.Generator) -> str:
    """Return the concepts, the best laws, and two that were crossed by chance."""
    if not state.archive:
        return "Propose laws that could describe this system, as different from each other as you can."
    concepts = f"Concepts that good laws seem to share:\n{quoted(state.insight)}\n" if state.insight else ""
    crossed = [f"d {bench.names.symbols[j]}/dt = {text}" for j in range(bench.d) if (text := _child(state, j, rng))]
    return "\n".join(
        [
            concepts + "Laws that were tried, the best last:",
            *listed_laws(state, bench, GOOD),
            *(["Children of two of them, crossed by chance:", *crossed] if crossed else []),
            "Change, cross or replace them in the sense of the concepts, so that they explain the data better.",
        ]
    )


def _child(state: RunState, equation: int, rng: np.random.Generator) -> str:
    """Return half of the terms of one good law with half of another's."""
    laws = visited_of(state, equation)[: 2 * GOOD]
    if len(laws) < 2:
        return ""
    parents: list[int] = rng.choice(len(laws), size=2, replace=False).tolist()
    terms = [t for k in parents for t in laws[k].fit.terms if rng.random() < 0.5]
    return " + ".join(f"params[{k}]*({t.skeleton})" for k, t in enumerate(terms) if not t.inner)


class Concepts:
    """In the place of a Scientist: grades nothing, and keeps the library of concepts."""

    def __init__(self, model: ChatModel, models: Models) -> None:
        self._model, self._models = model, models

    def review(
        self,
        state: RunState,
        attempt: Sequence[EquationFit | None],
        ablations: Sequence[Ablation],
        bench: Workbench,
        rng: np.random.Generator,
    ) -> Review:
        """Return neutral grades and the concepts so far with new ones first; raise AgentError."""
        good = listed_laws(state, bench, GOOD)
        bad = [
            f"d {bench.names.symbols[j]}/dt = {law_text(v.fit)}; NMSE {v.fit.nmse:.3g}"
            for j in range(bench.d)
            for v in visited_of(state, j)[GOOD:][-BAD:]
        ]
        asked = (
            "\n".join(["Good laws:", *good, *(["Bad laws:", *bad] if bad else [])])
            + "\nWhich concepts do the good laws share and the bad ones lack? At most three, a sentence each, without "
            'numbers.\nThe form of the answer: {"concepts": ["..."]}'
        )
        settings = state.settings
        text = f"{system_part(state, bench)}\n\n{asked}"
        question = Question("scientist", SYSTEM, text, settings.scientist_temperature, settings.max_tokens)
        answer = Asker(self._model, Allowance(state.models or self._models, state.spent)).ask(question, ConceptsReply)
        new = [" ".join(one.split()) for one in (answer.reply.concepts[:3] if answer.reply else ())]
        known = [line for line in state.insight.splitlines() if line and line not in new]
        reviews = tuple(TermReview(a.key, "neutral", "This loop grades nothing.") for a in ablations)
        return Review(reviews, "\n".join([*new, *known][:MOST]), answer.notes, answer.calls)
