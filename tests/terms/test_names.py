"""Names of columns and their safe symbols."""

import pytest
import sympy

from dolq_core.errors import TermError
from dolq_core.fitting import names_of
from dolq_core.records import Dataset, Variable
from dolq_core.terms import ask_for_time, parse_term, safe_names
from dolq_core.terms.names import RESERVED
from tests.every import every

AWKWARD = (
    "E I S N O Q C lambda beta Li exp pi e params np t sin id max int end "
    "x0 x1 E_ _a __ _x a-b a_b É 1st 2 θ µ μ ϑ Λ ß 北京 m² "
    "x\u0000 None true"
).split(" ")
AWKWARD += ["temp (°C)", "", " ", "x y", "x_y", "a`b", "<b>", "a\nb", "hare", "hare"]


@pytest.mark.parametrize(
    ("own", "symbol"),
    [
        ("x0", "x0"),
        ("hare_thousands", "hare_thousands"),
        ("E", "E_"),
        ("lambda", "lambda_"),
        ("beta", "beta_"),
        ("t", "t_"),
        ("C", "C_"),
        ("temp (°C)", "temp"),
        ("Temperatur Öl [°C]", "Temperatur_Ol"),
        ("S (mM)", "S_"),
        ("θ", "theta"),
        ("µ", "mu"),
        ("1st", "x_1st"),
        ("", "x"),
        ("x y", "x_y"),
        ("débit", "debit"),
    ],
)
def test_the_symbol_of_a_name(own, symbol):
    assert safe_names([own]).symbols == (symbol,)


def test_symbols_are_distinct_and_no_symbol_is_another_columns_name():
    names = safe_names(AWKWARD)
    assert len(set(names.symbols)) == len(AWKWARD)
    assert every(symbol == own or symbol not in AWKWARD for own, symbol in zip(names.own, names.symbols, strict=True))


@pytest.mark.parametrize("own", AWKWARD)
def test_every_symbol_is_a_plain_symbol_for_sympy(own):
    (symbol,) = safe_names([own]).symbols
    assert sympy.sympify(symbol) == sympy.Symbol(symbol)


def test_every_symbol_of_many_names_is_a_plain_symbol_for_sympy():
    symbols = safe_names(AWKWARD).symbols
    assert [sympy.sympify(symbol) for symbol in symbols] == [sympy.Symbol(symbol) for symbol in symbols]


def test_the_list_of_sympys_names_is_complete():
    exported = {name for name in sympy.__all__ if not name.startswith("_")}
    assert exported <= RESERVED
    assert every(name.isidentifier() for name in RESERVED)


def test_names_are_found_both_ways():
    names = safe_names(["temp (°C)", "E"], time="year")
    assert names.symbol_of == {"temp (°C)": "temp", "E": "E_"}
    assert names.own_of == {"temp": "temp (°C)", "E_": "E"}
    assert names.time == "year"


@pytest.mark.parametrize("own", AWKWARD)
def test_every_name_can_be_written_by_its_symbol(own):
    names = safe_names([own, "other"])
    assert parse_term(f"other*{names.symbols[0]}**2", names).skeleton in (
        f"other*{names.symbols[0]}**2",
        f"{names.symbols[0]}**2*other",
    )


@pytest.mark.parametrize(
    ("own", "text", "skeleton"),
    [
        (["hare", "lynx"], "x0*x1", "hare*lynx"),
        (["x1", "x0"], "x0", "x0"),
        (["b", "x7"], "x7", "x7"),
        (["temp (°C)", "S"], "`temp (°C)`*S", "S_*temp"),
        (["temp (°C)", "S"], "2*`temp (°C)`", "temp"),
        (["θ"], "sin(θ)", "sin(theta)"),
        (["µ"], "μ**2", "mu**2"),
        (["lambda"], "lambda*2", "lambda_"),
        (["C"], "C*2", "C_"),
        (["e", "pi"], "e*pi", "e_*pi_"),
        (["t"], "t*t_", "t*t_"),
        (["t"], "`t`", "t"),
        (["exp"], "exp*exp(exp)", "exp_*exp(exp_)"),
        (["np"], "np*np.sin(np)", "np_*sin(np_)"),
        (["params"], "params*sin(params[0]*params)", "params_*sin(params[0]*params_)"),
        (["a", "b"], "p1*a", "a"),
    ],
)
def test_own_names_symbols_and_positions_are_read(own, text, skeleton):
    term = parse_term(text, own)
    assert term.skeleton == skeleton
    assert parse_term(skeleton, own).skeleton == skeleton


def test_time_has_its_own_name_too():
    assert parse_term("year*x", safe_names(["x"], time="year")).skeleton == "t*x"


@pytest.mark.parametrize("own", ["t", "t (°C)"])
@pytest.mark.parametrize(("time", "called"), [("hour", "hour"), ("t", "the name of time")])
def test_t_beside_a_column_called_t_is_asked_for(own, time, called):
    with pytest.raises(TermError, match=f"Write t_ for the column, and {called} for the time"):
        ask_for_time("2*t", safe_names([own], time))


def test_a_name_before_its_unit_stands_for_the_column_where_it_is_the_only_one():
    names = safe_names(["S (mM)", "X (g/L)", "x run (m)", "x run (s)"])
    assert names.symbols == ("S_", "X", "x_run_m", "x_run_s")
    assert parse_term("S/(C + S)*X", names).skeleton == "S_*X/(params[0] + S_)"
    assert parse_term("S_mM*X_g_L", names).skeleton == "S_*X"
    assert "x run" not in names.known


@pytest.mark.parametrize("own", ["power", "power (kW)"])
def test_a_name_that_is_a_function_elsewhere_is_a_column_with_its_unit_as_without(own):
    assert parse_term("-3.4*power*x", safe_names([own, "x"])).skeleton == "power_*x"
    with pytest.raises(TermError, match="'max' is a function"):
        parse_term("max", safe_names([own, "x"]))


def test_pi_beside_a_column_of_that_name_and_a_unit_is_the_number():
    assert parse_term("sin(2*pi*x)", safe_names(["pi (hPa)", "x"])).skeleton == "sin(6.283185307179586*x)"


@pytest.mark.parametrize(
    ("text", "skeleton"),
    [
        ("temp (°C)", "temp"),
        ("-2*temp (°C)**2", "temp**2"),
        ("2temp (°C)", "temp"),
        ("sin(T (K)) * Salt conc.", "Salt_conc*sin(T)"),
        ("T (K)**2", "T**2"),  # not T times K squared
        ("x [m]·T (K)", "T*x"),
        ("`T (K)`*temp", "T*temp"),
    ],
)
def test_a_heading_as_the_file_has_it_is_its_column(text, skeleton):
    names = safe_names(["temp (°C)", "T (K)", "x [m]", "Salt conc.", "K"])
    assert parse_term(text, names).skeleton == skeleton


def test_a_column_may_be_typed_as_charts_name_it():
    """The app takes the unit off a heading: the name is temp, and the chart says temp (°C)."""
    states = (Variable("temp", "temp", "°C"), Variable("T", "T", "K"))
    names = names_of(Dataset("cup", Variable("t", "t", "min"), states, ()))
    assert parse_term("temp (°C)*T (K)**2", names).skeleton == "T**2*temp"
    assert parse_term("temp*T", names).skeleton == "T*temp"


def test_a_heading_inside_a_longer_word_is_none():
    with pytest.raises(TermError, match="'xT' is not a known function"):
        parse_term("xT (K)", safe_names(["T (K)", "K"]))
