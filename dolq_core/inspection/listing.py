"""Findings in the order of their weight: what stops first, then what needs a look, then the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from dolq_core.data.findings import OPTIONS, SHOWN, Code, Finding, Severity

Weight: TypeAlias = Literal["stops", "mind", "said"]
_DOUBTFUL: Final[frozenset[Code]] = frozenset(
    ("blank-block", "cell-unit", "constant-column", "derivative-guess", "duplicate-name", "footer", "input-gap",
     "input-guess", "repeated-header", "rounded", "sentinel", "thousands-or-point",
     "time-guess", "too-few-points", "zero-byte")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of a list of findings; `option` of the command line changes what was assumed."""

    weight: Weight
    code: Code
    severity: Severity
    text: str
    way_out: str = ""
    option: str = ""


def listed(findings: Sequence[Finding]) -> tuple[Listed, ...]:
    """Return what stops first, then what needs a look, then the rest; of a kind at most SHOWN, and the count."""
    kinds: dict[tuple[Weight, Code], list[Finding]] = {}
    for one in findings:
        kinds.setdefault((_weight(one), one.code), []).append(one)
    order: tuple[Weight, ...] = ("stops", "mind", "said")
    return tuple(line for kind in sorted(kinds, key=lambda kind: order.index(kind[0])) for line in _lines(kinds[kind]))


def _lines(kind: Sequence[Finding]) -> Iterator[Listed]:
    for one in kind[:SHOWN]:
        yield Listed(_weight(one), one.code, one.severity, one.sentence, one.way_out, OPTIONS.get(one.code, ""))
    if len(kind) > SHOWN:
        yield Listed(_weight(kind[0]), kind[0].code, kind[0].severity, f"And {len(kind) - SHOWN} more of this kind.")


def _weight(one: Finding) -> Weight:
    """Names that are numbers or were made up need a look; names taken from a comment do not."""
    if one.severity == "stops":
        return "stops"
    return "mind" if one.code in _DOUBTFUL or (one.code == "no-header" and one.rows) else "said"
