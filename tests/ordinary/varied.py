"""Convex problems of all shapes, drawn from a seed: for what no table by hand has thought of.

Samples and features number from 10 to 1e5 each (and at most ENTRIES_MAX entries in all), densities are from 1e-4
to 1, columns have one scale or scales over six decades, some are copies or sums of others, every convex loss and
the usual penalties take part, at strengths from 1e-5 to 0.5 of the largest useful one.
"""

import math
from dataclasses import dataclass
from typing import Tuple

from ordinary.tables import Draw, write_numbers

ENTRIES_MAX = 300_000
CLASSIFYING = ("logistic", "squared-hinge", "smoothed-hinge")
LOSSES = (*CLASSIFYING, "squared", "huber", "poisson")
PENALTIES = ("l1", "l1", "elastic-net", "nonneg-l1", "weighted-l1", "box", "group-lasso")
SCALES = ("one", "one", "six-decades", "small", "large")
COPIES = ("none", "none", "duplicates", "sums")


@dataclass(frozen=True)
class Varied:
    """A problem as `ordinary.runs` wants one; its data is drawn again when it is written."""

    name: str
    options: Tuple[str, ...]
    seed: str
    samples: int
    features: int
    density: float
    loss: str
    scale: str
    copies: str
    needs_weights: bool
    convex: bool = True

    def write(self, folder):
        draw = Draw(self.seed + "/data")
        path = folder / "data.svm"
        columns = Columns(draw, self)
        with open(path, "w", encoding="utf-8") as file:
            for _ in range(self.samples):
                row = columns.row()
                file.write(label(draw, self.loss, columns.score(row)))
                file.writelines(" {}:{:.6g}".format(j + 1, value) for j, value in sorted(row.items()))
                file.write("\n")
        if self.needs_weights:
            weights = [round(10 ** draw.uniform(-1, 1), 3) for _ in range(self.features)]
            write_numbers(folder / "strengths.txt", weights)
        return path

    def description(self):
        return "n={} d={} density={:.1e} scale={} copies={} {}".format(
            self.samples, self.features, self.density, self.scale, self.copies,
            " ".join(option for option in self.options if not option.startswith("--dim")))


class Columns:
    """Draws rows, and knows what is planted in them: a sparse model, copies of columns, scales."""

    def __init__(self, draw, problem):
        self.draw, self.problem = draw, problem
        d = problem.features
        low, high = {"one": (0, 0), "six-decades": (-3, 3), "small": (-3, -3),
                     "large": (3, 3)}[problem.scale]
        self.scales = [10 ** draw.uniform(low, high) for _ in range(d)]
        self.partners = {}
        if problem.copies != "none" and d > 3:
            for _ in range(max(1, d // 20)):
                self.partners[draw.integer(0, d - 1)] = draw.integer(0, d - 1)
        self.of_source = {}
        for copy, source in self.partners.items():
            if copy != source:
                self.of_source.setdefault(source, []).append(copy)
        self.model = {draw.integer(0, d - 1): draw.normal() for _ in range(min(d, 20))}
        self.whole = problem.density > 0.5

    def row(self):
        draw, d = self.draw, self.problem.features
        if self.whole:
            row = {j: draw.normal() for j in range(d)}
        else:
            count = min(d, max(1, draw.poisson(self.problem.density * d)))
            row = {min(d - 1, int(d * draw.random() ** 1.5)): 0.5 + draw.random()
                   for _ in range(count)}
        for source in [j for j in row if j in self.of_source]:
            for copy in self.of_source[source]:
                row[copy] = row[source] + (
                    0.001 * draw.normal() if self.problem.copies == "sums" else 0)
        return row

    def score(self, row):
        """Of the planted model, in units before scaling; scales the row."""
        score = sum(self.model[j] * row[j] for j in self.model if j in row)
        for j in row:
            row[j] *= self.scales[j]
        return score


def label(draw, loss, score):
    if loss in CLASSIFYING:
        return "+1" if draw.sign(3 * score + draw.normal()) else "-1"
    if loss == "poisson":
        return str(draw.poisson(math.exp(max(-3.0, min(3.0, score)))))
    return "{:.6g}".format(score + 0.3 * draw.normal())


def penalty(draw, name):
    strength = "{:.2g}max".format(10 ** draw.uniform(-5, -0.3))
    if name == "elastic-net":
        return "elastic-net:l1={},l2={:.2g}".format(strength, 10 ** draw.uniform(-6, -2))
    if name == "weighted-l1":
        return "weighted-l1:{},weights=strengths.txt".format(strength)
    if name == "box":
        bound = 10 ** draw.uniform(-2, 1)
        return "box:lower={:.2g},upper={:.2g}".format(-bound * draw.integer(0, 1), bound)
    if name == "group-lasso":
        return "group-lasso:{},size={}".format(strength, draw.integer(2, 9))
    return "{}:{}".format(name, strength)


def shape(draw):
    """Samples, features and density, within the bound on entries."""
    while True:
        n, d = (int(10 ** draw.uniform(1, 5)) for _ in range(2))
        density = 10 ** draw.uniform(-4, 0)
        if n * max(1.0, density * d) <= ENTRIES_MAX:
            return n, d, density


def varied(seed, number):
    """Problem `number` of the seed."""
    draw = Draw("varied/{}/{}".format(seed, number))
    loss, penalty_name = LOSSES[number % len(LOSSES)], PENALTIES[number % len(PENALTIES)]
    n, d, density = shape(draw)
    spec = penalty(draw, penalty_name)
    scale = SCALES[draw.integer(0, len(SCALES) - 1)]
    copies = COPIES[draw.integer(0, len(COPIES) - 1)]
    loss_spec = "huber:{:.2g}".format(10 ** draw.uniform(-1.5, 0.5)) if loss == "huber" else loss
    options = ["--dimension", str(d), "--loss", loss_spec, "--regularizer", spec]
    if draw.chance(0.5):
        options.append("--intercept")
    return Varied(name="varied-{}-{:02}".format(seed, number), options=tuple(options),
                  seed="varied/{}/{}".format(seed, number), samples=n, features=d, density=density,
                  loss=loss, scale=scale, copies=copies,
                  needs_weights=penalty_name == "weighted-l1")
