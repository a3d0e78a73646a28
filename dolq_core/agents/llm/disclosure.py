"""What leaves this machine when language models take part, said before the first call and beside every call."""

from dolq_core.agents.providers import PRESETS
from dolq_core.records import ModelChoice, Models


def disclosure(models: Models) -> tuple[str, ...]:
    """Return the sentences to show: where to, what, and what not."""
    places = list(
        dict.fromkeys(place_of(choice) for choice in (models.sampler, models.scientist) if choice is not None)
    )
    told = "the description, the variables with their names, units and meanings, all terms with their figures, the "
    told += "reasons and grades, and what you said about terms"
    sentences = [f"Each call sends to {' and to '.join(places)}: {told}."]
    dolq = models.method == "dolq"
    if dolq and models.portrait:
        figures = "ranges, signs, correlations, sums, periods, noise, and where a law misses"
        sentences.append(f"Figures about the data are sent too: {figures}.")
    if dolq and models.looks:
        also = ", residuals and simulations" if models.portrait else ""
        sentences.append(f"Each role may look {models.looks} times before it answers: at fits{also}, in figures.")
    if dolq and models.rows:
        sentences.append(f"{models.rows} samples of the first run are sent too.")
    else:
        sentences.append("No sample of your data is sent.")
    return tuple(sentences)


def place_of(choice: ModelChoice) -> str:
    """Return the address and the model that a choice asks."""
    preset = PRESETS.get(choice.provider)  # a run that came as a file may name any
    own = (preset.base_url or f"{preset.title}'s own address") if preset else choice.provider
    return f"{choice.base_url or own} (model {choice.model})"
