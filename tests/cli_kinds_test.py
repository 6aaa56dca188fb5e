#!/usr/bin/env python3
"""Models that are not linear: fitted, saved, replayed, and asked again."""

import math
import random
import unittest

from cli_testing import DATA, USAGE, CommandLineTest, coefficients, strict_json


def ratings(seed=5):
    """What 12 users say of 10 items: a taste each, in tabs, 90 of the 120 pairs."""
    draw = random.Random(seed)
    taste = {("u", i): draw.uniform(-1, 1) for i in range(12)}
    taste.update({("i", j): draw.uniform(-1, 1) for j in range(10)})
    pairs = [(i, j) for i in range(12) for j in range(10)]
    draw.shuffle(pairs)
    return "".join("Ann{}\tfilm {}\t{:.2f}\n".format(
        i, j, 3 + 2 * taste["u", i] * taste["i", j]) for i, j in pairs[:90])


def rings():
    """Three rings in the plane, labelled 4, 5 and 9."""
    lines = []
    for i in range(300):
        angle, radius = 0.37 * i, 0.5 + i % 3
        lines.append("{} 1:{:.5f} 2:{:.5f}\n".format(
            "459"[i % 3], radius * math.cos(angle), radius * math.sin(angle)))
    return "".join(lines)


class Ratings(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("ratings.tsv", ratings())

    def fit(self, model, *options):
        return strict_json(self.succeed(
            "train", "ratings.tsv", "--model", model, "--workers", "2", "--out", "run", "--json",
            "--force", *options).stdout)

    def rmse_of(self, data):
        run = self.succeed("evaluate", "run/model.json", data, "--json")
        return strict_json(run.stdout)["rmse"]

    def test_by_factors_are_predicted_where_they_are_held_out(self):
        result = self.fit("factors:rank=1", "--regularizer", "squared-l2:1e-4", "--holdout", "0.2",
                          "--epochs", "50")
        self.assertEqual(result["samples"], 72)
        self.assertLess(result["test"]["rmse"], 0.3)
        self.assertIsNone(result["theory"]["lipschitz"])

    def test_by_factors_are_predicted_from_the_file(self):
        self.fit("factors:rank=2", "--regularizer", "squared-l2:1e-4", "--epochs", "50")
        model = strict_json(self.read("run/model.json"))
        self.assertEqual(model["ratings"], {"users": 12, "items": 10})
        x = coefficients(model)
        self.assertEqual(len(x), 22 * 3)
        self.write("one.tsv", "Ann3\tfilm 4\nnobody\tfilm 4\nnobody\tnothing\n")
        scores = [float(line) for line in
                  self.succeed("predict", "run/model.json", "one.tsv").stdout.splitlines()]
        names, width = model["feature_names"], 3
        user, item = (x[width * names.index(name):][:width]
                      for name in ("user:Ann3", "item:film 4"))
        offset = model["intercept"][0]
        self.assertAlmostEqual(scores[0], offset + user[0] + item[0] + user[1] * item[1] +
                               user[2] * item[2], places=12)
        self.assertAlmostEqual(scores[1], offset + item[0], places=12)
        self.assertEqual(scores[2], offset)
        self.assertLess(self.rmse_of("ratings.tsv"), 0.3)

    def test_in_another_order_are_the_same_users(self):
        self.fit("factors:rank=1", "--regularizer", "squared-l2:1e-4", "--epochs", "5")
        self.write("other.csv", "".join(
            line.replace("\t", ",") for line in reversed(ratings().splitlines(True))))
        self.assertAlmostEqual(self.rmse_of("ratings.tsv"), self.rmse_of("other.csv"), places=12)

    def test_as_a_matrix_shrink_to_what_is_known(self):
        self.fit("matrix", "--intercept", "--regularizer", "nuclear:1e-3,columns=10",
                 "--method", "fista", "--steps", "300")
        self.assertLess(self.rmse_of("ratings.tsv"), 0.3)
        self.assertEqual(len(coefficients(strict_json(self.read("run/model.json")))), 120)

    def test_as_a_matrix_have_a_column_an_item(self):
        for written in ("nuclear:1e-3", "nuclear:1e-3,columns=10"):
            result = self.fit("matrix", "--regularizer", written, "--method", "fista", "--steps", "9")
            self.assertEqual(result["settings"]["regularizer"], "nuclear:1e-3,columns=10")
        self.assertIn("the same bits", self.succeed("replay", "run").stdout)
        self.assertIn("columns: expected 10, one per item (it need not be written), got 12",
                      self.fail_with(USAGE, "train", "ratings.tsv", "--model", "matrix",
                                     "--regularizer", "nuclear:1e-3,columns=12"))

    def test_as_a_matrix_know_the_largest_useful_strength(self):
        for intercept in ((), ("--intercept",)):
            for share, zero in (("1.001", True), ("0.9", False)):
                result = self.fit("matrix", "--regularizer", f"nuclear:{share}max", "--method",
                                  "fista", "--steps", "500", *intercept)
                self.assertEqual(result["nonzeros"] == 0, zero, (share, intercept))

    def test_as_rows_of_two_ones_fit_a_linear_model(self):
        self.fit("linear", "--ratings", "--intercept", "--method", "fista", "--steps", "200")
        self.assertLess(self.rmse_of("ratings.tsv"), 1)

    def test_are_fitted_the_same_again(self):
        self.fit("factors", "--regularizer", "squared-l2:1e-3", "--epochs", "3",
                 "--holdout", "0.25")
        self.assertIn("the same bits", self.succeed("replay", "run").stdout)

    def test_refuse_what_does_not_fit(self):
        for options, message in [
                (("--normalize", "rows"), "not for models of ratings"),
                (("--intercept",), "constants of their own"),
                (("--loss", "multinomial"), "factor model"),
                (("--holdout", "2"), "above 0 and below 1"),
                (("--holdout", "0.5", "--test", "ratings.tsv"), "got both"),
                (("--dimension", "9"), "--ratings")]:
            with self.subTest(options):
                said = self.fail_with(USAGE, "train", "ratings.tsv", "--model", "factors", *options)
                self.assertIn(message, said)
        self.assertIn("whole number", self.fail_with(
            USAGE, "train", "ratings.tsv", "--model", "factors:rank=1.5"))
        self.assertIn("rank: expected a whole number from 0 to 1000000", self.fail_with(
            USAGE, "train", "ratings.tsv", "--model", "factors:rank=1e9"))
        self.assertIn("a matrix of ratings takes a loss of one number, got multinomial",
                      self.fail_with(USAGE, "train", "ratings.tsv", "--model", "matrix", "--loss",
                                     "multinomial"))
        self.assertIn("did you mean 'factors'", self.fail_with(
            USAGE, "train", "ratings.tsv", "--model", "factor"))


class Networks(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("rings.svm", rings())

    def test_tell_rings_apart_with_few_units(self):
        result = strict_json(self.succeed(
            "train", "rings.svm", "--model", "network:hidden=32", "--loss",
            "multinomial", "--regularizer", "group-lasso:1e-3,groups=units", "--workers", "2",
            "--epochs", "200", "--holdout", "0.2", "--out", "run", "--json").stdout)
        self.assertGreater(result["test"]["accuracy"], 0.95)
        model = strict_json(self.read("run/model.json"))
        self.assertEqual((model["dimension"], model["outputs"]), (2, 3))
        run = self.succeed("evaluate", "run/model.json", "rings.svm", "--json")
        self.assertGreater(strict_json(run.stdout)["accuracy"], 0.95)
        labels = self.succeed("predict", "run/model.json", "rings.svm").stdout.split()
        self.assertEqual(set(labels), {"4", "5", "9"})
        self.assertLess(result["nonzeros"], 32 * 6 + 3)
        self.assertIn("the same bits", self.succeed("replay", "run").stdout)

    def test_say_how_many_of_their_units_are_zero(self):
        for strength, gone in (("0", "0"), ("1e9", "8")):
            said = self.succeed("train", "rings.svm", "--model", "network:hidden=4,layers=2",
                                "--loss", "multinomial", "--steps", "3", "--regularizer",
                                f"group-lasso:{strength},groups=units").stdout
            self.assertIn(f"\nunits       {gone} of 8 hidden units are zero\n", said)


class OneLabel(CommandLineTest):
    def test_is_refused_with_the_file_and_its_name(self):
        self.write("one.csv", "age,kind\n1,cat\n2,cat\n")
        for words, complaint in [((), "two or more, got one: cat"),
                                 (("--loss", "logistic"), "two, got one: cat")]:
            self.assertIn("one.csv: labels: expected " + complaint,
                          self.fail_with(USAGE, "train", "one.csv", *words))


class Counts(CommandLineTest):
    def test_below_zero_are_refused_with_file_and_sample(self):
        self.write("counts.svm", "2 1:1\n-3 1:2\n1 1:1\n")
        for model in ("linear", "network:hidden=2"):
            self.assertIn("counts.svm: labels: sample 2: expected at least 0 for the loss poisson, "
                          "got -3", self.fail_with(DATA, "train", "counts.svm", "--loss", "poisson",
                                                   "--model", model))


if __name__ == "__main__":
    unittest.main()
