"""Packed rows beside borrowed ones: packing.py [a9a.xz news20.xz mnist.xz]. Processor time, in turns, the least of two.

The constants of asynprox/_packing.py are from here.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

import numpy as np
from common_data import libsvm

from asynprox import _engine
from asynprox._data import borrow

RUNS = {
    "prox-gd, 10 passes": {"method": "prox-gd", "step": "constant:1e-3", "steps": "10", "tolerance": "0"},
    "asyn-prox-sgd, 2 passes": {"method": "asyn-prox-sgd", "epochs": "2", "tolerance": "0"},
    "asyn-prox-saga, 4 passes": {"method": "asyn-prox-saga", "epochs": "4", "tolerance": "0"},
    "default, l1:1e-3": {},
}


def timed(work):
    """Return the milliseconds of processor time that `work` takes, and its answer."""
    began = time.process_time()
    answer = work()
    return 1e3 * (time.process_time() - began), answer


def fitted(data, options):
    """Run with one worker."""
    texts = {"regularizer": "l1:1e-3", "workers": "1", **options}
    return _engine.fit(data, _engine.Call(list(texts.items()), {}, None, None, None, None, False))


for name in sys.argv[1:] or ["a9a.xz", "news20.xz", "mnist.xz"]:
    X, y = libsvm(name)
    y = np.where(y > np.median(y), 1.0, -1.0) if len(np.unique(y)) > 2 else y
    borrowed = borrow(X, y).data
    (cost, packed), *_ = sorted((timed(borrowed.packed) for _ in range(3)), key=lambda run: run[0])
    print(f"{name}: {borrowed.form} to {packed.form}: {cost:.1f} ms, {1e6 * cost / X.nnz:.1f} ns per entry")
    for title, options in RUNS.items():
        times = {"borrowed": [], "packed": []}
        for _ in range(2):
            for form, data in (("borrowed", borrowed), ("packed", packed)):
                times[form].append(timed(lambda data=data, options=options: fitted(data, options))[0])
        one, other = min(times["borrowed"]), min(times["packed"])
        print(f"  {title:25} borrowed {one:8.1f} ms, packed {other:8.1f} ms, saved {one - other:7.1f} ms")
