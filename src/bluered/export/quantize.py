"""Making an ONNX graph small: 8-bit weights, activations quantized as they come."""

import logging
from pathlib import Path

from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process


def quantize(source: Path, target: Path) -> None:
    """Write `source` with int8 matrices and embeddings to `target`.

    `reduce_range` keeps weights within 7 bits: without it the 16-bit sums of processors that lack
    VNNI saturate and the scores differ from machine to machine.
    """
    prepared = target.with_suffix(".prepared.onnx")
    logging.getLogger().disabled = True  # onnxruntime speaks to the root logger
    try:
        quant_pre_process(source, prepared, skip_symbolic_shape=True)
        quantize_dynamic(
            prepared,
            target,
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul", "Gather", "Gemm"],
        )
    finally:
        logging.getLogger().disabled = False
        prepared.unlink(missing_ok=True)
