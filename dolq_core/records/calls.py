"""Calls of language models."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One attempt to reach a language model. The built-in agents make none."""

    role: str
    provider: str
    model: str
    prompt: str
    reply: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    error: str = ""
