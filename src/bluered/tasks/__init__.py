"""Tasks: what counts as right on a corpus, by our rule and by the original evaluators'."""
