"""Random numbers that are the same everywhere, and tables written as CSV or as LIBSVM text.

Only Random.random() is used, whose sequence Python guarantees for a given seed. Values are rounded
before they are used, so that the last bit of a logarithm on some machine changes no file.
"""

import math
import random
from dataclasses import dataclass, field

SEED = 17


class Draw:
    """Random draws for the problem or table `name`."""

    def __init__(self, name):
        self.random = random.Random("{}:{}".format(SEED, name)).random
        self._spare = None

    def uniform(self, low, high):
        return low + (high - low) * self.random()

    def integer(self, low, high):
        """A whole number from low to high, both included."""
        return low + int((high - low + 1) * self.random())

    def chance(self, probability):
        return self.random() < probability

    def normal(self, mean=0.0, deviation=1.0):
        """Box-Muller; two normal numbers per pair of uniform ones."""
        if self._spare is not None:
            spare, self._spare = self._spare, None
            return mean + deviation * spare
        radius = math.sqrt(-2 * math.log(1 - self.random()))
        angle = 2 * math.pi * self.random()
        self._spare = radius * math.sin(angle)
        return mean + deviation * radius * math.cos(angle)

    def poisson(self, mean):
        """By multiplication (Knuth) for small means, else a rounded normal number."""
        if mean > 30:
            return max(0, round(self.normal(mean, math.sqrt(mean))))
        count, product, limit = 0, self.random(), math.exp(-mean)
        while product > limit:
            count += 1
            product *= self.random()
        return count

    def sign(self, score):
        """1 with probability 1 / (1 + exp(-score)), else 0."""
        return 1 if self.random() < sigmoid(score) else 0


def sigmoid(score):
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, score))))


@dataclass
class Table:
    """Rows of numbers with named columns, a label per row, and maybe a weight per row.

    A row of a sparse table is a list of (column from 1, value).
    """

    names: list
    rows: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    weights: list = field(default_factory=list)
    sparse: bool = False

    def add(self, row, label, weight=None):
        self.rows.append(row)
        self.labels.append(label)
        if weight is not None:
            self.weights.append(weight)

    def write(self, folder):
        """Writes data.csv or data.svm, and weights.txt if there are weights; returns the first."""
        path = folder / ("data.svm" if self.sparse else "data.csv")
        lines = self._sparse_lines() if self.sparse else self._csv_lines()
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        if self.weights:
            write_numbers(folder / "weights.txt", self.weights)
        return path

    def _csv_lines(self):
        yield ",".join([*self.names, "label"])
        for row, label in zip(self.rows, self.labels):
            yield ",".join([*map(number_text, row), number_text(label)])

    def _sparse_lines(self):
        for row, label in zip(self.rows, self.labels):
            cells = ("{}:{}".format(column, number_text(value)) for column, value in row)
            yield " ".join([number_text(label), *cells])


def number_text(value):
    return value if isinstance(value, str) else format(value, ".10g")


def write_numbers(path, numbers):
    path.write_text("".join(number_text(value) + "\n" for value in numbers), encoding="utf-8")
