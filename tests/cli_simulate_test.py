#!/usr/bin/env python3
"""asynprox simulate: a virtual cluster, described on the command line."""

import signal
import subprocess
import time
import unittest

from cli_testing import (DATA, FAILED, PROGRAM, SECONDS_MAX, SMALL, TERMINATED, USAGE,
                         CommandLineTest, strict_json)


class Simulate(CommandLineTest):
    def simulated(self, *words):
        run = self.succeed("simulate", SMALL, "--regularizer", "l1:1e-3", "--epochs", "5", "--json",
                           *words)
        return strict_json(run.stdout)

    def test_is_the_same_whenever_it_is_run(self):
        words = ["--workers", "9", "--speeds", "0.2/1/3", "--pipelined"]
        one, two = self.simulated(*words), self.simulated(*words)
        for result in (one, two):
            del result["evaluation_seconds"]
        self.assertEqual(one, two)
        self.assertEqual(one["settings"]["runtime"], "simulated")
        self.assertEqual(one["settings"]["speeds"], "0.2/1/3")

    def test_a_slow_worker_costs_the_synchronous_method_more(self):
        words = ["--workers", "8", "--compute", "constant:1000", "--batch-size", "80",
                 "--latency-up", "0", "--latency-down", "0", "--speeds", "0.25"]
        asynchronous = self.simulated(*words, "--method", "asyn-prox-sgd")["seconds"]
        synchronous = self.simulated(*words, "--method", "prox-sgd")["seconds"]
        backup = self.simulated(*words, "--method", "prox-sgd", "--pushes-per-step", "7",
                                "--batch-size", "77")["seconds"]
        self.assertGreater(synchronous / asynchronous, 2.5)
        self.assertGreater(synchronous / backup, 2.5)

    def test_says_how_the_time_was_spent(self):
        simulation = self.simulated("--workers", "4", "--latency-up", "1", "--push-seconds",
                                    "0.5")["simulation"]
        self.assertGreater(simulation["on_network"], 0.3)
        self.assertGreater(simulation["server_busy"], 0.8)
        run = self.succeed("simulate", SMALL, "--steps", "3")
        self.assertRegex(run.stdout, r"run .* virtual s")
        self.assertRegex(run.stdout, r"cluster .* of the time")

    def test_faults_are_counted_and_survived(self):
        result = self.simulated("--workers", "4", "--faults",
                                "random:loss=0.1,duplication=0.1,reordering=0.2,deaths=0.5")
        simulation, ledger = result["simulation"], result["ledger"]
        for key in ("lost", "duplicated", "late", "deaths", "asked_again"):
            self.assertGreater(simulation[key], 0, key)
        self.assertEqual(ledger["received"],
                         ledger["applied"] + ledger["pending"] + sum(ledger["refused"].values()))
        self.assertLessEqual(result["staleness"]["max"], result["staleness"]["bound"])

    def test_lost_replies_to_workers_that_remember_their_samples_are_survived(self):
        for seed in range(1, 6):
            run = self.succeed("simulate", "generate:sparse-logistic:n=400,d=60,nonzeros=6",
                               "--method", "asyn-prox-saga", "--model-state", "lazy", "--workers",
                               "4", "--epochs", "20", "--step", "constant:0.01", "--faults",
                               "random:loss=0.05,deaths=0.2", "--seed", str(seed), "--json")
            result = strict_json(run.stdout)
            self.assertGreater(result["simulation"]["lost"], 0)
            self.assertLess(result["objective"], 0.6931)

    def test_a_recorded_simulation_replays(self):
        self.succeed("simulate", SMALL, "--workers", "5", "--epochs", "3", "--out", "run",
                     "--pipelined", "--outages", "1/0.001/0.002", "--detection", "0.0001")
        self.assertIn("the same bits: ", self.succeed("replay", "run").stdout)
        # Where messages are lost there is no record: the command itself gives the same run.
        self.succeed("simulate", SMALL, "--epochs", "1", "--out", "faulty", "--faults",
                     "random:loss=0.1")
        self.assertFalse((self.folder / "faulty" / "events.log").exists())

    def test_calibrate_makes_no_worker_faster_than_this_machine(self):
        measured = self.simulated("--calibrate")["simulation"]["samples_per_second"]
        self.assertGreater(measured, 0)
        slow = self.simulated("--calibrate", "--compute", "lognormal:10")["simulation"]
        self.assertEqual(slow["samples_per_second"], 10)

    def test_says_what_makes_no_sense(self):
        for words, pattern in (
                (["--compute", "gama:3"], "no compute time 'gama'"),
                (["--compute", "lognormal:-1"], "rate: expected > 0, got -1"),
                (["--latency-up", "-1"], "latency-up: expected a number of at least 0, got -1"),
                (["--rate-down", "0"], "rate-down: expected a number above 0, got 0"),
                (["--push-seconds", "x"], "--push-seconds: expected a number, got 'x'"),
                (["--speeds", "1/0"], "speeds: expected a number above 0, got 0"),
                (["--speeds", "1/1/1"], "speeds: expected at most 2, one per worker, got 3"),
                (["--outages", "1"], "--outages: expected WORKER/FROM"),
                (["--outages", "7/1"], "expected a worker from 0 to 1, got 7"),
                (["--outages", "1/2/1"], "until: expected a number of at least 2, got 1"),
                (["--faults", "random:los=1"], "did you mean 'loss'"),
                (["--faults", "random:loss=2"], "loss: expected"),
                (["--separate-pull", "--faults", "random:loss=0.1"], "messages can be lost only"),
                (["--pipelined", "--method", "prox-sgd"], "pipelined: prox-sgd"),
                (["--runtime", "threads"], "no option '--runtime'"),
                (["--timeout", "0"], "timeout: expected a number above 0, got 0")):
            with self.subTest(words):
                self.assertIn(pattern,
                              self.fail_with(USAGE, "simulate", SMALL, "--workers", "2", *words))
        self.fail_with(DATA, "simulate", "absent.svm")

    def test_messages_that_take_far_longer_than_the_timeout_do_not_pile_up(self):
        for words in [("--timeout", "1e-12", "--faults", "random:loss=0.2"),
                      ("--faults", "random:reordering=1,lateness=1e99"),
                      ("--timeout", "1e-9", "--push-seconds", "1e-3", "--faults",
                       "random:duplication=1")]:
            with self.subTest(words):
                simulation = self.simulated("--method", "asyn-prox-sgd", "--workers", "3",
                                            *words)["simulation"]
                self.assertGreater(simulation["asked_again"], 0)
                self.assertLess(simulation["messages"], 1e6)

    def test_a_timeout_that_does_not_move_the_clock_is_refused(self):
        said = self.fail_with(USAGE, "simulate", SMALL, "--workers", "3", "--timeout", "1e-12",
                              "--push-seconds", "1e20", "--faults", "random:duplication=1",
                              "--quiet")
        self.assertIn("timeout: 1e-12 seconds do not move the virtual clock", said)

    def test_workers_that_die_before_any_push_is_accepted_end_the_run(self):
        faults = ["--faults", "random:deaths=0.9"]
        for words in (["--latency-down", "1e18", "--detection", "1e9", *faults],
                      ["--latency-down", "1e6", "--faults", "random:deaths=0.1"],
                      ["--rate-up", "1e-9", *faults], ["--step-seconds", "1e18", *faults]):
            with self.subTest(words):
                said = self.fail_with(USAGE, "simulate", SMALL, "--workers", "3", "--epochs", "4",
                                      "--quiet", *words)
                self.assertRegex(said, "faults: workers died [0-9]+ times, up to .* virtual seconds, "
                                       "without one gradient accepted")

    def test_it_can_be_ended_while_no_message_arrives(self):
        run = subprocess.Popen([PROGRAM, "simulate", SMALL, "--workers", "3", "--quiet", "--out",
                                "run", "--faults", "random:loss=0.9999999999999"],
                               cwd=self.folder, stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        end = time.monotonic() + SECONDS_MAX
        while not (self.folder / "run").exists():  # made when the run begins
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        run.send_signal(signal.SIGTERM)
        self.assertEqual(run.wait(SECONDS_MAX), TERMINATED)
        result = strict_json(self.read("run/run.json"))["result"]
        self.assertEqual(result["stop_reason"], "interrupted")

    def test_without_any_worker_it_says_so(self):
        run = self.run_program("simulate", SMALL, "--workers", "1", "--outages", "0/0.001")
        self.assertEqual(run.returncode, FAILED)
        self.assertIn("no worker is left", run.stderr)


if __name__ == "__main__":
    unittest.main()
