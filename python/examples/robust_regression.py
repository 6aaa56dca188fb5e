"""A robust sparse regression: one tenth of the targets are wrong by a lot."""

import numpy as np

import asynprox as ap

random = np.random.default_rng(0)
X = random.standard_normal((2000, 50))
truth = np.zeros(50)
truth[:5] = [3, -2, 1.5, 1, -1]
y = X @ truth + 0.1 * random.standard_normal(2000)
y[::10] += 100 * random.random(200)

huber = ap.minimize(X, y, loss=ap.Huber(0.5), regularizer=ap.L1(0.02), intercept=True)
squared = ap.minimize(X, y, loss="squared", regularizer=ap.L1(0.02), intercept=True)
for name, result in (("huber", huber), ("squared", squared)):
    print(f"{name:8} error {np.abs(result.x - truth).max():.3f}, {result.nonzeros} nonzeros, {result.stop_reason}")
assert np.abs(huber.x - truth).max() < 0.15 < np.abs(squared.x - truth).max()
