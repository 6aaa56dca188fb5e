#!/usr/bin/env python3
"""data fetch, against a server of its own on this machine: nothing here needs the internet."""

import bz2
import hashlib
import lzma
import os
import signal
import subprocess
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock

from cli_testing import (DATA, FAILED, INTERRUPTED, PROGRAM, SECONDS_MAX, USAGE, CommandLineTest,
                         strict_json)

SERVER_FAILED = 5
TEXT = "".join(f"{1 if i % 3 else -1} {1 + i % 7}:0.{1 + i % 9}{i} 9:1\n" for i in range(50000))
NEWS = "/binary/news20.binary.bz2"
KEPT = "news20.binary.bz2"


class Handler(BaseHTTPRequestHandler):
    """Serves what its server's `files` has."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):  # the name is http.server's
        server = self.server
        asked = self.headers.get("Range")
        server.ranges.append(asked)
        body = server.files.get(self.path)
        if body is None:
            self.send_error(404)
            return
        first = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
        if asked and not server.ignores_ranges:
            if first >= len(body):
                self.send_error(416)
                return
            self.send_response(206)
            total, body = len(body), body[first:][:server.range_max]
            self.send_header("Content-Range", f"bytes {first}-{first + len(body) - 1}/{total}")
        else:
            self.send_response(200)
        if server.endless:
            self.send_header("Connection", "close")
            self.end_headers()
            self.send_piece_by_piece()
            return
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if server.cut_after is None:
            self.wfile.write(body)
            return
        self.wfile.write(body[:server.cut_after])
        self.wfile.flush()
        server.has_sent.set()
        server.may_cut.wait(SECONDS_MAX)
        self.close_connection = True

    def send_piece_by_piece(self):
        self.close_connection = True
        piece, seconds = self.server.endless
        for _ in range(1000):
            self.wfile.write(b"x" * piece)
            if self.server.is_over.wait(seconds):
                return

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = files
        self.ranges = []           # of the requests, in order
        self.ignores_ranges = False
        self.range_max = None      # bytes of a range that are sent
        self.cut_after = None      # bytes; then the connection ends, once it may
        self.endless = None        # bytes of a piece, and seconds between pieces
        self.is_over = threading.Event()
        self.has_sent = threading.Event()
        self.may_cut = threading.Event()
        self.may_cut.set()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def handle_error(self, *_):
        """A client that goes away in the middle is what is tested here."""

    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}/"


class Fetch(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.packed = bz2.compress(TEXT.encode())
        self.server = Server({NEWS: self.packed})
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.kept = self.folder / "share" / "asynprox"
        variables = {"ASYNPROX_DATA_URL": self.server.address(), "no_proxy": "*",
                     "XDG_DATA_HOME": str(self.folder / "share")}
        patch = mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)

    def files(self):
        return sorted(path.name for path in self.kept.iterdir()) if self.kept.exists() else []

    def test_a_data_set_is_fetched_and_then_known_by_its_name(self):
        run = self.succeed("data", "fetch", "news20")
        self.assertEqual(run.stdout, f"{self.kept / KEPT}\n")
        self.assertEqual((self.kept / KEPT).read_bytes(), self.packed)
        self.assertEqual(self.files(), [KEPT, KEPT + ".sha256"])
        checksum = hashlib.sha256(TEXT.encode()).hexdigest()
        self.assertEqual((self.kept / (KEPT + ".sha256")).read_text(encoding="utf-8"),
                         f"{checksum}  news20.binary\n")
        info = strict_json(self.succeed("data", "info", "news20", "--json").stdout)
        self.assertEqual(info["samples"], 50000)
        self.assertIn(str(self.kept / KEPT), self.succeed("data", "fetch", "--list").stdout)
        # Once more: nothing is asked of the server.
        self.succeed("data", "fetch", "news20")
        self.assertEqual(self.server.ranges, [None])

    def test_out_and_base_url_are_obeyed(self):
        os.environ["ASYNPROX_DATA_URL"] = "http://127.0.0.1:1/"
        self.succeed("data", "fetch", "news20", "--quiet", "--out", "here", "--base-url",
                     self.server.address().rstrip("/"))
        self.assertEqual((self.folder / "here" / KEPT).read_bytes(), self.packed)
        self.assertEqual(self.files(), [])

    def test_a_connection_that_is_cut_is_resumed_where_it_ended(self):
        half = len(self.packed) // 2
        self.server.cut_after = half
        complaint = self.fail_with(SERVER_FAILED, "data", "fetch", "news20")
        self.assertIn(f"{half} bytes are here, and the same command goes on from there", complaint)
        self.assertEqual(self.files(), [KEPT + ".partial"])
        self.assertIn("'asynprox data fetch news20'", self.fail_with(DATA, "data", "info", "news20"))
        self.server.cut_after = None
        self.succeed("data", "fetch", "news20")
        self.assertEqual(self.server.ranges, [None, f"bytes={half}-"])
        self.assertEqual((self.kept / KEPT).read_bytes(), self.packed)
        self.assertEqual(self.files(), [KEPT, KEPT + ".sha256"])

    def test_an_interrupt_keeps_what_has_come(self):
        third = len(self.packed) // 3
        self.server.cut_after = third
        self.server.may_cut.clear()
        run = subprocess.Popen([PROGRAM, "data", "fetch", "news20"], cwd=self.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertTrue(self.server.has_sent.wait(SECONDS_MAX))
        partial = self.kept / (KEPT + ".partial")
        deadline = time.monotonic() + SECONDS_MAX
        while not (partial.exists() and partial.stat().st_size == third):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        output, words = run.communicate(timeout=SECONDS_MAX)
        self.server.may_cut.set()
        self.assertEqual(run.returncode, INTERRUPTED, words)
        self.assertEqual(output, "")
        self.assertIn("the same command goes on from there", words)
        self.assertEqual(self.files(), [KEPT + ".partial"])
        self.server.cut_after = None
        self.succeed("data", "fetch", "news20")
        self.assertEqual(self.server.ranges, [None, f"bytes={third}-"])
        self.assertEqual((self.kept / KEPT).read_bytes(), self.packed)

    def test_a_server_without_ranges_sends_all_of_it_again(self):
        self.kept.mkdir(parents=True)
        for already in (b"something else", self.packed[:100]):
            (self.kept / (KEPT + ".partial")).write_bytes(already)
            self.server.ignores_ranges = True
            self.succeed("data", "fetch", "news20")
            self.assertEqual((self.kept / KEPT).read_bytes(), self.packed)
            (self.kept / KEPT).unlink()

    def test_a_partial_file_that_is_too_long_is_fetched_anew(self):
        self.kept.mkdir(parents=True)
        for already in (self.packed, self.packed + b"more"):
            (self.kept / (KEPT + ".partial")).write_bytes(already)
            self.server.ranges.clear()
            self.succeed("data", "fetch", "news20")
            self.assertEqual(self.server.ranges, [f"bytes={len(already)}-", None])
            self.assertEqual((self.kept / KEPT).read_bytes(), self.packed)
            (self.kept / KEPT).unlink()

    def test_a_wrong_checksum_keeps_nothing(self):
        # Pinned: this is not a9a.
        self.server.files["/binary/a9a"] = TEXT.encode()
        complaint = self.fail_with(DATA, "data", "fetch", "a9a")
        self.assertIn("expected the checksum f5d5ffd8", complaint)
        self.assertIn(hashlib.sha256(TEXT.encode()).hexdigest(), complaint)
        self.assertEqual(self.files(), [])
        # Recorded: the server has something else than the first time.
        self.succeed("data", "fetch", "news20")
        (self.kept / KEPT).unlink()
        self.server.files[NEWS] = bz2.compress(TEXT.encode() + b"1 1:1\n")
        self.assertIn("nothing is kept", self.fail_with(DATA, "data", "fetch", "news20"))
        self.assertEqual(self.files(), [KEPT + ".sha256"])
        # Resumed from what was no part of it.
        (self.kept / (KEPT + ".partial")).write_bytes(b"x" * 50)
        self.server.files[NEWS] = self.packed
        self.fail_with(DATA, "data", "fetch", "news20")
        self.assertEqual(self.files(), [KEPT + ".sha256"])

    def test_a_page_instead_of_the_file_is_not_kept(self):
        self.server.files[NEWS] = b"<html>Please log in</html>\n"
        self.assertIn("packed by bzip2", self.fail_with(DATA, "data", "fetch", "news20"))
        self.assertEqual(self.files(), [])

    def test_what_cannot_be_unpacked_is_neither_kept_nor_pinned(self):
        for body in (b"BZh", b"BZh, said the fly, and more", b"BZh91AY&SY" + bytes(range(200)),
                     self.packed[:-20], self.packed[:1000] + b"?" * 50 + self.packed[1050:]):
            self.server.files[NEWS] = body
            with self.subTest(body[:30]):
                self.assertRegex(self.fail_with(DATA, "data", "fetch", "news20"),
                                 "(packed by bzip2|cannot be unpacked).*; nothing is kept")
                self.assertEqual(self.files(), [])

    def test_an_empty_answer_does_not_complete_what_has_come(self):
        half = self.packed[:len(self.packed) // 2]
        self.server.ignores_ranges = True
        self.server.files[NEWS] = b""
        self.kept.mkdir(parents=True)
        for already in (half, self.packed, b""):
            (self.kept / (KEPT + ".partial")).write_bytes(already)
            self.assertIn("the server answered 200 and sent nothing",
                          self.fail_with(SERVER_FAILED, "data", "fetch", "news20"))
            self.assertEqual(self.files(), [KEPT + ".partial"])
            self.assertEqual((self.kept / (KEPT + ".partial")).read_bytes(), already)

    def test_a_range_that_ends_early_is_not_all_of_it(self):
        half = len(self.packed) // 2
        self.kept.mkdir(parents=True)
        (self.kept / (KEPT + ".partial")).write_bytes(self.packed[:half])
        self.server.range_max = 100
        self.assertIn(f"less than the {len(self.packed)} bytes that it has; {half + 100} bytes are "
                      "here", self.fail_with(SERVER_FAILED, "data", "fetch", "news20"))
        self.server.range_max = None
        self.succeed("data", "fetch", "news20")
        self.assertEqual((self.kept / KEPT).read_bytes(), self.packed)

    def test_of_a_file_without_a_known_checksum_no_more_is_said_than_is_known(self):
        self.kept.mkdir(parents=True)
        (self.kept / KEPT).write_bytes(bz2.compress(b"1 1:1\n"))
        said = self.succeed("data", "fetch", "news20").stderr
        self.assertIn("no checksum is known to compare it with", said)
        self.assertEqual(self.files(), [KEPT])
        (self.kept / KEPT).write_bytes(self.packed[:-20])
        self.assertRegex(self.fail_with(DATA, "data", "fetch", "news20"),
                         "cannot be unpacked.*; remove it, and fetch it again")
        (self.kept / KEPT).unlink()
        self.succeed("data", "fetch", "news20")
        self.assertIn("its checksum is as expected", self.succeed("data", "fetch", "news20").stderr)

    def test_a_file_that_is_packed_otherwise_is_refused(self):
        self.server.files[NEWS] = lzma.compress(TEXT.encode())
        self.assertIn("expected a file packed by bzip2, got another; nothing is kept",
                      self.fail_with(DATA, "data", "fetch", "news20"))
        self.assertEqual(self.files(), [])

    def test_a_file_that_has_changed_here_is_found_out(self):
        self.succeed("data", "fetch", "news20")
        (self.kept / KEPT).write_bytes(bz2.compress(b"1 1:1\n"))
        self.assertIn("remove it, and fetch it again",
                      self.fail_with(DATA, "data", "fetch", "news20"))

    def test_the_real_one_has_its_checksum(self):
        path = self.real_data("a9a.xz")
        self.server.files["/binary/a9a"] = lzma.decompress(Path(path).read_bytes())
        run = self.succeed("data", "fetch", "a9a")
        self.assertIn("the checksum is as expected", run.stderr)
        self.assertEqual(self.files(), ["a9a"])
        self.assertEqual(strict_json(self.succeed("data", "info", "a9a", "--json").stdout)
                         ["samples"], 32561)

    def test_what_goes_wrong_is_said(self):
        self.assertIn("the server answered 404", self.fail_with(SERVER_FAILED, "data", "fetch", "rcv1"))
        self.assertIn("(did you mean 'news20'?)", self.fail_with(USAGE, "data", "fetch", "news2"))
        self.assertIn("expected a NAME, or --list", self.fail_with(USAGE, "data", "fetch"))
        self.assertIn("127.0.0.1", self.fail_with(SERVER_FAILED, "data", "fetch", "news20",
                                                  "--base-url", "http://127.0.0.1:1/"))
        self.assertIn("rotocol", self.fail_with(SERVER_FAILED, "data", "fetch", "news20",
                                                "--base-url", "file:///etc/"))
        self.write("file", "")
        self.assertIn("cannot be written",
                      self.fail_with(FAILED, "data", "fetch", "news20", "--out", "file"))
        self.assertIn("'asynprox data fetch mnist'", self.fail_with(DATA, "data", "info", "mnist"))

    def test_more_than_a_data_set_has_is_refused_and_not_kept(self):
        self.server.files["/binary/a9a"] = b"x" * 2329876
        words = "expected at most 2329875 bytes, got more; nothing is kept"
        self.assertIn(words, self.fail_with(SERVER_FAILED, "data", "fetch", "a9a"))
        self.assertEqual(self.files(), [])
        # The server does not say how much will come.
        self.server.endless = 100000, 0
        self.assertIn(words, self.fail_with(SERVER_FAILED, "data", "fetch", "a9a"))
        self.assertEqual(self.files(), [])
        # It goes on from what is here.
        self.server.endless = None
        (self.kept / "a9a.partial").write_bytes(b"x" * 2000000)
        self.assertIn(words, self.fail_with(SERVER_FAILED, "data", "fetch", "a9a"))
        self.assertEqual(self.files(), [])

    def test_a_server_that_is_slow_for_long_is_given_up(self):
        self.server.endless = 1, 0.1
        self.addCleanup(self.server.is_over.set)
        with mock.patch.dict(os.environ, {"ASYNPROX_DATA_PATIENCE": "2"}):
            self.assertRegex(self.fail_with(SERVER_FAILED, "data", "fetch", "news20"),
                             "Less than 1000 bytes/sec transferred the last 2 seconds; [0-9]+ bytes "
                             "are here, and the same command goes on from there")
        for wrong in ("0", "2s", "-1", "1e3", "100000"):
            with mock.patch.dict(os.environ, {"ASYNPROX_DATA_PATIENCE": wrong}):
                self.assertIn("ASYNPROX_DATA_PATIENCE: expected a whole number of seconds",
                              self.fail_with(USAGE, "data", "fetch", "news20"))

    def test_a_password_in_the_address_is_not_repeated(self):
        port = self.server.server_address[1]
        for base, name in [(f"http://me:s3cret@127.0.0.1:{port}/", "rcv1"),
                           ("http://me:s3cret@127.0.0.1:1/", "news20"),
                           ("http://s3cret@127.0.0.1:1", "news20"),
                           ("http://me:s3cret/x@127.0.0.1:1/", "news20"),
                           ("me:s3cret@127.0.0.1:1", "news20"), ("ftp://me:s3cret@host/", "news20")]:
            for words, variable in [(["--base-url", base], ""), ([], base)]:
                with self.subTest(base), mock.patch.dict(os.environ,
                                                         {"ASYNPROX_DATA_URL": variable}):
                    said = self.fail_with(SERVER_FAILED, "data", "fetch", name, *words)
                    self.assertNotIn("s3cret", said)
                    self.assertIn("***@", said)
        self.server.files[NEWS] = self.packed
        self.succeed("data", "fetch", "news20", "--base-url", f"http://me:s3cret@127.0.0.1:{port}/")

    def test_a_full_disk_is_said_and_keeps_what_has_come(self):
        command = f"ulimit -f 20; trap '' XFSZ; exec {PROGRAM} data fetch news20"
        run = subprocess.run(["bash", "-c", command], cwd=self.folder, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, timeout=SECONDS_MAX)
        self.assertEqual(run.returncode, FAILED, run.stderr)
        self.assertIn("cannot be written: File too large", run.stderr)
        self.assertEqual(self.files(), [KEPT + ".partial"])
        self.succeed("data", "fetch", "news20")
        self.assertEqual((self.kept / KEPT).read_bytes(), self.packed)

    def test_what_is_no_ordinary_file_is_neither_followed_nor_waited_for(self):
        self.kept.mkdir(parents=True)
        precious = self.kept / "precious"
        precious.write_bytes(b"precious")
        partial = self.kept / (KEPT + ".partial")
        for make, what in [(partial.symlink_to, "symbolic link"),
                           (partial.hardlink_to, "file that has a second name"),
                           (lambda _: os.mkfifo(partial), "pipe"),
                           (lambda _: partial.mkdir(), "folder")]:
            with self.subTest(what):
                make(precious)
                said = self.fail_with(FAILED, "data", "fetch", "news20")
                self.assertIn(KEPT + ".partial: expected an ordinary file, or none", said)
                self.assertIn("got a " + what, said)
                self.assertEqual(precious.read_bytes(), b"precious")
                if partial.is_dir():
                    partial.rmdir()
                else:
                    partial.unlink()
        for name in (KEPT + ".sha256", KEPT):
            with self.subTest(name):
                os.mkfifo(self.kept / name)
                self.assertIn(name + ": expected an ordinary file, got a pipe",
                              self.fail_with(DATA, "data", "fetch", "news20"))
                (self.kept / name).unlink()
        self.assertEqual(self.server.ranges, [])

    def test_nothing_is_left_where_nothing_came(self):
        self.fail_with(SERVER_FAILED, "data", "fetch", "news20", "--base-url", "http://127.0.0.1:1/")
        self.fail_with(SERVER_FAILED, "data", "fetch", "rcv1")
        self.assertEqual(self.files(), [])

    def test_a_path_that_exists_comes_before_a_name(self):
        self.write("news20", "1 1:1\n")
        info = strict_json(self.succeed("data", "info", "news20", "--json").stdout)
        self.assertEqual(info["samples"], 1)

    def test_fashion_mnist_is_where_its_package_puts_it(self):
        run = self.run_program("data", "fetch", "fashion-mnist")
        if Path("/usr/share/datasets/fashion-mnist").is_dir():
            self.assertTrue(Path(run.stdout.strip()).is_file(), run.stdout)
        else:
            self.assertEqual(run.returncode, DATA)
            self.assertIn("install the Debian package dataset-fashion-mnist", run.stderr)
        self.assertEqual(self.server.ranges, [])


if __name__ == "__main__":
    unittest.main()
