"""The promises of the product under faults and load, each a command that writes its rows of one page."""
