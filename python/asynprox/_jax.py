"""A JAX model as a FiniteSum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ._parameters import Layout, ParameterSum, samples_of

_SAMPLES_AT_ONCE = 1024


def _name(path: tuple[Any, ...]) -> str:
    parts = [getattr(key, "key", getattr(key, "name", getattr(key, "idx", key))) for key in path]
    return ".".join(str(part) for part in parts) or "params"


def _per_sample(loss: Callable[..., Any], params: Any, data: tuple[Any, ...]) -> Callable[..., Any]:
    """Return a function of params and a batch that has one loss per sample."""
    shapes = [jax.ShapeDtypeStruct((2, *array.shape[1:]), array.dtype) for array in data]
    shape = jax.eval_shape(loss, params, *shapes).shape
    if shape == (2,):
        return loss
    if shape != ():
        raise ValueError(f"loss: expected a loss per sample, or the mean of a batch, got the shape {shape}")
    # The mean of a batch of one is that sample's loss.
    return jax.vmap(
        lambda params, *sample: loss(params, *[entry[None] for entry in sample]), in_axes=(None, *[0] * len(data))
    )


def from_jax(loss: Callable[..., Any], params: Any, data: Any) -> ParameterSum:
    """Make a FiniteSum of a JAX loss.

    Parameters
    ----------
    loss : function (params, *batch) -> array
        The loss of each sample of a batch, or the mean over the batch. It must be traceable by JAX.
    params : pytree
        Where to begin. ``result.params`` is a pytree of the same form.
    data : array, or tuple of arrays
        A row per sample.

    Notes
    -----
    Batches are filled up to a power of two, so that JAX compiles few shapes. JAX releases the GIL while it
    computes.
    """
    data, num_samples = samples_of(data)
    leaves, tree = jax.tree_util.tree_flatten_with_path(params)
    arrays = [np.asarray(leaf) for _, leaf in leaves]
    layout = Layout(
        names=[_name(path) for path, _ in leaves],
        shapes=[array.shape for array in arrays],
        dtypes=[array.dtype for array in arrays],
        rebuild=lambda arrays: jax.tree_util.tree_unflatten(tree, [jnp.asarray(array) for array in arrays]),
    )
    on_device = tuple(jnp.asarray(array) for array in data)
    losses = _per_sample(loss, params, on_device)
    offsets = layout.offsets

    def total(x: Any, samples: Any, counts: Any) -> Any:
        blocks = [
            x[offsets[i] : offsets[i + 1]].reshape(array.shape).astype(array.dtype) for i, array in enumerate(arrays)
        ]
        model = jax.tree_util.tree_unflatten(tree, blocks)
        return jnp.sum(losses(model, *[array[samples] for array in on_device]) * counts)

    both = jax.jit(jax.value_and_grad(total))

    def value_and_gradient(x: np.ndarray, samples: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = 0.0, np.zeros_like(x)
        for first in range(0, len(samples), _SAMPLES_AT_ONCE):
            padded, counts = _padded(samples[first : first + _SAMPLES_AT_ONCE])
            part, direction = both(x, padded, counts)
            value += float(part)
            gradient += np.asarray(direction, dtype=np.float64)
        return value, gradient

    return ParameterSum(layout, num_samples, value_and_gradient, layout.flat(arrays))


def _padded(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the samples, filled up to a power of two by one that counts nothing."""
    size = 1 << (len(samples) - 1).bit_length()
    padded = np.full(size, samples[0])
    padded[: len(samples)] = samples
    return padded, (np.arange(size) < len(samples)).astype(np.float32)
