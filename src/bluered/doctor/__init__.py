"""Finding and repairing the faults of annotation files."""
