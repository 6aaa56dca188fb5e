"""The page docs/accuracy.md, from the results that compare.py left: page.py --help."""

import argparse
import json
from pathlib import Path
from typing import Any, Dict, List, Optional

from contest import TARGETS
from problems import OPTIMA, PROBLEMS

INTRODUCTION = """\
# How long to the optimum

Written by `make accuracy`. L1 logistic regression without an intercept,

    F(w) = (1/n) sum_i log(1 + exp(-y_i z_i'w)) + lambda |w|_1

solved by asynprox and by packages from PyPI on the same numbers, one thread each. A figure is the wall time in
seconds of a whole call, from samples in memory to a model, with whatever the package evaluates on the way; it is
the least in a grid of tolerances and of limits on iterations for which F of the model it returns (computed here,
in doubles, outside the clock) is within the target of the optimum. Every package gets the samples in the form it
likes best, made before the clock starts; what is compiled at a first call is not counted. The settings that were
found best take turns; figures are medians over the turns (with a tilde: one measurement, while settings were tried,
in processor seconds where those are fewer). The grids are known only afterwards: no user stops as
well as this, neither of ours nor of theirs.
"""


HEADER = ["F - F* at most 1e-6" if "absolute" in target else f"(F - F*) / F* at most {target}" for target in TARGETS]


def seconds(value: float) -> str:
    return f"{value:.2g}" if value < 9.95 else f"{value:.0f}"


def table(header: List[str], rows: List[List[str]]) -> List[str]:
    return ["| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows]] + [""]


def time_of(result: Dict[str, Any], target: str) -> Optional[float]:
    return result["times"].get(target, {}).get("median")


def shown(result: Optional[Dict[str, Any]], target: str) -> str:
    """With a tilde where it was measured once only, while settings were tried."""
    if result is None or target not in result["times"]:
        return "not reached"
    return ("" if result["times"][target]["in_turn"] else "~") + seconds(time_of(result, target))


def best(results: List[Dict[str, Any]], target: str) -> Optional[Dict[str, Any]]:
    able = [one for one in results if time_of(one, target) is not None]
    return min(able, key=lambda one: time_of(one, target), default=None)


def of_package(results: List[Dict[str, Any]], package: str) -> List[Dict[str, Any]]:
    return [one for one in results if one["package"] == package and "workers" not in one["solver"]]


def label(result: Dict[str, Any], target: str) -> str:
    """The solver, and of ours what worked on the model: auto: asyn-prox-saga + prox-newton."""
    worked = result["times"][target]["details"].get("method", result["solver"])
    return result["solver"] if worked == result["solver"] else f"{result['solver']}: {worked}"


def without_time(results: List[Dict[str, Any]], package: str) -> str:
    tried = [one for one in of_package(results, package) if one["failure"] != "not tried"]
    if not tried:
        return "not tried"
    longest = max((trial["seconds"] for one in tried for trial in one["trials"]), default=0)
    return f"not reached in {seconds(longest)}"


def verdict(results: List[Dict[str, Any]], target: str, others: List[str]) -> str:
    """Who is first, and by how much."""
    ours = best(of_package(results, "asynprox"), target)
    theirs = best([one for package in others for one in of_package(results, package)], target)
    if not any(of_package(results, package) for package in others):
        return "no other was measured"
    if theirs is None:
        return "no other reaches it" if ours else "nobody reaches it"
    if not all(one["times"][target]["in_turn"] for one in (ours, theirs) if one):
        return "not measured in turns yet"
    rival = f"{theirs['package']} ({theirs['solver']})"
    if ours is None:
        return f"**{rival} wins**: asynprox does not reach it"
    ratio = time_of(theirs, target) / time_of(ours, target)
    if ratio >= 1:
        return f"asynprox, {ratio:.1f} times faster than {rival}"
    return f"**{rival} wins**, {1 / ratio:.1f} times faster than asynprox"


def problem_section(found: Dict[str, Any]) -> List[str]:
    problem, about, results = found["problem"], found["samples"], found["results"]
    packages = list(dict.fromkeys(one["package"] for one in results))
    rows = []
    for package in packages:
        row = [package]
        for target in TARGETS:
            first = best(of_package(results, package), target)
            row.append(f"{shown(first, target)} ({label(first, target)})" if first else without_time(results, package))
        rows.append(row)
    rows += [[package] + [f"cannot be had here: {reason}"] + [""] * (len(TARGETS) - 1)
             for package, reason in found["missing"].items()]
    scaled = ", rows scaled to length 1" if problem["scale_rows"] else ""
    return [f"## {problem['name']}", "",
            f"`{problem['data']}`{scaled}: {about['samples']:,} samples, {about['dimension']:,} features, "
            f"{about['nonzeros']:,} entries; lambda = {problem['strength']:g}. {problem['about']}".rstrip(), "",
            *table(["package"] + HEADER, rows)]


def overview(all_found: List[Dict[str, Any]]) -> List[str]:
    rows = []
    for found in all_found:
        packages = dict.fromkeys(one["package"] for one in found["results"])
        others = [package for package in packages if package != "asynprox"]
        rows.append([found["problem"]["name"]] + [verdict(found["results"], target, others) for target in TARGETS])
    return ["## Who is first", "", *table(["problem"] + HEADER, rows)]


def workers_section(all_found: List[Dict[str, Any]]) -> List[str]:
    rows = []
    for found in all_found:
        ours = [one for one in found["results"] if one["package"] == "asynprox"]
        one = best([each for each in ours if "workers" not in each["solver"]], "1e-6")
        two = best([each for each in ours if "2 workers" in each["solver"]], "1e-6")
        if one is None or two is None:
            rows.append([found["problem"]["name"], shown(one, "1e-6"), shown(two, "1e-6"), ""])
            continue
        ratio = time_of(one, "1e-6") / time_of(two, "1e-6")
        rows.append([found["problem"]["name"], shown(one, "1e-6"), shown(two, "1e-6"), f"{ratio:.2f}"])
    return ["## Two workers against one", "", "Seconds to a relative error of 1e-6.", "",
            *table(["problem", "one worker", "two workers", "ratio"], rows)]


def end_to_end_section(all_found: List[Dict[str, Any]]) -> List[str]:
    rows = [[found["problem"]["name"], run["package"], run["solver"], seconds(run["median"]), f"{run['error']:.1e}"]
            for found in all_found for run in found.get("end_to_end", [])]
    return ["## From a file to a model", "",
            "A process each, on one core, timed from outside: our program, and a Python script that reads the file by",
            "`load_svmlight_file`; imports, and what is compiled at the first call, count. Settings as for",
            "F - F* <= 1e-6 above.", "",
            *table(["problem", "package", "solver", "seconds", "F - F*"], rows)]


def support_section(sets: List[Dict[str, Any]]) -> List[str]:
    names = list(sets[0]["best"])
    rows = [[f"`{one['set']}`", str(one["planted"])] +
            [f"{one['best'][name][0]:.4f} ({one['best'][name][2]}; {one['best'][name][1]:.2g})" for name in names]
            for one in sets]
    return ["## The planted support", "",
            "F1 of the nonzeros of the model against those of the model that made the labels, at the best of 24",
            "strengths; in brackets the nonzeros there, and the strength as a share of the largest useful one. With the",
            "default tolerances, and with tight ones (1e-6 each); liblinear is scikit-learn's.", "",
            *table(["sparse-logistic", "planted"] + names, rows)]


def all_solvers_section(all_found: List[Dict[str, Any]]) -> List[str]:
    lines = ["## Every solver", "",
             "Seconds to a relative error of 1e-6; \"-\" where it was not reached before a fit took too long, or four",
             "times as long as another solver of the package. The two best of a package took turns; the others were",
             "measured once.", ""]
    names = list(dict.fromkeys((one["package"], one["solver"]) for found in all_found for one in found["results"]))
    rows = []
    for package, solver in names:
        row = [package, solver]
        for found in all_found:
            known = [one for one in found["results"] if (one["package"], one["solver"]) == (package, solver)]
            row.append(shown(known[0], "1e-6").replace("not reached", "-") if known else "-")
        rows.append(row)
    return lines + table(["package", "solver"] + [found["problem"]["name"] for found in all_found], rows)


def optima_section() -> List[str]:
    optima = json.loads(OPTIMA.read_text())
    rows = [[name, repr(one["objective"]), f"{one['duality_gap']:.0e}", str(one["nonzeros"])]
            for name, one in optima.items()]
    return ["## The optima", "",
            "By proximal Newton steps, then Newton's method on the support (`optimum.py`), stored in `optima.json`.",
            "The duality gap bounds their error.", "", *table(["problem", "F*", "duality gap", "nonzeros"], rows)]


def page(folder: Path, machine: str) -> str:
    all_found = [json.loads(path.read_text()) for path in (folder / f"{p.name}.json" for p in PROBLEMS)
                 if path.exists()]
    lines = [INTRODUCTION, "All figures are of this machine, those of a problem of one run:", "",
             *[f"    {line}" for line in machine.splitlines()], ""]
    lines += overview(all_found)
    for found in all_found:
        lines += problem_section(found)
    lines += workers_section(all_found) + end_to_end_section(all_found)
    if (folder / "support.json").exists():
        lines += support_section(json.loads((folder / "support.json").read_text()))
    lines += all_solvers_section(all_found) + optima_section()
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the results are")
    parser.add_argument("--machine", default="", help="what it is, in a few lines")
    options = parser.parse_args()
    print(page(options.folder, options.machine), end="")


if __name__ == "__main__":
    main()
