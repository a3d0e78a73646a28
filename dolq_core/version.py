"""The version of the program, for all that records what it ran on."""

VERSION = "0.1.0"
