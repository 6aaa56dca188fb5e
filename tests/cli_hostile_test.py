#!/usr/bin/env python3
"""Files made to do harm: each is refused with one line, in little memory, and ends no program."""

import gzip
import json
import os
import re
import struct
import subprocess
import time
import unittest
from pathlib import Path

from cli_testing import DATA, PROGRAM, SECONDS_MAX, SMALL, TINY, USAGE, CommandLineTest

MIB = 1 << 20


class HostileTest(CommandLineTest):
    def peak_mib(self, words):
        """Runs the program to its refusal; returns the line and the peak of its memory in MiB."""
        run = subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        output, said = run.stdout.read(), run.stderr.read().decode()
        _, status, usage = os.wait4(run.pid, 0)
        run.stdout.close()
        run.stderr.close()
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, DATA, said)
        self.assertEqual(output, b"")
        self.assertRegex(said, r"\Aasynprox: [^\n]+\n\Z")
        return said, usage.ru_maxrss / 1024


class BinaryForm(HostileTest):
    def test_columns_beyond_the_last_are_refused_by_every_command(self):
        self.write("data.svm", TINY)
        self.succeed("data", "convert", "data.svm", "data.axp")
        self.succeed("train", "data.axp", "--steps", "5", "--out", "run")
        path = self.folder / "data.axp"
        whole = path.read_bytes()
        columns = int.from_bytes(whole[104 + 4 * 16:][:8], "little")  # the fifth section
        for entry, number in [(0, 3), (0, 65535), (1, 0), (3, 40000)]:
            place = columns + 2 * entry
            path.write_bytes(whole[:place] + number.to_bytes(2, "little") + whole[place + 2:])
            for words in [["train", "data.axp", "--steps", "5"], ["simulate", "data.axp"],
                          ["train", "data.axp", "--dimension", "70000"],
                          ["train", "data.svm", "--test", "data.axp", "--steps", "5"],
                          ["evaluate", "run/model.json", "data.axp"],
                          ["predict", "run/model.json", "data.axp"], ["replay", "run"],
                          ["data", "info", "data.axp"]]:
                with self.subTest([entry, number, *words]):
                    self.assertRegex(
                        self.fail_with(DATA, *words),
                        r"data.axp: row \d \(from 0\): (a column is beyond|columns do not rise)")

            # It looks at every byte.
            self.assertIn("data.axp: damaged: columns",
                          self.fail_with(DATA, "data", "convert", "data.axp", "b.axp"))

    def test_a_value_that_is_not_a_number_is_told_as_such(self):
        self.write("data.svm", TINY.replace("0.25", "0.28125"))
        self.succeed("data", "convert", "data.svm", "data.axp")
        whole = (self.folder / "data.axp").read_bytes()
        for form in ("<f", "<d"):
            value = struct.pack(form, 0.28125)
            if whole.count(value) == 1:
                for name, bad, words in [("nan.axp", float("nan"), "not a number (NaN)"),
                                         ("inf.axp", float("inf"), "squares overflow")]:
                    self.write(name, whole.replace(value, struct.pack(form, bad)))
                    self.assertIn(words, self.fail_with(DATA, "train", name))
                return
        self.fail("the value was not found in the file")

    def test_cut_short_while_it_is_in_use_ends_with_one_line(self):
        self.succeed("data", "generate", "sparse-logistic:n=20000,d=1000,nonzeros=20", "made.axp")
        run = subprocess.Popen([PROGRAM, "train", "made.axp", "--method", "asyn-prox-sgd",
                                "--seconds", str(SECONDS_MAX), "--quiet"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        maps = Path(f"/proc/{run.pid}/maps")
        while run.poll() is None and "made.axp" not in maps.read_text(encoding="utf-8"):
            time.sleep(0.01)
        os.truncate(self.folder / "made.axp", 1000)
        output, said = run.communicate(timeout=SECONDS_MAX)
        self.assertEqual(run.returncode, DATA, said)
        self.assertEqual(output, "")
        self.assertRegex(said, r"\Aasynprox: [^\n]*cut short[^\n]*\n\Z")

    def test_cut_short_leaves_no_half_of_a_record(self):
        self.succeed("data", "generate", "sparse-logistic:n=20000,d=1000,nonzeros=20", "made.axp")
        run = subprocess.Popen([PROGRAM, "train", "made.axp", "--method", "asyn-prox-sgd", "--out",
                                "run", "--seconds", str(SECONDS_MAX), "--quiet"], cwd=self.folder,
                               stderr=subprocess.PIPE, text=True)
        partial = self.folder / "run" / "events.log.partial"
        # Its first events are written when the run is well under way.
        while run.poll() is None and not (partial.exists() and partial.stat().st_size > 0):
            time.sleep(0.01)
        os.truncate(self.folder / "made.axp", 1000)
        said = run.communicate(timeout=SECONDS_MAX)[1]
        self.assertEqual(run.returncode, DATA, said)
        self.assertEqual(os.listdir(self.folder / "run"), [])


class Json(HostileTest):
    deep = "[" * 132000 + "]" * 132000

    def test_nested_too_deep_is_refused_wherever_it_is_read(self):
        self.write("data.svm", TINY)
        self.succeed("train", "data.svm", "--steps", "5", "--runtime", "serial", "--out", "run")
        words = "expected JSON of at most 64 levels, got more at byte"
        for text in [f'{{"format": {self.deep}}}', self.deep, self.deep[:132000]]:
            self.write("deep.json", text)
            for command in ("predict", "evaluate"):
                self.assertIn(words, self.fail_with(DATA, command, "deep.json", "data.svm"))
        record = json.loads(self.read("run/run.json"))
        self.write("run/run.json", json.dumps(record)[:-1] + f', "more": {self.deep}}}')
        self.assertIn("run.json: " + words, self.fail_with(DATA, "replay", "run"))


    def test_a_list_of_many_objects_is_refused_as_fast_as_one_of_numbers(self):
        seconds = {}
        for entry in ("1", "{}"):
            text = '{"format": "asynprox-model", "format_version": 4, "x": [%s]}'
            self.write("m.json", text % ",".join([entry] * 200_000))
            begin = os.times()
            self.assertIn("m.json: expected a field", self.fail_with(DATA, "show", "m.json"))
            end = os.times()
            seconds[entry] = end.children_user - begin.children_user
        self.assertLess(seconds["{}"], 1 + 10 * seconds["1"])


class Sizes(HostileTest):
    def model(self, **changes):
        self.write("data.svm", TINY)
        self.succeed("train", "data.svm", "--loss", "squared", "--regularizer", "l1:100",
                     "--steps", "5", "--out", "run", "--force")
        model = json.loads(self.read("run/model.json"))
        model["x"] = {"indices": [], "values": []}
        model.update(format_version=3, **changes)
        self.write("model.json", json.dumps(model))

    def test_a_small_model_file_does_not_take_gigabytes(self):
        for changes in ({"dimension": 1 << 28}, {"dimension": 1 << 32},
                        {"dimension": 1 << 28, "x": {"indices": [(1 << 28) - 1], "values": [1]}}):
            self.model(**changes)
            for command in ("predict", "evaluate"):
                said, mib = self.peak_mib([command, "model.json", "data.svm"])
                self.assertIn("model.json: dimension: expected at least", said)
                self.assertLess(mib, 500)

    def test_a_sparse_model_of_many_features_is_read(self):
        self.model(dimension=10 ** 7)
        self.succeed("predict", "model.json", "data.svm")

    def test_a_column_that_no_memory_is_there_for_is_refused(self):
        if os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >= 1 << 36:
            self.skipTest("a machine with that much memory")
        self.write("wide.svm", "1 2147483647:1\n-1 1:1\n")
        for words in (["train", "wide.svm"], ["simulate", "wide.svm"]):
            said, mib = self.peak_mib(words)
            self.assertRegex(said, "wide.svm: expected at most [0-9]+ features, for .* of memory, "
                                   "got 2147483647")
            self.assertLess(mib, 500)

    def test_the_room_for_a_model_counts_all_that_a_run_holds(self):
        if os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >= 1 << 36:
            self.skipTest("a machine with that much memory")
        self.write("wide.svm", "1 2147483647:1\n-1 1:1\n")
        pattern = (r"at most (\d+) features, for 160 bytes per feature{} and ([0-9.]+) GiB of memory, "
                   r"got {}")
        said = self.fail_with(DATA, "train", "wide.svm")
        self.assertRegex(said, pattern.format("", 2147483647))
        features, memory = re.search(pattern.format("", 2147483647), said).groups()
        self.assertAlmostEqual(int(features) * 160 / 2 ** 30, float(memory), delta=0.06)
        # Each class has its own coefficients.
        largest = int(features) // 2
        self.write("classes.svm", "1 1:1\n2 1:2\n3 {}:1\n".format(largest))
        said, mib = self.peak_mib(["train", "classes.svm", "--loss", "multinomial"])
        self.assertRegex(said, pattern.format(" in each of 3 classes", largest))
        self.assertLess(mib, 500)

    def test_a_packed_line_without_end_is_refused(self):
        with gzip.open(self.folder / "long.gz", "wb", compresslevel=1) as file:
            for _ in range(300):
                file.write(b"1" * MIB)
        self.assertLess((self.folder / "long.gz").stat().st_size, 4 * MIB)
        for words in (["data", "info", "long.gz"], ["train", "long.gz", "--ratings"],
                      ["train", SMALL, "--weights", "long.gz"]):
            with self.subTest(words):
                said, mib = self.peak_mib(words)
                self.assertIn("long.gz: expected lines of at most 256 MiB, got a longer one", said)
                self.assertLess(mib, 1200)

    def test_a_packed_picture_of_very_many_pixels_is_refused(self):
        with gzip.open(self.folder / "one-images.gz", "wb", compresslevel=1) as file:
            file.write(struct.pack(">iiii", 0x803, 1, 8192, 4096))
            for _ in range(32):
                file.write(b"\1" * MIB)
        said, mib = self.peak_mib(["data", "info", "one-images.gz"])
        self.assertIn("one-images.gz: expected 1 to 16777216 pixels a picture, got 33554432", said)
        self.assertLess(mib, 200)

    def test_a_model_without_end_is_refused_by_its_first_bytes(self):
        said, mib = self.peak_mib(["show", "/dev/zero"])
        self.assertIn("/dev/zero: expected JSON that begins with '{', got", said)
        self.assertLess(mib, 200)

    def test_a_step_that_memory_has_no_room_for_is_refused(self):
        for option, size in (("--batch-size", 1 << 40), ("--pushes-per-step", (1 << 31) - 1)):
            said = self.fail_with(USAGE, "train", SMALL, "--epochs", "3", option, str(size))
            self.assertRegex(said, option[2:] + r": expected at most [0-9]+, for [0-9]+ bytes per "
                                   r".* and [0-9.]+ GiB of memory, got " + str(size))

    def test_a_step_of_more_epochs_than_the_run_may_have_is_refused(self):
        words = ["train", SMALL, "--epochs", "3"]  # of 200 samples
        for option in ("--batch-size", "--pushes-per-step"):
            said = self.fail_with(USAGE, *words, "--workers", "1", "--method", "asyn-prox-sgd", option,
                                  "601")
            self.assertIn(option[2:] + ": a step would be more than the limit of 3 epochs: expected at "
                          "most 600 samples in a step, got 601", said)
            self.succeed(*words, "--workers", "1", "--method", "asyn-prox-sgd", option, "600")

    def test_a_packed_model_without_end_is_refused(self):
        with gzip.open(self.folder / "model.gz", "wb", compresslevel=1) as file:
            for _ in range(1100):
                file.write(b" " * MIB)
        self.write("data.svm", TINY)
        said, _ = self.peak_mib(["predict", "model.gz", "data.svm"])
        self.assertIn("model.gz: expected a model of at most 1 GiB when it is unpacked", said)


if __name__ == "__main__":
    unittest.main()
