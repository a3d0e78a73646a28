"""Everything of a run in one zip file, and back: what comes in is a stranger's, so nothing of it is believed.

bundle.json        {"schema": "dolq-bundle/1", "name", "versions", "files": {name: SHA-256}}
run.json           the whole log, `dolq-run/1`: what `unpack` gives back
requirements.txt   the versions of the packages that the run was made with
README.txt         what each file is
...                the other targets
"""

import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, Final, NoReturn, cast

from dolq_core.errors import ExportError, grouped

SCHEMA: Final = "dolq-bundle/1"
LOG: Final = "run.json"
CARD: Final = "bundle.json"

MOST_BYTES: Final = 200 * 2**20
"""Size of a zip file that is read, as for a table that is uploaded."""
MOST_FILES: Final = 100
MOST_LOG: Final = 200 * 2**20
"""Size of an unpacked log: a thousand iterations took 8 MB, ten million samples take 110."""
MOST_CARD: Final = 2**20

_DAMAGED: Final = (
    zipfile.BadZipFile, zlib.error, struct.error, ArithmeticError, LookupError, EOFError, OSError, RuntimeError,
    TypeError, ValueError,
)  # fmt: skip
"""What `zipfile` raises on bytes that are none of its own."""
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_. -]{0,120}")
_AGAIN: Final = "Export the run again: python -m dolq_core export RUN --to bundle -o FILE"


def pack(name: str, files: Mapping[str, bytes], versions: Mapping[str, str]) -> bytes:
    """Return the zip file; `files` has run.json. The same run gives the same bytes."""
    card = {
        "schema": SCHEMA,
        "name": name,
        "versions": dict(versions),
        "files": {file: sha256(content).hexdigest() for file, content in files.items()},
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        shown = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
        for file, content in ((CARD, shown.encode("utf-8", "replace")), *files.items()):
            entry = zipfile.ZipInfo(file)  # of 1980, so that the bytes do not depend on the clock
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, content)
    return out.getvalue()


def unpack(content: bytes) -> bytes:
    """Return the log of a bundle; nothing is written anywhere and nothing else is unpacked.

    Raises:
        ExportError: for what is no bundle, is damaged, is of a newer version, or is larger than any run.
    """
    if len(content) > MOST_BYTES:
        _refuse(f"it has {len(content) / 2**20:.0f} MB, and {MOST_BYTES // 2**20} MB is the limit")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            _check_names(packed.infolist())
            card = _card(_read(packed, CARD, MOST_CARD))
            log = _read(packed, LOG, MOST_LOG)
    except _DAMAGED as error:
        raise ExportError("The bundle", f"it cannot be unpacked ({error})", _AGAIN) from None
    files = card.get("files")
    known = cast(dict[str, Any], files).get(LOG) if isinstance(files, dict) else None
    if known != sha256(log).hexdigest():
        _refuse(f"{LOG} is not what was packed: the file is damaged or was changed", _AGAIN)
    return log


def size_of_log(content: bytes) -> int:
    """Return the size that a bundle's log has at most, unpacked; that of the content where it is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            return max(one.file_size for one in packed.infolist() if one.filename == LOG)
    except _DAMAGED:
        return len(content)


def _check_names(found: list[zipfile.ZipInfo]) -> None:
    """Refuse what no bundle of ours has: folders, paths, links, repeated names, passwords, very many files."""
    if len(found) > MOST_FILES:
        _refuse(f"it holds {len(found)} files, and {MOST_FILES} is the limit")
    names = [one.filename for one in found]
    for one in found:
        if not _NAME.fullmatch(one.filename) or ".." in one.filename:
            _refuse(f"it holds a file at {one.filename!r}, and a bundle has no folders")
        if one.external_attr >> 28 not in (0, 0o10):  # the kind of file that Unix keeps there: none, or a plain one
            _refuse(f"{one.filename} in it is a link or something else that is no file")
        if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            _refuse(f"{one.filename} in it is packed in a way that no bundle of ours is")
        if one.flag_bits & 1:
            _refuse(f"{one.filename} in it has a password")
    if len({name.casefold() for name in names}) < len(names):
        _refuse("it holds two files of one name")


def _read(packed: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Return a file, and read no more than `most` bytes of it, whatever it claims to hold."""
    if name not in packed.namelist():
        _refuse(f"it has no {name}, so it is no bundle of DoLQ", "Choose a file that was exported as a bundle.")
    with packed.open(name) as file:
        content = file.read(most + 1)
    if len(content) > most:
        _refuse(f"{name} in it is larger than {grouped(most // 2**20)} MB")
    return content


def _card(content: bytes) -> dict[str, Any]:
    try:
        card: Any = json.loads(content)
    except (ValueError, RecursionError):
        _refuse(f"{CARD} in it is damaged", _AGAIN)
    schema = cast(dict[str, Any], card).get("schema") if isinstance(card, dict) else None
    if schema != SCHEMA:
        newer = isinstance(schema, str) and schema.startswith("dolq-bundle/")
        way_out = "It was written by a newer version of DoLQ: update the program." if newer else _AGAIN
        _refuse(f"its schema is {str(schema)[:40]!r}, and this program reads {SCHEMA!r}", way_out)
    return cast(dict[str, Any], card)


def _refuse(reason: str, way_out: str = "") -> NoReturn:
    raise ExportError("The bundle", reason, way_out)


# --- two files of a bundle -------------------------------------------------------------------------


_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_HERE = Path(__file__).parents[2] / "requirements.txt"


def frozen_requirements() -> str:
    """Return the program's own requirements with the versions that are installed here, one a line."""
    found = sorted({pinned for name in _wanted() if (pinned := _pinned(name))})
    return "\n".join(["# The versions that this run was exported with.", *found, ""])


def _wanted() -> Iterable[str]:
    """The requirements of the installed package, or of the checkout that runs."""
    try:
        lines = requires("dolq") or []
    except PackageNotFoundError:
        lines = _HERE.read_text(encoding="utf-8").splitlines() if _HERE.exists() else ["numpy", "scipy"]
    return [found[0] for line in lines if "extra ==" not in line and (found := _PACKAGE.match(line))]


def _pinned(name: str) -> str:
    try:
        return f"{name}=={version(name)}"
    except PackageNotFoundError:
        return ""


def read_me(title: str, files: Mapping[str, str]) -> str:
    """Return what each file of a bundle is; files: descriptions by name."""
    lines = [f"{title}: a run of DoLQ, with everything that was found and how.", ""]
    lines += [f"{name:34s} {what}" for name, what in files.items()]
    lines += ["", "To open it again, in another place too: python -m dolq_core import THIS_FILE", ""]
    return "\n".join(lines)
