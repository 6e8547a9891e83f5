"""Counting and its uncertainty: tp/fp/fn, intervals over documents, the signature of a score."""
