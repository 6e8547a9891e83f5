"""The official sources of terminologies: one file per source reads its layout into terms.

`catalog.toml` says where each is published, under which licence, and how its files are recognised.
"""
