#!/usr/bin/env python3
"""Compares what the defaults cost on the ordinary problems with our named methods.

    tools/ordinary_costs.py [--program PATH] [--only NAME,...] [--jobs 2]

A line per problem: passes over the data (sample gradients per sample, as the result counts them) of
the defaults and of each named method, each until it is within 1e-4 of the optimum; the ratio of the
defaults to the cheapest. A method that is not within it after EPOCHS_MAX passes or SECONDS_MAX
seconds counts as "-". Within it is: certified by the duality gap, or, of problems that have none,
an objective within 1e-4 of the optimum, or of the least that any run found where none is stored.
Runs of fista and prox-gd are evaluated, and end, at passes 1, 2, 3, 5, 8, 13, ... only. (Evaluated
at every pass they would stall sooner, by the rule of small changes.)
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from ordinary import runs  # noqa: E402

METHODS = ["fista", "prox-gd", "asyn-prox-saga", "asyn-prox-svrg"]
TOLERANCE = 1e-4
EPOCHS_MAX, SECONDS_MAX = 1000, 20
RATIO_MAX = 5
LINE = "{:32}" + " {:>14}" * (len(METHODS) + 2)


def all_runs(program, problem, folder):
    """The default run first, then one per method."""
    data, _ = runs.write_problem(problem, folder)
    limits = ["--tolerance", str(TOLERANCE), "--epochs", str(EPOCHS_MAX),
              "--seconds", str(SECONDS_MAX)]
    found = [runs.train(program, problem, data)]
    for method in METHODS:
        found.append(runs.train(program, problem, data, "--method", method, *limits))
    shutil.rmtree(data.parent)
    return found


def costs_of(found, optimum):
    """Passes of each run, or None where it did not come within the tolerance."""
    objectives = [run.objective for run in found if run.result]
    least = min(objectives, default=float("nan")) if optimum is None else optimum["objective"]
    has_gap = any(run.gap is not None for run in found)

    def within(run):
        if not run.result or run.reason == "diverged":
            return False
        if has_gap:
            return run.gap is not None and run.gap <= TOLERANCE * abs(run.objective)
        return run.objective <= least + TOLERANCE * abs(least)

    return [run.epochs if within(run) else None for run in found]


def ratio_of(costs):
    """The defaults over the cheapest named method; None where either is unknown."""
    named = [cost for cost in costs[1:] if cost is not None]
    if costs[0] is None or not named:
        return None
    return costs[0] / max(min(named), 1.0)


def shown(value):
    return "-" if value is None else "{:.1f}".format(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--program", default=ROOT / "build" / "release" / "asynprox")
    parser.add_argument("--only", default="", help="names of problems, between commas")
    parser.add_argument("--jobs", type=int, default=2, help="problems at once")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="asynprox-ordinary-"))
    print(LINE.format("passes over the data", "defaults", *METHODS, "ratio"))
    ratios, optima = {}, runs.stored_optima()
    for problem, found in runs.for_each(
            runs.selected(arguments.only),
            lambda problem: all_runs(arguments.program, problem, folder), arguments.jobs):
        costs = costs_of(found, optima.get(problem.name))
        ratios[problem.name] = ratio_of(costs)
        cells = [shown(cost) for cost in [*costs, ratios[problem.name]]]
        print(LINE.format(problem.name, *cells), flush=True)
    shutil.rmtree(folder)
    known = {name: ratio for name, ratio in ratios.items() if ratio is not None}
    above = sorted(name for name, ratio in known.items() if ratio > RATIO_MAX)
    print("{} of {} have a ratio; the worst is {}; above {}: {}".format(
        len(known), len(ratios), shown(max(known.values(), default=None)), RATIO_MAX,
        ", ".join(above) or "none"))


if __name__ == "__main__":
    main()
