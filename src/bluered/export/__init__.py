"""From trained torch weights to the ONNX bundle that ships."""
