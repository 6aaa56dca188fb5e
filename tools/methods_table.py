#!/usr/bin/env python3
"""Prints the table of docs/methods.md: what each method comes to on l1 logistic regression.

    ASYNPROX_DATA_DIR=FOLDER tools/methods_table.py build/release/asynprox

Every run has 2 workers that take turns (--runtime serial), so that the figures are the same wherever
it is run; nothing else is told but the method and when to stop.
"""

import json
import os
import subprocess
import sys

DATA = ("a9a", "mushrooms")
REGULARIZER = "l1:1e-4"
METHODS = (
    "asyn-prox-sgd",
    "asyn-prox-momentum",
    "asyn-prox-svrg",
    "asyn-prox-saga",
    "prox-gd",
    "fista",
)
EPOCHS = (10, 50, 200)


def train(program, name, *options):
    file = os.path.join(os.environ["ASYNPROX_DATA_DIR"], name + ".xz")
    command = [program, "train", file, "--loss", "logistic", "--regularizer", REGULARIZER, "--workers",
               "2", "--runtime", "serial", "--json", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def row(program, name, method, best):
    cells = []
    for epochs in EPOCHS:
        result = train(program, name, "--method", method, "--epochs", str(epochs))
        error = max(result["objective"] - best, 0)
        cells.append(f"{error:.0e}, {result['nonzeros']}" if error > 1e-14 else
                     f"below 1e-14, {result['nonzeros']}")
    return f"| {name} | {method} | " + " | ".join(cells) + " |"


def main():
    program = sys.argv[1]
    print("| data | method | " + " | ".join(f"{epochs} epochs" for epochs in EPOCHS) + " |")
    print("|---|---|" + "---|" * len(EPOCHS))
    for name in DATA:
        best = train(program, name, "--method", "fista", "--tolerance", "1e-13", "--epochs", "20000")
        for method in METHODS:
            print(row(program, name, method, best["objective"]), flush=True)


if __name__ == "__main__":
    main()
