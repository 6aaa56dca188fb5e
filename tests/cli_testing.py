"""Helpers of the tests of the command line: they run the program as a user would.

Environment: ASYNPROX is the program's path; ASYNPROX_DATA_DIR a folder of real data, where there is
one.
"""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

DONE, FAILED, USAGE, DATA, DIVERGED, NOT_CONVERGED, HUNG_UP, INTERRUPTED, TERMINATED, OUT_OF_TIME = (
    0, 1, 2, 3, 4, 6, 129, 130, 143, 152)

if not os.environ.get("ASYNPROX"):
    sys.exit("ASYNPROX: expected the program's path in this environment variable, got nothing")
PROGRAM = str(Path(os.environ["ASYNPROX"]).resolve())
SECONDS_MAX = 60  # no run here takes long: one that does hangs
SMALL = "generate:sparse-logistic:n=200,d=20"
TINY = "1 1:1 2:0.5\n-1 1:-1 3:0.25\n1 2:1\n-1 1:0.1\n"


def strict_json(text):
    """Parses `text`, without the words (NaN, Infinity) that Python takes and JSON does not."""

    def refuse(word):
        raise ValueError("not JSON: " + word)

    return json.loads(text, parse_constant=refuse)


def coefficients(model):
    """All numbers of x of a model file, of which it has the nonzeros."""
    x = [0] * model["x"]["size"]
    for index, value in zip(model["x"]["indices"], model["x"]["values"]):
        x[index] = value
    return x


class CommandLineTest(unittest.TestCase):
    """A test in a scratch folder, which is the program's working folder."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="asynprox-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def run_program(self, *words, stdin=b""):
        run = subprocess.run([PROGRAM, *words], cwd=self.folder, input=stdin,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS_MAX)
        run.stdout = run.stdout.decode(errors="backslashreplace")
        run.stderr = run.stderr.decode(errors="backslashreplace")
        return run

    def succeed(self, *words, stdin=b""):
        run = self.run_program(*words, stdin=stdin)
        self.assertEqual(run.returncode, DONE, run.stderr)
        return run

    def fail_with(self, exit_code, *words, stdin=b""):
        """The one line that says why; standard output stays empty."""
        run = self.run_program(*words, stdin=stdin)
        self.assertEqual(run.returncode, exit_code, run.stderr)
        self.assertEqual(run.stdout, "")
        self.assertRegex(run.stderr, r"\Aasynprox: [^\n]+\n\Z")
        return run.stderr.rstrip("\n")

    def result(self, *words, stdin=b""):
        """What `train --json` prints."""
        return strict_json(self.succeed("train", *words, "--json", stdin=stdin).stdout)

    def real_data(self, name):
        """The path of a file of real data; the test is skipped where there is none."""
        folder = os.environ.get("ASYNPROX_DATA_DIR")
        if not folder:
            self.skipTest("ASYNPROX_DATA_DIR is not set: no real data")
        path = Path(folder).resolve() / name
        if not path.exists():
            self.skipTest("ASYNPROX_DATA_DIR has no {}".format(name))
        return str(path)


class TerminalRun:
    """A run whose standard error is a terminal: someone watches. Ended, if need be, by close()."""

    def __init__(self, words, folder):
        self.terminal, there = pty.openpty()
        self.text = ""
        self.process = subprocess.Popen([PROGRAM, *words], cwd=folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=there, bufsize=0,
                                        start_new_session=True)
        os.close(there)

    def read_some(self, seconds):
        """Adds what the program wrote; False at the end."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(self.terminal, 65536)
        except OSError:  # Linux says so where no one holds the other side any more
            piece = b""
        self.text += piece.decode()
        return bool(piece)

    def wait_for(self, pattern, seconds=15):
        """Whether the pattern shows before the program or the time ends."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text):
            if time.monotonic() > end or not self.read_some(0.1):
                return re.search(pattern, self.text) is not None
        return True

    def send(self, number):
        os.kill(self.process.pid, number)

    def end(self, seconds=15):
        """The exit code; the terminal is read meanwhile, so that the program never waits."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.read_some(0.05)
        while self.process.poll() is not None and self.read_some(0):
            if not select.select([self.terminal], [], [], 0)[0]:
                break
        return self.process.poll()

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        os.close(self.terminal)
