"""Did your word help? The answer in sentences, with the numbers that it rests on."""

from dolq_core.views.comparison import Comparison, Effect, Side
from pages.history import table
from pages.ui import words

SAID = {
    "nothing": "No answer: neither system can be simulated.",
    "helped": "Yes, it helped",
    "hurt": "No, it made the error larger",
    "same": "It made no difference: same terms, same error",
    "simpler": "It made the law simpler: fewer terms for the same error",
    "larger": "It made the law larger: more terms for the same error",
    "open": "Open: other terms, as many, for the same error",
}


def answer(found: Comparison) -> list[str]:
    """Return the answer and what qualifies it, as Markdown; nothing where the runs do not part at a word."""
    told = found.effect
    if told is None:
        return []
    spoken, silent = (found.here, found.there) if told.is_here else (found.there, found.here)
    asked = f"**Did your word help?** ({words.plain(spoken.then.removeprefix('your word (').removesuffix(')'))})"
    if told.verdict == "early":
        idle = "without it" if told.since[0] else "with it"
        return [f"{asked} No answer yet: step the run {idle}, then compare again."]
    if told.verdict == "nothing":
        return [f"{asked} {SAID['nothing']}"]
    figures = f"With it: {_figures(spoken)}. Without it: {_figures(silent)}."
    return [f"{asked} **{SAID[told.verdict]}{_on(told)}.** {figures}{_moved(found)}", *_but(told)]


def _moved(found: Comparison) -> str:
    """Say which equation stands elsewhere with the word than without it: a count of settled ones may hide it."""
    with_it = found.effect is not None and found.effect.is_here
    sides = [
        (one.stands_here, one.stands_there) if with_it else (one.stands_there, one.stands_here)
        for one in found.equations
    ]
    moved = [(one, side) for one, side in zip(found.equations, sides, strict=True) if all(side) and side[0] != side[1]]
    return "".join(
        f" {words.plain(one.name)}: {spoken} with it, {silent} without it." for one, (spoken, silent) in moved
    )


def _on(told: Effect) -> str:
    if told.verdict not in ("helped", "hurt"):
        return ""
    return " on the held-out data" if told.held_out else " on the trajectories"


def _figures(side: Side) -> str:
    line = side.summary
    parts = [f"error {table.error(line.error)} on the trajectories"]
    parts += [f"{table.error(line.held_out)} held out"] if line.held_out is not None else []
    return ", ".join([*parts, words.plural(line.terms, "term"), line.status])


def _but(told: Effect) -> list[str]:
    """What a fair reader has to know beside the answer."""
    said = []
    if told.turned:
        said.append("On the fitted part, the reverse.")
    if told.since[0] != told.since[1]:
        said.append(f"Iterations since: {told.since[0]} with it, {told.since[1]} without.")
    if told.others:
        said.append(f"{words.plural(told.others, 'other word')} of yours since.")
    return [f":small[{' '.join(said)}]"] if said else []
