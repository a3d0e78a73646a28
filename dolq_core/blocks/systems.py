"""Rules that hold for a whole system: constants that are one, sums that stay, states that can be exchanged."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.blocks.rules import required
from dolq_core.records import Blocks, FittedTerm
from dolq_core.terms import Skeleton, count_params, parse_term, variables

Structures: TypeAlias = tuple[tuple[Skeleton, ...], ...]
"""The terms of every equation."""
System: TypeAlias = tuple[tuple[FittedTerm, ...], ...]
Row: TypeAlias = tuple[dict[int, float], float]
"""A linear condition on the numbers of a law: sum(factor * number) = value."""
PASSES = 4
"""Times that rules are asked again for what other rules have added."""
_NAME = re.compile(r"[A-Za-z_]\w*")
STARTS_BELOW = 3.0
"""Standard deviations of the noise by which a fitted start may lie below zero where nothing may be."""
SLACK = 1e-6
"""Of the size of a state, by which a simulation may pass a limit; its noise where that is larger."""


def is_joint(blocks: Blocks) -> bool:
    """Whether equations hang on each other, so that no law is put together of equations that were fitted apart."""
    return bool(blocks.ties or blocks.conserved or blocks.mirrors)


def is_watched(blocks: Blocks) -> bool:
    """Whether simulations have limits."""
    return bool(blocks.positive or blocks.monotone)


@lru_cache(maxsize=4096)
def mirrored(skeleton: Skeleton, one: str, other: str) -> tuple[Skeleton, float]:
    """Return a term with two states exchanged, and the factor that its normal form leaves: -1 for x - y."""
    text = _NAME.sub(lambda m: {one: other, other: one}.get(m[0], m[0]), skeleton)
    read = parse_term(text, sorted(variables(text) - {"t"}))
    return read.skeleton, read.coefficient


def joint(blocks: Blocks, places: Mapping[tuple[int, Skeleton], int]) -> list[Row]:
    """Return what the rules ask of numbers; places: (equation, skeleton) -> where its coefficient stands."""
    rows: list[Row] = []
    for tie in blocks.ties:
        if tie.first in places and tie.second in places:
            rows += _equal(places[tie.first], places[tie.second], tie.ratio, count_params(tie.first[1]))
    for one in blocks.mirrors:
        for equation, skeleton in places:
            image, factor = mirrored(skeleton, *one.symbols)
            if equation == one.first and (one.second, image) in places:
                there = places[one.second, image]
                rows += _equal(places[equation, skeleton], there, factor, count_params(skeleton))
    for members in blocks.conserved:
        weights = dict(members)
        for skeleton in dict.fromkeys(s for j, s in places if j in weights):
            held = [(places[j, skeleton], w) for j, w in members if (j, skeleton) in places]
            if len(held) > 1:  # one alone is why_broken's to say, or an equation by itself
                rows.append((dict(held), 0.0))
            for k, _ in held[1:]:
                rows += _equal(held[0][0], k, None, count_params(skeleton))
    return rows


def _equal(first: int, second: int, ratio: float | None, inner: int) -> list[Row]:
    outer: list[Row] = [] if ratio is None else [({second: 1.0, first: -ratio}, 0.0)]
    return outer + [({second + k: 1.0, first + k: -1.0}, 0.0) for k in range(1, 1 + inner)]


def completed(blocks: Blocks, law: Sequence[Sequence[Skeleton]]) -> Structures:
    """Return a law with the terms that the rules ask for beside those it has, and without those they rule out.

    The equation that is named first leads: the second of two that can be exchanged is its image; in a sum that stays
    a term that stands alone in the last state goes, and one that stands alone elsewhere is balanced there.
    """
    now = [list(dict.fromkeys(terms)) for terms in law]
    for _ in range(PASSES):
        before = [list(terms) for terms in now]
        for one in blocks.mirrors:
            now[one.second] = [mirrored(skeleton, *one.symbols)[0] for skeleton in now[one.first]]
        for tie in blocks.ties:
            for (j, here), (i, there) in ((tie.first, tie.second), (tie.second, tie.first)):
                if here in now[j] and there not in now[i]:
                    now[i].append(there)
        for members in blocks.conserved:
            _balance(blocks, now, [j for j, _ in members])
        if now == before:
            break
    return tuple(map(tuple, now))


def with_kin(blocks: Blocks, system: System) -> System:
    """Return a fitted system with the terms that the rules ask for, each with the numbers of its kin."""
    if not is_joint(blocks):
        return system
    law = completed(blocks, [[t.skeleton for t in terms] for terms in system])
    known = {t.skeleton: t for terms in system for t in terms}
    for mirror in blocks.mirrors:
        for t in system[mirror.first]:
            skeleton, factor = mirrored(t.skeleton, *mirror.symbols)
            known.setdefault(skeleton, replace(t, skeleton=skeleton, coefficient=factor * t.coefficient))
    for tie in blocks.ties:
        for here, there in ((tie.first[1], tie.second[1]), (tie.second[1], tie.first[1])):
            if here in known:
                known.setdefault(there, replace(known[here], skeleton=there))
    own = [{t.skeleton: t for t in terms} for terms in system]
    return tuple(tuple(own[j].get(s) or known[s] for s in skeletons) for j, skeletons in enumerate(law))


def _balance(blocks: Blocks, law: list[list[Skeleton]], members: Sequence[int]) -> None:
    last = members[-1]
    for skeleton in dict.fromkeys(s for j in members for s in law[j]):
        where = [j for j in members if skeleton in law[j]]
        if where == [last] and skeleton not in required(blocks, last):
            law[last].remove(skeleton)
        elif where == [last]:
            law[members[0]].append(skeleton)
        elif len(where) == 1:
            law[last].append(skeleton)


def why_broken(blocks: Blocks, law: Sequence[Sequence[Skeleton]]) -> str:
    """Return which rule the terms of a whole law cannot keep, whatever its numbers; empty where they can."""
    if not is_joint(blocks):
        return ""
    for tie in blocks.ties:
        held = [skeleton in law[j] for j, skeleton in (tie.first, tie.second)]
        if held[0] != held[1]:
            return f"{tie.first[1]} and {tie.second[1]} are one, and only one of them is there"
    for one in blocks.mirrors:
        if {mirrored(s, *one.symbols)[0] for s in law[one.first]} != {*law[one.second]}:
            return f"{' and '.join(one.symbols)} can be exchanged, and their equations differ"
    for members in blocks.conserved:
        for skeleton in dict.fromkeys(s for j, _ in members for s in law[j]):
            if sum(skeleton in law[j] for j, _ in members) == 1:
                return f"a sum of states stays, and {skeleton} changes one of them alone"
    return ""


def why_left(blocks: Blocks, names: Sequence[str], x: Floats, ends: Sequence[int], noise: Floats) -> str:
    """Return which limit a simulation x (n, d) passes; ends: where its stretches begin, and n; noise: (d,).

    A start is fitted, and noise may put it below zero: for that the law is not to blame, but for what it does from
    there.
    """
    if not is_watched(blocks):
        return ""
    size = np.maximum(noise, SLACK * np.maximum(np.nanmax(np.abs(x), axis=0), 1e-300))
    spans = [(first, end) for first, end in zip(ends[:-1], ends[1:], strict=True) if end > first]
    for j in blocks.positive:
        for run in (x[first:end, j] for first, end in spans):
            start = float(np.clip(run[0], -STARTS_BELOW * size[j], 0.0))
            if (least := float(np.nanmin(run))) < start - size[j]:
                return f"its simulation takes {names[j]} to {least:.3g}, and a rule says that it is never below zero"
    for j, course in blocks.monotone:
        way = 1.0 if course == "rising" else -1.0
        for run in (way * x[first:end, j] for first, end in spans):
            if float(np.max(np.maximum.accumulate(run) - run)) > size[j]:
                return f"its simulation does not keep {names[j]} {course}"
    return ""
