"""Nothing is sent and nothing is left behind: onnxruntime's telemetry is off."""

import os
import subprocess
import sys

import pytest

from bluered.inference.bundle import FILES, SETTINGS, shipped_folder


def test_annotating_leaves_the_home_folder_empty(tmp_path, small_terms):
    if not all((shipped_folder() / name).is_file() for name in (*FILES, SETTINGS)):
        pytest.skip("no shipped model in this checkout")
    nlp = f"bluered.load(threads=1, terms={str(small_terms)!r})"
    code = f"import bluered; {nlp}('BRCA1 and breast cancer')"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ORT_")}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)
    assert list(tmp_path.rglob("*")) == []
