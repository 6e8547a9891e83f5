"""The networks that are trained, in torch."""
