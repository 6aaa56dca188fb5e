#!/usr/bin/env python3
"""Runs: what `train` prints, leaves in a folder, and ends with."""

import math
import os
import re
import signal
import subprocess
import unittest

from cli_testing import (DATA, DIVERGED, DONE, FAILED, PROGRAM, SECONDS_MAX, SMALL, TINY, USAGE,
                         CommandLineTest, coefficients, strict_json)

RESULT_KEYS = set("""objective loss_value regularizer_value gradient_mapping reference_step
    duality_gap nonzeros dimension outputs samples steps sample_gradients computed epochs seconds
    evaluation_seconds stop_reason stop_detail staleness ledger theory settings version
    seed""".split())
STALENESS_KEYS = {"bound", "max", "mean", "histogram"}
LEDGER_KEYS = {"received", "applied", "pending", "refused"}
REFUSED_KEYS = {"stale", "duplicate", "nonfinite", "shape", "fenced"}
THEORY_KEYS = {"lipschitz", "conditions_met", "conditions"}
TRACE_HEADER = ("seconds,steps,sample_gradients,epochs,objective,gradient_mapping,nonzeros,"
                "staleness_max,duality_gap")
RUN_FILES = {"model.json", "run.json", "trace.csv", "events.log"}
DIVERGING = [SMALL, "--loss", "squared", "--step", "constant:1e9", "--epochs", "50"]

# What is said about the run, not what it does.
OPTIONS_OF_OUTPUT = {"help", "out", "force", "no-events", "log", "picture", "json", "quiet",
                     "config", "version", "verbose", "checkpoint-every"}


class Result(CommandLineTest):
    def test_is_one_json_object_with_the_pinned_keys(self):
        result = self.result(SMALL, "--regularizer", "l1:1e-3")
        self.assertLessEqual(RESULT_KEYS, set(result))
        self.assertLessEqual(STALENESS_KEYS, set(result["staleness"]))
        self.assertLessEqual(LEDGER_KEYS, set(result["ledger"]))
        self.assertLessEqual(REFUSED_KEYS, set(result["ledger"]["refused"]))
        self.assertLessEqual(THEORY_KEYS, set(result["theory"]))

    def test_adds_up(self):
        result = self.result(SMALL, "--regularizer", "l1:1e-3", "--epochs", "4", "--workers", "3")
        self.assertAlmostEqual(result["objective"],
                               result["loss_value"] + result["regularizer_value"], places=14)
        self.assertEqual((result["samples"], result["dimension"], result["outputs"]), (200, 20, 1))
        self.assertEqual(result["epochs"], result["sample_gradients"] / 200)
        self.assertEqual(sum(result["staleness"]["histogram"]), result["ledger"]["applied"])
        self.assertLessEqual(result["staleness"]["max"], result["staleness"]["bound"])
        self.assertEqual(result["stop_reason"], "epoch_limit")

    def test_names_every_option_as_used(self):
        settings = self.result(SMALL)["settings"]
        options = re.findall(r"(?m)^  (?:-h,)?--([a-z-]+)",
                             self.succeed("train", "--help").stdout)
        self.assertGreater(len(options), 20)
        self.assertLessEqual(set(options) - OPTIONS_OF_OUTPUT, set(settings))
        self.assertEqual((settings["epochs"], settings["tolerance"]), (None, 1e-4))
        named = strict_json(self.run_program("train", SMALL, "--method", "asyn-prox-saga",
                                             "--json").stdout)["settings"]
        self.assertEqual((named["epochs"], named["tolerance"]), (200, 1e-4))
        self.assertEqual(settings["method"], "asyn-prox-saga")

    def test_names_the_delays_that_were_given_and_the_runtime_that_follows_them(self):
        result = self.result(SMALL, "--steps", "20", "--workers", "2", "--delays", "constant:3")
        self.assertEqual(result["settings"]["delays"], "constant:3")
        self.assertEqual(result["settings"]["runtime"], "serial")
        self.assertEqual(result["settings"]["staleness-max"], 3)
        self.assertEqual(result["staleness"]["histogram"], [2, 2, 2, 34])
        self.assertIsNone(self.result(SMALL, "--steps", "1")["settings"]["delays"])

    def test_of_the_step_theory_says_what_it_is_made_of_and_what_is_bounded(self):
        theory = self.result(SMALL, "--steps", "20", "--step", "theory")["theory"]
        self.assertTrue(theory["conditions_met"])
        self.assertLess(abs(theory["corollary"]["gap"] - math.log(2)), 1e-12)
        self.assertFalse(theory["corollary"]["steps_enough"])
        bound = theory["ergodic_bound"]
        self.assertLess(bound["measured"], bound["printed"])
        self.assertLess(bound["printed"], bound["corrected"])
        other = self.result(SMALL, "--steps", "20")["theory"]
        self.assertIsNone(other["corollary"])
        self.assertIsNone(other["ergodic_bound"])

    def test_names_its_seed_the_same_everywhere(self):
        for seed in [0, 2 ** 63, 2 ** 64 - 1]:
            with self.subTest(seed):
                result = self.result(SMALL, "--seed", str(seed), "--steps", "1")
                self.assertEqual((result["seed"], result["settings"]["seed"]), (seed, seed))

    def test_depends_on_the_seed_alone(self):
        for options in [("--workers", "3"), ("--method", "prox-sgd", "--epochs", "20"),
                        ("--model-state", "lazy"), ("--start", "random", "--epochs", "1")]:
            with self.subTest(" ".join(options)):
                first, again, other = (
                    self.result(SMALL, "--regularizer", "l1:1e-3", "--runtime", "serial", *options,
                                "--seed", seed) for seed in ("1", "1", "2"))
                self.assertEqual(first["objective"], again["objective"])
                self.assertEqual(first["gradient_mapping"], again["gradient_mapping"])
                self.assertNotEqual(first["objective"], other["objective"])

    def test_of_no_steps_is_the_start(self):
        result = self.result(SMALL, "--steps", "0")
        self.assertEqual((result["steps"], result["nonzeros"]), (0, 0))
        self.assertAlmostEqual(result["objective"], 0.6931471805599453, places=12)
        self.assertEqual(result["stop_reason"], "step_limit")

    def test_stops_at_the_first_limit_given(self):
        for words, reason in [
                (("--steps", "3", "--epochs", "100"), "step_limit"),
                (("--epochs", "0.5", "--steps", "100000"), "epoch_limit"),
                (("--seconds", "0.01", "--method", "asyn-prox-saga"), "time_limit"),
                (("--seconds", "0"), "time_limit"),
                (("--epochs", "0"), "epoch_limit"),
                (("--epochs", "1e300", "--steps", "3"), "step_limit"),
                (("--method", "fista", "--tolerance", "1e-6", "--epochs", "100000",
                  "--regularizer", "l1:1e-3"), "converged")]:
            with self.subTest(" ".join(words)):
                result = self.result(SMALL, *words)
                self.assertEqual(result["stop_reason"], reason)

    def test_of_a_test_set_is_in_it(self):
        result = self.result(SMALL, "--test", "generate:sparse-logistic:n=100,d=20,seed=2")
        self.assertEqual(result["test"]["samples"], 100)

    def test_is_nothing_at_all_when_quiet(self):
        run = self.succeed("train", SMALL, "--quiet", "--out", "run")
        self.assertEqual((run.stdout, run.stderr), ("", ""))
        self.assertEqual(set(os.listdir(self.folder / "run")), RUN_FILES)

    def test_in_words_names_the_data_the_problem_and_why_it_stopped(self):
        text = self.succeed("train", SMALL, "--regularizer", "l1:1e-3", "--epochs", "2").stdout
        for words in [SMALL, "200 samples", "l1:1e-3", "objective", "epoch_limit"]:
            with self.subTest(words):
                self.assertIn(words, text)


class OutFolder(CommandLineTest):
    def content(self, name="run"):
        return {path.name: path.read_bytes() for path in (self.folder / name).iterdir()}

    def test_holds_the_run_its_trace_and_its_model(self):
        printed = self.result(SMALL, "--test", SMALL, "--out", "a/b/run")
        self.assertEqual(set(self.content("a/b/run")), RUN_FILES)
        record = strict_json(self.read("a/b/run/run.json"))
        self.assertEqual(record["result"], printed)
        self.assertEqual(record["command_line"][1:3], ["train", SMALL])
        self.assertEqual(record["data"]["path"], SMALL)
        self.assertTrue(record["data"]["fingerprint"])
        self.assertLessEqual({"schema_version", "machine", "files"}, set(record))
        self.assertEqual(strict_json(self.read("a/b/run/model.json"))["x"]["size"], 20)

    def test_holds_a_trace_that_ends_in_the_result(self):
        result = self.result(SMALL, "--out", "run", "--trace-every", "10", "--steps", "35",
                             "--fallback", "off")
        header, *lines = self.read("run/trace.csv").splitlines()
        self.assertEqual(header, TRACE_HEADER)
        rows = [dict(zip(header.split(","), (float(cell or "nan") for cell in line.split(","))))
                for line in lines]
        self.assertEqual([row["steps"] for row in rows], [0, 10, 20, 30, 35])
        for column in ("steps", "sample_gradients", "epochs", "objective", "gradient_mapping",
                       "nonzeros"):
            with self.subTest(column):
                self.assertEqual(rows[-1][column], result[column])

    def test_hashes_the_files_of_specs(self):
        self.write("w.txt", "1\n" * 20)
        self.succeed("train", SMALL, "--regularizer", "weighted-l1:1e-3,weights=w.txt", "--steps",
                     "1", "--out", "run")
        self.assertEqual(list(strict_json(self.read("run/run.json"))["files"]), ["w.txt"])

    def test_that_is_not_empty_is_left_alone_without_force(self):
        for name, content in [("model.json", "mine"), ("notes.txt", "mine"), (".hidden", "")]:
            with self.subTest(name):
                folder = "of-" + name
                self.write(folder + "/" + name, content)
                before = self.content(folder)
                said = self.fail_with(USAGE, "train", SMALL, "--out", folder)
                self.assertIn(folder + " is not empty", said)
                self.assertIn("--force", said)
                self.assertEqual(self.content(folder), before)

    def test_is_written_over_with_force_and_keeps_what_is_not_ours(self):
        self.write("run/notes.txt", "mine")
        self.write("run/model.json", "old")
        self.succeed("train", SMALL, "--out", "run", "--force")
        self.assertEqual(set(self.content()), RUN_FILES | {"notes.txt"})
        self.assertEqual(self.read("run/notes.txt"), "mine")
        self.assertEqual(self.succeed("predict", "run/model.json", SMALL).stderr, "")

    def test_may_be_there_and_empty(self):
        (self.folder / "run").mkdir()
        self.succeed("train", SMALL, "--out", "run", "--steps", "1")

    def test_keeps_the_last_run_where_the_next_fails(self):
        self.succeed("train", SMALL, "--out", "run", "--steps", "1")
        before = self.content()
        for exit_code, words in [(DATA, ["missing.svm"]),
                                 (USAGE, [SMALL, "--workers", "2", "--batch-size", "7"])]:
            with self.subTest(" ".join(words)):
                run = self.run_program("train", *words, "--out", "run", "--force")
                self.assertEqual(run.returncode, exit_code)
                self.assertEqual(self.content(), before)

    def test_of_bad_data_can_be_used_by_the_next_run(self):
        self.fail_with(DATA, "train", "missing.svm", "--out", "run")
        self.succeed("train", SMALL, "--out", "run", "--steps", "1")

    def test_that_is_a_file_is_refused_in_these_words(self):
        self.write("file", "mine")
        for words in [(), ("--force",)]:
            with self.subTest(" ".join(words)):
                said = self.fail_with(USAGE, "train", SMALL, "--out", "file", *words)
                self.assertIn("file", said)
                self.assertNotIn("is not empty", said)
                self.assertEqual(self.read("file"), "mine")

    def test_that_cannot_be_made_is_named_before_the_work(self):
        self.write("file", "mine")
        said = self.fail_with(FAILED, "train", SMALL, "--out", "file/run")
        self.assertIn("file/run: Not a directory", said)

    def test_that_cannot_be_written_is_named_before_the_work(self):
        (self.folder / "run" / "run.json").mkdir(parents=True)
        said = self.fail_with(FAILED, "train", SMALL, "--out", "run", "--force")
        self.assertIn("run/run.json", said)

    @unittest.skipIf(os.geteuid() == 0, "the superuser may write anywhere")
    def test_without_permission_is_named(self):
        (self.folder / "closed").mkdir(mode=0o500)
        for name in ["closed", "closed/run"]:
            with self.subTest(name):
                self.assertIn("ermission denied",
                              self.fail_with(FAILED, "train", SMALL, "--out", name))

    def test_is_json_whatever_the_data_is_called(self):
        for name in ['quote".svm', "back\\slash.svm", "new\nline.svm", "ü.svm"]:
            with self.subTest(repr(name)):
                self.write(name, TINY)
                self.succeed("train", name, "--steps", "1", "--out", "run", "--force")
                record = strict_json(self.read("run/run.json"))
                self.assertEqual(record["data"]["path"], name)


class Divergence(CommandLineTest):
    def test_ends_with_its_own_code_and_the_last_finite_model(self):
        run = self.run_program("train", *DIVERGING, "--out", "run", "--json")
        self.assertEqual(run.returncode, DIVERGED)
        result = strict_json(run.stdout)
        self.assertEqual((result["stop_reason"], result["objective"]), ("diverged", "inf"))
        self.assertEqual(strict_json(self.read("run/run.json"))["result"], result)
        x = coefficients(strict_json(self.read("run/model.json")))
        self.assertTrue(all(abs(x_j) < float("inf") for x_j in x))

    def test_is_said_in_words(self):
        run = self.run_program("train", *DIVERGING)
        self.assertEqual(run.returncode, DIVERGED)
        self.assertIn("diverged", run.stdout)
        self.assertIn("smaller step", run.stdout)


class StandardOutput(CommandLineTest):
    def run_with_output(self, output, *words):
        return subprocess.run([PROGRAM, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=output, stderr=subprocess.PIPE, timeout=SECONDS_MAX)

    def test_that_no_one_reads_does_no_harm(self):
        self.write("long.svm", TINY * 50000)
        self.succeed("train", "long.svm", "--steps", "1", "--out", "first")
        for words in [("train", SMALL, "--json", "--out", "run"), ("list",), ("--help",),
                      ("data", "info", SMALL), ("predict", "first/model.json", "long.svm")]:
            with self.subTest(words[0]):
                reader, writer = os.pipe()
                os.close(reader)
                run = self.run_with_output(writer, *words)
                os.close(writer)
                self.assertIn(run.returncode, (DONE, FAILED, -signal.SIGPIPE))
                self.assertNotIn(b"terminate", run.stderr)
        self.assertEqual(set(os.listdir(self.folder / "run")), RUN_FILES)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full here")
    def test_on_a_full_disk_is_a_failure(self):
        for words in [("train", SMALL), ("list",), ("data", "info", SMALL), ("doctor",),
                      ("--help",), ("--version",)]:
            with self.subTest(" ".join(words)), open("/dev/full", "wb") as full:
                run = self.run_with_output(full, *words)
                self.assertEqual(run.returncode, FAILED)
                self.assertIn(b"standard output: No space left on device", run.stderr)


class OddData(CommandLineTest):
    def test_of_one_sample_more_workers_and_empty_rows_is_learnt(self):
        self.write("one.svm", "2.5 1:1\n")
        self.write("zeros.svm", "1\n-1\n1 1:0\n-1 3:0\n")
        for words in [("one.svm",), ("one.svm", "--workers", "50", "--epochs", "9"), ("zeros.svm",),
                      ("one.svm", "--method", "prox-gd"), ("one.svm", "--method", "fista"),
                      ("zeros.svm", "--normalize", "rows"),
                      ("zeros.svm", "--method", "fista"), ("zeros.svm", "--loss", "pca"),
                      (SMALL, "--workers", "1000", "--epochs", "2"),
                      (SMALL, "--trace-every", str(2 ** 62), "--epochs", "2"),
                      (SMALL, "--tolerance", "0", "--epochs", "2")]:
            with self.subTest(" ".join(words)):
                result = self.result(*words)
                self.assertNotEqual(result["stop_reason"], "diverged")
                self.assertIsInstance(result["objective"], float)

    def test_of_one_class_is_refused_by_a_classifier(self):
        self.write("one.svm", "1 1:1\n1 2:1\n")
        run = self.run_program("train", "one.svm", "--loss", "logistic")
        self.assertIn(run.returncode, (USAGE, DATA))
        self.assertIn("label", run.stderr)

    def test_of_a_number_with_zeros_in_front_is_that_number(self):
        result = self.result(SMALL, "--workers", "010", "--steps", "1")
        self.assertEqual(result["settings"]["workers"], 10)

    def test_of_a_test_set_with_other_labels_is_refused_before_the_work(self):
        self.write("train.svm", TINY)
        self.write("test.svm", "3 1:1\n5 2:1\n")
        said = self.fail_with(DATA, "train", "train.svm", "--test", "test.svm")
        self.assertIn("test.svm: sample 1: expected label -1 or 1", said)

    def test_of_values_too_large_to_square_is_blamed_on_the_data(self):
        self.write("huge.svm", "1 1:1e308 2:1e308\n-1 1:-1e308 2:3\n")
        run = self.run_program("train", "huge.svm")
        if run.returncode != DONE:
            self.assertEqual(run.returncode, DATA, run.stderr)
            self.assertIn("huge.svm", run.stderr)

    def test_of_labels_too_large_to_square_diverges_at_once(self):
        self.write("far.svm", "1e200 1:1\n-1e200 1:-1\n1 1:2\n")
        for method in ("auto", "asyn-prox-sgd", "asyn-prox-svrg", "fista"):
            with self.subTest(method):
                run = self.run_program("train", "far.svm", "--loss", "squared", "--method", method)
                self.assertEqual(run.returncode, DIVERGED, run.stderr)

    def test_of_passes_in_impossible_pieces_is_refused(self):
        for pieces in ("1e300", "4294967298", "2.5", "7"):
            with self.subTest(pieces):
                said = self.fail_with(USAGE, "train", SMALL, "--method", "asyn-prox-sgd", "--workers",
                                      "2", "--sampling", "passes:" + pieces)
                self.assertIn("pieces", said)

    def test_of_huge_rows_is_learnt_like_equal_ones_once_normalised(self):
        self.write("huge.svm", "1 1:3e200 2:4e200\n-1 1:-3e-200\n")
        self.write("equal.svm", "1 1:0.6 2:0.8\n-1 1:-1\n")
        huge, equal = (self.result(name, "--normalize", "rows", "--method", "fista", "--steps",
                                   "20") for name in ("huge.svm", "equal.svm"))
        self.assertAlmostEqual(huge["objective"], equal["objective"], places=9)

    def test_of_a_quoted_file_name_is_kept_in_the_settings(self):
        self.write("a,b.txt", "1\n" * 20)
        spec = 'weighted-l1:1e-3,weights="a,b.txt"'
        result = self.result(SMALL, "--regularizer", spec, "--steps", "1")
        self.assertEqual(result["settings"]["regularizer"], spec)


if __name__ == "__main__":
    unittest.main()
