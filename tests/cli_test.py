#!/usr/bin/env python3
"""All tests of the command line: those of cli_*_test.py beside this file."""

import sys
import unittest
from pathlib import Path


def load_tests(loader, _tests, _pattern):
    return loader.discover(str(Path(__file__).resolve().parent), pattern="cli_*_test.py")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
