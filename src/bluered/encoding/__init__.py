"""From text to arrays: tokens, windows, tags, candidate pairs. Shared by training and running."""
