"""Sparse logistic regression on a9a, with a certificate: sparse_logistic.py [a9a.svm | a9a.xz]."""

import sys

import numpy as np
from common_data import libsvm

import asynprox as ap

X, y = libsvm(sys.argv[1]) if len(sys.argv) > 1 else libsvm("a9a.xz")
result = ap.minimize(X, y, loss="logistic", regularizer=ap.L1(1e-3), tolerance=1e-6)
print(result)
print(f"accuracy {np.mean(result.predict(X) == y):.4f} with {result.nonzeros} of {X.shape[1]} coefficients")
print(f"no model has an objective below {result.objective - result.duality_gap:.9f}")
assert result.stop_reason == "converged"
