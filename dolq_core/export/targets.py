"""The languages a law can be exported to, each as one text file."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dolq_core.export.julia import julia
from dolq_core.export.latex import document
from dolq_core.export.law import Law
from dolq_core.export.matlab import matlab
from dolq_core.export.notebook import notebook
from dolq_core.export.pysindy import pysindy
from dolq_core.export.pysr import pysr
from dolq_core.export.python import program
from dolq_core.export.sbml import sbml
from dolq_core.export.sympy import sympy


@dataclass(frozen=True, slots=True)
class Language:
    """A language: how a menu calls it, the ending of its files, and what writes the law with a given file stem.

    simulates: whether the file follows the runs, so that it carries their starts and inputs.
    """

    label: str
    ending: str
    media: str
    write: Callable[[Law, str], str]
    simulates: bool = True


LANGUAGES: Final[dict[str, Language]] = {
    "latex": Language("LaTeX document", "tex", "text/x-tex", lambda law, _: document(law), simulates=False),
    "python": Language("Python program", "py", "text/x-python", lambda law, stem: program(law, f"{stem}.py")),
    "sympy": Language("SymPy script", "py", "text/x-python", lambda law, _: sympy(law), False),
    "julia": Language("Julia program", "jl", "text/plain", lambda law, stem: julia(law, f"{stem}.jl")),
    "notebook": Language("Jupyter notebook", "ipynb", "application/x-ipynb+json", lambda law, _: notebook(law)),
    "matlab": Language("MATLAB and Octave function", "m", "text/plain", lambda law, stem: matlab(law, stem)),
    "sbml": Language("SBML", "xml", "application/sbml+xml", lambda law, _: sbml(law), simulates=False),
    "pysindy": Language("PySINDy model", "py", "text/x-python", lambda law, _: pysindy(law), simulates=False),
    "pysr": Language("Start for PySR", "py", "text/x-python", lambda law, _: pysr(law), simulates=False),
}
