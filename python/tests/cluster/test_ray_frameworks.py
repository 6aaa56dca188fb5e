"""Gradients of TensorFlow and JAX, computed by workers."""

import os

import numpy as np
import pytest

import asynprox as ap

pytest.importorskip("ray", reason="needs Ray: pip install 'asynprox[ray]'")


def network(X, y, hidden, seed=0):
    """A Keras network of one hidden layer, on the node that calls this."""
    import keras

    keras.utils.set_random_seed(seed)
    model = keras.Sequential(
        [
            keras.Input((X.shape[1],)),
            keras.layers.Dense(hidden, activation="relu", name="hidden"),
            keras.layers.Dense(10, name="out"),
        ]
    )
    return ap.from_tensorflow(
        model, keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=None), (X, y)
    )


@pytest.mark.skipif(
    "ASYNPROX_RAY_TRAINING" not in os.environ,
    reason="takes a minute, and its accuracy depends on the timing of two workers: set ASYNPROX_RAY_TRAINING",
)
def test_a_keras_network_is_pruned_by_group_lasso(local_cluster, data_dir, promises):
    pytest.importorskip("tensorflow")
    from asynprox import _engine

    def pictures(name):
        data = _engine.read_data(str(data_dir / name))
        rows = _engine.dense_rows(data).reshape(data.num_samples, -1)
        return np.pad(rows / 255, ((0, 0), (0, 780 - rows.shape[1]))), _engine.label_numbers(data).astype(np.int64)

    (X, y), (held_out, expected) = pictures("mnist.xz"), pictures("mnist.t.xz")
    references = [local_cluster.put(array) for array in (X.astype(np.float32), y)]

    def on_node():
        return network(*local_cluster.get(references), hidden=96)

    # Strength, step and epochs were chosen on the last 10,000 pictures for training.
    result = ap.ray.minimize(
        on_node, workers=2, num_cpus=1, record=False, regularizer={"hidden.kernel": ap.GroupLasso(1.4e-4, axis=1), ".*": None},
        method="asyn-prox-sgd", step="t-inverse:eta0=0.5,decay=1,period=5000", batch_size=128, epochs=12, tolerance=0, trace_every=10**6,
    )  # fmt: skip
    params = result.params
    kernel, bias = params["hidden.kernel"], params["hidden.bias"]
    units = np.maximum(held_out @ kernel + bias, 0)
    predicted = np.argmax(units @ params["out.kernel"] + params["out.bias"], axis=1)
    print("accuracy", np.mean(predicted == expected), "zero units", np.mean(~kernel.any(axis=0)), result.seconds)
    assert np.mean(predicted == expected) >= 0.96
    assert np.mean(~kernel.any(axis=0)) >= 1 / 3
    promises(result)


def test_jax_on_workers(local_cluster, promises):
    pytest.importorskip("jax")
    random = np.random.default_rng(0)
    A = random.standard_normal((400, 6)).astype(np.float32)
    b = (A @ np.array([1, 0, -2, 0, 0, 3], np.float32)).astype(np.float32)

    def on_node():
        import jax.numpy as jnp

        return ap.from_jax(lambda params, X, y: 0.5 * (X @ params["x"] - y) ** 2, {"x": jnp.zeros(6)}, (A, b))

    options = {
        "regularizer": {"x": ap.L1(0.1)},
        "method": "asyn-prox-sgd",
        "step": "constant:0.1",
        "steps": 200,
        "batch_size": 40,
        "tolerance": 0,
        "trace_every": 200,
    }
    result = ap.ray.minimize(on_node, workers=2, **options)
    assert np.flatnonzero(result.params["x"]).tolist() == [0, 2, 5]
    promises(result)
