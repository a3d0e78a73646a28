"""Laws drawn at random, so that anybody can have systems that nobody has seen.

Terms come as often as laws have them, each beside its own state x and any other one y; their sizes, the numbers inside
them, the start and the span are drawn as well. Kept is the first law that can be followed, in which every state moves,
still late in the run, and every term does what no other of its equation does. All from one seed.
"""

import re
from collections.abc import Mapping, Sequence
from math import log, pi

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.numerics.integrate import simulate
from dolq_core.records import Variable
from dolq_core.terms import Skeleton, compile_columns, compile_rhs, count_params, parse_term, safe_names
from lab.campaign.records import Case

NAMES = ("u", "v", "w")
STATES = (0.25, 0.45, 0.3)
"""Share of one, two and three states of what is drawn; of what is kept fewer have several.

As all shares and ranges here, chosen before the first law was run."""
TERMS = (0.05, 0.35, 0.4, 0.2)
"""Share of equations with one to four terms."""
DRAWS = 50
"""Of terms for one equation: few of them may be ones that it can have."""
DRIVEN, SHARED = 0.2, 0.5
"""Share of laws that a rhythm drives, and of those of several states with one flow in two equations."""
SIZE, PACE, INNER = (0.5, 6.0), (0.5, 20.0), (0.3, 3.0)
"""Of the states, of the time in which they change, and of the numbers inside terms, evenly in the logarithm."""
SPAN = (2.0, 15.0)
"""Of a run, in times of change."""
POINTS = (200, 300, 500)
TURNS = (3.0, 8.0)
"""Of a rhythm in ten times of change."""
WAVE = "sin(params[0] + params[1]*t)"
MOVES, LATE, OWN = 0.1, 0.08, 0.15
"""Least spread of a state beside its mean, least range in the last two thirds beside that of the whole run, and least
part of an equation's rate that no other terms of it make up for, for each term."""
FAR, LOOSE, EVALUATIONS = 30.0, 1e-8, 50_000
"""Sizes of a state at which a run is given up; accuracy and effort with which a law is tried."""

Part = tuple[Skeleton, float, tuple[float, ...]]
Law = list[list[Part]]


def drawn(seed: int, kinds: Mapping[str, float]) -> Case:
    """Return a system; kinds: how often each term in x and y comes."""
    rng = np.random.default_rng(seed)
    while True:
        d = 1 + int(rng.choice(len(STATES), p=STATES))
        size, pace = _logs(rng, SIZE, d), float(_logs(rng, PACE))
        symbols = safe_names(NAMES[:d]).symbols
        law = [_equation(rng, kinds, symbols, j, size, pace) for j in range(d)]
        if not all(law):
            continue
        if rng.random() < DRIVEN:
            _drive(rng, law, symbols, size, pace)
        if d > 1 and rng.random() < SHARED:
            _share(rng, law)
        begin = np.array([float(f"{v:.3g}") for v in size * np.exp(rng.normal(0.0, 0.8, d))])
        span = float(f"{pace * _logs(rng, SPAN):.2g}")
        t = np.linspace(0.0, span, int(rng.choice(POINTS)))
        if _is_at_work(law, symbols, begin, t, FAR * size):
            texts = tuple(" + ".join(map(_text, terms)) for terms in law)
            states = tuple(Variable(own, symbol) for own, symbol in zip(NAMES, symbols, strict=False))
            whole = (0.0, span)
            return Case(f"drawn {seed}", "", "", states, texts, (tuple(begin.tolist()),), whole, whole, len(t))


def _equation(
    rng: np.random.Generator, kinds: Mapping[str, float], symbols: Sequence[str], j: int, size: Floats, pace: float
) -> list[Part]:
    """Return the terms of one equation; none where one is not finite, or there are not so many kinds."""
    names, weights = list(kinds), np.array(list(kinds.values()))
    count = 1 + int(rng.choice(len(TERMS), p=TERMS))
    found: dict[Skeleton, Part] = {}
    for _ in range(DRAWS):
        if len(found) == count:
            break
        kind = names[int(rng.choice(len(names), p=weights / weights.sum()))]
        others = [symbol for symbol in symbols if symbol != symbols[j]]
        if "y" in kind and not others:
            continue
        other = others[int(rng.integers(len(others)))] if others else ""
        skeleton = _named(kind, symbols[j], other, symbols)
        inner = tuple(float(f"{v:.3g}") for v in _logs(rng, INNER, count_params(skeleton)))
        at = (size * np.exp(rng.normal(0.0, 0.3, len(size))))[:, None]
        value = abs(float(compile_columns(skeleton, tuple(symbols))(at, np.zeros(1), inner)[0]))
        if not 0.0 < value < np.inf:
            return []
        factor = float(rng.choice((-1.0, 1.0)) * size[j] / pace / value * np.exp(rng.normal(0.0, 0.5)))
        found.setdefault(skeleton, (skeleton, float(f"{factor:.3g}"), inner))
    return list(found.values()) if len(found) == count else []


def _named(kind: str, own: str, other: str, symbols: Sequence[str]) -> Skeleton:
    """Return a kind of term in the names of a law."""
    text = re.sub(r"\b[xy]\b", lambda name: own if name[0] == "x" else other, kind)
    return parse_term(text, tuple(symbols)).skeleton


def _drive(rng: np.random.Generator, law: Law, symbols: Sequence[str], size: Floats, pace: float) -> None:
    """Let a rhythm act on a state, or in proportion to it."""
    j = int(rng.integers(len(law)))
    inner = (float(f"{rng.uniform(-pi, pi):.3g}"), float(f"{rng.uniform(*TURNS) * 2.0 * pi / (10.0 * pace):.3g}"))
    strength = float(rng.uniform(0.3, 1.0)) / pace
    text, factor = (WAVE, size[j] * strength) if rng.random() < 0.5 else (f"{symbols[j]}*{WAVE}", strength)
    law[j].append((parse_term(text, tuple(symbols)).skeleton, float(f"{factor:.3g}"), inner))


def _share(rng: np.random.Generator, law: Law) -> None:
    """Let what leaves one state enter another, whole or in part."""
    i = int(rng.integers(len(law)))
    j = (i + int(rng.integers(1, len(law)))) % len(law)
    skeleton, factor, inner = law[i][int(rng.integers(len(law[i])))]
    part = 1.0 if rng.random() < 0.5 else float(rng.uniform(0.2, 0.9))
    law[j] = [own for own in law[j] if own[0] != skeleton]
    place = int(rng.integers(len(law[j]) + 1))
    law[j][place : place + 1] = [(skeleton, float(f"{-part * factor:.3g}"), inner)]


def _is_at_work(law: Law, symbols: Sequence[str], begin: Floats, t: Floats, bound: Floats) -> bool:
    path = simulate(
        compile_rhs(law, tuple(symbols)), begin, t, bound, rtol=LOOSE, evaluations=EVALUATIONS, patient=False
    )
    x = path.x.T
    if path.failure or not np.isfinite(x).all():
        return False
    late = x[:, len(t) // 3 :]
    if np.any(np.std(x, axis=1) < MOVES * np.abs(np.mean(x, axis=1))):
        return False
    if np.any(np.ptp(late, axis=1) < LATE * np.ptp(x, axis=1)):
        return False
    for terms in law:
        columns = np.array([factor * compile_columns(s, tuple(symbols))(x, t, inner) for s, factor, inner in terms])
        rate = float(np.linalg.norm(columns.sum(axis=0)))
        if not np.isfinite(columns).all() or any(_alone(columns, k) < OWN * rate for k in range(len(columns))):
            return False
    return True


def _alone(columns: Floats, k: int) -> float:
    """Return what of a column others do not make up for."""
    rest = np.delete(columns, k, axis=0).T
    weights = np.asarray(np.linalg.lstsq(rest, columns[k], rcond=None)[0], dtype=np.float64)
    return float(np.linalg.norm(columns[k] - rest @ weights))


def _text(part: Part) -> str:
    skeleton, factor, inner = part
    text = str(skeleton)
    for k, value in enumerate(inner):
        text = text.replace(f"params[{k}]", f"({value!r})" if value < 0.0 else repr(value))
    return f"{factor!r}*({text})"


def _logs(rng: np.random.Generator, between: tuple[float, float], count: int | None = None) -> Floats:
    return np.asarray(np.exp(rng.uniform(log(between[0]), log(between[1]), count)), dtype=np.float64)
