#!/usr/bin/env python3
"""Fits convex problems of all shapes, drawn from a seed, and compares the defaults with named methods.

    tools/varied_problems.py [--seed 1] [--count 60] [--only 3,17] [--seconds 10] [--no-rivals] [--program PATH]

A line per problem (tests/ordinary/varied.py draws them): whether the defaults certified a relative error of 1e-4
(yes, or the gap over the objective, or the stop reason where no gap is known), seconds of the run with its evaluations, the
best of the named methods and its seconds ("-": none certified it within the limit), and the ratio of the two. A
method is slower than its rival where it takes more than three times as long and LEAST seconds more: less
than that is the start of threads. Ends with exit code 1 if any is not certified or slower.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from ordinary import runs  # noqa: E402
from ordinary.varied import varied  # noqa: E402

RIVALS = ["fista", "asyn-prox-saga", "prox-newton"]
RATIO_MAX = 3
LEAST = 0.02
NOTHING = 1e-12
LINE = "{:>3} {:>14} {:>8} {:>8} {:>15} {:>6}  {}"


def seconds_of(run):
    """Of the run and its evaluations, without reading data."""
    return runs.number(run.result.get("seconds")) + runs.number(
        run.result.get("evaluation_seconds", 0))


def is_certified(problem, run):
    """By the gap; or where no error is small beside an objective of 0, by the program's word."""
    as_good_as_zero = run.exit_code == 0 and abs(run.objective) <= NOTHING
    return runs.certified(problem, run) or (as_good_as_zero and run.reason == "converged")


def fit(program, problem, data, limit, *more):
    """The time to a certified answer, or None; and a word on how it ended."""
    run = runs.train(program, problem, data, "--tolerance", str(runs.TOLERANCE),
                     "--seconds", str(limit), *more, seconds_max=4 * limit + 20)
    if not run.result:
        return None, None, "exit {}".format(run.exit_code)
    if is_certified(problem, run):
        return seconds_of(run), seconds_of(run), "yes"
    gap = None if run.gap is None else run.gap / (abs(run.objective) or 1)
    return None, seconds_of(run), run.reason if gap is None else "{:.1e}".format(gap)


def compare(program, problem, folder, limit, rivals):
    """(certified in, seconds, word, best rival, its seconds)"""
    data, _ = runs.write_problem(problem, folder)
    own, seconds, word = fit(program, problem, data, limit)
    best, name = None, "-"
    for rival in rivals:
        most = limit if best is None else min(limit, best)
        time, _, _ = fit(program, problem, data, most, "--method", rival)
        if time is not None and (best is None or time < best):
            best, name = time, rival
    shutil.rmtree(data.parent)
    return own, seconds, word, name, best


def shown(seconds):
    return "-" if seconds is None else "{:.3f}".format(seconds)


def is_slower(own, best):
    return own is not None and best is not None and own > max(RATIO_MAX * best, best + LEAST)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--program", default=ROOT / "build" / "release" / "asynprox")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--only", default="", help="numbers of problems, between commas")
    parser.add_argument("--seconds", type=float, default=10, help="of each run")
    parser.add_argument("--no-rivals", action="store_true")
    arguments = parser.parse_args()
    numbers = [int(word) for word in arguments.only.split(",")] if arguments.only else range(
        arguments.count)
    folder = Path(tempfile.mkdtemp(prefix="asynprox-varied-"))
    print(LINE.format("", "certified", "seconds", "best", "of", "ratio", ""))
    uncertified, slower, ratios = [], [], []
    for number in numbers:
        problem = varied(arguments.seed, number)
        own, seconds, word, name, best = compare(arguments.program, problem, folder,
                                                 arguments.seconds,
                                                 [] if arguments.no_rivals else RIVALS)
        ratio = None if own is None or best is None else own / best
        if own is None:
            uncertified.append(number)
        if is_slower(own, best):
            slower.append(number)
        if ratio is not None:
            ratios.append(ratio)
        print(LINE.format(number, word, shown(seconds), shown(best), name,
                          "-" if ratio is None else "{:.1f}".format(ratio),
                          problem.description()), flush=True)
    shutil.rmtree(folder)
    print("certified: {} of {}; not: {}".format(len(numbers) - len(uncertified), len(numbers),
                                                uncertified or "none"))
    print("slower than {} times the best: {}".format(RATIO_MAX, slower or "none"))
    sys.exit(1 if uncertified or slower else 0)


if __name__ == "__main__":
    main()
