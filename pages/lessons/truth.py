"""A found law beside the true one: terms that are right, missed and made up, and both followed past the data."""

import streamlit as st

from dolq_core import runs
from dolq_core.lessons import Truth
from pages.ui import charts, words


def truth(found: Truth | None, run: runs.Run, *, of_textbook: bool = False) -> None:
    """Draw the table of terms, precision and recall, and the true trajectories with the found law through them.

    of_textbook: the law is a textbook's, and the data were measured: nobody knows their true law.
    """
    st.markdown(f"**Compared with the {'textbook' if of_textbook else 'truth'}**")
    if found is None:
        st.caption("There is no law to compare yet.")
        return
    true, theirs = ("in the textbook's law", "its terms") if of_textbook else ("true", "the true ones")
    share = f"**{found.precision:.0%}** of the found terms are {true}, **{found.recall:.0%}** of {theirs} are found."
    st.markdown(share)
    for row in found.rows:
        parts = ((f"found and {true}", row.right), ("missed", row.missed), (f"found, not {true}", row.wrong))
        said = " · ".join(f"{part}: {_terms(terms)}" for part, terms in parts if terms)
        st.markdown(f"Change of {words.plain(row.name)}. {said[:1].upper()}{said[1:]}")
    if not found.curves:
        return
    dataset = run.state.problem.dataset
    st.markdown("**Past the data.** Marks: true law, two starts, twice the time. Lines: found law.")
    figure = charts.trajectories(found.curves, dataset.states, dataset.time)
    alt = f"True law and found law. {charts.trajectories_alt(found.curves, dataset.states, dataset.time)}"
    charts.show(figure, f"lesson.truth·{run.id}", alt)
    if lost := [curve.label for curve in found.curves if curve.model is None]:
        st.caption(f"No line from the {' and the '.join(lost)}: there the found law runs off to infinity.")


def _terms(latex: tuple[str, ...]) -> str:
    return ", ".join(map(words.tex, latex))
