"""What is measured: variables, runs, data sets, and what the person says of them."""

import re
from dataclasses import dataclass

from dolq_core.arrays import Floats, same
from dolq_core.numerics.growing import Growth
from dolq_core.numerics.holding import Hold
from dolq_core.records.blocks import Blocks


@dataclass(frozen=True, slots=True)
class Scaled:
    """A column times a factor; `unit` is its unit from then on, empty when it is not said."""

    column: str
    factor: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Derived:
    """A column that a formula makes of others, in the language of terms and in the columns' own names."""

    name: str
    formula: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Preparation:
    """Columns made of columns, in this order: first all factors, then the shift of time, then the formulas in turn.

    So a name in a formula means the column as it is fitted, and a formula may use one that stands before it.

    Attributes:
        scaled: at most one for each column, the time among them.
        time_shift: added to every time, in the unit that time has after its factor.
        derived: new columns.
    """

    scaled: tuple[Scaled, ...] = ()
    time_shift: float = 0.0
    derived: tuple[Derived, ...] = ()


@dataclass(frozen=True, slots=True)
class Variable:
    """A column: its own name, the safe symbol that stands for it in terms, its unit and its meaning."""

    name: str
    symbol: str
    unit: str = ""
    meaning: str = ""

    @property
    def title(self) -> str:
        """Name and unit, as above a column; a unit that the name ends with is said once."""
        return f"{self.bare} ({self.unit})" if self.unit and self.unit != self.name else self.name

    @property
    def bare(self) -> str:
        """The name without the unit that it ends with."""
        endings = (f"({self.unit})", f"[{self.unit}]", f"/{self.unit}", f" {self.unit}") if self.unit else ()
        ending = next(filter(self.name.endswith, endings), "")
        return self.name.removesuffix(ending).rstrip() or self.name


def derivative(name: str) -> str:
    """Return the time derivative of a state as text: dx/dt of a letter, with or without a number, else d/dt name."""
    return f"d{name}/dt" if re.fullmatch(r"[^\W\d_]_?\d*", name) else f"d/dt {name}"


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """One run: n samples of d states.

    Attributes:
        t: (n,) strictly increasing times, in the unit of `Dataset.time`.
        x: (n, d) states; NaN where a cell was missing.
        inputs: (n, u) known inputs, or None.
        label: the run's own name.
        weights: (n, d) how much each sample counts beside the others of its state, 0 not at all; None when all alike.
        derivatives: (n, d) those that the table gives, NaN where it does not; None when it gives none.
    """

    t: Floats
    x: Floats
    inputs: Floats | None = None
    label: str = ""
    weights: Floats | None = None
    derivatives: Floats | None = None

    def __eq__(self, other: object) -> bool:
        """Equal labels and equal arrays (NaN equals NaN)."""
        if not isinstance(other, Trajectory):
            return NotImplemented
        arrays = same(self.t, other.t) and same(self.x, other.x) and same(self.inputs, other.inputs)
        more = same(self.weights, other.weights) and same(self.derivatives, other.derivatives)
        return arrays and more and self.label == other.label


@dataclass(frozen=True, slots=True)
class Given:
    """A column that speaks of a state: by their own names; of every state where `state` is empty.

    term: of a state that was not measured, the term of that state's equation that holds it; empty: its rate.
    """

    column: str
    state: str = ""
    term: str = ""

    def written(self) -> dict[str, str]:
        """Return it for a document: the term only where there is one."""
        said = {"column": self.column, "state": self.state}
        return {**said, "term": self.term} if self.term else said


@dataclass(frozen=True, slots=True)
class Dataset:
    """Trajectories of one system and what their columns are.

    Attributes:
        weights: the columns that say how much samples count.
        derivatives: the columns that hold the derivative of a state.
        preparation: what was done to the columns before.
        functions: a person's own, (name, body in x), that terms may call.
        unmeasured: states that act in the equation of another one, or are its rate; their values follow from a curve
            through it.
        holds: per input what it does between samples; empty while that was not looked for.
        noise: per state how its noise grows with its value: constant part and share of the value, 0 where it does not;
            empty while that was not looked for.
    """

    name: str
    time: Variable
    states: tuple[Variable, ...]
    trajectories: tuple[Trajectory, ...]
    inputs: tuple[Variable, ...] = ()
    source: str = ""
    weights: tuple[Given, ...] = ()
    derivatives: tuple[Given, ...] = ()
    preparation: Preparation = Preparation()
    functions: tuple[tuple[str, str], ...] = ()
    unmeasured: tuple[Given, ...] = ()
    holds: tuple[Hold, ...] = ()
    noise: tuple[Growth, ...] = ()

    @property
    def variables(self) -> tuple[Variable, ...]:
        """States, then inputs."""
        return (*self.states, *self.inputs)

    @property
    def rates(self) -> dict[int, int]:
        """By number, the states of which the rate is a state of its own, and that one: x' = v by definition."""
        place = {state.name: j for j, state in enumerate(self.states)}
        return {place[one.state]: place[one.column] for one in self.unmeasured if not one.term}

    @property
    def hidden(self) -> tuple[int, ...]:
        """By number, the states that nobody measured and that are no rate of another: their samples are a curve's."""
        place = {state.name: j for j, state in enumerate(self.states)}
        return tuple(place[one.column] for one in self.unmeasured if one.term)

    def defined_by(self, equation: int) -> tuple[int, ...]:
        """Return the states that a state is the rate of, or the rate of their rate, by number."""
        found = tuple(j for j, rate in self.rates.items() if rate == equation)
        return found + tuple(k for j in found for k in self.defined_by(j))

    @property
    def columns(self) -> tuple[Variable, ...]:
        """The time, states, inputs."""
        return (self.time, *self.variables)


@dataclass(frozen=True, slots=True)
class Problem:
    """A data set and what the person says of it. `version` counts the person's edits of the words.

    blocks: what its laws may be made of.
    """

    dataset: Dataset
    description: str = ""
    version: int = 1
    blocks: Blocks = Blocks()
