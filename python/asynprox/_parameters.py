"""Models with named parameters: flattened into x, and given back in the form that they had."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._finite_sum import FiniteSum
from ._prox import bound


@dataclass(frozen=True)
class Layout:
    """Where each parameter lies in x."""

    names: Sequence[str]
    shapes: Sequence[tuple[int, ...]]
    dtypes: Sequence[np.dtype]
    rebuild: Callable[[list[np.ndarray]], Any]  # from the arrays, in order, to what the caller had

    @property
    def sizes(self) -> list[int]:
        return [int(np.prod(shape)) for shape in self.shapes]

    @property
    def offsets(self) -> list[int]:
        return [0, *np.cumsum(self.sizes).tolist()]

    def slices(self) -> dict[str, slice]:
        """Return the coordinates of each parameter."""
        offsets = self.offsets
        return {name: slice(offsets[i], offsets[i + 1]) for i, name in enumerate(self.names)}

    def flat(self, arrays: Sequence[Any]) -> np.ndarray:
        """Return all entries, one parameter after the other."""
        return np.concatenate([np.asarray(array, dtype=np.float64).ravel() for array in arrays])

    def restored(self, x: np.ndarray) -> Any:
        """Return x in the form that the parameters had; exact zeros stay zeros."""
        places = self.slices().values()
        arrays = [
            x[place].reshape(shape).astype(dtype)
            for place, shape, dtype in zip(places, self.shapes, self.dtypes, strict=True)
        ]
        return self.rebuild(arrays)


class ParameterSum(FiniteSum):
    """An f of named parameters, as `from_jax`, `from_tensorflow` and `from_torch` make it."""

    def __init__(self, layout: Layout, num_samples: int, both: Callable[..., Any], start: np.ndarray) -> None:
        super().__init__(
            num_samples,
            start.size,
            gradient=lambda x, samples: both(x, samples)[1],
            value=lambda x, samples: both(x, samples)[0],
            value_and_gradient=both,
            start=start,
        )
        self.layout = layout


class ByParameter:
    """h(x) = the sum of an h per parameter; those without one are free."""

    def __init__(self, blocks: list[tuple[slice, Any]]) -> None:
        self._blocks = blocks

    def value(self, x: np.ndarray) -> float:
        return sum(h.value(x[place]) for place, h in self._blocks)

    def prox(self, v: np.ndarray, step: float) -> np.ndarray:
        moved = v.copy()
        for place, h in self._blocks:
            moved[place] = h.prox(moved[place], step)
        return moved


def by_parameter(choices: Mapping[str, Any], f: Any) -> ByParameter:
    """Return the h that chooses by name: a name itself, or the first regular expression that matches all of it."""
    layout = getattr(f, "layout", None)
    if layout is None:
        raise TypeError("regularizer: a dictionary is for an f with named parameters, such as from_jax makes")
    blocks, used = [], set()
    for (name, place), shape in zip(layout.slices().items(), layout.shapes, strict=True):
        pattern = name if name in choices else next((p for p in choices if re.fullmatch(p, name)), None)
        if pattern is None:
            continue
        used.add(pattern)
        if choices[pattern] is not None:
            blocks.append((place, bound(choices[pattern], shape)))
    for pattern in choices:
        if pattern not in used:
            raise ValueError(f"regularizer: '{pattern}' names no parameter; there are: {', '.join(layout.names)}")
    return ByParameter(blocks)


def samples_of(data: Any) -> tuple[tuple[np.ndarray, ...], int]:
    """Return data as arrays with a row per sample, and how many samples these are."""
    arrays = tuple(np.asarray(array) for array in (data if isinstance(data, (tuple, list)) else (data,)))
    counts = {array.shape[0] for array in arrays}
    if len(counts) != 1:
        raise ValueError(f"data: expected arrays with as many rows each, got {sorted(counts)}")
    return arrays, counts.pop()
