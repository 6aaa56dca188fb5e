#!/usr/bin/env python3
"""What a run says of how far it came: exit codes, warnings and stop reasons."""

import math
import random
import unittest
from fractions import Fraction

from cli_testing import (DIVERGED, DONE, NOT_CONVERGED, SMALL, CommandLineTest, strict_json)

RARE_ROWS = 50_000


def rare_columns():
    """A lasso of 20 common columns of ones, and ten that four rows have in common."""
    draw = random.Random(1).random
    lines = []
    for row in range(RARE_ROWS):
        label, cells = 3 + draw(), []
        for column in range(1, 21):
            if draw() < 0.2:
                cells.append("{}:1".format(column))
                label += column % 5 - 2
        if row % (RARE_ROWS // 4) == 0:
            cells += ["{}:1".format(column) for column in range(21, 31)]
        lines.append(" ".join([repr(label)] + cells))
    return "\n".join(lines) + "\n"


def far_column():
    """A column of 10^6 plus noise, which explains the label."""
    draw = random.Random(2).random
    rows = [(1e6 + draw(), draw()) for _ in range(300)]
    return "far,near,y\n" + "".join(
        "{!r},{!r},{!r}\n".format(far, near, 3 * (far - 1e6) - near + 0.1 * draw())
        for far, near in rows)


def least_squares(rows, labels):
    """The minimum of the mean of (a'x + b - y)^2 / 2, in exact arithmetic."""
    table = [[Fraction(cell) for cell in row] + [Fraction(1)] for row in rows]
    targets = [Fraction(label) for label in labels]
    size = len(table[0])
    system = [[sum(row[i] * row[j] for row in table) for j in range(size)] +
              [sum(row[i] * y for row, y in zip(table, targets))] for i in range(size)]
    for i in range(size):
        for k in range(i + 1, size):
            factor = system[k][i] / system[i][i]
            system[k] = [below - factor * above for below, above in zip(system[k], system[i])]
    x = [Fraction(0)] * size
    for i in reversed(range(size)):
        x[i] = (system[i][size] - sum(system[i][j] * x[j] for j in range(i + 1, size))) / system[i][i]
    total = sum((sum(a * b for a, b in zip(row, x)) - y) ** 2 for row, y in zip(table, targets))
    return float(total / (2 * len(table)))


class NotConverged(CommandLineTest):
    def run_json(self, *words, code=DONE):
        run = self.run_program("train", *words, "--json")
        self.assertEqual(run.returncode, code, run.stderr)
        return strict_json(run.stdout), run.stderr

    def test_is_an_exit_code_of_its_own_and_a_warning_even_when_quiet(self):
        for words in [("--method", "prox-gd", "--tolerance", "1e-12", "--epochs", "3"),
                      ("--method", "asyn-prox-sgd", "--step", "constant:1e-6", "--regularizer",
                       "l1:1e-3"),
                      ("--tolerance", "1e-12", "--epochs", "3", "--regularizer", "l1:1e-3")]:
            with self.subTest(" ".join(words)):
                run = self.run_program("train", SMALL, *words, "--quiet", "--out", "run", "--force")
                self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
                self.assertRegex(run.stderr, r"\Aasynprox: warning: not converged: [^\n]+; try "
                                             r"[^\n]+\n\Z")
                self.assertEqual(run.stdout, "")
                self.assertTrue((self.folder / "run" / "model.json").exists())

    def test_where_only_a_limit_was_given_is_no_failure(self):
        result, error = self.run_json(SMALL, "--regularizer", "l1:1e-5", "--method", "prox-gd",
                                      "--epochs", "2")
        self.assertEqual(result["stop_reason"], "epoch_limit")
        self.assertRegex(result["stop_detail"], r"\Athe relative duality gap is \d")
        self.assertEqual(error, "")

    def test_a_limit_before_a_model_better_than_the_start_is_exit_code_4(self):
        draw = random.Random(6).random
        self.write("three.csv", "a,b,y\n" + "".join(
            "{!r},{!r},{}\n".format(draw(), draw(), row % 3) for row in range(60)))
        run = self.run_program("train", "three.csv", "--loss", "multinomial", "--steps", "1",
                               "--newton", "off", "--regularizer", "l1:1e-3")
        self.assertEqual(run.returncode, DIVERGED, run.stderr)
        self.assertIn("no model better than the start was found", run.stderr)

    def perfect_fits(self):
        draw = random.Random(4).gauss
        rows = [[round(draw(0, 1), 6) for _ in range(30)] for _ in range(12)]
        self.write("fit.csv", "".join(",".join(map(str, row + row[:1])) + "\n" for row in rows))
        rows = [[round(draw(0, 1), 6) for _ in range(4)] for _ in range(100)]
        self.write("classes.csv", "".join(
            ",".join(map(str, row + [int(sum(row) > 0)])) + "\n" for row in rows))

    def test_a_bad_start_makes_nothing_small(self):
        draw = random.Random(3).random
        self.write("far.csv", "a,b,y\n" + "".join("{!r},{!r},{!r}\n".format(a, b, a - b + draw())
                                                   for a, b in ((draw(), draw()) for _ in range(60))))
        self.write("start.txt", "1e8\n1e8\n")
        fit = ["train", "far.csv", "--regularizer", "tv-1d:0.01", "--intercept", "--json"]
        good = strict_json(self.run_program(*fit).stdout)["objective"]
        far = self.run_program(*fit, "--start", "start.txt", "--epochs", "5000")
        if strict_json(far.stdout)["stop_reason"] == "converged":
            self.assertLess(strict_json(far.stdout)["objective"], good * (1 + 1e-3))

    def test_a_step_that_rounding_hides_is_no_minimum(self):
        # A coefficient of a year is at least 0.1, so that the intercept has to be near -200.
        draw = random.Random(4).random
        self.write("years.csv", "year,x,count\n" + "".join(
            "{},{!r},{}\n".format(1990 + row % 30, draw(), row % 4) for row in range(200)))
        run = self.run_program("train", "years.csv", "--loss", "poisson", "--regularizer",
                               "box:lower=0.1,upper=1", "--intercept", "--seconds", "20", "--json")
        if run.returncode == DONE:
            self.assertLess(strict_json(run.stdout)["objective"], 10)

    def test_a_perfect_fit_within_a_set_converges(self):
        self.perfect_fits()
        sets = ["box:lower=-0.5,upper=0.5", "linf-ball:0.5", "l2-ball:2", "l1-ball:5"]
        for words in [("fit.csv", "--loss", "squared", "--regularizer", s) for s in sets] + [
                ("classes.csv", "--loss", "squared-hinge", "--regularizer",
                 "box:lower=-1000,upper=1000", "--intercept")]:
            for method in ["auto", "fista"]:
                with self.subTest(" ".join(words) + " " + method):
                    result, error = self.run_json(*words, "--method", method, "--epochs", "100000",
                                                  "--tolerance", "1e-4")
                    self.assertEqual(result["stop_reason"], "converged", result["stop_detail"])
                    self.assertLess(result["objective"], 1e-10)
                    self.assertEqual(error, "")

    def test_of_separated_classes_is_noted(self):
        self.perfect_fits()
        note = "the classes can be separated"
        run = self.run_program("train", "classes.csv", "--intercept")
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertIn(note, run.stdout)
        self.assertEqual(run.stderr, "")
        run = self.run_program("train", "classes.csv", "--regularizer", "squared-l2:0.01")
        self.assertNotIn(note, run.stdout)

    def test_advises_only_what_the_method_takes(self):
        self.write("far.csv", far_column())
        words = ("train", "far.csv", "--loss", "squared", "--regularizer", "l1:1e-3",
                 "--intercept", "--tolerance", "1e-9")
        for method in ["fista", "prox-gd"]:
            run = self.run_program(*words, "--method", method, "--epochs", "30")
            self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
            self.assertNotIn("--fallback", run.stderr)
            self.assertIn("try --method auto, or --center", run.stderr)

    def test_time_stamps_are_certified(self):
        """Milliseconds since 1970, and seconds with several classes: the gap is not lost."""
        gauss, draw = random.Random(1).gauss, random.Random(2).randrange
        rows = [(draw(86400 * 365), round(gauss(0, 1), 6)) for _ in range(300)]
        rows = [(time, x, x + time / 1e7 + gauss(0, 1)) for time, x in rows]
        self.write("ms.csv", "time,x,y\n" + "".join(
            "{},{},{!r}\n".format((1600000000 + time) * 1000, x, y) for time, x, y in rows))
        self.write("s.csv", "time,x,y\n" + "".join(
            "{},{},{}\n".format(1600000000 + time, x, 0 if y < 0 else 1 if y < 1.5 else 2)
            for time, x, y in rows))
        for words in [("ms.csv", "--loss", "squared", "--regularizer", "l1:0.001"),
                      ("ms.csv", "--loss", "squared", "--regularizer", "squared-l2:0.001"),
                      ("s.csv", "--loss", "multinomial", "--regularizer", "l1:0.001")]:
            for seed in "12":
                with self.subTest(" ".join(words)):
                    result, error = self.run_json(*words, "--intercept", "--seed", seed)
                    self.assertEqual(result["stop_reason"], "converged")
                    self.assertEqual(error, "")

    def test_two_time_columns_with_several_classes_are_certified(self):
        """The start and the end of something, in s and ms: they nearly depend on each other."""
        rng = random.Random(3)
        lines = {1: [], 1000: []}
        for _ in range(500):
            start, length = 1600000000 + rng.randrange(300000000), rng.randrange(60, 7200)
            x = round(rng.gauss(0, 1), 6)
            score = x + start / 1e8 - 16 + length / 3600 + rng.gauss(0, 1)
            for unit, table in lines.items():
                table.append("{},{},{},{}\n".format(unit * start, unit * (start + length), x, sum(
                    score > cut for cut in (1.5, 2.5, 3.5))))
        for unit, table in lines.items():
            self.write("visits.csv", "start,end,x,y\n" + "".join(table))
            for words in ("l1:0.0001", "l1:0.001", "l1:0.01", "elastic-net:l1=0.001,l2=0.001"):
                for intercept in [(), ("--intercept",)]:
                    with self.subTest("{} {} {}".format(unit, words, intercept)):
                        result, error = self.run_json("visits.csv", "--loss", "multinomial",
                                                      "--regularizer", words, *intercept)
                        self.assertEqual(result["stop_reason"], "converged", error)
                        self.assertLess(result["epochs"], 2000)

    def test_powers_with_several_classes_are_certified(self):
        """A polynomial of degree 5 in one column and of degree 3 in another."""
        rng = random.Random(4)
        lines = []
        for _ in range(300):
            u, v = round(rng.uniform(0, 10), 3), round(rng.uniform(0, 50), 2)
            score = u / 3 - v / 20 + rng.gauss(0, 1)
            cells = [u ** k for k in range(1, 6)] + [v ** k for k in range(1, 4)]
            lines.append(",".join(map(repr, [*cells, sum(score > cut for cut in (0, 1))])) + "\n")
        self.write("powers.csv", "u,uu,uuu,u4,u5,v,vv,vvv,y\n" + "".join(lines))
        for words in ("l1:0.0001", "l1:0.001"):
            for intercept in [(), ("--intercept",)]:
                with self.subTest("{} {}".format(words, intercept)):
                    result, error = self.run_json("powers.csv", "--loss", "multinomial",
                                                  "--regularizer", words, *intercept)
                    self.assertEqual(result["stop_reason"], "converged", error)
                    self.assertLess(result["epochs"], 200)

    def test_an_early_bound_does_not_hold_up_a_problem_without_one(self):
        """Positive coefficients: a bound is known at some models only, and seldom at the last."""
        for seed in (17, 23, 25):
            rng = random.Random(seed)
            for table in range(8):
                sizes = [10 ** rng.uniform(-2, 6) for _ in range(rng.randrange(1, 9))]
                lines = []
                for _ in range(rng.randrange(20, 200)):
                    cells = [size * rng.random() for size in sizes]
                    label = sum(cell / size * rng.choice([1, 1, -0.3])
                                for cell, size in zip(cells, sizes))
                    label += rng.gauss(0, 0.1) + 5 * (table % 3)
                    lines.append(",".join(map(repr, [*cells, label])))
                self.write("positive.csv", "\n".join(lines) + "\n")
                with self.subTest("{} {}".format(seed, table)):
                    result, error = self.run_json("positive.csv", "--loss", "huber:delta=0.1",
                                                  "--regularizer", "nonneg")
                    self.assertEqual(result["stop_reason"], "converged", error)

    def test_columns_of_all_sizes_with_several_classes_are_certified(self):
        """Money over six decades, degrees, a postal code, an age, a code for "missing", a share."""
        rng = random.Random(1)
        lines = []
        for _ in range(1500):
            price = round(math.exp(rng.gauss(4, 3)), 2)
            lat, lon = rng.uniform(51.4, 51.6), rng.uniform(-0.3, 0.1)
            code, age = rng.randrange(10000, 99999), rng.randrange(18, 90)
            given = -999 if rng.random() < 0.05 else rng.gauss(0, 1)
            share = rng.betavariate(1, 50)
            score = ((lat - 51.5) * 10 + math.log(price + 0.01) / 3 - age / 40 + share * 20 +
                     rng.gauss(0, 1))
            lines.append(",".join(map(repr, [
                price, lat, lon, code, age, given, share,
                0 if score < 0 else 1 if score < 1.5 else 2])) + "\n")
        self.write("raw.csv", "price,lat,lon,code,age,given,share,y\n" + "".join(lines))
        for intercept in [(), ("--intercept",)]:
            result, error = self.run_json("raw.csv", "--loss", "multinomial", "--regularizer",
                                          "l1:0.001", *intercept)
            self.assertEqual(result["stop_reason"], "converged")
            self.assertEqual(error, "")
            self.assertLess(result["epochs"], 100)

    def test_a_limit_leaves_the_tolerance_on(self):
        for limit in [("--epochs", "1000"), ("--seconds", "30"), ("--steps", "100000")]:
            with self.subTest(limit[0]):
                result, _ = self.run_json(SMALL, "--regularizer", "l1:1e-2", *limit)
                self.assertEqual(result["stop_reason"], "converged")
                self.assertLess(result["epochs"], 500)
                self.assertEqual(result["settings"]["tolerance"], 1e-4)

    def test_a_tolerance_of_zero_switches_it_off(self):
        result, _ = self.run_json(SMALL, "--regularizer", "l1:1e-2", "--tolerance", "0",
                                  "--epochs", "50")
        self.assertEqual(result["stop_reason"], "epoch_limit")

    def test_of_named_methods_runs_to_their_limit(self):
        result, _ = self.run_json(SMALL, "--regularizer", "l1:1e-2", "--method", "asyn-prox-saga",
                                  "--epochs", "50")
        self.assertEqual(result["stop_reason"], "epoch_limit")
        self.assertIsNone(result["settings"]["tolerance"])

    def test_of_a_stalled_run_says_that_its_model_is_the_best_one_found(self):
        run = self.run_program("train", SMALL, "--method", "asyn-prox-saga", "--tolerance", "1e-17",
                               "--epochs", "100000", "--regularizer", "l1:1e-3")
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertIn("stalled: not converged", run.stdout)
        self.assertNotRegex(run.stdout, "the model is the best(;| one found[;,])")

    def test_a_stall_is_a_failure_whatever_limits_there_are(self):
        self.write("far.csv", "a,y\n" + "".join(
            "{!r},{}\n".format(1e15 + row, row % 7) for row in range(50)))
        for limit in [(), ("--seconds", "60")]:
            run = self.run_program("train", "far.csv", "--loss", "squared", "--tolerance", "1e-15",
                                   "--regularizer", "l1:1e-3", "--intercept", *limit)
            self.assertEqual(run.returncode, NOT_CONVERGED, run.stdout + run.stderr)

    def test_a_tolerance_of_zero_ends_where_nothing_is_to_be_gained(self):
        for words in [("--regularizer", "squared-l2:1e-1", "--epochs", "3000"),
                      ("--regularizer", "l1:1e-2", "--steps", "100000")]:
            with self.subTest(" ".join(words)):
                result, _ = self.run_json(SMALL, "--tolerance", "0", *words)
                self.assertIn(result["stop_reason"], ["stalled", "epoch_limit", "step_limit"])

    def test_labels_far_from_zero_are_no_excuse(self):
        draw = random.Random(4).random
        rows = [[draw() for _ in range(6)] for _ in range(300)]
        for offset in (0, 1e7):
            self.write("y.csv", "a,b,c,d,e,f,y\n" + "".join(
                ",".join(map(repr, row + [offset + sum(row) + 0.01 * draw()])) + "\n"
                for row in rows))
            for words in [("--newton", "off"), ()]:
                with self.subTest("{} {}".format(offset, words)):
                    result = self.result("y.csv", "--loss", "squared", "--intercept", *words)
                    self.assertLess(result["objective"], 2e-5)


class FarLabels(CommandLineTest):
    """Whole numbers of minutes, so that no label is rounded at 1e12."""

    def write_labels(self, name, offset):
        rng = random.Random(5)
        lines = []
        for _ in range(300):
            row = [round(rng.gauss(0, 1), 6), rng.randrange(100), 1990 + rng.randrange(30)]
            label = 60 * round(60 * row[0] + row[1] + rng.gauss(0, 5)) + offset
            lines.append(",".join(map(str, row + [label])) + "\n")
        self.write(name, "a,b,year,y\n" + "".join(lines))

    def test_with_an_intercept_are_certified_in_their_own_units(self):
        self.write_labels("near.csv", 0)
        self.write_labels("seconds.csv", 1600000000)
        self.write_labels("far.csv", 10 ** 12)
        for loss in ("squared", "huber:delta=100"):
            for h in ("l1:0.001", "elastic-net:l1=0.001,l2=0.001", "squared-l2:0.001"):
                words = ("--loss", loss, "--intercept", "--regularizer", h)
                near = self.result("near.csv", *words)["objective"]
                for name, offset in [("seconds.csv", 1600000000), ("far.csv", 10 ** 12)]:
                    with self.subTest("{} {} {}".format(name, loss, h)):
                        result = self.result(name, *words, "--out", "run", "--force")
                        self.assertEqual(result["stop_reason"], "converged")
                        self.assertLess(abs(result["objective"] - near), 1e-4 * near)
                        scores = self.succeed("predict", "run/model.json", name).stdout.split()
                        self.assertTrue(all(abs(float(score) - offset) < 30000
                                            for score in scores))

    def test_are_replayed_and_continued_from(self):
        self.write_labels("far.csv", 10 ** 12)
        words = ("far.csv", "--loss", "huber:delta=100", "--intercept", "--regularizer", "l1:0.001")
        first = self.result(*words, "--out", "first")
        self.assertIn("the same bits", self.succeed("replay", "first").stdout)
        self.result(*words, "--start", "first/model.json", "--out", "second")
        self.assertIn("the same bits", self.succeed("replay", "second").stdout)
        trace = (self.folder / "second" / "trace.csv").read_text().splitlines()
        start = dict(zip(trace[0].split(","), trace[1].split(",")))
        self.assertLess(abs(float(start["objective"]) - first["objective"]),
                        1e-4 * first["objective"])

    def test_have_a_largest_strength(self):
        self.write_labels("near.csv", 0)
        self.write_labels("far.csv", 10 ** 12)
        near, far = (self.result(name, "--loss", "squared", "--intercept", "--regularizer",
                                 "l1:0.1max") for name in ("near.csv", "far.csv"))
        self.assertLess(abs(far["objective"] - near["objective"]), 1e-4 * near["objective"])


class Fallback(CommandLineTest):
    def test_a_start_far_away_ends_where_others_do(self):
        gauss = random.Random(5).gauss
        rows = [[gauss(0, 1) for _ in range(4)] for _ in range(300)]
        self.write("table.csv", "a,b,c,d,y\n" + "".join(
            ",".join(map(repr, row + [sum(row) + 0.1 * gauss(0, 1)])) + "\n" for row in rows))
        self.write("start.txt", "1e8\n1e8\n1e8\n1e8\n")
        for words in [("huber",), ("huber", "--intercept"), ("huber", "--regularizer", "l1:1e-3"),
                      ("huber:delta=0.1",), ("huber:delta=0.1", "--regularizer", "l1:1e-3"),
                      ("huber", "--regularizer", "nonneg", "--intercept")]:
            with self.subTest(" ".join(words)):
                near = self.result("table.csv", "--loss", *words)
                far = self.result("table.csv", "--loss", *words, "--start", "start.txt")
                self.assertEqual(far["stop_reason"], "converged")
                self.assertLess(far["objective"], (1 + 1e-3) * near["objective"])

    def test_residuals_far_beyond_the_corner_of_huber_are_no_end(self):
        rng = random.Random(7)
        lines = []
        for _ in range(400):
            row = [rng.gauss(0, 1), rng.randrange(100), 1990 + rng.randrange(30),
                   math.exp(rng.gauss(4, 2))]
            label = 3600 * row[0] + 60 * row[1] + 500 * rng.gauss(0, 1) + 1e6
            lines.append(",".join(map(repr, row + [label])) + "\n")
        self.write("table.csv", "a,b,year,money,y\n" + "".join(lines))
        for seed in range(1, 9):
            with self.subTest(seed):
                result = self.result("table.csv", "--loss", "huber", "--intercept", "--regularizer",
                                     "l1:1e-3", "--workers", "1", "--seed", str(seed))
                self.assertEqual(result["stop_reason"], "converged")

    def test_an_ordinary_lasso_with_rare_columns_is_solved(self):
        self.write("rare.svm", rare_columns())
        words = ("rare.svm", "--loss", "squared", "--intercept", "--standardize", "columns",
                 "--regularizer", "l1:1e-3")
        result = self.result(*words)
        exact = self.result(*words, "--method", "fista", "--tolerance", "1e-9", "--epochs", "5000")
        self.assertEqual(result["stop_reason"], "converged")
        self.assertLess(result["objective"], (1 + 1e-4) * exact["objective"])
        self.assertGreater(result["nonzeros"], 10)

    def test_a_column_far_from_zero_is_no_trouble(self):
        self.write("far.csv", far_column())
        for words in [("--regularizer", "l1:1e-3"), ("--regularizer", "squared-l2:1e-3"), ()]:
            with self.subTest(" ".join(words)):
                result = self.result("far.csv", "--loss", "squared", "--intercept", *words)
                self.assertEqual(result["stop_reason"], "converged")
                self.assertLess(result["objective"], 0.02)

    def test_columns_that_nearly_depend_on_each_other_are_told_apart(self):
        """Without a penalty there is no bound, and f is nearly flat along their difference."""
        draw = random.Random(6).random
        rows = []
        for _ in range(120):
            net = 1000 * draw()
            rows.append([net, 1.19 * net + 0.01 * draw(), 2000 + 20 * draw()])
        labels = [0.3 * gross - 200 * (gross - 1.19 * net) + year + draw()
                  for net, gross, year in rows]
        self.write("prices.csv", "net,gross,year,y\n" + "".join(
            ",".join(map(repr, row + [label])) + "\n" for row, label in zip(rows, labels)))
        result = self.result("prices.csv", "--loss", "squared", "--intercept")
        self.assertLess(result["objective"], (1 + 1e-4) * least_squares(rows, labels))

    def test_is_said_in_one_line_and_replayed(self):
        self.write("far.csv", far_column())
        words = ("far.csv", "--loss", "squared", "--intercept", "--regularizer", "l2-norm:1e-3",
                 "--out", "run")
        text = self.succeed("train", *words).stdout
        self.assertEqual(text.count("\nfallback "), 1, text)
        self.assertIn("the same bits", self.succeed("replay", "run").stdout)

    def test_can_be_switched_off(self):
        result = strict_json(self.run_program("train", SMALL, "--fallback", "off", "--json").stdout)
        self.assertEqual(result["settings"]["fallback"], "off")
        self.assertEqual(result["fallback_passes"], 0)

    def test_nonconvex_runs_end_at_a_stationary_point(self):
        result = self.result(SMALL, "--loss", "sigmoid", "--regularizer", "squared-l2:1e-2")
        self.assertEqual(result["stop_reason"], "stationary")


class Divergence(CommandLineTest):
    def test_says_try_a_smaller_step_only_to_who_gave_one(self):
        run = self.run_program("train", SMALL, "--step", "constant:1e300", "--loss", "squared",
                               "--epochs", "3", "--json")
        self.assertEqual(run.returncode, DIVERGED)
        self.assertIn("try a smaller step", run.stderr)
        run = self.run_program("train", SMALL, "--seconds", "1e-9")
        self.assertEqual(run.returncode, DIVERGED)
        self.assertIn("no model better than the start was found", run.stderr)
        self.assertNotIn("smaller step", run.stderr + run.stdout)


class Warnings(CommandLineTest):
    def test_of_long_rows_are_for_rows_as_they_were_read(self):
        text = "".join("{} 1:{}\n".format(1 if row % 40 == 0 else -1, 1 + row % 3)
                       for row in range(400))
        self.write("rare.svm", text.replace("1:", "2:1 5:"))
        for words in [("--class-weight", "balanced"), ("--standardize", "columns")]:
            with self.subTest(" ".join(words)):
                run = self.run_program("train", "rare.svm", "--regularizer", "l1:1e-3", *words)
                self.assertNotIn("longer than the others", run.stderr)
        self.write("long.svm", "".join("{} {}:{}\n".format(row % 2, 1 + row % 9,
                                                          1000 if row == 7 else 1)
                                       for row in range(400)))
        run = self.run_program("train", "long.svm", "--regularizer", "l1:1e-3")
        self.assertIn("--normalize rows", run.stderr)


class Summary(CommandLineTest):
    def test_shows_the_rest_only_when_it_is_verbose(self):
        short = self.succeed("train", SMALL, "--regularizer", "l1:1e-2").stdout
        long = self.succeed("train", SMALL, "--regularizer", "l1:1e-2", "--verbose").stdout
        for label in ["theory", "staleness", "chosen", "seed", "stationary"]:
            with self.subTest(label):
                self.assertNotIn("\n{} ".format(label), short)
                self.assertIn("\n{} ".format(label), long)


if __name__ == "__main__":
    unittest.main()
