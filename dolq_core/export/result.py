"""The result of a run as one plain document, `dolq-result/1`."""

import ast
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict
from math import isfinite
from typing import Any

from dolq_core.bans import family_name
from dolq_core.blocks import in_words
from dolq_core.export.latex import PRINTED, as_printed
from dolq_core.export.law import NO_LAW
from dolq_core.fitting.declared import declared
from dolq_core.grades import EARLIER, conflict, insight, is_of_earlier_words, reason_in, verdict_on
from dolq_core.numerics.machine import machine
from dolq_core.records import STANDS, Entry, EquationFit, FittedTerm, Intervention, Iteration, RunState, Status, TermKey
from dolq_core.records.state import AWAITED, is_waiting
from dolq_core.terms import Names, Skeleton, is_sum, to_python, to_text, to_words

SCHEMA = "dolq-result/1"
RECORD = ("right", "tests", "right_unseen", "unseen")


def result(
    entries: Sequence[Entry],
    state: RunState,
    names: Names,
    statuses: Sequence[tuple[Status, str]],
    stopped: str,
    record: tuple[int, int, int, int] | None = None,
    constants: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """Return the document; numbers that are not finite become None, since JSON has no word for them.

    `expression` is plain Python in the columns' own names, or in their safe symbols where `symbols` lists one.

    Args:
        entries: the log.
        state: what the log folds to.
        names: the columns' own names and their symbols.
        statuses: per equation where it stands and why.
        stopped: why the run would not go on by itself; empty while it would.
        record: of laws with this evidence, how many were right in tests and of how many, on systems that the program
            was tuned on and on unseen ones; None where that is not known.
        constants: numbers of the law that are one in several places.
    """
    iterations = [entry for entry in entries if isinstance(entry, Iteration)]
    typed = _typed(entries)
    dataset = state.problem.dataset
    return {
        "schema": SCHEMA,
        "dataset": dataset.name,
        "description": state.problem.description,
        "names": [variable.name for variable in dataset.states],
        "inputs": [variable.name for variable in dataset.inputs],
        "weights": [one.written() for one in dataset.weights],
        "derivatives": [one.written() for one in dataset.derivatives],
        "preparation": {
            "scaled": [asdict(one) for one in dataset.preparation.scaled],
            "time_shift": dataset.preparation.time_shift,
            "derived": [asdict(one) for one in dataset.preparation.derived],
        },
        "allowed": in_words(state.problem.blocks, names),
        "time": dataset.time.name,
        "symbols": {own: symbol for own, symbol in zip(names.own, names.symbols, strict=True) if own != symbol},
        "iterations": state.iteration,
        "seconds": round(sum(sum(done.seconds.values()) for done in iterations), 3),
        "stopped": stopped,
        "record": None if record is None else dict(zip(RECORD, record, strict=True)),
        "agents": state.agents,
        "models": _models(state),
        "seed": state.seed,
        "settings": {**asdict(state.settings), "held_out_runs": list(state.settings.held_out_runs)},
        "versions": machine(),
        "insight": insight(state),
        "conflict": conflict(state),
        "disputed": _disputed(state, names, EARLIER if is_of_earlier_words(state) else ""),
        "equations": {
            variable.name: _equation(state, names, j, statuses[j], iterations, typed)
            for j, variable in enumerate(dataset.states)
        },
        "constants": list(constants),
        "pins": _pins(state, names),
        "bans": _bans(state, names),
    }


def _typed(entries: Sequence[Entry]) -> set[TermKey]:
    """Return the terms that a person typed, alone or in a whole equation."""
    said = [entry for entry in entries if isinstance(entry, Intervention) and entry.by == "human"]
    alone = {note.key for word in said for note in word.propose}
    whole = [note for word in said for note in word.equations if not note.is_taken]
    return alone | {TermKey(note.equation, s) for note in whole for s in note.skeletons}


def _pins(state: RunState, names: Names) -> list[dict[str, Any]]:
    states = state.problem.dataset.states
    return [
        {
            "equation": states[key.equation].name,
            "term": to_text(key.skeleton, names),
            "since": pin.since,
            "reason": pin.reason,
        }
        for key, pin in sorted(state.pins.items())
    ]


def _bans(state: RunState, names: Names) -> list[dict[str, str]]:
    """Single terms first; of a family, its kind and variable in words."""
    states = state.problem.dataset.states
    single = [
        (key.equation, "term", to_text(key.skeleton, names), ban.by, ban.reason)
        for key, ban in sorted(state.bans.items())
    ]
    families = [
        (key.equation, "family", family_name(state, key), "human", ban.reason)
        for key, ban in sorted(state.families.items())
    ]
    return [
        {"equation": states[equation].name, what: text, "by": by, "reason": reason}
        for equation, what, text, by, reason in (*single, *families)
    ]


def _models(state: RunState) -> dict[str, Any] | None:
    """Return which language models take part and what they have used; None where there are none."""
    if state.models is None:
        return None
    return {**asdict(state.models), "looks_allowed": state.models.looks, **asdict(state.spent)}


def _disputed(state: RunState, names: Names, earlier: str) -> list[dict[str, str]]:
    """The terms on which words and numbers disagree, as the last iteration has them."""
    done = state.last
    if done is None:
        return []
    return [
        {
            "equation": state.problem.dataset.states[verdict.key.equation].name,
            "term": to_text(verdict.key.skeleton, names),
            "words": verdict.semantic,
            "numbers": verdict.evidence,
            "action": verdict.action,
            "reason": f"{earlier}{reason_in(done, verdict)}" if verdict.reason else "",
        }
        for verdict in done.verdicts
        if verdict.conflict
    ]


def expression(fit: EquationFit) -> str:
    """Return the right-hand side in Python syntax, in safe symbols, every number in full precision."""
    parts = [_summand(term) for term in fit.terms]
    return " + ".join(parts).replace("+ -", "- ") or "0"


def _summand(term: FittedTerm) -> str:
    if term.skeleton == "1":
        return repr(term.coefficient)
    body = to_python(term.skeleton, term.inner)
    top = ast.parse(body, mode="eval").body
    loose = isinstance(top, ast.UnaryOp) or (isinstance(top, ast.BinOp) and isinstance(top.op, ast.Add | ast.Sub))
    return f"{term.coefficient!r}*({body})" if loose else f"{term.coefficient!r}*{body}"


def _equation(
    state: RunState,
    names: Names,
    equation: int,
    stands: tuple[Status, str],
    iterations: Sequence[Iteration],
    typed: Set[TermKey],
) -> dict[str, Any]:
    said, reason = stands
    best = state.best[equation]
    fit = None if best is None or said == "none" else best.reported
    return {
        "expression": expression(fit) if fit else "0",
        "status": said,
        "reason": reason,
        "terms": [_term(state, names, equation, term, iterations, typed) for term in fit.terms] if fit else [],
        "correlation": [list(row) for row in fit.correlation] if fit else [],
        "scores": _scores(state, equation, best.scored) if best else {},
    }


def _scores(state: RunState, equation: int, fit: EquationFit) -> dict[str, float | str | None]:
    trajectory = state.trajectory
    ahead = trajectory.held_out if trajectory else ()
    return {
        "residual_nmse": _number(fit.nmse),
        "left_out_nmse": _number(fit.cv_nmse),
        "integral_nmse": _number(trajectory.nmse[equation]) if trajectory else None,
        "held_out_nmse": _number(fit.held_out),
        "held_out_integral_nmse": _number(ahead[equation]) if ahead else None,
        "times_error_floor": _number(fit.floor_ratio),
        "target": state.last.target.kind if state.last else "",
    }


def _term(
    state: RunState,
    names: Names,
    equation: int,
    term: FittedTerm,
    iterations: Sequence[Iteration],
    typed: Set[TermKey],
) -> dict[str, Any]:
    best = [visited.reported for visited in state.best if visited is not None]
    key = TermKey(equation, term.skeleton)
    verdict, _ = verdict_on(state, key, iterations)
    return {
        "text": to_text(term.skeleton, names, term.inner),
        "skeleton": term.skeleton,
        "coefficient": term.coefficient,
        "parameters": list(term.inner),
        "parameter_errors": [_number(error) for _, error in term.inside],
        "standard_error": _number(term.std_error),
        "declared": declared(state.problem.blocks, best)[0].get(key, ""),
        "typed": key in typed,
        "last_action": verdict.action if verdict else None,
        "reason": verdict.reason if verdict else "",
    }


def _number(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


# --- the equations as lines of text ----------------------------------------------------------------


def text(document: dict[str, Any]) -> str:
    """Return one line per equation, in the names that stand in the expressions, readable by Python and SymPy."""
    symbols = document["symbols"]
    lines = [f"# {_line(document['dataset'])}, after iteration {document['iterations']}"]
    lines += [f"# {symbol} stands for the column {own!r}" for own, symbol in symbols.items()]
    for own, found in document["equations"].items():
        rate, said = f"d{symbols.get(own, own)}_dt", found["status"]
        law = f"{rate} = {found['expression']}  # {STANDS[said]}"
        lines.append(f"# {rate}: {_instead(found)}" if said == "none" else law)
    return "\n".join(lines) + "\n"


def _instead(equation: dict[str, Any]) -> str:
    """Return what is said in the place of a law."""
    return AWAITED if is_waiting(equation["reason"]) else NO_LAW


def as_read(
    document: dict[str, Any], fits: Sequence[EquationFit | None], called: Mapping[str, str], least: int
) -> dict[str, Any]:
    """Return the document with the numbers of its terms as `latex.as_printed` has them, in names as formulas show them.

    called: what stands for each symbol, and for t.
    """

    def equation(found: dict[str, Any], fit: EquationFit | None) -> dict[str, Any]:
        printed = as_printed((fit,), least)[0].terms if fit and found["terms"] else ()
        terms = [
            {
                **term,
                "text": to_words(one.skeleton, called, one.inner, PRINTED),
                "coefficient": one.coefficient,
                "parameters": list(one.inner),
            }
            for term, one in zip(found["terms"], printed, strict=True)
        ]
        return {**found, "terms": terms}

    pairs = zip(document["equations"].items(), fits, strict=True)
    return {**document, "equations": {name: equation(found, fit) for (name, found), fit in pairs}}


def readable(document: dict[str, Any], called: Mapping[str, str], digits: int = PRINTED) -> list[str]:
    """Return one line per equation for a person to read, numbers rounded: d yeast / d hour = 0.547 yeast.

    called: what stands for each symbol, and for t.
    """
    time, found = called["t"], document["equations"]
    sums = {name: _sum(equation["terms"], digits) for name, equation in found.items()}
    laws = {name: f" = {told}" if told else f": {_instead(found[name])}" for name, told in sums.items()}
    symbols = document["symbols"]
    return [f"d {called[symbols.get(name, name)]} / d {time}{told}" for name, told in laws.items()]


def _sum(terms: list[dict[str, Any]], digits: int) -> str:
    """Return the summands, as in 0.547 yeast - 0.000825 yeast**2; empty where there is no law."""
    said = " ".join(_shown(term, digits) for term in terms)
    if said.startswith("- "):
        return f"-{said[2:]}"
    return said.removeprefix("+ ")


def _shown(term: dict[str, Any], digits: int) -> str:
    sign = "-" if term["coefficient"] < 0.0 else "+"
    number = f"{sign} {abs(term['coefficient']):.{digits}g}"
    if term["text"] == "1":
        return number
    return f"{number} ({term['text']})" if is_sum(Skeleton(term["skeleton"])) else f"{number} {term['text']}"


def _line(name: str) -> str:
    """A name as a comment can hold it."""
    return " ".join(name.split())
