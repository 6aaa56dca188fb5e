#!/usr/bin/env python3
"""CSV: read like other data, kept with its names, and refused with the cell."""

import gzip
import unittest

from cli_testing import DATA, USAGE, CommandLineTest, strict_json

FLOWERS = 'sepal,petal,"kind, of flower"\r\n1,2.5,iris\r\n0,"3",rose\r\n4,1,iris\r\n'


class Csv(CommandLineTest):
    def info(self, *words, stdin=b""):
        return strict_json(self.succeed("data", "info", *words, "--json", stdin=stdin).stdout)

    def test_it_is_the_same_however_it_is_given(self):
        self.write("flowers.csv", FLOWERS)
        self.write("packed", gzip.compress(FLOWERS.encode()))
        self.write("tabs", FLOWERS.replace(",", "\t").replace("kind\t of", "kind, of"))
        plain = self.info("flowers.csv")
        self.assertEqual(plain["feature_names"], ["sepal", "petal"])
        self.assertEqual(plain["labels"]["distinct"],
                         [{"label": "iris", "count": 2}, {"label": "rose", "count": 1}])
        self.assertEqual(self.info("packed"), plain)
        self.assertEqual(self.info("tabs"), plain)
        self.assertEqual(self.info("-", stdin=FLOWERS.encode()), plain)

    def test_its_names_survive_conversion(self):
        self.write("flowers.csv", FLOWERS)
        self.succeed("data", "convert", "flowers.csv", "flowers.axp")
        self.assertEqual(self.info("flowers.axp", "--verify"), self.info("flowers.csv"))

    def test_the_label_may_stand_anywhere(self):
        self.write("table", "y;a;b\n1;5;6\n0;7;8\n")
        for column in ("y", "1"):
            info = self.info("table", "--label-column", column)
            self.assertEqual(info["feature_names"], ["a", "b"])
            self.assertEqual(info["labels"]["max"], 1)
        self.assertEqual(self.info("table", "--header", "yes", "--label-column", "none")
                         ["feature_names"], ["y", "a", "b"])
        self.assertIn("a number from 1 to 3, or none, got 'x'",
                      self.fail_with(USAGE, "data", "info", "table", "--label-column", "x"))
        self.assertIn("--header: no 'maybe'",
                      self.fail_with(USAGE, "data", "info", "table", "--header", "maybe"))

    def test_a_problem_is_refused_with_its_cell(self):
        for text, complaint in [
                (FLOWERS + "1,,iris\r\n", "bad.csv:5:2: expected a number, got ''"),
                (FLOWERS.encode() + b"1,2,lys d'\xe9t\xe9\r\n",
                 "bad.csv:5:3: expected a label in UTF-8, got 'lys d'\\xe9t\\xe9'"),
                (b"s\xe9pale,kind\n1,iris\n",
                 "bad.csv:1:1: expected a name in UTF-8, got 's\\xe9pale'"),
                ("sepal,petal,kind\n",
                 "bad.csv: expected samples after the header, got none in 1 line"),
                (FLOWERS + "1,2\r\n", "bad.csv:5:2: expected 3 cells, got 2"),
                (FLOWERS.replace("iris", '"ir\nis"') + "1,2,\n",
                 "bad.csv:7:3: expected a label, got ''")]:
            self.write("bad.csv", text)
            self.assertEqual(self.fail_with(DATA, "data", "info", "bad.csv"),
                             "asynprox: " + complaint)


if __name__ == "__main__":
    unittest.main()
