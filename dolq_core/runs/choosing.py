"""A person's word on one term, with what the machine and the numbers said of it at that moment."""

from dolq_core.records import Choice, Override, TermKey
from dolq_core.runs.running import Run


def override(run: Run, key: TermKey, choice: Choice, reason: str = "") -> Override:
    """Return the choice with the last verdict on the term, where the last iteration has one."""
    last = run.state.last
    verdict = next((one for one in last.verdicts if one.key == key), None) if last else None
    ablation = next((one for one in last.evaluation.ablations if one.key == key), None) if last else None
    machine, semantic = (verdict.action, verdict.semantic) if verdict else (None, None)
    return Override(key, choice, reason, machine, semantic, ablation)
