"""What a person did to the columns of a table before they got their roles."""

from dataclasses import dataclass


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
