"""What the calls of a run may still use, checked before each one."""

from collections.abc import Sequence
from dataclasses import dataclass

from dolq_core.errors import AgentError
from dolq_core.records import ModelCall, Models, Spent


@dataclass(frozen=True, slots=True)
class Allowance:
    """The budget of a run's models and what was used before this question."""

    models: Models
    spent: Spent

    def check(self, calls: Sequence[ModelCall]) -> None:
        """Raise AgentError when a budget is used up; `calls` came since `spent` was counted."""
        budget = self.models.budget
        tokens_in = self.spent.tokens_in + sum(call.tokens_in for call in calls)
        tokens_out = self.spent.tokens_out + sum(call.tokens_out for call in calls)
        seconds = self.spent.seconds + sum(c.seconds + sum(look.seconds for look in c.looks) for c in calls)
        used = (
            ("calls", budget.calls, self.spent.calls + len(calls)),
            ("tokens", budget.tokens, tokens_in + tokens_out),
            ("seconds", budget.seconds, seconds),
            ("money", budget.money, cost(self.models, tokens_in, tokens_out)),
        )
        for unit, most, now in used:
            if most is not None and now >= most:
                reason = f"{now:.4g} of {most:.4g} {unit} are used" if unit != "money" else f"{now:.4g} of {most:.4g}"
                raise AgentError("The budget of the language models", reason, "Raise it to go on; nothing is lost.")


def cost(models: Models, tokens_in: int, tokens_out: int) -> float:
    """Return what tokens cost, in the unit of the prices (per million tokens)."""
    return (tokens_in * models.price_in + tokens_out * models.price_out) / 1e6
