"""From raw text to entities, concepts, relations and novelty."""
