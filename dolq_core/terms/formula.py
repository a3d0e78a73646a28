"""A formula for a column: an expression of the language that has a value as it stands, nothing in it to be fitted."""

from dolq_core.errors import TermError
from dolq_core.terms.arithmetic import Unfit
from dolq_core.terms.evaluate import Column, compile_tree
from dolq_core.terms.expr import Param, Sym, walk
from dolq_core.terms.names import Names
from dolq_core.terms.reader import read_tree
from dolq_core.terms.source import Source, as_source


def parse_formula(text: str, names: Names) -> tuple[frozenset[str], Column]:
    """Return the symbols that a formula names (`t` is time) and its values as `compile_columns` gives them.

    Raises:
        TermError: with the character at fault, the reason and the way out; also for `C` and params[k].
    """
    # not names.known: x0 for the first column would read any column in silence
    known = {symbol: symbol for symbol in names.symbols} | names.symbol_of
    known = {**known, names.time: known.get(names.time, "t"), "t": "t"}
    source: Source | None = None
    try:
        source = as_source(text, known)
        tree = read_tree(source.text, known)
        nodes = walk(tree)
        if any(isinstance(node, Param) for node in nodes):
            raise Unfit("C and params stand for numbers to be fitted", "Write the number itself")
    except Unfit as fault:
        position = fault.position or 0
        place = source.origin(position) if source else position
        raise TermError(text, fault.reason, fault.way_out, place) from None
    used = frozenset(node.name for node in nodes if isinstance(node, Sym))
    return used, compile_tree(tree, names.symbols)
