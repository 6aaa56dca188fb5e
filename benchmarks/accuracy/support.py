"""Is the support found? F1 of the nonzeros of the model against those of the planted one, at the best strength."""

from pathlib import Path
from typing import Any, Dict

import numpy as np

from ours import Ours
from samples import load_samples

# Of sparse-logistic: n samples, d features, of which a share of `support` matter.
SETS = ["n=2000,d=500,nonzeros=20,support=0.05,columns=uniform",
        "n=10000,d=1000,nonzeros=20,support=0.05,columns=uniform",
        "n=20000,d=1000,nonzeros=50,support=0.1,columns=uniform",
        "n=20000,d=1000,nonzeros=50,support=0.1,columns=zipf",
        "n=20000,d=50000,nonzeros=50,support=0.01,columns=zipf"]
STRENGTHS = np.geomspace(1, 1e-2, 25)  # shares of the largest useful one


def f1(w: np.ndarray, planted: np.ndarray) -> float:
    both = np.count_nonzero((w != 0) & (planted != 0))
    return 2 * both / (np.count_nonzero(w) + np.count_nonzero(planted))


def recover(spec: str, program: Path, folder: Path, method: str) -> Dict[str, Any]:
    from sklearn.linear_model import LogisticRegression

    best: Dict[str, Any] = {"asynprox": (0, 0, 0), "liblinear": (0, 0, 0)}  # F1, share, nonzeros
    with Ours(program, [f"generate:sparse-logistic:{spec}"], folder) as ours:
        samples = load_samples(folder, ours.about["dimension"])
        planted = np.fromfile(folder / "planted.f64")
        largest = np.abs(samples.gradient(np.zeros(len(planted)))).max()
        for share in STRENGTHS[1:]:
            strength = share * largest
            model, _ = ours.solve(**{"lambda": strength, "method": method, "workers": 1})
            theirs = LogisticRegression(l1_ratio=1, solver="liblinear", C=1 / (samples.count * strength),
                                        fit_intercept=False, random_state=0, max_iter=1000)
            found = {"asynprox": model, "liblinear": np.ravel(theirs.fit(samples.rows, samples.labels).coef_)}
            for name, w in found.items():
                best[name] = max(best[name], (f1(w, planted), float(share), int(np.count_nonzero(w))))
    return {"set": spec, "planted": int(np.count_nonzero(planted)), **best}
