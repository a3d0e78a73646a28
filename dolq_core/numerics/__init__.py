"""Plain arrays in and out: derivatives, weak form, least squares, integration. Knows no terms, no records."""
