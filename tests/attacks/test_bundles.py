"""A stranger's bundle: small bombs, damage, and values that no run of ours has. Refused in words, at small cost."""

import io
import json
import random
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.errors import DolqError
from dolq_core.export.bundle import MOST_LOG
from dolq_core.records import Budget, Iteration, ModelCall, ModelChoice, Models, Pause
from dolq_core.store import files
from dolq_core.store.files import run_text
from dolq_core.store.memory import MemoryStore
from dolq_core.views.files import export
from dolq_core.views.summary import result
from tests.app.scenes import disputed
from tests.waiting import LONGEST_S

ROOT = Path(__file__).parents[2]


def bundle(log: bytes) -> bytes:
    """A bundle around any log."""
    out = io.BytesIO()
    card = {"schema": "dolq-bundle/1", "name": "", "files": {"run.json": sha256(log).hexdigest()}}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        packed.writestr("bundle.json", json.dumps(card))
        packed.writestr("run.json", log)
    return out.getvalue()


def refused(content: bytes) -> str:
    """Import it, and return the sentence in which that ends; nothing is stored."""
    store = MemoryStore()
    with pytest.raises(DolqError) as caught:
        runs.import_run(store, content)
    assert not store.runs()
    assert caught.value.reason
    assert str(caught.value).encode("utf-8")
    return str(caught.value)


# --- bombs ------------------------------------------------------------------------------------------------

HEAD, TAIL = b'{"schema": "dolq-run/1", "name": "", "entries": [\n', b"\n]}"
MILLIONS = 40_000_000
"""Letters: six times as many empty lists as values may be, and ten times as many lists in lists or commas."""
BOMBS: dict[str, Callable[[], bytes]] = {
    "empty lists": lambda: empty_lists(MILLIONS),
    "lists in lists": lambda: bundle(HEAD + b"[" * MILLIONS),
    "texts with commas": lambda: bundle(HEAD + b'"' + b"," * MILLIONS + b'"' + TAIL),
    "one long number": lambda: bundle(HEAD + b"1" * MILLIONS + TAIL),
    "blanks": lambda: bundle(b" " * (2 * MILLIONS)),
    "wide letters": lambda: bundle(HEAD + b'"' + b"\\ud83d\\ude00" * 8_300_000 + b'"' + TAIL),
    "keys of many entries": lambda: bundle(
        HEAD + b'{"schema":1,"type":"Pause","reason":""},' * 2_400_000 + b"0" + TAIL
    ),
    "many empty files": lambda: _many_files(60_000),
}


def empty_lists(letters: int) -> bytes:
    return bundle(HEAD + b"[]," * (letters // 3) + b"0" + TAIL)


def _many_files(count: int) -> bytes:
    """A directory of very many files, as bytes: to write it with zipfile takes a minute."""
    entry = b"PK\x01\x02" + bytes(24) + b"\x01\x00" + bytes(16) + b"a"
    assert len(entry) == 47
    size = (count * len(entry)).to_bytes(8, "little")
    number = count.to_bytes(8, "little")
    end64 = b"PK\x06\x06" + (44).to_bytes(8, "little") + bytes(12) + number + number + size + bytes(8)
    locator = b"PK\x06\x07" + bytes(4) + (count * len(entry)).to_bytes(8, "little") + b"\x01\x00\x00\x00"
    return entry * count + end64 + locator + b"PK\x05\x06" + b"\x00" * 4 + b"\xff" * 12 + b"\x00\x00"


WEIGHED = """
import json, re, resource, sys, time
from pathlib import Path
from dolq_core import runs
from dolq_core.errors import DolqError
from dolq_core.store.memory import MemoryStore
status = Path("/proc/self/status")
def of_this_program():
    # in KB; on Linux ru_maxrss begins with what the program that started this one had
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1])
for path in sys.argv[1:]:
    content = open(path, "rb").read()
    began = time.monotonic()
    try:
        runs.import_run(MemoryStore(), content)
        said = "taken"
    except DolqError as error:
        said = str(error)
    largest = max(of_this_program(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    print(json.dumps([time.monotonic() - began, largest // 1024, said]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="memory is bounded by the system's own limits")
def test_a_small_bomb_costs_little_and_is_refused_in_words(tmp_path):
    """All bombs imported in one program: the seconds of each, the largest memory so far in MB, and the sentence."""
    paths = [tmp_path / f"{number}.zip" for number in range(len(BOMBS))]
    for path, bomb in zip(paths, BOMBS.values(), strict=True):
        path.write_bytes(bomb())
        assert path.stat().st_size < 20e6
    done = subprocess.run([sys.executable, "-c", WEIGHED, *paths], cwd=ROOT, capture_output=True, check=True)
    for name, line in zip(BOMBS, done.stdout.splitlines(), strict=True):
        seconds, megabytes, said = json.loads(line)
        assert said != "taken", name
        assert "The bundle" in said, name
        assert seconds < 30.0, name
        assert megabytes < 1000, name


def test_who_else_is_on_the_server_is_answered_while_a_bomb_is_read():
    """A beat beside the import, as the server's check of health is: never longer away than two seconds."""
    content = empty_lists(100_000_000)  # read by this program itself, it would be away for longer
    longest, done = [0.0], threading.Event()

    def beat() -> None:
        last = time.monotonic()
        while not done.wait(0.05):
            now = time.monotonic()
            longest[0] = max(longest[0], now - last)
            last = now

    beating = threading.Thread(target=beat)
    beating.start()
    try:
        refused(content)
    finally:
        done.set()
        beating.join(LONGEST_S)
    assert longest[0] < 2.0


def test_a_log_as_long_as_the_longest_that_was_measured_is_taken():
    """A thousand iterations took 7.8 MB; this is longer, and goes through the process with limits."""
    run = runs.load(runs.open_store(), disputed(1))
    words = tuple(Pause(f"{n}: " + "no answer, " * 300) for n in range(3000))
    log = run_text("long", (*run.entries, *words)).encode()
    assert len(log) > 7.8e6
    store = MemoryStore()
    assert len(runs.load(store, runs.import_run(store, bundle(log))).entries) == 3002


# --- damage -----------------------------------------------------------------------------------------------


def test_every_damage_is_a_sentence_or_nothing_at_all():
    """Bytes changed, cut out, doubled and cut off: a damaged bundle is refused, or comes back as what it was."""
    run = runs.load(runs.open_store(), disputed(1))
    whole = export(run, "bundle").content
    draw = random.Random(0)
    ended = {"refused": 0, "the same": 0}
    for number in range(600):
        store = MemoryStore()
        try:
            again = runs.import_run(store, damaged(whole, draw, number))
        except DolqError:
            ended["refused"] += 1
        else:
            assert runs.load(store, again).entries == run.entries
            ended["the same"] += 1
    assert ended["refused"] > 300


def damaged(whole: bytes, draw: random.Random, number: int) -> bytes:
    at, length = draw.randrange(len(whole)), draw.randrange(1, 40)
    match number % 5:
        case 0:
            return whole[:at] + bytes([whole[at] ^ (1 << draw.randrange(8))]) + whole[at + 1 :]
        case 1:
            return whole[:at] + whole[at + length :]
        case 2:
            return whole[: at + length] + whole[at:]
        case 3:
            return whole[:at]
        case _:
            return whole[:at] + draw.randbytes(length) + whole[at + length :]


def test_every_damage_of_the_log_itself_is_a_sentence():
    """As above, but with a checksum that fits: whoever writes a bundle writes that too."""
    run = runs.load(runs.open_store(), disputed(1))
    log = run_text(run.name, run.entries).encode()
    draw = random.Random(1)
    ended = {"refused": 0, "taken": 0}
    for number in range(400):
        store = MemoryStore()
        try:
            again = runs.import_run(store, bundle(damaged(log, draw, number)))
        except DolqError:
            ended["refused"] += 1
        else:
            ended["taken"] += 1
            now = runs.load(store, again)
            result(now)
            export(now, "report")
    assert min(ended.values()) > 0


# --- values that no run of ours has -----------------------------------------------------------------------


NUMBERS = (
    "-1e300", "1e999", "-1e999", '"inf"', '"-inf"', '"nan"', "NaN", "1" + "0" * 400, "-1", "1.5e308", "null", "[]",
)  # fmt: skip


def calls(**parts: Any) -> Pause:
    call = ModelCall(role="sampler", provider="openai", model="m", prompt="", reply="")
    return Pause("no answer", (replace(call, **parts),))


def started(entries: Any, **parts: Any) -> Any:
    return (replace(entries[0], **parts), *entries[1:])


def done(entries: Any, **parts: Any) -> Any:
    return (entries[0], replace(entries[1], **parts))


def fitted(entries: Any, **parts: Any) -> Any:
    iteration: Iteration = entries[1]
    (fit,) = iteration.attempt
    assert fit is not None
    terms = (replace(fit.terms[0], **parts), *fit.terms[1:])
    return done(entries, attempt=(replace(fit, terms=terms),))


def measured(entries: Any, **parts: Any) -> Any:
    problem = entries[0].problem
    (run,) = problem.dataset.trajectories
    dataset = replace(problem.dataset, trajectories=(replace(run, **parts),))
    return started(entries, problem=replace(problem, dataset=dataset))


def column(entries: Any, **parts: Any) -> Any:
    problem = entries[0].problem
    states = (replace(problem.dataset.states[0], **parts),)
    return started(entries, problem=replace(problem, dataset=replace(problem.dataset, states=states)))


def held(entries: Any) -> Any:
    problem = entries[0].problem
    return started(entries, problem=replace(problem, dataset=replace(problem.dataset, holds=("next",) * 9)))


def settings(entries: Any, **parts: Any) -> Any:
    bad = replace(entries[0].settings)
    for name, value in parts.items():
        object.__setattr__(bad, name, value)  # as no program of ours can make them
    return started(entries, settings=bad)


def models(entries: Any, **parts: Any) -> Any:
    choice = ModelChoice("openai", "m")
    return started(entries, agents="models", models=replace(Models(choice, choice), **parts))


INF = float("inf")
IMPOSSIBLE: dict[str, Callable[[Any], Any]] = {
    "negative seconds": lambda log: done(log, seconds={"fit": -1e9}),
    "endless seconds": lambda log: done(log, seconds={"fit": INF}),
    "a negative number of an iteration": lambda log: done(log, number=-3),
    "an iteration 10**18": lambda log: done(log, number=10**18),
    "a negative seed": lambda log: started(log, seed=-1),
    "negative tokens": lambda log: (*log, calls(tokens_in=-(10**9))),
    "negative seconds of a call": lambda log: (*log, calls(seconds=-1e9)),
    "endless seconds of a call": lambda log: (*log, calls(seconds=INF)),
    "a call that asks to wait for ever": lambda log: (*log, calls(retry_after=INF)),
    "an infinite coefficient": lambda log: fitted(log, coefficient=INF),
    "a negative standard error": lambda log: fitted(log, std_error=-1.0),
    "an infinite standard error": lambda log: fitted(log, std_error=INF),
    "no iterations": lambda log: settings(log, iterations=-1),
    "10**18 iterations": lambda log: settings(log, iterations=10**18),
    "10**18 hypotheses": lambda log: settings(log, hypotheses=10**18),
    "a negative share held out": lambda log: settings(log, held_out=-0.2),
    "everything held out": lambda log: settings(log, held_out=1.0),
    "an endless time": lambda log: settings(log, time_limit_s=INF),
    "a negative time": lambda log: settings(log, time_limit_s=-1.0),
    "an infinite temperature": lambda log: settings(log, sampler_temperature=INF),
    "a negative budget": lambda log: models(log, budget=Budget(calls=-5)),
    "an endless budget": lambda log: models(log, budget=Budget(money=INF)),
    "a negative price": lambda log: models(log, price_in=-1.0),
    "a million rows to tell": lambda log: models(log, rows=10**6),
    "a provider of nobody": lambda log: models(log, sampler=ModelChoice("nobody", "m")),
    "agents of nobody": lambda log: started(log, agents="nobody"),
    "models without any": lambda log: started(log, agents="models"),
    "infinite samples": lambda log: measured(log, x=frozen(np.full((60, 1), INF))),
    "a name of a million letters": lambda log: column(log, name="x" * 10**6),
    "inputs that there are not, held": lambda log: held(log),
    "a symbol of a million letters": lambda log: column(log, symbol="x" * 10**6),
    "a unit of a million letters": lambda log: column(log, unit="x" * 10**6),
}  # fmt: skip


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_value_that_no_run_of_ours_has_is_refused(name):
    entries = runs.load(runs.open_store(), disputed(1)).entries
    assert "The bundle" in refused(bundle(run_text("impossible", IMPOSSIBLE[name](entries)).encode()))


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "field", ["coefficient", "std_error", "mse", "seed", "number", "forget_probability", "strikes"]
)
def test_a_number_of_any_kind_at_any_place_is_refused_or_can_be_shown(field, number):
    run = runs.load(runs.open_store(), disputed(1))
    log = run_text(run.name, run.entries)
    at = log.index(f'"{field}":') + len(field) + 3
    end = min(log.index(mark, at) for mark in (",", "}"))
    store = MemoryStore()
    try:
        again = runs.import_run(store, bundle((log[:at] + number + log[end:]).encode()))
    except DolqError:
        return
    now = runs.load(store, again)
    result(now)
    export(now, "report")
    export(now, "latex")


def test_the_largest_real_log_is_a_tenth_of_the_bounds():
    assert MOST_LOG >= 10 * 7_800_000
    assert files.MOST_PARTS >= 10 * 405_000  # parts of a run of a thousand iterations
