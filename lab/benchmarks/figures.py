"""The paper's two figures of a search: `python -m lab figures FOLDER --suite paper --system 2 --out PLACE`.

FOLDER holds a campaign. Written are `convergence` (the error of the best structure, worst equation, by iteration; a
line for each way the system was run) and `actions` (how often the most judged terms of each equation were kept, held
and removed; terms of the true law in bold), each as HTML that opens in a browser, with the library beside it, and as
PNG where there is a Chromium on this machine.
"""

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from lab import campaign
from lab.campaign.tables.common import Run, clean, who
from lab.campaign.tasks import seen
from tests.e2e.server import browsing

LINES = ("#0072B2", "#A34E7F", "#00775A", "#8F5A00", "#4A525C")
DASHES = ("solid", "dash", "dot", "dashdot")
ACTIONS = {"keep": "#0072B2", "hold": "#C9D1D9", "remove": "#D55E00"}
FONT = {"family": '"Source Sans", "Source Sans 3", sans-serif', "size": 14, "color": "#0B0F14"}
TERMS = 7
WIDTH, HEIGHT = 1000, 440


def main() -> None:
    """Draw both figures of one system."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--suite", default="paper")
    parser.add_argument("--system", default="2")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    ledger = campaign.Ledger(asked.folder)
    results = ledger.results()
    runs = [
        Run(task, results[name])
        for name, task in ledger.tasks().items()
        if (task.suite, task.case.id) == (asked.suite, asked.system) and name in results and results[name].steps
    ]
    if not runs:
        parser.error(f"{asked.folder} has no run of the system {asked.system} of the suite {asked.suite}")
    asked.out.mkdir(parents=True, exist_ok=True)
    longest = max(runs, key=lambda run: len(run.result.steps))
    for name, figure in {"convergence": convergence(runs), "actions": actions(longest)}.items():
        page = asked.out / f"{asked.suite}-{asked.system}-{name}.html"
        figure.write_html(page, include_plotlyjs="directory", config={"displayModeBar": False})
        print(f"Written to {page}{_picture(page, HEIGHT)}")


def convergence(runs: Sequence[Run]) -> go.Figure:
    """Draw the best error of the worst equation by iteration, a line for each way of running."""
    figure = _dressed(go.Figure(), f"{runs[0].task.case.title}: error of the best structure so far")
    ways: dict[str, Run] = {}
    for run in runs:
        if clean(run.task):
            ways.setdefault(_way(run), run)
    for number, (way, run) in enumerate(ways.items()):
        steps = [step for step in run.result.steps if all(error is not None for error in step.nmse)]
        worst = [max(error for error in step.nmse if error is not None) for step in steps]
        line = {"color": LINES[number % len(LINES)], "width": 2, "shape": "hv", "dash": DASHES[number % len(DASHES)]}
        at = [step.number for step in steps]
        figure.add_scatter(x=at, y=worst, mode="lines+markers", line=line, name=way)
        found = run.result.found_at
        if found in at:
            mark = {"symbol": "star", "size": 15, "color": line["color"]}
            figure.add_scatter(x=[found], y=[worst[at.index(found)]], mode="markers", marker=mark, showlegend=False)
    figure.update_xaxes(title_text="iteration (star: the first that passes the NMSE test)", dtick=1)
    figure.update_yaxes(type="log", title_text="NMSE, worst equation", exponentformat="power")
    figure.update_layout(legend={"x": 1.02, "y": 1.0, "xanchor": "left"}, margin={"t": 70, "r": 20})
    return figure


def _way(run: Run) -> str:
    task = run.task
    words = "" if task.words == "given" else f", words: {task.words}"
    return f"{who(task)}{words}{', anonymised' if task.naming == 'anonymous' else ''}"


def actions(run: Run) -> go.Figure:
    """Draw how often the terms of each equation were kept, held and removed."""
    names = [state.name for state in seen(run.task).states]
    figure = make_subplots(rows=1, cols=len(names), subplot_titles=[f"d{name}/dt" for name in names])
    for column, _ in enumerate(names, 1):
        judged = [one for one in run.result.actions if one.equation == column - 1][:TERMS][::-1]
        terms = [f"<b>{one.term}</b>" if one.true else one.term for one in judged]
        for action, colour in ACTIONS.items():
            counts, look = [getattr(one, action) for one in judged], {"width": 0.7, "marker_color": colour}
            figure.add_bar(y=terms, x=counts, orientation="h", name=action, showlegend=column == 1, **look, row=1,
                           col=column)  # fmt: skip
    figure.update_layout(barmode="stack", legend={"x": 1.02, "y": 1.0, "traceorder": "normal"})
    figure.update_xaxes(title_text="iterations", rangemode="tozero")
    figure.update_yaxes(automargin=True)
    return _dressed(figure, f"{run.task.case.title}: what was decided of each term, {_way(run)} (bold: true)")


def _dressed(figure: go.Figure, title: str) -> go.Figure:
    figure.update_layout(
        title=title, font=FONT, height=HEIGHT, width=WIDTH, plot_bgcolor="#FFFFFF", paper_bgcolor="#FFFFFF"
    )
    figure.update_xaxes(gridcolor="#E3E7EB", linecolor="#4A525C")
    figure.update_yaxes(gridcolor="#E3E7EB", linecolor="#4A525C")
    return figure


def _picture(page: Path, height: int) -> str:
    """Write the page as PNG beside it; return what to say of it."""
    if shutil.which("chromium") is None:
        return " (no PNG: there is no Chromium on this machine)"
    with browsing() as browser:
        view = browser.new_page(viewport={"width": WIDTH + 16, "height": height + 16})
        view.goto(page.resolve().as_uri())
        view.wait_for_selector(".main-svg")
        view.screenshot(path=page.with_suffix(".png"))
    return " and, as PNG, beside it"
