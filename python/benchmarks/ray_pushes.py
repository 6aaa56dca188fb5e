"""What a push costs on Ray: ray_pushes.py [FILE]. Pushes per second and bytes per push, by d, with two workers.

Gradients cost next to nothing here, so that what is measured is the way of a message: from a worker's process to
the server's, a step there, and back with a model. The best of five runs counts. With FILE, the table is written
there, too.
"""

import sys

import numpy as np
import scipy.sparse as sp

import asynprox as ap
from asynprox.ray._cluster import cluster

RUNS, WORKERS = 5, 2
SAMPLES = 32  # of a push
OPTIONS = {
    "loss": "squared", "regularizer": "l1:1e-4", "method": "asyn-prox-sgd", "step": "constant:1e-3", "tolerance": 0,
    "batch_size": SAMPLES, "pushes_per_step": 1, "workers": WORKERS, "trace_every": 10**6,
}  # fmt: skip


def dense(d):
    """A few samples of d numbers."""
    random = np.random.default_rng(0)
    return random.standard_normal((64, d)).astype(np.float32), random.standard_normal(64)


def sparse(d):
    """Samples of 50 nonzeros each."""
    random = np.random.default_rng(0)
    n, nonzeros = 5000, 50
    columns = np.sort(random.integers(0, d // nonzeros, (n, nonzeros)) + d // nonzeros * np.arange(nonzeros), axis=1)
    arrays = (random.standard_normal(n * nonzeros), columns.ravel().astype(np.int32), np.arange(n + 1) * nonzeros)
    return sp.csr_array(arrays, shape=(n, d)), random.standard_normal(n)


def figures(X, y, steps, state):
    """Return pushes per second, bytes per push to the server, and its share of the time spent computing."""
    result = ap.ray.minimize(X, y, steps=steps, model_state=state, **OPTIONS)
    workers = result.cluster["workers"]
    pushes = sum(worker["pushes"] for worker in workers)
    return pushes / result.seconds, sum(worker["bytes"] for worker in workers) / pushes


def main():
    """Print the table."""
    lines = ["| d | model | pushes per second | bytes per push |", "| --- | --- | --- | --- |"]
    with cluster(None, 1 + WORKERS):
        for d, make, state, steps in (
            (123, dense, "dense", 3000),
            (780, dense, "dense", 3000),
            (10**5, dense, "dense", 400),
            (10**6, sparse, "lazy", 2000),
        ):
            X, y = make(d)
            rates, sizes = zip(*[figures(X, y, steps, state) for _ in range(RUNS)], strict=True)
            lines.append(f"| {d:,} | {state} | {max(rates):,.0f} | {sizes[0]:,.0f} |")
            print(lines[-1], [round(rate) for rate in rates], file=sys.stderr, flush=True)
    text = "\n".join(["What a push costs on Ray, two workers, the best of five runs:", "", *lines, ""])
    print(text)
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
