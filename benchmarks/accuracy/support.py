"""Is the support found? F1 of the nonzeros of the model against those of the planted one, at the best strength."""

from pathlib import Path
from typing import Any, Dict

import numpy as np

from ours import Ours
from samples import Samples, load_samples

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


def models(ours: Ours, samples: Samples, strength: float, method: str) -> Dict[str, np.ndarray]:
    """Ours and liblinear's, by their own tolerance and by a tight one."""
    from sklearn.linear_model import LogisticRegression

    order = {"lambda": strength, "method": method, "workers": 1}
    theirs = LogisticRegression(l1_ratio=1, solver="liblinear", C=1 / (samples.count * strength), fit_intercept=False,
                                random_state=0, max_iter=10000)
    found = {"asynprox": ours.solve(**order)[0],
             "liblinear": np.ravel(theirs.fit(samples.rows, samples.labels).coef_),
             "asynprox, tight": ours.solve(**order, tolerance=1e-6, epochs=10000)[0]}
    theirs.set_params(tol=1e-6)
    found["liblinear, tight"] = np.ravel(theirs.fit(samples.rows, samples.labels).coef_)
    return found


def recover(spec: str, program: Path, folder: Path, method: str) -> Dict[str, Any]:
    """For each of the models F1 at its best strength, that strength, and the nonzeros there."""
    best: Dict[str, Any] = {}
    with Ours(program, [f"generate:sparse-logistic:{spec}"], folder) as ours:
        samples = load_samples(folder, ours.about["dimension"])
        planted = np.fromfile(folder / "planted.f64")
        largest = np.abs(samples.gradient(np.zeros(len(planted)))).max()
        for share in STRENGTHS[1:]:
            for name, w in models(ours, samples, share * largest, method).items():
                found = (f1(w, planted), float(share), int(np.count_nonzero(w)))
                best[name] = max(best.get(name, found), found)
    return {"set": spec, "planted": int(np.count_nonzero(planted)), "best": best}
