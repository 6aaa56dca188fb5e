"""Prox steps in an optax training loop."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import optax

from ._prox import prox


def prox_transformation(
    optimizer: optax.GradientTransformation, h: Any, learning_rate: float
) -> optax.GradientTransformation:
    """Follow an optimizer's updates by prox steps: ``x <- prox_{learning_rate h}(x + update)``.

    Parameters
    ----------
    optimizer : optax.GradientTransformation
        For example ``optax.sgd(0.1)``.
    h : spec or object, or a pytree of these with None for free parameters
        One h for every parameter, or one for each.
    learning_rate : float
        The step of the prox, the optimizer's own.
    """

    def moved(array: jax.Array, chosen: Any) -> jax.Array:
        if chosen is None:
            return array
        shape = jax.ShapeDtypeStruct(array.shape, array.dtype)
        return jax.pure_callback(lambda v: prox(chosen, np.asarray(v), learning_rate), shape, array)

    def update(updates: Any, state: Any, params: Any = None) -> tuple[Any, Any]:
        if params is None:
            raise ValueError(
                "prox_transformation: its update needs the parameters: write update(updates, state, params)"
            )
        updates, state = optimizer.update(updates, state, params)
        after = optax.apply_updates(params, updates)
        leaves, tree = jax.tree_util.tree_flatten(after)
        several = isinstance(h, (dict, list, tuple))
        choices = tree.flatten_up_to(h) if several else [h] * len(leaves)
        proxed = tree.unflatten([moved(leaf, chosen) for leaf, chosen in zip(leaves, choices, strict=True)])
        return jax.tree_util.tree_map(lambda new, old: new - old, proxed, params), state

    return optax.GradientTransformation(optimizer.init, update)
