"""What measures the core, beside it: campaigns, benchmarks, PySINDy and the paper's optimizers, for comparison.

    optimizers/   the paper's three searches for coefficients, which a setting of a run can ask for
    campaign/     many runs of known systems, scored as in the paper; `bench` is their command
    benchmarks/   one file for each page of docs/results: python -m lab
    small         small campaigns that the app asks for; `processes` runs them beside it

It imports the core and is never imported by it: `dolq_core.extensions` names the two places that the core loads.
"""
