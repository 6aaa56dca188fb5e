"""What the documentation shows is run: commands as pasted, C++ as compiled, tables as printed."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("ASYNPROX", "")
README = (ROOT / "README.md").read_text(encoding="utf-8")
CPP = (ROOT / "docs" / "cpp.md").read_text(encoding="utf-8")
THEORY = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
GETTING_STARTED = (ROOT / "docs" / "getting_started.md").read_text(encoding="utf-8")
OWN_METHOD = (ROOT / "docs" / "own_method.md").read_text(encoding="utf-8")
METHODS = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
PICTURES = Path("/usr/share/datasets/fashion-mnist")


def blocks(language, page=README):
    """The fenced blocks of a page in one language."""
    return re.findall(r"```" + language + r"\n(.*?)```", page, re.DOTALL)


NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?(?![\w.])")
SECONDS = re.compile(r"\S+ s\b")


def shape_of(output):
    """An output without its numbers."""
    return NUMBER.sub("#", SECONDS.sub("T", output))


def numbers_of(output):
    """The numbers of an output, but times."""
    return [float(number.replace(",", "")) for number in NUMBER.findall(SECONDS.sub("T", output))]


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        program = self.folder / "build" / "release" / "asynprox"
        program.parent.mkdir(parents=True)
        program.symlink_to(PROGRAM)

    def test_the_commands_of_the_readme_print_what_it_shows(self):
        (block, shown), = re.findall(r"```sh\n(.*?)```\n\n```text\n(.*?)```", README, re.DOTALL)
        done = subprocess.run(["bash", "-euc", block], cwd=self.folder, capture_output=True,
                              text=True, timeout=300, check=True)
        self.assertEqual(shape_of(done.stdout), shape_of(shown))
        for printed, told in zip(numbers_of(done.stdout), numbers_of(shown), strict=True):
            self.assertAlmostEqual(printed, told, delta=1e-3 * abs(told))

    def test_every_command_of_getting_started_runs_as_pasted(self):
        ran = [block for block in blocks("sh", GETTING_STARTED)
               if self.run_block(block, self.folder)]
        self.assertGreaterEqual(len(ran), 8)
        self.assertTrue((self.folder / "run" / "model.json").exists())

    def test_every_command_of_the_theory_runs_as_pasted(self):
        ran = [block for block in blocks("sh", THEORY) if self.run_block(block, self.folder)]
        self.assertEqual(len(ran), 3)

    def run_block(self, block, folder):
        """Runs a block; False for one that this test cannot run."""
        if block.startswith("make ") or (str(PICTURES) in block and not PICTURES.exists()):
            return False
        done = subprocess.run(["bash", "-euc", block], cwd=folder, capture_output=True, text=True,
                              timeout=300, check=False)
        self.assertEqual(done.returncode, 0, block + done.stdout + done.stderr)
        return True

    def test_every_make_verb_that_is_named_exists(self):
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        verbs = re.search(r"^VERBS := (.*)$", makefile, re.MULTILINE).group(1).split()
        for verb in re.findall(r"`make (\w+)`|^make (\w+)", README, re.MULTILINE):
            self.assertIn(verb[0] or verb[1], verbs)

    def test_make_help_lists_every_verb_with_its_time(self):
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        verbs = re.search(r"^VERBS := (.*)$", makefile, re.MULTILINE).group(1).split()
        listed = subprocess.run(["make", "help"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
                                universal_newlines=True).stdout
        for verb in verbs:
            self.assertRegex(listed, r"(?m)^  make " + verb + r" +\S.* \(.+\)$")


class Snippets(unittest.TestCase):
    def test_the_loss_that_is_shown_is_the_one_that_the_example_compiles(self):
        example = (ROOT / "examples" / "own_loss.cc").read_text(encoding="utf-8")
        shown = [block for block in blocks("cpp", CPP) if "struct LogCoshLoss" in block]
        self.assertEqual(len(shown), 1)
        self.assertIn(shown[0], example)

    def test_all_code_of_the_page_on_cpp_is_that_of_examples(self):
        examples = [path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*.cc")]
        shown = blocks("cpp", CPP)
        self.assertGreaterEqual(len(shown), 5)
        for block in shown:
            self.assertTrue(any(block in example for example in examples), block)

    def test_all_code_of_the_page_on_methods_of_ones_own_is_that_of_the_example(self):
        example = "".join((ROOT / "examples" / name).read_text(encoding="utf-8")
                          for name in ("clipped_sgd.h", "own_method.cc"))
        shown = blocks("cpp", OWN_METHOD)
        self.assertEqual(len(shown), 2)
        for block in shown:
            self.assertIn(block, example)

    def test_every_trait_of_a_method_is_explained(self):
        header = (ROOT / "src/asynprox/algorithm/methods/method_traits.h").read_text(encoding="utf-8")
        traits = re.search(r"struct MethodTraits \{(.*?)\};", header, re.DOTALL).group(1)
        named = set(re.findall(r"^  [\w:]+ (\w+) = ", traits, re.MULTILINE))
        told = set(re.findall(r"^\| `(\w+)` \|", OWN_METHOD, re.MULTILINE))
        self.assertEqual(named, told)

    def test_the_page_on_cpp_names_every_public_header(self):
        public = {path.name for path in (ROOT / "include" / "asynprox").iterdir()}
        named = re.findall(r"^\| `(\w+\.h)`", CPP, re.MULTILINE)
        self.assertEqual(sorted(named), sorted(public | {"version.h"}))


class Tables(unittest.TestCase):
    def test_the_counterexample_is_what_its_example_prints(self):
        example = Path(PROGRAM).parent / "examples" / "example_counterexample"
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "counterexample.svg"
            done = subprocess.run([str(example), str(picture)], capture_output=True, text=True,
                                  check=True)
            self.assertIn("\n\n" + done.stdout + "\n", THEORY)
            shown = (ROOT / "docs" / "images" / "counterexample.svg").read_text(encoding="utf-8")
            self.assertEqual(picture.read_text(encoding="utf-8"), shown)


class Lists(unittest.TestCase):
    def names(self, family):
        done = subprocess.run([PROGRAM, "list", family], capture_output=True, text=True, check=True)
        return set(re.findall(r"^  (\S+)", done.stdout, re.MULTILINE))

    def test_the_table_of_pieces_names_only_what_the_program_has(self):
        for family, row in (("losses", "losses"), ("regularizers", "regularisers"),
                            ("step-sizes", "step sizes"), ("methods", "methods")):
            with self.subTest(family):
                cells = re.search(rf"^\| {row} \| (.*) \|$", README, re.MULTILINE).group(1)
                named = {re.split(r"[ (]", item.strip())[0]
                         for item in re.sub(r"\(.*?\)", "", cells).split(",")}
                self.assertGreater(len(named), 2)
                self.assertLessEqual(named, self.names(family))

    def test_the_page_on_methods_tells_of_every_method_and_sampling(self):
        told = set(re.findall(r"^\| ([\w-]+) \|", METHODS, re.MULTILINE))
        self.assertLessEqual(self.names("methods") - {"auto"}, told)
        self.assertLessEqual(self.names("samplings") - {"auto"}, told)

    def test_the_catalogue_and_the_options_are_what_the_program_lists(self):
        for page, words in (("catalogue.md", []), ("options.md", ["options"])):
            with self.subTest(page):
                done = subprocess.run([PROGRAM, "list", *words, "--markdown"], capture_output=True,
                                      text=True, check=True)
                written = (ROOT / "docs" / page).read_text(encoding="utf-8")
                self.assertEqual(written, done.stdout, "run 'make docs'")


if __name__ == "__main__":
    unittest.main()
