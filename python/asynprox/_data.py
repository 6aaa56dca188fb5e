"""From arrays of the caller's to data that the engine borrows.

Dense C-ordered float32 or float64 arrays and SciPy CSR matrices with sorted indices are read in place.
Everything else is converted, with one warning that names the reason.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from . import _engine
from ._frames import is_frame, is_missing, read_frame
from ._warnings import ConversionWarning

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_INDICES = (np.dtype(np.int32), np.dtype(np.int64))
_EXACT_BELOW = 2**53  # whole numbers that float64 does not round


@dataclass
class Labels:
    """Labels as numbers, and what they stand for."""

    numbers: np.ndarray
    names: list[str] = field(default_factory=list)  # of labels that are text
    values: np.ndarray | None = None  # the labels that `names` spell
    dtype: np.dtype | None = None  # of labels that are whole numbers or truth values
    exact: np.ndarray | None = None  # the different whole numbers, sorted, where float64 rounds some of them

    def decoded(self, classes: np.ndarray) -> np.ndarray:
        """Return numbers of classes as the caller wrote labels."""
        if self.values is not None:
            return self.values[classes.astype(np.intp)]
        if self.exact is not None:
            return self.exact[np.searchsorted(self.exact.astype(np.float64), classes)]
        return classes.astype(self.dtype) if self.dtype is not None else classes

    def without_numbers(self) -> Labels:
        """Return what the labels stand for alone."""
        return replace(self, numbers=np.empty(0))


def labels_of(y: Any, num_samples: int) -> Labels:
    """Return labels of any kind as numbers; without labels, zeros."""
    if y is None:
        return Labels(np.zeros(num_samples))
    _refuse_masked("y", y)
    array = np.asarray(y)
    if array.dtype.kind == "U" and isinstance(y, (list, tuple)):
        array = np.asarray(y, dtype=object)  # else NumPy would spell numbers among text
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.shape != (num_samples,):
        raise ValueError(f"y: expected {num_samples} labels, one per row of X, got the shape {array.shape}")
    if array.dtype.kind in "OUST":
        return _text_labels(array)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"y: expected numbers, truth values or text, got {array.dtype}")
    numbers = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(numbers).all():
        bad = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise ValueError(f"y: expected finite numbers, got {numbers[bad]} in sample {bad} (from 0)")
    if array.dtype.kind not in "biu":
        return Labels(numbers)
    exact = _rounded_labels(array, numbers)
    if exact is not None and len(np.unique(exact.astype(np.float64))) < len(exact):
        return _text_labels(array)  # as numbers, different labels would be the same
    return Labels(numbers, dtype=array.dtype, exact=exact)


def _rounded_labels(array: np.ndarray, numbers: np.ndarray) -> np.ndarray | None:
    """Return the different labels where float64 rounds some of them."""
    if array.dtype.itemsize < 8 or np.abs(numbers).max(initial=0) < _EXACT_BELOW:
        return None
    return np.unique(array)


def _refuse_masked(name: str, value: Any) -> None:
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{name}: expected an array without masked entries; fill or drop them first")


def _text_labels(array: np.ndarray) -> Labels:
    if array.dtype.kind == "O":
        for sample, label in enumerate(array):
            if is_missing(label):
                raise ValueError(f"y: expected a label for every sample, got {label} in sample {sample} (from 0)")
        if all(isinstance(label, (bool, np.bool_)) for label in array):
            return labels_of(array.astype(bool), len(array))
        if all(isinstance(label, (int, float, np.number)) for label in array):
            return labels_of(array.astype(np.float64), len(array))
    try:
        values, codes = np.unique(array, return_inverse=True)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in array})
        raise TypeError(f"y: expected labels of one kind, got {' and '.join(kinds)}") from None
    return Labels(codes.astype(np.float64), [str(value) for value in values], values)


def _weights_of(sample_weight: Any, num_samples: int) -> np.ndarray | None:
    if sample_weight is None:
        return None
    weights = numbers_of("sample_weight", sample_weight)
    if weights.shape != (num_samples,):
        raise ValueError(
            f"sample_weight: expected {num_samples} numbers, one per row of X, got the shape {weights.shape}"
        )
    return weights


def numbers_of(name: str, value: Any) -> np.ndarray:
    """Return an argument as float64; TypeError, naming it, for what are no numbers."""
    _refuse_masked(name, value)
    try:
        return np.ascontiguousarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        shown = repr(value) if len(repr(value)) <= 40 else type(value).__name__
        raise TypeError(f"{name}: expected numbers, got {shown}") from None


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


def _sparse_rows(X: Any) -> tuple[Any, list[str]]:
    """Return CSR rows that the engine can borrow, X itself where that is possible, and why it is not."""
    if X.ndim != 2:
        raise ValueError(f"X: expected two axes, samples and features, got the shape {X.shape}")
    reasons = []
    if X.format != "csr":
        reasons.append(f"it is {X.format.upper()}, not CSR")
        X = X.tocsr()
    if X.dtype not in _FLOATS:
        if X.dtype.kind not in "biuf":
            raise TypeError(f"X: expected numbers, got {X.dtype}")
        reasons.append(f"its entries are {X.dtype}")
        X = X.astype(np.float64)
    if not X.has_canonical_format:
        reasons.append("its indices are not sorted, or some are there twice")
        X = X.copy()
        X.sum_duplicates()
    if X.indices.dtype not in _INDICES or X.indptr.dtype not in _INDICES:
        reasons.append(f"its indices are {X.indices.dtype}")
        X = type(X)((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)
    return X, reasons


def _dense_rows(X: Any) -> tuple[np.ndarray, list[str]]:
    array = _array_of(X)
    if array.ndim != 2:
        one = "; for one sample write X.reshape(1, -1)" if array.ndim == 1 else ""
        if array.ndim == 0:
            raise TypeError(f"X: expected two axes, samples and features, got {type(X).__name__}")
        raise ValueError(f"X: expected two axes, samples and features, got the shape {array.shape}{one}")
    reasons = []
    if array.dtype not in _FLOATS:
        if array.dtype.kind not in "biufO":
            raise TypeError(f"X: expected numbers, got {array.dtype}")
        reasons.append(f"its entries are {array.dtype}")
    if not array.flags.c_contiguous:
        reasons.append(
            "it is in Fortran order, and a sample is a row" if array.flags.f_contiguous else "its rows are not adjacent"
        )
    rows = numbers_in_rows(array) if array.dtype == object else array
    rows = np.ascontiguousarray(rows, dtype=rows.dtype if rows.dtype in _FLOATS else np.float64)
    return rows, reasons if isinstance(X, np.ndarray) else []


def _array_of(X: Any) -> np.ndarray:
    _refuse_masked("X", X)
    try:
        return np.asarray(X)
    except ValueError:
        raise ValueError("X: expected rows of equal length") from None


def numbers_in_rows(array: np.ndarray) -> np.ndarray:
    """Return an array of Python objects as float64; TypeError, with the place, for one that is no number."""
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        for (row, column), entry in np.ndenumerate(array):
            if not isinstance(entry, (int, float, np.number, np.bool_)):
                raise TypeError(f"X: expected numbers, got {entry!r} in row {row}, column {column} (from 0)") from None
        raise


@dataclass
class Borrowed:
    """Data of the engine's, and what its labels stand for."""

    data: _engine.Data
    labels: Labels
    feature_names: list[str]
    rows: Any  # the arrays that the engine reads

    @property
    def is_sparse(self) -> bool:
        return _is_sparse(self.rows)


def borrow(
    X: Any, y: Any = None, sample_weight: Any = None, *, wanted: Sequence[str] = (), quiet: bool = False
) -> Borrowed:
    """Return the engine's view of X and y, which keeps the arrays alive.

    `wanted`: the names of a model's columns, if they have any: others of a frame are not read. `quiet`: nothing is said
    of copies.
    """
    rows, feature_names = read_frame(X, wanted) if is_frame(X) else (X, [])
    rows, reasons = _sparse_rows(rows) if _is_sparse(rows) else _dense_rows(rows)
    if reasons and not quiet:
        _warn(", and ".join(reasons))
    if rows.shape[1] == 0:
        raise ValueError(f"X: expected at least one feature, got the shape {rows.shape}")
    labels = labels_of(y, rows.shape[0])
    weights = _weights_of(sample_weight, rows.shape[0])
    description = _engine.Description("X", feature_names, labels.names)
    try:
        if _is_sparse(rows):
            data = _engine.Data.csr(
                rows.indptr, rows.indices, rows.data, rows.shape[1], labels.numbers, weights, description, rows
            )
        else:
            data = _engine.Data.dense(rows, labels.numbers, weights, description, rows)
    except _engine.ContractError as error:
        raise _engine.ContractError(_named(str(error))) from None
    return Borrowed(data, labels, feature_names, rows)


# By the end of what the engine says.
_ADVICE = {
    "nan": "; fill or drop missing values first",
    "columns do not rise": ", though SciPy takes the rows for sorted: X.has_sorted_indices = False; X.sort_indices()",
}


def _named(message: str) -> str:
    """Return what the engine says of rows, with the name of the argument."""
    if not message.startswith("row "):
        return message
    advice = next((advice for end, advice in _ADVICE.items() if message.endswith(end)), "")
    return f"X: {message}{advice}"
