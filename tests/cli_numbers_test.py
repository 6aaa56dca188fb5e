#!/usr/bin/env python3
"""Every option that is a number, with numbers at the edges of what a double or an integer holds: a
result or an error in words, never an internal error."""

import unittest
from concurrent.futures import ThreadPoolExecutor

from cli_testing import DATA, DIVERGED, DONE, NOT_CONVERGED, USAGE, CommandLineTest

TINY_NUMBERS = ["5e-324", "1e-320", "1e-300", "1e-101"]
HUGE_NUMBERS = ["1e300", "1.7976931348623157e308", "1e309"]
OTHERS = ["-0", "-1", "nan", "inf", "", "9223372036854775807", "18446744073709551616"]
NUMBERS = TINY_NUMBERS + HUGE_NUMBERS + OTHERS

COMMON = ["generate:sparse-logistic:n=60,d=20", "--workers", "2", "--steps", "3", "--quiet"]
# {} is the number. Options that ask for more work than there is memory or time are left out where
# they are that large: a run that is asked to last for ever does.
TRAIN = ["--epochs={}", "--seconds={}", "--tolerance={}", "--reference-step={}", "--holdout={}",
         "--batch-size={}", "--staleness-max={}", "--trace-every={}", "--seed={}",
         "--step=constant:{}", "--step=t-inverse:eta0={}", "--step=t-inverse:1,decay={}",
         "--step=t-inverse:1,period={}", "--step=inverse-sqrt:{}", "--step=delay-adaptive:{}",
         "--step=theory:gap={}", "--step=theory:variance={}", "--regularizer=l1:{}",
         "--regularizer=squared-l2:{}", "--regularizer=elastic-net:l1={}",
         "--regularizer=elastic-net:l1=1e-3,l2={}", "--regularizer=box:lower=-1,upper={}",
         "--regularizer=linf-ball:{}", "--regularizer=l2-ball:{}", "--regularizer=nonneg-ball:{}",
         "--regularizer=simplex:{}", "--regularizer=l1-ball:{}", "--regularizer=l2-norm:{}",
         "--regularizer=nonneg-l1:{}", "--regularizer=tv-1d:{}", "--regularizer=slope:{}",
         "--regularizer=slope:1e-3,q={}", "--regularizer=l1:{}max", "--loss=huber:{}",
         "--loss=smoothed-hinge:{}"]
SIMULATE = ["--latency-up={}", "--latency-down={}", "--rate-up={}", "--rate-down={}",
            "--push-seconds={}", "--step-seconds={}", "--detection={}", "--timeout={}",
            "--speeds={}", "--speeds=1/{}", "--compute=constant:{}", "--compute=lognormal:{}",
            "--compute=lognormal:cv={}", "--compute=exponential:{}", "--faults=random:loss={}",
            "--faults=random:duplication={}", "--faults=random:reordering={}",
            "--faults=random:reordering=0.5,lateness={}", "--faults=random:deaths=1,away={}",
            "--outages=1/{}/1e200", "--outages=1/0/{}", "--outages={}/1/2"]
# Quotients of these are times; below 1e-100 they are refused, and above they may be any.
DIVISORS = ["--rate-up={}", "--rate-down={}", "--speeds={}", "--compute=constant:{}",
            "--compute=lognormal:{}", "--compute=exponential:{}", "--faults=random:deaths={}"]


class Number(CommandLineTest):
    def check(self, command, option):
        """The complaints about one option, for every number."""
        complaints = []
        for number in NUMBERS:
            word = option.format(number)
            run = self.run_program(command, *COMMON, word)
            if run.returncode not in (DONE, USAGE, DATA, DIVERGED, NOT_CONVERGED) or "internal" in run.stderr:
                complaints.append((word, run.returncode, run.stderr))
            if run.returncode == USAGE and not run.stderr.startswith("asynprox: "):
                complaints.append((word, run.stderr))
        return complaints

    def check_all(self, command, options):
        with ThreadPoolExecutor(2) as pool:
            for complaints in pool.map(lambda option: self.check(command, option), options):
                self.assertEqual(complaints, [])

    def test_of_a_run_is_taken_or_refused_in_words(self):
        self.check_all("train", TRAIN)

    def test_of_a_simulation_is_taken_or_refused_in_words(self):
        self.check_all("simulate", SIMULATE)

    def test_that_is_divided_by_is_refused_where_the_quotient_could_overflow(self):
        for option in DIVISORS:
            for number in TINY_NUMBERS:
                with self.subTest(option.format(number)):
                    said = self.fail_with(USAGE, "simulate", *COMMON, option.format(number))
                    self.assertIn("expected a number of at least 1e-100, got ", said)
        for option in ["--pace={}", "--speeds=1/{}"]:
            more = [] if option.startswith("--pace") else ["--pace", "1e6"]
            said = self.fail_with(USAGE, "train", *COMMON, *more, option.format("1e-320"))
            self.assertIn("expected a number of at least 1e-100, got ", said)

    def test_of_seconds_is_refused_where_sums_could_overflow(self):
        for option in ["latency-up", "latency-down", "push-seconds", "step-seconds", "detection",
                       "timeout"]:
            with self.subTest(option):
                said = self.fail_with(USAGE, "simulate", *COMMON, "--" + option, "1e308")
                self.assertIn(option + ": expected a number of at most 1e+100", said)


if __name__ == "__main__":
    unittest.main()
