"""Language models: which one plays which part, what it may cost, and every attempt to reach it."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

UNREAD: Final = "The reply could not be read as asked, also not when asked again: "
DECLINED: Final = "The model declined to answer"
"""How what is said of a reply that cannot be used begins."""
Method: TypeAlias = Literal["dolq", "icsr", "llm-sr", "lasr", "edl"]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A language model as a person chose it. A key is no part of it: keys are never stored.

    Attributes:
        provider: "gemini", or a server that speaks chat.completions (`dolq_core.agents.providers.PRESETS`).
        model: its name at the provider.
        base_url: the server's address; empty for the provider's own.
    """

    provider: str
    model: str
    base_url: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """What the models of a run may use in all; None is no limit. `money` is in the unit of the prices."""

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    money: float | None = None


@dataclass(frozen=True, slots=True)
class Models:
    """The language models of a run.

    Attributes:
        sampler: who proposes.
        scientist: who grades; None for a run without a Scientist (the ablation of the paper).
        proposals: hypotheses per iteration that come from the model; the rest are from the built-in search.
        budget: what all calls together may use.
        price_in, price_out: money per million tokens read and written, as the person knows it.
        portrait: whether figures about the data (ranges, signs, correlations, where a law misses) are told.
        rows: how many samples are told; 0, unless a person asks for it.
        method: which loop the models play in: this one, or one of those that the paper compares itself with
            (`lab.methods`), which have no Scientist.
        looks: how often each role may look at data and fits in an iteration before it answers.
    """

    sampler: ModelChoice
    scientist: ModelChoice | None
    proposals: int = 3
    budget: Budget = Budget()
    price_in: float = 0.0
    price_out: float = 0.0
    portrait: bool = True
    rows: int = 0
    looks: int = 4
    method: Method = "dolq"


@dataclass(frozen=True, slots=True)
class Look:
    """What a model asked to see before it answered.

    Attributes:
        name: of the look (`dolq_core.agents.llm.looks`).
        asked: its arguments as JSON, as the model wrote them; answer: what it was told.
    """

    name: str
    asked: str
    answer: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One attempt to reach a language model. The built-in agents make none.

    Attributes:
        role: "sampler" or "scientist".
        provider, server, model: who was asked; answered_by: the model's name in the reply.
        system, prompt: all that was sent besides the settings.
        reply: the raw text that came back.
        form: how the shape of the reply was asked for: "tools", "json_schema", "json_object" or "plain".
        finish: why the model stopped, in the provider's word.
        tokens_reasoning: part of `tokens_out` that was thought and not said.
        seconds: from the request to the reply.
        looks: what the reply asked to see; the answers stand in the prompt of the next call.
        failure: kind of failure (`dolq_core.ports.ChatFailure`), empty when a reply came; error: what went
            wrong with what; way_out: what to do about it.
    """

    role: str
    provider: str
    model: str
    prompt: str
    reply: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    error: str = ""
    server: str = ""
    answered_by: str = ""
    system: str = ""
    form: str = ""
    temperature: float = 0.0
    max_tokens: int = 0
    finish: str = ""
    tokens_reasoning: int = 0
    failure: str = ""
    way_out: str = ""
    retry_after: float | None = None
    looks: tuple[Look, ...] = ()


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls have used so far, with their looks. An attempt that failed is a call too."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    looks: int = 0
