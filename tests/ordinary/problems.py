"""The hundred problems: a name, the table, and the options of `asynprox train`.

All have an optimum that a certificate can be had for, but for separable_unpenalised, whose infimum
is not attained: there exit 6 is the truth. Where the loss is not convex, a run is to end as
`stationary`.
"""

import hashlib
from dataclasses import dataclass
from typing import Callable, Tuple

from ordinary import kinds
from ordinary.iris import iris
from ordinary.tables import Draw, Table, write_numbers


@dataclass(frozen=True)
class Problem:
    name: str
    make: Callable[[], Table]
    options: Tuple[str, ...]
    convex: bool = True

    def write(self, folder):
        """Writes the files of the problem into `folder`; the path of the data."""
        path = self.make().write(folder)
        if "--weights" in self.options and not (folder / "weights.txt").exists():
            raise ValueError(self.name + ": the table has no weights")
        if any("strengths.txt" in option for option in self.options):
            write_numbers(folder / "strengths.txt", [1, 0.5, 2, 0, 1, 4, 1, 0.25])
        return path


def digest(folder):
    """SHA-256 over the files of a problem, which says that a stored optimum is about them."""
    total = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        total.update(path.name.encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def by_hand(names, *lines):
    """A table by hand; the last number of a line is its label."""
    table = Table(names)
    for line in lines:
        table.add(list(line[:-1]), line[-1])
    return table


def scaled(table, factor):
    """The same table with features and labels of another unit."""
    table.rows = [[value * factor for value in row] for row in table.rows]
    table.labels = [label * factor for label in table.labels]
    return table


def overlapping(n, d):
    """Normal columns whose sign is wrong in every tenth row, for losses that are not convex."""
    draw, table = Draw("overlapping"), Table(["v{}".format(j) for j in range(d)])
    for i in range(n):
        row = [round(draw.normal(), 4) for _ in range(d)]
        positive = row[0] - row[1] + 0.5 * row[2] > 0
        table.add(row, int(positive != (i % 10 == 0)))
    return table


# Words of a problem's settings, and the options they stand for.
SWITCHES = {
    "intercept": ["--intercept"],
    "center": ["--center"],
    "standardize": ["--standardize", "columns"],
    "weights": ["--weights", "weights.txt"],
    "balanced": ["--class-weight", "balanced"],
}


def problem(name, make, settings, convex=True):
    """`settings`: the loss (`auto`: not given), the regulariser (`zero`: not given), SWITCHES."""
    loss, regularizer, *switches = settings.split()
    options = [] if loss == "auto" else ["--loss", loss]
    options += [] if regularizer == "zero" else ["--regularizer", regularizer]
    for switch in switches:
        options += SWITCHES[switch]
    return Problem(name, make, tuple(options), convex)


NUMBERS = [
    problem("years_lasso_raw", lambda: kinds.houses(2000), "squared l1:0.01max intercept"),
    problem("years_lasso_standardized", lambda: kinds.houses(2000),
            "squared l1:0.1max intercept standardize"),
    problem("years_ridge_raw", lambda: kinds.houses(2000), "squared squared-l2:1e-3 intercept"),
    problem("years_no_intercept", lambda: kinds.houses(2000), "squared l1:0.1"),
    problem("years_unpenalised", lambda: kinds.houses(1000), "squared zero intercept"),
    problem("years_huber", lambda: kinds.houses(1000), "huber:delta=20 l1:0.1 intercept"),
    problem("timestamps_lasso_raw", lambda: kinds.power(2000), "squared l1:1e-3 intercept"),
    problem("timestamps_elastic_standardized", lambda: kinds.power(2000),
            "squared elastic-net:l1=0.01,l2=0.01 intercept standardize"),
    problem("timestamps_ridge_no_intercept", lambda: kinds.power(1000), "squared squared-l2:1e-2"),
    problem("timestamps_huber_standardized", lambda: kinds.power(1000),
            "huber:delta=0.5 l1:1e-3 intercept standardize"),
    problem("kelvin_lasso_raw", lambda: kinds.weather(2000), "squared l1:0.01 intercept"),
    problem("kelvin_unpenalised_standardized", lambda: kinds.weather(1000),
            "squared zero intercept standardize"),
    problem("kelvin_lasso_centred", lambda: kinds.weather(1000),
            "squared l1:0.1max center standardize"),
    problem("money_lasso_raw", lambda: kinds.money(3000), "squared l1:0.1max intercept"),
    problem("money_lasso_standardized", lambda: kinds.money(3000),
            "squared l1:1e-3 intercept standardize"),
    problem("copies_lasso", lambda: kinds.copies(1000), "squared l1:0.01 intercept"),
    problem("copies_unpenalised", lambda: kinds.copies(500), "squared zero intercept standardize"),
    problem("collinear_ridge", lambda: kinds.collinear(1000), "squared squared-l2:1e-4 intercept"),
    problem("collinear_nonneg", lambda: kinds.collinear(1000), "squared nonneg intercept"),
    problem("collinear_unpenalised", lambda: kinds.collinear(500), "squared zero intercept"),
    problem("dummies_unpenalised", lambda: kinds.dummies(1000), "squared zero intercept"),
    problem("curve_of_years_raw", lambda: kinds.curve(500, 2, low=1950, high=2024),
            "squared l1:1e-3 intercept"),
    problem("curve3_nonneg_l1_raw", lambda: kinds.curve(500, 3),
            "squared nonneg-l1:1e-3 intercept"),
    problem("curve4_lasso_raw", lambda: kinds.curve(500, 4), "squared l1:1e-3 intercept"),
    problem("curve4_unpenalised_raw", lambda: kinds.curve(500, 4), "squared zero intercept"),
    problem("curve4_of_years_standardized", lambda: kinds.curve(500, 4, low=1950, high=2024),
            "squared l1:1e-3 intercept standardize"),
    problem("surface4_lasso_raw", lambda: kinds.surface(500), "squared l1:1e-3 intercept"),
    problem("curve4_huber_standardized", lambda: kinds.curve(500, 4),
            "huber:delta=0.3 l1:1e-3 intercept standardize"),
    problem("lags_lasso", lambda: kinds.lags(1000, 10), "squared l1:0.1 intercept"),
    problem("lags_unpenalised", lambda: kinds.lags(1000, 10), "squared zero intercept"),
    problem("lags_fused", lambda: kinds.lags(1000, 10), "squared tv-1d:0.1 intercept standardize"),
    problem("lags_slope", lambda: kinds.lags(1000, 10),
            "squared slope:0.01max,q=0.1 intercept standardize"),
    problem("lags_huber_no_intercept", lambda: kinds.lags(1000, 10), "huber:delta=2 l1:0.01"),
    problem("lags_box", lambda: kinds.lags(1000, 10), "squared box:lower=-1,upper=1 intercept"),
    problem("constant_columns_lasso", lambda: kinds.plain(500, 8, constants=(1, 4)),
            "squared l1:0.01 intercept standardize"),
    problem("zero_columns_lasso", lambda: kinds.plain(500, 10, zeros=(2, 9)),
            "squared l1:0.1max standardize"),
    problem("zero_columns_group_lasso", lambda: kinds.plain(500, 10, zeros=(2, 9)),
            "squared group-lasso:0.05,size=5 intercept"),
    problem("million_lasso", lambda: kinds.million(1000), "squared l1:0.01 intercept"),
    problem("million_unpenalised", lambda: kinds.million(1000), "squared zero intercept"),
    problem("million_ridge", lambda: kinds.million(500), "squared squared-l2:1e-2 intercept"),
    problem("wide_lasso_weak", lambda: kinds.plain(30, 300), "squared l1:1e-8"),
    problem("wide_lasso", lambda: kinds.plain(30, 300), "squared l1:0.1max intercept"),
    problem("wide_ridge", lambda: kinds.plain(30, 300), "squared squared-l2:0.1 intercept"),
    problem("wide_elastic", lambda: kinds.plain(100, 1000),
            "squared elastic-net:l1=0.01max,l2=1e-3 standardize"),
    problem("wide_group_lasso", lambda: kinds.plain(50, 200), "squared group-lasso:0.02,size=4"),
    problem("l1_ball", lambda: kinds.plain(500, 10), "squared l1-ball:1 intercept"),
    problem("adaptive_lasso", lambda: kinds.plain(500, 8),
            "squared weighted-l1:0.02,weights=strengths.txt intercept"),
    problem("l2_norm", lambda: kinds.plain(500, 8), "squared l2-norm:0.05"),
    problem("mixture_simplex", lambda: kinds.mixture(500), "squared simplex"),
    problem("weights_lasso", lambda: kinds.weighted(kinds.houses(1000), "lasso"),
            "squared l1:0.01max intercept standardize weights"),
    problem("tiny_values_lasso", lambda: scaled(kinds.plain(200, 4), 1e-6),
            "squared l1:0.01max intercept"),
    problem("large_labels_lasso", lambda: scaled(kinds.plain(200, 4), 1e6),
            "squared l1:0.01max intercept"),
    problem("many_rows_lasso", lambda: kinds.plain(100_000, 5, name="many"),
            "squared l1:1e-3 intercept"),
    problem("rare_levels_lasso", lambda: kinds.levels(50_000),
            "squared l1:1e-3 intercept standardize"),
    problem("rare_levels_raw", lambda: kinds.levels(50_000), "squared l1:1e-5 intercept"),
    problem("rare_flags_lasso", lambda: kinds.rare_flags(50_000),
            "squared l1:1e-3 intercept standardize"),
    problem("words_lasso_standardized", lambda: kinds.words(2000, 1000, "number"),
            "squared l1:1e-4 intercept standardize"),
    problem("one_row", lambda: by_hand(["a", "b"], (2, 3, 5)), "squared l1:0.1"),
    problem("one_row_intercept", lambda: by_hand(["a", "b"], (2, 3, 5)),
            "squared l1:0.1 intercept"),
    problem("three_rows_lasso", lambda: by_hand(["a", "b"], (1, 2, 1), (2, 1, 2), (3, 5, 2.5)),
            "squared l1:0.1 intercept standardize"),
    problem("two_equal_rows_ridge", lambda: by_hand(["a"], (1990, 3), (1990, 4)),
            "squared squared-l2:0.1"),
]

CLASSES = [
    problem("kelvin_logistic_centred", lambda: kinds.weather(1000, "sign"),
            "auto elastic-net:l1=1e-3,l2=1e-3 center"),
    problem("years_logistic_raw", lambda: kinds.houses(2000, "sign"), "auto l1:1e-3 intercept"),
    problem("timestamps_logistic_raw", lambda: kinds.power(1000, "sign"),
            "logistic l1:1e-3 intercept"),
    problem("kelvin_ridge_logistic", lambda: kinds.weather(1000, "sign"),
            "logistic squared-l2:1e-2 intercept"),
    problem("customers_logistic_raw", lambda: kinds.customers(3000),
            "logistic l1:0.01max intercept"),
    problem("customers_logistic_standardized", lambda: kinds.customers(3000),
            "logistic l1:1e-3 intercept standardize"),
    problem("customers_unpenalised_raw", lambda: kinds.customers(1000), "logistic zero intercept"),
    problem("customers_squared_hinge_raw", lambda: kinds.customers(1000),
            "squared-hinge l1:0.1max intercept"),
    problem("customers_smoothed_hinge", lambda: kinds.customers(2000),
            "smoothed-hinge squared-l2:1e-2 intercept standardize"),
    problem("imbalance_logistic", lambda: kinds.customers(100_000, rare=0.001),
            "logistic l1:1e-5 intercept standardize"),
    problem("imbalance_balanced", lambda: kinds.customers(20_000, rare=0.002),
            "logistic l1:1e-3 intercept standardize balanced"),
    problem("imbalance_squared_hinge", lambda: kinds.customers(20_000, rare=0.005),
            "squared-hinge l1:1e-4 intercept standardize"),
    problem("separable_ridge", lambda: kinds.separable(300), "logistic squared-l2:1e-4 intercept"),
    problem("separable_l1", lambda: kinds.separable(300), "logistic l1:1e-5 intercept"),
    problem("separable_unpenalised", lambda: kinds.separable(300), "logistic zero intercept"),
    problem("separable_squared_hinge", lambda: kinds.separable(300),
            "squared-hinge squared-l2:1e-6"),
    problem("wide_logistic", lambda: kinds.plain(40, 200, "sign"), "logistic l1:0.1max intercept"),
    problem("million_logistic", lambda: kinds.million(1000, "sign"), "logistic l1:1e-3 intercept"),
    problem("curve4_logistic", lambda: kinds.curve(500, 4, "sign"),
            "logistic l1:1e-3 intercept standardize"),
    problem("copies_group_logistic", lambda: kinds.copies(500, "sign"),
            "logistic group-lasso:1e-3,size=3 intercept standardize"),
    problem("weights_logistic", lambda: kinds.weighted(kinds.weather(1000, "sign"), "logistic"),
            "logistic l1:1e-3 intercept standardize weights"),
    problem("rare_levels_logistic", lambda: kinds.levels(20_000, "sign"),
            "logistic l1:1e-5 intercept"),
    problem("words_logistic", lambda: kinds.words(2000, 1000), "logistic l1:1e-3"),
    problem("words_squared_hinge", lambda: kinds.words(2000, 1000),
            "squared-hinge squared-l2:1e-3 intercept"),
    problem("two_rows_logistic", lambda: by_hand(["a"], (1, 0), (2, 1)),
            "logistic squared-l2:0.1 intercept"),
    problem("overlapping_sigmoid", lambda: overlapping(500, 5),
            "sigmoid squared-l2:1e-2", convex=False),
    problem("customers_squared_sigmoid", lambda: kinds.customers(1000),
            "squared-sigmoid squared-l2:1e-3 intercept standardize", convex=False),
    problem("overlapping_squared_sigmoid", lambda: overlapping(500, 5),
            "squared-sigmoid l1:1e-3", convex=False),
    problem("iris_l1_1e-3", iris, "multinomial l1:1e-3 intercept"),
    problem("iris_l1_1e-4", iris, "multinomial l1:1e-4 intercept"),
]

OTHERS = [
    problem("iris_l1_no_intercept", iris, "auto l1:1e-4"),
    problem("iris_ridge", iris, "multinomial squared-l2:1e-3 intercept standardize"),
    problem("words_multinomial", lambda: kinds.words(1000, 300, "class number"),
            "multinomial l1:1e-3"),
    problem("customers_multinomial", lambda: kinds.customers(1000, "class"),
            "multinomial l1:1e-3 intercept standardize"),
    problem("houses_multinomial_balanced", lambda: kinds.houses(1000, "class"),
            "multinomial squared-l2:1e-3 intercept standardize balanced"),
    problem("visits_poisson", lambda: kinds.visits(3000), "poisson l1:1e-3 intercept"),
    problem("visits_poisson_standardized", lambda: kinds.weighted(kinds.visits(1000), "poisson"),
            "poisson squared-l2:1e-2 intercept standardize weights"),
    problem("rare_levels_poisson", lambda: kinds.levels(20_000, "count"),
            "poisson l1:1e-5 intercept"),
    problem("rare_flags_poisson", lambda: kinds.rare_flags(20_000, "count"),
            "poisson l1:1e-3 intercept standardize"),
]

PROBLEMS = NUMBERS + CLASSES + OTHERS
