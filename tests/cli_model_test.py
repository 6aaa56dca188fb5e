#!/usr/bin/env python3
"""Models: what is saved predicts the same elsewhere, and what is damaged is refused."""

import json
import math
import unittest

from cli_testing import DATA, TINY, USAGE, CommandLineTest, coefficients, strict_json

PINNED_METRICS = {"samples", "loss", "accuracy", "balanced_accuracy", "auc", "log_loss",
                  "confusion"}


def rows_of(text):
    """Each row's columns, from 0, and values."""
    return [[(int(column) - 1, float(value))
             for column, value in (entry.split(":") for entry in line.split()[1:])]
            for line in text.splitlines()]


class ModelTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("tiny.svm", TINY)
        self.succeed("train", "tiny.svm", "--method", "asyn-prox-sgd", "--batch-size", "2",
                     "--epochs", "5", "--out", "run")
        self.model = strict_json(self.read("run/model.json"))
        self.x = coefficients(self.model)

    def predict(self, model, output, data="tiny.svm"):
        run = self.succeed("predict", model, data, "--output", output)
        return [float(line) for line in run.stdout.splitlines()]


class Prediction(ModelTest):
    def expected_scores(self):
        return [sum(value * self.x[column] for column, value in row)
                for row in rows_of(TINY)]

    def test_is_the_sum_of_the_saved_coefficients_to_the_last_bit(self):
        self.assertTrue(all(self.x))
        self.assertEqual(self.predict("run/model.json", "score"), self.expected_scores())

    def test_is_the_same_from_a_copy_and_from_a_file_written_by_another_program(self):
        expected = self.succeed("predict", "run/model.json", "tiny.svm", "--output", "score").stdout
        for name, text in [("copy.json", self.read("run/model.json")),
                           ("other.json", json.dumps(self.model, indent=7, sort_keys=True))]:
            with self.subTest(name):
                self.write(name, text)
                run = self.succeed("predict", name, "tiny.svm", "--output", "score")
                self.assertEqual(run.stdout, expected)

    def test_of_a_label_is_the_sign_and_of_a_probability_the_logistic_function(self):
        scores = self.expected_scores()
        self.assertEqual(self.predict("run/model.json", "label"),
                         [1 if u > 0 else -1 for u in scores])
        for p, u in zip(self.predict("run/model.json", "probability"), scores):
            self.assertAlmostEqual(p, 1 / (1 + math.exp(-u)), places=14)

    def test_is_a_label_unless_asked_otherwise(self):
        self.assertEqual(self.succeed("predict", "run/model.json", "tiny.svm").stdout,
                         "1\n-1\n1\n1\n")

    def test_speaks_the_labels_of_the_data(self):
        self.write("named.svm", "7 1:1\n4 1:-1\n7 1:2\n4 1:-3\n")
        for positive in ("7", "4"):
            self.succeed("train", "named.svm", "--epochs", "5", "--out", positive,
                         "--positive-label", positive)
            with self.subTest(positive):
                labels = self.predict(positive + "/model.json", "label", "named.svm")
                self.assertEqual(labels, [7, 4, 7, 4])

    def test_of_normalised_rows_does_not_depend_on_their_length(self):
        self.succeed("train", "tiny.svm", "--normalize", "rows", "--epochs", "5", "--out", "rows")
        self.write("double.svm", "1 1:2 2:1\n-1 1:-2 3:0.5\n1 2:2\n-1 1:0.2\n")
        self.assertEqual(self.predict("rows/model.json", "score"),
                         self.predict("rows/model.json", "score", "double.svm"))

    def test_of_centred_data_takes_the_means_off_the_rows(self):
        for words in [[], ["--normalize", "rows"]]:
            with self.subTest(words):
                self.succeed("train", "tiny.svm", "--center", *words, "--epochs", "5", "--out",
                             "centred", "--force", "--test", "tiny.svm")
                model = strict_json(self.read("centred/model.json"))
                coefficient = coefficients(model)
                rows = rows_of(TINY)
                scales = [1 / math.hypot(*(value for _, value in row)) if words else 1
                          for row in rows]
                means = [0] * len(coefficient)
                for row, scale in zip(rows, scales):
                    for column, value in row:
                        means[column] += scale * value / len(rows)
                for mean, mu in zip(means, model["center"]):
                    self.assertAlmostEqual(mean, mu, places=14)
                scores = [scale * sum(value * coefficient[column] for column, value in row)
                          - sum(mu * x for mu, x in zip(model["center"], coefficient))
                          for row, scale in zip(rows, scales)]
                for score, expected in zip(self.predict("centred/model.json", "score"), scores):
                    self.assertAlmostEqual(score, expected, places=14)
                result = strict_json(self.read("centred/run.json"))["result"]
                metrics = strict_json(
                    self.succeed("evaluate", "centred/model.json", "tiny.svm", "--json").stdout)
                self.assertAlmostEqual(result["loss_value"], metrics["loss"], places=14)
                self.assertEqual(result["test"]["loss"], metrics["loss"])
                self.assertIs(result["settings"]["center"], True)

    def test_of_probability_needs_a_logistic_model(self):
        for loss in ["squared", "squared-hinge"]:
            with self.subTest(loss):
                self.succeed("train", "tiny.svm", "--loss", loss, "--epochs", "1", "--out", loss)
                said = self.fail_with(USAGE, "predict", loss + "/model.json", "tiny.svm",
                                      "--output", "probability")
                self.assertIn(loss, said)

    def test_ignores_columns_never_seen_with_one_warning(self):
        self.write("wide.svm", "1 1:1 7:3 9:1\n1 2:1 9:5\n-1 1:1\n")
        for words in [("predict", "run/model.json", "wide.svm", "--output", "score"),
                      ("evaluate", "run/model.json", "wide.svm")]:
            with self.subTest(words[0]):
                run = self.succeed(*words)
                self.assertRegex(run.stderr, r"\Aasynprox: warning: wide.svm: 2 columns [^\n]+\n\Z")
        self.assertEqual(self.predict("run/model.json", "score", "wide.svm"),
                         [self.x[0], self.x[1], self.x[0]])

    def test_in_training_warns_of_columns_never_seen_too(self):
        self.write("wide.svm", "1 1:1 7:3 9:1\n-1 1:1\n")
        run = self.succeed("train", "tiny.svm", "--test", "wide.svm", "--epochs", "1")
        self.assertIn("wide.svm: 2 columns", run.stderr)

    def test_of_narrower_data_needs_no_warning(self):
        self.write("narrow.svm", "1 1:1\n")
        self.assertEqual(self.succeed("predict", "run/model.json", "narrow.svm").stderr, "")


class Evaluation(ModelTest):
    def test_is_one_json_object(self):
        metrics = strict_json(
            self.succeed("evaluate", "run/model.json", "tiny.svm", "--json").stdout)
        self.assertLessEqual(PINNED_METRICS, set(metrics))
        self.assertEqual((metrics["samples"], metrics["accuracy"]), (4, 0.75))
        self.assertEqual(metrics["confusion"], {"labels": ["-1", "1"], "rows": [[1, 1], [0, 2]]})

    def test_is_a_line_a_figure(self):
        text = self.succeed("evaluate", "run/model.json", "tiny.svm").stdout
        self.assertRegex(text, r"(?m)^accuracy +0.75$")
        self.assertTrue(text.endswith("confusion: a row a label, a column a prediction\n"
                                      "      -1  1\n"
                                      "  -1   1  1\n"
                                      "   1   0  2\n"), text)

    def test_with_one_class_has_no_area_under_the_curve(self):
        self.write("one.svm", "1 1:1\n1 2:1\n")
        metrics = strict_json(
            self.succeed("evaluate", "run/model.json", "one.svm", "--json").stdout)
        self.assertIsNone(metrics["auc"])

    def test_is_json_even_where_the_loss_is_infinite(self):
        self.model.update(loss="squared", labels=None, x=[1e200, 0, 0])
        self.write("huge.json", json.dumps(self.model))
        metrics = strict_json(self.succeed("evaluate", "huge.json", "tiny.svm", "--json").stdout)
        self.assertEqual(metrics["loss"], "inf")


class DamagedModel(ModelTest):
    def changed(self, **fields):
        return json.dumps({**self.model, **fields})

    def without(self, field):
        return json.dumps({name: value for name, value in self.model.items() if name != field})

    def test_is_refused(self):
        whole = self.read("run/model.json")
        cases = [
            ("empty", ""), ("cut in half", whole[:len(whole) // 2]), ("cut at the end", whole[:-3]),
            ("more behind", whole + "{}"), ("foreign", "{}"), ("a list", "[1, 2]"),
            ("a run", self.read("run/run.json")), ("data", TINY), ("bytes", b"\xff\xfe\x00\x01"),
            ("newer format", self.changed(format_version=99)),
            ("older format", self.changed(format_version=0)),
            ("other format", self.changed(format="somebodys-model")),
            ("unknown loss", self.changed(loss="frobnicate")),
            ("no loss", self.without("loss")), ("no x", self.without("x")),
            ("words in x", self.changed(x=["a", "b", "c"])),
            ("null in x", self.changed(x=[1, None, 2])),
            ("NaN in x", self.changed(x=[1, float("nan"), 2])),
            ("too large in x", self.changed(x=[1, 2, 3]).replace("[1,", "[1e999,")),
            ("other length", self.changed(dimension=4)),
            ("no labels", self.changed(labels=None)),
            ("deep", "[" * 100000),
        ]
        for name, content in cases:
            with self.subTest(name):
                self.write("model.json", content)
                for command in ("predict", "evaluate"):
                    said = self.fail_with(DATA, command, "model.json", "tiny.svm")
                    self.assertTrue(said.startswith("asynprox: model.json"), said)

    def test_of_another_version_says_which(self):
        self.write("model.json", self.changed(format_version=99))
        self.assertRegex(self.fail_with(DATA, "predict", "model.json", "tiny.svm"),
                         r"format_version: expected 1 to \d+, got 99: .* a newer asynprox")

    def test_that_is_missing_or_a_folder_is_refused(self):
        self.assertIn("missing.json: no such file",
                      self.fail_with(DATA, "predict", "missing.json", "tiny.svm"))
        self.assertIn("run: expected a file, got a directory",
                      self.fail_with(DATA, "predict", "run", "tiny.svm"))


if __name__ == "__main__":
    unittest.main()
