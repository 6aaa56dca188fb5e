"""Runs of `asynprox train` on the problems, and what came of each."""

import json
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ordinary.problems import PROBLEMS, digest

OPTIMA = Path(__file__).resolve().parent.parent / "references" / "ordinary_optima.json"
SECONDS_MAX = 120  # a run that takes longer hangs
TOLERANCE = 1e-4  # of the defaults: relative to the objective
ERROR_FLOOR = TOLERANCE / 10  # relative errors below this one are not told apart


@dataclass
class Run:
    """What a run of the program ended as. `result` is its JSON, empty where it printed none."""

    exit_code: int
    result: dict
    stderr: str
    seconds: float

    @property
    def reason(self):
        return self.result.get("stop_reason", "none")

    @property
    def objective(self):
        return number(self.result.get("objective"))

    @property
    def gap(self):
        """The duality gap, or None where the run reports none."""
        gap = self.result.get("duality_gap")
        return None if gap is None else number(gap)

    @property
    def epochs(self):
        return number(self.result.get("epochs", "inf"))


def number(value):
    """A number of the JSON, in which infinite ones are strings."""
    return float("nan") if value is None else float(value)


def write_problem(problem, folder):
    """A new folder of the files of `problem`; the name of the data within it, and the digest."""
    place = folder / problem.name
    place.mkdir(parents=True)
    data = problem.write(place)
    return data, digest(place)


def workers_for(data):
    """Two, as on a machine of two cores; by default there are never more workers than samples."""
    with open(data, encoding="utf-8") as file:
        lines = [line for line, _ in zip(file, range(3))]
    return str(min(2, len(lines) - (data.suffix == ".csv")))


def train(program, problem, data, *more, seconds_max=SECONDS_MAX):
    """One run in the folder of the data."""
    words = [str(Path(program).resolve()), "train", data.name, *problem.options, "--json",
             "--workers", workers_for(data), *more]
    start = time.monotonic()
    try:
        run = subprocess.run(words, cwd=data.parent, stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds_max)
    except subprocess.TimeoutExpired:
        return Run(-1, {}, "no end after {} s".format(seconds_max), time.monotonic() - start)
    try:
        result = json.loads(run.stdout) if run.stdout else {}
    except ValueError:
        result = {}
    return Run(run.returncode, result, run.stderr, time.monotonic() - start)


def selected(names):
    """The problems of a comma-separated list of names; all for an empty one."""
    if not names:
        return PROBLEMS
    wanted = names.split(",")
    unknown = sorted(set(wanted) - {problem.name for problem in PROBLEMS})
    if unknown:
        raise SystemExit("--only: expected names of problems, got " + ", ".join(unknown))
    return [problem for problem in PROBLEMS if problem.name in wanted]


def for_each(problems, work, jobs=2):
    """(problem, work(problem)) in order, with at most `jobs` at once."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        yield from zip(problems, pool.map(work, problems))


def stored_optima():
    """The independent optima by problem; none where the file is absent."""
    if not OPTIMA.exists():
        return {}
    return json.loads(OPTIMA.read_text(encoding="utf-8"))["problems"]


def certified(problem, run):
    """Whether the run proved its answer, by the rule that belongs to the problem.

    With a duality gap: `converged`, and the gap within the tolerance. Without one `converged` and
    `stationary` are the program's word, by the size of its gradient mapping; where the loss is not
    convex only the second is true.
    """
    if run.exit_code != 0:
        return False
    if not problem.convex:
        return run.reason == "stationary"
    if run.gap is not None:
        return run.reason == "converged" and run.gap <= TOLERANCE * abs(run.objective)
    return run.reason in ("converged", "stationary")


def excess(run, optimum):
    """How far the objective is above the optimum, less what the optimum may be wrong by."""
    return run.objective - optimum["objective"] - optimum["error"]


def is_tight(run, optimum, floor):
    """Whether the gap is at most 10 times the error, or 10 times `floor` of the optimum."""
    error = max(excess(run, optimum), floor * abs(optimum["objective"]))
    return run.gap is not None and run.gap <= 10 * error
