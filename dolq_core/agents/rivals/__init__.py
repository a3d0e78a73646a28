"""The loops that the paper compares itself with, as Samplers on the same ports, so that anyone can run them again.

    icsr     the best laws so far as examples, a better one is asked for   Merler et al. 2024
    llm-sr   programs with parameters, evolved on islands                  Shojaee et al. 2024
    lasr     concepts that a model abstracts from good and bad laws        Grayeli et al. 2024
    edl      self-improvement and a genetic algorithm in words, in turns   Du et al. 2024

The idea of each is as published; prompts, the language of terms, fits and the archive are ours, and so are choices that
a page of a paper leaves open. Their authors' programs are the reference. Nothing is graded and nothing is pruned.
"""

from collections.abc import Callable, Mapping

from dolq_core.agents.rivals import edl, icsr, lasr, llm_sr
from dolq_core.agents.rivals.sampler import Prompt, RivalSampler
from dolq_core.ports import ChatModel
from dolq_core.records import Models

PROMPTS: Mapping[str, Prompt] = {
    "icsr": icsr.prompt,
    "llm-sr": llm_sr.prompt,
    "lasr": lasr.prompt,
    "edl": edl.prompt,
}


def rival(models: Models, connect: Callable[[str], ChatModel]) -> tuple[RivalSampler, lasr.Concepts | None]:
    """Return the Sampler of a rival, and who writes its concepts where it has any; connect: reaches a role's model."""
    sampler = RivalSampler(connect("sampler"), models, PROMPTS[models.method])
    return sampler, lasr.Concepts(connect("scientist"), models) if models.method == "lasr" else None
