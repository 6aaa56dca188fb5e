#!/usr/bin/env python3
"""A recorded run, made again: the same bits, or the reason why not."""

import json
import os
import resource
import subprocess
import unittest
from functools import partial

from cli_testing import (DATA, DONE, FAILED, NOT_CONVERGED, PROGRAM, SECONDS_MAX, SMALL, TINY,
                         USAGE, CommandLineTest, coefficients, strict_json)

HEADER_BYTES, EVENT_BYTES = 512, 32


class RecordedTest(CommandLineTest):
    def record(self, *words, data=SMALL, folder="run", code=DONE):
        run = self.run_program("train", data, "--workers", "3", "--epochs", "5", "--regularizer",
                               "l1:1e-3", "--out", folder, *words)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def replay(self, *words, folder="run", code=DONE):
        run = self.run_program("replay", folder, *words)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def change_events(self, change, folder="run"):
        path = self.folder / folder / "events.log"
        path.write_bytes(change(path.read_bytes()))


class Replay(RecordedTest):
    def test_gives_the_same_bits_whatever_the_settings(self):
        for words in ([], ["--method", "prox-sgd"], ["--method", "fista"], ["--runtime", "serial"],
                      ["--seconds", "0.05", "--normalize", "rows"], ["--model-state", "lazy"],
                      ["--pace", "1e5", "--speeds", "1/0.5"],
                      ["--center"], ["--center", "--normalize", "rows", "--method", "prox-gd"],
                      ["--delays", "uniform:3", "--workers", "3", "--pushes-per-step", "2",
                       "--batch-size", "4"],
                      ["--step", "theory"],
                      ["--staleness-policy", "recompute", "--staleness-max", "1", "--pin", "cores"],
                      ["--trace-every", "3", "--start", "random", "--seed", "77"]):
            with self.subTest(words):
                self.record(*words, "--force")
                self.assertIn("the same bits: ", self.replay().stdout)

    def test_as_json_counts_what_was_compared(self):
        self.record()
        result = strict_json(self.read("run/run.json"))["result"]
        replayed = strict_json(self.replay("--json").stdout)
        self.assertEqual(replayed["same"], True)
        self.assertIsNone(replayed["difference"])
        self.assertEqual(replayed["pushes"], result["ledger"]["received"])
        self.assertEqual(replayed["steps"], result["steps"])

    def test_finds_an_event_that_was_changed(self):
        self.record()

        def flip(content):  # a bit of the first evaluation's hash of the model
            changed = bytearray(content)
            kinds = [content[i + 14] for i in range(HEADER_BYTES, len(content), EVENT_BYTES)]
            changed[HEADER_BYTES + EVENT_BYTES * kinds.index(3) + 24] ^= 1
            return bytes(changed)

        self.change_events(flip)
        self.assertIn("not the same: the model at step 0 has other numbers",
                      self.replay(code=FAILED).stdout)

    def test_of_another_build_is_refused_with_the_reason(self):
        self.record()
        build = strict_json(self.read_header())
        for key, word in [("version", "version"), ("compiler", "compiler"), ("libm", "libm"),
                          ("flags", "flags"), ("simd_level", "SIMD level")]:
            with self.subTest(key):
                self.record("--force")
                self.change_header({**build, key: "other"})
                error = self.replay(code=DATA).stderr
                self.assertIn("recorded with " + word + " other, this is ", error)

    def read_header(self):
        content = (self.folder / "run" / "events.log").read_bytes()
        return content[:HEADER_BYTES].decode().split("\n")[1]

    def change_header(self, build):
        def change(content):
            header = "asynprox-events 1\n" + json.dumps(build)
            return header.encode().ljust(HEADER_BYTES) + content[HEADER_BYTES:]

        self.change_events(change)

    def test_of_a_lower_simd_level_needs_that_level(self):
        level = self.run_program("doctor").stdout.split("kernels")[1].split("(of ")[1].split(",")[0]
        self.record("--simd", level)
        if strict_json(self.read("run/run.json"))["machine"]["simd_level"] != level:
            self.fail("--simd was not obeyed")
        run = self.run_program("replay", "run")
        if run.returncode == DONE:
            self.skipTest("this machine has one level only")
        self.assertIn("; try --simd " + level, run.stderr)
        self.replay("--simd", level)

    def test_of_data_that_changed_is_refused(self):
        self.write("data", TINY)
        self.record(data="data")
        self.replay()
        self.write("data", TINY.replace("0.5", "0.25"))
        self.assertIn("expected the data of the run", self.replay(code=DATA).stderr)

    def test_finds_data_that_moved(self):
        self.write("data", TINY)
        self.record(data="data")
        (self.folder / "data").rename(self.folder / "moved")
        self.replay(code=DATA)
        self.replay("--data", "moved")

    def test_of_a_damaged_or_missing_record_says_so(self):
        self.record()
        self.change_events(lambda content: content[:-7])
        self.assertIn("got 25 bytes more", self.replay(code=DATA).stderr)
        self.change_events(lambda content: content[:100])
        self.assertIn("expected the events of a run", self.replay(code=DATA).stderr)
        self.record("--force", "--no-events")
        self.assertFalse((self.folder / "run" / "events.log").exists())
        self.assertIn("events.log", self.replay(code=DATA).stderr)
        self.assertIn("run.json", self.replay(folder="nowhere", code=DATA).stderr)


class HostileRecord(RecordedTest):
    def change_run(self, change):
        record = strict_json(self.read("run/run.json"))
        change(record)
        self.write("run/run.json", json.dumps(record))

    def test_has_data_that_is_a_path_and_no_option(self):
        for path in ["--help", "-h", "--config=other.toml", "--version", ""]:
            with self.subTest(path):
                self.record("--force")
                self.change_run(lambda record: record["problem"]["data"].update(path=path))
                run = self.replay(code=DATA)
                self.assertIn(path or "problem.data.path", run.stderr)
                self.assertEqual(run.stdout, "")
        self.assertIn("--help: no such file", self.replay("--data=--help", code=DATA).stderr)

    def test_with_fields_that_no_run_records_is_bad_data(self):
        for part, name, value in [("problem", "config", "other.toml"), ("problem", "out", "elsewhere"),
                                  ("plan", "help", True), ("plan", "log", "elsewhere")]:
            with self.subTest(name):
                self.record("--force")
                self.change_run(lambda record: record[part].update({name: value}))
                self.assertIn("{}: expected no such field".format(part), self.replay(code=DATA).stderr)
                self.assertFalse((self.folder / "elsewhere").exists())

    def test_with_numbers_that_make_no_sense_is_bad_data(self):
        def damage(*path, value):
            def change(record):
                part = record["plan"]
                for name in path[:-1]:
                    part = part[name]
                self.assertIn(path[-1], part)
                part[path[-1]] = value
            return change
        for change in [damage("seed", value="many"), damage("version", value=2),
                       damage("workers", "workers", value=0),
                       damage("workers", "slots", value=100000000),
                       damage("workers", "pushes_per_step", value=0),
                       damage("batch", "size", value=0), damage("batch", "size", value=1 << 62),
                       damage("batch", "pushes_per_pass", value=-1),
                       damage("steps", "context", "steps_per_epoch", value=1e-20),
                       damage("steps", "context", "steps_per_epoch", value=1e300),
                       damage("steps", "reference_step", value="nan"),
                       damage("method", "method", value="prox-gd"),
                       damage("method", "step", value="theory"),
                       damage("state", value="auto"), damage("start", value="given"),
                       damage("stop", value=None)]:
            with self.subTest():
                self.record("--force")
                self.change_run(change)
                run = self.replay(code=DATA)
                self.assertRegex(run.stderr, r"plan")
                self.assertEqual(run.stdout, "")

    def test_of_another_version_is_refused_with_the_reason(self):
        self.record()
        self.change_run(lambda record: record.update(schema_version=1))
        self.assertIn("recorded by another version of asynprox", self.replay(code=DATA).stderr)

    def test_that_goes_on_after_the_end_is_refused(self):
        self.record()
        self.change_events(lambda content: content + content[-EVENT_BYTES:])
        self.assertIn("the record goes on after the run's end", self.replay(code=FAILED).stdout)


class Label(RecordedTest):
    def test_that_reads_true_is_no_flag(self):
        self.write("table.csv", "a,y\n1,true\n2,false\n3,true\n0,false\n")
        self.record("--positive-label", "true", "--intercept", data="table.csv")
        self.replay()


class Recording(RecordedTest):
    def test_that_finds_the_disk_full_keeps_the_model(self):
        # There is room for each of the other files.
        limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (20000, 20000))
        run = subprocess.run([PROGRAM, "train", SMALL, "--method", "asyn-prox-sgd", "--batch-size",
                              "2", "--workers", "2", "--steps", "2000", "--out", "run"],
                             cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             preexec_fn=limit, timeout=SECONDS_MAX)
        self.assertEqual(run.returncode, FAILED)
        self.assertIn(b"events.log: cannot be written: File too large", run.stderr)
        self.assertTrue(any(coefficients(strict_json(self.read("run/model.json")))))
        self.assertEqual(sorted(os.listdir(self.folder / "run")),
                         ["model.json", "run.json", "trace.csv"])

    def test_leaves_thirty_two_bytes_a_message(self):
        self.record()
        result = strict_json(self.read("run/run.json"))["result"]
        size = (self.folder / "run" / "events.log").stat().st_size
        events = (size - HEADER_BYTES) / EVENT_BYTES
        evaluations = len(self.read("run/trace.csv").splitlines()) - 1
        # A worker whose thread starts after the end does not even pull.
        pulls = events - result["ledger"]["received"] - evaluations - 2
        self.assertIn(pulls, (1, 2, 3))


class Log(RecordedTest):
    def test_has_every_evaluation_as_a_line_of_json(self):
        self.record("--log", "log")
        lines = [strict_json(line) for line in self.read("log").splitlines()]
        evaluations = [line for line in lines if line["event"] == "evaluation"]
        trace = self.read("run/trace.csv").splitlines()[1:]
        self.assertEqual([line["steps"] for line in evaluations],
                         [int(row.split(",")[1]) for row in trace])
        for line in lines:
            if line["event"] == "progress":
                self.assertGreaterEqual(line["sample_gradients_per_second"], 0)

    def test_has_the_duality_gap_of_each_evaluation(self):
        # The gap of plain methods is known at every evaluation, where there is a tolerance.
        self.record("--log", "log", "--method", "prox-gd", "--tolerance", "1e-12",
                    code=NOT_CONVERGED)
        lines = [strict_json(line) for line in self.read("log").splitlines()]
        gaps = [line["duality_gap"] for line in lines if line["event"] == "evaluation"]
        cells = [row.split(",")[-1] for row in self.read("run/trace.csv").splitlines()[1:]]
        self.assertGreater(len(gaps), 2)
        self.assertEqual(gaps, [float(cell) for cell in cells])

        self.record("--log", "log", "--loss", "sigmoid", "--force", "--regularizer", "zero")
        lines = [strict_json(line) for line in self.read("log").splitlines()]
        self.assertEqual({line["duality_gap"] for line in lines if line["event"] == "evaluation"},
                         {None})

    def test_that_cannot_be_opened_is_named_before_the_work(self):
        run = self.run_program("train", SMALL, "--log", "no/such/folder/log")
        self.assertEqual(run.returncode, FAILED)
        self.assertIn("--log: no/such/folder/log: No such file or directory", run.stderr)


class Choice(CommandLineTest):
    def test_of_what_is_not_there_names_what_is(self):
        for option, value in [("--simd", "avx9000"), ("--pin", "sockets"), ("--runtime", "telegraph")]:
            run = self.run_program("train", SMALL, option, value)
            self.assertEqual(run.returncode, USAGE, option)
            self.assertIn(value, run.stderr)


if __name__ == "__main__":
    unittest.main()
