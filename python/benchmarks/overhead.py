"""What Python adds to a run: overhead.py [a9a.xz]. Figures for docs, no test."""

import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

from common_data import libsvm

import asynprox as ap

RUNS = 20


def milliseconds(work):
    """Return how long `work` takes."""
    began = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - began)


def overhead(X, y):
    """Median time of a call that takes no step, beside the evaluation that the engine makes of it."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        result = ap.minimize(X, y, regularizer="l1:1e-3", method="prox-gd", step="constant:1", steps=0, tolerance=0)
        spent = time.perf_counter() - began
        times.append(1e3 * (spent - result.evaluation_seconds))
    return statistics.median(times)


def imports():
    """Median time of the import, in a new interpreter, less the interpreter's own."""
    times = {}
    for code in ("pass", "import asynprox", "import numpy"):
        run = [sys.executable, "-c", code]
        times[code] = statistics.median(milliseconds(lambda run=run: subprocess.run(run, check=True)) for _ in range(5))
    return times["import asynprox"] - times["pass"], times["import numpy"] - times["pass"]


def interruption(X, y):
    """Median time from Ctrl-C to the result."""
    times = []
    for _ in range(5):
        sent = []
        timer = threading.Timer(
            0.3, lambda sent=sent: (sent.append(time.perf_counter()), os.kill(os.getpid(), signal.SIGINT))
        )
        timer.start()
        ap.minimize(X, y, method="asyn-prox-sgd", step="constant:1e-9", seconds=60, tolerance=0)
        times.append(1e3 * (time.perf_counter() - sent[0]))
    return statistics.median(times)


def two_at_once(X, y):
    """Time of two fits one after the other, and at once on two threads, one worker each."""

    def fit():
        ap.minimize(X, y, regularizer="l1:1e-4", workers=1)

    def both():
        threads = [threading.Thread(target=fit) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return milliseconds(lambda: (fit(), fit())), milliseconds(both)


if __name__ == "__main__":
    X, y = libsvm(sys.argv[1] if len(sys.argv) > 1 else "a9a.xz")
    print(f"a call without a step        {overhead(X, y):8.1f} ms, evaluation not counted")
    ours, numpy = imports()
    print(f"import asynprox              {ours:8.1f} ms, of which NumPy {numpy:.1f} ms")
    print(f"Ctrl-C to result             {interruption(X, y):8.1f} ms")
    one_by_one, at_once = two_at_once(X, y)
    print(f"two fits, one after another  {one_by_one:8.1f} ms; on two threads at once {at_once:.1f} ms")
