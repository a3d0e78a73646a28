"""Append-only logs of runs: `codec` writes a record as JSON, `sqlite` keeps it in a file, `memory` until the end."""
