"""Every error that a person may see: the thing, the reason and the way out, as attributes; and numbers in words."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final, Literal, TypeAlias

FailureKind: TypeAlias = Literal[
    "format",
    "parameter",
    "key",
    "quota",
    "missing",
    "refused",
    "busy",
    "server",
    "connection",
    "timeout",
    "reply",
    "script",
]

THIN: Final = "\N{NARROW NO-BREAK SPACE}"
"""Stands between the thousands of a number that a person reads."""


ENDS: Final = (".", "?", "!", "\N{HORIZONTAL ELLIPSIS}")
"""What a sentence ends with."""


def grouped(value: float, form: str = "") -> str:
    """Return a number for people, with thin spaces between its thousands; form: as of `format`."""
    return f"{value:,{form}}".replace(",", THIN)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that is most like this one; empty where none is near."""
    return next(iter(get_close_matches(name, [*known], n=1)), "")


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return a question with the known name nearest to `name`, as a way out; `otherwise` where none is near."""
    near = nearest(name, known)
    return f"Did you mean '{near}'?" if near else otherwise


class DolqError(Exception):
    """Base of the errors that are shown to a person as they stand.

    Attributes:
        thing: what is at fault ("the term 'np.sinc(x0)'", "Row 42").
        reason: what is wrong with it.
        way_out: what to do instead; empty when the reason says it.
        option: what changes it on the command line; empty when nothing there does.
    """

    option: str = ""

    def __init__(self, thing: str, reason: str, way_out: str = "") -> None:
        super().__init__(thing, reason, way_out)
        self.thing = thing
        self.reason = reason
        self.way_out = way_out

    def __str__(self) -> str:
        """Return one or two sentences, `thing: reason. way out.`, each with its end."""
        said = f"{self.thing}: {self.reason}"
        if self.way_out:
            said += f"{'' if said.endswith((*ENDS, ';')) else '.'} {self.way_out}"
        return said if said.endswith((*ENDS, ":")) else f"{said}."


class TermError(DolqError):
    """A text that is not a term of the language.

    Attributes:
        text: the text as it was given.
        position: index of the first character at fault in `text`, or None.
    """

    def __init__(self, text: str, reason: str, way_out: str = "", position: int | None = None) -> None:
        shown = text if len(text) <= 60 else text[:57] + "..."
        place = "" if position is None else f" at character {position + 1}"
        super().__init__(f"Cannot read the term {shown!r}{place}", reason, way_out)
        self.text = text
        self.position = position


class DataError(DolqError, ValueError):
    """A table that cannot be used for discovery."""


class FitError(DolqError):
    """A fit or a simulation that cannot be set up at all (a failed one is a record, not an error)."""


class AgentError(DolqError):
    """A Sampler or Scientist that could not answer; the state is still good to go on from.

    Attributes:
        calls: the attempts to reach a language model that were made before (`records.ModelCall`), for the log.
    """

    calls: tuple[Any, ...] = ()


class StoreError(DolqError):
    """A run that cannot be read or written."""


class StoreUnwritable(StoreError):
    """A place that takes nothing at the moment, whatever it is: a full disk, a read-only folder."""


class ExportError(DolqError):
    """A run that cannot be written in the form that was asked for."""


class ChatError(DolqError):
    """A language model that gave no reply.

    | kind       | what happened                                        | asked again |
    |------------|------------------------------------------------------|-------------|
    | format     | the server does not know this form of asking         | no: plainer |
    | parameter  | the model does not take one of the settings          | without it  |
    | key        | no key, or a wrong one                               | no          |
    | quota      | the account is used up                               | no          |
    | missing    | no such model or address                             | no          |
    | refused    | the request itself was refused                       | no          |
    | busy       | too many requests                                    | yes         |
    | server     | the server failed                                    | yes         |
    | connection | no connection, or one that was cut                   | yes         |
    | timeout    | no whole reply in the time that a call may take      | yes         |
    | reply      | something came that is no reply of a model           | yes         |
    | script     | a recorded run has no further reply                  | no          |

    Attributes:
        kind: as in the table.
        retry_after: seconds that the server asks to wait, or None.
    """

    def __init__(
        self, kind: FailureKind, thing: str, reason: str, way_out: str = "", *, retry_after: float | None = None
    ) -> None:
        super().__init__(thing, reason, way_out)
        self.kind: FailureKind = kind
        self.retry_after = retry_after

    @property
    def passing(self) -> bool:
        """Whether the same request may succeed a little later."""
        return self.kind in ("busy", "server", "connection", "timeout", "reply")
