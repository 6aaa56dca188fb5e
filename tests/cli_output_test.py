#!/usr/bin/env python3
"""Files that the program writes: never what it reads, never a mixture of two runs, and nothing that
somebody has put in their place is followed or waited for."""

import fcntl
import os
import resource
import signal
import struct
import subprocess
import time
import unittest
from unittest import mock

from cli_testing import (DATA, DONE, FAILED, INTERRUPTED, PROGRAM, SECONDS_MAX, SMALL, TINY, USAGE,
                         CommandLineTest, strict_json)

RUN_FILES = {"run.json", "trace.csv", "model.json", "events.log"}
# Far longer than the tests wait.
ENDLESS = ["train", "generate:sparse-logistic:n=200000,d=2000", "--epochs", "100000",
           "--trace-every", "20", "--fallback", "off"]
SHORT = ["train", SMALL, "--epochs", "2"]
IMAGES = struct.pack(">iiii", 0x803, 2, 2, 2) + bytes([1, 2, 3, 4, 5, 6, 7, 8])
LABELS = struct.pack(">ii", 0x801, 2) + bytes([0, 1])


class OutputTest(CommandLineTest):
    def content(self, folder="run"):
        return {path.name: path.read_bytes() for path in (self.folder / folder).iterdir()}

    def run_limited(self, *words, file_size=None, stack=None):
        """As with ulimit: a full disk, a system that starts no threads."""
        def limit():
            if file_size is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
            if stack is not None:
                hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
                resource.setrlimit(resource.RLIMIT_STACK, (stack, hard))

        run = subprocess.run([PROGRAM, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit,
                             timeout=SECONDS_MAX)
        run.stderr = run.stderr.decode()
        return run

    def wait_for(self, path):
        end = time.monotonic() + SECONDS_MAX
        while not (self.folder / path).exists():
            self.assertLess(time.monotonic(), end, "{} does not appear".format(path))
            time.sleep(0.01)


class Folder(OutputTest):
    def test_is_written_by_one_run_at_a_time(self):
        first = subprocess.Popen([PROGRAM, *ENDLESS, "--out", "run", "--quiet"], cwd=self.folder)
        self.addCleanup(first.kill)
        self.wait_for("run/events.log.partial")
        for words in [SHORT, ["simulate", SMALL, "--epochs", "2"],
                      ["reproduce", "--quick", "--data", SMALL]]:
            said = self.fail_with(FAILED, *words, "--out", "run", "--force")
            self.assertIn("--out: run is in use: another run is writing there", said)
        first.send_signal(signal.SIGINT)
        self.assertEqual(first.wait(SECONDS_MAX), INTERRUPTED)
        self.assertEqual(set(self.content()), {*RUN_FILES, "checkpoint.0"})
        self.succeed("replay", "run")
        self.succeed(*SHORT, "--out", "run", "--force")

    def test_that_another_run_filled_meanwhile_is_left_alone(self):
        first = subprocess.Popen([PROGRAM, "train", "-", "--epochs", "2", "--out", "run"],
                                 cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL)
        self.addCleanup(first.kill)
        first.stdin.write(TINY.encode())  # it reads on, and has not made the folder
        first.stdin.flush()
        time.sleep(0.2)
        self.succeed(*SHORT, "--out", "run")
        before = self.content()
        said = first.communicate(TINY.encode(), timeout=SECONDS_MAX)[1]
        self.assertEqual(first.returncode, USAGE)
        self.assertIn(b"run is not empty", said)
        self.assertEqual(self.content(), before)

    def test_is_locked_only_while_somebody_holds_it(self):
        (self.folder / "run").mkdir()
        descriptor = os.open(self.folder / "run", os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        self.assertIn("in use", self.fail_with(FAILED, *SHORT, "--out", "run"))
        os.close(descriptor)
        self.succeed(*SHORT, "--out", "run")

    def test_never_holds_a_mixture_of_two_runs(self):
        # There is room for the model, and for no record.
        run = self.run_limited(*SHORT, "--seed", "2", "--out", "run", "--force", file_size=1500)
        self.assertEqual(run.returncode, FAILED)
        self.assertIn("File too large", run.stderr)
        self.assertEqual(set(self.content()) - {"trace.csv"}, {"model.json"})
        self.fail_with(DATA, "replay", "run")

    def test_keeps_the_older_run_where_not_all_of_the_new_one_can_be_saved(self):
        """What could be saved of the new one is kept beside it, and named."""
        self.succeed(*SHORT, "--out", "run")
        before = self.content()
        for words, size, kept in [
                (["--no-events"], 1500, {"model.json.new", "trace.csv.new"}),  # no room for run.json
                # ... and none for events.log.
                (["--method", "asyn-prox-sgd", "--workers", "1", "--batch-size", "1"], 12000,
                 {"model.json.new", "trace.csv.new", "run.json.new"})]:
            with self.subTest(size):
                run = self.run_limited(*SHORT, "--seed", "2", "--out", "run", "--force", *words,
                                       file_size=size)
                self.assertEqual(run.returncode, FAILED)
                self.assertIn("File too large", run.stderr)
                self.assertIn("the older run in run stays as it was", run.stderr)
                after = self.content()
                self.assertLessEqual(before.items(), after.items())
                new = set(after) - set(before)
                self.assertEqual(new, kept)
                for name in new:
                    self.assertIn("run/" + name, run.stderr)
                    (self.folder / "run" / name).unlink()
                self.succeed("replay", "run")
        self.succeed(*SHORT, "--seed", "2", "--out", "run", "--force")
        self.assertNotEqual(self.content()["model.json"], before["model.json"])

    def test_loses_what_killed_runs_left_there(self):
        ours = ["model.json.17-0.tmp", "run.json.4711-12.tmp", "trace.csv.1-1.tmp"]
        others = ["model.json.tmp", "mine.json.17-0.tmp", "model.json.17-0.tmp.txt",
                  "model.json.a-0.tmp", "model.json.-0.tmp", "model.json.17-.tmp", "17-0.tmp"]
        for name in ours + others:
            self.write("run/" + name, "left behind")
        self.succeed(*SHORT, "--out", "run", "--force")
        self.assertEqual(set(self.content()), RUN_FILES | set(others))

    def test_keeps_the_older_run_where_the_new_model_cannot_be_saved(self):
        self.succeed(*SHORT, "--out", "run")
        before = self.content()
        run = self.run_limited(*SHORT, "--seed", "2", "--out", "run", "--force", file_size=100)
        self.assertEqual(run.returncode, FAILED)
        self.assertEqual(self.content(), before)
        self.succeed("replay", "run")

    def test_follows_no_link_that_was_planted_there(self):
        self.write("victim", "mine")
        (self.folder / "run").mkdir()
        for name in RUN_FILES | {"events.log.partial"}:
            os.symlink("../victim", self.folder / "run" / name)
        self.succeed(*SHORT, "--out", "run", "--force")
        self.assertEqual(self.read("victim"), "mine")
        self.assertEqual(set(self.content()), RUN_FILES)
        self.succeed("replay", "run")

    def test_is_not_waited_for_where_a_pipe_has_the_name_of_a_file(self):
        (self.folder / "run").mkdir()
        for name in RUN_FILES | {"events.log.partial"}:
            os.mkfifo(self.folder / "run" / name)
        self.succeed(*SHORT, "--out", "run", "--force")
        self.succeed("replay", "run")

    def test_of_a_run_that_was_killed_can_be_used_again(self):
        self.write("run/events.log.partial", "left behind")
        self.succeed(*SHORT, "--out", "run", "--force")
        self.assertEqual(set(self.content()), RUN_FILES)


class Input(OutputTest):
    def setUp(self):
        super().setUp()
        self.write("data.svm", TINY)
        self.write("weights", "1\n" * 4)
        self.write("numbers", "1\n" * 3)
        self.write("options.toml", "epochs = 2\n")
        os.symlink("data.svm", self.folder / "link")
        os.link(self.folder / "data.svm", self.folder / "hard")

    def assert_refused(self, output, what, *words):
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        said = self.fail_with(USAGE, *words, "--force")
        self.assertIn("{}: expected a file that is not read".format(output), said)
        self.assertIn(what, said)
        after = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        self.assertEqual(after, before)

    def test_is_never_an_output_where_it_comes_by_standard_input(self):
        for words in [("train", "-", "--log", "data.svm"), ("data", "convert", "-", "data.svm"),
                      ("train", "hard", "--test", "-", "--log", "link")]:
            with self.subTest(" ".join(words)), open(self.folder / "data.svm", "rb") as data:
                run = subprocess.run([PROGRAM, *words, "--force"], cwd=self.folder, stdin=data,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                     timeout=SECONDS_MAX)
                self.assertEqual(run.returncode, USAGE, run.stderr)
                self.assertEqual(self.read("data.svm"), TINY)

    def test_is_never_the_log(self):
        train = ["train", "data.svm", "--epochs", "2"]
        for path, what, more in [
                ("data.svm", "DATA", []), ("link", "DATA", []), ("hard", "DATA", []),
                ("./data.svm", "DATA", []),
                ("weights", "--weights", ["--weights", "weights"]),
                ("numbers", "--start", ["--start", "numbers"]),
                ("numbers", "--regularizer",
                 ["--regularizer", "weighted-l1:1e-3,weights=numbers"]),
                ("numbers", "--delays", ["--delays", "file:numbers"]),
                ("options.toml", "--config", ["--config", "options.toml"])]:
            with self.subTest(path + " " + what):
                self.assert_refused("--log", what, *train, *more, "--log", path)
        self.write("test.svm", TINY)
        self.assert_refused("--log", "--test", *train, "--test", "test.svm", "--log", "test.svm")

    def test_is_never_a_file_of_the_folder(self):
        self.write("run/model.json", TINY)
        self.assert_refused("--out", "DATA", "train", "run/model.json", "--out", "run")
        self.write("run/events.log.partial", TINY)
        self.assert_refused("--out", "DATA", "simulate", "run/events.log.partial", "--out", "run")

    def test_is_never_a_picture(self):
        self.write("images.svg", IMAGES)
        self.write("labels.svg", LABELS)
        train = ["train", "images.svg", "--loss", "pca", "--epochs", "2"]
        self.assert_refused("--picture", "DATA", *train, "--picture", "images.svg")
        self.assert_refused("--picture", "the labels of DATA", *train, "--picture", "labels.svg")

    def test_is_never_the_converted_file(self):
        self.assert_refused("OUT", "DATA", "data", "convert", "data.svm", "link")
        self.write("images", IMAGES)
        self.write("labels", LABELS)
        self.assert_refused("OUT", "labels", "data", "convert", "images", "labels")

    def test_is_never_in_the_folder_of_a_reproduction(self):
        self.write("out/speedup.csv", TINY)
        said = self.fail_with(USAGE, "reproduce", "--quick", "--data", "out/speedup.csv", "--out",
                              "out", "--force")
        self.assertIn("--out: expected another folder than that of the data", said)


class Output(OutputTest):
    def test_that_exists_is_replaced_only_with_force(self):
        self.write("log", "mine")
        said = self.fail_with(USAGE, *SHORT, "--log", "log")
        self.assertIn("--log: log exists already; --force replaces it", said)
        self.assertEqual(self.read("log"), "mine")
        self.succeed(*SHORT, "--log", "log", "--force")
        self.assertNotIn("mine", self.read("log"))
        for line in self.read("log").splitlines():
            strict_json(line)
        self.write("images", IMAGES)
        self.write("labels", LABELS)
        picture = ["train", "images", "--loss", "pca", "--regularizer", "nonneg-ball:1", "--epochs", "2", "--picture", "p.svg"]
        self.succeed(*picture)
        self.assertIn("--picture: p.svg exists already", self.fail_with(USAGE, *picture))
        self.succeed(*picture, "--force")

    def test_keeps_the_old_log_where_the_run_does_not_begin(self):
        self.write("log", "mine")
        self.fail_with(USAGE, *SHORT, "--workers", "2", "--batch-size", "7", "--log", "log",
                       "--force")
        self.assertEqual(self.read("log"), "mine")

    def test_is_not_another_output(self):
        self.write("images", IMAGES)
        self.write("labels", LABELS)
        train = ["train", "images", "--loss", "pca", "--epochs", "2"]
        for words in [("--log", "a.svg", "--picture", "a.svg"),
                      ("--log", "run/run.json", "--out", "run"),
                      ("--picture", "./run/../b.svg", "--log", "b.svg")]:
            with self.subTest(" ".join(words)):
                self.assertIn("for both", self.fail_with(USAGE, *train, *words))

    def test_may_be_a_device_and_never_waits_for_a_reader(self):
        self.succeed(*SHORT, "--log", "/dev/null")
        os.mkfifo(self.folder / "pipe")
        self.assertIn("--log: pipe: nobody reads this pipe",
                      self.run_program(*SHORT, "--log", "pipe").stderr)

    def test_is_given_up_where_its_reader_does_not_read(self):
        os.mkfifo(self.folder / "pipe")
        reader = os.open(self.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        writer = os.open(self.folder / "pipe", os.O_WRONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, writer)
        with self.assertRaises(BlockingIOError):
            while True:
                os.write(writer, b"x" * 4096)
        run = self.succeed(*SHORT, "--log", "pipe", "--out", "run", "--quiet")
        self.assertIn("--log: pipe: nobody has read from it for 5 seconds", run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1)
        self.assertEqual(set(self.content()), RUN_FILES)

    def test_may_be_a_stream_that_leads_to_a_file(self):
        with open(self.folder / "both", "wb") as file:
            file.write(b"before\n")
            file.flush()
            subprocess.run([PROGRAM, *SHORT, "--log", "/dev/stdout"], cwd=self.folder, stdout=file,
                           check=True, timeout=SECONDS_MAX)
        text = self.read("both")
        self.assertTrue(text.startswith("before\n"))
        self.assertIn('{"event":"evaluation"', text)
        self.assertRegex(text, r"(?m)^stopped ")

    def test_of_a_picture_is_refused_by_its_name_before_data_is_read(self):
        said = self.fail_with(USAGE, "train", "missing", "--picture", "x.png")
        self.assertIn("--picture: x.png: expected a picture's name to end in .pgm or .svg", said)


class Record(OutputTest):
    def test_that_is_a_pipe_is_refused_and_not_waited_for(self):
        self.succeed(*SHORT, "--out", "run")
        for name in ["events.log", "run.json"]:
            with self.subTest(name):
                (self.folder / "run" / name).rename(self.folder / name)
                os.mkfifo(self.folder / "run" / name)
                said = self.fail_with(DATA, "replay", "run")
                self.assertIn("{}: expected an ordinary file, got a pipe".format(name), said)
                (self.folder / name).rename(self.folder / "run" / name)


class Path(OutputTest):
    def test_that_cannot_be_looked_up_is_told_in_words(self):
        os.symlink("loop", self.folder / "loop")
        for path, reason in [("loop", "Too many levels of symbolic links"),
                             ("loop/inside", "Too many levels of symbolic links"),
                             ("n" * 300, "File name too long")]:
            for code, words in [
                    (FAILED, [*SHORT, "--out", path]), (DATA, [*SHORT, "--start", path]),
                    (DATA, [*SHORT, "--weights", path]),
                    (FAILED, ["simulate", SMALL, "--epochs", "1", "--out", path]),
                    (FAILED, ["reproduce", "--quick", "--data", SMALL, "--out", path]),
                    (FAILED, ["data", "fetch", "a9a", "--out", path])]:
                with self.subTest(path=path, words=words):
                    said = self.fail_with(code, *words)
                    self.assertIn(path, said)
                    self.assertIn(reason, said)
                    self.assertNotIn("filesystem error", said)
        with mock.patch.dict(os.environ, {"ASYNPROX_DATA_DIR": "loop"}):
            self.assertIn("loop: expected a folder",
                          self.fail_with(DATA, "reproduce", "--quick", "--out", "findings"))


    def test_that_is_a_link_to_nothing_is_told_as_such(self):
        os.symlink("absent", self.folder / "run")
        said = self.fail_with(USAGE, *SHORT, "--out", "run")
        self.assertIn("--out: run is a link to absent, where there is nothing", said)
        (self.folder / "absent").mkdir()
        self.succeed(*SHORT, "--out", "run")

    def test_that_a_record_cannot_name_is_refused_with_out_alone(self):
        name = b"\xff.svm"
        (self.folder / os.fsdecode(name)).write_bytes(TINY.encode())
        words = ["train", os.fsdecode(name), "--steps", "2"]
        self.succeed(*words)
        self.assertIn(r"--out: run.json is UTF-8 and cannot name '\xff.svm' (DATA)",
                      self.fail_with(USAGE, *words, "--out", "run"))
        self.assertFalse((self.folder / "run").exists())


class Limits(OutputTest):
    def test_of_a_file_size_leave_no_temporary_files(self):
        self.write("data.svm", TINY * 5000)
        for words in [("data", "generate", "sparse-logistic:n=100000", "made.axp"),
                      ("data", "convert", "data.svm", "made.axp"),
                      ("train", "data.svm", "--epochs", "2", "--out", "run")]:
            with self.subTest(" ".join(words)):
                run = self.run_limited(*words, file_size=100)
                self.assertEqual(run.returncode, FAILED, run.stderr)
                self.assertIn("cannot be written: File too large", run.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["data.svm", "run"])
        self.assertEqual(os.listdir(self.folder / "run"), [])

    def test_of_threads_are_told_or_cost_only_time(self):
        self.write("data.svm", TINY * 5000)
        # A thread gets a stack of this size, which no machine has.
        stack = 1 << 46
        run = self.run_limited("data", "info", "data.svm", stack=stack)
        self.assertEqual(run.returncode, DONE, run.stderr)
        run = self.run_limited("train", "data.svm", "--epochs", "2", "--runtime", "serial",
                               stack=stack)
        self.assertEqual(run.returncode, DONE, run.stderr)
        run = self.run_limited("train", "data.svm", "--epochs", "2", stack=stack)
        self.assertEqual(run.returncode, FAILED, run.stderr)
        self.assertIn("its thread cannot be started", run.stderr)
        self.assertIn("try fewer workers", run.stderr)


if __name__ == "__main__":
    unittest.main()
