#!/usr/bin/env python3
"""Each check of tools/tidy.py finds its violation in a scratch tree, and nothing in a clean one."""

import io
import shutil
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import tidy  # noqa: E402

CLEAN = {
    "README.md": "See [the tree](docs/architecture.md#layers) and [the paper](https://a.org/b).\n",
    "docs/architecture.md": "`src/` `docs/` `asynprox/`: `base/`, `linalg/`, `algorithm/`\n",
    "docs/algorithm.md":
        "| step | paper | code |\n|---|---|---|\n| push | line 4 | `Server::receive(push)` |\n",
    "docs/notation.md": "| x | the model | `Server` |\n",
    "docs/references.md": "| rows | A. Author (1999), *Rows* | `linalg/rows.h` |\n",
    "src/asynprox/base/errors.h": "#pragma once\n#include <string>\n",
    "src/asynprox/linalg/rows.h":
        '// Author (1999), Rows.\n#pragma once\n#include "asynprox/base/errors.h"\n',
    "src/asynprox/algorithm/server.h": "#pragma once\nstruct Server { void receive(); };\n",
    "src/asynprox/algorithm/server.cc":
        '#include <fmt/format.h>\n#include "asynprox/linalg/rows.h"\n',
    "src/asynprox/solve.h": '#pragma once\n#include "asynprox/algorithm/server.h"\n',
}


class ScratchTree(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name)
        for path, text in CLEAN.items():
            self.write(path, text)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def found(self):
        findings = tidy.findings_of(tidy.Tree(self.root))
        return [f"{path}:{line}: {message}" for path, line, message in findings]

    def finds(self, path, text, expected):
        """With this file in the tree, exactly one finding, which begins as expected."""
        self.write(path, text)
        found = self.found()
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(expected), found[0])

    def finds_nothing(self, path, text):
        self.write(path, text)
        self.assertEqual(self.found(), [])


class TreeTest(ScratchTree):
    def test_is_clean(self):
        self.assertEqual(self.found(), [])

    def test_skips_what_was_generated(self):
        self.finds_nothing("build/dev/x.h", "no pragma, TODO\n")

    def test_skips_binary_files(self):
        (self.root / "docs/picture.png").write_bytes(b"\x89PNG TODO \xff\n")
        self.assertEqual(self.found(), [])

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_asks_git_where_there_is_git(self):
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        self.write(".gitignore", "/ignored/\n")
        self.write("ignored/x.md", "TODO\n")
        self.finds("docs/new.md", "TODO\n", "docs/new.md:1: TODO without")


class LayersTest(ScratchTree):
    def test_an_include_that_points_up_is_found(self):
        self.finds("src/asynprox/base/x.cc", '\n#include "asynprox/linalg/rows.h"\n',
                   "src/asynprox/base/x.cc:2: base may not include linalg/rows.h")

    def test_angle_brackets_do_not_hide_it(self):
        self.finds("src/asynprox/base/x.cc", "#include <asynprox/linalg/rows.h>\n",
                   "src/asynprox/base/x.cc:1: base may not include linalg/rows.h")

    def test_examples_include_public_headers_only(self):
        self.write("docs/architecture.md", "base/ linalg/ algorithm/ src/ docs/ examples/ asynprox/\n")
        self.write("examples/x.cc", "#include <asynprox/solve.h>\n")
        self.finds("examples/y.cc", "#include <asynprox/linalg/rows.h>\n",
                   "examples/y.cc:1: linalg/rows.h is not a header of include/asynprox")

    def test_the_front_door_is_above_all(self):
        self.finds("src/asynprox/algorithm/x.cc", '#include "asynprox/solve.h"\n',
                   "src/asynprox/algorithm/x.cc:1: algorithm may not include solve.h")

    def test_a_relative_include_is_found(self):
        self.finds("src/asynprox/base/x.cc", '#include "errors.h"\n',
                   'src/asynprox/base/x.cc:1: write "errors.h" as')

    def test_a_folder_needs_a_row(self):
        self.write("docs/architecture.md", "src/ docs/ asynprox/ base/ linalg/ algorithm/ new/\n")
        self.finds("src/asynprox/new/x.cc", "", "src/asynprox/new/x.cc:1: new/ has no row")

    def test_one_header_may_be_allowed_alone(self):
        self.assertTrue(tidy.may_include("report/csv.cc", "algorithm/trace.h"))
        self.assertFalse(tidy.may_include("report/csv.cc", "algorithm/server.h"))

    def test_a_test_may_include_what_stands_beside_it_but_not_above(self):
        self.assertTrue(tidy.may_include("losses/laws_test.cc", "data/dataset.h"))
        self.assertFalse(tidy.may_include("losses/logistic.h", "data/dataset.h"))
        self.assertFalse(tidy.may_include("losses/laws_test.cc", "problem/problem.h"))

    def test_only_the_tests_of_sums_may_include_the_problem_above_them(self):
        self.assertTrue(tidy.may_include("sums/design_test.cc", "problem/problem.h"))
        self.assertFalse(tidy.may_include("sums/design.cc", "problem/problem.h"))

    def test_a_header_of_tests_is_for_tests_alone(self):
        self.write("src/asynprox/base/x_testing.h", "#pragma once\n#include <gtest/gtest.h>\n")
        self.write("src/asynprox/base/x_test.cc", '#include "asynprox/base/x_testing.h"\n')
        self.finds("src/asynprox/base/x.cc", '#include "asynprox/base/x_testing.h"\n',
                   "src/asynprox/base/x.cc:1: only a test may include base/x_testing.h")

    def test_the_table_has_no_cycle_and_no_stranger(self):
        for layer in tidy.LAYERS:
            self.assertNotIn(layer, tidy.layers_below(layer))
            self.assertLessEqual(tidy.layers_below(layer), set(tidy.LAYERS))


class PurityTest(ScratchTree):
    def test_threads_clocks_files_and_sockets_are_found(self):
        for header in ("thread", "mutex", "atomic", "chrono", "fstream", "cstdio", "sys/socket.h"):
            with self.subTest(header):
                self.finds("src/asynprox/algorithm/x.cc", f"#include <{header}>\n",
                           f"src/asynprox/algorithm/x.cc:1: algorithm/ is pure: no <{header}>")

    def test_printing_is_found(self):
        self.finds("src/asynprox/algorithm/x.cc", "\nvoid f() { fmt::print(1); }\n",
                   "src/asynprox/algorithm/x.cc:2: algorithm/ is pure: it does not print")

    def test_elsewhere_and_in_tests_they_are_allowed(self):
        self.write("src/asynprox/base/x.cc", "#include <thread>\n")
        self.finds_nothing("src/asynprox/algorithm/x_test.cc", "#include <thread>\n")


class TextTest(ScratchTree):
    def test_a_long_file_is_found(self):
        self.finds("src/asynprox/base/x.cc", "\n" * 501,
                   "src/asynprox/base/x.cc:501: 501 lines, at most 500")

    def test_a_file_at_the_limit_is_not(self):
        self.finds_nothing("src/asynprox/base/x.cc", "\n" * 500)

    def test_an_empty_name_of_a_folder_is_found(self):
        self.finds("src/asynprox/base/utils/x.cc", "", "src/asynprox/base/utils/x.cc:1: a folder")

    def test_a_todo_needs_an_issue(self):
        self.write("docs/a.md", "TODO(#12): fine\n")
        self.finds("docs/b.md", "\nTODO: later\n", "docs/b.md:2: TODO without an issue")

    def test_a_path_of_one_machine_is_found(self):
        for folder in ("work", "root", "home"):
            with self.subTest(folder):
                self.finds("docs/b.md", f"see /{folder}/x\n", "docs/b.md:1: a path of one machine")

    def test_a_path_that_only_looks_so_is_not(self):
        for folder in ("work", "home"):
            self.finds_nothing(
                "docs/b.md", f"https://a.org/{folder}/x ../{folder}/x ${{root}}/{folder}/x\n")


SHAPES = """\
namespace a {
enum class Word { yes, no };
const std::vector<int> kNumbers = {1, 2};
// A comment with { and "quotes".
class Server final : public Base<int> {
 public:
  explicit Server(int n) : n_(n), names_{"{", R"(})"} {
    work([&](int i) { return i; });
  }
  bool operator==(const Server&) const = default;
  template <class T>
    requires(sizeof(T) > 1)
  std::optional<double> get(const T& x) const& {
    return x == 1'000 ? 1 : 2;
  }
  int declared(int n = 3) const;

 private:
  struct Slot {
    int first = 0, last = 0;
    std::map<int, std::string> names = {{1, "x"}};
  };
  static constexpr int most = 7;
  using Call = std::function<void(int)>;
  int n_;
  std::function<void(int, int)> call_ = {};
  alignas(64) std::atomic<int> guarded_ = 0;
};
int outside(int n) { return n; }
}  // namespace a
"""


class SizesTest(ScratchTree):
    def test_scopes_are_told_apart(self):
        found = [(scope.kind, scope.name, scope.first, scope.last, scope.members)
                 for scope in tidy.scopes(SHAPES) if scope.kind in ("function", "class")]
        self.assertEqual(found, [
            ("function", "Server", 7, 9, 0), ("function", "get", 11, 15, 0),
            ("class", "Slot", 19, 22, 3), ("class", "Server", 5, 28, 3),
            ("function", "outside", 29, 29, 0)])

    def test_a_long_function_is_found(self):
        self.finds("src/asynprox/base/x.cc", "int f() {\n" + "  g();\n" * 59 + "}\n",
                   "src/asynprox/base/x.cc:1: f has 61 lines, at most 60")

    def test_a_function_at_the_limit_is_not(self):
        self.finds_nothing("src/asynprox/base/x.cc", "int f() {\n" + "  g();\n" * 58 + "}\n")

    def test_a_long_function_of_python_is_found_and_its_docstring_not_counted(self):
        body = '    """What\n    it does."""\n' + "    g()\n" * 60
        self.finds_nothing("src/asynprox/x.py", "def f():\n" + body)
        self.finds("src/asynprox/x.py", "def f():\n" + body + "    g()\n",
                   "src/asynprox/x.py:4: f has 61 lines")

    def test_a_class_of_many_members_is_found(self):
        text = "#pragma once\nstruct Many {\n" + "  int x = 0;\n" * 26 + "};\n"
        self.finds("src/asynprox/base/x.h", text,
                   "src/asynprox/base/x.h:2: Many has 26 data members, at most 25")

    def test_some_classes_may_have_more(self):
        members = "  int x = 0;\n" * 26
        self.finds_nothing("src/asynprox/base/x.h", "#pragma once\nstruct Options {\n" + members + "};\n")


class PagesTest(ScratchTree):
    def test_a_folder_of_the_library_that_is_not_named_is_found(self):
        self.finds("src/asynprox/data/x.cc", "",
                   "docs/architecture.md:1: does not name the folder data/")

    def test_a_folder_at_the_top_that_is_not_named_is_found(self):
        self.finds("tools/x.sh", "", "docs/architecture.md:1: does not name the folder tools/")

    def test_a_symbol_that_is_not_in_the_sources_is_found(self):
        self.finds("docs/algorithm.md", "|a|`Free`|`Server::accept(x)`|\n",
                   "docs/algorithm.md:1: `Server::accept(x)` is not found")

    def test_so_is_a_name_that_the_notation_only_claims(self):
        self.finds("docs/notation.md", "|k|its number|`version`|\n",
                   "docs/notation.md:1: `version` is not found")

    def test_files_and_folders_are_known_symbols(self):
        self.finds_nothing("docs/algorithm.md", "|a|b|`algorithm/server.h`, `linalg/`, `Server`|\n")

    def test_a_missing_page_is_found(self):
        for page in ("docs/architecture.md", *tidy.SYMBOL_PAGES):
            with self.subTest(page):
                self.write("README.md", "")
                (self.root / page).unlink()
                self.assertTrue(any(f.startswith(f"{page}:1: is missing") for f in self.found()))

    def test_a_file_without_its_reference_is_found(self):
        self.finds("docs/references.md", "| x | A. Author (1998), *X* | `linalg/rows.h` |\n",
                   "docs/references.md:1: linalg/rows.h: no reference of 1998")

    def test_a_dead_link_is_found(self):
        self.finds("docs/b.md", "\n[x](../README.md) [y](gone.md#z)\n",
                   "docs/b.md:2: the link gone.md#z leads nowhere")

    def test_code_is_not_a_link(self):
        self.finds_nothing("docs/b.md", "`[](x)`\n```cpp\n[](y)\n```\n")


class TypesTest(ScratchTree):
    def test_a_name_of_two_types_is_found(self):
        for text in ("struct Server {\n};\n", "class Server final : public Base {\n",
                     "enum class Server { a };\n"):
            for ending in ("h", "cc"):
                path = f"src/asynprox/linalg/x.{ending}"
                with self.subTest(text + ending):
                    self.finds(path, "#pragma once\n" + text,
                               path + ":2: Server is a type of src/asynprox/algorithm/server.h")
                    (self.root / path).unlink()

    def test_a_declaration_a_nested_type_and_a_type_of_a_test_are_none(self):
        for path, text in [("linalg/x.cc", "struct Server;\n"),
                           ("linalg/y.cc", "struct Server::Slot {\n"),
                           ("linalg/z.cc", "struct Other {\n  struct Server {\n  };\n};\n"),
                           ("linalg/x_test.cc", "struct Server {\n};\n")]:
            with self.subTest(path):
                self.finds_nothing("src/asynprox/" + path, text)


class HeadersTest(ScratchTree):
    def test_a_header_without_pragma_once_is_found(self):
        self.finds("src/asynprox/base/x.h", "", "src/asynprox/base/x.h:1: has no #pragma once")

    def test_a_dependency_in_a_public_header_is_found(self):
        for header in ("fmt/format.h", "archive.h"):
            with self.subTest(header):
                self.finds("src/asynprox/base/x.h", f"#pragma once\n#include <{header}>\n",
                           "src/asynprox/base/x.h:2: a public header may not need")


class MainTest(ScratchTree):
    def run_main(self):
        with redirect_stdout(io.StringIO()) as output:
            status = tidy.main([str(self.root)])
        return status, output.getvalue()

    def test_says_that_all_is_clean(self):
        count = len(CLEAN)
        self.assertEqual(self.run_main(),
                         (0, f"tidy: {count} files, {len(tidy.CHECKS)} checks, clean\n"))

    def test_fails_with_path_line_and_message(self):
        self.write("docs/b.md", "[y](gone.md)\n")
        self.assertEqual(self.run_main(), (1, "docs/b.md:1: the link gone.md leads nowhere\n"))


if __name__ == "__main__":
    unittest.main()
