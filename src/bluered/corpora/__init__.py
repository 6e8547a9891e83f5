"""Corpora: where each comes from, its terms, its files and its documents."""
