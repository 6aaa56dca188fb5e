#!/usr/bin/env python3
"""Runs whose workers are ranks that mpirun starts; and of their twin in one process, --runtime loopback."""

import os
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from cli_testing import DATA, DONE, PROGRAM, SMALL, USAGE, CommandLineTest, strict_json

PEER_FAILED = 5
SECONDS_MAX = 60
DATA_SPEC = "generate:sparse-logistic:n=2000,d=100"
# Longer than any test waits, and never certified.
ENDLESS = [DATA_SPEC, "--method", "asyn-prox-sgd", "--step", "constant:1e-3", "--epochs", "1e7",
           "--tolerance", "0", "--trace-every", "100000", "--json"]

# More ranks than cores; nothing beyond shared memory and loopback; Open MPI's consent to be run by root.
MPIRUN = ["mpirun", "--oversubscribe", "--mca", "btl", "vader,self", "--mca",
          "oob_tcp_if_include", "lo", "--mca", "mpi_yield_when_idle", "1"]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class MpiTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        if not Path(PROGRAM + "-mpi").exists():
            self.skipTest("asynprox-mpi was not built: there is no MPI")
        if not shutil.which("mpirun"):
            self.skipTest("mpirun is not installed")

    def start(self, ranks, *words):
        return self.start_each([(ranks, words)])

    def start_each(self, parts):
        """Ranks with command lines of their own: (how many, words of `train`)."""
        command = list(MPIRUN)
        for ranks, words in parts:
            command += [":"] if command[-1] != "1" else []
            command += ["-n", str(ranks), PROGRAM, "train", *words, "--runtime", "mpi"]
        run = subprocess.Popen(command, cwd=self.folder, env=ENVIRONMENT, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        self.addCleanup(self.end, run)
        return run

    def end(self, run):
        if run.poll() is None:
            for pid in self.ranks_of(run):
                os.kill(pid, signal.SIGKILL)
            run.kill()
        run.communicate()

    def finish(self, run, code=DONE):
        """What it printed, and what it said."""
        out, said = run.communicate(timeout=SECONDS_MAX)
        self.assertEqual(run.returncode, code, out + said)
        return out, said

    def train(self, ranks, *words, code=DONE):
        return self.finish(self.start(ranks, *words), code)

    def json_result(self, ranks, *words):
        return strict_json(self.train(ranks, *words, "--json")[0])

    @staticmethod
    def ranks_of(run):
        """The processes of its ranks, by rank."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) != run.pid:
                    continue
                environment = (folder / "environ").read_bytes().split(b"\0")
            except (OSError, ValueError):
                continue
            for entry in environment:
                if entry.startswith(b"OMPI_COMM_WORLD_RANK="):
                    found[int(entry.split(b"=")[1])] = int(folder.name)
        return [found[rank] for rank in sorted(found)]

    def started(self, run, ranks, folder="run"):
        """The processes, once the run is under way."""
        end = time.monotonic() + 20
        while time.monotonic() < end and run.poll() is None:
            log = self.folder / folder
            if log.exists() and log.read_text().count("evaluation") >= 2:
                processes = self.ranks_of(run)
                self.assertEqual(len(processes), ranks)
                return processes
            time.sleep(0.05)
        self.fail("the run did not begin: " + "".join(run.communicate()))


    def wait_for_the_end_of(self, processes):
        end = time.monotonic() + 10
        while any(Path("/proc/{}".format(pid)).exists() for pid in processes):
            self.assertLess(time.monotonic(), end, "a rank outlives its job")
            time.sleep(0.05)


class Bits(MpiTest):
    METHODS = [[], ["--method", "asyn-prox-sgd"], ["--method", "asyn-prox-saga"],
               ["--method", "fista", "--model-state", "dense"],
               ["--method", "asyn-prox-sgd", "--model-state", "lazy"]]

    def test_of_one_worker_are_those_of_serial(self):
        for method in self.METHODS:
            with self.subTest(method):
                words = [DATA_SPEC, "--regularizer", "l1:1e-3", "--epochs", "6", *method, "--seed",
                         "3", "--force", "--workers", "1"]
                self.run_program("train", *words, "--runtime", "serial", "--out", "serial")
                self.run_program("train", *words, "--runtime", "loopback", "--out", "loopback")
                run = self.start(2, *words, "--out", "mpi")
                run.communicate(timeout=SECONDS_MAX)
                serial = strict_json(self.read("serial/model.json"))["x"]
                self.assertEqual(strict_json(self.read("loopback/model.json"))["x"], serial)
                self.assertEqual(strict_json(self.read("mpi/model.json"))["x"], serial)


class SeveralWorkers(MpiTest):
    def test_keep_the_bound_and_the_books_reach_the_optimum_and_replay(self):
        for workers in (2, 8):
            with self.subTest(workers):
                words = [DATA_SPEC, "--regularizer", "l1:1e-3", "--out", "run", "--force"]
                threads = self.result(*words[:3], "--workers", str(workers))
                made = self.json_result(workers + 1, *words)
                self.assertEqual(made["settings"]["runtime"], "mpi")
                self.assertEqual(made["settings"]["workers"], workers)
                self.assertEqual(made["stop_reason"], "converged")
                # Both are certified to 1e-4 of the objective.
                self.assertAlmostEqual(made["objective"] / threads["objective"], 1, delta=2e-4)
                self.assertLessEqual(made["staleness"]["max"], made["staleness"]["bound"])
                ledger = made["ledger"]
                self.assertEqual(ledger["received"], ledger["applied"] + ledger["pending"] +
                                 sum(ledger["refused"].values()))
                self.assertIn("the same bits", self.succeed("replay", "run").stdout)

    def test_speak_with_one_voice(self):
        out, _ = self.train(4, SMALL, "--regularizer", "l1:1e-2")
        self.assertEqual(len(re.findall(r"(?m)^objective ", out)), 1)

    def test_make_plain_steps_of_the_paper_with_the_staleness_they_may_have(self):
        made = self.json_result(4, DATA_SPEC, "--method", "asyn-prox-sgd", "--regularizer",
                                "l1:1e-3", "--pushes-per-step", "1", "--staleness-max", "2",
                                "--steps", "2000", "--tolerance", "0")
        self.assertEqual(made["steps"], 2000)
        self.assertLessEqual(made["staleness"]["max"], 2)


class Mistakes(MpiTest):
    def test_of_the_user_are_told_once(self):
        for words, code, why in [
                (["no-such-file"], DATA, "no-such-file"),
                ([SMALL, "--workers", "7"], USAGE, "workers: expected 2, one per rank but rank 0, got 7"),
                ([SMALL, "--loss", "logistik"], USAGE, "no loss 'logistik'"),
                (["-"], USAGE, "standard input goes to one rank only")]:
            with self.subTest(words):
                _, said = self.train(3, *words, code=code)
                self.assertIn(why, said)
                self.assertEqual(len(re.findall(r"(?m)^asynprox: ", said)), 1, said)

    def test_without_mpirun_an_example_is_shown(self):
        error = self.fail_with(USAGE, "train", SMALL, "--runtime", "mpi")
        self.assertIn("for example: mpirun -n 3 asynprox train", error)

    def test_a_server_without_workers_is_refused(self):
        _, said = self.train(1, SMALL, code=USAGE)
        self.assertIn("expected at least 2 ranks", said)

    def test_a_rank_with_other_data_is_refused_with_the_reason(self):
        other = "generate:sparse-logistic:n=200,d=20,seed=2"
        run = self.start_each([(2, [SMALL]), (1, [other])])
        _, said = self.finish(run, PEER_FAILED)
        self.assertRegex(said, r"asynprox: rank 2 \(host [^)]+\) cannot take part: data: "
                               r"fingerprint: expected [0-9a-f]{16}, got [0-9a-f]{16}\n")

    def test_a_rank_with_another_problem_is_refused_with_the_option(self):
        run = self.start_each([(2, [SMALL]), (1, [SMALL, "--loss", "squared-hinge"])])
        _, said = self.finish(run, USAGE)
        self.assertRegex(said, r"asynprox: rank 2 \(host [^)]+\): --loss: rank 0 has 'logistic', "
                               r"this rank has 'squared-hinge'\n")

    def test_the_error_of_one_rank_reaches_rank_0_with_its_text(self):
        self.write("bad.svm", "1 1:1\n-1 2=3\n")
        run = self.start_each([(2, [SMALL]), (1, ["bad.svm"])])
        _, said = self.finish(run, DATA)
        self.assertRegex(said, r"asynprox: rank 2 \(host [^)]+\): bad.svm:2:4: expected")


class Faults(MpiTest):
    def test_a_stopped_worker_is_left_out_and_the_others_go_on(self):
        run = self.start(3, *ENDLESS, "--seconds", "5", "--peer-deadline", "1", "--log", "run",
                         "--trace-every", "1000", "--out", "out")
        ranks = self.started(run, 3)
        os.kill(ranks[2], signal.SIGSTOP)
        out, said = run.communicate(timeout=SECONDS_MAX)
        self.assertRegex(said, r"warning: rank 2 \(host [^)]+\) gave no sign of life for [0-9.]+ s; "
                               r"the run went on without it")
        result = strict_json(self.read("out/run.json"))["result"]
        self.assertEqual(result["stop_reason"], "time_limit")
        self.assertIn("the same bits", self.succeed("replay", "out").stdout)
        self.assertEqual(strict_json(out)["steps"], result["steps"])

    def test_a_worker_that_was_stopped_comes_back_and_its_late_push_is_fenced(self):
        # Time enough for it to come back on a machine that has other work, too.
        run = self.start(3, *ENDLESS, "--seconds", "15", "--peer-deadline", "2", "--log", "run",
                         "--trace-every", "1000")
        ranks = self.started(run, 3)
        os.kill(ranks[2], signal.SIGSTOP)
        time.sleep(4)
        os.kill(ranks[2], signal.SIGCONT)
        out, said = self.finish(run)
        self.assertRegex(said, r"warning: rank 2 \(host [^)]+\) is back, in another life")
        ledger = strict_json(out)["ledger"]
        self.assertLessEqual(ledger["refused"]["fenced"], 1)
        self.assertEqual(ledger["received"], ledger["applied"] + ledger["pending"] +
                         sum(ledger["refused"].values()))

    def test_workers_end_when_the_server_is_stopped(self):
        run = self.start(3, *ENDLESS, "--peer-deadline", "1", "--log", "run", "--trace-every",
                         "1000")
        ranks = self.started(run, 3)
        os.kill(ranks[0], signal.SIGSTOP)
        _, said = self.finish(run, PEER_FAILED)
        self.assertRegex(said, r"asynprox: rank 0 \(host [^)]+\) gave no sign of life for [0-9.]+ s; "
                               r"awaited a model")

    def test_a_killed_worker_ends_the_job_and_what_was_learnt_is_saved(self):
        """Debian's Open MPI ends all ranks when one dies: with SIGTERM first, then with SIGKILL."""
        run = self.start(3, *ENDLESS, "--log", "run", "--trace-every", "1000", "--out", "out")
        ranks = self.started(run, 3)
        os.kill(ranks[1], signal.SIGKILL)
        run.communicate(timeout=SECONDS_MAX)
        self.assertNotEqual(run.returncode, DONE)
        self.wait_for_the_end_of(ranks)
        result = strict_json(self.read("out/run.json"))["result"]
        self.assertEqual(result["stop_reason"], "interrupted")
        self.assertGreater(result["steps"], 0)

    def test_an_interrupt_of_mpirun_saves_what_was_learnt(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                log = number.name + ".log"
                run = self.start(3, *ENDLESS, "--log", log, "--trace-every", "1000", "--out",
                                 number.name)
                self.started(run, 3, log)
                run.send_signal(number)
                run.communicate(timeout=SECONDS_MAX)
                self.assertNotEqual(run.returncode, DONE)
                result = strict_json(self.read(number.name + "/run.json"))["result"]
                self.assertEqual(result["stop_reason"], "interrupted")
                self.assertGreater(result["steps"], 0)


if __name__ == "__main__":
    unittest.main()
