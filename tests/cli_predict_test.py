#!/usr/bin/env python3
"""predict and evaluate: several outputs, labels that are text, and files larger than memory."""

import json
import math
import os
import subprocess
import unittest
import unittest.mock

from cli_testing import DATA, PROGRAM, USAGE, CommandLineTest, strict_json

CSV = "age,size,kind\n1,0,cat\n0,2,owl\n3,1,dog\n"


def model_of(**fields):
    return json.dumps({"format": "asynprox-model", "format_version": 2, "version": "0.1.0",
                       "loss": "squared", "regularizer": "zero", "normalize_rows": False,
                       "labels": None, "picture": None, "dimension": 2, "x": [1, -1], **fields})


class Classes(CommandLineTest):
    """u = (age, size, 0) + b, for the labels owl, cat and dog."""

    def setUp(self):
        super().setUp()
        self.write("model.json", model_of(
            loss="multinomial", outputs=3, x=[1, 0, 0, 0, 1, 0], intercept=[0.5, 0, 0.25],
            classes=[2, 0, 1], label_names=["cat", "dog", "owl"], feature_names=["age", "size"]))
        self.write("pets.csv", CSV)

    def test_are_printed_by_their_names(self):
        self.assertEqual(self.succeed("predict", "model.json", "pets.csv").stdout, "owl\ncat\nowl\n")

    def test_have_a_score_and_a_probability_each_separated_by_tabs(self):
        lines = self.succeed("predict", "model.json", "pets.csv", "--output",
                             "score").stdout.splitlines()
        self.assertEqual(lines, ["1.5\t0\t0.25", "0.5\t2\t0.25", "3.5\t1\t0.25"])
        shares = self.succeed("predict", "model.json", "pets.csv", "--output",
                              "probability").stdout.splitlines()
        for scores, line in zip(lines, shares):
            powers = [math.exp(float(u)) for u in scores.split("\t")]
            for share, power in zip(line.split("\t"), powers):
                self.assertAlmostEqual(float(share), power / sum(powers), places=14)

    def test_are_evaluated_with_a_table(self):
        metrics = strict_json(self.succeed("evaluate", "model.json", "pets.csv", "--json").stdout)
        self.assertEqual(metrics["accuracy"], 0)
        self.assertEqual(metrics["confusion"], {"labels": ["owl", "cat", "dog"],
                                                "rows": [[0, 1, 0], [1, 0, 0], [1, 0, 0]]})
        self.assertEqual(metrics["log_loss"], metrics["loss"])
        self.assertNotIn("auc", metrics)

    def test_that_the_model_does_not_know_are_refused(self):
        self.write("ape.csv", CSV + "1,1,ape\n")
        self.assertIn("ape.csv: sample 4: expected one of the model's 3 labels, 'owl', 'cat', "
                      "'dog', got 'ape'", self.fail_with(DATA, "evaluate", "model.json", "ape.csv"))
        self.succeed("predict", "model.json", "ape.csv")

    def test_of_features_in_another_order_are_refused(self):
        self.write("other.csv", "size,age,kind\n0,1,cat\n")
        for command in ("predict", "evaluate"):
            self.assertIn("other.csv: expected 'age' for feature 1, as in the model, got 'size'",
                          self.fail_with(DATA, command, "model.json", "other.csv"))


class SortedLabels(CommandLineTest):
    """A file is read in blocks, and those of one that is sorted have one label each."""

    MANY = 50_000  # lines of a label: more than a block

    def evaluate(self, text):
        self.write("sorted.csv", text)
        return strict_json(self.succeed("evaluate", "model.json", "sorted.csv", "--json").stdout)

    def test_of_a_model_of_text_are_text_in_every_block(self):
        self.write("model.json", model_of(
            loss="multinomial", outputs=3, x=[1, 0, 0, 0, 1, 0], intercept=[0, 0, 0.5],
            classes=[0, 1, 2], label_names=["01", "1", "cat"]))
        metrics = self.evaluate("1,0,01\n" * self.MANY + "0,1,1\n" * self.MANY +
                                "0,0,cat\n" * self.MANY)
        self.assertEqual(metrics["accuracy"], 1)
        self.assertEqual(metrics["samples"], 3 * self.MANY)

    def test_of_a_model_of_numbers_are_numbers_in_every_block(self):
        self.write("model.json", model_of(
            loss="logistic", labels={"negative": 0, "positive": 3, "one_against_rest": True}))
        metrics = self.evaluate("1,0,3.0\n" * self.MANY + "0,1,cat\n1,0,3.0\n" * self.MANY)
        self.assertEqual(metrics["accuracy"], 1)
        self.assertEqual(metrics["positives"], 2 * self.MANY)

    def test_that_are_text_where_the_loss_takes_numbers_are_named(self):
        self.write("model.json", model_of())
        self.write("late.csv", "1,0,3\n" * self.MANY + "1,0,2\n1,0,cat\n")
        self.assertIn(f"late.csv: sample {self.MANY + 2}: expected a number for a label, got 'cat'",
                      self.fail_with(DATA, "evaluate", "model.json", "late.csv"))


class OneAgainstTheRest(CommandLineTest):
    def test_says_not_where_it_is_any_of_the_rest(self):
        self.write("model.json", model_of(
            loss="logistic", labels={"negative": 0, "positive": 3, "one_against_rest": True}))
        self.write("x.svm", "3 1:1\n5 2:1\n0 2:2\n")
        self.assertEqual(self.succeed("predict", "model.json", "x.svm").stdout,
                         "3\nnot 3\nnot 3\n")
        self.write("model.json", model_of(
            loss="logistic", labels={"negative": 0, "positive": 2, "one_against_rest": True},
            label_names=["cat", "dog", "owl"]))
        self.assertEqual(self.succeed("predict", "model.json", "x.svm").stdout,
                         "owl\nnot owl\nnot owl\n")

    def test_of_two_labels_names_the_other(self):
        self.write("two.svm", "3 1:1\n5 2:1\n3 1:2\n5 2:2\n")
        self.succeed("train", "two.svm", "--positive-label", "3", "--epochs", "50", "--out", "run")
        self.assertEqual(self.succeed("predict", "run/model.json", "two.svm").stdout,
                         "3\n5\n3\n5\n")


class LabelColumn(CommandLineTest):
    """Of CSV without a header, where nothing but the model tells the label from the features."""

    def test_is_where_it_was_in_training(self):
        self.write("model.json", model_of(format_version=3, label_column="1"))
        self.write("x.csv", "7,5,1\n8,1,6\n")
        score = ("--output", "score")
        self.assertEqual(self.succeed("predict", "model.json", "x.csv", *score).stdout, "4\n-5\n")
        metrics = strict_json(self.succeed("evaluate", "model.json", "x.csv", "--json").stdout)
        self.assertEqual(metrics["mae"], (3 + 13) / 2)
        # What is typed wins.
        self.assertEqual(self.succeed("predict", "model.json", "x.csv", *score, "--label-column",
                                      "3").stdout, "2\n7\n")

    def test_is_kept_by_training(self):
        self.write("first.csv", "3,1,0\n5,0,1\n3,2,0\n5,0,2\n")
        self.succeed("train", "first.csv", "--label-column", "1", "--epochs", "50", "--out", "run")
        self.assertEqual(self.succeed("predict", "run/model.json", "first.csv").stdout,
                         "3\n5\n3\n5\n")

    def test_is_none_where_there_was_none(self):
        self.write("model.json", model_of(format_version=3, loss="pca", label_column="none"))
        self.write("x.csv", "5,1\n1,6\n")
        self.assertEqual(self.succeed("predict", "model.json", "x.csv").stdout, "4\n-5\n")

    def test_must_leave_as_many_features_as_the_model_has(self):
        self.write("model.json", model_of())
        self.write("x.csv", "5,1\n1,6\n")
        for command in ("predict", "evaluate"):
            self.assertIn("x.csv: expected the model's 2 features, got 1 (a column is taken for the "
                          "label; --label-column none if there is none)",
                          self.fail_with(DATA, command, "model.json", "x.csv"))
        self.assertEqual(self.succeed("predict", "model.json", "x.csv", "--label-column",
                                      "none").stdout, "4\n-5\n")


class Weights(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("model.json", model_of(
            loss="logistic", labels={"negative": -1, "positive": 1, "one_against_rest": False}))
        self.write("x.svm", "1 1:1\n-1 1:2\n-1 2:3\n1 2:0.5\n")

    def evaluate(self, *words):
        return strict_json(self.succeed("evaluate", "model.json", *words, "--json").stdout)

    def test_count_as_that_many_copies(self):
        self.write("w.txt", "3\n1\n0\n2\n")
        self.write("copied.svm", "1 1:1\n" * 3 + "-1 1:2\n" + "1 2:0.5\n" * 2)
        weighted, copied = self.evaluate("x.svm", "--weights", "w.txt"), self.evaluate("copied.svm")
        for figure in ("loss", "accuracy", "balanced_accuracy", "log_loss", "auc"):
            self.assertAlmostEqual(weighted[figure], copied[figure], places=14, msg=figure)
        self.assertEqual(weighted["confusion"], copied["confusion"])
        self.assertEqual(weighted["samples"], 4)

    def test_are_taken_block_by_block(self):
        lines = 60_000
        self.write("long.svm", "1 1:1\n" * lines + "-1 1:1\n" * lines)
        self.write("w.txt", "1\n" * lines + "3\n" * lines)
        self.assertEqual(self.evaluate("long.svm", "--weights", "w.txt")["accuracy"], 0.25)
        self.assertEqual(self.evaluate("long.svm")["accuracy"], 0.5)

    def test_that_do_not_fit_are_refused(self):
        for text, complaint in [
                ("1\n2\n", "w.txt: expected 4 weights, one for each sample of x.svm, got 2"),
                ("1\n" * 5, "w.txt: expected 4 weights, one for each sample of x.svm, got 5"),
                ("0\n" * 4, "w.txt: expected weights with a sum above 0, got 0"),
                ("1\n-1\n1\n1\n", "w.txt:2: ")]:
            self.write("w.txt", text)
            self.assertIn(complaint, self.fail_with(DATA, "evaluate", "model.json", "x.svm",
                                                    "--weights", "w.txt"))
        self.assertIn("standard input can be read only once", self.fail_with(
            USAGE, "evaluate", "model.json", "-", "--weights", "-"))


class Numbers(CommandLineTest):
    def test_of_counts_are_expected_counts(self):
        self.write("model.json", model_of(loss="poisson", x=[0.5, 0], intercept=[1]))
        self.write("counts.svm", "3 1:2\n0 2:1\n")
        labels = self.succeed("predict", "model.json", "counts.svm").stdout.split()
        self.assertEqual([float(label) for label in labels], [math.exp(2), math.exp(1)])
        metrics = strict_json(self.succeed("evaluate", "model.json", "counts.svm",
                                           "--json").stdout)
        expected = (2 * (3 * math.log(3 / math.exp(2)) - 3 + math.exp(2)) + 2 * math.exp(1)) / 2
        self.assertAlmostEqual(metrics["poisson_deviance"], expected, places=12)

    def test_have_no_probability_and_that_is_said_before_data_is_read(self):
        self.write("model.json", model_of())
        self.assertIn("probability: expected a model of the loss logistic or multinomial",
                      self.fail_with(USAGE, "predict", "model.json", "absent", "--output",
                                     "probability"))


class NamedData(CommandLineTest):
    def test_is_found_as_for_every_other_command(self):
        self.write("model.json", model_of())
        self.write("home/asynprox/a9a", "3 1:2\n0 2:1\n")
        with unittest.mock.patch.dict(os.environ, XDG_DATA_HOME=str(self.folder / "home")):
            self.assertEqual(self.succeed("predict", "model.json", "a9a").stdout, "2\n-1\n")
            self.assertIn("rmse", self.succeed("evaluate", "model.json", "a9a").stdout)


class Memory(CommandLineTest):
    """It does not grow with the file."""

    SMALL_MEGABYTES, LARGE_MEGABYTES = 4, 60

    def setUp(self):
        super().setUp()
        self.write("model.json", model_of())
        svm = "".join(f"{k % 7} 1:{k / 100} 2:0.{k}5\n" for k in range(1000)).encode()
        csv = "".join(f"{k / 100},0.{k}5,{k % 7}\n" for k in range(1000)).encode()
        for size in (self.SMALL_MEGABYTES, self.LARGE_MEGABYTES):
            self.write(f"{size}.svm", svm * (size * 1_000_000 // len(svm)))
            self.write(f"{size}.csv", b"a,b,c\n" + csv * (size * 1_000_000 // len(csv)))

    def peak_megabytes(self, *words):
        # The address sanitizer would keep what was freed.
        quarantine = "quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
        process = subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   env={**os.environ, "ASAN_OPTIONS": quarantine})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss / 1024

    def growth(self, *words):
        small, large = (self.peak_megabytes(*(f"{size}{word}" if word.startswith(".") else word
                                              for word in words))
                        for size in (self.SMALL_MEGABYTES, self.LARGE_MEGABYTES))
        return large - small

    def test_of_predict_and_evaluate_does_not(self):
        for ending in (".svm", ".csv"):
            for command in ("predict", "evaluate"):
                with self.subTest(command + ending):
                    self.assertLess(self.growth(command, "model.json", ending), 5)

    def test_of_a_command_that_keeps_the_data_does(self):
        self.assertGreater(self.growth("data", "info", ".svm"), 10)


if __name__ == "__main__":
    unittest.main()
