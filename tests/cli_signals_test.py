#!/usr/bin/env python3
"""Someone at the terminal: progress is shown to them alone, and Ctrl-C keeps what was learnt."""

import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

from cli_testing import (HUNG_UP, OUT_OF_TIME, INTERRUPTED, PROGRAM, SECONDS_MAX, SMALL, TERMINATED, TINY,
                         CommandLineTest, TerminalRun, coefficients, strict_json)

# Far longer than the tests wait, and under way within a second.
ENDLESS = ["train", "generate:sparse-logistic:n=200000,d=2000", "--epochs", "100000",
           "--trace-every", "20", "--fallback", "off"]
SIGNALS = [(signal.SIGINT, INTERRUPTED), (signal.SIGTERM, TERMINATED), (signal.SIGHUP, HUNG_UP),
           (signal.SIGXCPU, OUT_OF_TIME)]
PROGRESS = r"\d+ steps, .*objective [0-9.]+"


class TerminalTest(CommandLineTest):
    def start(self, *words):
        run = TerminalRun(words, self.folder)
        self.addCleanup(run.close)
        return run

    def start_endless(self, *words):
        run = self.start(*ENDLESS, *words)
        self.assertTrue(run.wait_for(r"[1-9]\d* steps"), run.text)
        return run


class Signal(TerminalTest):
    def test_ends_the_run_and_saves_what_was_learnt(self):
        for number, exit_code in SIGNALS:
            with self.subTest(number.name):
                run = self.start_endless("--out", number.name)
                run.send(number)
                self.assertEqual(run.end(), exit_code, run.text)
                result = strict_json(self.read(number.name + "/run.json"))["result"]
                self.assertEqual(result["stop_reason"], "interrupted")
                self.assertGreater(result["steps"], 0)
                model = strict_json(self.read(number.name + "/model.json"))
                self.assertTrue(any(coefficients(model)))
                last = self.read(number.name + "/trace.csv").splitlines()[-1].split(",")
                self.assertEqual(int(last[1]), result["steps"])
                self.assertIn(b"interrupted", run.process.stdout.read())

    def test_ends_a_paced_run_in_the_middle_of_a_pause(self):
        run = self.start_endless("--workers", "2", "--pushes-per-step", "1", "--staleness-max",
                                 "1000000000", "--pace", "1e6", "--speeds", "1/1e-15",
                                 "--out", "paced")
        run.send(signal.SIGINT)
        self.assertEqual(run.end(), INTERRUPTED, run.text)
        settings = strict_json(self.read("paced/run.json"))["result"]["settings"]
        self.assertEqual((settings["pace"], settings["speeds"]), (1e6, "1/1e-15"))

    def test_that_is_ignored_stays_so(self):
        """As with nohup."""
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # which a new process inherits
        self.addCleanup(signal.signal, signal.SIGHUP, before)
        run = self.start_endless("--out", "ignored")
        run.send(signal.SIGHUP)
        run.send(signal.SIGINT)  # were it the second that counts, nothing would be saved
        self.assertEqual(run.end(), INTERRUPTED, run.text)
        result = strict_json(self.read("ignored/run.json"))["result"]
        self.assertEqual(result["stop_reason"], "interrupted")

    def test_twice_ends_the_program_at_once(self):
        for number, exit_code in SIGNALS:
            with self.subTest(number.name):
                run = self.start_endless()
                run.send(number)
                time.sleep(0.001)  # two at the same moment are one
                run.send(number)
                self.assertEqual(run.end(seconds=5), exit_code)

    def test_while_data_is_read_ends_the_program(self):
        for number, exit_code in SIGNALS:
            with self.subTest(number.name):
                run = self.start("train", "-")
                run.process.stdin.write(TINY.encode() * 10000)  # more than a pipe holds
                run.send(number)
                self.assertIn(run.end(), (exit_code, -number))


class Planning(CommandLineTest):
    def watches(self, run):
        """Whether the program has set its handler of SIGTERM."""
        status = Path("/proc/{}/status".format(run.pid)).read_text(encoding="utf-8")
        caught = int(re.search(r"SigCgt:\s*([0-9a-f]+)", status).group(1), 16)
        return bool(caught >> (signal.SIGTERM - 1) & 1)

    def test_is_ended_at_once_and_leaves_nothing(self):
        self.write("wide.svm", "1 4000000:1\n-1 1:1\n1 3:2\n")
        for attempt in range(5):
            folder = self.folder / str(attempt)
            run = subprocess.Popen([PROGRAM, "train", "wide.svm", "--quiet", "--out", folder],
                                   cwd=self.folder, stderr=subprocess.PIPE)
            while run.poll() is None and not self.watches(run):
                time.sleep(0.001)
            run.send_signal(signal.SIGTERM)
            said = run.communicate(timeout=SECONDS_MAX)[1]
            if folder.exists():
                continue  # the run had begun before we looked
            self.assertEqual(run.returncode, TERMINATED, said)
            return
        self.fail("no signal ended a run that was still planned")


class Progress(TerminalTest):
    # Long enough to be told.
    words = ["train", SMALL, "--seconds", "1", "--trace-every", "50", "--fallback", "off"]

    def test_is_one_line_with_steps_and_objective(self):
        run = self.start(*self.words)
        self.assertEqual(run.end(), 0)
        self.assertRegex(run.text, PROGRESS)
        self.assertNotIn("\n", run.text)
        self.assertTrue(run.text.endswith("\r\033[K"), repr(run.text[-80:]))

    def test_is_shown_to_no_one_who_asked_for_quiet(self):
        run = self.start(*self.words, "--quiet")
        self.assertEqual(run.end(), 0)
        self.assertEqual(run.text, "")

    def test_is_not_written_to_a_pipe(self):
        self.assertEqual(self.succeed(*self.words).stderr, "")


if __name__ == "__main__":
    unittest.main()
