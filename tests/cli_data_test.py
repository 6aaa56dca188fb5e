#!/usr/bin/env python3
"""Data: bad files are refused with their place, and every way to give good ones is equal."""

import bz2
import gzip
import lzma
import resource
import signal
import struct
import subprocess
import time
import unittest

from cli_testing import (DATA, FAILED, INTERRUPTED, PROGRAM, TINY, USAGE, CommandLineTest,
                         strict_json)

# name, text, line, column, what is expected, what is there
BAD_LIBSVM = [
    ("label nan", "nan 1:1\n", 1, 1, "a finite label", "'nan'"),
    ("label inf", "1 1:1\n-inf 1:1\n", 2, 1, "a finite label", "'-inf'"),
    ("label 1e999", "1 1:1\n\n1e999 1:1\n", 3, 1, "a finite label", "'1e999'"),
    ("no label", " 1:1\n", 1, 2, "a label", "'1:1'"),
    ("hexadecimal label", "0x1 1:1\n", 1, 1, "a label", "'0x1'"),
    ("two labels", "1,2 1:1\n", 1, 1, "a label", "'1,2'"),
    ("value nan", "1 1:1 2:nan\n", 1, 7, "a finite value", "'2:nan'"),
    ("value -nan", "1 1:-nan\n", 1, 3, "a finite value", "'1:-nan'"),
    ("value inf", "1 1:inf\n", 1, 3, "a finite value", "'1:inf'"),
    ("value infinity", "1 1:-Infinity\n", 1, 3, "a finite value", "'1:-Infinity'"),
    ("value 1e999", "1 1:1\n1 1:1 3:1e999\n", 2, 7, "a finite value", "'3:1e999'"),
    ("column 0", "1 0:1\n", 1, 3, "a column of at least 1", "'0:1' (--zero-based"),
    ("negative column", "1 -1:1\n", 1, 3, "a column of at least 1", "'-1:1'"),
    ("falling columns", "1 3:1 2:1\n", 1, 7, "a column above 3", "'2:1'"),
    ("repeated column", "1 2:1 2:1\n", 1, 7, "a column above 2", "'2:1'"),
    ("2^31", "1 2147483648:1\n", 1, 3, "a column of at most 2147483647", "'2147483648:1'"),
    ("2^32 + 1", "1 1:1 4294967297:1\n", 1, 7, "a column of at most", "'4294967297:1'"),
    ("2^64 + 1", "1 18446744073709551617:1\n", 1, 3, "a column of at most", "'1844674407370955161"),
    ("2^64 + 3 after 2", "1 2:1 18446744073709551619:1\n", 1, 7, "a column of at most", "'1844"),
    ("no colon", "1 5\n", 1, 3, "<column>:<value>", "'5'"),
    ("equals sign", "1 1:1 3=2\n", 1, 7, "<column>:<value>", "'3=2'"),
    ("no column", "1 :5\n", 1, 3, "<column>:<value>", "':5'"),
    ("no value", "1 5:\n", 1, 3, "<column>:<value>", "'5:'"),
    ("no value before another", "1 5: 6:1\n", 1, 3, "<column>:<value>", "'5:'"),
    ("junk after a value", "1 1:1 5:1x\n", 1, 7, "<column>:<value>", "'5:1x'"),
    ("two colons", "1 1:1:1\n", 1, 3, "<column>:<value>", "'1:1:1'"),
    ("commas", "1 1:1,2:1\n", 1, 3, "<column>:<value>", "'1:1,2:1'"),
    ("broken column", "1 1.5:1\n", 1, 3, "<column>:<value>", "'1.5:1'"),
    ("hexadecimal value", "1 5:0x10\n", 1, 3, "<column>:<value>", "'5:0x10'"),
    ("hexadecimal column", "1 0x5:1\n", 1, 3, "<column>:<value>", "'0x5:1'"),
    ("two signs", "1 1:--1\n", 1, 3, "<column>:<value>", "'1:--1'"),
    ("NUL in a value", "1 5:1\0002 6:1\n", 1, 3, "<column>:<value>", "'5:1\\x002'"),
    ("NUL alone", "1 5:1 \0 6:1\n", 1, 7, "<column>:<value>", "'\\x00'"),
    ("NUL as a label", "1 1:1\n\0\n", 2, 1, "a label", "'\\x00'"),
    ("qid", "1 qid:3 1:2\n", 1, 3, "<column>:<value>", "'qid:3' (queries are for ranking)"),
    ("tabs, empty lines", "\n\n\t 1   1:1   2:z\n", 3, 13, "<column>:<value>", "'2:z'"),
    ("after a comment", "# a\n1 1:1 # b:c\n1 1:x\n", 3, 3, "<column>:<value>", "'1:x'"),
    ("after CRLF", "1 1:1\r\n1 2:1 1:1\r\n", 2, 7, "a column above 2", "'1:1'"),
    ("before CRLF", "1 1:1 2:\r\n", 1, 7, "<column>:<value>", "'2:'"),
    ("no final newline", "1 1:1\n1 2", 2, 3, "<column>:<value>", "'2'"),
    ("far down", "1 1:1 2:2\n" * 300000 + "1 1:1 2;2\n", 300001, 7, "<column>:<value>", "'2;2'"),
    ("far right", "1 1:1" + " " * 3000000 + "x\n", 1, 3000006, "<column>:<value>", "'x'"),
]


class BadLibsvm(CommandLineTest):
    def assert_place(self, message, name, line, column, expected, got):
        place = "asynprox: {}:{}:{}: expected ".format(name, line, column)
        self.assertEqual(message[:len(place)], place)
        self.assertTrue(message[len(place):].startswith(expected), message)
        self.assertIn(", got " + got, message)

    def test_is_refused_with_its_line_and_column(self):
        for name, text, *place in BAD_LIBSVM:
            with self.subTest(name):
                self.write("bad.svm", text)
                self.assert_place(self.fail_with(DATA, "data", "info", "bad.svm"), "bad.svm",
                                  *place)

    def test_is_refused_by_every_command_that_reads_data(self):
        self.write("good.svm", TINY)
        self.write("bad.svm", "1 1:1\n-1 2:nan\n")
        self.succeed("train", "good.svm", "--epochs", "1", "--out", "run")
        for words in [("train", "bad.svm"), ("train", "good.svm", "--test", "bad.svm"),
                      ("predict", "run/model.json", "bad.svm"),
                      ("evaluate", "run/model.json", "bad.svm")]:
            with self.subTest(" ".join(words)):
                self.assert_place(self.fail_with(DATA, *words), "bad.svm", 2, 4,
                                  "a finite value", "'2:nan'")

    def test_is_refused_from_standard_input_and_compressed(self):
        text = b"1 1:1\n-1 2:nan\n"
        self.assert_place(self.fail_with(DATA, "data", "info", "-", stdin=text), "standard input",
                          2, 4, "a finite value", "'2:nan'")
        self.write("bad.xz", lzma.compress(text))
        self.assert_place(self.fail_with(DATA, "data", "info", "bad.xz"), "bad.xz", 2, 4,
                          "a finite value", "'2:nan'")

    def test_without_samples_is_refused(self):
        for name, text in [("empty", ""), ("empty lines", "\n\n"), ("comments", "# a\n#\n"),
                           ("only a BOM", "\ufeff")]:
            with self.subTest(name):
                self.write("none.svm", text)
                self.assertIn("none.svm: expected samples, got none",
                              self.fail_with(DATA, "data", "info", "none.svm"))
        self.assertIn("standard input: expected samples, got none",
                      self.fail_with(DATA, "data", "info", "-"))

    def test_may_count_from_zero_only_where_that_is_said(self):
        self.write("zero.svm", "1 0:1 2:1\n-1 1:1\n")
        self.fail_with(DATA, "data", "info", "zero.svm")
        info = strict_json(
            self.succeed("data", "info", "zero.svm", "--zero-based", "--json").stdout)
        self.assertEqual(info["dimension"], 3)


class BadFile(CommandLineTest):
    def test_that_is_missing_is_named(self):
        self.assertIn("missing.svm: no such file",
                      self.fail_with(DATA, "data", "info", "missing.svm"))

    def test_that_is_a_folder_is_named(self):
        (self.folder / "folder.xz").mkdir()
        self.assertIn("folder.xz: expected a file, got a directory",
                      self.fail_with(DATA, "data", "info", "folder.xz"))

    def test_that_is_truncated_says_so(self):
        text = TINY.encode() * 1000
        for name, module in [("xz", lzma), ("gz", gzip), ("bz2", bz2)]:
            whole = module.compress(text)
            for cut, size in [("half", len(whole) // 2), ("last 4 bytes off", len(whole) - 4)]:
                with self.subTest(name, cut=cut):
                    self.write("short." + name, whole[:size])
                    message = self.fail_with(DATA, "data", "info", "short." + name)
                    self.assertIn("short." + name + ": ", message)
                    self.assertRegex(message, "damaged or cut short")

    def test_with_more_columns_than_the_dimension_says_is_refused(self):
        self.write("wide.svm", TINY)
        self.assertIn("wide.svm: expected at most 2 columns (--dimension), got 3",
                      self.fail_with(DATA, "data", "info", "wide.svm", "--dimension", "2"))


class GoodData(CommandLineTest):
    """What reads the same gives the same model, bit by bit."""

    plain = "".join("{} {}:{} {}:0.5\n".format((-1) ** i, 1 + i % 7, 0.1 * i, 8 + i % 5)
                    for i in range(50))

    def model(self, *words, stdin=b""):
        self.succeed("train", *words, "--steps", "20", "--runtime", "serial", "--out", "run",
                     "--force", stdin=stdin)
        return self.read("run/model.json")

    def test_is_equal_in_every_dress(self):
        first, rest = self.plain.split(" ", 1)
        plain = self.plain.encode()
        dresses = [
            ("crlf.svm", plain.replace(b"\n", b"\r\n")),
            ("comments.svm", b"# head\n" + plain.replace(b"\n", b" # note 3:4\n\n#\n")),
            ("bom.svm", b"\xef\xbb\xbf" + plain),
            ("unended.svm", plain.rstrip(b"\n")),
            ("spaces.svm", plain.replace(b" ", b" \t  ").replace(b"\n", b" \t\n")),
            ("plus.svm", b"+" + plain),
            ("long.svm", (first + " " * 10000000 + rest).encode()),
            ("long_comment.svm", b"#" + b"x" * 10000000 + b"\n" + plain),
            ("plain.svm.xz", lzma.compress(plain)),
            ("plain.svm.gz", gzip.compress(plain)),
            ("plain.svm.bz2", bz2.compress(plain)),
            ("no_ending", lzma.compress(plain)),
        ]
        self.write("plain.svm", plain)
        expected = self.model("plain.svm")
        self.assertNotEqual(expected, self.model("plain.svm", "--seed", "2"))
        for name, content in dresses:
            with self.subTest(name):
                self.write(name, content)
                self.assertEqual(self.model(name), expected)
        for name, content in [("plain", plain), ("xz", lzma.compress(plain))]:
            with self.subTest("standard input, " + name):
                self.assertEqual(self.model("-", stdin=content), expected)

    def test_may_have_a_line_of_ten_megabytes(self):
        columns = 900000
        line = "1 " + " ".join("{}:0.25".format(j) for j in range(1, columns + 1))
        self.assertGreater(len(line), 10000000)
        self.write("long.svm", line + "\n-1 1:1\n")
        info = strict_json(self.succeed("data", "info", "long.svm", "--json").stdout)
        self.assertEqual((info["samples"], info["nonzeros"]), (2, columns + 1))


def idx(magic, sizes, body):
    return struct.pack(">{}I".format(1 + len(sizes)), magic, *sizes) + bytes(body)


IMAGES = idx(0x803, [2, 2, 2], range(8))
LABELS = idx(0x801, [2], [0, 1])

# name, images, labels (None: no file), what the message says
BAD_IDX = [
    ("wrong magic", idx(0x804, [2, 2, 2, 1], range(8)), LABELS, "expected IDX magic 0x00000803"),
    ("floats", idx(0xD03, [2, 2, 2], range(32)), LABELS, "got 0x00000d03 (floats)"),
    ("labels as images", LABELS, LABELS, "got 0x00000801 (labels)"),
    ("images as labels", IMAGES, IMAGES, "expected IDX magic 0x00000801 (labels)"),
    ("cut header", IMAGES[:9], LABELS, "expected an IDX header"),
    ("cut pixels", IMAGES[:-1], LABELS, "expected 8 bytes after the IDX header, got 7"),
    ("too many pixels", IMAGES + b"x", LABELS, "expected 8 bytes after the IDX header, got more"),
    ("cut labels", IMAGES, LABELS[:-1], "expected 2 bytes after the IDX header, got 1"),
    ("other number of labels", IMAGES, idx(0x801, [3], range(3)), "expected 2 labels"),
    ("huge promise", idx(0x803, [2 ** 32 - 1, 2 ** 12, 2 ** 12], range(8)), LABELS, "got 8"),
    ("no pixels", idx(0x803, [2, 0, 2], []), LABELS, "pixels a picture, got 0"),
    ("no samples", idx(0x803, [0, 2, 2], []), LABELS, "expected samples, got none"),
    ("no labels", IMAGES, None, "no labels: there is no file"),
]


class Idx(CommandLineTest):
    def test_that_is_bad_is_refused(self):
        for number, (name, images, labels, words) in enumerate(BAD_IDX):
            with self.subTest(name):
                path = self.write("{}-images".format(number), images)
                if labels is not None:
                    self.write("{}-labels".format(number), labels)
                message = self.fail_with(DATA, "data", "info", path)
                self.assertIn("{}-".format(number), message)
                self.assertIn(words, message)

    def test_reads_labels_beside_it_or_named(self):
        self.write("a-images-idx3", IMAGES)
        self.write("a-labels-idx1", LABELS)
        self.write("pictures", gzip.compress(IMAGES))
        for words in [("a-images-idx3",), ("pictures", "--labels", "a-labels-idx1")]:
            with self.subTest(" ".join(words)):
                info = strict_json(self.succeed("data", "info", *words, "--json").stdout)
                self.assertEqual((info["samples"], info["dimension"]), (2, 4))
        self.assertIn("--labels", self.fail_with(DATA, "data", "info", "pictures"))

    def test_writes_the_model_as_a_picture(self):
        self.write("a-images", IMAGES)
        self.write("a-labels", LABELS)
        self.succeed("train", "a-images", "--loss", "pca", "--regularizer", "nonneg-ball",
                     "--epochs", "2", "--picture", "component.svg")
        self.assertIn("<svg", self.read("component.svg"))

    def test_is_kept_where_the_picture_cannot_be_written(self):
        self.write("a-images", IMAGES)
        self.write("a-labels", LABELS)
        run = self.run_program("train", "a-images", "--loss", "pca", "--regularizer", "nonneg-ball",
                               "--epochs", "2", "--picture", "no/such/folder.svg", "--out", "run")
        self.assertEqual(run.returncode, FAILED)
        self.assertTrue((self.folder / "run" / "model.json").exists())


class BinaryForm(CommandLineTest):
    def convert(self, name="data.svm", text=TINY):
        self.write(name, text)
        self.succeed("data", "convert", name, "data.axp", "--force")
        return "data.axp"

    def facts(self, *words):
        return strict_json(self.succeed("data", "info", *words, "--json").stdout)

    def result(self, *words):
        self.succeed("train", *words, "--steps", "20", "--runtime", "serial", "--out", "run",
                     "--force")
        return self.read("run/model.json"), strict_json(self.read("run/run.json"))["data"]

    def test_is_the_data_it_was_made_of(self):
        path = self.convert(text=GoodData.plain)
        self.assertEqual(self.facts(path), self.facts("data.svm"))
        model, data = self.result("data.svm")
        binary_model, binary_data = self.result(path)
        self.assertEqual(binary_model, model)
        self.assertEqual(binary_data["fingerprint"], data["fingerprint"])

    def test_keeps_pictures(self):
        self.write("a-images", IMAGES)
        self.write("a-labels", LABELS)
        self.succeed("data", "convert", "a-images", "a.axp")
        self.assertEqual(self.facts("a.axp")["picture"], [2, 2])

    def test_says_what_was_written(self):
        self.write("data.svm", TINY)
        text = self.succeed("data", "convert", "data.svm", "data.axp").stdout
        size = (self.folder / "data.axp").stat().st_size
        for line in [r"samples +4", r"features +3", r"stored as +16-bit columns, doubles",
                     r"bytes +{}, [0-9.]+ of data.svm".format(size), r"saved +data.axp"]:
            self.assertRegex(text, r"(?m)^{}$".format(line))

    def test_is_not_written_over_another_file_unless_told(self):
        path = self.convert()
        for words in [("convert", "data.svm"), ("generate", "nn-pca")]:
            with self.subTest(words[0]):
                before = (self.folder / path).read_bytes()
                self.assertIn("data.axp: exists already; --force replaces it",
                              self.fail_with(USAGE, "data", *words, path))
                self.assertEqual((self.folder / path).read_bytes(), before)
                self.succeed("data", *words, path, "--force")
        self.assertIn("got a folder", self.fail_with(USAGE, "data", "convert", "data.svm", "."))
        self.assertIn("cannot be written: No such file or directory",
                      self.fail_with(FAILED, "data", "convert", "data.svm", "no/such/folder"))

    def test_may_be_converted_onto_itself(self):
        path = self.convert()
        before = (self.folder / path).read_bytes()
        self.succeed("data", "convert", path, path, "--force")
        self.assertEqual((self.folder / path).read_bytes(), before)

    def test_that_is_damaged_is_found_out(self):
        path = self.folder / self.convert()
        whole = path.read_bytes()
        self.assertRegex(self.succeed("data", "info", "--verify", "data.axp").stdout,
                         r"(?m)^verified +yes$")
        for place, words, verify in [(100, "the header (bytes 0 to 256) is damaged", False),
                                     (len(whole) - 64, "data.axp: damaged: values: bytes", True)]:
            changed = bytearray(whole)
            changed[place] ^= 1
            path.write_bytes(changed)
            flags = ["--verify"] if verify else []
            self.assertIn(words, self.fail_with(DATA, "data", "info", "data.axp", *flags))
        path.write_bytes(whole[:-1])
        self.assertIn("expected {} bytes, got {}: cut short".format(len(whole), len(whole) - 1),
                      self.fail_with(DATA, "train", "data.axp"))

    def test_through_a_pipe_or_a_compressor_is_refused(self):
        whole = (self.folder / self.convert()).read_bytes()
        self.assertIn("standard input: the binary form is mapped, not read",
                      self.fail_with(DATA, "data", "info", "-", stdin=whole))
        self.write("data.axp.xz", lzma.compress(whole))
        self.assertIn("decompress it into a file first",
                      self.fail_with(DATA, "train", "data.axp.xz"))

    def test_generated_is_what_reading_gives(self):
        spec = "sparse-logistic:n=300,d=70000,nonzeros=30,columns=uniform"
        text = self.succeed("data", "generate", spec, "made.axp").stdout
        self.assertRegex(text, r"(?m)^samples +300$")
        self.assertEqual(self.result("made.axp"), (
            self.result("generate:" + spec)[0],
            {**self.result("generate:" + spec)[1], "path": "made.axp"}))
        self.assertIn("did you mean 'uniform'",
                      self.fail_with(USAGE, "data", "generate", "sparse-logistic:columns=unifrm",
                                     "other.axp"))

    def test_on_a_disk_that_is_full_says_so_and_leaves_nothing(self):
        def limit_size():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

        self.write("data.svm", TINY * 5000)
        for words in [("generate", "sparse-logistic:n=100000"), ("convert", "data.svm")]:
            run = subprocess.run([PROGRAM, "data", *words, "made.axp"], cwd=self.folder,
                                 stderr=subprocess.PIPE, preexec_fn=limit_size, timeout=60)
            self.assertEqual(run.returncode, FAILED)
            self.assertIn(b"made.axp: cannot be written: File too large", run.stderr)
            self.assertEqual([path.name for path in self.folder.iterdir()], ["data.svm"])

    def test_that_is_interrupted_leaves_nothing(self):
        with subprocess.Popen([PROGRAM, "data", "generate", "sparse-logistic:n=2e6,nonzeros=50",
                               "made.axp"], cwd=self.folder) as run:
            deadline = time.monotonic() + 30
            while not list(self.folder.iterdir()) and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.1)  # past the look at whether a file can be written
            run.send_signal(signal.SIGINT)
            self.assertEqual(run.wait(timeout=30), INTERRUPTED)
        self.assertEqual(list(self.folder.iterdir()), [])


class RealData(CommandLineTest):
    def test_of_idx_and_of_libsvm_is_the_same(self):
        infos = [strict_json(self.succeed("data", "info", self.real_data(name), "--dimension",
                                          "784", "--json").stdout)
                 for name in ("t10k-images-idx3-ubyte.xz", "mnist.t.xz")]
        self.assertEqual([info.pop("picture") for info in infos], [[28, 28], None])
        self.assertEqual(infos[0], infos[1])
        self.assertEqual(infos[0]["samples"], 10000)

    def test_of_a9a_has_its_known_size(self):
        info = strict_json(
            self.succeed("data", "info", self.real_data("a9a.xz"), "--json").stdout)
        self.assertEqual((info["samples"], info["dimension"]), (32561, 123))
        self.assertEqual({each["label"]: each["count"] for each in info["labels"]["distinct"]},
                         {-1: 24720, 1: 7841})


if __name__ == "__main__":
    unittest.main()
