"""The knobs of a run in words: what each is called, and what its values mean."""

from typing import Any

LABELS = {
    "iterations": "Iterations",
    "patience": "Patience, in iterations",
    "time_limit_s": "Time limit of a search, and of the fits after it, in seconds of computing",
    "hypotheses": "Hypotheses per iteration",
    "max_terms": "Terms per equation, at most",
    "max_params": "Inner parameters per term, at most",
    "strikes": "When a strike counts",
    "max_holds": "Holds before a term is removed",
    "max_good": "Terms the Scientist may call good, per equation",
    "forget_probability": "Chance per iteration that a machine's ban is lifted",
    "ablation": "How a term is tested",
    "ablation_threshold": "Change of the error that counts",
    "best_by": "What makes an equation the best",
    "target": "What the equations are fitted to",
    "inputs": "Known inputs between their samples",
    "noise": "Noise of the samples",
    "optimizer": "How coefficients are found",
    "held_out": "Held out at the end of each run, as a share",
    "held_out_runs": "Runs held out whole",
    "sampler_temperature": "Temperature of the Sampler",
    "scientist_temperature": "Temperature of the Scientist",
    "max_tokens": "Tokens per reply, at most",
}
DOES = {
    "iterations": "Auto stops after so many; each proposes, fits and grades once.",
    "patience": "Auto stops after so many iterations that found no better equation.",
    "time_limit_s": "A search that takes longer is cut short, and a law found so is at most provisional: give more "
    "where a law says that time ended the search.",
    "hypotheses": "Systems of equations that are proposed at once.",
    "max_terms": "No equation with more terms is proposed; fewer make shorter laws.",
    "max_params": "Numbers inside a term, such as K in S/(K + S), that are fitted with it.",
    "strikes": "When the Scientist's doubt counts against a term that is held.",
    "max_holds": "A term that was held so often is removed and banned the next time.",
    "max_good": "Of more than so many the ones with the weakest evidence count as neutral.",
    "forget_probability": "A term that the machine banned may be proposed again then; your bans stay.",
    "ablation": "What the error of the equation without a term is taken from.",
    "ablation_threshold": "A term is needed where the error without it is larger by more than this share: 0.05 is 5 %.",
    "best_by": "Description length weighs the error against the number of terms; the error alone favours long ones.",
    "target": "Integrals average noise out; derivatives, estimated from samples, are for clean and dense ones.",
    "inputs": "What an input does between two samples; a switch is held, a temperature is not.",
    "noise": "Many instruments err by a share of the value; samples then count by the noise they have.",
    "optimizer": "The paper's ways are slower and can end beside the best numbers.",
    "held_out": "The last part of each run tests laws that have not seen it: 0.2 is a fifth, 0 is none.",
    "held_out_runs": "They test laws that have not seen them.",
    "sampler_temperature": "Higher: more varied proposals. 0: the same ones each time, nearly.",
    "scientist_temperature": "Higher: more varied grades. 0: the same ones each time, nearly.",
    "max_tokens": "A longer reply is cut off, and may then be of no use.",
}
"""What a knob does, in a sentence."""
WORDS = {
    ("strikes", "evidence"): "only where the fit does not need the term",
    ("strikes", "paper"): "always, as in the paper",
    ("ablation", "refit"): "left out, the rest refitted",
    ("ablation", "paper"): "set to zero, as in the paper",
    ("best_by", "score"): "description length",
    ("best_by", "mse"): "the squared error, as in the paper",
    ("target", "auto"): "chosen from the data",
    ("target", "weak"): "integrals (weak form)",
    ("target", "integral"): "integrals up to each sample (few samples)",
    ("target", "spline"): "derivatives of a spline",
    ("target", "savgol"): "derivatives by Savitzky and Golay",
    ("target", "gradient"): "numpy.gradient, as in the paper",
    ("inputs", "auto"): "found from the data",
    ("inputs", "linear"): "straight lines",
    ("inputs", "nearest"): "held, switched halfway",
    ("inputs", "previous"): "held until the next sample",
    ("inputs", "next"): "held since the sample before",
    ("noise", "auto"): "found from the data",
    ("noise", "even"): "the same for all values of a state",
    ("noise", "proportional"): "in proportion to the value, of states of one sign",
    ("held_out_runs", ()): "none",
    ("optimizer", "linear"): "least squares, exactly",
    ("optimizer", "bfgs"): "BFGS from ones, as in the paper",
    ("optimizer", "de"): "differential evolution, as in the paper",
    ("optimizer", "hybrid"): "differential evolution, then BFGS, as in the paper",
    ("optimizer", "best of three"): "the best of the paper's three",
}


def word(name: str, value: Any) -> str:
    """Return what a value of a knob means."""
    return WORDS.get((name, value)) or (f"{value:g}" if isinstance(value, float) else str(value))
