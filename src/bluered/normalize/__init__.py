"""Concept ids: which MeSH, NCBI Gene, Taxonomy, Cellosaurus or variant id a mention stands for."""
