"""An f and an h of one's own: robust phase offsets on a circle, with a h that is known by its prox only."""

import numpy as np

import asynprox as ap

random = np.random.default_rng(0)
n, d = 500, 20
A = random.standard_normal((n, d))
truth = np.where(np.arange(d) < 10, 1.0, 0.0)
b = A @ truth


def gradient(x, samples):
    """Of 1 - cos(a'x - b), summed: not convex, and bounded for outliers."""
    return A[samples].T @ np.sin(A[samples] @ x - b[samples])


def value(x, samples):
    return np.sum(1 - np.cos(A[samples] @ x - b[samples]))


class Quarters:
    """The distance to the cube [0, 1]^d, times a strength."""

    def __init__(self, strength):
        self.strength = strength

    def value(self, x):
        return self.strength * np.linalg.norm(x - np.clip(x, 0, 1))

    def prox(self, v, step):
        away = v - np.clip(v, 0, 1)
        distance = np.linalg.norm(away)
        return v - away * min(1, step * self.strength / distance) if distance > 0 else v


f = ap.FiniteSum(n, d, gradient=gradient, value=value, lipschitz=np.linalg.norm(A, 2) ** 2 / n)
result = ap.minimize(f, regularizer=Quarters(0.1), x0=np.full(d, 0.5), method="prox-gd", tolerance=1e-8, steps=2000)
print(result)
print(f"error {np.abs(result.x - truth).max():.2e}")
assert result.objective < 1e-3
