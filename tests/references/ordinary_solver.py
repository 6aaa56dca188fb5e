"""The minimum of an Objective, by scipy and then by an active-set Newton method in extended
precision, and a lower bound of it by duality.

A first solution is found by L-BFGS-B of scipy (for group-lasso by accelerated proximal gradient
steps, for a lasso with more columns than rows by the path of scikit-learn). From it Newton's method
goes on over the coordinates that are not zero; a coordinate that reaches zero leaves the set, and
the zero one whose gradient breaks the optimality condition most enters it. Nothing of
this is shared with the program under test.
"""

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import lars_path

from ordinary_objective import R, Squared

NONNEGATIVE = ("nonneg", "nonneg-l1")


class Penalty:
    """h in the scaled coordinates t of an Objective, flat: coordinate j K + c of K outputs."""

    def __init__(self, objective):
        self.name, numbers = objective.regularizer, objective.strength
        d, outputs = objective.shape
        scale = np.repeat(objective.scale, outputs)
        zero = np.zeros(d * outputs, dtype=R)
        first = numbers.get("lambda", R(0))
        linear = numbers.get("l1", first if self.name in ("l1", "nonneg-l1") else R(0))
        square = numbers.get("l2", first if self.name == "squared-l2" else R(0))
        self.l1, self.l2 = zero + linear / scale, zero + square / scale ** 2
        self.size = int(numbers.get("size", 0))
        self.group = first * np.sqrt(R(self.size)) if self.name == "group-lasso" else R(0)
        self.all_active = self.name in ("zero", "squared-l2")

    def groups(self, t):
        return t.reshape(-1, self.size)

    def value(self, t):
        norms = np.sqrt((self.groups(t) ** 2).sum(axis=1)).sum() if self.size else R(0)
        return (self.l1 * np.abs(t)).sum() + (self.l2 * t * t).sum() / 2 + self.group * norms

    def slope(self, t, sign):
        slope = self.l1 * sign + self.l2 * t
        if self.size:
            norm = np.sqrt((self.groups(t) ** 2).sum(axis=1, keepdims=True))
            slope = slope + (self.group * self.groups(t) / np.where(norm > 0, norm, 1)).reshape(-1)
        return slope

    def curvature(self, t):
        """A matrix, for the coordinates that are not zero."""
        H = np.diag(self.l2)
        for start in range(0, len(t), self.size) if self.size else ():
            x = t[start:start + self.size]
            norm = np.sqrt(x @ x)
            if norm > 0:
                block = np.eye(self.size, dtype=R) / norm - np.outer(x, x) / norm ** 3
                H[start:start + self.size, start:start + self.size] += self.group * block
        return H


def solve_linear(H, r):
    """H^-1 r in extended precision, by elimination with pivots; H is symmetric and positive."""
    M, x = H.copy(), r.copy()
    n = len(x)
    for k in range(n):
        p = k + int(np.argmax(np.abs(M[k:, k])))
        M[[k, p]], x[[k, p]] = M[[p, k]], x[[p, k]]
        factor = M[k + 1:, k] / M[k, k]
        M[k + 1:, k:] -= np.outer(factor, M[k, k:])
        x[k + 1:] -= factor * x[k]
    for k in range(n - 1, -1, -1):
        x[k] = (x[k] - M[k, k + 1:] @ x[k + 1:]) / M[k, k]
    return x


def start_by_scipy(objective, penalty):
    """L-BFGS-B in double precision, on the positive and the negative parts of t."""
    d, K = objective.shape
    l1, l2 = penalty.l1.astype(float), penalty.l2.astype(float)

    def both(v):
        t = v[:d * K] - v[d * K:2 * d * K]
        T, b = t.reshape(d, K).astype(R), np.zeros(K, dtype=R)
        b[:free] = v[2 * d * K:]
        f = objective.fit(objective.scores(T, b))
        g, gb = objective.gradient(T, b)
        g = g.reshape(-1).astype(float) + l2 * t
        split = np.concatenate([g + l1, l1 - g, gb.astype(float)[:free]])
        return float(f) + l1 @ (v[:d * K] + v[d * K:2 * d * K]) + l2 @ (t * t) / 2, split

    one_sided = penalty.name in NONNEGATIVE
    free = K if objective.intercept else 0
    bounds = [(0, None)] * (d * K) + [(0, 0 if one_sided else None)] * (d * K)
    bounds += [(None, None)] * free
    start = np.zeros(2 * d * K + free)
    if free and K == 1:
        start[-1] = float(objective.best_constant()[0])
    found = minimize(both, start, jac=True, method="L-BFGS-B", bounds=bounds,
                     options={"maxiter": 3000, "maxfun": 4000, "ftol": 1e-15, "gtol": 1e-11})
    t = found.x[:d * K] - found.x[d * K:2 * d * K]
    b = found.x[2 * d * K:] if free else np.zeros(K)
    return t.astype(R), b.astype(R)


def start_of_groups(objective, penalty):
    """Accelerated proximal gradient steps, for squared loss."""
    A = objective.A.astype(float)
    w, y = objective.w.astype(float), objective.loss.y[:, 0].astype(float)
    bound = np.linalg.eigvalsh((A.T * w) @ A)[-1]
    t = last = np.zeros(A.shape[1])
    for k in range(20000):
        v = t + (k / (k + 3)) * (t - last)
        v = v - A.T @ (w * (A @ v - y)) / bound
        norm = np.sqrt((penalty.groups(v) ** 2).sum(axis=1, keepdims=True))
        shrink = np.maximum(0, 1 - float(penalty.group) / bound / np.where(norm > 0, norm, 1))
        last, t = t, (penalty.groups(v) * shrink).reshape(-1)
    return t.astype(R), np.zeros(1, dtype=R)


def start_of_wide_lasso(objective, penalty):
    """The lasso path of scikit-learn down to the strength, for more columns than rows."""
    root = np.sqrt(objective.w)
    A = (objective.A * objective.scale * root[:, None]).astype(float)
    y = (objective.loss.y[:, 0] * root).astype(float)
    strength = float(objective.strength["lambda"])
    # Its objective is |y - A x|^2 / (2 n) + alpha |x|_1 for n rows, ours has no 1 / n here.
    path = lars_path(A, y, method="lasso", alpha_min=strength / len(y), return_path=False)
    return (path[2] * objective.scale).astype(R), np.zeros(1, dtype=R)


class ActiveSet:
    """Newton's method over the coordinates that are not zero."""

    def __init__(self, objective, penalty, t, b):
        self.objective, self.penalty = objective, penalty
        self.b = b
        self.refused = set()  # coordinates that rounding let in, until the objective falls again
        self.copies = set()
        if penalty.name == "l1" and objective.outputs == 1:
            t = self.merge_copies(t)
        small = 1e-7 * np.abs(t).max() if penalty.name not in ("zero", "squared-l2") else -1
        self.sign = np.where(np.abs(t) > small, np.sign(t), 0)
        self.sign[self.sign == 0] = 1 if penalty.all_active else 0
        self.t = np.where(self.sign != 0, t, R(0))
        self.free_b = np.arange(objective.outputs - (objective.outputs > 1)
                                if objective.intercept else 0)

    def merge_copies(self, t):
        """Of equal columns only the first is used, for the Hessian of all is singular."""
        first, t = {}, t.copy()
        for j, column in enumerate(self.objective.A.T.astype(float)):
            original = first.setdefault(column.tobytes(), j)
            if original != j:
                self.copies.add(j)
                t[original], t[j] = t[original] + t[j], 0
        return t

    def value(self, t, b):
        O = self.objective
        return O.fit(O.scores(t.reshape(O.shape), b)) + self.penalty.value(t)

    def newton(self, ridge):
        """The Newton direction of the set and the intercept, and the slope along it."""
        O, S = self.objective, np.flatnonzero(self.sign)
        d, K = O.shape
        T = self.t.reshape(d, K)
        g, gb = O.gradient(T, self.b)
        r = np.concatenate([(g.reshape(-1) + self.penalty.slope(self.t, self.sign))[S],
                            gb[self.free_b]])
        C = O.loss.curvature(O.scores(T, self.b))
        columns = np.concatenate([O.A[:, S // K], np.ones((len(O.w), len(self.free_b)), R)], axis=1)
        output = np.concatenate([S % K, self.free_b])
        H = np.zeros((len(output), len(output)), dtype=R)
        for c in range(K):
            for e in range(K):
                rows, others = np.flatnonzero(output == c), np.flatnonzero(output == e)
                if len(rows) and len(others):
                    weighted = columns[:, rows] * (O.w * C[:, c, e])[:, None]
                    H[np.ix_(rows, others)] = weighted.T @ columns[:, others]
        H[:len(S), :len(S)] += self.penalty.curvature(self.t)[np.ix_(S, S)]
        H += np.eye(len(H), dtype=R) * np.diag(H).max() * R(ridge)
        step = solve_linear(H, -r) if len(r) else r
        return S, step, r @ step

    def move(self, S, step, slope):
        """As far as the objective falls, at most to where a coordinate reaches zero."""
        move_t = np.zeros_like(self.t)
        move_t[S] = step[:len(S)]
        move_b = np.zeros_like(self.b)
        move_b[self.free_b] = step[len(S):]
        length, stopper = R(1), None
        if not self.penalty.all_active and not self.penalty.size:
            ahead = self.sign * (self.t + move_t) < 0
            for j in np.flatnonzero(ahead):
                if self.t[j] == 0:
                    self.sign[j] = 0
                    self.refused.add(j)
                    return True
                reach = -self.t[j] / move_t[j]
                if reach < length:
                    length, stopper = reach, j
        now = self.value(self.t, self.b)
        for _ in range(60):
            t, b = self.t + length * move_t, self.b + length * move_b
            # Where the fall is below the rounding of the objective, a full step is as good as any.
            if -slope < R(1e-16) * abs(now) or self.value(t, b) <= now + R(1e-4) * length * slope:
                break
            length, stopper = length / 2, None
        else:
            return False
        if stopper is not None:
            t[stopper], self.sign[stopper] = 0, 0
        if self.value(t, b) < now - R(1e-18) * abs(now):
            self.refused.clear()
        self.t, self.b = t, b
        return True

    def enter(self):
        """Adds the zero coordinate that breaks its condition most; False where none does."""
        O = self.objective
        g = O.gradient(self.t.reshape(O.shape), self.b)[0].reshape(-1)
        if self.penalty.all_active or self.penalty.size:
            return False
        excess = -g if self.penalty.name in NONNEGATIVE else np.abs(g)
        excess = np.where(self.sign == 0, excess - self.penalty.l1, 0)
        excess[list(self.refused | self.copies)] = 0
        j = int(np.argmax(excess))
        if excess[j] <= R(1e-16) * max(self.penalty.l1[j], R(1e-3)):
            return False
        self.sign[j] = -np.sign(g[j])
        return True

    def run(self, rounds=2000):
        """A Hessian that is singular in the set gets a larger and larger multiple of I."""
        for _ in range(rounds):
            moved = False
            for ridge in (1e-22, 1e-12, 1e-8, 1e-4):
                S, step, slope = self.newton(ridge)
                if 0 <= -slope <= R(1e-22) * abs(self.value(self.t, self.b)):
                    break
                moved = slope < 0 and self.move(S, step, slope)
                if moved:
                    break
            if not moved and not self.enter():
                return -slope
        raise RuntimeError("the active set does not settle")


def lower_bound(objective, penalty, t, b):
    """A lower bound of the minimum by Fenchel duality, at the slopes of the losses scaled until
    they are feasible; None where the penalty has no bound of this kind."""
    O = objective
    a = O.loss.slope(O.scores(t.reshape(O.shape), b))
    if O.intercept:
        a = a - (O.w @ a) / O.w.sum()
    v = (O.A.T @ (O.w[:, None] * a)).reshape(-1)
    l2 = penalty.l2[0] > 0
    if penalty.size:
        share = np.sqrt((penalty.groups(v) ** 2).sum(axis=1)).max() / penalty.group
    elif penalty.l1[0] > 0 and not l2 and penalty.name not in NONNEGATIVE:
        share = (np.abs(v) / penalty.l1).max()
    elif l2:
        share = R(0)
    else:
        return None
    shrink = 1 / max(R(1), share)
    excess = np.maximum(np.abs(v * shrink) - penalty.l1, 0) if l2 else np.zeros_like(v)
    conjugate = (excess ** 2 / (2 * penalty.l2)).sum() if l2 else R(0)
    return -(O.w @ O.loss.conjugate(a * shrink)) - conjugate


def first_solution(objective, penalty):
    """What found it, t and b."""
    rows, columns = objective.A.shape
    if penalty.size:
        return ("proximal gradient", *start_of_groups(objective, penalty))
    if columns > rows and objective.regularizer == "l1" and not objective.intercept:
        return ("scikit-learn lars_path", *start_of_wide_lasso(objective, penalty))
    return ("scipy L-BFGS-B", *start_by_scipy(objective, penalty))


def solve(objective):
    """The minimum with a bound on its error, as a dictionary."""
    penalty = Penalty(objective)
    first, t, b = first_solution(objective, penalty)
    state = ActiveSet(objective, penalty, t, b)
    first_value = state.value(t, b)
    error, error_by = state.run(), "Newton decrement"
    minimum = state.value(state.t, state.b)
    bound = lower_bound(objective, penalty, state.t, state.b)
    if bound is not None:
        error, error_by = max(minimum - bound, R(0)), "duality gap"
    elif not isinstance(objective.loss, Squared):
        raise RuntimeError("no bound on the error of a loss without a penalty")
    return {"objective": float(minimum), "error": float(error), "error_by": error_by,
            "nonzeros": int((state.t != 0).sum()), "first": first,
            "first_excess": float(first_value - minimum)}
