"""The look of every page. It does not load the core: it is there before anything else is."""

import time
from pathlib import Path

import streamlit as st

IMAGES = Path(__file__).parents[2] / "assets" / "images"
CSS = Path(__file__).with_name("theme.css")


def look() -> float:
    """Set title, icon, logo and style sheet; return when, on the machine's monotonic clock, the page began.

    The style sheet, a file of ours, goes through Markdown: `st.html` is loaded by the browser in a piece of its own,
    behind that of the charts, and a page with charts would stand unstyled for more than a second.
    """
    began = time.monotonic()
    st.set_page_config("DoLQ", str(IMAGES / "icon.svg"), "wide", 208)
    with st.container(key="look"):
        st.markdown(f"<style>\n{CSS.read_text(encoding='utf-8')}</style>", unsafe_allow_html=True)
    dark = st.context.theme.type == "dark"
    st.logo(str(IMAGES / ("logo_dark.svg" if dark else "logo_light.svg")), size="large")
    return began


def first_of_server(deep: bool) -> None:
    """Load the page once more when it is the first that a server draws and is not the start page.

    Because a folder `pages` stands beside app.py, Streamlit takes the app for one of its older kind until
    `st.navigation` has run once, and lays 'Page not found' over the first page that is asked for by its own address.
    """
    first = _is_first()
    if first[0] and deep:
        st.html("<script>window.location.reload()</script>", unsafe_allow_javascript=True)
    first[0] = False


TAB = """
if (!window.dolqTab) document.addEventListener('keydown', window.dolqTab = pressed => {
    const button = document.querySelector('[data-testid=stPopoverButton][aria-expanded=true]')
    const body = [...document.querySelectorAll('[data-testid=stPopoverBody]')].at(-1)
    if (pressed.key !== 'Tab' || !button || !body) return
    const every = body.querySelectorAll('a[href], button, input, select, textarea, [tabindex]')
    const inside = [...every].filter(one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility())
    const back = pressed.shiftKey, at = document.activeElement
    if (at === button && !back) {
        pressed.preventDefault()
        if (!inside.length) body.tabIndex = -1
        ;(inside[0] ?? body).focus()
    } else if (body.contains(at) && (back ? at === (inside[0] ?? body) : at === (inside.at(-1) ?? body))) {
        if (back) pressed.preventDefault()
        button.focus()  // and on from there
    }
}, true)
"""


BACK = """
if (!window.dolqPush) {
    const push = window.dolqPush = history.pushState.bind(history)
    const rest = url => { const own = new URLSearchParams(url.search); own.delete('run'); return url.pathname + own }
    history.pushState = (state, title, to) => {
        const next = new URL(to ?? '', location), known = new URLSearchParams(location.search).has('run')
        if (known || rest(next) !== rest(location)) push(state, title, to)
        else history.replaceState(state, title, to)
    }
}
"""


THEME = """
if (!window.dolqTheme) {
    const app = document.querySelector('.stApp'), now = () => getComputedStyle(app).colorScheme
    let drawn = now()
    window.dolqTheme = new MutationObserver(() => {
        if (now() === drawn) return
        drawn = now()
        for (const what of ['keydown', 'keyup'])
            document.body.dispatchEvent(new KeyboardEvent(what, { key: 'r', code: 'KeyR', bubbles: true }))
    })
    window.dolqTheme.observe(app, { attributes: true, attributeFilter: ['class'] })
}
"""


def keys() -> None:
    """Let Tab lead from a button into what it opened, let one Back lead to the page before, and redraw in a new theme.

    What is opened lies at the end of the document. A page that notes in its address which run is open is no new page.
    The colours of charts and the logo are the server's choice: Streamlit's own key has the page drawn again.
    """
    with st.container(key="keys"):
        st.html(f"<script>{TAB}{BACK}{THEME}</script>", unsafe_allow_javascript=True)


@st.cache_resource(show_spinner=False)
def _is_first() -> list[bool]:
    return [True]
