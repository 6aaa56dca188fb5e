#!/usr/bin/env python3
"""Standard streams that are closed, full or read by nobody, and what may be shown on a terminal."""

import os
import pty
import select
import subprocess
import unittest

from cli_testing import (DATA, DONE, PROGRAM, SECONDS_MAX, SMALL, TINY, USAGE,
                         CommandLineTest, strict_json)

RUN_FILES = {"run.json", "trace.csv", "model.json", "events.log"}
# The plan has a warning about the bound, which is told after the fit.
WARNED = ["train", SMALL, "--workers", "4", "--pushes-per-step", "1", "--staleness-max", "0",
          "--epochs", "2"]
RED = "\x1b[31mred\x9b"


class StreamTest(CommandLineTest):
    def run_with(self, *words, **streams):
        return subprocess.run([PROGRAM, *words], cwd=self.folder, timeout=SECONDS_MAX,
                              **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                                 "stderr": subprocess.PIPE, **streams})

    def files(self, folder="run"):
        return set(os.listdir(self.folder / folder))

    def starts_as_events(self, folder):
        """Whether nothing else was written into events.log."""
        return (self.folder / folder / "events.log").read_bytes().startswith(b"asynprox-events")


class StandardError(StreamTest):
    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full here")
    def test_that_is_full_costs_neither_the_run_nor_the_exit_code(self):
        self.write("whole.svm", "1 1:1\n2 1:2\n3 1:3\n")  # warned about before the fit
        for name, words, code in [("after", WARNED, DONE),
                                  ("before", ["train", "whole.svm", "--epochs", "2"], DONE),
                                  ("usage", ["train", SMALL, "--epochs", "-1"], USAGE),
                                  ("data", ["train", "missing.svm"], DATA)]:
            with self.subTest(name), open("/dev/full", "wb") as full:
                run = self.run_with(*words, "--out", name, stderr=full)
                self.assertEqual(run.returncode, code)
                if code == DONE:
                    self.assertEqual(self.files(name), RUN_FILES)

    def test_that_is_closed_costs_nothing(self):
        run = self.run_with(*WARNED, "--out", "run", stderr=None, preexec_fn=lambda: os.close(2))
        self.assertEqual(run.returncode, DONE)
        self.assertEqual(self.files(), RUN_FILES)
        self.assertTrue(self.starts_as_events("run"))


class StandardOutput(StreamTest):
    def test_that_is_closed_is_not_taken_for_a_file(self):
        run = self.run_with("train", SMALL, "--epochs", "2", "--out", "run", stdout=None,
                            preexec_fn=lambda: os.close(1))
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertTrue(self.starts_as_events("run"))
        self.succeed("replay", "run")

    def test_may_be_closed_with_all_the_others(self):
        def close_all():
            for descriptor in range(3):
                os.close(descriptor)

        run = self.run_with("train", SMALL, "--epochs", "2", "--out", "run", stdin=None,
                            stdout=None, stderr=None, preexec_fn=close_all)
        self.assertEqual(run.returncode, DONE)
        self.succeed("replay", "run")

    def test_whose_reader_is_gone_does_not_cost_the_run(self):
        reader, writer = os.pipe()
        os.close(reader)
        run = self.run_with("train", SMALL, "--epochs", "2", "--out", "run", stdout=writer)
        os.close(writer)
        self.assertEqual((run.returncode, run.stderr), (DONE, b""))
        self.assertEqual(self.files(), RUN_FILES)
        self.succeed("replay", "run")

    def test_whose_reader_is_gone_ends_predictions_of_endless_data(self):
        self.succeed("train", SMALL, "--epochs", "2", "--out", "run")
        process = subprocess.Popen([PROGRAM, "predict", "run/model.json", "-"], cwd=self.folder,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.addCleanup(process.kill)
        process.stdout.close()
        with self.assertRaises(BrokenPipeError):  # once the program has ended
            for _ in range(10 ** 6):
                process.stdin.write(TINY.encode() * 1000)
        process.stdin.close()
        self.assertEqual(process.wait(SECONDS_MAX), DONE)


class StandardInput(StreamTest):
    def test_that_is_closed_is_empty(self):
        run = self.run_with("train", "-", stdin=None, preexec_fn=lambda: os.close(0))
        self.assertEqual(run.returncode, DATA)
        self.assertIn(b"standard input", run.stderr)


class ControlCharacters(StreamTest):
    def setUp(self):
        super().setUp()
        self.table = self.write(
            "table.csv", "a{0},b,y\n1,2,{0}\n2,1,blue\n3,0,{0}\n0,5,blue\n".format(RED))
        self.succeed("train", self.table, "--epochs", "20", "--out", "run")

    def assert_printable(self, output):
        text = output.decode()  # is UTF-8
        bad = [c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160)]
        self.assertEqual(bad, [], text)
        return text

    def test_of_labels_and_names_do_not_reach_the_terminal(self):
        for words in [("data", "info", self.table),
                      ("evaluate", "run/model.json", self.table),
                      ("train", self.table, "--epochs", "2")]:
            with self.subTest(" ".join(words)):
                run = self.run_with(*words)
                self.assertEqual((run.returncode, run.stderr), (DONE, b""))
                text = self.assert_printable(run.stdout)
                if words[0] != "train":
                    self.assertIn(r"\x1b[31mred\xc2\x9b", text)

    def test_are_the_same_in_json_and_escaped(self):
        for words in [("data", "info", self.table), ("evaluate", "run/model.json", self.table)]:
            with self.subTest(words[0]):
                run = self.run_with(*words, "--json")
                found = strict_json(self.assert_printable(run.stdout))
                labels = (found["confusion"]["labels"] if words[0] == "evaluate"
                          else [each["label"] for each in found["labels"]["distinct"]])
                self.assertIn(RED, labels)
        run = self.run_with("train", self.table, "--epochs", "2", "--positive-label", RED, "--json")
        found = strict_json(self.assert_printable(run.stdout))
        self.assertEqual(found["settings"]["positive-label"], RED)

    def test_of_paths_and_specs_do_not_reach_the_terminal(self):
        self.write(RED + ".svm", TINY)
        run = self.run_with("train", RED + ".svm", "--epochs", "2", "--out", RED)
        self.assertEqual(run.returncode, DONE)
        self.assertIn(r"\x1b[31mred", self.assert_printable(run.stdout))
        self.write("bad\nname.csv", "a,b\n1,{}\n2,{}\n".format(RED, RED))
        for code, words in [(USAGE, [SMALL, "--loss", RED]), (DATA, [RED]),
                            (USAGE, [SMALL, "--" + RED]), (USAGE, [SMALL, "--step", RED]),
                            (USAGE, [self.table, "--positive-label", RED + "d"]),
                            (DATA, [self.table, "--label-column", RED]),
                            (DATA, ["bad\nname.csv", "--loss", "squared"])]:
            with self.subTest(repr(words)):
                run = self.run_with("train", *words)
                self.assertIn(run.returncode, (code, DATA, USAGE), run.stderr)
                self.assertEqual(self.assert_printable(run.stderr).count("\n"), 1)
                self.assert_printable(run.stdout)

    def test_are_kept_in_predictions_for_a_file(self):
        run = self.run_with("predict", "run/model.json", self.table)
        self.assertEqual(set(run.stdout.decode().splitlines()) - {RED, "blue"}, set())
        self.assertIn(RED.encode(), run.stdout)

    def test_are_shown_in_predictions_for_a_person(self):
        terminal, there = pty.openpty()
        run = self.run_with("predict", "run/model.json", self.table, stdout=there)
        os.close(there)
        shown = b""
        while select.select([terminal], [], [], 0)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:
                break
        os.close(terminal)
        self.assertEqual(run.returncode, DONE)
        self.assertIn(r"\x1b[31mred", self.assert_printable(shown.replace(b"\r\n", b"\n")))


if __name__ == "__main__":
    unittest.main()
