"""A Keras model as a FiniteSum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from ._parameters import Layout, ParameterSum, samples_of


def _names(model: Any, variables: list[Any]) -> list[str]:
    """Return the paths in the model: its own name, which Keras counts up, is no part of them."""
    paths = [getattr(variable, "path", variable.name).partition(":")[0] for variable in variables]
    own = f"{model.name}/"
    if all(path.startswith(own) for path in paths):
        paths = [path.removeprefix(own) for path in paths]
    return [path.replace("/", ".") for path in paths]


def from_tensorflow(model: Any, loss: Callable[..., Any], data: Any) -> ParameterSum:
    """Make a FiniteSum of a Keras model.

    Parameters
    ----------
    model : keras.Model
        Built, with its weights; training begins there. ``result.params`` is a dictionary from names to
        arrays, and ``f.assign(result.x)`` sets the model's weights.
    loss : function (targets, outputs) -> tensor
        The loss of each sample of a batch, or the mean over the batch.
    data : (inputs, targets)
        Arrays with a row per sample.

    Notes
    -----
    One `tf.function` with a signature is traced once. Weights are arguments, so that workers compute at
    different models at once. TensorFlow releases the GIL while it computes.
    """
    (inputs, targets), num_samples = samples_of(data)
    variables = list(model.trainable_variables)
    if len(variables) == 0:
        raise ValueError("model: it has no trainable weights; build it first, for example by calling it once")
    if model.non_trainable_variables and any("moving" in name for name in _names(model, model.non_trainable_variables)):
        raise ValueError("model: moving averages (BatchNormalization) are not parameters and would not be updated")
    arrays = [variable.numpy() for variable in variables]
    names = _names(model, variables)
    layout = Layout(
        names=names,
        shapes=[array.shape for array in arrays],
        dtypes=[array.dtype for array in arrays],
        rebuild=lambda restored: dict(zip(names, restored, strict=True)),
    )
    inputs, targets = tf.constant(inputs), tf.constant(targets)
    fixed = list(model.non_trainable_variables)

    @tf.function(
        input_signature=[tf.TensorSpec([None], tf.float64), tf.TensorSpec([None], tf.int64)], reduce_retracing=True
    )
    def both(x: Any, samples: Any) -> tuple[Any, Any]:
        parts = tf.split(x, layout.sizes)
        weights = [
            tf.cast(tf.reshape(part, array.shape), array.dtype) for part, array in zip(parts, arrays, strict=True)
        ]
        with tf.GradientTape() as tape:
            tape.watch(weights)
            outputs, _ = model.stateless_call(weights, fixed, tf.gather(inputs, samples))
            losses = loss(tf.gather(targets, samples), outputs)
            count = 1 if losses.shape.rank else tf.cast(tf.size(samples), losses.dtype)
            total = tf.reduce_sum(losses) * count
        gradients = tape.gradient(total, weights, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        flat = [tf.reshape(tf.cast(tf.convert_to_tensor(gradient), tf.float64), [-1]) for gradient in gradients]
        return total, tf.concat(flat, 0)

    def value_and_gradient(x: np.ndarray, samples: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = both(tf.constant(x), tf.constant(samples))
        return float(value), gradient.numpy()

    f = ParameterSum(layout, num_samples, value_and_gradient, layout.flat(arrays))
    f.assign = lambda x: [  # type: ignore[attr-defined]
        variable.assign(array) for variable, array in zip(variables, layout.restored(x).values(), strict=True)
    ]
    return f
