"""What a person's word is worth: `python -m lab veto`.

The protocol was written before the first run: docs/studies/veto.md. Nobody, or a *simulated expert*, a program that
knows the true law and says one thing of it, after the first iteration or, for a sign and for words, before it; three
iterations at most follow. Systems of the suites `textbook` and `open` without descriptions, one draw of white noise
each; both suites have been tuned on. Spoken: where there was something to say; elsewhere the arm has the outcome of
nobody. Right: exact terms, or the true function in other words. Better and worse: from wrong to right by the word, and
the other way, in pairs with nobody; chance: of a split as uneven or more, by a two-sided sign test. Told: of false
words, how often the law is not settled afterwards, or an equation that was is not any more.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from zlib import crc32

from scipy.stats import binomtest

from dolq_core import loop, runs
from dolq_core.fitting import names_of
from dolq_core.laws import Law, as_law, compared, law_of_fits
from dolq_core.records import (
    Blocks,
    EquationBlocks,
    EquationFit,
    FamilyKey,
    FamilyNote,
    Intervention,
    Problem,
    RunState,
    Settings,
    TermKey,
    TermNote,
)
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import KINDS, Kind, Names, Skeleton, is_of_kind
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.laws import fits_of, true_law
from lab.campaign.looping import problem_of
from lab.campaign.records import Case
from lab.campaign.same import is_same
from lab.campaign.term_test import is_true_term

SUITES = "textbook open"
NOISE = (0.02, 0.05)
AFTER = 3
"""Iterations after the word."""
NOBODY, WORDS, SIGN = "nobody", "words", "a sign"
TRUE_WORDS = ("a veto", "a pin", "a kind", SIGN, WORDS)
FALSE_WORDS = ("a false veto", "a false pin")
ARMS = (NOBODY, *TRUE_WORDS, *FALSE_WORDS)
EXPERT = "simulated expert"


def measure(suites: str) -> Iterator[Row]:
    """Run every system at every level of noise, and every arm of it."""
    tasks = [
        campaign.Task(suite, case, noise=noise, words="none", seed=crc32(f"{case.id} 0".encode()))
        for suite in suites.split()
        for case, noise in product(campaign.read_suite(suite), NOISE)
    ]
    for rows in pooled(outcomes, tasks):
        yield from rows


def outcomes(task: campaign.Task) -> list[Row]:
    """Run one system: the iteration that all share, and what follows in each arm."""
    store, problem = MemoryStore(), problem_of(task)
    first = runs.start(store, problem, Settings(), seed=task.seed)
    shared = runs.step_once(store, first).state
    rows: list[Row] = []
    for arm in ARMS:
        said, word, other = spoken(arm, task, shared, problem)
        if not said and arm != NOBODY:
            rows.append({**rows[0], "arm": arm})
            continue
        before = time.process_time()
        if other is None:
            run = runs.fork(store, first, 2)
            if word is not None:
                runs.intervene(store, run, word)
            state = runs.auto(store, run, AFTER).state
        else:
            state = runs.auto(store, runs.start(store, other, Settings(), seed=task.seed), 1 + AFTER).state
        rows.append(_row(task, arm, said, shared, state, time.process_time() - before))
    return rows


def _row(task: campaign.Task, arm: str, said: str, shared: RunState, state: RunState, cpu: float) -> Row:
    was, stands = ([loop.status(one, j)[0] == "settled" for j in range(len(one.best))] for one in (shared, state))
    return {
        "suite": task.suite,
        "system": task.case.id,
        "noise": task.noise,
        "arm": arm,
        "said": said,
        "right": is_same(task.case, law_of_fits(fits_of(state))),
        "settled": all(stands),
        "told": not all(stands) or any(before and not now for before, now in zip(was, stands, strict=True)),
        "iterations": state.iteration - 1,
        "cpu_s": round(cpu, 1),
    }


def spoken(
    arm: str, task: campaign.Task, state: RunState, problem: Problem
) -> tuple[str, Intervention | None, Problem | None]:
    """Return what is said in words, the word for a run under way, or the problem of a run from the start.

    No words: there is nothing to say.
    """
    case, law, fits = task.case, true_law(task.case), fits_of(state)
    names = names_of(problem.dataset)
    match arm:
        case "words":
            told = problem_of(replace(task, words="given"))
            return (told.description, None, told) if told.description else ("", None, None)
        case "a sign":
            return _sign(law, fits, names, problem)
        case "a veto":
            keys = [TermKey(fit.equation, one) for fit in fits for one in _false(fit, law, names)]
            return _choice(keys[:1], "ban")
        case "a pin":
            missed = [TermKey(fit.equation, one) for fit in fits for one in sorted(_missed(fit, law, names))]
            return _choice(missed[:1], "pin")
        case "a kind":
            return _kind(fits, law, names)
        case "a false veto":
            return _choice([_true(fits, law, names)], "ban")
        case "a false pin":
            return _choice(_false_pin(case, names), "pin")
        case _:
            return "", None, None


def _choice(keys: Sequence[TermKey], what: str) -> tuple[str, Intervention | None, None]:
    if not keys:
        return "", None, None
    notes = tuple(TermNote(key, EXPERT) for key in keys)
    word = Intervention(ban=notes, by=EXPERT) if what == "ban" else Intervention(pin=notes, by=EXPERT)
    return f"{what} {keys[0].skeleton} in equation {keys[0].equation + 1}", word, None


def _missed(fit: EquationFit, law: Law, names: Names) -> list[Skeleton]:
    return compared([as_law(term, names) for term in fit.terms], [part[0] for part in law[fit.equation]])[0]


def _false(fit: EquationFit, law: Law, names: Names) -> list[Skeleton]:
    """Return the fitted terms that the true law does not have, by name."""
    beyond = compared([as_law(term, names) for term in fit.terms], [part[0] for part in law[fit.equation]])[1]
    return sorted(term.skeleton for term in fit.terms if as_law(term, names) in beyond)


def _true(fits: Sequence[EquationFit], law: Law, names: Names) -> TermKey:
    """Return a true term, one that the best law has if there is one."""
    held = [
        TermKey(fit.equation, term.skeleton)
        for fit in fits
        for term in sorted(fit.terms, key=lambda term: term.skeleton)
        if term.skeleton not in _false(fit, law, names)
    ]
    return held[0] if held else TermKey(0, min(part[0] for part in law[0]))


def _kind(fits: Sequence[EquationFit], law: Law, names: Names) -> tuple[str, Intervention | None, None]:
    for fit in fits:
        true: set[Kind] = {kind for part in law[fit.equation] for kind in _kinds(part[0])}
        wrong: list[Kind] = [kind for one in _false(fit, law, names) for kind in _kinds(one) if kind not in true]
        if wrong:
            note = FamilyNote(FamilyKey(fit.equation, wrong[0], ""), EXPERT)
            said = f"ban the kind {wrong[0]} in equation {fit.equation + 1}"
            return said, Intervention(ban_families=(note,), by=EXPERT), None
    return "", None, None


def _kinds(skeleton: Skeleton) -> list[Kind]:
    return [kind for kind in KINDS if kind != "any" and is_of_kind(skeleton, kind)]


def _sign(law: Law, fits: Sequence[EquationFit], names: Names, problem: Problem) -> tuple[str, None, Problem | None]:
    for fit in fits:
        if _missed(fit, law, names) or _false(fit, law, names):
            skeleton, value, _ = min(law[fit.equation], key=lambda part: part[0])
            sign = "positive" if value > 0.0 else "negative"
            blocks = Blocks(equations=(EquationBlocks(fit.equation, signs=((skeleton, sign),)),))
            return f"{skeleton} is {sign} in equation {fit.equation + 1}", None, replace(problem, blocks=blocks)
    return "", None, None


def _false_pin(case: Case, names: Names) -> list[TermKey]:
    first, second = names.symbols[0], names.symbols[min(1, len(case.states) - 1)]
    tried = [f"{first}*{second}"] * (first != second) + [f"{first}**2", first, f"{first}**3"]
    found = [Skeleton(text) for text in tried if not is_true_term(case, 0, (Skeleton(text), 1.0, ()))]
    return [TermKey(0, found[0])]


def page(rows: Sequence[Row]) -> list[str]:
    """Return the tables."""
    head = (
        "noise", "word", "runs", "spoken", "right", "95 % interval", "better", "worse", "chance", "settled",
        "settled and wrong", "iterations", "told",
    )  # fmt: skip
    alone = {(row["suite"], row["system"], row["noise"]): row for row in rows if row["arm"] == NOBODY}
    lines = [
        _line(noise, arm, [row for row in rows if (row["noise"], row["arm"]) == (noise, arm)], alone)
        for noise, arm in product(sorted({row["noise"] for row in rows}), ARMS)
    ]
    return ["Whoever speaks here is a simulated expert, no person.", report.table(head, lines)]


def _line(noise: float, arm: str, rows: Sequence[Row], alone: dict[tuple[str, str, float], Row]) -> tuple[object, ...]:
    pairs = [(row, alone[row["suite"], row["system"], row["noise"]]) for row in rows]
    better = sum(row["right"] and not other["right"] for row, other in pairs)
    worse = sum(other["right"] and not row["right"] for row, other in pairs)
    right, settled = sum(row["right"] for row in rows), [row for row in rows if row["settled"]]
    low, high = report.wilson(right, len(rows))
    spoke = [row for row in rows if row["said"]]
    return (
        f"{noise:.0%}", arm, len(rows), len(spoke), right, f"{low:.0%} to {high:.0%}",
        better if arm != NOBODY else "", worse if arm != NOBODY else "",
        f"{binomtest(better, better + worse).pvalue:.2g}" if better + worse else "",
        len(settled), sum(not row["right"] for row in settled),
        f"{sum(row['iterations'] for row in rows) / len(rows):.1f}",
        f"{sum(row['told'] for row in spoke)} of {len(spoke)}" if arm in FALSE_WORDS else "",
    )  # fmt: skip


BENCHMARK = Benchmark("veto", "What a person's word is worth", __doc__, measure, page, options={"suites": SUITES})
