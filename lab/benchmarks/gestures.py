"""What a person does in the app, and how long the answer takes to appear: the clicks of `lab.benchmarks.clicks`."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Error, Locator, Page

from lab.benchmarks.report import Row

LONGEST_MS = 5000
ARM = """
([expression, longest]) => {
  const isThere = new Function('return ' + expression);
  window.dolqAnswer = new Promise((resolve) => {
    let began = null;
    // asked for while a frame is made, so it comes after that frame, and before whatever waits for the next one
    const drawn = (then) => scheduler.postTask(then, {priority: 'user-blocking'});
    const note = (event) => { began ??= event.timeStamp; };
    for (const kind of ['pointerdown', 'keydown']) window.addEventListener(kind, note, {capture: true, once: true});
    const armed = performance.now();
    const look = () => {
      const now = performance.now();
      if (began !== null && isThere()) drawn(() => resolve(performance.now() - began));
      else if (now - armed > 3 * longest) resolve(began === null ? null : -1);
      else if (began !== null && now - began > longest) resolve(-1);
      else requestAnimationFrame(look);
    };
    look();
  });
}
"""
HEAD = ("", "beside a job: median", "90th percentile", "tries", "lost", "gone", "at rest: median", "90th percentile")
BAR = "(document.querySelector('.st-key-apply')?.innerText ?? '')"
POPOVER = "document.querySelector('[data-testid=stPopoverBody]') !== null"
PAGES = {
    "History": "[...document.querySelectorAll('h2')].some(h => h.innerText.startsWith('What happened in'))",
    "Equations": "(document.querySelector('.st-key-eq_0')?.innerText ?? '') !== ''",
    "Discover": f"{BAR} !== ''",
}


@dataclass
class Found:
    """The answers to one kind of click, in milliseconds; how many never came, and how many clicks found nothing."""

    ms: list[float] = field(default_factory=list)
    lost: int = 0
    gone: int = 0


def answer(page: Page, found: Found, expression: str, act: Callable[[], None]) -> None:
    """Do it, and note when `expression` is true of the page."""
    page.evaluate(ARM, [expression, LONGEST_MS])
    try:
        act()
    except Error:
        found.gone += 1
        return
    took = page.evaluate("window.dolqAnswer")
    if took is None:
        found.gone += 1
    elif took < 0:
        found.lost += 1
    else:
        found.ms.append(took)


def all_of(page: Page, tries: int) -> dict[str, Found]:
    """Do everything but Pause, until each has so many answers (or as many that failed)."""
    done = {
        "Open a term's choices": repeated(page, tries, _open),
        "Choose keep, hold or remove": repeated(page, tries, _choose),
        "Type a reason": repeated(page, tries, _reason),
        "The other equation of the actions": repeated(page, tries, _switch),
    }
    for name in PAGES:
        done[f"To the page {name}"] = Found()
    for number, name in enumerate(["History", "Equations", "Discover"] * tries):
        link = page.get_by_role("link", name=name)
        answer(page, done[f"To the page {name}"], PAGES[name], lambda link=link: link.click(timeout=3000))
        page.wait_for_timeout(400 + 37 * (number % 20))
    for name, found in done.items():
        print(*line(row(name, found, None)), sep="\t", flush=True)
    return done


def repeated(page: Page, tries: int, once: Callable[[Page, Found, int], None]) -> Found:
    """Do it until there are so many answers; not at one pace, so as to meet the job at all its moments."""
    found = Found()
    for number in range(2 * tries):
        if len(found.ms) >= tries:
            break
        try:
            once(page, found, number)
        except Error:  # what was to be clicked went away while it was looked for
            found.gone += 1
        page.wait_for_timeout(300 + 53 * (number % 13))
    return found


def _rows(page: Page) -> Locator:
    return page.locator('[class*="st-key-row_"] [data-testid=stPopoverButton]')


def _open(page: Page, found: Found, number: int) -> None:
    _shut(page)
    answer(page, found, POPOVER, lambda: _rows(page).nth(number % 3).click(timeout=3000))


def _shut(page: Page) -> None:
    """Close the choices that are open: by the key, or by a click beside them where they have lost the focus."""
    body = page.locator("[data-testid=stPopoverBody]")
    for _ in range(5):
        page.keyboard.press("Escape")
        try:
            body.wait_for(state="detached", timeout=500)
            return
        except Error:
            page.mouse.click(640, 4)


def _opened(page: Page, number: int) -> Locator:
    body = page.locator("[data-testid=stPopoverBody]")
    for _ in range(20):
        _shut(page)
        try:
            _rows(page).nth(number % 3).click(timeout=2000)
            body.get_by_role("radio").first.wait_for(timeout=1000)
        except Error:
            continue
        return body
    raise RuntimeError("The choices of a term do not open.")


def _choose(page: Page, found: Found, number: int) -> None:
    body = _opened(page, number)
    for name in ("hold", "remove"):
        if body.get_by_role("radio", name=name, checked=True).count():
            continue  # it is the choice already
        wanted = f"/change\\..*{name.capitalize()}/s.test({BAR})"
        answer(page, found, wanted, lambda name=name: body.get_by_role("radio", name=name).click(timeout=1000))
    _withdraw(page, found)


def _reason(page: Page, found: Found, number: int) -> None:
    field = _opened(page, number).get_by_role("textbox")
    try:
        field.fill("It slows by the square", timeout=1000)
    except Error:
        found.gone += 1
        return
    answer(page, found, f"/change/.test({BAR})", lambda: field.press("Enter", timeout=1000))
    _withdraw(page, found)


def _withdraw(page: Page, found: Found) -> None:
    """Take the change back, so that the next one is answered by the same words; a click that was lost is counted."""
    _shut(page)
    button = page.get_by_role("button", name="Withdraw")
    for _ in range(5):
        if not button.count():
            return
        try:
            button.click(timeout=1000)
            button.wait_for(state="detached", timeout=LONGEST_MS)
        except Error:
            found.lost += 1


def _switch(page: Page, found: Found, number: int) -> None:
    names = page.locator(".st-key-heading_actions").get_by_role("radio")
    names.first.wait_for()
    at = (number + 1) % 2
    name = names.nth(at).inner_text()
    wanted = f"document.querySelector('[aria-label^=\"What was decided on the terms of {name}\"]') !== null"
    answer(page, found, wanted, lambda: names.nth(at).click(timeout=3000))


def pauses(page: Page, tries: int) -> dict[str, Found]:
    """Press Pause in auto mode, wait for the end of the iteration, and go on with Auto."""
    done = {"Pause": Found(), "Auto again": Found()}
    _withdraw(page, Found())  # with changes that wait, Auto would ask first
    head = "document.querySelector('.st-key-head').innerText"
    for number in range(tries):
        page.wait_for_timeout(200 + 111 * (number % 9))
        pause = page.get_by_role("radio", name="Pause")
        answer(page, done["Pause"], f"/Pausing|Auto/.test({head})", lambda pause=pause: pause.click(timeout=3000))
        again = page.get_by_role("button", name="Auto", exact=True)
        for _ in range(3):  # a lost one is counted, and pressed again
            again.wait_for(timeout=30_000)
            answer(page, done["Auto again"], f"/Pause/.test({head})", lambda again=again: again.click(timeout=3000))
            if pause.count():
                break
    return done


def row(name: str, busy: Found, rest: Found | None) -> dict[str, object]:
    """Return what was measured of one kind of click: [median, 90th percentile] in milliseconds, and the counts."""
    counts = {"tries": len(busy.ms), "lost": busy.lost, "gone": busy.gone}
    return {"click": name, "busy_ms": _both(busy.ms), **counts, "rest_ms": _both(rest.ms) if rest else []}


def line(row: Row) -> tuple[object, ...]:
    """Return it as a line of the table."""
    busy, rest = ([f"{value:.0f}" for value in row[of]] or ["", ""] for of in ("busy_ms", "rest_ms"))
    return (row["click"], *busy, row["tries"], row["lost"], row["gone"], *rest)


def _both(ms: Sequence[float]) -> list[float]:
    return [statistics.median(ms), statistics.quantiles(ms, n=10, method="inclusive")[-1]] if len(ms) > 1 else []
