#!/usr/bin/env python3
"""Fits the hundred ordinary problems of tests/ordinary and prints a line per problem.

    tools/ordinary_problems.py [--program PATH] [--only NAME,...] [--jobs 2] [--keep FOLDER]

Columns: the exit code, the stop reason, the objective, the duality gap over the objective, the
error against the independent optimum over that optimum (where it is known), passes over the data,
and seconds.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from ordinary import runs  # noqa: E402

TITLES = "problem exit reason objective gap/F error/F epochs s".split()
LINE = "{:32} {:>4} {:14} {:>15} {:>9} {:>9} {:>9} {:>6}  {}"


def short(value, form="{:.1e}"):
    return "-" if value is None or value != value else form.format(value)


def shares(run, optimum):
    """The gap over the objective, and the error over the optimum."""
    size = abs(run.objective)
    gap = None if run.gap is None else run.gap / size if size else run.gap
    error = None
    if optimum is not None:
        error = (run.objective - optimum) / (abs(optimum) or 1)
    return gap, error


def print_run(problem, run, optimum):
    gap, error = shares(run, optimum)
    note = run.stderr.strip().replace("\n", " | ") if run.exit_code else ""
    print(LINE.format(problem.name, run.exit_code, run.reason, short(run.objective, "{:.9g}"),
                      short(gap), short(error), short(run.epochs, "{:.1f}"),
                      short(run.seconds, "{:.1f}"), note), flush=True)


def print_summary(done, optima):
    fulfilled = sum(runs.certified(problem, run) for problem, run in done)
    print("certified: {} of {}".format(fulfilled, len(done)))
    known = [(run, optima[problem.name]) for problem, run in done
             if problem.name in optima and "--regularizer" in problem.options]
    for floor in (0, runs.ERROR_FLOOR):
        tight = sum(runs.is_tight(run, optimum, floor) for run, optimum in known)
        print("gap at most 10 times the error: {} of {}{}".format(
            tight, len(known), ", errors below {:.0e} as that".format(floor) if floor else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--program", default=ROOT / "build" / "release" / "asynprox")
    parser.add_argument("--only", default="", help="names of problems, between commas")
    parser.add_argument("--jobs", type=int, default=2, help="runs at once")
    parser.add_argument("--keep", type=Path, help="write the data there and leave it")
    arguments = parser.parse_args()
    folder = arguments.keep or Path(tempfile.mkdtemp(prefix="asynprox-ordinary-"))
    optima = runs.stored_optima()

    def fit(problem):
        place = folder / problem.name
        if place.exists():
            shutil.rmtree(place)
        data, _ = runs.write_problem(problem, folder)
        return runs.train(arguments.program, problem, data)

    print(LINE.format(*TITLES, ""))
    done = []
    for problem, run in runs.for_each(runs.selected(arguments.only), fit, arguments.jobs):
        done.append((problem, run))
        print_run(problem, run, optima.get(problem.name, {}).get("objective"))
    print_summary(done, optima)
    if not arguments.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
