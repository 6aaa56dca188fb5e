"""The objective of a problem in extended precision, with its conjugates for a lower bound.

    F(x, b) = (1/n) sum_i w_i phi(z_i'x + b, y_i) + h(x),   the weights w have mean one

Everything is computed by numpy.longdouble (64 bits of mantissa on x86-64) from the files that a
problem writes, read here and not by the program under test.
"""

import csv

import numpy as np

R = np.longdouble


def read_table(path):
    """A dense matrix of the features, and the labels as text."""
    if path.suffix == ".csv":
        with open(path, newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))[1:]
        return np.array([[float(v) for v in line[:-1]] for line in lines]), [v[-1] for v in lines]
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    cells = [[cell.split(":") for cell in line[1:]] for line in lines]
    width = max(int(column) for row in cells for column, _ in row)
    matrix = np.zeros((len(lines), width))
    for i, row in enumerate(cells):
        for column, value in row:
            matrix[i, int(column) - 1] = float(value)
    return matrix, [line[0] for line in lines]


class Squared:
    """(u - y)^2 / 2, and huber for a finite `delta`."""

    def __init__(self, y, delta=np.inf):
        self.y, self.delta = y[:, None], R(delta)

    def value(self, u):
        r = np.abs(u - self.y)
        inner = np.minimum(r, self.delta)
        return (inner * r - inner * inner / 2)[:, 0]

    def slope(self, u):
        return np.clip(u - self.y, -self.delta, self.delta)

    def curvature(self, u):
        return (np.abs(u - self.y) < self.delta).astype(R)[:, :, None]

    def conjugate(self, a):
        return (a * a / 2 + a * self.y)[:, 0]


class Logistic:
    def __init__(self, sign):
        self.sign = sign[:, None]

    def value(self, u):
        return np.logaddexp(R(0), -self.sign * u)[:, 0]

    def probability(self, u):
        """That of the wrong label."""
        return np.exp(-np.logaddexp(R(0), self.sign * u))

    def slope(self, u):
        return -self.sign * self.probability(u)

    def curvature(self, u):
        p = self.probability(u)
        return (p * (1 - p))[:, :, None]

    def conjugate(self, a):
        p = np.clip(-self.sign * a, R(0), R(1))
        return (entropy(p) + entropy(1 - p))[:, 0]


class Hinge:
    """squared-hinge, and smoothed-hinge with slopes of at most `most` = 1."""

    def __init__(self, sign, most=np.inf):
        self.sign, self.most = sign[:, None], R(most)

    def value(self, u):
        m = np.maximum(R(0), 1 - self.sign * u)
        inner = np.minimum(m, self.most)
        return (inner * m - inner * inner / 2)[:, 0]

    def slope(self, u):
        return -self.sign * np.clip(1 - self.sign * u, R(0), self.most)

    def curvature(self, u):
        m = 1 - self.sign * u
        return ((m > 0) & (m < self.most)).astype(R)[:, :, None]

    def conjugate(self, a):
        m = -self.sign * a
        return (m * m / 2 - m)[:, 0]


class Poisson:
    def __init__(self, y):
        self.y = y[:, None]

    def value(self, u):
        return (np.exp(u) - self.y * u)[:, 0]

    def slope(self, u):
        return np.exp(u) - self.y

    def curvature(self, u):
        return np.exp(u)[:, :, None]

    def conjugate(self, a):
        q = np.maximum(R(0), a + self.y)
        return (entropy(q) - q)[:, 0]


class Multinomial:
    def __init__(self, one_hot):
        self.one_hot = one_hot

    def value(self, u):
        top = u.max(axis=1, keepdims=True)
        return (top + np.log(np.exp(u - top).sum(axis=1, keepdims=True))
                - (u * self.one_hot).sum(axis=1, keepdims=True))[:, 0]

    def probability(self, u):
        e = np.exp(u - u.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def slope(self, u):
        return self.probability(u) - self.one_hot

    def curvature(self, u):
        p = self.probability(u)
        return p[:, :, None] * np.eye(p.shape[1], dtype=R) - p[:, :, None] * p[:, None, :]

    def conjugate(self, a):
        return entropy(np.maximum(R(0), a + self.one_hot)).sum(axis=1)


def entropy(p):
    return np.where(p > 0, p * np.log(np.where(p > 0, p, R(1))), R(0))


def make_loss(spec, labels):
    """The loss of a spec, and its number of outputs."""
    name, _, parameters = spec.partition(":")
    parameter = R(parameters.partition("=")[2] or 1)
    if name in ("squared", "huber", "poisson"):
        y = np.array([float(label) for label in labels], dtype=R)
        return {"squared": lambda: Squared(y), "huber": lambda: Squared(y, parameter),
                "poisson": lambda: Poisson(y)}[name](), 1
    classes = sorted(set(labels))
    if name == "multinomial":
        return Multinomial(np.array([[label == c for c in classes] for label in labels],
                                    dtype=R)), len(classes)
    sign = np.array([1 if label == classes[-1] else -1 for label in labels], dtype=R)
    return {"logistic": lambda: Logistic(sign), "squared-hinge": lambda: Hinge(sign),
            "smoothed-hinge": lambda: Hinge(sign, 1)}[name](), 1


class Objective:
    """F of a problem in variables in which it is well conditioned: columns centred where there is
    an intercept, and divided by their deviation; `scale` leads back, x = t / scale."""

    def __init__(self, problem, path):
        options = dict(zip(problem.options, (*problem.options[1:], "")))
        matrix, labels = read_table(path)
        A = matrix.astype(R)
        self.intercept = "--intercept" in options
        spec = options.get("--loss", "logistic" if len(set(labels)) == 2 else "squared")
        self.loss, self.outputs = make_loss(spec, labels)
        self.w = sample_weights(options, path, labels)
        mean = self.w @ A
        deviation = np.sqrt(self.w @ (A - mean) ** 2)
        deviation[deviation <= 1e-12 * np.abs(mean)] = 0
        if "--standardize" in options:
            factor = np.where(deviation > 0, deviation, R(1))
            A, mean, deviation = A / factor, mean / factor, np.sign(deviation)
        if "--center" in options or self.intercept:
            A = A - mean
            A[:, deviation == 0] = 0
        size = np.sqrt(self.w @ A ** 2)
        self.regularizer, self.strength = parse_regularizer(options.get("--regularizer", "zero"))
        grouped = self.regularizer == "group-lasso"
        self.scale = np.where((size > 0) & (not grouped), size, R(1))
        self.A = A / self.scale
        self.resolve_share()

    def resolve_share(self):
        """Replaces 0.1max by the number that it means."""
        for key, text in self.strength.items():
            if isinstance(text, str):
                g = self.gradient(np.zeros(self.shape, dtype=R), self.best_constant())[0]
                most = np.abs(g * self.scale[:, None]).max()
                self.strength[key] = R(text[:-len("max")]) * most

    def best_constant(self):
        """The intercept that is best without features, of one output, by bisection."""
        low, high = R(-1e9), R(1e9)
        for _ in range(120 if self.intercept else 0):
            middle = (low + high) / 2
            with np.errstate(over="ignore"):
                slope = self.w @ self.loss.slope(np.full((len(self.w), 1), middle))
            low, high = (low, middle) if slope > 0 else (middle, high)
        return np.full(self.outputs, (low + high) / 2)

    @property
    def shape(self):
        return self.A.shape[1], self.outputs

    def scores(self, t, b):
        return self.A @ t + b

    def fit(self, u):
        return self.w @ self.loss.value(u)

    def gradient(self, t, b):
        """Of the mean loss, in t and in b."""
        a = self.w[:, None] * self.loss.slope(self.scores(t, b))
        return self.A.T @ a, a.sum(axis=0)


def sample_weights(options, path, labels):
    """Weights that sum to one."""
    w = np.ones(len(labels), dtype=R)
    if "--weights" in options:
        w = np.loadtxt(path.parent / "weights.txt").astype(R)
    if "--class-weight" in options:
        label = np.array(labels)
        for value in set(labels):
            w[label == value] /= w[label == value].sum()
    return w / w.sum()


def parse_regularizer(spec):
    """The name, and its numbers by name; shares such as 0.1max stay text."""
    name, _, text = spec.partition(":")
    numbers = {}
    for place, part in enumerate(text.split(",") if text else []):
        key, equals, value = part.rpartition("=")
        key = key if equals else "lambda" if place == 0 else value
        numbers[key] = value if value.endswith("max") else R(value)
    return name, numbers
