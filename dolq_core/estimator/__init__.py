"""DoLQ as an estimator, for notebooks and programs: fit, read, say a word, go on.

model = DoLQ().fit(X, t, feature_names=["x", "y"], description="Hares and the lynx that eat them.")
model.veto("x**2", equation="x", reason="No crowding here.").step()
"""

from dolq_core.estimator.model import DoLQ

__all__ = ["DoLQ"]
