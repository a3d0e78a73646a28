"""The app: `streamlit run app.py`. Each page lives in its own folder of `pages`."""

import streamlit as st

from pages.ui import identity, look


def main() -> None:
    """Draw the page that is asked for, in what every page stands in."""
    began = look.look()
    start = st.Page("pages/start/page.py", title="Start", icon=":material/home:", url_path="start", default=True)
    data = st.Page("pages/data/page.py", title="Data", icon=":material/table:", url_path="data")
    discover = st.Page("pages/discover/page.py", title="Discover", icon=":material/science:", url_path="discover")
    equations = st.Page("pages/equations/page.py", title="Equations", icon=":material/function:", url_path="equations")
    history = st.Page("pages/history/page.py", title="History", icon=":material/history:", url_path="history")
    lessons = st.Page("pages/lessons/page.py", title="Lessons", icon=":material/school:", url_path="lessons")
    benchmarks = st.Page("pages/benchmarks/page.py", title="Benchmarks", icon=":material/speed:", url_path="benchmarks")
    settings = st.Page("pages/settings/page.py", title="Settings", icon=":material/settings:", url_path="settings")
    page = st.navigation(
        [start, data, discover, equations, history, lessons, benchmarks, settings],
        position="sidebar" if identity.is_known() and not identity.room() else "hidden", expanded=True,
    )  # fmt: skip
    look.first_of_server(deep=page is not start)
    if identity.is_joining():
        from pages.lessons import joining  # noqa: PLC0415

        joining.join()
    if not identity.is_known():
        identity.ask()
    if page is start:
        identity.go_on()
        page.run()  # it draws what it can before the core is loaded, which takes a second or two the first time

    from pages.ui import frame, jobs, presenting, session  # noqa: PLC0415

    session.begin(began, page.title)
    if page is not discover:
        session.forget_step()
    if page is not start:
        if not frame.database():
            st.stop()
        if page in (discover, equations, lessons):
            presenting.begin()
        place = frame.run_picker() if page in (discover, equations, history) else None
        frame.message()
        frame.unstored()
        page.run()
        if place is not None and page is not discover:
            frame.work(place)
    identity.leave()
    look.keys()
    jobs.board()  # last: its first worker loads the core, and the page that is being looked at comes first


if __name__ == "__main__":  # not in the processes of a pool, each of which runs this file again
    main()
elif __name__ == "app":  # the server, which `streamlit run app.py` finds by this line and starts with what guards it
    from pages.ui import guard

    app = st.App(__file__, middleware=guard.guards())
