"""The conventions of scikit-learn's estimators, without scikit-learn: parameters are those of `__init__`, as given."""

import inspect
from typing import Any, Self


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

    def __repr__(self) -> str:
        """Return the call that makes it; what stands at its default is left out."""
        defaults = {name: one.default for name, one in inspect.signature(type(self)).parameters.items()}
        said = [f"{name}={value!r}" for name, value in self.get_params().items() if value is not defaults[name]]
        return f"{type(self).__name__}({', '.join(said)})"
