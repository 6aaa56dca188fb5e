"""Times solvers of other packages and asynprox on the same problems: compare.py --help."""

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

for threads in ("OMP", "MKL", "OPENBLAS", "NUMBA"):
    os.environ[f"{threads}_NUM_THREADS"] = "1"  # before NumPy is loaded

import end_to_end  # noqa: E402
import support  # noqa: E402
from contest import Contestant, Rules, Trial, explore, take_turns, timed, times  # noqa: E402
from optimum import find_optimum  # noqa: E402
from ours import Ours  # noqa: E402
from packages import ITERATIONS, TOLERANCES, available_solvers  # noqa: E402
from problems import OPTIMA, PROBLEMS, Problem  # noqa: E402
from samples import Samples, load_samples  # noqa: E402


def contestant_of(solver, samples: Samples, strength: float, prepared: dict) -> Contestant:
    if solver.prepare not in prepared:  # solvers that like the same form share it
        prepared[solver.prepare] = solver.prepare(samples)
    data = prepared[solver.prepare]
    return Contestant(solver.package, solver.name,
                      lambda settings: timed(lambda: solver.fit(data, strength, settings)), solver.grids)


def ours_as_contestant(ours: Ours, strength: float, method: str, workers: int) -> Contestant:
    def fit(settings):
        return ours.solve(**{"lambda": strength, "method": method, "workers": workers, **settings})
    name = method if workers == 1 else f"{method}, {workers} workers"
    return Contestant("asynprox", name, fit, [[{"epochs": k} for k in ITERATIONS],
                                              [{"tolerance": t, "epochs": 1e6} for t in TOLERANCES]])


def contestants_of(problem: Problem, ours: Ours, samples: Samples, options):
    solvers, missing = available_solvers()
    contestants = [ours_as_contestant(ours, problem.strength, method, workers)
                   for method in options.methods for workers in options.workers]
    prepared: dict = {}
    contestants += [contestant_of(solver, samples, problem.strength, prepared) for solver in solvers
                    if solver.only_if(samples)]
    return contestants, missing


def compare(problem: Problem, options) -> dict:
    folder = options.out / "samples" / problem.name
    tried = options.out / f"{problem.name}.tried.json"
    with Ours(options.program, problem.arguments(options.data), folder) as ours:
        samples = load_samples(folder, ours.about["dimension"])
        rules = Rules(lambda w: samples.objective(w, problem.strength), problem.optimum(), options.seconds_max,
                      options.turns_seconds)
        contestants, missing = contestants_of(problem, ours, samples, options)
        if "try" in options.stages:
            wanted = [one for one in contestants if not options.packages or one.package in options.packages]
            for tries, one in enumerate(wanted):
                explore(one, rules)
                log(problem, one, rules)
                keep_trials(tried, [one], fresh=tries == 0 and not options.packages)
        recall_trials(tried, contestants)
        if "turns" in options.stages:
            take_turns(contestants, rules)
    results = [{"package": one.package, "solver": one.name, "failure": one.failure, "times": times(one, rules),
                "trials": [asdict(each) for each in one.trials]} for one in contestants]
    return {"problem": asdict(problem), "samples": ours.about, "optimum": rules.optimum, "missing": missing,
            "results": results,
            "end_to_end": from_file(problem, results, samples, options) if "files" in options.stages else []}


def keep_trials(path: Path, contestants, fresh: bool) -> None:
    kept = {} if fresh or not path.exists() else json.loads(path.read_text())
    for one in contestants:
        kept[f"{one.package}/{one.name}"] = {"failure": one.failure, "trials": [asdict(each) for each in one.trials]}
    path.write_text(json.dumps(kept, indent=1))


def recall_trials(path: Path, contestants) -> None:
    kept = json.loads(path.read_text())
    for one in contestants:
        about = kept.get(f"{one.package}/{one.name}", {"failure": "not tried", "trials": []})
        one.failure, one.trials = about["failure"], [Trial(**each) for each in about["trials"]]


def from_file(problem: Problem, results, samples: Samples, options) -> list:
    if problem.data.startswith("generate:"):
        return []
    return end_to_end.measure(problem, results, samples, options.cli, options.data, options.out / "end_to_end")


def log(problem, one, rules) -> None:
    found = {target: round(about["median"], 4) for target, about in times(one, rules).items()}
    print(problem.name, one.package, one.name, found, one.failure, file=sys.stderr, flush=True)


def write_optimum(problem: Problem, options) -> None:
    folder = options.out / "samples" / problem.name
    with Ours(options.program, problem.arguments(options.data), folder) as ours:
        samples = load_samples(folder, ours.about["dimension"])
    w, objective, gap = find_optimum(samples, problem.strength)
    optima = json.loads(OPTIMA.read_text()) if OPTIMA.exists() else {}
    optima[problem.name] = {"data": problem.data, "lambda": problem.strength, "objective": objective,
                            "duality_gap": gap, "nonzeros": int((w != 0).sum())}
    OPTIMA.write_text(json.dumps(optima, indent=2) + "\n")
    print(problem.name, optima[problem.name], file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True, help="bench_accuracy")
    parser.add_argument("--cli", type=Path, required=True, help="asynprox")
    parser.add_argument("--data", type=Path, required=True, help="folder with a9a.xz, mushrooms.xz and mnist.xz")
    parser.add_argument("--out", type=Path, required=True, help="folder for samples and results")
    parser.add_argument("--problems", nargs="+", default=[problem.name for problem in PROBLEMS])
    parser.add_argument("--packages", nargs="+", help="try only these again (asynprox is one)")
    parser.add_argument("--methods", nargs="+", default=["auto"], help="of ours")
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--stages", nargs="+", default=["try", "turns", "files", "support"],
                        help="try: find settings (kept); turns: time the best; files: from a file; support")
    parser.add_argument("--seconds-max", type=float, default=20, help="of one fit, about")
    parser.add_argument("--turns-seconds", type=float, default=40, help="of all turns on a problem, about")
    parser.add_argument("--optima", action="store_true", help="find the optima anew instead")
    options = parser.parse_args()
    for problem in PROBLEMS:
        if problem.name not in options.problems:
            continue
        if options.optima:
            write_optimum(problem, options)
            continue
        results = compare(problem, options)
        (options.out / f"{problem.name}.json").write_text(json.dumps(results, indent=1))
    if "support" in options.stages and not options.optima:
        found = [support.recover(spec, options.program, options.out / "samples" / "planted", options.methods[0])
                 for spec in support.SETS]
        (options.out / "support.json").write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
