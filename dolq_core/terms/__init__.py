"""The language of terms: read, put in normal form, evaluate and show. It knows no loop."""

from dolq_core.terms.expr import Expr, Skeleton

__all__ = ["Expr", "Skeleton"]
