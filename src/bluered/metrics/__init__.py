"""Counts, precision, recall and F1, and how sure they are."""
