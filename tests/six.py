"""Six tables as people have them, each with the law it was made from; written anew for each test, from a fixed seed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import pandas as pd

from dolq_core.arrays import Floats

Law = Mapping[str, Mapping[str, float]]  # coefficients by equation and term


@dataclass(frozen=True)
class Six:
    """A file and its law; question: what the page asks, and the answer to it."""

    name: str
    write: Callable[[], bytes]
    law: Law
    question: tuple[str, ...] = ()
    within: float = 0.1  # of each coefficient


def _heated(t: Floats, on: Floats, gain: float, loss: float, room: float) -> Floats:
    """Solve T' = gain u - loss (T - room) from the room's temperature; u switches halfway between two samples."""
    found = np.empty(len(t))
    found[0] = room
    for i, step in enumerate(np.diff(t)):
        found[i + 1] = found[i]
        for level in on[i : i + 2]:
            rest = room + gain * level / loss
            found[i + 1] = rest + (found[i + 1] - rest) * np.exp(-loss * step / 2)
    return found


def _logistic(t: Floats, start: float, rate: float, most: float) -> Floats:
    return most / (1 + (most / start - 1) * np.exp(-rate * t))


def german() -> bytes:
    """Write the spreadsheet of a German laboratory: lines of metadata, umlauts, decimal commas, units in brackets."""
    t = np.arange(0, 30, 0.25)
    heater = 60.0 * (((t >= 3) & (t < 9)) | ((t >= 15) & (t < 24)))
    oil = _heated(t, heater, 0.06, 0.2, 21.0) + np.random.default_rng(1).normal(0, 0.01, len(t))
    rows = [f"{a:.2f};{b:.3f};{c:.0f}".replace(".", ",") for a, b, c in zip(t, oil, heater, strict=True)]
    head = ["Messprotokoll;Anlage 3;", "Datum;12.03.2024;", "", "Zeit [min];Temperatur Öl [°C];Heizung [%]"]
    return "\r\n".join([*head, *rows, ""]).encode("cp1252")


def wide() -> bytes:
    """Write three runs of one substance side by side."""
    t, rng = np.arange(0, 12, 0.2), np.random.default_rng(2)
    runs = [start * np.exp(-0.3 * t) + rng.normal(0, 0.003, len(t)) for start in (2.0, 4.0, 5.0)]
    rows = [",".join(f"{cell:.4f}" for cell in row) for row in zip(t, *runs, strict=True)]
    return "\n".join(["time (h),S run1 (mM),S run2 (mM),S run3 (mM)", *rows, ""]).encode()


def gaps() -> bytes:
    """Write a culture that was sampled when somebody was there: uneven times, empty cells, two days without any."""
    rng = np.random.default_rng(3)
    t = np.unique(rng.uniform(0, 120, 130).round(1))
    t = t[(t < 60) | (t > 80)]
    cells = _logistic(t, 0.2, 0.09, 6.0) * (1 + rng.normal(0, 0.003, len(t)))
    rows = [f"{a},{'' if i % 9 == 4 else f'{b:.4f}'}" for i, (a, b) in enumerate(zip(t, cells, strict=True))]
    return "\n".join(["hours,biomass (g/L)", *rows, ""]).encode()


def logger(rows: int = 50_000, switched: bool = False) -> bytes:
    """Write what a logger keeps: a row a second, ISO times, a temperature of two decimals, that of a switch besides."""
    t = np.arange(rows, dtype=np.float64)
    heater = 60.0 * ((t // 7200) % 3 == 1)
    room = _heated(t, heater, 5e-4, 1e-3, 18.0) if switched else 18.0 + 60.0 * np.exp(-2e-5 * t)
    room += np.random.default_rng(4).normal(0, 0.02, rows)
    clock = np.datetime64("2024-03-12T08:00:00") + t.astype("timedelta64[s]")
    ends = [f",{level:.0f}" for level in heater] if switched else [""] * rows
    lines = [f"{a},{b:.2f}{end}" for a, b, end in zip(clock, room, ends, strict=True)]
    return "\n".join([f"timestamp,T (degC){',heater (%)' * switched}", *lines, ""]).encode()


def twelve() -> bytes:
    """Write twelve rows."""
    t = np.arange(12.0)
    return "\n".join(
        ["day,cells", *(f"{a:.0f},{b:.2f}" for a, b in zip(t, _logistic(t, 5.0, 0.8, 80.0), strict=True)), ""]
    ).encode()


def workbook() -> bytes:
    """Write a workbook whose first sheet holds notes; the second one is the table."""
    t, file = np.arange(0, 20, 0.2), BytesIO()
    level = 2.0 + 6.0 * np.exp(-0.25 * t) + np.random.default_rng(5).normal(0, 0.002, len(t))
    with pd.ExcelWriter(file) as book:
        notes = pd.DataFrame({"Note": ["Tank 4, drained by hand", "calibrated in March"], "by": ["AB", "CD"]})
        notes.to_excel(book, sheet_name="Notes", index=False)
        pd.DataFrame({"time (min)": t, "h (cm)": level.round(4)}).to_excel(book, sheet_name="Level", index=False)
    return file.getvalue()


SIX = (
    Six("Öl.csv", german, {"Temperatur Öl": {"1": 4.2, "Temperatur_Ol": -0.2, "Heizung": 0.06}}),
    Six("wide.csv", wide, {"S": {"S": -0.3}}, ("S run1", "3 runs of S (mM)")),
    Six("gaps.csv", gaps, {"biomass": {"biomass": 0.09, "biomass**2": -0.015}}),
    Six("logger.csv", logger, {"T": {"1": 1.296, "T": -0.072}}),
    Six("twelve.csv", twelve, {"cells": {"cells": 0.8, "cells**2": -0.01}}),
    Six("tank.xlsx", workbook, {"h": {"1": 0.5, "h": -0.25}}),
)
