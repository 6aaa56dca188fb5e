"""Time and certified gap of asynprox, and of scikit-learn's saga and liblinear, on one problem."""

import time
import warnings

import numpy as np
from common_data import libsvm
from sklearn.linear_model import LogisticRegression

import asynprox as ap

X, y = libsvm("a9a.xz")
alpha = 1e-3
result = ap.minimize(X, y, regularizer=ap.L1(alpha), tolerance=1e-6)
bound = result.objective - result.duality_gap  # nobody is below


def objective(w):
    """The mean loss plus the penalty."""
    return np.mean(np.logaddexp(0, -y * (X @ w))) + alpha * np.abs(w).sum()


def report(name, fit):
    """Print the time of a fit and how far it is above the bound."""
    began = time.perf_counter()
    w = fit()
    seconds = time.perf_counter() - began
    print(f"{name:10} {seconds:7.3f} s   at most {objective(w) - bound:.1e} above the optimum")
    assert objective(w) >= bound - 1e-12


def scikit_learn(solver):
    """Fit the same model by scikit-learn, with its defaults."""
    model = LogisticRegression(C=1 / (alpha * len(y)), l1_ratio=1, solver=solver, fit_intercept=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y).coef_[0]


report("asynprox", lambda: ap.minimize(X, y, regularizer=ap.L1(alpha), tolerance=1e-6).x)
report("liblinear", lambda: scikit_learn("liblinear"))
report("saga", lambda: scikit_learn("saga"))
