"""Tasks: how a prediction is scored against a corpus, officially."""
