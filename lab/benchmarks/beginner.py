"""A partner that knows no mechanism: it reads the figures of a prompt and goes by simple rules.

It stands where a language model stands (`ChatModel`), and cannot read words: neither the description nor a meaning
nor a reason. What it reaches, it reaches by what the prompt and the looks tell in figures. Its rules:

    first    propose polynomials of the variables that go with each rate
    then     for each equation above the error of the data ask what each of a list of shapes would add
             propose the law that is then needed, that with the least error first, then the second, the third
    grade    good what the figures call needed, neutral what they do not
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from dolq_core.ports import Ask, ChatReply, ChatRequest
from dolq_core.records import AT_FLOOR, ModelChoice

CHOICE = ModelChoice("scripted", "beginner")
LETTERS_A_TOKEN = 3.5
"""By which this partner counts tokens: formulas have fewer letters to a token than English, which has above four."""
CUT = ("# Where the run stands", "# The data in figures")
POLYNOMIALS = (1, 2)
MOST_TERMS, IN_A_LOOK, LOOKS = 10, 24, 4
_VARIABLE = re.compile(r"^- (\w+)(?:[:,;]|$)", re.MULTILINE)
_EQUATION = re.compile(r"^d (\w+)/dt\n((?:(?:- |  ).*\n?)*)", re.MULTILINE)
_BEST = re.compile(r"^- best: (.*)$", re.MULTILINE)
_TERM = re.compile(r"([+-][\d.e+-]+?)(?:\(\+-[^)]*\))?\*(\S.*?)\[(x[^\]]*|-)\]")
_TIMES = re.compile(r"([\d.e+-]+|inf) times the error")
_GOES_WITH = re.compile(r"^- d (\w+)/dt: .*correlation with (.*)$", re.MULTILINE)
_NEEDED = re.compile(r"needed then: (.*) \(NMSE ([\d.e+-]+)(?:, on whole runs ([+-][\d.e+]+) nats)?\)", re.MULTILINE)
_LOOKED = re.compile(r"^gain (\{.*\})\n((?:.+\n?)*?)(?=^gain |\n\n|\Z)", re.MULTILINE)
GRADED = re.compile(r"^(\d+)\. in d (\w+)/dt: .*(?:\[(x[^\]]*|-)\]|: (-?[\d.e+]+) nats)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Read:
    """What the account says of one equation."""

    needed: tuple[str, ...] = ()
    times: float = float("inf")


@dataclass
class Blinded:
    """The same partner with the account of the run and the data's portrait cut out of what it reads."""

    partner: "Beginner"
    choice: ModelChoice = CHOICE
    server: str = ""

    def send(self, request: ChatRequest) -> ChatReply:
        """Return what the partner says to what is left."""
        parts = [part for part in request.prompt.split("\n\n") if not part.startswith(CUT)]
        return self.partner.send(replace(request, prompt="\n\n".join(parts)))


@dataclass
class Beginner:
    """A partner of both roles; tokens are counted by letters."""

    choice: ModelChoice = CHOICE
    server: str = ""
    asked: dict[str, int] = field(default_factory=dict[str, int])
    """Shapes that were asked for, by equation."""

    def send(self, request: ChatRequest) -> ChatReply:
        """Return looks, a proposal, or grades."""
        text = request.prompt
        if request.name == "scientist":
            return counted(request, json.dumps(_grades(text)))
        looks = self._looks(text) if request.tools else []
        if looks:
            asks = tuple(Ask("gain", json.dumps(look)) for look in looks)
            return counted(request, "", asks)
        return counted(request, json.dumps({"hypotheses": self._hypotheses(text)}))

    def _looks(self, text: str) -> Sequence[Mapping[str, object]]:
        """For each equation that misses something the next part of its list of shapes; nothing once it has looked."""
        if "# What you have looked at" in text:
            return []
        open_ = [name for name, read in _account(text).items() if read.times > AT_FLOOR]
        most = max(1, LOOKS // max(len(open_), 1))
        parts = [(name, self._next(text, name, IN_A_LOOK)) for name in open_ for _ in range(most)]
        return [{"variable": name, "terms": some} for name, some in parts if some][:LOOKS]

    def _next(self, text: str, name: str, count: int) -> list[str]:
        """The shapes for an equation that were not tried yet."""
        at = self.asked.get(name, 0)
        some = _shapes(_order(text, name))[at : at + count]
        self.asked[name] = at + len(some)
        return some

    def _hypotheses(self, text: str) -> list[object]:
        states, account = _states(text), _account(text)
        if "# What was said of iteration" not in text:
            return [hypothesis({s: _polynomial(_order(text, s), degree) for s in states}) for degree in POLYNOMIALS]
        laws = {s: _needed(text, s) or self._guesses(text, s, account.get(s)) for s in states}
        return [hypothesis({s: some[min(way, len(some) - 1)] for s, some in laws.items()}) for way in range(3)]

    def _guesses(self, text: str, state: str, read: _Read | None) -> list[list[str]]:
        """Nothing has shown what would add: what is needed as it is, or with the next shapes, one each."""
        base = list(read.needed) if read is not None else _kept(text, state)
        if read is not None and read.times <= AT_FLOOR:
            return [base]
        return [[*base, shape] for shape in self._next(text, state, 3)] or [base or ["1"]]


def counted(request: ChatRequest, text: str, asks: tuple[Ask, ...] = ()) -> ChatReply:
    """Return a reply with its tokens, counted by letters."""
    tokens = [len(part) / LETTERS_A_TOKEN for part in (request.system + request.prompt, text + str(asks) * bool(asks))]
    return ChatReply(text, "beginner", "stop", round(tokens[0]), round(tokens[1]), 0, asks)


def hypothesis(terms: Mapping[str, Sequence[str]]) -> object:
    """Return one hypothesis as a Sampler's reply has it, without reasons."""
    return {
        "equations": [
            {"variable": name, "terms": [{"term": one, "reason": ""} for one in some]} for name, some in terms.items()
        ]
    }


def _states(text: str) -> list[str]:
    """The variables whose equations are asked for."""
    return re.findall(r"\w+", re.search(r"terms of every equation \(([^)]*)\)", text)[1])  # type: ignore[index]


def _variables(text: str) -> list[str]:
    part = text.split("Variables, as terms must name them:")[1].split("\n\n")[0]
    return [name for name in _VARIABLE.findall(part) if name != "t"]


def _order(text: str, state: str) -> list[str]:
    """The variables, those first that go with the rate of a state; the portrait says so, where it is told."""
    said = dict(_GOES_WITH.findall(text)).get(state, "")
    size = {name: abs(float(value)) for name, value in re.findall(r"(\w+) ([+-][\d.]+)", said)}
    return sorted(_variables(text), key=lambda name: -size.get(name, 0.0))


def _account(text: str) -> dict[str, _Read]:
    """What stands of each equation under "Where the run stands"."""
    _, _, part = text.partition("# Where the run stands")
    found: dict[str, _Read] = {}
    for name, lines in _EQUATION.findall(part.split("\n\n")[0] + "\n"):
        best = _BEST.search(lines)
        if best is None:
            continue
        terms = [(term.strip(), worth) for _, term, worth in _TERM.findall(best[1])]
        needed = [_bare(term) for term, worth in terms if worth != "-"] or [_bare(term) for term, _ in terms]
        times = _TIMES.search(best[1])
        found[name] = _Read(tuple(needed), float(times[1]) if times else float("inf"))
    return found


def _bare(term: str) -> str:
    return term[1:-1] if term.startswith("(") and term.endswith(")") else term


def _looked(text: str, state: str) -> str:
    """What the looks at one equation have shown."""
    _, _, part = text.partition("# What you have looked at")
    return "\n".join(lines for asked, lines in _LOOKED.findall(part + "\n") if json.loads(asked)["variable"] == state)


def _kept(text: str, state: str) -> list[str]:
    """The terms of an equation that stay, by what was said of the last attempt."""
    _, _, part = text.partition("# What was said of iteration")
    own = re.search(rf"^d {state}/dt:\n((?:- .*\n?)*)", part.split("\n\n")[0] + "\n", re.MULTILINE)
    lines = [line[2:].split(": ", 1) for line in own[1].splitlines()] if own else []
    return [term for terms, said in lines if said.startswith("kept") for term in terms.split(", ")]


def _needed(text: str, state: str) -> list[list[str]]:
    """The laws that looks have named: the most likely on whole runs first, where that is told, then the least error."""
    found = _NEEDED.findall(_looked(text, state))
    laws = [(float(nats or 0.0), float(error), terms.split(", ")) for terms, error, nats in found]
    return [terms for *_, terms in sorted(laws)]


def _grades(text: str) -> object:
    """Good what the figures need, at most three in an equation; neutral the rest."""
    goods: dict[str, int] = {}
    grades: list[object] = []
    for number, name, worth, nats in GRADED.findall(text):
        needed = float(nats) > 1.0 if nats else worth not in ("-", "")
        good = needed and goods.get(name, 0) < 3
        goods[name] = goods.get(name, 0) + good
        grades.append({"number": int(number), "grade": "good" if good else "neutral", "reason": ""})
    return {"grades": grades, "insight": "", "lift": []}


def _polynomial(variables: Sequence[str], degree: int) -> list[str]:
    """All products up to a degree where there is room for them; else a constant and the powers."""
    powers = [p for p in product(range(degree + 1), repeat=len(variables)) if sum(p) <= degree]
    if len(powers) > MOST_TERMS:
        powers = [p for p in powers if sum(map(bool, p)) <= 1]
    named = [[_power(v, n) for v, n in zip(variables, p, strict=True) if n] for p in powers]
    return ["*".join(some) or "1" for some in named][:MOST_TERMS]


def _power(name: str, exponent: int) -> str:
    return f"{name}**{exponent}" if exponent > 1 else name


ONE = (
    "sin({x})", "cos({x})", "1/{x}", "exp(params[0]*{x})", "{x}/(params[0] + {x})",
    "1/(1 + exp(params[0]*{x} + params[1]))",
)  # fmt: skip
TWO = (
    "{y}*cos({x})", "{y}*sin({x})", "cos({x})/{y}", "sin({x})*cos({y})", "sin({x} - {y})", "{x}*{y}**2",
    "{x}*{y}/(params[0] + {x}**2)", "{x}*{y}/(params[0] + {x})", "{x}/{y}", "sin({x})/{y}",
)  # fmt: skip
"""Shapes that any beginner knows."""


def _shapes(order: Sequence[str]) -> list[str]:
    """Each shape of one variable and of two, those of the first variables first."""
    pairs = sorted(
        ((x, y) for x in order for y in order if x != y), key=lambda pair: order.index(pair[0]) + order.index(pair[1])
    )
    single = [shape.format(x=x) for shape in ONE for x in order]
    return [*single, *(shape.format(x=x, y=y) for shape in TWO for x, y in pairs)]
