#!/usr/bin/env python3
"""show: coefficients with names, in the units of the data's columns."""

import csv
import io
import json
import unittest

from cli_testing import DATA, USAGE, CommandLineTest, strict_json


def model_of(**fields):
    size = len(fields.get("x", [0, 0]))
    x = fields.pop("x", [0, 0])
    return json.dumps({"format": "asynprox-model", "format_version": 4, "version": "0.1.0",
                       "loss": "squared", "regularizer": "zero", "normalize_rows": False,
                       "labels": None, "picture": None, "dimension": size,
                       "x": {"size": size, "indices": list(range(size)), "values": x}, **fields})


class Show(CommandLineTest):
    # u = 10 (2 age - 5) + 4 (0.5 size - 1) + 0 tail + 7
    TREATED = {"x": [10, -4, 0], "intercept": [7], "column_scale": [2, 0.5, 3],
               "center": [5, 1, 9], "feature_names": ["age", "size", "tail"]}

    def show(self, *words, **fields):
        self.write("model.json", model_of(**fields))
        return self.succeed("show", "model.json", *words).stdout

    def shown(self, *words, **fields):
        return strict_json(self.show("--json", *words, **fields))

    def table(self, *words, **fields):
        return list(csv.reader(io.StringIO(self.show("--csv", *words, **fields))))

    def test_is_in_the_units_of_the_columns_and_sorted_by_size(self):
        shown = self.shown(**self.TREATED)
        self.assertEqual((shown["loss"], shown["dimension"]), ("squared", 3))
        self.assertEqual(shown["outputs"], [{
            "label": None, "intercept": 7 - 50 + 4, "nonzeros": 2, "coefficients": [
                {"column": 1, "feature": "age", "coefficient": 20},
                {"column": 2, "feature": "size", "coefficient": -2}]}])
        everything = self.shown("--all", **self.TREATED)["outputs"][0]["coefficients"]
        self.assertEqual(everything[2], {"column": 3, "feature": "tail", "coefficient": 0})
        self.assertEqual(self.table(**self.TREATED), [
            ["column", "feature", "coefficient"], ["0", "(intercept)", "-39"],
            ["1", "age", "20"], ["2", "size", "-2"]])
        text = self.show(**self.TREATED)
        self.assertRegex(text, r"(?m)^ +-39  \(intercept\)\n +20  age\n +-2  size\n\Z")
        self.assertIn("2 of 3", text)
        self.assertRegex(self.show("--all", **self.TREATED), r" +0  tail\n\Z")

    def test_gives_the_scores_of_predict(self):
        self.write("table.csv", "year,money,kelvin,y\n" + "".join(
            f"{1990 + i % 7},{1000 * (i * i % 11)},{270 + i % 5},{i % 7 - 3 * (i % 5)}\n"
            for i in range(60)))
        self.succeed("train", "table.csv", "--loss", "squared", "--intercept", "--standardize",
                     "columns", "--center", "--regularizer", "l1:1e-2", "--out", "run")
        shown = strict_json(self.succeed("show", "run/model.json", "--json").stdout)["outputs"][0]
        weights = {c["feature"]: c["coefficient"] for c in shown["coefficients"]}
        scores = self.succeed("predict", "run/model.json", "table.csv", "--output", "score").stdout
        with open(self.folder / "table.csv", newline="") as table:
            for row, score in zip(csv.DictReader(table), scores.split()):
                expected = shown["intercept"] + sum(w * float(row[n]) for n, w in weights.items())
                self.assertAlmostEqual(float(score), expected, places=9)

    def test_of_rows_of_length_one_says_so(self):
        self.assertIn("rows that are scaled to length 1", self.show(normalize_rows=True))
        self.assertNotIn("length", self.show())
        self.assertIs(self.shown(normalize_rows=True)["normalize_rows"], True)

    def test_counts_columns_from_one_where_they_have_no_names(self):
        self.assertRegex(self.show(x=[1, 3]), r" +3  column 2\n +1  column 1\n\Z")
        self.assertEqual(self.shown(x=[1, 3])["outputs"][0]["coefficients"][0],
                         {"column": 2, "feature": None, "coefficient": 3})
        self.assertNotIn("intercept)", self.show(x=[1, 3]))

    def test_has_a_list_for_each_class(self):
        fields = {"loss": "multinomial", "outputs": 2, "dimension": 2, "x": [1, 0, 0, -2],
                  "intercept": [0.5, -0.5], "classes": [1, 0], "label_names": ["cat", "an owl"],
                  "feature_names": ["a,b", "c"]}
        self.assertEqual(self.table(**fields), [
            ["class", "column", "feature", "coefficient"],
            ["an owl", "0", "(intercept)", "0.5"], ["an owl", "1", "a,b", "1"],
            ["cat", "0", "(intercept)", "-0.5"], ["cat", "2", "c", "-2"]])
        self.assertEqual([output["label"] for output in self.shown(**fields)["outputs"]],
                         ["an owl", "cat"])
        self.assertRegex(self.show(**fields), r"class an owl\n[^@]*a,b\n\nclass cat\n[^@]*-2  c\n")

    def test_says_what_a_positive_score_means(self):
        labels = {"negative": 0, "positive": 1, "one_against_rest": False}
        text = self.show(loss="logistic", labels=labels, label_names=["no", "yes"])
        self.assertIn("yes where the score is above 0, else no", text)
        self.assertEqual(self.shown(loss="logistic", labels=labels)["outputs"][0]["label"], "1")

    def test_leaves_out_the_smaller_ones_of_many(self):
        many = [float(j) for j in range(1, 81)]
        lines = self.show(x=many).splitlines()
        self.assertRegex(lines[-1], r"30 more, none of them larger; --all shows them")
        self.assertRegex(lines[-2], r"^ +31  column 31$")
        self.assertRegex(self.show("--all", x=many), r" +1  column 1\n\Z")
        self.assertEqual(len(self.table(x=many)), 81)

    def test_keeps_control_characters_from_the_terminal(self):
        text = self.show(x=[1, 2], feature_names=["a\x1b[31m", "b"])
        self.assertNotIn("\x1b", text)
        self.assertIn("\\x1b", text)

    def test_of_a_model_that_is_not_linear_says_what_it_is(self):
        self.write("ratings.tsv", "".join(f"u{i % 5}\tv{i % 3}\t{i % 4}\n" for i in range(40)))
        self.succeed("train", "ratings.tsv", "--model", "factors:rank=2", "--epochs", "2", "--out",
                     "run")
        text = self.succeed("show", "run/model.json").stdout
        self.assertIn("factors:rank=2", text)
        self.assertIn("5 users, 3 items", text)
        self.assertIn("of 24 numbers", text)
        self.assertIn("only linear models have a coefficient for each column", text)
        shown = strict_json(self.succeed("show", "run/model.json", "--json").stdout)
        self.assertEqual((shown["model"], shown["numbers"], shown["outputs"]),
                         ("factors:rank=2", 24, None))
        self.assertIn("--csv: expected a linear model",
                      self.fail_with(USAGE, "show", "run/model.json", "--csv"))

    def test_refuses_what_it_cannot_do(self):
        self.write("model.json", model_of())
        self.assertIn("--csv: expected it or --json, got both",
                      self.fail_with(USAGE, "show", "model.json", "--csv", "--json"))
        self.assertIn("absent.json", self.fail_with(DATA, "show", "absent.json"))
        self.write("table.csv", "a,b\n1,2\n")
        self.assertIn("table.csv: expected JSON", self.fail_with(DATA, "show", "table.csv"))


if __name__ == "__main__":
    unittest.main()
