"""Records to JSON text and back, by the type hints of their fields: a new field needs no line here.

pydantic checks and converts the records; what JSON has no word for is written in a way of our own:

    float           its shortest exact form; "inf" and "-inf" as text; NaN is refused
    array           {"shape", "raw" | "zlib"}: little-endian float64 in base64, any value, NaN too
    whole record    an object of all its fields, also those at their default, led by "schema" and "type"

A field that is missing takes its default (the text is older than the field). A field, a value or a schema
that this program does not know is refused: the text is newer, and to drop a part of it would lose a decision.
`RunState` is not written: it is the fold of a log.
"""

import base64
import json
import math
import reprlib
import zlib
from collections.abc import Callable
from functools import cache
from operator import index
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, cast, get_args

import numpy as np
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, PydanticSerializationError, SchemaSerializer, SchemaValidator
from pydantic_core import core_schema as cs

from dolq_core.arrays import Floats, frozen
from dolq_core.errors import StoreError
from dolq_core.records import Entry

SCHEMA: Final = 1
MOST_WHOLE: Final = 2**63 - 1
NEWER: Final = "It was written by a newer version of DoLQ: update the program."
DAMAGED: Final = "The file is damaged: restore a copy."

ENTRY: Final = cast(type[Entry], Entry)  # a union of records, which has no type of its own

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
    validator, serializer = _pydantic(kind)
    try:
        body = cast(dict[str, Json], serializer.to_python(record, mode="json", warnings="error"))
    except (PydanticSerializationError, AttributeError) as error:
        try:
            validator.validate_python(record)
        except ValidationError as invalid:
            raise _explained(kind.__name__, invalid) from None
        raise StoreError(kind.__name__, f"it cannot be written ({error})") from error
    return {"schema": SCHEMA, "type": kind.__name__, **body}


def from_plain(of: type[Record], plain: Json) -> Record:
    """Return the record that `to_plain` made."""
    if not isinstance(plain, dict):
        _refuse("The record", f"{reprlib.repr(plain)} is not an object")
    schema, name = plain.get("schema"), plain.get("type")
    if not isinstance(schema, int) or not 1 <= schema <= SCHEMA:
        _refuse("The record", f"its schema is {reprlib.repr(schema)}, and this program reads up to {SCHEMA}", NEWER)
    kinds = {kind.__name__: kind for kind in get_args(of) or (of,)}
    if not isinstance(name, str) or name not in kinds:
        _refuse("The record", f"{reprlib.repr(name)} is none of {', '.join(kinds)}", NEWER)
    try:
        validator, _ = _pydantic(kinds[name])
        return validator.validate_python({key: plain[key] for key in plain.keys() - {"schema", "type"}})
    except ValidationError as invalid:
        raise _explained(name, invalid) from None


def dumps(plain: Json) -> str:
    """Return compact, strict JSON, in ASCII so that any text survives."""
    return json.dumps(plain, allow_nan=False, separators=(",", ":"))


def loads(text: str) -> Json:
    """Read strict JSON; raise StoreError for anything else."""
    try:
        return json.loads(text, parse_constant=not_json)
    except ValueError as error:
        raise StoreError("The record", f"it is not JSON ({error})", DAMAGED) from error


def not_json(constant: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python's reader takes for JSON."""
    raise ValueError(f"{constant} is not JSON")


def _refuse(where: str, reason: str, way_out: str = "") -> NoReturn:
    raise StoreError(where, reason, way_out)


def _explained(kind: str, invalid: ValidationError) -> StoreError:
    """Return the first of what pydantic found, in our words and with its place."""
    errors = invalid.errors(include_url=False, include_context=False)
    first = errors[0]
    where = kind + "".join(f"[{part!r}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
    value = reprlib.repr(first["input"])
    match first["type"]:
        case "unexpected_keyword_argument":
            unknown = ", ".join(_names(errors, first))
            return StoreError(where.rpartition(".")[0], f"it has {unknown}, which this program does not know", NEWER)
        case "missing":
            return StoreError(where.rpartition(".")[0], f"it lacks {', '.join(_names(errors, first))}", DAMAGED)
        case other:
            said = first["msg"].removeprefix("Value error, ").replace("Input should be", "it should be")
            said = said.replace("a valid tuple", "a list")
            return StoreError(where, f"{said}, not {value}", NEWER if other == "literal_error" else "")


def _names(errors: list[ErrorDetails], like: ErrorDetails) -> list[str]:
    return [str(one["loc"][-1])[:40] for one in errors if one["type"] == like["type"]][:9]


# --- what pydantic reads, and what is ours ----------------------------------------------------------


@cache
def _pydantic(kind: type[Any]) -> tuple[SchemaValidator, SchemaSerializer]:
    """Return both ways for a kind of record."""
    config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, revalidate_instances="always")
    hint = cast(type[Any], kind | None)  # a dataclass alone takes no config
    schema = _with_leaves(TypeAdapter(hint, config=config).core_schema)
    return SchemaValidator(schema), SchemaSerializer(schema)


def _with_leaves(schema: Any) -> Any:
    """Return what pydantic made of the hints, with our own leaves in the place of its."""
    if isinstance(schema, list):
        return [_with_leaves(one) for one in cast(list[Any], schema)]
    if not isinstance(schema, dict):
        return schema
    node = cast(dict[str, Any], schema)
    leaf = _LEAVES.get(node.get("cls") or node.get("type"))
    return leaf or {key: _with_leaves(value) for key, value in node.items()}


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError("it should be a number")
    try:
        number = float(cast(float, value))
    except OverflowError:
        raise ValueError("it should be a number that a computer has") from None
    if math.isnan(number):
        raise ValueError("it should be a number (inf for a failed fit, None where nothing was computed)")
    return number


def _number_in(value: Any) -> float:
    return float(value) if value == "inf" or value == "-inf" else _number(value)


def _number_out(value: Any) -> Json:
    number = _number(value)
    return number if math.isfinite(number) else str(number)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError("it should be a whole number")
    number = index(cast(int, value))
    if abs(number) > MOST_WHOLE:
        raise ValueError(f"it should be within {MOST_WHOLE}")
    return number


def _flag(value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise ValueError("it should be true or false")
    return bool(cast(bool, value))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("it should be a text")
    return str(value)


def _array_out(value: Any) -> Json:
    if not isinstance(value, np.ndarray) or cast(Floats, value).dtype != np.float64:
        raise ValueError("it should be an array of floats")
    array = cast(Floats, value)
    raw = array.astype("<f8").tobytes()
    packed = zlib.compress(raw, 6)
    way, data = ("zlib", packed) if len(packed) < 0.9 * len(raw) else ("raw", raw)
    return {"shape": list(array.shape), way: base64.b64encode(data).decode("ascii")}


def _array_in(value: Any) -> Floats:
    try:
        shape = [_whole(n) for n in value["shape"]]
        if "zlib" in value:
            size = 8 * math.prod(shape)  # and no more, whatever the data claim to hold
            packed = base64.b64decode(_text(value["zlib"]), validate=True)
            raw = zlib.decompressobj().decompress(packed, size) if size > 0 else b""
        else:
            raw = base64.b64decode(_text(value["raw"]), validate=True)
        return frozen(np.frombuffer(raw, dtype="<f8").reshape(shape))
    except (LookupError, TypeError, ValueError, zlib.error) as error:
        raise ValueError(f"it should be an array, and is damaged ({error})") from error


def _leaf(read: Callable[[Any], Any], write: Callable[[Any], Json]) -> cs.CoreSchema:
    return cs.no_info_plain_validator_function(read, serialization=cs.plain_serializer_function_ser_schema(write))


_LEAVES: Final[dict[Any, cs.CoreSchema]] = {
    "str": _leaf(_text, _text),  # pydantic's own refuses what UTF-8 cannot hold, which a badly read file has
    "bool": _leaf(_flag, _flag),
    "int": _leaf(_whole, _whole),
    "float": _leaf(_number_in, _number_out),
    np.ndarray: _leaf(_array_in, _array_out),
}
