"""How numbers and records are said; and the one place where a stranger's text is made harmless."""

import math
import re
import sys
from collections.abc import Callable, Sequence

import numpy as np

from dolq_core.errors import THIN, grouped
from dolq_core.records import (
    STANDS,
    Action,
    AgentsNote,
    Choice,
    EquationFit,
    Grade,
    Models,
    Spent,
    Status,
    Variable,
)
from dolq_core.views.amounts import MINUS, RAISED, SMALL, borne, in_words

JOINER = "\N{WORD JOINER}"
NBSP, BREAK = "\N{NO-BREAK SPACE}", "\N{ZERO WIDTH SPACE}"
ALIKE = 10  # times its value up to which an error has the same power of ten
PLUS_MINUS = f" ±{NBSP}"  # where a column is narrow, the error goes below
ICONS = {
    "keep": ":material/check:", "hold": ":material/pause:",
    "remove": ":material/close:", "pin": ":material/push_pin:",
}  # fmt: skip
PAST = {"keep": "kept", "hold": "held", "remove": "removed", "pin": "pinned"}
COLOURS = {"keep": "blue", "hold": "gray", "remove": "orange", "pin": "violet"}
STATUS_COLOURS: dict[Status, str] = {"settled": "blue", "provisional": "orange", "none": "gray"}
STATUS_ICONS: dict[Status, str] = {
    "settled": ":material/check:", "provisional": ":material/pending:", "none": ":material/block:",
}  # fmt: skip
CHOICES: tuple[Choice, ...] = ("keep", "hold", "remove", "pin")
AIMS = {
    "weak": "Weighted means of the rates (weak form)",
    "integral": "Samples against integrals of the terms",
    "spline": "Slopes of a smooth curve through the samples",
    "savgol": "Slopes by Savitzky and Golay",
    "gradient": "Differences between neighbours, as in the paper",
}
STRATEGIES = {
    "trajectory": "fitted to whole runs",
    "all rows": "finally on all rows",
}
NO_GRADE = "no grade"  # of a Scientist who was asked and said nothing
PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")

NORMAL = 1.96  # standard errors each way that hold the true value in 19 of 20 cases
RISKY = re.compile(r"[!#$&*:;<>@\[\\\]`{|}~]|(?<![^\W_])_|_(?![^\W_])")
UNLINKED = re.compile(r"[!#$&*:;<>@\\`{|}~]|(?<![^\W_])_|_(?![^\W_])")
"""The same where no bracket leads on to an address."""


def plain(text: str) -> str:
    r"""Return Markdown that shows a stranger's text letter by letter: no markup, link, LaTeX, HTML or icon.

    Every ASCII sign is escaped; a word joiner before `:`, `@` and `.` stops what is looked for in the finished
    text (`:material/..:`, `:smile:`, `www.`, addresses), where a backslash does not help.
    """
    line = _line(text)
    broken = re.sub(r"(?<=\w)([:@]|\.(?=[A-Za-z]))", rf"{JOINER}\1", line)
    return PUNCTUATION.sub(r"\\\1", broken)


def _line(text: str) -> str:
    """Return text as one line, whose thousands stay together."""
    return re.sub(rf"[^\S{THIN}]+", " ", text.strip())


def label(text: str) -> str:
    """Return the label of a widget: harmless as in `plain`, with few backslashes, which a screen reader would read.

    Products get a dot and powers a raised figure; brackets, slashes and lines within a name need no escape.
    """
    line = re.sub(r"\*\*(\d+)", lambda found: _raised(int(found[1])), _line(text))
    broken = re.sub(r"(?<=\w)([:@]|\.(?=[A-Za-z]))", rf"{JOINER}\1", re.sub(r"(?<=[\w)`])\*(?=[\w(`])", "·", line))
    return (RISKY if "](" in broken else UNLINKED).sub(r"\\\g<0>", broken)


def number(value: float | None, digits: int = 3, least: float = SMALL) -> str:
    """Return the number for reading: `digits` significant digits, a true minus, thin spaces in thousands.

    least: below it a power of ten is written.
    """
    if value is None:
        return "not known"
    if not math.isfinite(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    size = abs(value)
    if size and (size < least or size >= 1e6):
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        return f"{mantissa}×10{_raised(int(exponent))}".replace("-", MINUS)
    places = max(0, digits - 1 - (math.floor(math.log10(size)) if size else 0))
    return _signed(value, places)


def coefficient(value: float, error: float | None) -> str:
    """Return `value ± error`: two digits of the error, the value to the same place, two digits where it is smaller."""
    if not error or not math.isfinite(error) or not math.isfinite(value):
        return bare(value)
    largest = max(abs(value), error)
    if largest < sys.float_info.min:  # too small for its power of ten to be a float
        return bare(0.0)
    digits = borne(value, error)
    if error < 1e-5 * abs(value) or not value:
        return f"{bare(value, digits)}{PLUS_MINUS}{_cut(error, 2)}"
    if (largest < SMALL or largest >= 1e6) and error <= ALIKE * abs(value):
        power = math.floor(math.log10(largest))
        both = coefficient(value / 10**power, error / 10**power).replace(PLUS_MINUS, PLUS_MINUS.replace(" ", NBSP))
        return f"({both}){BREAK}×10{_raised(power)}"
    doubt = _cut(error, 2, 0.0 if largest >= SMALL else SMALL)
    return f"{_cut(value, digits)}{PLUS_MINUS}{f'({doubt})' if '×' in doubt else doubt}"  # its power is its own


def _cut(value: float, digits: int, least: float = SMALL) -> str:
    """Return exactly so many digits, those of a large number before its point filled with zeros."""
    return number(float(f"{value:.{digits}g}"), digits, least)


def interval(value: float, error: float | None) -> str:
    """Return the range that holds the true value in 19 of 20 cases, as far as the standard error tells."""
    if not error or not math.isfinite(error) or not math.isfinite(value):
        return "not known"
    if error < 1e-12 * abs(value):
        return bare(value)
    return " to ".join(ends(value, error, value - NORMAL * error, value + NORMAL * error))


def ends(value: float, error: float, *marks: float) -> list[str]:
    """Return some values near one with this standard error, each to as many digits as the error leaves."""
    if SMALL <= max(abs(value), error) < 1e6:
        power = math.floor(math.log10(error))
        places = -power + (round(error / 10**power, 6) < 2)
        return [_signed(round(mark, places), max(0, places)) for mark in marks]
    digits = min(12, max(3, 2 + math.ceil(math.log10(max(abs(value), error)) - math.log10(error))))
    return [number(mark, digits) for mark in marks]


def errors(fit: EquationFit) -> str:
    """Return the errors of an equation's rate beside each other."""
    parts = [f"**{number(fit.nmse, 2)}** where fitted", f"**{number(fit.cv_nmse, 2)}** cross-validated"]
    parts += [] if fit.held_out is None else [f"**{number(fit.held_out, 2)}** held out"]
    return f"Error of the rate (NMSE): {', '.join(parts)}."


def strategy(text: str) -> str:
    """Say how coefficients were found, from the words of the record."""
    return ", ".join(STRATEGIES.get(part, part) for part in text.split(", "))


def bare(value: float, digits: int = 5) -> str:
    """Return up to so many digits, without zeros at the end."""
    text = number(value, digits)
    head, by, power = text.partition("×")
    return (head.rstrip("0").rstrip(".") if "." in head else head) + by + power


def times(ratio: float) -> str:
    """Return a ratio of errors as `×175`; beyond 10 000 only its power of ten says anything."""
    if ratio < 9999.5:
        return f"×{number(ratio, 3)}"
    return "×∞" if math.isinf(ratio) else f"×10{_raised(math.floor(math.log10(ratio)))}"


NATS = " Nats: natural-log units of likelihood; 3 nats are odds of 20 to 1."
"""Said once wherever a table or a chart counts in them."""


def dropped(refitted: float, nats: float | None) -> str:
    """Return what is lost without a term: nats where whole runs were fitted, else how many times the error grows."""
    if nats is None:
        return "–" if math.isnan(refitted) else times(refitted)
    return f"{number(nats, 2)} nats" if math.isfinite(nats) else "no fit"


def with_unit(value: float, unit: str, digits: int = 2) -> str:
    """Return the number with its unit."""
    shown = number(value, digits)
    return f"{shown} {in_words(1.0 if shown == '1' else value, unit)}".rstrip()


def per(unit: str, time: str) -> str:
    """Return the unit of a rate."""
    return f"{unit or '1'} per {time}" if time else unit


def noise(states: Sequence[Variable], levels: Sequence[float]) -> str:
    """Say how noisy each state is, in its own unit."""
    if not any(levels):
        return "No visible noise."
    each = [f"{with_unit(level, s.unit)} in {s.name}" for s, level in zip(states, levels, strict=True)]
    return f"Noise: about {plain(', '.join(each))}."


def badge(action: Action | Choice) -> str:
    """Return the word with its icon and colour: colour never stands alone."""
    return f":{COLOURS[action]}-badge[{ICONS[action]} {action}]"


def verdict(status: Status, said: str = "") -> str:
    """Return the verdict on an equation, or on a system, as a badge: the same words on every page."""
    return f":{STATUS_COLOURS[status]}-badge[{STATUS_ICONS[status]} {plain(said or STANDS[status].capitalize())}]"


RIVAL = ":material/call_split:"
HIDDEN = " :gray-badge[hidden]"
"""Beside the verdict on the law of a state that nobody measured."""


def rivals(count: int) -> str:
    """Return how many other laws fit as well, as a badge; empty where there is none."""
    return f":orange-badge[{RIVAL} {plural(count, 'rival')}]" if count else ""


def choice_label(choice: str) -> str:
    """Return the button text of a choice."""
    return f"{ICONS[choice]} {choice}"


def grade(word: Grade, loud: bool) -> str:
    """Return a grade; bold where it is half of a disagreement."""
    return f"**{word}**" if loud else word


def evidence(refitted: float, nats: float | None = None) -> str:
    """Say what the fit loses without a term, as the Numbers' side of an argument; nats where whole runs were fitted."""
    if nats is not None:
        return _in_nats(nats)
    if not math.isfinite(refitted):
        return "without it nothing can be fitted."
    if refitted >= 1000:
        return "without it the cross-validated error is over 1000 times as large."
    if refitted >= 1.02:
        return f"without it the cross-validated error is {short(refitted)} times as large."
    if refitted > 0.98:
        return "the cross-validated error is as small without it."
    return f"without it the cross-validated error falls to {number(refitted * 100, 2)} %."


def _in_nats(nats: float) -> str:
    if not math.isfinite(nats):
        return "without it no simulation follows the samples."
    if abs(nats) <= 1.0:
        return "the samples are explained as well without it."
    if nats < 0.0:
        return f"the law is better without it, by {short(-nats)} nats."
    return f"without it the law is worse, by {short(nats)} nats."


def short(value: float) -> str:
    """Return a number for a sentence: two digits, no zeros at the end."""
    return number(value, 2).removesuffix(".0")


def cells(texts: Sequence[str]) -> str:
    """Return the cells of a row as one element, a paragraph each, which the style sheet sets side by side.

    The browser takes as long for a column as for a paragraph of text. A cell is one line, and never empty.
    """
    return "\n\n".join(texts)


def plural(count: int, one: str, many: str = "") -> str:
    """Return `1 term`, `2 terms`, `3 000 terms`."""
    return f"{grouped(count)} {one if count == 1 else many or one + 's'}"


def _signed(value: float, places: int) -> str:
    text = grouped(value, f".{places}f")
    return text.replace("-", MINUS) if float(f"{value:.{places}f}") else text.replace("-", "")


def _raised(exponent: int) -> str:
    return str(exponent).translate(RAISED)


def tex(latex: str) -> str:
    """Return inline LaTeX for Markdown; a dollar inside it would end it."""
    return f"${latex.replace(chr(92) + '$', chr(92) + 'textdollar ')}$"


def span(values: np.ndarray) -> str:
    """Return the range of a column."""
    known = values[np.isfinite(values)]
    return f"{bare(float(known.min()))} to {bare(float(known.max()))}" if len(known) else "no values"


def in_chart(text: str) -> str:
    """Return text that plotly shows letter by letter: it reads a few HTML tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def shortened(text: str, most: int) -> str:
    """Return text of at most so many letters, cut in its middle: names alike begin alike, and end with their units."""
    end = (most - 1) // 2
    return text if len(text) <= most else f"{text[: most - 1 - end]}…{text[-end:]}"


_POWER = re.compile(r"\*\*(?:(-?\d+(?:\.\d+)?)|\((-?\d+(?:\.\d+)?(?:/\d+)?)\))")


def chart_term(text: str) -> str:
    """Return a term as a label of a chart can set it: powers high, products by a dot."""
    return _set(in_chart(text), lambda power: f"<sup>{power}</sup>")


def cell_term(text: str) -> str:
    """Return a term as a grid can show it: whole powers high, others behind ^, products by a dot."""
    return _set(text, lambda power: _raised(int(power)) if re.fullmatch(r"-?\d+", power) else f"^({power})")


def _set(text: str, raised: Callable[[str], str]) -> str:
    high = _POWER.sub(lambda power: raised(power[1] or power[2]), text).replace("**", "^")
    return re.sub(r"\s*\*\s*", "·", high)


def letters(latex: str) -> float:
    """Return about how many letters wide LaTeX is when it is set; indices and powers are small."""
    text = re.sub(r"\\(mathrm|text|left|right|operatorname|frac)|\\[,;! ]", "", latex)
    text = re.sub(r"\\((?:arc)?(?:sin|cos|tan)h?|exp|ln|log)\b", r"\1", text)
    small = "".join(re.findall(r"[_^]\{([^{}]*)\}", text))
    rest = re.sub(r"\\[a-zA-Z]+", "xx", re.sub(r"[_^]\{[^{}]*\}", "", text))
    return len(re.sub(r"[\s{}\\]", "", rest)) + 0.6 * len(small)


def iterations(done: int, limit: int) -> str:
    """Say how many iterations are done, of how many after which auto mode stops."""
    return f"{done} of {plural(limit, 'iteration')} used" if done <= limit else f"{plural(done, 'iteration')} done"


def models(chosen: Models) -> str:
    """Say which language models take part."""
    sampler = chosen.sampler.model
    if chosen.scientist is None:
        return f"Sampler {sampler}, no Scientist"
    same = chosen.scientist == chosen.sampler
    return f"{sampler} proposes and grades" if same else f"{sampler} proposes, {chosen.scientist.model} grades"


def agents(note: AgentsNote) -> str:
    """Say who proposes and grades from a person's word on."""
    if note.agents != "models":
        return "The built-in agents go on"
    return "The language models wait to be chosen again" if note.models is None else f"{models(note.models)} from here"


def spent(chosen: Models, used: Spent, money: float) -> str:
    """Say what the calls have used, and of how much."""
    budget = chosen.budget
    parts = [f"{_of(used.calls, budget.calls)} calls", f"{_of(used.tokens_in + used.tokens_out, budget.tokens)} tokens"]
    if budget.seconds is not None:
        parts.append(f"{_of(round(used.seconds), round(budget.seconds))} s")
    if chosen.price_in or chosen.price_out or budget.money is not None:
        parts.append(f"cost {number(money)}" + (f" of {number(budget.money)}" if budget.money is not None else ""))
    return ", ".join(parts)


def _of(now: int, most: int | None) -> str:
    return grouped(now) if most is None else f"{grouped(now)} of {grouped(most)}"
