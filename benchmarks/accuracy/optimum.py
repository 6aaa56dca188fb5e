"""The optimum of a problem, and a bound on its error.

Proximal Newton steps of skglm find the support; Newton's method on the support alone, where the objective is
smooth while no sign changes, adds the last digits. Whatever that is worth, the duality gap says how far the
value can be above the optimum.
"""

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg

from samples import Samples

NEWTON_STEPS = 30


def polished(samples: Samples, w: np.ndarray, strength: float) -> np.ndarray:
    """Newton's method on the support of w. A step is halved until it neither leaves the orthant nor goes up."""
    w = w.copy()
    for _ in range(NEWTON_STEPS):
        support = np.flatnonzero(w)
        rows = samples.rows[:, support]
        margins = samples.labels * (rows @ w[support])
        misfit = 1 / (1 + np.exp(margins))
        curvature = misfit * (1 - misfit) / samples.count
        gradient = rows.T @ (-samples.labels * misfit) / samples.count + strength * np.sign(w[support])
        if np.abs(gradient).max() < 1e-16:
            break
        hessian = LinearOperator((len(support),) * 2, lambda v: rows.T @ (curvature * (rows @ v)) + 1e-14 * v)
        step, _ = cg(hessian, -gradient, rtol=1e-4, maxiter=2000)
        w[support] = shortened(samples, w, support, step, strength)
    return w


def shortened(samples, w, support, step, strength) -> np.ndarray:
    value = samples.objective(w, strength)
    for halvings in range(10):
        tried = w.copy()
        tried[support] = w[support] + 0.5**halvings * step
        tried[support] *= np.sign(tried[support]) == np.sign(w[support])
        if samples.objective(tried, strength) <= value:
            return tried[support]
    return w[support]


def find_optimum(samples: Samples, strength: float):
    """The best model known, its objective, and the bound on its error."""
    from skglm.datafits import Logistic
    from skglm.penalties import L1
    from skglm.solvers import ProxNewton

    solver = ProxNewton(fit_intercept=False, tol=1e-10, max_iter=1000)
    columns = samples.rows.tocsc()
    w = solver.solve(columns, samples.labels, Logistic(), L1(strength))[0]
    candidates = [w, polished(samples, w, strength)]
    best = min(candidates, key=lambda candidate: samples.duality_gap(candidate, strength))
    return best, samples.objective(best, strength), samples.duality_gap(best, strength)
