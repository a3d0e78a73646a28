"""The law as a LaTeX document that compiles as it stands, with pdfLaTeX, XeLaTeX or LuaLaTeX."""

from collections.abc import Iterator

from dolq_core.export.comments import one_line
from dolq_core.export.latex import rounded, system
from dolq_core.export.law import Law
from dolq_core.export.templates import render
from dolq_core.records import STANDS, Variable
from dolq_core.terms import GREEK, Skeleton, latex_name, latex_text, to_latex

_GREEK = [*GREEK[:17], "varsigma", *GREEK[17:]]
"""Small letters in the order of Unicode."""
PER_LINE = 4
"""Terms in a line of an equation."""


def document(law: Law) -> str:
    """Return the words, the equations, what the symbols stand for, and every coefficient with its error."""
    title = f"{law.title}: the system that DoLQ found, after iteration {law.iteration}."
    paragraphs = [title, *(line for line in law.problem.description.splitlines() if line.strip())]
    columns = [_column(law, k, column) for k, column in enumerate((law.dataset.time, *law.variables))]
    parts = {
        "words": "\n\n".join(map(_text, paragraphs)),
        "system": system(law.fits, law.names, PER_LINE),
        "variables": " \\\\\n".join(columns),
        "terms": " \\\\\n".join(_terms(law)) or "none & & &",
        "statuses": "\n\n".join(_statuses(law)),
    }
    parts["declared"] = _declared("".join(parts.values()))
    return render("document.tex.j2", **parts)


def _text(text: str) -> str:
    return latex_text(one_line(text))


def _column(law: Law, place: int, column: Variable) -> str:
    symbol = latex_name(column.name if place == 0 else law.names.own[place - 1])
    said = f"{column.name}: {column.meaning}" if column.meaning else column.name
    return rf"${symbol}$ & \parbox[t]{{9cm}}{{\raggedright {_text(said)}}} & {_text(column.unit)}"


def _terms(law: Law) -> Iterator[str]:
    for fit, column in zip(law.fits, law.dataset.states, strict=True):
        for term in fit.terms:
            inner = tuple(float(f"{p:.4g}") for p in term.inner)
            body = "1" if term.skeleton == "1" else to_latex(Skeleton(term.skeleton), law.names, inner)
            error = "" if term.std_error is None else f"${rounded(float(f'{term.std_error:.2g}'))}$"
            yield f"${latex_name(column.name)}$ & ${body}$ & ${rounded(term.coefficient, term.std_error)}$ & {error}"


def _statuses(law: Law) -> Iterator[str]:
    for column, (status, reason) in zip(law.dataset.states, law.statuses, strict=True):
        yield f"Change of {_text(column.name)}: {STANDS[status]}. {_text(reason)}".rstrip()
    if law.record:
        yield _text(law.record)


def _declared(shown: str) -> str:
    """Return what pdfLaTeX puts for letters that its fonts lack: Greek as mathematics, the others as [?]."""
    strange = sorted({char for char in shown if ord(char) > 0x7F})
    if not strange:
        return ""
    lines = [
        r"  \newcommand{\orelse}[3]{\ifcsname u8:\detokenize{#1}\endcsname\else\DeclareUnicodeCharacter{#2}{#3}\fi}"
    ]
    lines += [rf"  \orelse{{{char}}}{{{ord(char):04X}}}{{{_instead(char)}}}" for char in strange]
    return "\n".join(lines) + "\n"


def _instead(char: str) -> str:
    place = ord(char) - 0x3B1
    letter = _GREEK[place] if 0 <= place < len(_GREEK) else ""
    return {"": "[?]", "omicron": "o"}.get(letter, rf"\ensuremath{{\{letter}}}")
