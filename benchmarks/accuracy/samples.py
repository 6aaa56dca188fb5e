"""The samples of a problem as every package gets them, and the objective in doubles.

    F(w) = (1/n) sum_i log(1 + exp(-y_i z_i'w)) + lambda |w|_1
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Samples:
    rows: sparse.csr_matrix  # z_i, float64, 32-bit indices
    labels: np.ndarray  # -1 and +1

    @property
    def count(self) -> int:
        return self.rows.shape[0]

    def objective(self, w: np.ndarray, strength: float) -> float:
        margins = self.labels * (self.rows @ w)
        return float(np.mean(np.logaddexp(0, -margins)) + strength * np.abs(w).sum())

    def gradient(self, w: np.ndarray) -> np.ndarray:
        return self.rows.T @ (-self.labels * self._misfit(w)) / self.count

    def duality_gap(self, w: np.ndarray, strength: float) -> float:
        """How far F(w) can be above its minimum, at most.

        a_i = 1/(1 + exp(y_i z_i'w)), scaled by s <= 1 until |Z'(y s a)|_inf <= n lambda, is a point of the
        dual; its value there is the mean of the entropies of the s a_i.
        """
        misfit = self._misfit(w)
        largest = np.abs(self.rows.T @ (self.labels * misfit)).max() / self.count
        misfit = misfit * min(1.0, strength / largest)
        return self.objective(w, strength) - float(np.mean(entropy(misfit)))

    def _misfit(self, w: np.ndarray) -> np.ndarray:
        margins = self.labels * (self.rows @ w)
        return np.exp(-np.logaddexp(0, margins))


def entropy(a: np.ndarray) -> np.ndarray:
    """-a log a - (1 - a) log(1 - a), with 0 log 0 = 0."""
    inside = np.clip(a, np.finfo(float).tiny, 1)
    rest = -np.expm1(np.log(inside))
    return -inside * np.log(inside) - np.where(rest > 0, rest * np.log(np.maximum(rest, 1e-300)), 0)


def load_samples(folder: Path, dimension: int) -> Samples:
    """From the arrays that bench_accuracy leaves."""
    offsets = np.fromfile(folder / "offsets.i32", np.int32)
    columns = np.fromfile(folder / "columns.i32", np.int32)
    values = np.fromfile(folder / "values.f64")
    labels = np.fromfile(folder / "labels.f64")
    rows = sparse.csr_matrix((values, columns, offsets), shape=(len(labels), dimension))
    return Samples(rows, labels)
