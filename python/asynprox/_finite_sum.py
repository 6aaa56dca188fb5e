"""Any f: a finite sum whose gradients a Python function computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_SAMPLES_SHOWN = 3
_KEYS_PROBED = 64
_DIVERGED = 1e20  # numbers of this size are no longer those of a model


class FiniteSum:
    """f(x) = (1/n) sum_i F(x; i), by functions that sum over some samples.

    Parameters
    ----------
    num_samples, dimension : int
        n, and the length of x.
    gradient : function (x, samples) -> array
        The sum of the gradients of F(x; i) over the samples listed, `dimension` numbers. It is called
        from several threads, one at a time under the GIL.
    value : function (x, samples) -> float, optional
        The sum of F(x; i) over the samples listed. Without it a run has no objective (nan): it reports the
        gradient mapping, and ends as ``"stationary"`` where that is small.
    lipschitz : float, optional
        A Lipschitz constant of the gradient of f, the mean, from which automatic steps are chosen. Without it
        one is estimated from differences of gradients near the start, as those of single samples always are.
    keys : function (samples) -> array of int, optional
        The coordinates that the gradients of these samples read and touch, where these are few.
    convex : bool
        Whether every F is convex.
    value_and_gradient : function (x, samples) -> (float, array), optional
        Both at once, where that is cheaper.
    start : array, optional
        Where runs begin that are not told, instead of at zeros.

    Examples
    --------
    Least squares, by hand:

    >>> import numpy as np, asynprox as ap
    >>> A = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> b = np.array([1.0, 2.0, 3.0])
    >>> f = ap.FiniteSum(
    ...     3, 2,
    ...     gradient=lambda x, i: A[i].T @ (A[i] @ x - b[i]),
    ...     value=lambda x, i: 0.5 * np.sum((A[i] @ x - b[i]) ** 2),
    ...     lipschitz=np.linalg.norm(A, 2) ** 2 / 3, convex=True)
    >>> result = ap.minimize(f, regularizer=ap.L1(0.01), method="fista", steps=500, tolerance=0)
    >>> bool(result.objective < 0.01)
    True
    """

    def __init__(
        self,
        num_samples: int,
        dimension: int,
        gradient: Callable[[np.ndarray, np.ndarray], Any],
        value: Callable[[np.ndarray, np.ndarray], Any] | None = None,
        lipschitz: float | None = None,
        keys: Callable[[np.ndarray], Any] | None = None,
        *,
        convex: bool = False,
        value_and_gradient: Callable[[np.ndarray, np.ndarray], tuple[Any, Any]] | None = None,
        start: Any = None,
    ) -> None:
        for name, count in (("num_samples", num_samples), ("dimension", dimension)):
            if int(count) != count or count < 1:
                raise ValueError(f"{name}: expected a whole number of at least 1, got {count!r}")
        if value is None and value_and_gradient is not None:
            raise TypeError("value_and_gradient: expected `value` beside it, got None")
        if lipschitz is not None and not (np.isfinite(lipschitz) and lipschitz > 0):
            raise ValueError(f"lipschitz: expected a positive number, got {lipschitz!r}")
        self.num_samples = int(num_samples)
        self.dimension = int(dimension)
        self.gradient = gradient
        self.value = value
        self.lipschitz = None if lipschitz is None else float(lipschitz)
        self.keys = keys
        self.convex = bool(convex)
        self.value_and_gradient = value_and_gradient
        self.start = None if start is None else np.ascontiguousarray(start, dtype=np.float64).ravel()

    @property
    def has_value(self) -> bool:
        """Whether there are values beside gradients."""
        return self.value is not None

    @property
    def mean_keys(self) -> float | None:
        """How many coordinates a sample touches on average; None: all of them."""
        if self.keys is None:
            return None
        probed = np.linspace(0, self.num_samples - 1, min(self.num_samples, _KEYS_PROBED)).astype(np.int64)
        return float(np.mean([len(self.touched(probed[i : i + 1])) for i in range(len(probed))]))

    # The functions that the engine calls.

    def sum_gradients(self, x: np.ndarray, samples: np.ndarray) -> np.ndarray:
        """Return `gradient`'s answer, checked."""
        # A run that diverges may come to an x that is not finite: the engine says so itself.
        return checked_vector("gradient", self.gradient(x, samples), self.dimension, x, of_samples(samples))

    def sum_values(self, x: np.ndarray, samples: np.ndarray) -> float:
        """Return `value`'s answer, checked."""
        assert self.value is not None
        return checked_number("value", self.value(x, samples), x, of_samples(samples))

    def sum_both(self, x: np.ndarray, samples: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the value and the gradient, checked."""
        if self.value_and_gradient is None:
            return self.sum_values(x, samples), self.sum_gradients(x, samples)
        value, gradient = self.value_and_gradient(x, samples)
        context = of_samples(samples)
        return (
            checked_number("value_and_gradient", value, x, context),
            checked_vector("value_and_gradient", gradient, self.dimension, x, context),
        )

    def touched(self, samples: np.ndarray) -> np.ndarray:
        """Return `keys`'s answer, checked."""
        assert self.keys is not None
        keys = np.unique(np.asarray(self.keys(samples), dtype=np.int64))
        if keys.size and not (keys[0] >= 0 and keys[-1] < self.dimension):
            bad = keys[0] if keys[0] < 0 else keys[-1]
            raise ValueError(
                f"keys: expected coordinates from 0 to {self.dimension - 1}, got {bad} {of_samples(samples)}"
            )
        return keys


def of_samples(samples: np.ndarray) -> str:
    """Return "for samples 3, 5, 8, ..."."""
    shown = ", ".join(str(sample) for sample in samples[:_SAMPLES_SHOWN])
    more = ", ..." if len(samples) > _SAMPLES_SHOWN else ""
    return f"for sample{'s' if len(samples) > 1 else ''} {shown}{more}"


def _is_moderate(x: np.ndarray) -> bool:
    """Whether a function has no excuse for a nan: at an x that has diverged its numbers may overflow."""
    return bool((np.abs(x) < _DIVERGED).all())


def _numbers(name: str, answer: Any, expected: str, context: str) -> np.ndarray:
    """Return a function's answer as an array of float64; TypeError, naming the function, for what is none."""
    array = None if answer is None or isinstance(answer, (str, bytes)) else np.asarray(answer)
    if array is None or array.dtype.kind not in "biuf":
        kind = type(answer).__name__ if array is None or array.dtype == object else str(array.dtype)
        raise TypeError(f"{name}: expected {expected}, got {kind} {context}".rstrip())
    return np.asarray(array, dtype=np.float64)


def checked_vector(name: str, answer: Any, dimension: int, x: np.ndarray, context: str = "") -> np.ndarray:
    """Return a function's answer as float64; ValueError for another shape, or nan where x is finite."""
    vector = np.ascontiguousarray(_numbers(name, answer, "an array of numbers", context))
    if vector.shape != (dimension,):
        raise ValueError(f"{name}: expected an array of shape ({dimension},), got {vector.shape} {context}".rstrip())
    missing = np.isnan(vector)
    if missing.any() and _is_moderate(x):
        bad = int(np.flatnonzero(missing)[0])
        raise ValueError(f"{name}: got nan in coordinate {bad} {context}".rstrip())
    return vector


def checked_number(name: str, answer: Any, x: np.ndarray, context: str = "") -> float:
    """Return a function's answer as a float; errors name the function."""
    array = _numbers(name, answer, "one number", context)
    if array.size != 1:
        raise ValueError(f"{name}: expected one number, got the shape {array.shape} {context}".rstrip())
    number = float(array.reshape(()))
    if np.isnan(number) and _is_moderate(x):
        raise ValueError(f"{name}: got nan {context}".rstrip())
    return number
