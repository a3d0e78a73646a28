"""What rooms beside the core add to it, loaded by name when it is asked for: the core imports none of them."""

from importlib import import_module
from typing import Any, Final

from dolq_core.errors import DolqError

EXTENSIONS: Final = {
    "bench": "lab.bench:bench",
    "optimizers": "lab.optimizers:fit_by_search",
    "methods": "lab.methods:method_of",
}
"""Name -> module and attribute: the command `bench`, the paper's optimizers, the loops that it compares itself with."""


def extension(name: str) -> Any:
    """Return what stands under a name of `EXTENSIONS`; raise DolqError where its room is not installed."""
    module, _, attribute = EXTENSIONS[name].partition(":")
    room = module.partition(".")[0]
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        if error.name != room:
            raise
        raise DolqError(
            name, f"the package '{room}' is not beside dolq_core", "Start the program from its own folder."
        ) from None
