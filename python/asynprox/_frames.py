"""Data frames of pandas, Polars and others that narwhals knows: numbers, and the names of their columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np


def is_frame(X: Any) -> bool:
    """Whether X has named columns. Nothing is imported for it."""
    return hasattr(type(X), "columns")


def read_frame(X: Any, wanted: Sequence[str] = ()) -> tuple[Any, list[str]]:
    """Return the columns of a frame as an array (or as CSR rows, where pandas keeps them sparse), and their names.

    The array is of float32 where all columns are, else of float64. `wanted`: names of columns, if there are any; others
    are left out, whatever they hold.

    Raises
    ------
    ValueError
        Naming the column, for one that holds no numbers or lacks some.
    TypeError
        For a lazy frame.
    """
    if not hasattr(X, "__len__"):
        raise TypeError(f"X: expected a data frame in memory, got a {type(X).__name__}; collect() it first")
    sparse = getattr(X, "sparse", None)  # of pandas, where every column is sparse
    if sparse is not None and hasattr(sparse, "to_coo"):
        return sparse.to_coo().tocsr(), [str(name) for name in X.columns]
    try:
        import narwhals.stable.v2 as narwhals

        columns = [
            (str(column.name), str(column.dtype), column.to_numpy())
            for column in narwhals.from_native(X, eager_only=True).iter_columns()
        ]
    except (ImportError, TypeError, ValueError):  # not installed; a frame it does not know; two columns of one name
        columns = list(_by_columns(X))
    if wanted:
        columns = [column for column in columns if column[0] in set(wanted)]
    arrays = [_numbers(*column) for column in columns]
    narrow = len(arrays) > 0 and all(array.dtype == np.float32 for array in arrays)
    rows = np.empty((len(X), len(arrays)), np.float32 if narrow else np.float64)
    for place, array in enumerate(arrays):
        rows[:, place] = array
    return rows, [name for name, *_ in columns]


def _by_columns(X: Any) -> Iterator[tuple[str, str, np.ndarray]]:
    """Read a frame that gives its columns by their places (pandas) or by their names."""
    for place, name in enumerate(X.columns):
        column = X.iloc[:, place] if hasattr(X, "iloc") else X[name]
        yield str(name), str(getattr(column, "dtype", "object")), np.asarray(column)


def _numbers(name: str, kind: str, column: np.ndarray) -> np.ndarray:
    """Return a column as floats."""
    if column.dtype == object and all(_is_number_or_missing(entry) for entry in column):
        column = np.array([np.nan if is_missing(entry) else entry for entry in column], dtype=np.float64)
    if column.dtype.kind not in "biuf":
        raise ValueError(
            f"X: column '{name}': expected numbers, got {kind}; encode it first, for example by "
            "pandas.get_dummies or scikit-learn's OneHotEncoder"
        )
    column = column if column.dtype == np.float32 else column.astype(np.float64)
    missing = np.flatnonzero(np.isnan(column))
    if missing.size:
        raise ValueError(
            f"X: column '{name}': expected finite numbers, got {missing.size} missing, the first in row "
            f"{missing[0]} (from 0); fill or drop them first"
        )
    return column


def is_missing(entry: Any) -> bool:
    """Whether an entry of a table stands for none."""
    named = type(entry).__name__ in ("NAType", "NaTType")  # of pandas
    return entry is None or named or (isinstance(entry, float) and bool(np.isnan(entry)))


def _is_number_or_missing(entry: Any) -> bool:
    return isinstance(entry, (int, float, np.number, np.bool_)) or is_missing(entry)
