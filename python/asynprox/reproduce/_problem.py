"""Non-negative PCA, with gradients by TensorFlow or by the engine.

f(x) = (1/n) sum_i -(z_i'x)^2 / 2 with |z_i| = 1, h the indicator of x >= 0, |x| <= 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .. import _engine
from .._finite_sum import FiniteSum

REGULARIZER = "nonneg-ball:1"
BATCH = 8192
_CHUNK = 4096


@dataclass
class TensorFlowPca:
    """Opens the rows on its node, as a mapped file, and makes f of a TensorFlow model there."""

    path: str
    lipschitz: float

    def __call__(self) -> FiniteSum:
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
        rows = np.load(self.path, mmap_mode="r")
        n, d = rows.shape

        @tf.function(input_signature=[tf.TensorSpec([d], tf.float32), tf.TensorSpec([None, d], tf.float32)])
        def both(x: Any, batch: Any) -> tuple[Any, Any]:
            with tf.GradientTape() as tape:
                tape.watch(x)
                loss = -0.5 * tf.reduce_sum(tf.square(tf.linalg.matvec(batch, x)))
            return loss, tape.gradient(loss, x)

        def value_and_gradient(x: np.ndarray, samples: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient = both(x.astype(np.float32), rows[samples])
            return float(value), gradient.numpy().astype(np.float64)

        return FiniteSum(
            n, d,
            gradient=lambda x, samples: value_and_gradient(x, samples)[1],
            value=lambda x, samples: value_and_gradient(x, samples)[0],
            value_and_gradient=value_and_gradient,
            lipschitz=self.lipschitz,
            start=np.full(d, 1 / np.sqrt(d)),
        )  # fmt: skip


class Pca:
    """A data set of the paper: its rows scaled to length 1, and the exact answer."""

    def __init__(self, name: str, source: str, folder: Path) -> None:
        self.name, self.source = name, source
        data = _engine.read_data(source)
        rows = _engine.dense_rows(data).reshape(data.num_samples, -1)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(norms > 0, norms, 1)
        self.num_samples, self.dimension = rows.shape
        self._nonnegative = bool((rows >= 0).all())
        gram = np.zeros((self.dimension, self.dimension))
        for first in range(0, self.num_samples, _CHUNK):
            part = rows[first : first + _CHUNK].astype(np.float64)
            gram += part.T @ part
        self.lipschitz = float(np.linalg.eigvalsh(gram / self.num_samples)[-1])
        self.path = folder / f"{name}.npy"
        np.save(self.path, rows)

    @cached_property
    def optimum(self) -> float:
        """-L/2, which is attained where no entry of the data is negative."""
        if not self._nonnegative:
            raise ValueError(f"{self.source}: expected data without negative entries, of which the optimum is known")
        return -self.lipschitz / 2

    def arguments(self, gradients: str) -> dict[str, Any]:
        """Return what `Problem.of` takes, for gradients by "tensorflow" or by the "engine"."""
        if gradients == "tensorflow":
            f = TensorFlowPca(str(self.path.resolve()), self.lipschitz)
            return {"X": f, "loss": None, "regularizer": REGULARIZER, "options": {}}
        options = {"normalize": "rows"}
        return {"X": self.source, "loss": "pca", "regularizer": REGULARIZER, "options": options}
