"""Sequence variants: from mentions to dbSNP rs numbers or the normal form that BioRED uses."""

from bluered.normalize.variants.link import VariantLink, link_variants
from bluered.normalize.variants.parse import parse_variant
from bluered.normalize.variants.variant import Variant

__all__ = ["Variant", "VariantLink", "link_variants", "parse_variant"]
