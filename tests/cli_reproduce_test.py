"""asynprox reproduce, as a user meets it: on a small data set."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PROGRAM = os.environ["ASYNPROX"]
SMALL = "generate:nn-pca:n=400,d=12"


def run(*arguments, **environment):
    variables = {key: value for key, value in os.environ.items() if key != "ASYNPROX_DATA_DIR"}
    return subprocess.run([PROGRAM, "reproduce", *arguments], capture_output=True, text=True,
                          env={**variables, **environment}, timeout=300)


class Reproduce(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name) / "out"
        cls.result = run("--quick", "--seeds", "2", "--data", SMALL, "--out", str(cls.folder),
                         "--json")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_prints_and_keeps_the_same_findings(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        found = json.loads(self.result.stdout)
        self.assertEqual(found, json.loads((self.folder / "reproduction.json").read_text()))
        for kind in ("reference", "speedup", "schedule", "uneven", "centered", "many_workers",
                     "delays", "tuned", "paced_speedup", "paced_uneven"):
            self.assertIn(kind + "_data", found["tables"])
        self.assertLessEqual({"figure1_data", "figure2_data"}, set(found["figures"]))

    def test_names_how_every_time_came_about(self):
        for name, table in json.loads(self.result.stdout)["tables"].items():
            expected = ("paced in real time" if name.startswith("paced")
                        else "computed" if name.startswith("reference") else "simulated")
            self.assertEqual(table["how"], expected, name)

    def test_leaves_tables_pictures_and_a_page_that_shows_them(self):
        found = json.loads(self.result.stdout)
        page = (self.folder / "paper.md").read_text()
        for name in found["tables"]:
            lines = (self.folder / (name + ".csv")).read_text().splitlines()
            self.assertGreaterEqual(len(lines), 2, name)
        for name in found["figures"]:
            ElementTree.parse(self.folder / (name + ".svg"))
            self.assertIn("(" + name + ".svg)", page)
        self.assertNotIn("nan", page)

    def test_tells_what_it_found_on_standard_error(self):
        self.assertIn("speedup_data.csv", self.result.stderr)

    def test_refuses_a_folder_that_is_in_use(self):
        again = run("--data", SMALL, "--out", str(self.folder))
        self.assertEqual(again.returncode, 2)
        self.assertIn("is not empty; --force", again.stderr)


class BadInput(unittest.TestCase):
    def check(self, code, words, *arguments, **environment):
        with tempfile.TemporaryDirectory() as folder:
            result = run(*arguments, "--out", folder, **environment)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(words, result.stderr)

    def test_is_refused_with_its_place(self):
        self.check(3, "no/such: expected a folder", "--data-dir", "no/such")
        self.check(3, "no/such: expected a folder", ASYNPROX_DATA_DIR="no/such")
        self.check(3, "no/such", "--data", "no/such")
        self.check(2, "seeds: expected at least 1, got 0", "--seeds", "0", "--data", SMALL)


class Interruption(unittest.TestCase):
    def test_keeps_what_was_found_and_says_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            variables = {k: v for k, v in os.environ.items() if k != "ASYNPROX_DATA_DIR"}
            process = subprocess.Popen([PROGRAM, "reproduce", "--quick", "--out", folder],
                                       stderr=subprocess.PIPE, text=True, env=variables)
            said = ""
            while "reference" not in said:
                line = process.stderr.readline()
                self.assertTrue(line, said)
                said += line
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            said += process.communicate(timeout=60)[1]
            self.assertEqual(process.returncode, 130, said)
            self.assertIn("a9a: no folder of data is named", said)
            self.assertIn("Interrupted", (Path(folder) / "paper.md").read_text())
            self.assertIn("reference_like_a9a",
                          json.loads((Path(folder) / "reproduction.json").read_text())["tables"])


class OlderFindings(unittest.TestCase):
    def test_have_no_page_beside_newer_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "victim").write_text("mine")
            for name in ["paper.md", "reproduction.json"]:
                (Path(folder) / name).write_text("old")
            os.symlink("victim", Path(folder) / "reference_data.csv")
            process = subprocess.Popen([PROGRAM, "reproduce", "--quick", "--data", SMALL, "--out",
                                        folder, "--force"], stderr=subprocess.PIPE, text=True)
            while "reference_data.csv" not in process.stderr.readline():
                self.assertIsNone(process.poll())
            process.kill()
            process.communicate(timeout=60)
            left = set(os.listdir(folder))
            self.assertEqual(left & {"paper.md", "reproduction.json"}, set())
            self.assertIn("reference_data.csv", left)
            self.assertEqual((Path(folder) / "victim").read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
