"""Pages of a browser that know when the app has come to rest: no test waits for a time and hopes that it was enough."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from tests.e2e.server import IDLE
from tests.waiting import LONGEST_S

LISTENING = """
window.runs = {asked: 0, begun: 0, ended: 0}
window.WebSocket = class extends WebSocket {
    constructor(...all) {
        super(...all)
        this.addEventListener('message', message => heard(fields(new Uint8Array(message.data))))
    }
    send(said) {
        const {11: run} = fields(said)  // BackMsg.rerun_script
        if (run && !fields(run)[6]) runs.asked++  // ClientState.is_auto_rerun: nobody asked
        super.send(said)
    }
}
function heard(said) {  // a ForwardMsg
    if (4 in said) runs.begun = runs.asked  // new_session
    if (6 in said && said[6] !== 2) {  // script_finished, and not because it begins anew
        const answered = runs.begun
        requestIdleCallback(() => { runs.ended = answered }, {timeout: 1000})  // what it drew is there by then
    }
}
function fields(bytes) {  // of a message of Protocol Buffers, by their numbers
    const found = {}
    for (let at = 0; at < bytes.length;) {
        const tag = number(), value = number()
        found[tag >> 3] = tag & 7 ? bytes.subarray(at, at += value) : value
        function number() {
            let read = 0
            for (let shift = 0; ; shift += 7) {
                read |= (bytes[at] & 127) << shift
                if (bytes[at++] < 128) return read
            }
        }
    }
    return found
}
"""
IS_IDLE = "() => new Promise(done => requestIdleCallback(done, {timeout: 1000}))"
RESTS = f"""() => window.runs && runs.asked && runs.asked === runs.ended
    && document.querySelector('{IDLE}') && !document.querySelector('[data-testid=stSkeleton]')
    && getComputedStyle(document.documentElement).getPropertyValue('--edge') !== ''"""

DRAWN = """() => [...document.querySelectorAll('[data-testid=stElementContainer]')].every(
    element => element.dataset.stale !== 'true' && getComputedStyle(element).opacity === '1')"""


SIZE: ViewportSize = {"width": 1280, "height": 900}


@contextmanager
def opened(browser: Browser, **options: Any) -> Iterator[Page]:
    """Open a page with cookies of its own, and close it afterwards."""
    context = browser.new_context(**{"viewport": SIZE, "reduced_motion": "reduce"} | options)
    context.set_default_timeout(1000 * LONGEST_S)
    context.add_init_script(LISTENING)
    yield context.new_page()
    context.close()


@contextmanager
def alone(context: BrowserContext) -> Iterator[Page]:
    """Lend the first tab of a context, which knows the app's scripts: as it was opened, and left as it was.

    What a test keeps in the tab or opens besides is gone afterwards; a new tab would compile all scripts again.
    """
    page = context.pages[0] if context.pages else context.new_page()
    page.set_viewport_size(SIZE)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    yield page
    for other in context.pages[1:]:
        other.close()
    for left in context.pages:
        left.evaluate("location.protocol === 'about:' || sessionStorage.clear()")
        left.goto("about:blank")


def settled(page: Page) -> None:
    """Wait until the app has answered all that the page asked, has come to rest, and the style sheet holds."""
    page.evaluate(IS_IDLE)  # what a click or a key asks for has been sent by then
    page.wait_for_function(RESTS, polling=50)  # at every frame it would take a good part of the machine


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()
    settled(page)
