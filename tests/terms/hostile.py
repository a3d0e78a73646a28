"""Strings that a hostile model or person might send as a term: made from a grammar of attacks, and mutated."""

import random
from collections.abc import Iterator

NAMES = ("x0", "x1", "t", "C", "params[0]", "2", "0.5", "1e308", "-1")
DUNDER = ("__class__", "__mro__", "__subclasses__", "__globals__", "__builtins__", "__import__", "__dict__", "__init__")
MODULES = ("os", "sys", "subprocess", "builtins", "np", "numpy", "np.linalg", "pickle", "ctypes")
CALLS = ("system", "popen", "load", "fromfile", "save", "exec", "eval", "compile", "open", "getattr", "exit", "input")
LOOKALIKES = (
    "ｓin", "ехр", "sіn", "x₀", "х0", "ⅹ0", "１", "＊", "−", "·", "÷", "‐", "（", "）", "ｅval", "＿＿class＿＿",
)  # fmt: skip
SPACES = ("\u200b", "\u00a0", "\u2028", "\ufeff", "\t", "\r", "\n", "\0", "\x1b[2J", "\u202e", "\\\n")
ODD = (
    "lambda: 0", "(y := 1)", "[i for i in x0]", "{x0: 1}", "f'{x0}'", "b'a'", "await x0", "yield x0",
    "x0 if x1 else t", "*x0", "x0[0]", "x0[::2]", "x0.real", "not x0", "x0 < x1", "x0 @ x1", "~x0", "x0; x1", "# x0",
    "...", "1j", "0x10", "1_000", "None", "True", "'a'*10**9", "print(x0)", "assert x0", "import os", "del x0",
    "x0 = 1",
)  # fmt: skip
FUNCTIONS = ("sin", "cos", "exp", "log", "sqrt", "abs", "tanh", "np.sin", "np.exp", "cbrt")


def hostile(count: int, seed: int = 0) -> Iterator[str]:
    """Yield so many strings, the same ones for the same seed."""
    draw = random.Random(seed)
    kinds = (_walk, _call, _odd, _lookalike, _huge, _deep, _tower, _long, _plain, _noise)
    for number in range(count):
        text = kinds[number % len(kinds)](draw)
        yield _mutated(text, draw) if draw.random() < 0.4 else text


def _walk(draw: random.Random) -> str:
    """Attributes of attributes."""
    start = draw.choice(("x0", "()", "''", "sin", "params", "(1).real", *MODULES))
    return start + "".join(
        f".{draw.choice(DUNDER + CALLS)}{draw.choice(('', '()', '[0]'))}" for _ in range(draw.randint(1, 6))
    )


def _call(draw: random.Random) -> str:
    inner = draw.choice(("'id'", "x0", "'/etc/passwd'", f"{draw.choice(MODULES)}", "*x0", "**x0", "x0=1"))
    named = draw.choice(
        (draw.choice(CALLS), f"{draw.choice(MODULES)}.{draw.choice(CALLS)}", f"__import__('{draw.choice(MODULES)}')")
    )
    return f"{draw.choice(NAMES)}*{named}({inner})"


def _odd(draw: random.Random) -> str:
    return draw.choice(("{}", "x0*({})", "sin({})", "{} + x0", "params[{}]")).format(draw.choice(ODD))


def _lookalike(draw: random.Random) -> str:
    sign, space = draw.choice(LOOKALIKES), draw.choice(SPACES)
    return draw.choice(
        (f"{sign}*x0", f"x0{sign}2", f"{sign}(x0)", f"x0{space}*{space}x1", f"sin{space}(x0)", f"x0*{sign}{space}")
    )


def _huge(draw: random.Random) -> str:
    digits = "9" * draw.choice((5, 30, 400, 5000))
    return draw.choice(
        (f"{digits}*x0", f"x0**{digits}", f"1e{digits}*x0", f"0.{digits}*x0", f"x0*1e-{digits}", f"-{digits}")
    )


def _deep(draw: random.Random) -> str:
    depth = draw.choice((20, 90, 200, 1000, 20_000))
    opening, closing = draw.choice(
        (("(", ")"), ("sin(", ")"), ("-", ""), ("[", "]"), ("{", "}"), ("1/(", ")"), ("(x0+", ")"))
    )
    return opening * depth + "x0" + closing * draw.choice((depth, depth - 1, 0))


def _tower(draw: random.Random) -> str:
    return "**".join(
        [draw.choice(("9", "x0", "99", "(2)"))] + [draw.choice(("9", "9.5", "(x1)", "-9"))] * draw.randint(2, 80)
    )


def _long(draw: random.Random) -> str:
    term = draw.choice(("x0*", "x0+", "sin(x0)*", "(x0+x1)*", "x0/", "params[1]*"))
    return term * draw.choice((10, 60, 400, 30_000)) + "x1"


def _plain(draw: random.Random) -> str:
    """What is nearly right, and sometimes is."""
    text = draw.choice(NAMES)
    for _ in range(draw.randint(1, 8)):
        name, function = draw.choice(NAMES), draw.choice(FUNCTIONS)
        grown = (f"{text}*{name}", f"{function}({text})", f"({text})**{name}", f"{text} + {name}", f"1/({text})")
        text = draw.choice(grown)
    return text


def _noise(draw: random.Random) -> str:
    return "".join(
        chr(draw.choice((draw.randint(0, 127), draw.randint(0, 0x2FFF)))) for _ in range(draw.randint(1, 60))
    )


def _mutated(text: str, draw: random.Random) -> str:
    """Delete, double or insert at a random place."""
    place = draw.randrange(len(text) + 1)
    new = draw.choice(
        (
            "",
            "",
            draw.choice(SPACES),
            draw.choice("()[]{}*.,;'\"\\=_`^"),
            draw.choice(LOOKALIKES),
            text[place : place + 9],
        )
    )
    return text[:place] + new + text[place + draw.randint(0, 2) :]
