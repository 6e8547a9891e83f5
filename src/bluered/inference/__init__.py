"""Running a model bundle with onnxruntime, tokenizers and numpy; no torch."""
