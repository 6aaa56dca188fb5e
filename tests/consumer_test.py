#!/usr/bin/env python3
"""The library as others use it: installed elsewhere, found by CMake and by pkg-config.

Needs ASYNPROX_BUILD, the build folder, and CXX, the compiler it was built with.
"""

import gzip
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

CONSUMER = Path(__file__).resolve().parent / "consumer"
BUILD = os.environ["ASYNPROX_BUILD"]
COMPILER = os.environ["CXX"]


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=300, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Consumer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        # Moved, so that what is found cannot be where it was installed first.
        cls.prefix = cls.prefix.rename(cls.folder / "elsewhere")
        cls.data = cls.folder / "line.svm.gz"
        with gzip.open(cls.data, "wt", encoding="ascii") as file:
            file.write("2 1:1\n4 1:2\n6 1:3\n")

    def check(self, program):
        self.assertRegex(run(program, self.data), r"^asynprox \d+\.\d+\.\d+: 3 samples, slope 2.000$")

    def test_is_found_by_cmake(self):
        build = self.folder / "with-cmake"
        run("cmake", "-S", CONSUMER, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_BUILD_TYPE=Debug")
        run("cmake", "--build", build)
        self.check(build / "consumer")

    @unittest.skipUnless(shutil.which("pkg-config"), "there is no pkg-config")
    def test_is_found_by_pkg_config(self):
        pc_file, = self.prefix.rglob("asynprox.pc")
        flags = run("pkg-config", "--cflags", "--libs", "asynprox",
                    env={**os.environ, "PKG_CONFIG_PATH": str(pc_file.parent)}).split()
        program = self.folder / "with-pkg-config"
        run(COMPILER, CONSUMER / "consumer.cc", "-o", program, *flags,
            f"-Wl,-rpath,{pc_file.parent.parent}")
        self.check(program)

    def test_has_the_program_and_no_header_of_the_tests(self):
        self.assertRegex(run(self.prefix / "bin" / "asynprox", "--version"), r"\d+\.\d+\.\d+")
        headers = [path.name for path in self.prefix.rglob("*.h")]
        self.assertIn("solve.h", headers)
        self.assertIn("version.h", headers)
        self.assertEqual([name for name in headers if name.endswith("_testing.h")], [])
        self.assertEqual([path for path in self.prefix.rglob("*.cc")], [])


if __name__ == "__main__":
    unittest.main()
