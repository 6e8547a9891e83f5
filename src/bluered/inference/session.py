"""An ONNX graph, opened for the processor."""

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from bluered.errors import ModelError

Array = NDArray[Any]

_SLOW_FUSION = "SkipLayerNormFusion"
"""An optimisation that costs a twelfth of the encoder's time on processors with AVX2: the fused
operator is slower than the two that it replaces (measured with onnxruntime 1.32)."""


def open_session(path: Path, *, threads: int | None = None) -> onnxruntime.InferenceSession:
    """Open a graph with `threads` threads (None: one per core), or raise ModelError."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    if threads is not None:
        options.intra_op_num_threads = threads
    try:
        return onnxruntime.InferenceSession(
            str(path),
            sess_options=options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=[_SLOW_FUSION],
        )
    except Exception as error:  # onnxruntime raises a class of its own for each kind of fault
        reason = str(error).splitlines()[0]
        raise ModelError(f"{path}: not a graph this onnxruntime can run: {reason}") from None


def run(session: onnxruntime.InferenceSession, **inputs: Array) -> list[Array]:
    """Run a graph on named arrays and return its outputs."""
    return [np.asarray(output) for output in session.run(None, inputs)]
