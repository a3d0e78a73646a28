"""Jinja templates of the exported files.

A template is ours; nothing of a run is ever compiled as one. HTML, SVG and XML are escaped, and in every file a
character that is not printed (a control, a mark that turns the direction of writing) becomes a space.
"""

from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from dolq_core.records import derivative


def printable(text: str) -> str:
    """Return `text` with a space for every character that is not printed, ends of lines aside."""
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)


def _shown(value: Any) -> Any:
    return printable(value) if type(value) is str else value  # Markup is another type: it is a part already made


TEMPLATES: Final = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=select_autoescape(("html", "svg", "xml")),
    finalize=_shown,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


def render(template: str, /, **values: Any) -> str:
    """Return the file that a template makes of the values."""
    return TEMPLATES.get_template(template).render(values, derivative=derivative)
