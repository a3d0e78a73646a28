"""What the command line takes of the way in which a table is written, where the reader's own finding is wrong."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import click

_DELIMITERS: Final = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "blank": " "}
_DECIMALS: Final = {"point": ".", "comma": ","}
_OPTIONS: Final = (
    click.option(
        "--delimiter",
        type=click.Choice(list(_DELIMITERS)),
        help="What stands between the columns of a text file. Default: found.",
    ),
    click.option(
        "--decimal", type=click.Choice(list(_DECIMALS)), help="The decimal mark of the numbers. Default: found."
    ),
    click.option("--header", metavar="ROW", help="Row of the names, or 'none'. Default: found."),
    click.option(
        "--comment", metavar="MARK", help="What a comment of a text file begins with, or 'none'. Default: found."
    ),
    click.option("--sheet", default="", help="Sheet of a workbook. Default: the first one with numbers."),
)


def dialect(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say how a table is written; it takes them as `how`, a `Dialect`."""

    @wraps(command)
    def with_how(
        *args: Any,
        delimiter: str | None,
        decimal: str | None,
        header: str | None,
        comment: str | None,
        sheet: str,
        **others: Any,
    ) -> None:
        from dolq_core.data import Dialect  # noqa: PLC0415  --help answers at once

        how = Dialect(
            _DELIMITERS.get(delimiter or "", ""),
            _DECIMALS.get(decimal or "", ""),
            _row(header),
            "" if comment == "none" else comment,
            sheet,
        )
        command(*args, how=how, **others)

    for option in reversed(_OPTIONS):
        with_how = option(with_how)
    return with_how


def _row(said: str | None) -> int | None:
    if said is None:
        return None
    if said == "none":
        return 0
    if said.isdecimal() and int(said):
        return int(said)
    raise click.BadParameter(f"'{said}' is no row. Give its number, from 1, or 'none'.", param_hint="--header")
