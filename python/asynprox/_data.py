"""From arrays of the caller's to data that the engine borrows.

Dense C-ordered float32 or float64 arrays and SciPy CSR matrices with sorted indices are read in place.
Everything else is converted, with one warning that names the reason.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _engine
from ._warnings import ConversionWarning

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_INDICES = (np.dtype(np.int32), np.dtype(np.int64))


@dataclass
class Labels:
    """Labels as numbers, and what they stand for."""

    numbers: np.ndarray
    names: list[str] = field(default_factory=list)  # of labels that are text
    values: np.ndarray | None = None  # the labels that `names` spell
    dtype: np.dtype | None = None  # of labels that are whole numbers or truth values

    def decoded(self, predicted: np.ndarray) -> np.ndarray:
        """Return predicted label numbers as the caller wrote labels."""
        if self.values is not None:
            return self.values[predicted.astype(np.intp)]
        return predicted.astype(self.dtype) if self.dtype is not None else predicted


def labels_of(y: Any, num_samples: int) -> Labels:
    """Return labels of any kind as numbers; without labels, zeros."""
    if y is None:
        return Labels(np.zeros(num_samples))
    array = np.asarray(y)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.shape != (num_samples,):
        raise ValueError(f"y: expected {num_samples} labels, one per row of X, got the shape {array.shape}")
    if array.dtype.kind in "OUST":
        values, codes = np.unique(array, return_inverse=True)
        return Labels(codes.astype(np.float64), [str(value) for value in values], values)
    numbers = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(numbers).all():
        bad = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise ValueError(f"y: expected finite numbers, got {numbers[bad]} in sample {bad}")
    return Labels(numbers, dtype=array.dtype if array.dtype.kind in "biu" else None)


def _weights_of(sample_weight: Any, num_samples: int) -> np.ndarray | None:
    if sample_weight is None:
        return None
    weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
    if weights.shape != (num_samples,):
        raise ValueError(
            f"sample_weight: expected {num_samples} numbers, one per row of X, got the shape {weights.shape}"
        )
    return weights


def _is_sparse(X: Any) -> bool:
    """Whether X is a SciPy matrix or array, without importing SciPy for those who have none."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and sparse.issparse(X)


def _warn(reason: str) -> None:
    warnings.warn(
        f"X is copied: {reason}; a C-ordered float32 or float64 array, or a SciPy CSR matrix, is read in place",
        ConversionWarning,
        stacklevel=5,
    )


def _sparse_rows(X: Any) -> Any:
    """Return CSR rows that the engine can borrow: X itself where that is possible."""
    reasons = []
    if X.format != "csr":
        reasons.append(f"it is {X.format.upper()}, not CSR")
        X = X.tocsr()
    if X.dtype not in _FLOATS:
        reasons.append(f"its entries are {X.dtype}")
        X = X.astype(np.float64)
    if not X.has_canonical_format:
        reasons.append("its indices are not sorted, or some are there twice")
        X = X.copy()
        X.sum_duplicates()
    if X.indices.dtype not in _INDICES or X.indptr.dtype not in _INDICES:
        reasons.append(f"its indices are {X.indices.dtype}")
        X = type(X)((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)
    if reasons:
        _warn(", and ".join(reasons))
    return X


def _dense_rows(X: Any) -> np.ndarray:
    is_array = isinstance(X, np.ndarray)
    array = np.asarray(X)
    if array.ndim != 2:
        raise ValueError(f"X: expected two axes, samples and features, got the shape {array.shape}")
    reasons = []
    if array.dtype not in _FLOATS:
        if array.dtype.kind not in "biuf" and array.dtype.kind != "O":
            raise TypeError(f"X: expected numbers, got {array.dtype}")
        reasons.append(f"its entries are {array.dtype}")
    if not array.flags.c_contiguous:
        reasons.append("it is in Fortran order" if array.flags.f_contiguous else "its rows are not adjacent")
    if reasons and is_array:
        _warn(", and ".join(reasons))
    return np.ascontiguousarray(array, dtype=array.dtype if array.dtype in _FLOATS else np.float64)


def feature_names_of(X: Any) -> list[str]:
    """Return the column names of a pandas or Polars frame; none for anything else."""
    columns = getattr(X, "columns", None)
    return [] if columns is None or _is_sparse(X) else [str(name) for name in columns]


@dataclass
class Borrowed:
    """Data of the engine's, and what its labels stand for."""

    data: _engine.Data
    labels: Labels
    feature_names: list[str]


def borrow(X: Any, y: Any = None, sample_weight: Any = None, name: str = "X") -> Borrowed:
    """Return the engine's view of X and y, which keeps the arrays alive."""
    feature_names = feature_names_of(X)
    if feature_names and hasattr(X, "to_numpy"):
        X = np.ascontiguousarray(X.to_numpy(), dtype=np.float64)
    rows = _sparse_rows(X) if _is_sparse(X) else _dense_rows(X)
    labels = labels_of(y, rows.shape[0])
    weights = _weights_of(sample_weight, rows.shape[0])
    description = _engine.Description(name, feature_names, labels.names)
    if _is_sparse(rows):
        data = _engine.Data.csr(
            rows.indptr, rows.indices, rows.data, rows.shape[1], labels.numbers, weights, description, rows
        )
    else:
        data = _engine.Data.dense(rows, labels.numbers, weights, description, rows)
    return Borrowed(data, labels, feature_names)
