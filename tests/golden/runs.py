"""The golden runs: their list, and how each is made."""

import hashlib
import json
import re
import shlex
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from golden import files

LIST = Path(__file__).parent / "runs.txt"
DONE, DIVERGED, NOT_CONVERGED = 0, 4, 6
SECONDS_MAX = 60  # the longest run takes a second: one that takes longer hangs
PROCESSES = 2

# Files in the binary form, and what they are made of.
CONVERTED = {"categories.axp": "categories.svm", "table.axp": "table.csv"}


@dataclass(frozen=True)
class Run:
    name: str
    exact: bool  # whether all machines give the same bits
    words: tuple  # of the command line, as the list has them

    @property
    def needs_another(self):
        """Whether it starts from the model of another run."""
        return any(word.endswith("/model.json") for word in self.words)

    @property
    def command(self):
        """All words after the program's name: on one thread, and with a folder for the results."""
        words = list(self.words)
        if "--workers" not in words:
            words += ["--workers", "1"]
        if words[0] == "train":
            words += ["--runtime", "serial"]
        return words + ["--no-events", "--quiet", "--out", self.name]

    def value_of(self, option):
        """What follows the option in the list, or None."""
        return dict(zip(self.words, self.words[1:])).get(option)


@dataclass(frozen=True)
class Result:
    model: str  # a hash of every number of the model
    objective: float
    steps: int


def read_list(path=LIST):
    runs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        words = shlex.split(line, comments=True)
        if not words:
            continue
        if len(words) < 4 or words[1] not in ("exact", "libm"):
            raise ValueError("{}:{}: expected NAME, exact or libm, and a command, got '{}'".format(
                path, number, line))
        if any(run.name == words[0] for run in runs):
            raise ValueError("{}:{}: expected a new name, got '{}' again".format(
                path, number, words[0]))
        runs.append(Run(words[0], words[1] == "exact", tuple(words[2:])))
    return runs


def call(program, words, folder, accepted=(DONE,)):
    """Standard output of the program, which must end with one of these exit codes."""
    run = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=SECONDS_MAX, check=False)
    if run.returncode not in accepted:
        raise RuntimeError("asynprox {}: exit code {}: {}".format(
            shlex.join(words), run.returncode, run.stderr.decode(errors="backslashreplace").strip()))
    return run.stdout.decode()


def hash_of(model):
    """The exact doubles of x, with their places, of the intercept, and of the columns' treatment."""
    digest = hashlib.sha256()
    x = model["x"]
    digest.update(struct.pack("<Q{}Q".format(len(x["indices"])), x["size"], *x["indices"]))
    for part in (x["values"], model.get("intercept"), model.get("column_scale"),
                 model.get("center")):
        numbers = [float(number) for number in part or []]
        digest.update(struct.pack("<Q{}d".format(len(numbers)), len(numbers), *numbers))
    return digest.hexdigest()[:32]


def perform(program, run, folder):
    call(program, run.command, folder, accepted=(DONE, DIVERGED, NOT_CONVERGED))
    model = json.loads((folder / run.name / "model.json").read_text(encoding="utf-8"))
    result = json.loads((folder / run.name / "run.json").read_text(encoding="utf-8"))["result"]
    return Result(hash_of(model), float(result["objective"]), result["steps"])


def perform_all(program, runs, folder):
    """The results by name. Runs that start from the model of another one come last."""
    files.write_all(folder)
    for converted, original in CONVERTED.items():
        call(program, ["data", "convert", original, converted], folder)
    results = {}
    for late in (False, True):
        part = [run for run in runs if run.needs_another == late]
        with ThreadPoolExecutor(PROCESSES) as pool:
            outcomes = pool.map(lambda run: perform(program, run, folder), part)
            results.update(zip((run.name for run in part), outcomes))
    return results


def families(program, folder):
    """What `asynprox list` shows: the names of each family's members."""
    members, family = {}, None
    for line in call(program, ["list"], folder).splitlines():
        if head := re.match(r"([a-z-]+): ", line):
            family = members.setdefault(head[1], [])
        elif member := re.match(r"  ([a-z0-9-]+)(?: |$)", line):
            family.append(member[1])
    return members


def machine(program, folder):
    """What runs through libm and Eigen depend on, as `asynprox doctor` says it."""
    text = call(program, ["doctor"], folder)
    found = {}
    for line in ("compiled by", "libm"):
        match = re.search("^{} +(.+)$".format(line), text, re.MULTILINE)
        if not match:
            raise RuntimeError("asynprox doctor: expected a line '{}', got none".format(line))
        found[line] = match[1]
    return found
