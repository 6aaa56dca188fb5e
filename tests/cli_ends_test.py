#!/usr/bin/env python3
"""Every run comes to an end, and says what is proved of its model: a gap, or exit code 4 or 6."""

import math
import random
import unittest

from cli_testing import DIVERGED, DONE, NOT_CONVERGED, CommandLineTest, strict_json


class Ends(CommandLineTest):
    def test_a_run_without_a_step_is_exit_code_4_whatever_the_method(self):
        """A limit that leaves no time for a step; a run of which none was asked for has none."""
        words = ("generate:lasso:n=2000,d=40", "--loss", "squared", "--regularizer", "l1:1e-2", "--quiet")
        for method in ("asyn-prox-sgd", "asyn-prox-saga", "prox-gd", "fista"):
            for program in ("train", "simulate"):
                with self.subTest(program + " " + method):
                    run = self.run_program(program, *words, "--method", method, "--seconds", "1e-12")
                    self.assertEqual(run.returncode, DIVERGED, run.stderr)
                    self.assertIn("no model better than the start was found", run.stderr)
                    run = self.run_program(program, *words, "--method", method, "--steps", "0")
                    self.assertEqual(run.returncode, DONE, run.stderr)

    def test_of_separated_classes_is_proved_or_denied(self):
        """Squares of columns that differ by six orders, and few rows: a nearly perfect fit, at which
        the intercept is rounded by more than what is left."""
        for seed in range(12):
            rng = random.Random(seed)
            lines = []
            for row in range(rng.choice([5, 8, 12])):
                cells = [round(rng.uniform(3, 9), 3), round(rng.uniform(40, 60), 3),
                         round(rng.uniform(200, 700), 3), rng.randrange(10, 60) / 1000]
                cells += [a * b for i, a in enumerate(cells) for b in cells[i:]]
                lines.append(",".join(map(repr, [*cells, row % 2])) + "\n")
            self.write("separated.csv", "".join(lines))
            for strength in ("1e-3", "1e-6"):
                with self.subTest("{} {}".format(seed, strength)):
                    words = ("train", "separated.csv", "--loss", "squared-hinge", "--regularizer",
                             "squared-l2:" + strength, "--intercept", "--json")
                    run = self.run_program(*words)
                    result = strict_json(run.stdout)
                    if run.returncode == NOT_CONVERGED:
                        continue
                    self.assertEqual(run.returncode, DONE, run.stderr)
                    self.assertIsNotNone(result["duality_gap"], result["stop_detail"])

    def test_few_rows_with_columns_that_depend_on_each_other_come_to_an_end(self):
        rows = [(108114.24, 4223964.11, 0, 4224110.78, 18, 2279189, 1.0097946),
                (30818.52, 5755255.29, 0, 5755216.26, 38, 97133, 0.5093049),
                (18273.56, 5958.18, 0, 6045.16, 85, 4422884, -1.3541373),
                (14340.51, 4152006.6, 37.05, 4151819.01, 46, 3578615, -1.2848205),
                (166158.8, 6173.37, 0, 6080.39, 26, 3026, -1.1459888),
                (295952.58, 7738066.8, 0, 7738029.18, 65, 68791112, 1.5556966)]
        self.write("money.csv", "".join(",".join(map(repr, row)) + "\n" for row in rows))
        rng = random.Random(5)
        lines = []
        for row in range(26):
            u, v = row / 25, rng.random()
            cells = [math.exp(-40 * (w - knot / 20) ** 2) for w in (u, v) for knot in range(20)]
            lines.append(",".join(map(repr, [*cells, rng.randrange(6)])) + "\n")
        self.write("splines.csv", "".join(lines))
        for words in [("money.csv", "--loss", "squared", "--regularizer", "l1:1e-5"),
                      ("money.csv", "--loss", "squared", "--regularizer", "l1:3.20888e-06"),
                      ("splines.csv", "--loss", "squared"), ("splines.csv", "--loss", "poisson")]:
            with self.subTest(" ".join(words)):  # run_program allows a minute
                run = self.run_program("train", *words, "--intercept")
                self.assertIn(run.returncode, (DONE, NOT_CONVERGED), run.stderr)


if __name__ == "__main__":
    unittest.main()
