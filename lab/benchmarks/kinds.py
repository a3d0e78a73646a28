"""How often laws have which kind of term: `python -m lab kinds`.

Every term of the true laws of all suites, those that were put aside and run once among them, without time and with two
states at most, as it stands beside its own state x and another one y. Priced: the nats that the prior of the built-in
agents asks for its name where no word speaks for it, without the 1.5 that it asks more for an inverse, which is 1 or
one of the two states over something of first order that it does not stand in. Listed are the kinds that a mechanism of
two states writes down, except those that only words bring in. Were the prices right, all kinds of one price would be as
frequent: the last column says by how much inverses are rarer. No system is run for it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import floor, log
from pathlib import Path

import numpy as np

from dolq_core.arrays import frozen
from dolq_core.fitting.names import names_of
from dolq_core.fitting.prior import INVERSE, Prior, is_inverse
from dolq_core.mechanisms import ONLY_BY_WORDS, explanations
from dolq_core.records import Dataset, Problem, Trajectory, Variable
from dolq_core.terms import Skeleton, count_params, parse_term, variables
from lab import campaign
from lab.benchmarks import once, report
from lab.benchmarks.lost import freed
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.laws import names_of as case_names
from lab.campaign.laws import true_law
from lab.campaign.suites import PUT_ASIDE, bundled_suites

OWN, OTHER = "x", "y"
HALF = 0.5
"""Counted for each kind before any law, so that one that no law has can be compared (Krichevsky and Trofimov, 1981)."""
ALIKE = "changed"
"""The suite whose systems are those of another one."""
_ADDED = re.compile(r"(?<=[(+] )\d+(?= [+-])|(?<=\()\d+(?= [+-])")
"""A whole number that is added inside a term."""
_TIME = re.compile(r"\bt\b")


def measure(folder: Path) -> Iterator[Row]:
    """Yield a row for each kind."""
    t = frozen(np.linspace(0.0, 1.0, 50))
    states = (Variable(OWN, OWN), Variable(OTHER, OTHER))
    run = Trajectory(t, frozen(np.column_stack((t, t))))
    problem = Problem(Dataset("kinds", Variable("t", "t"), states, (run,)))
    names, prior = names_of(problem.dataset), Prior(problem)
    counts = Counter(kind for suite in _suites(folder) for kind in _kinds(suite))
    for kind, entry in explanations(problem, names, 0).items():
        if entry.family.stage < ONLY_BY_WORDS and not _TIME.search(kind):
            inverse = is_inverse(kind)
            priced = prior.name(0, kind) - INVERSE * inverse
            yield {"kind": kind, "inverse": inverse, "priced": round(priced, 2), "terms": counts[kind]}


def _suites(folder: Path) -> list[str]:
    """Return the suites that anybody may look at: those that were put aside only once they have been run."""
    ran = {row["suite"] for one in once.PAGES if one.is_stored(folder) for row in one.read(folder)["rows"]}
    return [name for name in bundled_suites() if name != ALIKE and (name in ran or name not in PUT_ASIDE)]


def _kinds(suite: str) -> Iterator[Skeleton]:
    """Yield the terms of a suite's laws, each in its own state and another one."""
    for case in campaign.read_suite(suite):
        symbols = case_names(case).symbols
        for own, terms in zip(symbols, freed(true_law(case)), strict=False):
            for skeleton in (term.skeleton for term in terms):
                others = sorted(variables(skeleton) - {own})
                if len(others) <= 1 and not _TIME.search(skeleton):
                    yield _called(skeleton, dict(zip((own, *others), (OWN, OTHER), strict=False)))


def _called(skeleton: Skeleton, names: Mapping[str, str]) -> Skeleton:
    """Return a term in other names, its whole numbers that are added to be fitted."""
    number = count(count_params(skeleton))
    text = re.sub(r"[A-Za-z_]\w*", lambda word: names.get(word[0], word[0]), skeleton)
    return parse_term(_ADDED.sub(lambda _: f"params[{next(number)}]", text), (OWN, OTHER)).skeleton


def page(rows: Sequence[Row]) -> list[str]:
    """Return the prices, and the kinds."""
    bands = sorted({floor(row["priced"]) for row in rows if row["inverse"]})
    lines = [_line([row for row in rows if floor(row["priced"]) == band], f"{band} to {band + 1}") for band in bands]
    lines.append(_line([row for row in rows if floor(row["priced"]) in bands], "all of these"))
    told = sorted((row for row in rows if row["terms"] or row["inverse"]), key=lambda row: (-row["terms"], row["kind"]))
    kinds = [(f"`{row['kind']}`", row["terms"], f"{row['priced']:g}", "inverse" * row["inverse"]) for row in told]
    head = ("nats", "other kinds", "terms of laws", "inverses", "terms of laws", "nats by which inverses are too cheap")
    return [
        report.table(head, lines),
        "## The kinds",
        "Those that a law has, and every inverse.",
        report.table(("kind", "terms of laws", "nats", ""), kinds),
    ]


def _line(rows: Sequence[Row], nats: str) -> tuple[object, ...]:
    counts = [[row["terms"] for row in rows if row["inverse"] is inverse] for inverse in (False, True)]
    others, inverses = ((sum(terms) + HALF * len(terms)) / max(len(terms), 1) for terms in counts)
    cheap = f"{log(others / inverses):.1f}" if all(counts) else ""
    return (nats, len(counts[0]), sum(counts[0]), len(counts[1]), sum(counts[1]), cheap)


BENCHMARK = Benchmark("kinds", "Which terms laws have", __doc__, measure, page, {"folder": report.RUNS})
