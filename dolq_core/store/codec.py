"""Records to JSON text and back, by the type hints of their fields alone: a new field needs no line here.

    in Python                  in JSON
    str int bool None Literal  as they are, checked against the hint; NumPy scalars become plain ones
    float                      its shortest exact form; "inf" and "-inf" as text; NaN is refused
    tuple                      a list
    Mapping[str, ...]          an object
    Mapping[TermKey, ...]      a list of pairs
    an array of floats         {"shape", "raw" | "zlib"}: little-endian float64 in base64, any value, NaN too
    a record                   an object of all its fields, also those that have their default
    one of several records     the same with its name as "type"; so is the outermost record, with the "schema"

A field that is missing takes its default (the text is older than the field). A field, a value or a schema
that this program does not know is refused: the text is newer, and to drop a part of it would lose a decision.
"""

import base64
import json
import math
import reprlib
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from operator import index
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NewType,
    NoReturn,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.errors import StoreError

SCHEMA = 1
MOST_WHOLE = 2**63 - 1
NEWER = "It was written by a newer version of DoLQ: update the program."

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Record = TypeVar("Record")


def to_json(record: object) -> str:
    """Return the record as one line of text; raise StoreError when a value does not fit its hint."""
    return dumps(to_plain(record))


def from_json(of: type[Record], text: str) -> Record:
    """Return the record that `to_json` wrote; `of` is its type, or the union that it is one of."""
    return from_plain(of, loads(text))


def to_plain(record: object) -> dict[str, Json]:
    """Return the record as what `json` can write."""
    kind = type(record)
    body = cast(dict[str, Json], _codec(kind).encode(record, kind.__name__))
    return {"schema": SCHEMA, "type": kind.__name__, **body}


def from_plain(of: type[Record], plain: Json) -> Record:
    """Return the record that `to_plain` made."""
    table = _object(plain, "The record")
    schema = table.get("schema")
    if not isinstance(schema, int) or not 1 <= schema <= SCHEMA:
        _refuse("The record", f"its schema is {reprlib.repr(schema)}, and this program reads up to {SCHEMA}", NEWER)
    kinds = get_args(of) or (of,)
    body = {key: value for key, value in table.items() if key != "schema"}
    return cast(Record, _one_of(kinds).decode(body, "The record"))


def dumps(plain: Json) -> str:
    """Return compact, strict JSON, in ASCII so that any text survives."""
    return json.dumps(plain, allow_nan=False, separators=(",", ":"))


def loads(text: str) -> Json:
    """Read strict JSON; raise StoreError for anything else."""
    try:
        return json.loads(text, parse_constant=_not_json)
    except ValueError as error:
        raise StoreError("The record", f"it is not JSON ({error})", "The file is damaged: restore a copy.") from error


def _not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _refuse(where: str, reason: str, way_out: str = "") -> NoReturn:
    raise StoreError(where, reason, way_out)


# --- one codec per type hint ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Codec:
    """Both ways for one type hint. The text is the place in the record, for the message."""

    encode: Callable[[Any, str], Json]
    decode: Callable[[Json, str], Any]


@cache
def _codec(hint: Any) -> _Codec:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, NewType):
        return _codec(hint.__supertype__)
    if is_dataclass(hint):
        return _record(cast(type[Any], hint))
    origin = get_origin(hint)
    if origin is None or origin not in _GENERIC:
        raise TypeError(f"records cannot have fields of type {hint!r}")
    return _GENERIC[origin](get_args(hint))


def _both(check: Callable[[Any, str], Any]) -> _Codec:
    return _Codec(check, check)


def _text(value: Any, where: str) -> str:
    return str(value) if isinstance(value, str) else _refuse(where, f"{reprlib.repr(value)} is not a text")


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool | np.bool_):
        _refuse(where, f"{reprlib.repr(value)} is not true or false")
    return bool(cast(bool, value))


def _whole(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        _refuse(where, f"{reprlib.repr(value)} is not a whole number")
    number = index(cast(int, value))
    return number if -MOST_WHOLE <= number <= MOST_WHOLE else _refuse(where, f"a number beyond {MOST_WHOLE} is none")


def _nothing(value: Any, where: str) -> None:
    return None if value is None else _refuse(where, f"{reprlib.repr(value)} is not empty")


def _number_out(value: Any, where: str) -> Json:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        _refuse(where, f"{reprlib.repr(value)} is not a number")
    number = _float(cast(float, value), where)
    if math.isnan(number):
        _refuse(where, "NaN is no figure: use inf for a failed fit, None for one that was not computed")
    return number if math.isfinite(number) else str(number)


def _number_in(value: Json, where: str) -> float:
    if value in ("inf", "-inf"):
        return float(cast(str, value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(where, f"{reprlib.repr(value)} is not a number")
    number = _float(value, where)
    return number if math.isfinite(number) else _refuse(where, "a number beyond all that a computer has is none")


def _float(value: float, where: str) -> float:
    try:
        return float(value)
    except OverflowError:
        _refuse(where, "a number beyond all that a computer has is none")


# --- arrays -----------------------------------------------------------------------------------------


def _array_out(value: Floats, where: str) -> Json:
    if value.dtype != np.float64:
        _refuse(where, f"an array of {value.dtype} is not one of floats")
    raw = value.astype("<f8").tobytes()
    packed = zlib.compress(raw, 6)
    way, data = ("zlib", packed) if len(packed) < 0.9 * len(raw) else ("raw", raw)
    return {"shape": list(value.shape), way: base64.b64encode(data).decode("ascii")}


def _array_in(value: Json, where: str) -> Floats:
    table = _object(value, where)
    shape = [_whole(n, where) for n in _list(table.get("shape"), where)]
    way = "zlib" if "zlib" in table else "raw"
    try:
        data = base64.b64decode(_text(table.get(way), where), validate=True)
        raw = _unpacked(data, 8 * math.prod(shape)) if way == "zlib" else data
        return frozen(np.frombuffer(raw, dtype="<f8").reshape(shape))
    except (ValueError, zlib.error) as error:
        raise StoreError(where, f"the array is damaged ({error})", "Restore a copy of the file.") from error


def _unpacked(data: bytes, size: int) -> bytes:
    """Unpack `size` bytes and no more, whatever the data claim to hold."""
    return zlib.decompressobj().decompress(data, size) if size > 0 else b""


# --- tuples, tables, unions -------------------------------------------------------------------------


def _object(value: Json, where: str) -> dict[str, Json]:
    return value if isinstance(value, dict) else _refuse(where, f"{reprlib.repr(value)} is not an object")


def _list(value: Json, where: str) -> list[Json]:
    return value if isinstance(value, list) else _refuse(where, f"{reprlib.repr(value)} is not a list")


def _tuple(args: tuple[Any, ...]) -> _Codec:
    if len(args) == 2 and args[1] is ...:
        each = _codec(args[0])
        return _Codec(
            lambda value, where: [each.encode(v, f"{where}[{i}]") for i, v in enumerate(value)],
            lambda value, where: tuple(each.decode(v, f"{where}[{i}]") for i, v in enumerate(_list(value, where))),
        )
    parts = [_codec(a) for a in args]
    return _Codec(
        lambda value, where: [
            p.encode(v, where) for p, v in zip(parts, _length(value, len(parts), where), strict=True)
        ],
        lambda value, where: tuple(
            p.decode(v, where) for p, v in zip(parts, _length(_list(value, where), len(parts), where), strict=True)
        ),
    )


def _length(values: Iterable[Any], n: int, where: str) -> list[Any]:
    found = list(values)
    return found if len(found) == n else _refuse(where, f"there are {len(found)} values, not {n}")


def _mapping(args: tuple[Any, ...]) -> _Codec:
    key, value = _codec(args[0]), _codec(args[1])
    if args[0] is not str:
        pairs = _tuple((tuple[args[0], args[1]], ...))
        return _Codec(
            lambda table, where: pairs.encode(table.items(), where),
            lambda table, where: dict(pairs.decode(table, where)),
        )
    return _Codec(
        lambda table, where: {_text(k, where): value.encode(v, f"{where}[{k!r}]") for k, v in table.items()},
        lambda table, where: {
            key.decode(k, where): value.decode(v, f"{where}[{k!r}]") for k, v in _object(table, where).items()
        },
    )


def _literal(args: tuple[Any, ...]) -> _Codec:
    def check(value: Any, where: str) -> Any:
        return value if value in args else _refuse(where, f"{reprlib.repr(value)} is none of {', '.join(args)}", NEWER)

    return _both(check)


def _union(args: tuple[Any, ...]) -> _Codec:
    """Either one hint or None, or one of several records."""
    others = tuple(a for a in args if a is not NoneType)
    some = _codec(others[0]) if len(others) == 1 else _one_of(others)
    if NoneType not in args:
        return some
    return _Codec(
        lambda value, where: None if value is None else some.encode(value, where),
        lambda value, where: None if value is None else some.decode(value, where),
    )


def _one_of(kinds: tuple[Any, ...]) -> _Codec:
    if not all(is_dataclass(k) for k in kinds):
        raise TypeError(f"only records can be told apart by their names: {kinds!r}")
    named = {k.__name__: _codec(k) for k in kinds}

    def encode(value: Any, where: str) -> Json:
        name = type(value).__name__
        if name not in named:
            _refuse(where, f"a {name} is none of {', '.join(named)}")
        return {"type": name, **_object(named[name].encode(value, where), where)}

    def decode(value: Json, where: str) -> Any:
        body = dict(_object(value, where))
        name = body.pop("type", None)
        if not isinstance(name, str) or name not in named:
            _refuse(where, f"{reprlib.repr(name)} is none of {', '.join(named)}", NEWER)
        return named[name].decode(body, name)

    return _Codec(encode, decode)


# --- records ----------------------------------------------------------------------------------------


def _record(kind: type[Any]) -> _Codec:
    hints = get_type_hints(kind)
    parts = {f.name: _codec(hints[f.name]) for f in fields(kind)}
    needed = {f.name for f in fields(kind) if not _has_default(f)}

    def encode(value: Any, where: str) -> Json:
        if type(value) is not kind:
            _refuse(where, f"{reprlib.repr(value)} is not a {kind.__name__}")
        return {name: part.encode(getattr(value, name), f"{where}.{name}") for name, part in parts.items()}

    def decode(value: Json, where: str) -> Any:
        body = _object(value, where)
        _known(body, parts, needed, where)
        return kind(**{name: parts[name].decode(v, f"{where}.{name}") for name, v in body.items()})

    return _Codec(encode, decode)


def _has_default(f: Field[Any]) -> bool:
    return f.default is not MISSING or f.default_factory is not MISSING


def _known(body: Mapping[str, Json], parts: Mapping[str, _Codec], needed: set[str], where: str) -> None:
    unknown, missing = sorted(body.keys() - parts.keys()), sorted(needed - body.keys())
    if unknown:
        _refuse(
            where, f"it has {', '.join(name[:40] for name in unknown[:9])}, which this program does not know", NEWER
        )
    if missing:
        _refuse(where, f"it lacks {', '.join(missing)}", "The file is damaged: restore a copy.")


_PLAIN: dict[Any, _Codec] = {
    str: _both(_text),
    bool: _both(_flag),
    int: _both(_whole),
    float: _Codec(_number_out, _number_in),
    NoneType: _both(_nothing),
}
_GENERIC: dict[Any, Callable[[tuple[Any, ...]], _Codec]] = {
    np.ndarray: lambda _: _Codec(_array_out, _array_in),
    tuple: _tuple,
    Mapping: _mapping,
    Literal: _literal,
    Union: _union,
    UnionType: _union,
}
