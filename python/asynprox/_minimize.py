"""ap.minimize: the front door."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _options
from ._data import borrow, numbers_of
from ._errors import in_python_words, translated
from ._finite_sum import FiniteSum
from ._packing import is_worth_packing
from ._parameters import by_parameter
from ._prox import CheckedRegularizer
from ._result import Model, Result
from ._running import running
from ._specs import Member
from ._warnings import RunWarning

# Of a linear model of data, as which an f of the caller's has no form.
_DATA_KEYWORDS = ("intercept", "standardize", "normalize", "center", "model", "positive_label", "class_weight")
_THREADS_MAX = 1024  # or 64 per core
_ARGUMENTS = ("sample_weight", "x0", "callback", "record")


def minimize(
    X: Any,
    y: ArrayLike | None = None,
    *,
    loss: str | Member | None = None,
    regularizer: Any = None,
    sample_weight: ArrayLike | None = None,
    x0: Any = None,
    callback: Callable[[_engine.Progress], Any] | None = None,
    record: bool = False,
    **options: Any,
) -> Result:
    """Minimise f(x) + h(x).

    Parameters
    ----------
    X : array, SciPy sparse matrix, data frame or FiniteSum
        The samples, one per row. C-ordered float32 and float64 arrays and CSR matrices with int32 or int64
        indices are read in place; everything else is copied, with a `ConversionWarning`. Or f itself.
    y : array of labels, optional
        One per row: numbers, or text for classes.
    loss : spec, optional
        For example ``"logistic"`` or ``ap.Huber(1.5)``. By default logistic for two labels, multinomial for
        text labels, else squared.
    regularizer : spec or object, optional
        h, for example ``ap.L1(1e-4)`` or ``"l1:0.1max"``; or any object with ``value(x)`` and
        ``prox(v, step)``. For an f of named parameters (`from_jax`, ...) also a dictionary from names or
        regular expressions to these, or to None. By default zero.
    sample_weight : array, optional
        How much each sample counts. The objective divides by their sum.
    x0 : array, Result or Model, optional
        Where to begin: the coefficients, followed by intercepts if these are fitted; or an earlier fit.
    callback : function of a Progress, optional
        Called on this thread after each evaluation. The run ends when it returns something true.
    record : bool
        Keep what `Result.replay` needs, 32 bytes per push.
    **options
        The long options of the command line with underscores: ``workers``, ``tolerance``, ``method``,
        ``step``, ``intercept``, ``standardize``, ``seed`` and so on.

    Returns
    -------
    Result
        Also where the tolerance was not met (with a `RunWarning`), and after Ctrl-C, which ends the run
        with ``stop_reason == "interrupted"``.

    Examples
    --------
    >>> import numpy as np, asynprox as ap
    >>> X = np.array([[1.0, 2.0], [-1.0, 1.0], [2.0, 0.0], [0.0, -1.0]])
    >>> result = ap.minimize(X, [1, -1, 1, -1], loss="logistic", regularizer=ap.L1(0.01), workers=1)
    >>> result.stop_reason
    'converged'
    >>> result.predict(X)
    array([ 1, -1,  1, -1])
    """
    result = solved(
        X, y, loss=loss, regularizer=regularizer, sample_weight=sample_weight, x0=x0, callback=callback, record=record,
        **options,
    )  # fmt: skip
    _warn(result)
    return result


def solved(
    X: Any,
    y: Any,
    *,
    loss: Any = None,
    regularizer: Any = None,
    sample_weight: Any = None,
    x0: Any = None,
    callback: Any = None,
    record: bool = False,
    quiet: bool = False,
    **options: Any,
) -> Result:
    """Do what `minimize` does, without a word about the run, and with `quiet` without one about copies."""
    _options.check_names(list(options), ("loss", "regularizer", *_ARGUMENTS))
    _check_workers(options)
    if callback is not None and not callable(callback):
        raise TypeError(f"callback: expected a function of a Progress, got {callback!r}")
    files: dict[str, np.ndarray] = {}
    own_regularizer = None
    if isinstance(regularizer, Mapping):
        regularizer = by_parameter(regularizer, X)
    if regularizer is not None and not isinstance(regularizer, (str, Member)):
        own_regularizer = CheckedRegularizer(regularizer)
    elif regularizer is not None:
        options["regularizer"] = regularizer
    if loss is not None:
        options["loss"] = loss
    if isinstance(X, FiniteSum):
        x0 = X.start if x0 is None else x0
    start, numbers = _start_of(x0)
    with running(), translated():
        call = _engine.Call(_options.texts_of(options, files), files, own_regularizer, numbers, start, callback, record)
        if isinstance(X, FiniteSum):
            _check_sum_arguments(y, loss, sample_weight, start, options)
            return Result(_engine.minimize_sum(X, call), X)
        borrowed = borrow(X, y, sample_weight, quiet=quiet)
        _check_labels_given(y, loss)
        packs = borrowed.is_sparse and is_worth_packing(borrowed.rows, options)
        data = borrowed.data.packed() if packs else borrowed.data
        return Result(_engine.fit(data, call), borrowed)


def _check_workers(options: Mapping[str, Any]) -> None:
    """Refuse a number of threads that no machine makes, before any is made."""
    workers = options.get("workers")
    threads_max = max(_THREADS_MAX, 64 * (os.cpu_count() or 1))
    is_number = isinstance(workers, (int, np.integer)) and not isinstance(workers, bool)
    if is_number and workers > threads_max and options.get("runtime") in (None, "threads"):
        raise ValueError(
            f"workers: expected at most {threads_max} threads, got {workers}; runtime='simulated' makes none"
        )


def _check_labels_given(y: Any, loss: Any) -> None:
    if y is None and getattr(loss, "spec_name", loss) != "pca":
        given = "logistic or another" if loss is None else repr(loss)
        raise ValueError(f"y: expected a label per sample for the loss {given}, got None; only 'pca' takes none")


def _start_of(x0: Any) -> tuple[_engine.Model | None, np.ndarray | None]:
    if x0 is None:
        return None, None
    if isinstance(x0, Result):
        if x0.model is None:
            return None, np.ascontiguousarray(x0.x, dtype=np.float64).ravel()
        return x0.model._engine, None
    if isinstance(x0, Model):
        return x0._engine, None
    numbers = numbers_of("x0", x0).ravel()
    if not np.isfinite(numbers).all():
        bad = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise ValueError(f"x0: expected finite numbers, got {numbers[bad]} in coordinate {bad}")
    return None, numbers


def _check_sum_arguments(y: Any, loss: Any, sample_weight: Any, start: Any, options: Mapping[str, Any]) -> None:
    of_data = {name: options.get(name) for name in _DATA_KEYWORDS}
    for name, value in {"y": y, "loss": loss, "sample_weight": sample_weight, **of_data}.items():
        if value is not None and value is not False:
            raise TypeError(f"minimize() of a FiniteSum takes no {name}: it is part of f")
    if start is not None:
        raise TypeError("x0: expected an array for a FiniteSum, got a model of data")


def _warn(result: Result) -> None:
    for message in result.warnings:
        warnings.warn(in_python_words(message), RunWarning, stacklevel=3)
    tolerance = result.settings["tolerance"]
    missed = not result.met_tolerance and result.stop_reason != "interrupted"
    asked = tolerance is not None and tolerance > 0
    if missed and (asked or result.stop_reason == "diverged"):
        detail = in_python_words(result.stop_detail)
        prefix = "" if detail.startswith("not converged") else f"{result.stop_reason}: "
        warnings.warn(prefix + detail, RunWarning, stacklevel=3)
