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

    def test_of_features_in_another_order_are_the_same(self):
        self.write("other.csv", "size,age,kind\n0,1,cat\n2,0,owl\n1,3,dog\n")
        for command in ("predict", "evaluate"):
            expected = self.succeed(command, "model.json", "pets.csv")
            run = self.succeed(command, "model.json", "other.csv")
            self.assertEqual((run.stdout, run.stderr), (expected.stdout, ""))


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


class Columns(CommandLineTest):
    """Of files with a header, for a model that knows what its columns are called."""

    TABLE = "a,y,b\n1,0,2\n2,1,1\n3,1,0\n0,0,5\n"
    SCORE = ("--output", "score")

    def setUp(self):
        super().setUp()
        self.write("mid.csv", self.TABLE)
        self.succeed("train", "mid.csv", "--label-column", "y", "--regularizer", "squared-l2:0.1",
                     "--out", "mm")

    def scores(self, name, *words):
        return self.succeed("predict", "mm/model.json", name, *self.SCORE, *words)

    def warning(self, run):
        self.assertRegex(run.stderr, r"\Aasynprox: warning: [^\n]+\n\Z")
        return run.stderr

    def test_of_the_file_that_the_model_was_trained_on_are_found(self):
        self.assertEqual(strict_json(self.read("mm/model.json"))["label_column_name"], "y")
        figures = strict_json(self.succeed("evaluate", "mm/model.json", "mid.csv", "--json").stdout)
        self.assertEqual((figures["samples"], figures["accuracy"]), (4, 1))
        self.assertEqual(self.succeed("predict", "mm/model.json", "mid.csv").stdout, "0\n1\n1\n0\n")
        none = self.write("none.csv", "a,b\n1,2\n2,1\n3,0\n0,5\n")
        self.succeed("train", none, "--label-column", "none", "--loss", "pca", "--regularizer",
                     "nonneg-ball:1", "--out", "nn")
        self.succeed("evaluate", "nn/model.json", none)

    def test_of_a_file_without_labels_are_enough_to_predict(self):
        self.write("bare.csv", "b,a\n2,1\n1,2\n0,3\n5,0\n")
        run = self.scores("bare.csv")
        self.assertEqual((run.stdout, run.stderr), (self.scores("mid.csv").stdout, ""))
        self.assertIn("bare.csv: expected the labels in the column 'y'",
                      self.fail_with(DATA, "evaluate", "mm/model.json", "bare.csv"))

    def test_in_another_order_are_the_same(self):
        self.write("turned.csv", "b,a,y\n2,1,0\n1,2,1\n0,3,1\n5,0,0\n")
        self.assertEqual(self.scores("turned.csv").stdout, self.scores("mid.csv").stdout)
        self.assertEqual(self.succeed("evaluate", "mm/model.json", "turned.csv").stdout,
                         self.succeed("evaluate", "mm/model.json", "mid.csv").stdout)

    def test_that_the_model_does_not_have_are_ignored_with_one_note(self):
        self.write("more.csv", "id,b,note,a,y\nx,2,\"p,q\",1,0\ny,1,,2,1\nz,0,r,3,1\nw,5,s,0,0\n")
        run = self.scores("more.csv")
        self.assertEqual(run.stdout, self.scores("mid.csv").stdout)
        self.assertIn("more.csv: 2 columns are not in the model and are ignored: 'id', 'note'",
                      self.warning(run))
        self.warning(self.succeed("evaluate", "mm/model.json", "more.csv"))

    def test_that_are_missing_are_named(self):
        self.write("less.csv", "b,y\n1,0\n")
        for command in ("predict", "evaluate"):
            self.assertIn("less.csv: expected the model's 2 features, got no column 'a'",
                          self.fail_with(DATA, command, "mm/model.json", "less.csv"))

    def test_without_names_are_taken_in_the_models_order_with_one_warning(self):
        self.write("plain.csv", "1,0,2\n2,1,1\n3,1,0\n0,0,5\n")
        run = self.scores("plain.csv")
        self.assertEqual(run.stdout, self.scores("mid.csv").stdout)
        self.assertIn("plain.csv: the model's features have names and these columns have none",
                      self.warning(run))
        self.write("plain.svm", "0 1:1 2:2\n1 1:2 2:1\n1 1:3\n0 2:5\n")
        run = self.succeed("evaluate", "mm/model.json", "plain.svm")
        self.assertIn("plain.svm", self.warning(run))

    def test_of_the_binary_form_are_matched_too(self):
        self.write("turned.csv", "b,x,a,y\n2,7,1,0\n1,7,2,1\n0,7,3,1\n5,7,0,0\n")
        self.succeed("data", "convert", "turned.csv", "turned.axp")
        run = self.scores("turned.axp")
        self.assertEqual(run.stdout, self.scores("mid.csv").stdout)
        self.assertIn("turned.axp: 1 column is not in the model and is ignored: 'x'",
                      self.warning(run))
        self.assertEqual(self.succeed("evaluate", "mm/model.json", "turned.axp").stdout,
                         self.succeed("evaluate", "mm/model.json", "mid.csv").stdout)

    def test_of_test_data_are_matched_in_training(self):
        self.write("turned.csv", "b,x,a,y\n2,7,1,0\n1,7,2,1\n0,7,3,1\n5,7,0,0\n")
        words = ("train", "mid.csv", "--label-column", "y", "--regularizer", "squared-l2:0.1",
                 "--json", "--test")
        run = self.succeed(*words, "turned.csv")
        self.assertEqual(strict_json(run.stdout)["test"],
                         strict_json(self.succeed(*words, "mid.csv").stdout)["test"])
        self.assertIn("turned.csv: 1 column is not in the model and is ignored: 'x'", run.stderr)
        # A number is that of the training data.
        by_number = [word if word != "y" else "2" for word in words]
        self.assertEqual(strict_json(self.succeed(*by_number, "turned.csv").stdout)["test"],
                         strict_json(run.stdout)["test"])
        self.write("less.csv", "b,y\n1,0\n")
        self.assertIn("less.csv: expected the model's 2 features, got no column 'a'",
                      self.fail_with(DATA, *words, "less.csv"))

    def test_of_a_model_that_does_not_know_the_labels_name_are_found_all_the_same(self):
        model = strict_json(self.read("mm/model.json"))
        del model["label_column_name"]
        self.write("old.json", json.dumps({**model, "format_version": 3}))
        self.assertEqual(self.succeed("evaluate", "old.json", "mid.csv").stdout,
                         self.succeed("evaluate", "mm/model.json", "mid.csv").stdout)


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
