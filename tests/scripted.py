"""Agents that say what they were given: for tests, lessons, and runs that must go the same way twice."""

from collections.abc import Sequence

import numpy as np

from dolq_core.errors import AgentError
from dolq_core.fitting import Workbench
from dolq_core.records import Ablation, EquationFit, Grade, ProposedTerm, Review, RunState, Sampling, TermReview


class ScriptedSampler:
    """Proposes `script[i]` in iteration i + 1: hypotheses of equations of term texts. The last one repeats."""

    def __init__(self, script: Sequence[Sequence[Sequence[Sequence[str]]]]) -> None:
        self.script = script
        self.asked: list[RunState] = []

    def propose(self, state: RunState, bench: Workbench, rng: np.random.Generator) -> Sampling:
        """Return the hypotheses of the script for this iteration."""
        self.asked.append(state)
        if not self.script:
            raise AgentError("The scripted Sampler", "its script is empty", "Give it at least one iteration.")
        hypotheses = self.script[min(state.iteration, len(self.script) - 1)]
        return Sampling(tuple(tuple(map(_terms, equations)) for equations in hypotheses))


def _terms(texts: Sequence[str]) -> tuple[ProposedTerm, ...]:
    return tuple(ProposedTerm(text, "From the script.", source="script") for text in texts)


class ScriptedScientist:
    """Grades by skeleton; what is not in `grades` is good."""

    def __init__(self, grades: dict[str, Grade] | None = None, insight: str = "") -> None:
        self.grades = grades or {}
        self.insight = insight

    def review(
        self,
        state: RunState,
        attempt: Sequence[EquationFit | None],
        ablations: Sequence[Ablation],
        bench: Workbench,
        rng: np.random.Generator,
    ) -> Review:
        """Return the scripted grade of every term."""
        return Review(
            tuple(TermReview(a.key, self.grades.get(a.key.skeleton, "good"), "From the script.") for a in ablations),
            self.insight,
        )
