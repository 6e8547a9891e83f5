"""Candidate relations of documents by the rules of each benchmark, and how they are shown."""
