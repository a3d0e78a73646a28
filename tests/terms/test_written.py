"""What scientists type: read where it means one thing, else refused with the spelling that works. One row each."""

import pytest

from dolq_core.errors import TermError
from dolq_core.terms import parse_equation, parse_term, safe_names

OWN = ("x", "y", "N", "K", "λ", "θ", "[A]", "temp (°C)")
SAME = {
    "x**2": "x^2, x², x^{2}, x ^ 2, (x)^2, x.^2, x x^1 -> x*x, pow(x; 2), np.power(x; 2), power(x; 2), x(t)², [x]^2",
    "x**3*y": "x³y, x³*y, x^3*y, x³·y, x³ * y",
    "1/x": "x⁻¹, x^-1, x^{-1}, 1./x, 1÷x",
    "sqrt(x)": "x^(1/2), x^0.5, x**.5, x^{0.5}, √x, √(x), sqrt x, Sqrt(x), \\sqrt(x)",
    "2*x": "2x, 2 x, 2·x, 2×x, 2⋅x, 2∙x, 2.*x, 2.0x, 2(x), 2[x], 2 \\cdot x",
    "0.5*x**2": "0.5x², .5x^2, 0.5 x², 5e-1x²",
    "x*y": "x[y], x·y, x×y, x⋅y, x∗y, x.*y, x(t)*y(t), [x][y], x(t)y -> x*y",
    "x - y": "x − y, x – y, x‐y",
    "-x": "−x, - x",
    "x*(1 - x)": "x(1 - x), x (1 − x), x(t)(1 - x(t)), [x](1 - [x])",
    "x*(1 - x)**2": "x(1 - x)^2, x(1 - x)²",
    "N*(1 - N/K)": "N(1 - N/K), N (1-N/K), N*(1 - N÷K), N·(1 − N/K)",
    "(1 + x)*(1 + y)": "(1+x)(1+y), (1 + x) (1 + y), (x+1)·(y+1)",
    "abs(x)": "|x|, Abs(x), fabs(x), np.abs(x), np.absolute(x)",
    "x*abs(x)": "x|x|, x*|x|, x·|x|",
    "sin(x)": "sin x, Sin(x), SIN(x), np.sin(x), numpy.sin(x), math.sin(x), \\sin(x)",
    "sin(x)**2": "sin²(x), sin^2(x), sin(x)², sin(x)^2, sin**2(x)",
    "x*cos(θ)": "x*cos θ, x·cos θ, cos(θ) x -> x*cos(theta), x*cos(theta), x*\\cos(\\theta)",
    "sin(6.283185307179586*t)": "sin(2πt), sin(2π t) -> sin(2*pi*t), sin(2*π*t), sin(2*pi*t)",
    "λ*x": "λ·x, lambda*x, x*λ, \\lambda*x, `λ`*x, lambda_*x",
    "log(x)": "ln x, ln(x), log(x), np.log(x), Ln(x)",
    "log10(x)": "log10(x), lg(x)",
    "exp(-x)": "e^-x, e^(-x), e^{-x}, e**(-x), exp(-x), Exp(−x), np.exp(-x), 1/exp(x)",
    "asinh(x)": "asinh(x), arcsinh(x), arsinh(x), np.arcsinh(x)",
    "atan(x)": "arctan(x), atan(x), np.arctan(x), ArcTan(x)",
    "1/cosh(x)": "sech(x)",
    "cos(x)/sin(x)": "cos(x)·csc(x)",
    "erf(x)": "erf(x), Erf(x), math.erf(x)",
    "1 - erf(x)": "erfc(x)",
    "max(x, 1)": "max(x; 1), maximum(x; 1), np.maximum(1; x), Max(x; 1)",
    "min(x, y)": "min(x; y), min(y; x), fmin(x; y)",
    "step(x - 1)": "step(x - 1), heaviside(x - 1), Heaviside(x − 1)",
    "max(x, 0)": "relu(x), max(0; x)",
    "sign(x)": "sgn(x), signum(x), np.sign(x)",
    "x/(1 + x)": "x/(1+x), x÷(1 + x), x(t)/(1 + x(t))",
    "1e-3*x": "1e-3x, 1e-3 x, 10^-3 x, 10⁻³x, 0.001x",
    "`temp (°C)`**2": "temp^2, temp², Temp² -> temp**2, temp_C**2",
    "C*x": "C x -> C*x, params[0]*x, p1*x",
}  # fmt: skip
"""By what this language writes, what people write for it. A ';' stands for a comma; what is refused has after -> what
works instead."""


def cases():
    for python, written in SAME.items():
        for one in written.split(", "):
            text, _, instead = one.replace(";", ",").partition(" -> ")
            yield pytest.param(text, python, instead, id=text)


@pytest.mark.parametrize(("text", "python", "instead"), list(cases()))
def test_what_means_one_thing_is_read_as_that_and_the_rest_refused_with_a_way_out(text, python, instead):
    wanted = parse_term(python, OWN)
    if instead:
        with pytest.raises(TermError) as caught:
            parse_term(text, OWN)
        assert "*" in caught.value.way_out or "Known are" in caught.value.way_out
    read = parse_term(instead or text, OWN)
    assert (read.skeleton, read.coefficient) == (wanted.skeleton, pytest.approx(wanted.coefficient))


TWO_READINGS = [
    ("1/2x", "1/(2x) or x/2"), ("1/2 x", "the same"), ("x/2(y + 1)", "the same"), ("1/x(1 - x)", "the same"),
    ("1/(x + 1)(y + 1)", "the same"), ("e^2x", "e^2*x or exp(2*x)"), ("x^2y", "x^2*y or x^(2y)"),
    ("sin 2x", "where the argument ends"), ("sin x*y", "where the argument ends"), ("sin⁻¹(x)", "asin or 1/sin"),
    ("x(y)", "x*y or x as a function of y"), ("x(t - 1)", "a delay"), ("||x| - y|", "which bars belong together"),
    ("xy", "x*y or a name"), ("λx", "λ*x or a name"), ("1,5x", "1.5 or two terms"), ("H(x)", "step, or a name"),
    ("x if x > 0 else 0", "max(x, 0)"), ("x*(x > 1)", "x*step(x - 1)"), ("floor(x)", "no function of the language"),
    ("x'", "a rate"), ("½x", "0.5*x"), ("x ≤ 1", "step(1 - x)"), ("\\frac{x}{y}", "x/y"), ("p(x)", "a name"),
]  # fmt: skip


@pytest.mark.parametrize("text", [text for text, _ in TWO_READINGS])
def test_what_may_mean_two_things_is_refused_with_a_way_out(text):
    with pytest.raises(TermError) as caught:
        parse_term(text, OWN)
    assert caught.value.way_out


LEFT = (
    "dx/dt = | d x / dt = | dx / dt=| d(x)/dt = | d[x]/dt = | dx(t)/dt = | d/dt x = | d/dt(x) = | (dx/dt) = | x' = | "
    "x'(t) = | x′ = | x’ = | ẋ = | x\u0307 = | xdot = | x_dot = | dot(x) = | D(x) = | diff(x, t) = | ∂x/∂t = | "
    "\\dot{x} = | \\frac{dx}{dt} = | dxdt = | dx/dt == | dx/dt := | dx/ds = | d`x`/dt ="
).split("| ")


@pytest.mark.parametrize("left", LEFT)
def test_a_rate_on_the_left_is_read_however_it_is_written(left):
    found = parse_equation(f"{left} 2x − y;", safe_names(OWN), 0)
    assert [(term.skeleton, term.coefficient) for term in found] == [("x", 2.0), ("y", -1.0)]


@pytest.mark.parametrize("left", ["dy/dt", "y'", "ẏ", "x", "dx", "Δx", "d²x/dt²", "x''", "dN/dt", "rate"])
def test_another_left_side_is_refused(left):
    with pytest.raises(TermError, match="is not the rate of x"):
        parse_equation(f"{left} = x", safe_names(OWN), 0)
