"""Language models behind the ChatModel port, one file per provider; each SDK is imported in its file only."""

from collections.abc import Mapping
from dataclasses import dataclass

from dolq_core.errors import AgentError, ChatError
from dolq_core.ports import ChatModel
from dolq_core.records import ModelChoice

LETTERS = 8
"""Letters of a token at most: with fewer tokens than so, a server's own count is not taken."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A provider as it is offered.

    Attributes:
        title: its own name.
        base_url: where it answers; empty where its SDK knows.
        key_variable: environment variable that holds the key.
        local: it runs on the person's own machine, and needs no key.
    """

    title: str
    base_url: str
    key_variable: str
    local: bool = False


PRESETS: dict[str, Preset] = {
    "openai": Preset("OpenAI, or any server that speaks its protocol", "https://api.openai.com/v1", "OPENAI_API_KEY"),
    "gemini": Preset("Gemini", "", "GEMINI_API_KEY"),
    "openrouter": Preset("OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "deepseek": Preset("DeepSeek", "https://api.deepseek.com", "DEEPSEEK_API_KEY"),
    "xai": Preset("xAI", "https://api.x.ai/v1", "XAI_API_KEY"),
    "ollama": Preset("Ollama on this machine", "http://localhost:11434/v1", "OLLAMA_API_KEY", local=True),
    "vllm": Preset("vLLM on this machine", "http://localhost:8000/v1", "VLLM_API_KEY", local=True),
    "lmstudio": Preset("LM Studio on this machine", "http://localhost:1234/v1", "LMSTUDIO_API_KEY", local=True),
}


def preset_of(choice: ModelChoice) -> Preset:
    """Return the provider of a choice; raise AgentError for a name nobody knows."""
    if choice.provider not in PRESETS:
        known = ", ".join(PRESETS)
        raise AgentError(f"The provider {choice.provider!r}", "there is none of this name", f"Use one of: {known}.")
    return PRESETS[choice.provider]


def key_for(choice: ModelChoice, given: str, environment: Mapping[str, str]) -> str:
    """Return the key for a call: the one that was given, else the one of the environment, else nothing.

    A key of the environment belongs to who runs the program, and goes to the provider's own address only: whoever
    can type another address must not be able to have it sent there.
    """
    return given.strip() or (environment.get(preset_of(choice).key_variable, "").strip() if is_own(choice) else "")


def is_own(choice: ModelChoice) -> bool:
    """Whether the address of a choice is the provider's own."""
    return choice.base_url.rstrip("/") in ("", preset_of(choice).base_url.rstrip("/"))


def connect(choice: ModelChoice, key: str) -> ChatModel:
    """Return the model, not yet spoken to; raise ChatError when the choice or the key cannot be used at all."""
    preset = preset_of(choice)
    if not choice.model.strip():
        raise ChatError("missing", "The model", "no name was given", f"Name a model of {preset.title}.")
    if not key and not preset.local and is_own(choice):
        reason = f"there is no key for {preset.title}"
        raise ChatError("key", "The key", reason, f"Set {preset.key_variable}, or type the key in for this session.")
    if not key.isascii() or any(c.isspace() for c in key):
        raise ChatError("key", "The key", "it has a character that no key has", "Copy the key again, without quotes.")
    try:
        return _loaded(choice, key, preset)
    except ModuleNotFoundError as error:
        reason = f"the package '{error.name}' is not installed"
        raise ChatError(
            "missing", f"A model of {preset.title}", reason, "Install it: pip install 'dolq[llm]'"
        ) from None


def _loaded(choice: ModelChoice, key: str, preset: Preset) -> ChatModel:
    if choice.provider == "gemini":
        from dolq_core.agents.providers.gemini import GeminiModel  # noqa: PLC0415  loads the SDK

        return GeminiModel(choice, key)
    from dolq_core.agents.providers.openai import OpenAIModel  # noqa: PLC0415  loads the SDK

    return OpenAIModel(
        choice, key, choice.base_url or preset.base_url, is_openai=choice.provider == "openai" and is_own(choice)
    )
