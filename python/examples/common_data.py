"""LIBSVM text for the examples, plain or compressed by xz."""

import lzma
import os
from pathlib import Path

import numpy as np
import scipy.sparse as sp


def libsvm(name: str) -> tuple[sp.csr_array, np.ndarray]:
    """Read a file, from the folder ASYNPROX_DATA_DIR where it is not a path."""
    path = Path(name) if Path(name).exists() else Path(os.environ.get("ASYNPROX_DATA_DIR", ".")) / name
    labels, columns, values, offsets = [], [], [], [0]
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as lines:
        for line in lines:
            label, *entries = line.split()
            labels.append(float(label))
            for entry in entries:
                column, _, value = entry.partition(":")
                columns.append(int(column) - 1)
                values.append(float(value))
            offsets.append(len(columns))
    rows = (np.array(values), np.array(columns, np.int32), np.array(offsets, np.int32))
    return sp.csr_array(rows, shape=(len(labels), max(columns) + 1)), np.array(labels)
