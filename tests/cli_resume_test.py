#!/usr/bin/env python3
"""Runs that are killed, terminated or interrupted at random moments, and resumed: the bits of a run that
was not, with one worker; the bound, the books and a record that replays, with several.

ASYNPROX_INTERRUPTIONS is how many moments there are (20).
"""

import os
import random
import signal
import subprocess
import time
import unittest
from pathlib import Path

from cli_testing import (DATA, FAILED, INTERRUPTED, NOT_CONVERGED, PROGRAM, SECONDS_MAX, TERMINATED, USAGE,
                         CommandLineTest, strict_json)

INTERRUPTIONS = int(os.environ.get("ASYNPROX_INTERRUPTIONS", "20"))
DATA_SET = "generate:sparse-logistic:n=20000,d=400,nonzeros=20"
WIDE = "generate:sparse-logistic:n=4000,d=20000,nonzeros=30,columns=uniform"
STEPS = ["--epochs", "60", "--tolerance", "0"]
# Each takes some tenths of a second, so that a signal comes while it is under way.
RUNS = [
    ("dense", [DATA_SET, "--method", "asyn-prox-sgd", "--workers", "1", "--batch-size", "20", *STEPS]),
    ("lazy", [WIDE, "--method", "asyn-prox-sgd", "--workers", "1", "--model-state", "lazy", "--batch-size",
              "10", "--epochs", "100", "--tolerance", "0"]),
    ("saga", [WIDE, "--method", "asyn-prox-saga", "--workers", "1", "--epochs", "300", "--tolerance", "0",
              "--newton", "off", "--fallback", "off"]),
    ("svrg", [DATA_SET, "--method", "asyn-prox-svrg", "--workers", "1", "--batch-size", "20", *STEPS]),
    ("momentum", [DATA_SET, "--method", "asyn-prox-momentum", "--workers", "1", "--batch-size", "20",
                  *STEPS]),
    ("fista", [DATA_SET, "--method", "fista", "--workers", "1", "--steps", "300", "--tolerance", "0"]),
    ("prox-newton", ["generate:sparse-logistic:n=20000,d=1000,nonzeros=40", "--method", "prox-newton", "--workers",
                     "1", "--regularizer", "l1:1e-6", "--tolerance", "1e-13"]),
    ("four threads", [DATA_SET, "--method", "asyn-prox-sgd", "--workers", "4", "--batch-size", "80",
                      *STEPS]),
    ("four threads, saga", [WIDE, "--method", "asyn-prox-saga", "--workers", "4", "--epochs", "200",
                            "--tolerance", "0", "--newton", "off", "--fallback", "off"]),
    ("simulator", [DATA_SET, "--workers", "6", "--epochs", "20", "--tolerance", "0"]),
]


def regularized(words):
    return words if "--regularizer" in words else [*words, "--regularizer", "l1:1e-3"]


class Resume(CommandLineTest):
    def command(self, name, words):
        return ["simulate" if name == "simulator" else "train", *regularized(words)]

    def run_record(self, folder):
        return strict_json(self.read(folder + "/run.json"))

    def interrupt(self, command, folder, number, seconds):
        """Starts or goes on, and sends the signal; the exit code."""
        run = subprocess.Popen([PROGRAM, *command, "--quiet", "--checkpoint-every", "0.01"],
                               cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + seconds
        while run.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        if run.poll() is None:
            run.send_signal(number)
        said = run.communicate(timeout=SECONDS_MAX)[1].decode()
        self.assertIn(run.returncode, (0, NOT_CONVERGED, -number, INTERRUPTED, TERMINATED), said)
        return run.returncode

    def checkpoints(self, folder):
        return sorted(path.name for path in (self.folder / folder).glob("checkpoint.?"))

    def one_round(self, number, name, words, expected, chance):
        """Up to four interruptions of one run; how many there were."""
        folder = "run{}".format(number)
        signals = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
        done = 0
        for leg in range(4):
            which = chance.choice(signals)
            begin = not self.checkpoints(folder)
            command = ([*self.command(name, words), "--out", folder, "--force"] if begin
                       else ["resume", folder])
            code = self.interrupt(command, folder, which, chance.uniform(0.01, expected["took"]))
            done += code not in (0, NOT_CONVERGED)
            if code in (0, NOT_CONVERGED):
                break
            if which != signal.SIGKILL and code in (INTERRUPTED, TERMINATED) and (
                    self.folder / folder / "run.json").exists():
                self.assertTrue(self.checkpoints(folder), "a signal left no checkpoint")
        if code not in (0, NOT_CONVERGED):
            if not self.checkpoints(folder):
                return done  # it was killed before the first
            run = self.run_program("resume", folder, "--quiet")
            self.assertIn(run.returncode, (0, NOT_CONVERGED), run.stderr)
        self.expect_as_uninterrupted(folder, name, expected)
        return done

    def expect_as_uninterrupted(self, folder, name, expected):
        result = self.run_record(folder)["result"]
        ledger = result["ledger"]
        self.assertEqual(ledger["received"],
                         ledger["applied"] + ledger["pending"] + sum(ledger["refused"].values()))
        self.assertLessEqual(result["staleness"]["max"], result["staleness"]["bound"])
        if "four" not in name:
            self.assertEqual(self.read(folder + "/model.json"), expected["model"], name)
            for key in ("objective", "gradient_mapping", "steps", "sample_gradients", "stop_reason"):
                self.assertEqual(result[key], expected["result"][key], (name, key))
        self.assertEqual(result["stop_reason"], expected["result"]["stop_reason"], name)
        self.succeed("replay", folder)

    def test_after_random_interruptions_is_as_if_there_were_none(self):
        chance = random.Random(int(os.environ.get("ASYNPROX_SEED", "4")))
        whole, done, rounds = {}, 0, 0
        while done < INTERRUPTIONS:
            name, words = RUNS[rounds % len(RUNS)]
            if name not in whole:
                start = time.monotonic()
                run = self.run_program(*self.command(name, words), "--out", "whole", "--force", "--quiet")
                self.assertIn(run.returncode, (0, NOT_CONVERGED), run.stderr)
                whole[name] = {"model": self.read("whole/model.json"),
                               "result": self.run_record("whole")["result"],
                               "took": time.monotonic() - start}
            with self.subTest(round=rounds, run=name):
                done += self.one_round(rounds, name, words, whole[name], chance)
            rounds += 1
            self.assertLess(rounds, 20 * INTERRUPTIONS, "nothing can be interrupted")
        if INTERRUPTIONS > 20:
            print("{} interruptions of {} runs".format(done, rounds))


class Limits(CommandLineTest):
    words = ["train", "generate:sparse-logistic:n=2000,d=50", "--method", "asyn-prox-sgd", "--workers", "1",
             "--regularizer", "l1:1e-3"]

    def keep(self, *more):
        self.succeed(*self.words, "--epochs", "4", "--checkpoint-every", "7steps", "--out", "run", *more)

    def test_are_those_of_the_run_or_others(self):
        self.keep()
        before = self.read("run/model.json")
        self.succeed("resume", "run")
        self.assertEqual(self.read("run/model.json"), before)
        self.succeed("replay", "run")
        said = self.succeed("resume", "run", "--epochs", "9")
        self.assertRegex(said.stdout, r"resumed     from run/checkpoint\.[01], after \d+ steps")
        record = strict_json(self.read("run/run.json"))
        self.assertAlmostEqual(record["result"]["epochs"], 9, delta=0.5)
        self.assertEqual(record["result"]["settings"]["epochs"], 9)
        self.assertEqual([stop["epochs"] for stop in record["resumed"]], [4])
        self.succeed("replay", "run")

    def test_hold_for_a_run_without_a_record(self):
        self.keep("--no-events")
        self.succeed("resume", "run", "--steps", "1000000")
        self.assertEqual(strict_json(self.read("run/run.json"))["result"]["stop_reason"], "epoch_limit")
        self.assertFalse((self.folder / "run/events.log").exists())

    def test_are_checked(self):
        self.keep()
        self.assertIn("--epochs", self.fail_with(USAGE, "resume", "run", "--epochs", "-1"))
        self.assertIn("--checkpoint-every", self.fail_with(USAGE, "resume", "run", "--checkpoint-every", "x"))

    def test_json_is_the_result(self):
        self.keep()
        result = strict_json(self.succeed("resume", "run", "--json", "--epochs", "6").stdout)
        self.assertEqual(result["stop_reason"], "epoch_limit")


class Files(CommandLineTest):
    words = ["train", "data.svm", "--method", "asyn-prox-sgd", "--workers", "1", "--regularizer", "l1:1e-3",
             "--epochs", "20", "--checkpoint-every", "3steps", "--runtime", "serial", "--out", "run"]

    def setUp(self):
        super().setUp()
        lines = ["{} {}:1 {}:0.5".format(1 if i % 3 else -1, 1 + i % 7, 8 + i % 5) for i in range(300)]
        self.write("data.svm", "\n".join(lines) + "\n")
        self.succeed(*self.words)

    def newest(self):
        files = [self.folder / "run" / name for name in ("checkpoint.0", "checkpoint.1")]
        return max(files, key=lambda path: int.from_bytes(path.read_bytes()[24:32], "little"))

    def test_without_a_checkpoint(self):
        self.assertIn("expected the folder of a run, got no folder", self.fail_with(DATA, "resume", "none"))
        for path in (self.folder / "run").glob("checkpoint.?"):
            path.unlink()
        said = self.fail_with(DATA, "resume", "run")
        self.assertIn("run: expected the folder of a run with checkpoints", said)
        self.assertIn("--checkpoint-every", said)

    def test_a_damaged_one_is_named_and_the_older_one_used(self):
        newest = self.newest()
        content = bytearray(newest.read_bytes())
        content[-1] ^= 1
        newest.write_bytes(content)
        before = self.read("run/model.json")
        said = self.succeed("resume", "run").stderr
        self.assertIn("run/{}: the checkpoint's section 'clock' is damaged; the run goes on from run/checkpoint."
                      .format(newest.name), said)
        self.assertEqual(self.read("run/model.json"), before)
        self.succeed("replay", "run")

    def test_both_damaged(self):
        for name in ("checkpoint.0", "checkpoint.1"):
            self.write("run/" + name, "nothing of the kind")
        said = self.fail_with(DATA, "resume", "run")
        self.assertIn("run/checkpoint.0: expected a checkpoint", said)
        self.assertIn("run/checkpoint.1: expected a checkpoint", said)

    def test_of_other_data(self):
        self.write("data.svm", self.read("data.svm") + "1 1:1\n")
        self.assertIn("data.svm: expected the data of the run", self.fail_with(DATA, "resume", "run"))

    def test_data_that_has_moved(self):
        (self.folder / "data.svm").rename(self.folder / "moved.svm")
        self.assertIn("data.svm", self.fail_with(DATA, "resume", "run"))
        self.succeed("resume", "run", "--data", "moved.svm")

    def test_of_another_form(self):
        for path in (self.folder / "run").glob("checkpoint.?"):
            content = bytearray(path.read_bytes())
            content[8] = 9
            path.write_bytes(content)
        self.assertIn("expected version 1 of the form of checkpoints, got 9", self.fail_with(DATA, "resume", "run"))

    def test_events_that_are_missing_cost_the_record_alone(self):
        (self.folder / "run/events.log").unlink()
        before = self.read("run/model.json")
        said = self.succeed("resume", "run").stderr
        self.assertIn("the run goes on, and cannot be replayed", said)
        self.assertEqual(self.read("run/model.json"), before)
        self.assertFalse((self.folder / "run/events.log").exists())

    def test_of_an_older_run_go_with_force(self):
        self.succeed("train", "data.svm", "--out", "run", "--force", "--steps", "3")
        self.assertFalse(list((self.folder / "run").glob("checkpoint*")))

    def test_need_a_folder(self):
        said = self.fail_with(USAGE, "train", "data.svm", "--checkpoint-every", "3")
        self.assertIn("--checkpoint-every: expected --out FOLDER too", said)

    def test_are_no_input(self):
        self.write("other/checkpoint.0", self.read("data.svm"))
        said = self.fail_with(USAGE, "train", "other/checkpoint.0", "--out", "other", "--force")
        self.assertIn("which is DATA", said)


class FullDisk(CommandLineTest):
    def test_costs_the_checkpoint_and_not_the_run(self):
        """No file grows beyond 20 kB: the model fits, the checkpoints do not."""
        command = ("ulimit -f 20; exec \"$0\" train generate:sparse-logistic:n=20000,d=50 --workers 1 "
                   "--method asyn-prox-saga --newton off --fallback off --regularizer l1:1e-3 --epochs 3 "
                   "--tolerance 0 --no-events --checkpoint-every 5steps --out run --quiet")
        run = subprocess.run(["bash", "-c", "trap '' XFSZ; " + command, PROGRAM], cwd=self.folder,
                             stderr=subprocess.PIPE, timeout=SECONDS_MAX)
        said = run.stderr.decode()
        self.assertEqual(run.returncode, 0, said)
        self.assertEqual(said.count("no checkpoint after"), 1, said)
        self.assertRegex(said, r"warning: no checkpoint after \d+ steps: run/checkpoint\.0: cannot be written: "
                               r"File too large; the run goes on, and there is none yet")
        self.assertTrue((self.folder / "run/model.json").exists())
        self.assertFalse(list((self.folder / "run").glob("checkpoint*")))


if __name__ == "__main__":
    unittest.main()
