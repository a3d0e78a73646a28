"""Language models behind the ChatModel port, one file per provider; each SDK is imported in its file only."""
