"""Small records for the tests of stores, and strategies that make any record from its type hints."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal, NewType, get_args, get_origin, get_type_hints

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dolq_core.arrays import frozen
from dolq_core.records import (
    Dataset,
    Evaluation,
    Intervention,
    Iteration,
    Problem,
    Proposal,
    Review,
    Settings,
    Start,
    TargetInfo,
    Trajectory,
    Variable,
)


def start(name: str = "two decays", agents: str = "builtin") -> Start:
    t = np.linspace(0.0, 1.0, 20)
    x = np.column_stack([np.exp(-t), np.exp(-2 * t)])
    x[3, 1] = np.nan
    states = (Variable("temp (°C)", "temp_C", "°C"), Variable("λ", "lambda_"))
    data = Dataset(name, Variable("t", "t", "s"), states, (Trajectory(frozen(t), frozen(x), label="run 1"),))
    return Start(Problem(data, "Two things decay."), Settings(), seed=7, agents=agents)


def iteration(number: int) -> Iteration:
    target = TargetInfo("weak", "noise was seen", (0.1, 0.2), (0.01, float("inf")))
    return Iteration(
        number, Proposal(()), target, (), (None, None), Evaluation((), Review(())), (), seconds={"fit": 0.5}
    )


def intervention(reason: str) -> Intervention:
    return Intervention(reason=reason)


FLOATS = st.floats(allow_nan=False)


def records(kind: Any) -> SearchStrategy[Any]:
    """Any record of the kind, deep down: inf and -0.0, empty tuples, all sorts of text, arrays with NaN."""
    hints = get_type_hints(kind)
    values = {f.name: _values(hints[f.name]) for f in fields(kind)}
    for name, ends in (Settings.ranges() if kind is Settings else {}).items():
        values[name] = (st.integers if hints[name] is int else st.floats)(*ends)
    return st.builds(kind, **values)


def _values(hint: Any) -> SearchStrategy[Any]:
    plain = {
        str: st.text(max_size=5),
        bool: st.booleans(),
        int: st.integers(-(2**62), 2**62),
        float: FLOATS,
        type(None): st.none(),
    }
    origin, args = get_origin(hint), get_args(hint)
    if hint in plain:
        return plain[hint]
    if isinstance(hint, NewType):
        return _values(hint.__supertype__)
    if is_dataclass(hint):
        return records(hint)
    if origin is Literal:
        return st.sampled_from(args)
    if origin is np.ndarray:
        return st.lists(st.floats(), max_size=6).map(frozen) | st.integers(0, 40).map(
            lambda n: frozen(np.zeros((n, 2)))
        )
    if origin is tuple and args[1:] == (...,):
        return st.lists(_values(args[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(_values, args))
    if origin is Mapping:
        return st.dictionaries(_values(args[0]), _values(args[1]), max_size=2)
    return st.one_of(*map(_values, args))
