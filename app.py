"""The app: `streamlit run app.py`. Each page lives in its own folder of `pages`."""

import streamlit as st

from pages.ui import identity, look

START = st.Page("pages/start/page.py", title="Start", icon=":material/home:", url_path="start", default=True)
DATA = st.Page("pages/data/page.py", title="Data", icon=":material/table:", url_path="data")
DISCOVER = st.Page("pages/discover/page.py", title="Discover", icon=":material/science:", url_path="discover")
EQUATIONS = st.Page("pages/equations/page.py", title="Equations", icon=":material/function:", url_path="equations")
HISTORY = st.Page("pages/history/page.py", title="History", icon=":material/history:", url_path="history")
LESSONS = st.Page("pages/lessons/page.py", title="Lessons", icon=":material/school:", url_path="lessons")
BENCHMARKS = st.Page("pages/benchmarks/page.py", title="Benchmarks", icon=":material/speed:", url_path="benchmarks")
SETTINGS = st.Page("pages/settings/page.py", title="Settings", icon=":material/settings:", url_path="settings")


def main() -> None:
    """Draw the page that is asked for, in what every page stands in."""
    began = look.look()
    page = st.navigation(
        [START, DATA, DISCOVER, EQUATIONS, HISTORY, LESSONS, BENCHMARKS, SETTINGS],
        position="sidebar" if identity.is_known() else "hidden", expanded=True,
    )  # fmt: skip
    look.first_of_server(deep=page is not START)
    if not identity.is_known():
        identity.ask()
    if page is START:
        identity.go_on()
        page.run()  # it draws what it can before the core is loaded, which takes a second or two the first time

    from pages.ui import frame, jobs, session  # noqa: PLC0415

    session.begin(began, page.title)
    if page is not DISCOVER:
        session.forget_step()
    if page is not START:
        if not frame.database():
            st.stop()
        place = frame.run_picker() if page in (DISCOVER, EQUATIONS, HISTORY) else None
        frame.message()
        frame.unstored()
        page.run()
        if place is not None and page is not DISCOVER:
            frame.work(place)
    identity.leave()
    jobs.board()  # last: its first worker loads the core, and the page that is being looked at comes first


if __name__ == "__main__":  # not in the processes of a pool, each of which runs this file again
    main()
