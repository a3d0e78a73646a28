"""Random terms as text, and their plain value: Python's own reading of the text, in the tests only."""

import math
import re
import warnings

import numpy as np
from hypothesis import strategies as st

SYMBOLS = ("x0", "x1", "x2")
NUMBERS = ("2", "3", "0.5", "1.5", "0.1", "7", "0.25", "10")

_leaves = st.sampled_from([*SYMBOLS, *SYMBOLS, "t", *NUMBERS])


def _grow(inner):
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda two: f"({two[0]} + {two[1]})"),
        pair.map(lambda two: f"({two[0]} - {two[1]})"),
        pair.map(lambda two: f"({two[0]})*({two[1]})"),
        pair.map(lambda two: f"({two[0]})*({two[1]})"),
        pair.map(lambda two: f"({two[0]})/({two[1]})"),
        inner.map(lambda one: f"(-({one}))"),
        st.tuples(inner, st.sampled_from(["2", "3", "-1", "-2", "0.5", "1.5", "-0.5", "0.3"])).map(
            lambda two: f"({two[0]})**({two[1]})"
        ),
        st.tuples(st.sampled_from(["sin", "cos", "exp", "abs", "sqrt", "tanh", "sign", "log", "cosh"]), inner).map(
            lambda two: f"{two[0]}({two[1]})"
        ),
        pair.map(lambda two: f"(1.5 + sin({two[0]}))**({two[1]})"),
    )


terms = st.recursive(_leaves, _grow, max_leaves=7)

_FUNCTIONS = {
    "sin": np.sin, "cos": np.cos, "exp": np.exp, "abs": np.abs, "sqrt": np.sqrt, "tanh": np.tanh, "sign": np.sign,
    "log": np.log, "cosh": np.cosh,
}  # fmt: skip


def plain_value(text, x, t):
    """What NumPy says to the text of a term: an oracle that shares no code with the package."""
    scope = {**_FUNCTIONS, **dict(zip(SYMBOLS, x, strict=True)), "t": t}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            floats = re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"\1.0", text)
            value = eval(floats, {"__builtins__": {}}, scope)  # noqa: S307
        except (ZeroDivisionError, OverflowError):
            return np.full(t.shape, math.nan)
    if np.iscomplexobj(value):
        return np.full(t.shape, math.nan)
    return np.broadcast_to(np.asarray(value, dtype=float), t.shape)


def points(count=40):
    """Random points (x, t) of both signs, away from zero."""
    rng = np.random.default_rng(1)
    x = rng.uniform(0.3, 2.5, (len(SYMBOLS), count)) * rng.choice([-1.0, 1.0], (len(SYMBOLS), count))
    return x, rng.uniform(0.1, 3.0, count)
