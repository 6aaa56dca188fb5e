"""From a text file to a model, reading included: our program against a script that reads by scikit-learn.

Both are processes of their own on one core, timed from outside: imports, and what is compiled at the first call,
count, as they do for a user. The settings are those that reached the target soonest without reading.
"""

import json
import lzma
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, List

import numpy as np

from problems import Problem
from samples import Samples

TARGET = "1e-6 absolute"


def on_one_core() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def timed(command: List[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   preexec_fn=on_one_core)
    return time.perf_counter() - start


def plain_text(problem: Problem, data_folder: Path, folder: Path) -> Path:
    """The file without its compression, which scikit-learn does not read."""
    path = folder / f"{problem.name}.svm"
    path.write_bytes(lzma.open(problem.path(data_folder)).read())
    return path


def our_command(program: Path, path: Path, problem: Problem, about: Dict[str, Any], out: Path) -> List[str]:
    command = [str(program), "train", str(path), "--loss", "logistic", "--regularizer", f"l1:{problem.strength}",
               "--workers", "1", "--quiet", "--out", str(out), "--force", "--method", about["solver"]]
    for name, value in about["settings"].items():
        command += [f"--{name}", str(value)]
    if problem.scale_rows:
        command += ["--normalize", "rows"]
    if problem.positive_label is not None:
        command += ["--positive-label", str(problem.positive_label)]
    return command


def our_objective(out: Path) -> float:
    return json.loads((out / "run.json").read_text())["result"]["objective"]


def their_command(path: Path, problem: Problem, about: Dict[str, Any], model: Path) -> List[str]:
    order = {"package": about["package"], "solver": about["solver"], "settings": about["settings"],
             "strength": problem.strength, "scale_rows": problem.scale_rows,
             "positive_label": problem.positive_label, "model": str(model)}
    return [sys.executable, str(Path(__file__).with_name("one_fit.py")), str(path), json.dumps(order)]


def best_of_packages(results: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """Of each package the solver and settings that reached the target soonest; of ours with one worker."""
    best: Dict[str, Dict[str, Any]] = {}
    for result in results:
        about = result["times"].get(TARGET)
        if about is None or "workers" in result["solver"]:
            continue
        found = {"package": result["package"], "solver": result["solver"], **about}
        if found["package"] not in best or found["median"] < best[found["package"]]["median"]:
            best[found["package"]] = found
    return list(best.values())


def measure(problem: Problem, results, samples: Samples, cli: Path, data_folder: Path, folder: Path,
            turns: int = 3) -> List[Dict[str, Any]]:
    folder.mkdir(parents=True, exist_ok=True)
    path = plain_text(problem, data_folder, folder)
    runs = []
    for about in best_of_packages(results):
        ours, place = about["package"] == "asynprox", folder / about["package"]
        make: Callable = our_command if ours else their_command
        command = make(cli, path, problem, about, place) if ours else make(path, problem, about, place)
        runs.append({"package": about["package"], "solver": about["solver"], "command": command, "place": place,
                     "seconds": []})
    for _ in range(turns):
        for run in runs:
            run["seconds"].append(timed(run["command"]))
    for run in runs:
        place = run.pop("place")
        objective = (our_objective(place) if run["package"] == "asynprox"
                     else samples.objective(np.fromfile(place), problem.strength))
        run.update(error=objective - problem.optimum(), median=statistics.median(run["seconds"]),
                   least=min(run["seconds"]))
        run.pop("command")
    return runs
