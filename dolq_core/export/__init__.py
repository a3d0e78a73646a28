"""What leaves the program: one target, one file."""
