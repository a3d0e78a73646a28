"""Terms that are made to take long: products of sums with placeholders, which can be exchanged in many ways."""

import random
from collections.abc import Iterator

P = [f"p{number}" for number in range(1, 9)]
NEXT = [*P[1:6], P[0]]
SYMMETRIC = (
    "*".join(f"(x0+{p})" for p in P[:6]) + "*(" + "+".join(P[:6]) + "+temp)",
    "*".join(f"(x0+{p})*(temp+{p})" for p in P[:6]),
    "(" + "+".join(P) + "+x0)*(" + "*".join(P) + "+temp)",
    "exp(" + "+".join(f"{p}*x0" for p in P[:6]) + ")*(" + "+".join(f"{p}*temp" for p in P[:6]) + "+x0)",
    "(" + "+".join(f"sin({p}+x0)" for p in P[:6]) + ")/(" + "+".join(f"cos({p}+x0)" for p in P[:6]) + ")",
    "*".join(f"({p}+x0+{q}*temp)" for p, q in zip(P[:6], NEXT, strict=True)),
    "(" * 20 + "x0" + "+p1)**2" * 20,
)


def slow(count: int, seed: int) -> Iterator[str]:
    """Yield so many: the worst that are known first, then drawn ones."""
    yield from SYMMETRIC[:count]
    draw = random.Random(seed)
    for number in range(count - len(SYMMETRIC)):
        yield (_product, _nested, _shared)[number % 3](draw)


def _sum(draw: random.Random) -> str:
    parts = [draw.choice(("x0", "temp", "sin(x0)", draw.choice(P), f"{draw.choice(P)}*x0", f"{draw.choice(P)}*temp"))]
    parts += [draw.choice(("x0", draw.choice(P), f"{draw.choice(P)}*temp")) for _ in range(draw.randint(1, 3))]
    return f"({'+'.join(parts)})"


def _product(draw: random.Random) -> str:
    return draw.choice("*/").join(_sum(draw) for _ in range(draw.randint(2, 7)))


def _nested(draw: random.Random) -> str:
    text = _sum(draw)
    for number in range(draw.randint(2, 14)):
        p = P[number % len(P)]
        text = draw.choice((f"({text}+temp)**2", f"sin({text})+{p}", f"({text})*(x0+{p})", f"1/({text}+x0)"))
    return text


def _shared(draw: random.Random) -> str:
    some = P[: draw.randint(3, 8)]
    shape = draw.choice(("({p}+x0)", "({p}*x0+temp)", "exp({p}*x0)", "sin({p}+x0)", "({p}+x0+{p}*temp)"))
    both = [shape.format(p=p) for p in some]
    return draw.choice("*+").join(both) + draw.choice("*/+") + "(" + draw.choice("*+").join([*some, "x0"]) + ")"
