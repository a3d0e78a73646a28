"""Scaled, shifted and derived columns, made before the columns get their roles. One pure function.

The order is fixed, whatever the order of asking (`records.Preparation`): a name in a formula then means the column as
it is fitted.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isfinite

import numpy as np

from dolq_core.data.dates import elapsed, is_dates, note_elapsed
from dolq_core.data.findings import Findings, refusal
from dolq_core.data.table import Column, Table, column_of, find, numbers_of, rows_at, short
from dolq_core.errors import TermError
from dolq_core.records import Derived, Preparation, Scaled
from dolq_core.terms import parse_formula, safe_names

_NAMED = re.compile(r"(?P<name>[^=]+?)\s*(?:\[(?P<unit>[^\[\]=]*)\]\s*)?=(?P<formula>.*)", re.DOTALL)
_FACTOR = re.compile(r"(?P<column>.+)=\s*(?P<factor>\S+)(?:\s+(?P<unit>.*\S))?\s*", re.DOTALL)


def read_preparation(derive: Iterable[str] = (), scale: Iterable[str] = (), time_shift: float = 0.0) -> Preparation:
    """Read what a person typed: "S = 763 - in_bed", "E [J] = 0.5*m*v**2", "x = 0.001 kg"; raise TableError."""
    return Preparation(tuple(map(_scaled, scale)), time_shift, tuple(map(_derived, derive)))


def _derived(text: str) -> Derived:
    found = _NAMED.fullmatch(text.strip())
    if found is None or not found["formula"].strip():
        hint = "Write the new column's name, = and a formula, as in S = 763 - in_bed."
        raise refusal("formula", f"The derived column '{text}'", "it is not a name with a formula", hint)
    return Derived(found["name"].strip().strip("`"), found["formula"].strip(), (found["unit"] or "").strip())


def _scaled(text: str) -> Scaled:
    found = _FACTOR.fullmatch(text.strip())
    try:
        factor = float(found["factor"]) if found else None
    except ValueError:
        factor = None
    if found is None or factor is None:
        hint = "Write a column, = and a number, and the new unit if there is one, as in x = 0.001 kg."
        raise refusal("scaled", f"The factor '{text}'", "it is not a column with a number", hint)
    return Scaled(found["column"].strip(), factor, found["unit"] or "")


def prepare(table: Table, how: Preparation, time: str) -> Table:
    """Return the table with its columns scaled, its times shifted and its formulas worked out; findings say so.

    A time of dates becomes numbers since the first of them where it is scaled, shifted or used. Raises TableError for
    a column that does not exist or holds text, a factor that is no scale, a name that is taken, a formula that cannot
    be read, and one that has no value at a row where all its columns have one.
    """
    if how == Preparation():
        return table
    findings = Findings(table.findings)
    columns, units = dict(table.columns), dict(table.units)
    now = replace(table, columns=columns, units=units)
    column = find(now, time)
    if is_dates(column):
        t, units[time] = elapsed(column)
        note_elapsed(now, column, t, units[time], findings)
        columns[time] = column_of(time, t)
    for one in how.scaled:
        columns[one.column] = _times_factor(now, one, how.scaled, findings, is_time=one.column == time)
        if one.unit:
            units[one.column] = one.unit
    if how.time_shift:
        columns[time] = column_of(time, numbers_of(now, time) + how.time_shift)
        if not isfinite(how.time_shift):
            raise refusal("time-shift", "", f"{how.time_shift:g} is no shift", "Use a number.", column=time)
        findings.add("time-shift", f"{short(how.time_shift)} is added to every time", "as you asked", column=time)
    for new in how.derived:
        columns[new.name] = _worked_out(now, new, time, findings)
        if new.unit:
            units[new.name] = new.unit
    return replace(now, findings=tuple(findings))


def _times_factor(table: Table, one: Scaled, every: Sequence[Scaled], findings: Findings, *, is_time: bool) -> Column:
    numbers = numbers_of(table, one.column)
    if [other.column for other in every].count(one.column) > 1:
        raise refusal("scaled", "", "it has two factors", "Give it one.", column=one.column)
    if not isfinite(one.factor) or one.factor == 0.0 or (is_time and one.factor < 0.0):
        reason = f"{one.factor:g} is no factor for {'a time' if is_time else 'it'}"
        raise refusal(
            "scaled", "", reason, f"Use a number {'above' if is_time else 'other than'} 0.", column=one.column
        )
    unit = f", in the unit '{one.unit}'" if one.unit else ""
    findings.add(
        "scaled", f"every value is multiplied by {short(one.factor)}", f"as you asked{unit}", column=one.column
    )
    return column_of(one.column, numbers * one.factor)


def _worked_out(table: Table, new: Derived, time: str, findings: Findings) -> Column:
    if new.name in table.columns or not new.name:
        reason = "there is already a column of that name" if new.name else "it has no name"
        raise refusal("formula", f"The derived column '{new.name}'", reason, "Give it another name.")
    own = [name for name in table.columns if name != time]
    names = safe_names(own, time)
    try:
        used, values_of = parse_formula(new.formula, names)
    except TermError as error:
        where = "" if error.position is None else f" at character {error.position + 1}"
        reason = f"its formula '{new.formula}' cannot be read{where}: {error.reason}"
        end = "." if error.way_out and not error.way_out.endswith((".", "?")) else ""
        raise refusal("formula", "", reason, error.way_out + end, column=new.name) from None
    symbols = [*names.symbols, "t"]
    wanted = [name for name, symbol in zip([*own, time], symbols, strict=True) if symbol in used]
    known = {name: numbers_of(table, name) for name in wanted}
    nothing = np.zeros(len(table.rows))
    stacked = np.array([known.get(name, nothing) for name in own]).reshape(len(own), len(nothing))
    values = values_of(stacked, known.get(time, nothing), ())
    complete = np.logical_and.reduce(
        [np.ones(len(values), dtype=np.bool_), *(~np.isnan(one) for one in known.values())]
    )
    wrong = np.flatnonzero(complete & ~np.isfinite(values)).tolist()
    if wrong:
        reason = f"its formula '{new.formula}' has no finite value there"
        hint = "Check for division by zero, and for roots and logarithms of negative numbers."
        raise refusal("formula", "", reason, hint, rows_at(table, wrong), new.name)
    findings.add("derived", f"made of other columns by {new.formula}", "as you asked", column=new.name)
    return column_of(new.name, values)
