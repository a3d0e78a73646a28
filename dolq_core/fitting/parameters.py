"""Where a number to be fitted stands in the tree of a term: alone, to a power, times or under something, in a sum."""

import ast

__all__ = ["addends", "has_parameters", "index", "is_exponent", "power_of", "scaled"]


def index(node: ast.AST) -> int | None:
    """Return k of params[k]."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
        return node.slice.value
    return None


def is_exponent(tree: ast.AST, node: ast.AST) -> bool:
    """Whether a node is an exponent in a tree."""
    return any(
        isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow) and parent.right is node
        for parent in ast.walk(tree)
    )


def has_parameters(node: ast.expr) -> bool:
    """Whether a number to be fitted stands anywhere in it."""
    return any(index(part) is not None for part in ast.walk(node))


def addends(node: ast.expr, *, minus: bool = False) -> list[ast.expr]:
    """The parts of a sum, each with its sign."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            return addends(left, minus=minus) + addends(right, minus=minus != isinstance(op, ast.Sub))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return addends(operand, minus=not minus)
        case _:
            return [ast.UnaryOp(ast.USub(), node) if minus else node]


def scaled(node: ast.expr) -> tuple[int, float, ast.expr] | None:
    """Return the one parameter of a product, its power there, negative below the line, and the rest of the product."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return scaled(operand)
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            way = -1.0 if isinstance(op, ast.Div) else 1.0
            if has_parameters(left) and not has_parameters(right):
                if (whole := power_of(left)) is not None:
                    return *whole, right if way > 0.0 else ast.BinOp(ast.Constant(1.0), op, right)
                inner = scaled(left)
                return inner and (inner[0], inner[1], ast.BinOp(inner[2], op, right))
            under = None if has_parameters(left) else power_of(right)
            return None if under is None else (under[0], way * under[1], left)
        case _:
            return None


def power_of(node: ast.expr) -> tuple[int, float] | None:
    """Return the parameter of params[k] or params[k]**2, and the power."""
    match node:
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() | float() as power)):
            k = index(left)
            return None if k is None or not power else (k, float(power))
        case _:
            k = index(node)
            return None if k is None else (k, 1.0)
