"""BioRED: mentions of six types, relations of eight types between concepts, and their novelty."""
