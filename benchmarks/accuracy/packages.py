"""The other packages, each solver as a Solver: what it is given, how it is called, and with which settings.

A solver gets the samples in the form that it likes best, made before the clock starts, with all its checks
switched off that can be; one thread; no intercept; the objective that samples.py has.
"""

import warnings
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from samples import Samples

Settings = Dict[str, Any]

TOLERANCES = [10.0**-k for k in range(1, 11)]
ITERATIONS = [1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 896, 1280, 1800, 2500,
              3600, 5000, 7200, 10000]


@dataclass(frozen=True)
class Solver:
    package: str
    name: str
    prepare: Callable[[Samples], Any]
    fit: Callable[[Any, float, Settings], np.ndarray]
    # Lists of settings that rise in effort: by tolerance, by iterations, ...
    grids: List[List[Settings]]
    only_if: Callable[[Samples], bool] = lambda samples: True


def by_tolerance(**others: Any) -> List[Settings]:
    return [{"tol": tolerance, **others} for tolerance in TOLERANCES]


def by_iterations(**others: Any) -> List[Settings]:
    return [{"max_iter": iterations, **others} for iterations in ITERATIONS]


def rows_and_labels(samples: Samples):
    return samples.rows, samples.labels


def columns_and_labels(samples: Samples):
    return samples.rows.tocsc(), samples.labels


def floats_and_labels(samples: Samples):
    return samples.rows.astype(np.float32), samples.labels.astype(np.float32)


def cyanure_solvers() -> List[Solver]:
    from cyanure.estimators import Classifier, L1Logistic

    def fit_by(solver: str):
        def fit(data, strength, settings):
            model = Classifier(loss="logistic", penalty="l1", lambda_1=strength, fit_intercept=False, solver=solver,
                               verbose=False, n_threads=1, safe=False, **settings)
            return np.ravel(model.fit(*data).coef_)
        return fit

    def fit_active_set(data, strength, settings):
        model = L1Logistic(lambda_1=strength, fit_intercept=False, verbose=False, n_threads=1, safe=False, **settings)
        return np.ravel(model.fit(*data).coef_)

    names = ["auto", "ista", "fista", "qning-ista", "catalyst-ista", "svrg", "catalyst-svrg", "qning-svrg",
             "acc-svrg", "miso", "catalyst-miso", "qning-miso"]
    # Once without any look at the duality gap, once as it stops by itself.
    blind = [{"max_iter": k, "duality_gap_interval": 10**6, "tol": 1e-15} for k in ITERATIONS]
    grids = [blind, by_tolerance(max_iter=20000)]
    doubles = [Solver("cyanure", name, rows_and_labels, fit_by(name), grids) for name in names]
    floats = [Solver("cyanure", f"{name} in floats", floats_and_labels, fit_by(name), grids)
              for name in ("auto", "acc-svrg", "miso")]
    return doubles + floats + [
        Solver("cyanure", "L1Logistic", rows_and_labels, fit_active_set, [by_tolerance(max_iter=20000)],
               only_if=lambda samples: samples.rows.shape[1] > 1000)]  # where it uses an active set


def sklearn_solvers() -> List[Solver]:
    from sklearn.linear_model import LogisticRegression

    def fit_by(solver: str):
        def fit(data, strength, settings):
            model = LogisticRegression(l1_ratio=1, C=1 / (strength * len(data[1])), fit_intercept=False,
                                       solver=solver, random_state=0, **settings)
            return np.ravel(model.fit(*data).coef_)
        return fit

    return [Solver("scikit-learn", "saga", rows_and_labels, fit_by("saga"), [by_iterations(tol=0)]),
            Solver("liblinear", "of scikit-learn", rows_and_labels, fit_by("liblinear"),
                   [by_tolerance(max_iter=10000)])]


def skglm_solvers() -> List[Solver]:
    from skglm.datafits import Logistic
    from skglm.penalties import L1
    from skglm.solvers import FISTA, AndersonCD, ProxNewton

    def fit_by(make):
        def fit(data, strength, settings):
            return make(**settings).solve(*data, Logistic(), L1(strength))[0]
        return fit

    return [Solver("skglm", "ProxNewton", columns_and_labels,
                   fit_by(lambda **s: ProxNewton(fit_intercept=False, **s)), [by_tolerance(max_iter=1000)]),
            Solver("skglm", "AndersonCD", columns_and_labels,
                   fit_by(lambda **s: AndersonCD(fit_intercept=False, **s)), [by_tolerance(max_iter=1000)]),
            Solver("skglm", "FISTA", columns_and_labels, fit_by(FISTA), [by_iterations(tol=0)])]


def celer_solvers() -> List[Solver]:
    from celer.homotopy import celer_path

    def fit_by(use_newton: bool):
        def fit(data, strength, settings):
            rows, labels = data
            alphas = np.array([strength * len(labels)])  # its loss is a sum, not a mean
            return celer_path(rows, labels, "logreg", alphas=alphas, max_iter=1000, use_PN=use_newton,
                              **settings)[1][:, 0]
        return fit

    return [Solver("celer", "celer-pn", columns_and_labels, fit_by(True), [by_tolerance()]),
            Solver("celer", "celer", columns_and_labels, fit_by(False), [by_tolerance()])]


def liblinear_solvers() -> List[Solver]:
    from liblinear.liblinearutil import problem, train

    def prepare(samples):
        return problem(samples.labels, samples.rows), samples.rows.shape

    def fit(data, strength, settings):
        samples, (count, dimension) = data
        options = f"-s 6 -c {1 / (strength * count):.17g} -e {settings['tol']:.17g} -B -1 -q"
        model = train(samples, options)
        w = np.zeros(dimension)
        w[:model.nr_feature] = np.ctypeslib.as_array(model.w, (model.nr_feature,))
        return w if model.label[0] > 0 else -w

    return [Solver("liblinear", "-s 6", prepare, fit, [by_tolerance()])]


MAKERS = {"liblinear": liblinear_solvers, "cyanure": cyanure_solvers, "scikit-learn": sklearn_solvers,
          "skglm": skglm_solvers, "celer": celer_solvers}


def available_solvers() -> Tuple[List[Solver], Dict[str, str]]:
    """All solvers that can be had here, and the packages that cannot with the reason."""
    warnings.filterwarnings("ignore")
    solvers: List[Solver] = []
    missing = {}
    for package, make in MAKERS.items():
        try:
            solvers += make()
        except Exception as error:  # whatever an import of others may raise
            missing[package] = f"{type(error).__name__}: {error}"
    return solvers, missing
