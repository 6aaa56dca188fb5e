"""The paper's non-negative PCA with TensorFlow gradients and two workers: tensorflow_nn_pca.py [a9a.xz]."""

import sys

import numpy as np
import tensorflow as tf
from common_data import libsvm

import asynprox as ap

X, _ = libsvm(sys.argv[1] if len(sys.argv) > 1 else "a9a.xz")
Z = X.toarray().astype(np.float32)
Z /= np.linalg.norm(Z, axis=1, keepdims=True)
d = Z.shape[1]

model = tf.keras.Sequential([tf.keras.layers.Input((d,)), tf.keras.layers.Dense(1, use_bias=False)])
f = ap.from_tensorflow(model, lambda _, u: -tf.square(u[:, 0]) / 2, (Z, np.zeros(len(Z), np.float32)))
lipschitz = 0.452825755398427  # the largest eigenvalue of Z'Z / n
result = ap.minimize(
    f,
    regularizer="nonneg-ball:1",
    method="asyn-prox-sgd",
    step=f"constant:{1 / lipschitz}",
    batch_size=8192,
    steps=30,
    tolerance=0,
    workers=2,
    x0=np.full(d, 1 / np.sqrt(d)),
)
suboptimality = result.objective + 0.226412877699213
print(f"suboptimality {suboptimality:.1e} after {result.steps} steps; staleness at most {result.staleness['max']}")
assert suboptimality < 1e-3
