"""What the exit status of a command says, for scripts (docs/command-line.md)."""

from typing import Final

FOUND: Final = 0
"""Done; for `discover` and `resume`: at least one equation has a law, settled or provisional."""
BAD_DATA: Final = 2
"""A file, a column or a word about them cannot be used; the message names it and the way out."""
NOTHING: Final = 3
"""The run ended and no equation has a law; the result is written all the same."""
PAUSED: Final = 4
"""A language model did not answer; what was done is stored, and the message says how to go on."""
USAGE: Final = 64
"""The command line itself is wrong: an option that there is not, or a value that it does not take."""
INTERRUPTED: Final = 130
"""Ctrl-C; what was done is stored."""
