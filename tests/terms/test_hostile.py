"""No string does anything but become a term or a refusal that says why."""

import sys

import numpy as np

from dolq_core.errors import TermError
from dolq_core.terms import compile_columns, count_params, parse_term
from tests.terms.hostile import hostile
from tests.terms.strategies import SYMBOLS

WATCHED = ("exec", "import", "open", "os.", "subprocess.", "socket.", "ctypes.", "pickle.", "shutil.")


class Audit:
    """What the interpreter is asked to do besides computing, within a `with`."""

    def __init__(self) -> None:
        self.on = False
        self.seen: list[str] = []
        sys.addaudithook(self.hear)  # a hook stays for good, so there is one

    def hear(self, event: str, _: tuple) -> None:
        if self.on and event.startswith(WATCHED):
            self.seen.append(event)

    def __enter__(self) -> list[str]:
        self.seen.clear()
        self.on = True
        return self.seen

    def __exit__(self, *_: object) -> None:
        self.on = False


LISTENING = Audit()


def read(text: str) -> tuple[str, str]:
    """Return the skeleton and no reason, or no skeleton and the reason."""
    try:
        return parse_term(text, SYMBOLS).skeleton, ""
    except TermError as error:
        return "", error.reason


def test_the_audit_hears_what_an_attack_would_do():
    with LISTENING as heard:
        eval("__import__('os').listdir('/')")  # noqa: S307
    assert {"exec", "os.listdir"} <= set(heard)


def test_a_hostile_string_is_refused_with_a_reason_or_is_a_harmless_term():
    with LISTENING as heard:
        found = {text: read(text) for text in hostile(4000, seed=1)}
    assert heard == []
    assert [text for text, (skeleton, reason) in found.items() if bool(skeleton) == bool(reason)] == []
    accepted = [skeleton for skeleton, _ in found.values() if skeleton]
    assert 100 < len(accepted) < 2000  # both sides are reached
    assert [skeleton for skeleton in accepted if read(skeleton)[0] != skeleton] == []


def test_what_is_accepted_is_arithmetic():
    x, t = np.array([[0.5, -1.0], [2.0, 1e200], [0.0, 3.0]]), np.array([0.0, 1.0])
    accepted = {skeleton for skeleton, _ in map(read, hostile(1500, seed=2)) if skeleton}
    with LISTENING as heard:
        for skeleton in accepted:
            values = compile_columns(skeleton, SYMBOLS)(x, t, np.ones(count_params(skeleton)))
            assert (values.shape, values.dtype) == ((2,), float), skeleton
    assert heard == []
