#!/usr/bin/env python3
"""--start: a run that begins with a saved model, or with plain numbers."""

import unittest

from cli_testing import DATA, USAGE, CommandLineTest, coefficients, strict_json


def table(columns="abc", weights=(1, -2, 0.5)):
    """Numbers with an intercept, the columns in this order."""
    lines = [",".join(columns) + ",y"]
    for i in range(80):
        row = {"a": i % 7 + 100, "b": i * i % 11 / 4, "c": i % 5 - 2}
        y = 3 + sum(w * row[name] for w, name in zip(weights, "abc")) + i % 3 / 10
        lines.append(",".join(str(row[name]) for name in columns) + f",{y}")
    return "\n".join(lines) + "\n"


class Start(CommandLineTest):
    FIT = ("--loss", "squared", "--intercept", "--regularizer", "l1:1e-3")

    def setUp(self):
        super().setUp()
        self.write("table.csv", table())
        self.train("--standardize", "columns", "--center", "--tolerance", "1e-8", out="first")
        self.objective = strict_json(self.read("first/run.json"))["result"]["objective"]

    def train(self, *words, out, data="table.csv"):
        self.succeed("train", data, *self.FIT, *words, "--out", out)

    def begin(self, *words, data="table.csv"):
        """The result of a run that begins with the first model and makes no step."""
        return self.result(data, *self.FIT, "--start", "first/model.json", "--steps", "0", *words)

    def loss_of(self, *words):
        return strict_json(self.succeed("evaluate", *words, "--json").stdout)["loss"]

    def test_continues_where_the_model_ended(self):
        treatment = ("--standardize", "columns", "--center")
        self.assertEqual(self.begin(*treatment)["objective"], self.objective)
        self.begin(*treatment, "--out", "second")
        first, second = (strict_json(self.read(name + "/model.json"))
                         for name in ("first", "second"))
        for field in ("x", "intercept", "column_scale", "center"):
            self.assertEqual(first[field], second[field])

    def test_means_the_same_under_another_treatment_of_the_columns(self):
        expected = self.loss_of("first/model.json", "table.csv")
        for words in ([], ["--center"], ["--standardize", "columns"]):
            with self.subTest(words):
                result = self.begin(*words, "--out", "second", "--force")
                self.assertAlmostEqual(result["loss_value"], expected, places=9)

    def test_matches_features_by_their_names(self):
        self.write("turned.csv", table("cab"))
        result = self.begin("--standardize", "columns", "--center", data="turned.csv")
        self.assertAlmostEqual(result["objective"], self.objective, places=12)
        self.write("other.csv", table("abc").replace("c,y", "d,y"))
        self.assertIn("--start: first/model.json: expected a model of the data's features, got none "
                      "of 'd'", self.fail_with(USAGE, "train", "other.csv", *self.FIT, "--start",
                                               "first/model.json"))

    def test_of_several_classes_and_of_two_labels(self):
        text = "".join(f"{i % 3},{i % 3 + i % 2 / 2},{(i % 3) ** 2 - i % 5 / 9},k{i % 3}\n"
                       for i in range(60))
        for name, content in [("three.csv", text),
                              ("two.csv", "".join(line + "\n" for line in text.split()
                                                  if not line.endswith("k2")))]:
            with self.subTest(name):
                self.write(name, content)
                fit = (name, "--intercept", "--standardize", "columns", "--regularizer",
                       "squared-l2:0.01")
                first = self.result(*fit, "--out", name + ".first")
                again = self.result(*fit, "--start", name + ".first/model.json", "--steps", "0")
                self.assertEqual(again["objective"], first["objective"])
        self.assertIn("two.csv.first/model.json: expected a model of the labels 'k0', 'k1', 'k2', "
                      "got the labels 'k0', 'k1'",
                      self.fail_with(USAGE, "train", "three.csv", "--intercept", "--start",
                                     "two.csv.first/model.json"))

    def test_is_refused_where_it_cannot_mean_the_same(self):
        def refusal(*words):
            return self.fail_with(USAGE, "train", "table.csv", "--loss", "squared", "--start",
                                  "first/model.json", *words)
        self.assertIn("--start: first/model.json: expected a model without a constant part", refusal())
        self.assertIn("--normalize rows", refusal("--intercept", "--normalize", "rows"))
        self.assertIn("expected a model network:hidden=4,layers=1,activation=relu, got linear",
                      refusal("--model", "network:hidden=4"))
        self.write("wide.svm", "1 1:1 9:1\n2 2:1\n")
        self.assertIn("expected a model of 9 features, got 3",
                      self.fail_with(USAGE, "train", "wide.svm", *self.FIT, "--start",
                                     "first/model.json"))
        self.write("damaged.json", self.read("first/model.json")[:-40])
        self.assertIn("damaged.json: expected JSON",
                      self.fail_with(DATA, "train", "table.csv", "--start", "damaged.json"))

    def test_of_other_kinds_of_models_are_the_same_numbers(self):
        self.write("ratings.tsv", "".join(f"u{i % 7}\tv{i % 5}\t{i % 4}\n" for i in range(90)))
        for data, words in [("ratings.tsv", ("--model", "factors:rank=2")),
                            ("ratings.tsv", ("--model", "matrix", "--intercept", "--regularizer",
                                             "nuclear:1e-2")),
                            ("table.csv", ("--model", "network:hidden=3", "--loss", "squared"))]:
            with self.subTest(words):
                fit = (data, *words, "--force", "--steps")
                first = self.result(*fit, "20", "--out", "kind")
                self.result(*fit, "0", "--start", "kind/model.json", "--out", "again")
                again = strict_json(self.read("again/run.json"))["result"]
                self.assertEqual(again["objective"], first["objective"])
                self.assertEqual(strict_json(self.read("again/model.json"))["x"],
                                 strict_json(self.read("kind/model.json"))["x"])

    def test_of_plain_numbers_works_as_ever(self):
        x = coefficients(strict_json(self.read("first/model.json")))
        self.write("numbers.txt", "".join(f"{x_j!r}\n" for x_j in x))
        self.result("table.csv", "--loss", "squared", "--standardize", "columns", "--center",
                    "--start", "numbers.txt", "--steps", "0", "--out", "plain")
        self.assertEqual(coefficients(strict_json(self.read("plain/model.json"))), x)

    def test_is_recorded_and_replayed(self):
        self.train("--start", "first/model.json", "--method", "asyn-prox-saga", "--epochs", "5",
                   out="run")
        record = strict_json(self.read("run/run.json"))
        self.assertEqual(list(record["files"]), ["first/model.json"])
        self.assertIn("the same bits", self.succeed("replay", "run").stdout)
        self.write("first/model.json", self.read("first/model.json").replace('"l1:', '"l1: '))
        self.assertIn("first/model.json: this file has changed since the run",
                      self.fail_with(DATA, "replay", "run"))


if __name__ == "__main__":
    unittest.main()
