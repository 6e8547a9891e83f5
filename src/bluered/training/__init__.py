"""How the models are trained: one readable loop, one recipe file each."""
