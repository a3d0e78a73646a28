"""What an HTTP status of a model server means, for every provider."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

from dolq_core.errors import ChatError, FailureKind
from dolq_core.ports import Form

KEY = (401, 403)
BUSY = (408, 409, 425, 429)
REFUSED = (400, 415, 422)
SHOWN = 300


def failure(
    status: int, message: str, thing: str, form: Form, headers: Mapping[str, str] | None = None, code: str = ""
) -> ChatError:
    """Return the error of a status; `message` is the server's own, shown to the person."""
    said = " ".join(message.split())[:SHOWN]
    shown = f"status {status}" + (f", {said!r}" if said else "")
    kind, way_out = _kind(status, form, code, said)
    after = retry_after(headers or {}) if kind in ("busy", "server") else None
    return ChatError(kind, thing, shown, way_out, retry_after=after)


def _kind(status: int, form: Form, code: str, said: str) -> tuple[FailureKind, str]:
    if status == 402 or "insufficient_quota" in (code, said):
        return "quota", "The account has no credit left: top it up, or choose another model."
    if status in KEY:
        return "key", "The key was not accepted: check it, and whether it may use this model."
    if status == 404:
        return "missing", "Check the model's name and the address."
    if status in BUSY:
        return "busy", "The server asks for patience; try again in a while."
    if status in REFUSED:
        return ("format" if form != "plain" else "refused"), "The server did not accept the request."
    if status >= 500:
        return "server", "The server has a problem; try again in a while."
    return "refused", "The server did not accept the request."


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a Retry-After header asks for (RFC 9110, 10.2.3: seconds or a date); None without."""
    said = headers.get("retry-after", "").strip()
    if not said:
        return None
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError):
            return None
    return max(seconds, 0.0) if isfinite(seconds) else None
