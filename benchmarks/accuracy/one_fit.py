"""What a user of another package runs, from a file to a model: one_fit.py FILE JSON."""

import json
import os
import sys

for threads in ("OMP", "MKL", "OPENBLAS", "NUMBA"):
    os.environ[f"{threads}_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402
from sklearn.datasets import load_svmlight_file  # noqa: E402
from sklearn.preprocessing import normalize  # noqa: E402

from packages import MAKERS  # noqa: E402
from samples import Samples  # noqa: E402


def main() -> None:
    path, order = sys.argv[1], json.loads(sys.argv[2])
    rows, labels = load_svmlight_file(path)
    if order["scale_rows"]:
        rows = normalize(rows)
    rows = sparse.csr_matrix((rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int32)), rows.shape)
    positive = labels.max() if order["positive_label"] is None else order["positive_label"]
    samples = Samples(rows, np.where(labels == positive, 1.0, -1.0))
    maker = "scikit-learn" if order["solver"] == "of scikit-learn" else order["package"]
    solver = next(one for one in MAKERS[maker]() if one.name == order["solver"])
    w = solver.fit(solver.prepare(samples), order["strength"], order["settings"])
    np.asarray(w, float).tofile(order["model"])


if __name__ == "__main__":
    main()
