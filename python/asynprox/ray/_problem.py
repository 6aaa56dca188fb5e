"""A problem that every process of a run builds for itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import _engine
from .._data import (
    Borrowed,
    Labels,
    _dense_rows,
    _is_sparse,
    _sparse_rows,
    _warn,
    _weights_of,
    borrow,
    labels_of,
)
from .._errors import translated
from .._finite_sum import FiniteSum, of_samples
from .._frames import is_frame, read_frame
from .._minimize import _check_labels_given, _check_sum_arguments, _start_of
from .._options import texts_of
from .._parameters import by_parameter
from .._prox import CheckedRegularizer
from .._specs import Member


class NamingSum:
    """A FiniteSum whose errors name the samples that they are about."""

    def __init__(self, f: FiniteSum) -> None:
        self._f = f

    def __getattr__(self, name: str) -> Any:
        return getattr(self._f, name)

    def _named(self, function: Callable[..., Any], samples: np.ndarray, *arguments: Any) -> Any:
        try:
            return function(*arguments, samples)
        except Exception as error:
            error.add_note(f"computing {len(samples)} samples: {of_samples(samples).removeprefix('for samples ')}")
            raise

    def sum_gradients(self, x: np.ndarray, samples: np.ndarray) -> np.ndarray:
        return self._named(self._f.sum_gradients, samples, x)

    def sum_both(self, x: np.ndarray, samples: np.ndarray) -> tuple[float, np.ndarray]:
        return self._named(self._f.sum_both, samples, x)


@dataclass
class Arrays:
    """Rows and labels; the large arrays are replaced by references while they travel."""

    kind: str  # "dense" or "csr"
    parts: list[Any]  # of the rows, then labels and weights
    shape: tuple[int, int]
    labels: Labels
    feature_names: list[str] = field(default_factory=list)
    weighted: bool = False

    @classmethod
    def of(cls, X: Any, y: Any, sample_weight: Any) -> Arrays:
        X, names = read_frame(X) if is_frame(X) else (X, [])
        sparse = _is_sparse(X)
        rows, reasons = _sparse_rows(X) if sparse else _dense_rows(X)
        if reasons:
            _warn(", and ".join(reasons))
        if rows.shape[1] == 0:
            raise ValueError(f"X: expected at least one feature, got the shape {rows.shape}")
        labels = labels_of(y, rows.shape[0])
        weights = _weights_of(sample_weight, rows.shape[0])
        arrays = [rows.indptr, rows.indices, rows.data] if sparse else [rows]
        parts = [*arrays, labels.numbers, *([] if weights is None else [weights])]
        return cls("csr" if sparse else "dense", parts, rows.shape, labels, names, weights is not None)

    def borrowed(self, parts: list[np.ndarray]) -> Borrowed:
        description = _engine.Description("X", self.feature_names, self.labels.names)
        weights = parts.pop() if self.weighted else None
        *rows, numbers = parts
        if self.kind == "dense":
            data = _engine.Data.dense(rows[0], numbers, weights, description, rows)
        else:
            data = _engine.Data.csr(*rows, self.shape[1], numbers, weights, description, rows)
        return Borrowed(data, self.labels.without_numbers(), self.feature_names, rows)


@dataclass
class Problem:
    """What is minimised, and how: all that another process needs beside the large arrays."""

    data: Arrays | str | Callable[[], Any] | FiniteSum  # arrays, a path, a function that opens it, or f
    loss: Any
    regularizer: Any
    x0: Any
    options: dict[str, Any]

    @classmethod
    def of(cls, X: Any, y: Any, *, loss: Any, regularizer: Any, sample_weight: Any, x0: Any, options: Any) -> Problem:
        if isinstance(X, (FiniteSum, str)) or callable(X):
            what = "FiniteSum" if isinstance(X, FiniteSum) else "path" if isinstance(X, str) else "function"
            if y is not None or sample_weight is not None:
                raise TypeError(f"minimize() of a {what} takes no y and no sample_weight: they are part of it")
            return cls(X, loss, regularizer, x0, options)
        _check_labels_given(y, loss)
        return cls(Arrays.of(X, y, sample_weight), loss, regularizer, x0, options)

    def build(self, parts: list[np.ndarray] | None = None) -> tuple[_engine.Job, Borrowed | FiniteSum]:
        """Return the problem of the engine's, and the data or f that it is about."""
        data = self.data
        if isinstance(data, Arrays):
            data = data.borrowed(list(data.parts if parts is None else parts))
        elif isinstance(data, str):
            opened = _engine.read_data(data)
            names = _engine.label_names(opened)
            data = Borrowed(opened, Labels(np.empty(0), names, np.array(names) if names else None), [], None)
        elif not isinstance(data, FiniteSum):
            data = _opened(data())
        return self._job(data), data

    def _job(self, data: Borrowed | FiniteSum) -> _engine.Job:
        files: dict[str, np.ndarray] = {}
        options, h, own = dict(self.options), self.regularizer, None
        if isinstance(h, Mapping):
            h = by_parameter(h, data)
        if h is not None and not isinstance(h, (str, Member)):
            own = CheckedRegularizer(h)
        elif h is not None:
            options["regularizer"] = h
        if self.loss is not None:
            options["loss"] = self.loss
        is_sum = isinstance(data, FiniteSum)
        start, numbers = _start_of(data.start if is_sum and self.x0 is None else self.x0)
        with translated():
            call = _engine.Call(texts_of(options, files), files, own, numbers, start, None, False)
            if not is_sum:
                return _engine.Job.fit(data.data, call)
            _check_sum_arguments(None, self.loss, None, start, self.options)
            return _engine.Job.sum(NamingSum(data), call)


def _opened(what: Any) -> Borrowed | FiniteSum:
    if isinstance(what, FiniteSum):
        return what
    if isinstance(what, tuple) and len(what) in (2, 3):
        return borrow(*what)
    raise TypeError(f"X: expected a function that returns (X, y), (X, y, sample_weight) or a FiniteSum, got {what!r}")


def describe(job: _engine.Job) -> dict[str, Any]:
    """Return what has to be the same in all processes of a run."""
    return {
        "version": _engine.__version__,
        "samples": job.num_samples,
        "dimension": job.dimension,
        "regularizer": job.regularizer,
        "fingerprint of the data": job.fingerprint,
    }


def differences(expected: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """Return what differs, in words."""
    return [
        f"{name}: expected {value}, got {got.get(name)}" for name, value in expected.items() if got.get(name) != value
    ]
