"""Any h: prox on arrays, and regularisers that are Python objects."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _engine
from ._errors import translated
from ._finite_sum import checked_number, checked_vector
from ._options import shown
from ._specs import Member


class CheckedRegularizer:
    """A caller's h, with answers that are checked."""

    def __init__(self, h: Any) -> None:
        for method in ("value", "prox"):
            if isinstance(h, type) or not callable(getattr(h, method, None)):
                raise TypeError(
                    "regularizer: expected a spec such as ap.L1(1e-4), or an object with value(x) and "
                    f"prox(v, step), got {shown(h)}"
                )
        self._h = h

    def value(self, x: np.ndarray) -> float:
        return checked_number("regularizer.value", self._h.value(x), x)

    def prox(self, v: np.ndarray, step: float) -> np.ndarray:
        finite = v.copy()  # a prox may work in place
        return checked_vector("regularizer.prox", self._h.prox(v, step), v.shape[0], finite)


def prox(h: Any, v: ArrayLike, step: float) -> np.ndarray:
    """Return argmin_y h(y) + |y - v|^2 / (2 step), in the shape and type of v.

    Parameters
    ----------
    h : spec or object
        For example ``ap.L1(1e-3)``, ``"nonneg"``, or an object with ``value`` and ``prox``.
    v : array
        Of any shape; h sees its entries in C order.
    step : float
        At least 0.

    Examples
    --------
    >>> import asynprox as ap
    >>> ap.prox(ap.L1(1.0), [3.0, -0.5, 1.5], 0.5)
    array([2.5, 0. , 1. ])
    """
    array = np.asarray(v)
    kept = array.dtype if array.dtype.kind == "f" else np.dtype(np.float64)
    flat = np.ascontiguousarray(array, dtype=np.float64).ravel()
    if not step >= 0 or not np.isfinite(step):
        raise ValueError(f"step: expected a finite number of at least 0, got {step!r}")
    moved = bound(h, array.shape).prox(flat, float(step))
    return moved.reshape(array.shape).astype(kept, copy=False)


def bound(h: Any, shape: tuple[int, ...]) -> Any:
    """Return h, ready for the entries of arrays of this shape."""
    if not isinstance(h, (str, Member)):
        return CheckedRegularizer(h)
    if isinstance(h, Member) and h.family != "regularizer":
        raise TypeError(f"h: expected a regulariser, got the {h.family} {h!r}")
    with translated():
        return _bound(h, shape)


def _made(h: str | Member, shape: tuple[int, ...]) -> _engine.Regularizer:
    files: dict[str, np.ndarray] = {}
    spec = h.for_shape(shape).spec(files) if isinstance(h, Member) else h
    return _engine.regularizer(spec, files, int(np.prod(shape)))


# People who keep their own training loop call prox with the same h over and over.
_bound = lru_cache(maxsize=64)(_made)
