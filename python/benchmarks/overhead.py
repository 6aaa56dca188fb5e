"""What Python adds to a run: overhead.py [a9a.xz [build/release/benchmarks/bench_borrowed]]. Figures, no test."""

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import warnings
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


def calls(X, y):
    """Median wall and processor times of a call without a step, and of one to the tolerance."""
    medians = []
    for limits in ({"steps": 0}, {}):
        wall, processor = [], []
        for _ in range(RUNS):
            began, ticks = time.perf_counter(), time.process_time()
            ap.minimize(X, y, regularizer="l1:1e-3", workers=1, **limits)
            processor.append(1e3 * (time.process_time() - ticks))
            wall.append(1e3 * (time.perf_counter() - began))
        medians += [statistics.median(wall), statistics.median(processor)]
    return medians


def calls_of_cpp(program, X, y):
    """The same without Python, by benchmarks/borrowed.cc, on the same arrays."""
    with tempfile.TemporaryDirectory() as folder:
        for name, array in (("indptr", X.indptr), ("indices", X.indices), ("data", X.data), ("labels", y)):
            array.tofile(Path(folder) / name)
        run = [program, folder, str(X.shape[1]), str(RUNS)]
        return [float(word) for word in subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()]


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
    warnings.simplefilter("ignore")  # a run without a step misses its tolerance
    X, y = libsvm(sys.argv[1] if len(sys.argv) > 1 else "a9a.xz")
    for _ in range(3):  # in turns
        print("ms (wall, processor) without a step; of a fit:", *(f"{spent:8.2f}" for spent in calls(X, y)))
        if len(sys.argv) > 2:
            print(
                "    the same in C++                          :",
                *(f"{spent:8.2f}" for spent in calls_of_cpp(sys.argv[2], X, y)),
            )
    ours, numpy = imports()
    print(f"import asynprox              {ours:8.1f} ms, of which NumPy {numpy:.1f} ms")
    print(f"Ctrl-C to result             {interruption(X, y):8.1f} ms")
    one_by_one, at_once = two_at_once(X, y)
    print(f"two fits, one after another  {one_by_one:8.1f} ms; on two threads at once {at_once:.1f} ms")
