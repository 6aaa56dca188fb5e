#!/usr/bin/env python3
"""What a push costs, by runtime: pushes.py [--json FILE] [--turns N].

Pushes per second with one server and two workers, and bytes per push. Gradients cost next to nothing, so that what is
measured is the way of a message: from a worker to the server, a step there, and back with a model. Runtimes take turns; the
best turn counts. ASYNPROX is the program's path, build/release/asynprox where it is not set. Over MPI it is run as three
ranks of this machine, which talk through shared memory.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys

PROGRAM = os.path.abspath(os.environ.get("ASYNPROX") or "build/release/asynprox")
WORKERS = 2
# Name of the case, data, options, steps.
CASES = [
    ("123", "generate:lasso:n=64,d=123", ["--model-state", "dense"], 60_000),
    ("780", "generate:lasso:n=64,d=780", ["--model-state", "dense"], 40_000),
    ("100,000", "generate:lasso:n=64,d=100000", ["--model-state", "dense"], 300),
    ("1,000,000, 50 nonzeros per sample", "generate:sparse-logistic:n=5000,d=1000000,nonzeros=50",
     ["--model-state", "lazy"], 20_000),
]
BATCH = 4  # samples of a push
RUN = ["--loss", "squared", "--regularizer", "l1:1e-4", "--method", "asyn-prox-sgd", "--step",
       "constant:1e-6", "--tolerance", "0", "--batch-size", str(BATCH), "--pushes-per-step", "1",
       "--trace-every", "1000000", "--json", "--workers", str(WORKERS)]
MPIRUN = ["mpirun", "--oversubscribe", "--mca", "btl", "vader,self", "--mca", "oob_tcp_if_include",
          "lo", "--mca", "mpi_yield_when_idle", "1", "-n", str(1 + WORKERS)]
RUNTIMES = ["threads", "loopback", "mpi"]


def pushes_per_second(runtime, data, options, steps):
    """Make one run."""
    command = [PROGRAM, "train", data, *RUN, *options, "--steps", str(steps), "--runtime", runtime]
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    run = subprocess.run((MPIRUN if runtime == "mpi" else []) + command, env=environment,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        sys.exit("pushes: {}: exit code {}\n{}".format(" ".join(command), run.returncode, run.stderr))
    result = json.loads(run.stdout)
    return result["ledger"]["received"] / result["seconds"]


def available():
    """The runtimes that can be measured here."""
    mpi = os.path.exists(PROGRAM + "-mpi") and shutil.which("mpirun")
    return RUNTIMES if mpi else RUNTIMES[:-1]


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    runtimes, rows = available(), []
    print("## Pushes between processes\n")
    print("Pushes per second with one server and two workers, {} samples per push, a step per push, squared "
          "loss, l1; the best of {} runs.\n".format(BATCH, arguments.turns))
    print("| d | " + " | ".join(runtimes) + " |")
    print("|---|" + "---:|" * len(runtimes))
    for name, data, options, steps in CASES:
        best = dict.fromkeys(runtimes, 0)
        for _ in range(arguments.turns):
            for runtime in runtimes:
                rate = pushes_per_second(runtime, data, options, steps)
                best[runtime] = max(best[runtime], rate)
        rows.append({"d": name, **best})
        print("| {} | {} |".format(name, " | ".join("{:,.0f}".format(best[r]) for r in runtimes)),
              flush=True)
    print()
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"pushes": rows}, file, indent=2)


if __name__ == "__main__":
    main()
