#!/usr/bin/env python3
"""Checks of the tree that no compiler makes: tools/tidy.py [ROOT].

Prints `path:line: message` for each finding and exits 1, or one line when there is none. A check is
a function from a Tree to findings, listed in CHECKS; what it demands is its docstring.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from scopes import scopes

# Which folder of src/asynprox may include which; its own is understood. A name with a dot is one
# header. `solve` stands for the files of src/asynprox itself, the front door.
BELOW_SUMS = {"base", "linalg", "data", "losses"}
BELOW_PROBLEM = BELOW_SUMS | {"regularizers", "step_sizes", "sums"}
BELOW_RUNTIMES = BELOW_PROBLEM | {"problem", "certificates", "refinements", "algorithm", "delays",
                                  "sampling", "checkpoints"}
RUN_RECORDS = {"run/result.h", "run/plan.h", "run/json.h", "run/choices.h", "run/problem_spec.h",
               "version.h", "algorithm/event.h", "algorithm/trace.h", "algorithm/ledger.h",
               "algorithm/staleness.h", "algorithm/stopping.h"}
LAYERS = {
    "base": set(),
    "linalg": {"base"},
    "data": {"base", "linalg"},
    "losses": {"base", "linalg"},
    "regularizers": {"base", "linalg"},
    "step_sizes": {"base"},
    "delays": {"base"},
    "sampling": {"base", "linalg"},
    "sums": BELOW_SUMS,
    "problem": BELOW_PROBLEM,
    "certificates": BELOW_PROBLEM | {"problem"},
    "refinements": BELOW_PROBLEM | {"problem"},
    # The evaluations of a run are part of it: they refine the model, and bound its error.
    "algorithm": BELOW_PROBLEM | {"problem", "certificates", "refinements", "sampling"},
    "messages": {"base", "linalg", "data", "algorithm"},
    "checkpoints": {"base", "linalg", "data"},
    "runtimes": BELOW_RUNTIMES,
    "simulator": BELOW_RUNTIMES | {"runtimes"},
    "models": BELOW_PROBLEM | {"problem"},
    "run": BELOW_RUNTIMES | {"runtimes", "simulator"},
    # Server and workers apart, and what carries their messages.
    "transports": BELOW_RUNTIMES | {"runtimes", "simulator", "run", "messages", "version.h"},
    "solve": BELOW_RUNTIMES | {"runtimes", "simulator", "models", "run", "transports"},
    "fit": BELOW_RUNTIMES | {"runtimes", "simulator", "models", "run", "solve", "version.h"},
    "mpi": BELOW_RUNTIMES | {"messages", "runtimes", "models", "run", "transports", "solve", "fit",
                             "version.h"},
    "report": {"base", "linalg"} | RUN_RECORDS,
}

# What the tests of a folder may include from above it: a finite sum's tests measure its smoothness, and
# its sum with h, by the functions that runs use.
TESTS_MAY_INCLUDE = {"sums": {"problem"}}

# A test, and a header that only tests include.
TEST_ENDINGS = ("_test.cc", "_testing.h")
LINES_MAX = 500
FUNCTION_LINES_MAX = 60
DATA_MEMBERS_MAX = 25
# These may have so many, and no more. Options and Result are lists that users read from top to bottom;
# the others wait to be split.
DATA_MEMBERS_ALLOWED = {"Options": 41, "Result": 40, "RunEvaluator": 46}
FORBIDDEN_FOLDERS = {"utils", "common", "misc", "impl"}
IMPURE_HEADERS = {
    "atomic", "barrier", "chrono", "condition_variable", "csignal", "cstdio", "ctime", "filesystem",
    "fstream", "future", "iostream", "latch", "mutex", "random", "semaphore", "shared_mutex",
    "stop_token", "thread", "pthread.h", "signal.h", "stdio.h", "time.h", "unistd.h",
    "fmt/chrono.h", "fmt/os.h",
}
IMPURE_HEADER_FOLDERS = ("arpa/", "netinet/", "sys/")

# Pages with tables of symbols, and what they are for.
SYMBOL_PAGES = {
    "docs/algorithm.md": "its table leads from the lines of the paper to the code",
    "docs/notation.md": "its table leads from the symbols of the paper to their names",
    "docs/references.md": "its tables lead from published algorithms to the code",
}

# These two name what they forbid.
RULE_BOOKS = {"tools/tidy.py", "tools/tidy_test.py"}

INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
PRINTING = re.compile(r"\bstd::c(out|err|log)\b|\bf?printf\s*\(|\bfmt::print\b|\bputs\s*\(")
UNNUMBERED_TODO = re.compile(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))")
PRIVATE_PATH = re.compile(r"(?<![\w.)}~/-])/(work|root|home)/")
STANDARD_HEADER = re.compile(r"[a-z0-9_]+")  # only they have no dot and no folder
LINK = re.compile(r"\[[^\]]*\]\(<?([^)\s>]+)>?[^)]*\)")
INLINE_CODE = re.compile(r"`[^`]*`")
YEAR = re.compile(r"\((?:18|19|20)\d\d\)")
# At the beginning of a line only: in a namespace, not in another type. Not a mere declaration.
TYPE = re.compile(r"(?:class|struct|union|enum(?: class)?) (?:alignas\([^)]*\) )?(\w+)(?: final)?"
                  r" *(?:\{|: |$)")
CELL_BORDER = re.compile(r"(?<!\\)\|")


class Finding(NamedTuple):
    path: str
    line: int
    message: str


class Include(NamedTuple):
    line: int
    quoted: bool
    header: str


class Tree:
    """The files of the project, by their paths from its root."""

    def __init__(self, root: Path):
        self.root = root
        self.paths = sorted(path for path in self._listed() if (root / path).is_file())
        self._lines = {path: self._read(path) for path in self.paths}

    def lines(self, path: str) -> List[str]:
        """The file's lines; none of a binary file."""
        return self._lines[path]

    def numbered(self, path: str) -> Iterator[Tuple[int, str]]:
        return enumerate(self._lines[path], start=1)

    def ending(self, *endings: str) -> List[str]:
        return [path for path in self.paths if path.endswith(endings)]

    def sources(self) -> List[str]:
        return [path for path in self.ending(".h", ".cc") if path.startswith("src/asynprox/")]

    def includes(self, path: str) -> Iterator[Include]:
        for number, line in self.numbered(path):
            match = INCLUDE.match(line)
            if match:
                yield Include(number, match[1] == '"', match[2])

    def _read(self, path: str) -> List[str]:
        try:
            return (self.root / path).read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            return []

    def _listed(self) -> List[str]:
        """What git tracks or would track; without git, all but hidden and generated folders."""
        if (self.root / ".git").exists():
            command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
            try:
                run = subprocess.run(command, cwd=self.root, capture_output=True, check=True)
                return run.stdout.decode().rstrip("\0").split("\0")
            except (OSError, subprocess.CalledProcessError):
                pass
        paths = [path.relative_to(self.root) for path in self.root.rglob("*")]
        return [path.as_posix() for path in paths if not is_generated(path)]


def is_generated(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts[:-1])
    return hidden or path.parts[0] in {"build", "demo"} or "__pycache__" in path.parts


def layer_of(path_in_library: str) -> str:
    """The row of LAYERS a file of src/asynprox belongs to."""
    folder, slash, _ = path_in_library.partition("/")
    if path_in_library == "version.h":  # which includes nothing
        return "base"
    return folder if slash else "solve"


def layers_below(layer: str) -> Set[str]:
    """All that `layer` includes, and what these include."""
    direct = {layer_of(entry) if entry.endswith(".h") else entry for entry in LAYERS[layer]}
    return direct.union(*(layers_below(below) for below in direct))


def may_include(path: str, header: str) -> bool:
    """Whether the library's file `path` may include the library's `header`.

    A test may also include what stands beside its folder (all that is not built upon it), and what
    TESTS_MAY_INCLUDE names.
    """
    layer, included = layer_of(path), layer_of(header)
    if included == layer or {included, header} & LAYERS[layer]:
        return True
    is_test = path.endswith(TEST_ENDINGS)
    if is_test and included in TESTS_MAY_INCLUDE.get(layer, set()):
        return True
    return is_test and included in LAYERS and layer not in layers_below(included)


def check_layers(tree: Tree) -> Iterator[Finding]:
    """A folder of src/asynprox includes only those that its row of LAYERS names."""
    for path in tree.sources():
        inside = path[len("src/asynprox/"):]
        layer = layer_of(inside)
        if layer not in LAYERS:
            yield Finding(path, 1, f"{layer}/ has no row in LAYERS of tools/tidy.py")
            continue
        for include in tree.includes(path):
            name, _, header = include.header.partition("/")
            if include.quoted and name != "asynprox":
                yield Finding(path, include.line, f'write "{include.header}" as "asynprox/..."')
            elif name == "asynprox" and header and not may_include(inside, header):
                yield Finding(path, include.line, f"{layer} may not include {header}")
            elif header.endswith(TEST_ENDINGS) and not path.endswith(TEST_ENDINGS):
                yield Finding(path, include.line, f"only a test may include {header}")


def check_examples(tree: Tree) -> Iterator[Finding]:
    """Programs that show how to use the library include its public headers only."""
    for path in tree.ending(".h", ".cc"):
        if not path.startswith(("examples/", "tests/consumer/")):
            continue
        for include in tree.includes(path):
            name, _, header = include.header.partition("/")
            if name == "asynprox" and "/" in header:
                yield Finding(path, include.line, f"{header} is not a header of include/asynprox")


def check_purity(tree: Tree) -> Iterator[Finding]:
    """algorithm/ has no thread, socket, clock, file or print."""
    for path in tree.sources():
        if not path.startswith("src/asynprox/algorithm/") or path.endswith(TEST_ENDINGS):
            continue
        for include in tree.includes(path):
            header = include.header
            if header in IMPURE_HEADERS or header.startswith(IMPURE_HEADER_FOLDERS):
                yield Finding(path, include.line, f"algorithm/ is pure: no <{header}>")
        for number, line in tree.numbered(path):
            if PRINTING.search(line):
                yield Finding(path, number, "algorithm/ is pure: it does not print")


def check_lengths(tree: Tree) -> Iterator[Finding]:
    """A file of code has at most LINES_MAX lines."""
    for path in tree.ending(".h", ".cc", ".py"):
        count = len(tree.lines(path))
        if count > LINES_MAX:
            yield Finding(path, LINES_MAX + 1, f"{count} lines, at most {LINES_MAX}")


def functions_of(tree: Tree, path: str) -> Iterator[Tuple[str, int, int]]:
    """Name, first and last line of each function; in Python from its first statement after the docstring."""
    text = "\n".join(tree.lines(path))
    if path.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node
                yield node.name, first.lineno, node.end_lineno or node.lineno
    else:
        for scope in scopes(text):
            if scope.kind == "function":
                yield scope.name, scope.first, scope.last


def check_functions(tree: Tree) -> Iterator[Finding]:
    """A function has at most FUNCTION_LINES_MAX lines."""
    for path in tree.ending(".h", ".cc", ".py"):
        for name, first, last in functions_of(tree, path):
            count = last - first + 1
            if count > FUNCTION_LINES_MAX:
                yield Finding(path, first, f"{name} has {count} lines, at most {FUNCTION_LINES_MAX}")


def check_classes(tree: Tree) -> Iterator[Finding]:
    """A class has at most DATA_MEMBERS_MAX data members, if DATA_MEMBERS_ALLOWED says no other number."""
    for path in tree.ending(".h", ".cc"):
        for scope in scopes("\n".join(tree.lines(path))):
            most = DATA_MEMBERS_ALLOWED.get(scope.name, DATA_MEMBERS_MAX)
            if scope.kind == "class" and scope.members > most:
                yield Finding(path, scope.first,
                              f"{scope.name} has {scope.members} data members, at most {most}")


def check_folder_names(tree: Tree) -> Iterator[Finding]:
    """A folder is named for a concept."""
    for path in tree.paths:
        for name in sorted(FORBIDDEN_FOLDERS & set(Path(path).parts[:-1])):
            yield Finding(path, 1, f"a folder named {name}/ says nothing of what is in it")


def check_words(tree: Tree) -> Iterator[Finding]:
    """A note of work to do has an issue number; no path leads into somebody's own folder."""
    for path in tree.paths:
        if path in RULE_BOOKS:
            continue
        for number, line in tree.numbered(path):
            todo = UNNUMBERED_TODO.search(line)
            if todo:
                yield Finding(path, number, f"{todo[1]} without an issue: write {todo[1]}(#N)")
            private = PRIVATE_PATH.search(line)
            if private:
                yield Finding(path, number, f"a path of one machine: {private[0]}")


def check_architecture(tree: Tree) -> Iterator[Finding]:
    """docs/architecture.md names every folder of src/asynprox and every one at the top."""
    document = "docs/architecture.md"
    if document not in tree.paths:
        yield Finding(document, 1, "is missing; it names every folder and says what it holds")
        return
    text = "\n".join(tree.lines(document))
    for folder in sorted(documented_folders(tree)):
        if not re.search(rf"(?<![\w.-]){re.escape(folder)}/", text):
            yield Finding(document, 1, f"does not name the folder {folder}/")


def documented_folders(tree: Tree) -> Set[str]:
    folders = set()
    for path in tree.paths:
        parts = Path(path).parts[:-1]
        if parts and not parts[0].startswith("."):
            folders.add(parts[0])
        if parts[:2] == ("src", "asynprox"):
            folders.update(parts[1:3])
    return folders


def check_symbol_tables(tree: Tree) -> Iterator[Finding]:
    """What the third column of a table in SYMBOL_PAGES names is found in the sources."""
    words = source_words(tree)
    for page, purpose in SYMBOL_PAGES.items():
        if page not in tree.paths:
            yield Finding(page, 1, f"is missing; {purpose}")
            continue
        for number, line in tree.numbered(page):
            cells = CELL_BORDER.split(line.strip())
            if not line.lstrip().startswith("|") or len(cells) < 4:
                continue
            for symbol in re.findall(r"`([^`]+)`", cells[3]):
                if not is_known(symbol, words, tree.paths):
                    yield Finding(page, number, f"`{symbol}` is not found in the sources")


def check_references(tree: Tree) -> Iterator[Finding]:
    """A file that docs/references.md names carries the reference: its year, as (1999)."""
    page = "docs/references.md"
    for number, line in tree.numbered(page) if page in tree.paths else []:
        cells = CELL_BORDER.split(line.strip())
        files = re.findall(r"`([^`]+\.(?:h|cc))`", cells[3]) if len(cells) > 3 else []
        texts = ["\n".join(tree.lines(path)) for path in tree.sources()
                 if any(f"/{path}".endswith(f"/{file}") for file in files)]
        for year in YEAR.findall(cells[2]) if texts else []:
            if not any(year in text for text in texts):
                yield Finding(page, number, f"{', '.join(files)}: no reference of {year[1:-1]}")


def check_type_names(tree: Tree) -> Iterator[Finding]:
    """No two types of the library's headers share a name, nor does one of a .cc share it."""
    first: Dict[str, str] = {}
    sources = [path for path in tree.sources() if not path.endswith(TEST_ENDINGS)]
    for path in sorted(sources, key=lambda path: path.endswith(".cc")):
        for number, line in tree.numbered(path):
            match = TYPE.match(line)
            if not match:
                continue
            if path.endswith(".h"):
                first.setdefault(match[1], path)
            other = first.get(match[1], path)
            if other != path and other[:-2] != path[:-3]:
                yield Finding(path, number, f"{match[1]} is a type of {other} too: rename one")


def source_words(tree: Tree) -> Set[str]:
    words: Set[str] = set()
    for path in tree.ending(".h", ".cc", ".py"):
        if path.startswith(("src/", "cli/", "python/")):
            for line in tree.lines(path):
                words.update(re.findall(r"[A-Za-z_]\w*", line))
    return words


def is_known(symbol: str, words: Set[str], paths: List[str]) -> bool:
    """A path is known where a file's path ends so; else the last name before any bracket counts."""
    if symbol.endswith("/"):
        return any(f"/{symbol}" in f"/{path}" for path in paths)
    if symbol.endswith((".h", ".cc", ".py")):
        return any(f"/{path}".endswith(f"/{symbol}") for path in paths)
    names = re.findall(r"[A-Za-z_]\w*", re.split(r"[({<]", symbol)[0])
    return bool(names) and names[-1] in words


def check_public_headers(tree: Tree) -> Iterator[Finding]:
    """A header says #pragma once, and needs the standard library and asynprox alone."""
    public = [path for path in tree.ending(".h") if path.startswith("include/")]
    for path in tree.sources() + public:
        if not path.endswith(".h"):
            continue
        if "#pragma once" not in tree.lines(path):
            yield Finding(path, 1, "has no #pragma once")
        if path.endswith(TEST_ENDINGS):
            continue
        for include in tree.includes(path):
            standard = not include.quoted and STANDARD_HEADER.fullmatch(include.header)
            if not standard and not include.header.startswith("asynprox/"):
                yield Finding(path, include.line,
                              f"a public header may not need <{include.header}>; move it to a .cc")


def check_links(tree: Tree) -> Iterator[Finding]:
    """A relative link in a page leads to a file or folder that exists."""
    for path in tree.ending(".md"):
        for number, line in prose(tree, path):
            for target in LINK.findall(line):
                if not leads_somewhere(tree.root, path, target):
                    yield Finding(path, number, f"the link {target} leads nowhere")


def prose(tree: Tree, path: str) -> Iterator[Tuple[int, str]]:
    """The lines of a page without its code."""
    fence: Optional[str] = None
    for number, line in tree.numbered(path):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~"):
            fence = mark if fence is None else None if fence == mark else fence
        elif fence is None:
            yield number, INLINE_CODE.sub("", line)


def leads_somewhere(root: Path, path: str, target: str) -> bool:
    file = target.partition("#")[0]
    if not file or re.match(r"[a-z][a-z+.-]*:", file):
        return True
    return not file.startswith("/") and (root / path).parent.joinpath(file).exists()


CHECKS: List[Callable[[Tree], Iterator[Finding]]] = [
    check_layers, check_examples, check_purity, check_lengths, check_functions, check_classes,
    check_folder_names, check_words, check_architecture, check_symbol_tables, check_references,
    check_type_names, check_public_headers, check_links,
]


def findings_of(tree: Tree) -> List[Finding]:
    return [finding for check in CHECKS for finding in check(tree)]


def main(arguments: List[str]) -> int:
    tree = Tree(Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent)
    findings = findings_of(tree)
    for finding in findings:
        print(f"{finding.path}:{finding.line}: {finding.message}")
    if not findings:
        print(f"tidy: {len(tree.paths)} files, {len(CHECKS)} checks, clean")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
