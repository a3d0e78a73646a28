"""The conventions of scikit-learn's estimators, without scikit-learn: parameters are those of `__init__`, as given."""

# scikit-learn has no stubs, and is looked up where it is loaded already:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false

import inspect
import sys
from collections.abc import Callable
from math import inf
from typing import Any, Self

from dolq_core.agents import NAMES
from dolq_core.errors import DolqError, StoreError
from dolq_core.records import Models, Settings


class ParameterError(DolqError, ValueError):
    """A parameter that cannot be used; the sentence says which one, why, and what to give instead."""


class NotFittedError(StoreError, ValueError, AttributeError):
    """What is asked of a model needs a run; where scikit-learn is loaded, its NotFittedError as well."""


def not_fitted() -> NotFittedError:
    """Return the error of a model without a run."""
    said = "This model", "it has no run yet", "Call fit(X, t) first."
    theirs = getattr(sys.modules.get("sklearn.exceptions"), "NotFittedError", None)
    return type("NotFittedError", (NotFittedError, theirs), {})(*said) if theirs else NotFittedError(*said)


class Parameters:
    """Parameters by name, so that `sklearn.base.clone`, a grid or a pipeline can read and set them."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; deep is of no use here: none of them is an estimator."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name and return the estimator; raise ValueError for a name that is none."""
        known = self._names()
        for name in params:
            if name not in known:
                raise ValueError(f"{name!r} is no parameter of {type(self).__name__}: it has {', '.join(known)}.")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls).parameters if name != "self"]

    def check_params(self) -> None:
        """Raise ParameterError for the first parameter that no run can be made with; `fit` begins with it."""
        for name, (is_right, wanted) in _WANTED.items():
            value = getattr(self, name)
            if not is_right(value):
                raise ParameterError(f"The parameter {name}={value!r}", "it cannot be used", f"Give {wanted}.")

    def __repr__(self) -> str:
        """Return the call that makes it; what stands at its default is left out."""
        defaults = {name: one.default for name, one in inspect.signature(type(self)).parameters.items()}
        said = [f"{name}={value!r}" for name, value in self.get_params().items() if value is not defaults[name]]
        return f"{type(self).__name__}({', '.join(said)})"

    def __sklearn_tags__(self) -> Any:
        """Return what scikit-learn asks of an estimator; only scikit-learn calls it."""
        from sklearn.utils import InputTags, Tags, TargetTags  # noqa: PLC0415  it is there: it asks

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True),
            input_tags=InputTags(allow_nan=True),
            requires_fit=True,
        )

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is a run."""
        return hasattr(self, "run_")


def _is_whole(least: int) -> Callable[[Any], bool]:
    return lambda value: hasattr(value, "__index__") and not isinstance(value, bool) and int(value) >= least


def _is_seconds(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 < value < inf


_WANTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "agents": (lambda value: value in NAMES, " or ".join(map(repr, NAMES))),
    "max_iterations": (lambda value: value is None or _is_whole(1)(value), "a whole number from 1, or None"),
    "max_seconds": (lambda value: value is None or _is_seconds(value), "a number of seconds above 0, or None"),
    "random_state": (_is_whole(0), "a whole number from 0: a law has to come out the same again"),
    "settings": (lambda value: value is None or isinstance(value, Settings), "dolq_core.Settings(...), or None"),
    "models": (lambda value: value is None or isinstance(value, Models), "dolq_core.records.Models(...), or None"),
    "verbose": (lambda value: value in (0, 1, 2), "0, 1 for a line an iteration, or 2 for every phase"),
    "callback": (lambda value: value is None or callable(value), "a function of the model, or None"),
    "name": (lambda value: isinstance(value, str), "a text"),
}
