"""What the tests share: real data, small problems, the program."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _doctest_names(doctest_namespace):
    np.set_printoptions(precision=8, suppress=False)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with the public data sets of the oracles, or a skip."""
    folder = Path(os.environ.get("ASYNPROX_DATA_DIR", ROOT / "data"))
    if not (folder / "a9a.xz").exists():
        pytest.skip("needs the data sets: set ASYNPROX_DATA_DIR")
    return folder


def read_libsvm(path: Path) -> tuple[sp.csr_array, np.ndarray]:
    """Read LIBSVM text, compressed by xz."""
    import lzma

    labels, columns, values, offsets = [], [], [], [0]
    with lzma.open(path, "rt") as lines:
        for line in lines:
            label, *entries = line.split()
            labels.append(float(label))
            for entry in entries:
                column, _, value = entry.partition(":")
                columns.append(int(column) - 1)
                values.append(float(value))
            offsets.append(len(columns))
    shape = (len(labels), max(columns) + 1)
    return sp.csr_array((np.array(values), np.array(columns, np.int32), np.array(offsets, np.int32)), shape), np.array(
        labels
    )


@pytest.fixture(scope="session")
def read_real(data_dir):
    """A function that reads a data set by its name."""
    return lambda name: read_libsvm(data_dir / f"{name}.xz")


@pytest.fixture(scope="session")
def a9a(read_real):
    return read_real("a9a")


@pytest.fixture(scope="session")
def program() -> str:
    """The command line program, or a skip."""
    builds = [ROOT / "build" / preset / "asynprox" for preset in ("release", "dev")]
    found = [os.environ.get("ASYNPROX", ""), *map(str, builds), shutil.which("asynprox") or ""]
    for path in found:
        if path and Path(path).exists():
            return path
    pytest.skip("needs the program: make build")


@pytest.fixture
def classes():
    """A small sparse logistic problem with signal in three of 20 columns."""
    random = np.random.default_rng(3)
    X = random.standard_normal((300, 20))
    X[random.random(X.shape) < 0.5] = 0
    score = X[:, :3] @ [2.0, -3.0, 1.0]
    y = np.where(random.random(300) < 1 / (1 + np.exp(-score)), 1, -1)
    return X, y
