"""A JAX network on pictures of digits, pruned by group lasso while it is trained."""

import jax
import jax.numpy as jnp
import numpy as np
from sklearn.datasets import load_digits

import asynprox as ap

X, y = load_digits(return_X_y=True)
X = (X / 16).astype(np.float32)
train, held_out = np.split(np.random.default_rng(0).permutation(len(y)), [1400])
keys = jax.random.split(jax.random.key(0), 2)
params = {
    "hidden": {"kernel": 0.3 * jax.random.normal(keys[0], (64, 64)), "bias": jnp.zeros(64)},
    "out": {"kernel": 0.3 * jax.random.normal(keys[1], (64, 10)), "bias": jnp.zeros(10)},
}


def scores(params, X):
    """The outputs of the network."""
    units = jax.nn.relu(X @ params["hidden"]["kernel"] + params["hidden"]["bias"])
    return units @ params["out"]["kernel"] + params["out"]["bias"]


def losses(params, X, y):
    """The cross-entropy of each sample."""
    return -jax.nn.log_softmax(scores(params, X))[jnp.arange(len(y)), y]


f = ap.from_jax(losses, params, (X[train], y[train]))
result = ap.minimize(
    f,
    regularizer={"hidden.kernel": ap.GroupLasso(6e-3, axis=1), ".*": None},
    method="asyn-prox-sgd",
    step="t-inverse:eta0=0.2,decay=1,period=1000",
    batch_size=64,
    epochs=300,
    tolerance=0,
    workers=2,
)
accuracy = np.mean(np.argmax(scores(result.params, X[held_out]), axis=1) == y[held_out])
gone = np.mean(~np.asarray(result.params["hidden"]["kernel"]).any(axis=0))
print(f"held-out accuracy {accuracy:.3f}; {gone:.0%} of the hidden units are exactly zero")
assert accuracy >= 0.95
assert gone >= 0.5
