#!/usr/bin/env python3
"""The library as others use it: installed, found by CMake and by pkg-config, as docs/cpp.md says.

Needs ASYNPROX_BUILD, the build folder, and CXX, the compiler it was built with.
"""

import gzip
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSUMER = ROOT / "tests" / "consumer"
PAGE = (ROOT / "docs" / "cpp.md").read_text(encoding="utf-8")
BUILD = os.environ["ASYNPROX_BUILD"]


def blocks(language):
    return re.findall(r"```" + language + r"\n(.*?)```", PAGE, re.DOTALL)


class Consumer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.home = cls.folder / "home"
        (cls.folder / "build").mkdir()
        (cls.folder / "build" / "release").symlink_to(BUILD)
        install, cls.with_cmake, cls.with_pkg_config = blocks("sh")
        cls.run_block(install.replace("make build\n", ""), cls.folder)
        # Moved, so that what is found cannot be where it was installed first.
        cls.home = cls.home.rename(cls.folder / "elsewhere")

    @classmethod
    def run_block(cls, block, folder):
        done = subprocess.run(["bash", "-euc", block], cwd=folder, capture_output=True, text=True,
                              timeout=300, check=False, env={**os.environ, "HOME": str(cls.home)})
        if done.returncode != 0:
            raise AssertionError(block + done.stdout + done.stderr)
        return done.stdout

    def check(self, block):
        """Runs it in a folder with the project, and then its program on a compressed file."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        for path in CONSUMER.iterdir():
            shutil.copy(path, folder)
        self.assertRegex(self.run_block(block, folder), r"asynprox \d+\.\d+\.\d+: 50 samples")
        with gzip.open(folder / "line.svm.gz", "wt", encoding="ascii") as file:
            file.write("2 1:1\n4 1:2\n6 1:3\n")
        program = block.splitlines()[-1]
        self.assertRegex(self.run_block(program + " line.svm.gz", folder),
                         r"^asynprox \d+\.\d+\.\d+: 3 samples, slope 2.000$")

    def test_is_found_by_cmake(self):
        shown, = blocks("cmake")
        self.assertIn(shown, (CONSUMER / "CMakeLists.txt").read_text(encoding="utf-8"))
        self.check(self.with_cmake)

    def test_replays_a_recorded_run_and_lends_its_laws(self):
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        for path in CONSUMER.iterdir():
            shutil.copy(path, folder)
        self.run_block(self.with_cmake, folder)
        self.assertEqual(self.run_block("build/recorded", folder), "replayed to the bit\n")
        self.run_block("build/laws", folder)

    @unittest.skipUnless(shutil.which("pkg-config"), "there is no pkg-config")
    def test_is_found_by_pkg_config(self):
        self.check(self.with_pkg_config)

    def test_has_every_public_header_and_only_what_they_include(self):
        headers = self.home / ".local" / "include" / "asynprox"
        public = {path.name for path in (ROOT / "include" / "asynprox").iterdir()}
        self.assertEqual({path.name for path in headers.glob("*.h")},
                         public | {"version.h", "method_laws_testing.h"})
        for absent in ("algorithm/server.cc", "runtimes/threads.h", "refinements/newton_search.h"):
            self.assertFalse((headers / absent).exists(), absent)

    def test_has_the_program_and_no_source(self):
        prefix = self.home / ".local"
        self.assertRegex(self.run_block(f"{prefix}/bin/asynprox --version", prefix),
                         r"\d+\.\d+\.\d+")
        self.assertEqual(list(prefix.rglob("*.cc")), [])


if __name__ == "__main__":
    unittest.main()
