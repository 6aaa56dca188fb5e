"""A JAX network on pictures of digits, pruned by group lasso while it is trained.

The strength is chosen on a validation split; what is reported is of a test split that nothing was chosen by.
"""

import jax
import jax.numpy as jnp
import numpy as np
from sklearn.datasets import load_digits

import asynprox as ap

X, y = load_digits(return_X_y=True)
X = (X / 16).astype(np.float32)
train, validation, test = np.split(np.random.default_rng(0).permutation(len(y)), [1200, 1500])
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


def accuracy(params, samples):
    """The share of these samples whose digit is recognised."""
    return float(np.mean(np.argmax(scores(params, X[samples]), axis=1) == y[samples]))


def pruned(strength):
    """Train at a strength of the group lasso on the weights that lead to each hidden unit."""
    result = ap.minimize(
        f,
        regularizer={"hidden.kernel": ap.GroupLasso(strength, axis=1), ".*": None},
        method="asyn-prox-sgd",
        step="t-inverse:eta0=0.2,decay=1,period=1000",
        batch_size=128,
        epochs=400,
        tolerance=0,
        workers=2,
        runtime="serial",  # workers take turns: the figures do not depend on timing
    )
    return result.params


f = ap.from_jax(losses, params, (X[train], y[train]))
fits = [pruned(strength) for strength in (1.5e-3, 3e-3, 7e-3)]
on_validation = [accuracy(fit, validation) for fit in fits]
# The strongest regularisation that costs at most three points of accuracy.
chosen = max(k for k in range(len(fits)) if on_validation[k] >= max(on_validation) - 0.03)
gone = np.mean(~np.asarray(fits[chosen]["hidden"]["kernel"]).any(axis=0))
on_test = accuracy(fits[chosen], test)
print(f"validation accuracies {', '.join(f'{share:.3f}' for share in on_validation)}")
print(f"test accuracy {on_test:.3f}; {gone:.0%} of the hidden units are exactly zero")
assert on_test >= 0.95
assert gone >= 0.5
