"""Every lesson walked to its end, in a room, at a desk, on a phone: `python -m tests.e2e.walk [folder [lesson ...]]`.

Each step is looked at as it comes, once its button was pressed, and once it is answered, in every size. What is cut
off, too wide, too small, out of sight, or on something else is said; in the folder there is a picture of each.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, ViewportSize

from dolq_core import lessons
from pages.ui.presenting import LEAST
from tests.e2e.pages import DRAWN, opened, settled
from tests.e2e.server import browsing, served
from tests.e2e.test_accessibility import COLOURS, findings

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL_ROOM: ViewportSize = {"width": 1280, "height": 720}
LARGE_ROOM: ViewportSize = {"width": 1920, "height": 1080}
ROOM, DESK = (SMALL_ROOM, LARGE_ROOM), (PHONE, SMALL_ROOM, LARGE_ROOM)

LAID_OUT = """async () => {
    const sizes = () => [...document.querySelectorAll('.stPlotlyChart')].map(chart => {
        const box = chart.getBoundingClientRect(), drawn = chart.querySelector('.main-svg')?.getBoundingClientRect()
        return [box.width, box.height, box.width ? drawn?.width : 0, box.width ? drawn?.height : 0]
    })
    const before = sizes()
    await new Promise(done => setTimeout(done, 150))  // the sidebar slides
    return `${before}` === `${sizes()}` && before.every(([width, height, ...drawn]) =>
        Math.abs(width - drawn[0]) < 1 && Math.abs(height - drawn[1]) < 1)
}"""

TOO_FAR = """() => {
    const found = [], main = document.querySelector('[data-testid=stMain]')
    const shown = one => one.checkVisibility({checkVisibilityCSS: true}) && one.getBoundingClientRect().width > 2
    const every = what => [...main.querySelectorAll(what)].filter(shown)
    const name = one => (one.textContent || one.tagName).trim().slice(0, 40)
    if (main.scrollWidth > main.clientWidth + 1) found.push(`wide: ${main.scrollWidth - main.clientWidth} px`)
    for (const one of every('p, th, td, li, button, h1, h2, .katex-html > .base, .stPlotlyChart')) {
        const over = Math.round(one.getBoundingClientRect().right - innerWidth)
        if (over > 1) found.push(`past the edge: ${over} px: ${name(one)}`)
    }
    for (const one of every('p, td, th, button, label, h1, h2, .stMarkdown, .stMarkdown > div')) {
        const over = one.clientWidth && one.scrollWidth - one.clientWidth
        if (over > 1 && getComputedStyle(one).overflowX !== 'visible') found.push(`cut: ${over} px: ${name(one)}`)
    }
    for (const chart of every('.stPlotlyChart')) {
        const drawn = chart.querySelector('.main-svg').getBoundingClientRect()
        const said = [...chart.querySelectorAll('text')].filter(one => one.textContent.trim() && shown(one))
        const boxes = said.map(one => [one.textContent.trim(), one.getBoundingClientRect()])
        boxes.forEach(([text, a], number) => {
            const sides = [a.right - drawn.right, drawn.left - a.left, a.bottom - drawn.bottom, drawn.top - a.top]
            if (Math.max(...sides) > 1) found.push(`cut by the chart: ${text}`)
            for (const [other, b] of boxes.slice(number + 1)) {
                const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
                const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
                if (wide > 2 && high > 8) found.push(`on each other: ${text} | ${other}`)
            }
        })
    }
    return found
}"""

BEYOND = """() => {
    const found = [], main = document.querySelector('[data-testid=stMain]')
    for (const one of [main, ...main.querySelectorAll('[data-testid=stColumn]')]) {
        const over = one.scrollHeight - one.clientHeight
        const called = one === main ? 'page' : one.querySelector('.st-key-stage') ? 'pictures' : 'words'
        if (over > 0) found.push(`scrolls ${over} px: ${called}`)
    }
    for (const one of main.querySelectorAll('.stPlotlyChart, [class*=st-key-eq_], .st-key-lesson_ways')) {
        const box = one.getBoundingClientRect(), over = Math.round(box.bottom - innerHeight)
        if (box.height && over > 0) found.push(`below the screen: ${over} px`)
    }
    return found
}"""

UNSEEN = """() => {
    const at = document.querySelector('.st-key-lesson_question').getBoundingClientRect().top
    return at > innerHeight - 80 || at < 0 ? [`the answer is out of sight, at ${Math.round(at)} px`] : []
}"""

SMALL = """least => {
    const found = [], all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (all.nextNode()) {
        const said = all.currentNode.textContent.replace(/\\u200b/g, '').trim(), at = all.currentNode.parentElement
        const box = at.getBoundingClientRect(), unread = 'script, style, .katex-mathml, [data-testid=stIconMaterial]'
        if (!said || box.width < 2 || box.height < 2 || at.closest(unread)) continue
        if (!at.checkVisibility({checkVisibilityCSS: true})) continue
        if (parseFloat(getComputedStyle(at).fontSize) < least) found.push(`small: ${said}`)
    }
    return found
}"""

WHOLE = "document.querySelector('[data-testid=stMain]').scrollHeight"


def main(folder: Path | None, names: list[str]) -> int:
    """Walk the lessons, all of them if none is named; return the exit status."""
    found = 0
    with tempfile.TemporaryDirectory() as place, browsing() as browser, served(Path(place) / "runs.db") as address:
        for name in names or [one.id for one in lessons.bundled()]:
            for room in (True, False):
                for said in _looked_over(browser, address, name, folder, room=room):
                    print(said, flush=True)
                    found += 1
            print(f"{name}: walked", flush=True)
    print(f"{found} findings." if found else "Nothing is cut off, too wide, too small or on something else.")
    return bool(found)


def _looked_over(browser: Browser, address: str, name: str, folder: Path | None, *, room: bool) -> Iterator[str]:
    sizes, mode = (ROOM, "room") if room else (DESK, "desk")
    with opened(browser, viewport=sizes[0], color_scheme="light", bypass_csp=True) as page:
        for rest in walked(page, address, name, room=room):
            if rest.endswith("c"):
                yield from (f"{name} {rest} {mode}: {said}" for said in page.evaluate(UNSEEN))
            for part in range(1 + (len(_others(page)) if room else 0)):
                if part:
                    _others(page)[part - 1].click()
                    settled(page)
                for size in sizes:
                    page.set_viewport_size(size)
                    where = f"{name} {rest}{part or ''} {mode} {size['width']}"
                    yield from (f"{where}: {said}" for said in looked_at(page, room=room))
                    _picture(page, folder, where, size, whole=not room)
            page.set_viewport_size(sizes[0])
        yield from (f"{name} {mode} light: {said}" for said in findings(page, COLOURS))
        page.emulate_media(color_scheme="dark")
        page.reload()  # what is drawn keeps its colours until then
        page.locator(".st-key-lesson_question").wait_for()
        settled(page)
        yield from (f"{name} {mode} dark: {said}" for said in findings(page, COLOURS))
        _picture(page, folder, f"{name} {mode} dark", sizes[0], whole=not room)


def walked(page: Page, address: str, name: str, *, room: bool) -> Iterator[str]:
    """Walk a lesson to its end; yield at each rest where it is: a step, and a as it comes, b asked, c answered."""
    page.goto(f"{address}/lessons{'?present=1' * room}")
    page.locator(f".st-key-open_{name} button").first.click()
    count = next(len(one.lesson.steps) for one in lessons.bundled() if one.id == name)
    for number in range(1, count + 1):
        page.get_by_text(f"Step {number} of {count}").wait_for()
        settled(page)
        act = page.locator("[class*='st-key-act-'] button:enabled")
        if act.count():
            yield f"{number}a"
            act.click()
            page.locator(".st-key-lesson_question").wait_for()
            settled(page)
        yield f"{number}b"
        page.get_by_role("button", name="Show the answer" if room else "I do not know").click()
        page.locator(".st-key-lesson_question").get_by_text("shown").wait_for()
        settled(page)
        yield f"{number}c"
        if number < count:
            page.get_by_role("button", name="Next").click()


def looked_at(page: Page, *, room: bool) -> list[str]:
    """Return what does not hold on a step as it is shown now."""
    page.wait_for_function(DRAWN)
    page.wait_for_function(LAID_OUT)
    found = page.evaluate(TOO_FAR)
    return [*found, *page.evaluate(BEYOND), *page.evaluate(SMALL, LEAST)] if room else found


def _others(page: Page) -> list[Locator]:
    """Return what leads to the further pictures that a room chooses between side by side."""
    return page.locator(".st-key-stage [data-testid=stButtonGroup] button").all()[1:]


def _picture(page: Page, folder: Path | None, where: str, size: ViewportSize, *, whole: bool) -> None:
    """Take a picture; whole: of all that the page scrolls through."""
    if folder is None:
        return
    if whole:
        page.set_viewport_size({"width": size["width"], "height": max(size["height"], page.evaluate(WHOLE))})
        page.wait_for_function(LAID_OUT)
    page.screenshot(path=folder / f"{where.replace(' ', '-')}.png")


if __name__ == "__main__":
    into = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if into:
        into.mkdir(parents=True, exist_ok=True)
    sys.exit(main(into, sys.argv[2:]))
