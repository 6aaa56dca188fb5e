"""Every example runs and finds what it claims."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples"
EXAMPLES = sorted(path.name for path in FOLDER.glob("*.py") if path.name != "common_data.py")


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, request):
    text = (FOLDER / name).read_text()
    for framework in ("jax", "tensorflow", "sklearn"):
        if f"import {framework}" in text and find_spec(framework) is None:
            pytest.skip(f"needs {framework}")
    if "a9a" in text:
        os.environ["ASYNPROX_DATA_DIR"] = str(request.getfixturevalue("data_dir"))
    run = subprocess.run([sys.executable, FOLDER / name], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout
