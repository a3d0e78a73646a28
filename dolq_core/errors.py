"""Every error that a person may see: the thing, the reason and the way out, as attributes."""


class DolqError(Exception):
    """Base of the errors that are shown to a person as they stand.

    Attributes:
        thing: what is at fault ("the term 'np.sinc(x0)'", "Row 42").
        reason: what is wrong with it.
        way_out: what to do instead; empty when the reason says it.
    """

    def __init__(self, thing: str, reason: str, way_out: str = "") -> None:
        super().__init__(thing, reason, way_out)
        self.thing = thing
        self.reason = reason
        self.way_out = way_out

    def __str__(self) -> str:
        """Return one or two sentences: `thing: reason. way out`."""
        said = f"{self.thing}: {self.reason}"
        if not self.way_out:
            return said
        joint = "" if said.endswith((".", ";", "?")) else "."
        return f"{said}{joint} {self.way_out}"


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


class DataError(DolqError):
    """A table that cannot be used for discovery."""


class FitError(DolqError):
    """A fit or a simulation that cannot be set up at all (a failed one is a record, not an error)."""


class AgentError(DolqError):
    """A Sampler or Scientist that could not answer; the state is still good to go on from."""


class StoreError(DolqError):
    """A run that cannot be read or written."""
