"""Sequence variants: from mentions to dbSNP rs numbers or the normal form that BioRED uses."""
