"""The loops that the paper compares itself with, as Samplers on the same ports, so that anyone can run them again.

    icsr     the best laws so far as examples, a better one is asked for   Merler et al. 2024
    llm-sr   programs with parameters, evolved on islands                  Shojaee et al. 2024
    lasr     concepts that a model abstracts from good and bad laws        Grayeli et al. 2024
    edl      self-improvement and a genetic algorithm in words, in turns   Du et al. 2024

The idea of each is as published; prompts, the language of terms, fits and the archive are ours, and so are choices that
a page of a paper leaves open. Their authors' programs are the reference. Nothing is graded and nothing is pruned.
"""

from collections.abc import Mapping

from dolq_core.agents import Connect
from dolq_core.records import Models
from lab.methods import edl, icsr, lasr, llm_sr
from lab.methods.sampler import LawSampler, Prompt

PROMPTS: Mapping[str, Prompt] = {"icsr": icsr.prompt, "llm-sr": llm_sr.prompt, "lasr": lasr.prompt, "edl": edl.prompt}


def method_of(models: Models, connect: Connect) -> tuple[LawSampler, lasr.Concepts | None]:
    """Return the Sampler of a method, and who writes its concepts where it has any."""
    sampler = LawSampler(connect("sampler", models.sampler), models, PROMPTS[models.method])
    return sampler, lasr.Concepts(connect("scientist", models.sampler), models) if models.method == "lasr" else None
