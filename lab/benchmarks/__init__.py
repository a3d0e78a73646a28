"""Commands that measure; each writes a page of `docs/results/` that says how it was made."""
