"""Estimators inside scikit-learn, against its own solvers."""

import os
import pickle
import signal
import threading
import warnings

import numpy as np
import pytest
import scipy.sparse as sp

sklearn = pytest.importorskip("sklearn")

import joblib  # noqa: E402
from sklearn import datasets  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402
from sklearn.linear_model import ElasticNet, HuberRegressor, LogisticRegression, PoissonRegressor  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import (  # noqa: E402
    check_sample_weight_equivalence_on_dense_data,
    estimator_checks_generator,
)

import asynprox as ap  # noqa: E402
from asynprox._minimize import solved  # noqa: E402
from asynprox.sklearn import NonNegativePCA, ProxClassifier, ProxRegressor  # noqa: E402

# A model with weights and one with repeated samples are compared to 1e-7, while the default tol promises
# 1e-4 of the objective.
OF_WEIGHTS = {
    f"check_sample_weight_equivalence_on_{kind}_data": "compares at 1e-7, for which tol=1e-4 is no promise"
    for kind in ("dense", "sparse")
}


def checks(*estimators, expected_failed_checks):
    for estimator in estimators:
        marked = estimator_checks_generator(estimator, expected_failed_checks=expected_failed_checks, mark="xfail")
        for item in marked:
            made, check = getattr(item, "values", item)
            name = getattr(check, "func", check).__name__
            marks = getattr(item, "marks", ())
            yield pytest.param(made, check, id=f"{type(made).__name__}-{name}", marks=marks)


def expected_of(estimator):
    return OF_WEIGHTS if hasattr(estimator, "predict") else {}


DEFAULTS = [
    case
    for estimator in (ProxClassifier(), ProxRegressor(), NonNegativePCA())
    for case in checks(estimator, expected_failed_checks=expected_of(estimator))
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), DEFAULTS)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("estimator", "check"),
    list(checks(ProxClassifier(tol=1e-12), ProxRegressor(tol=1e-12), expected_failed_checks={})),
)
def test_estimator_checks_with_a_tight_tolerance(estimator, check):
    """With tol=1e-12 there is no expected failure: the check of weights passes too."""
    check(estimator)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("solver", ["saga", "liblinear"])
def test_solvers_of_scikit_learn_fail_the_check_of_weights_too(solver):
    """With the same penalty and tolerance: only its smooth l2 problems (lbfgs) pass."""
    estimator = LogisticRegression(solver=solver, l1_ratio=1, C=1000)
    with pytest.raises(AssertionError, match="not equivalent"):
        check_sample_weight_equivalence_on_dense_data("LogisticRegression", estimator)


def logistic_objective(X, y, alpha, coef, intercept):
    margins = np.where(y == np.unique(y)[1], 1, -1) * (X @ coef + intercept)
    return np.mean(np.logaddexp(0, -margins)) + alpha * np.abs(coef).sum()


def softmax_objective(X, y, alpha, coef, intercept):
    scores = X @ coef.T + intercept
    log_sums = np.log(np.exp(scores - scores.max(1, keepdims=True)).sum(1)) + scores.max(1)
    return np.mean(log_sums - scores[np.arange(len(y)), y]) + alpha * np.abs(coef).sum()


@pytest.mark.parametrize("name", ["breast_cancer", "wine", "digits"])
def test_defaults_are_within_their_tolerance_of_the_optimum(name):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    ours = ProxClassifier(alpha=1e-3).fit(X, y)
    assert ours.dual_gap_ <= 1e-4 * ours.objective_
    objective = logistic_objective if len(ours.classes_) == 2 else softmax_objective
    coef = ours.coef_[0] if len(ours.classes_) == 2 else ours.coef_
    assert objective(X, y, 1e-3, coef, ours.intercept_) == pytest.approx(ours.objective_, rel=1e-9)
    # An independent solver reaches no less than the bound that our gap proves.
    saga = LogisticRegression(C=1 / (1e-3 * len(y)), l1_ratio=1, solver="saga", max_iter=300, tol=1e-6, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        saga.fit(X, y)
    theirs = objective(X, y, 1e-3, saga.coef_[0] if coef.ndim == 1 else saga.coef_, saga.intercept_)
    assert ours.objective_ - ours.dual_gap_ <= theirs * (1 + 1e-9)


@pytest.mark.parametrize(("name", "optimum"), [("a9a", 0.326898961969135), ("mushrooms", 0.008567200552)])
def test_defaults_reach_the_optimum_of_the_oracles(read_real, name, optimum):
    X, y = read_real(name)
    model = ProxClassifier(alpha=1e-4, fit_intercept=False).fit(X, y)
    assert optimum * (1 - 1e-9) <= model.objective_ <= optimum * (1 + 1e-4)
    assert model.objective_ - model.dual_gap_ <= optimum * (1 + 1e-9)
    assert model.score(X, y) > 0.84


def test_the_elastic_net_is_scikit_learns():
    X, y = datasets.load_diabetes(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    ours = ProxRegressor(alpha=0.5, l1_ratio=0.7, tol=1e-10).fit(X, y)
    theirs = ElasticNet(alpha=0.5, l1_ratio=0.7, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-4)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, rel=1e-6)


def test_poisson_is_scikit_learns():
    random = np.random.default_rng(0)
    X = random.standard_normal((300, 4))
    y = random.poisson(np.exp(0.3 * X[:, 0] + 0.5)).astype(float)
    ours = ProxRegressor(alpha=0.1, l1_ratio=0, loss="poisson", tol=1e-10).fit(X, y)
    theirs = PoissonRegressor(alpha=0.1, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-3)


def test_huber_resists_outliers():
    random = np.random.default_rng(0)
    X = random.standard_normal((200, 3))
    y = X @ [1.0, -2.0, 0.5]
    y[:20] += 50
    ours = ProxRegressor(alpha=0, loss="huber:delta=0.1").fit(X, y)
    np.testing.assert_allclose(ours.coef_, [1, -2, 0.5], atol=0.05)
    np.testing.assert_allclose(ours.coef_, HuberRegressor(alpha=0).fit(X, y).coef_, atol=0.05)


def test_nonnegative_pca_is_the_eigenvector(a9a):
    X, _ = a9a
    pca = NonNegativePCA(normalize=True, tol=1e-9).fit(X)
    assert pca.objective_ == pytest.approx(-0.226412877699213, abs=1e-7)
    assert (pca.components_ >= 0).all()
    assert pca.transform(X).shape == (X.shape[0], 1)


def test_several_nonnegative_components(classes):
    X = np.abs(classes[0])
    pca = NonNegativePCA(3).fit(X)
    assert (pca.components_ >= 0).all()
    np.testing.assert_allclose(np.linalg.norm(pca.components_, axis=1), 1, rtol=1e-3)
    assert list(pca.get_feature_names_out()) == [f"nonnegativepca{k}" for k in range(3)]


def test_inside_pipelines_searches_and_processes():
    X, y = datasets.load_breast_cancer(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), ProxClassifier())
    search = GridSearchCV(pipeline, {"proxclassifier__alpha": [1e-3, 1e-1]}, n_jobs=2, cv=3).fit(X, y)
    assert search.best_score_ > 0.95
    assert cross_val_score(clone(search.best_estimator_), X, y, cv=3).min() > 0.93


def workers_and_threads(X, y, n_jobs):
    """How many workers a fit has, and by how many threads the process grows for it."""
    before = len(os.listdir("/proc/self/task"))
    during = []
    model = ProxClassifier(n_jobs=n_jobs, alpha=1e-3)
    solved(
        X, y, workers=model._workers(), method="asyn-prox-saga", epochs=3, tolerance=0,
        callback=lambda _: during.append(len(os.listdir("/proc/self/task"))),
    )  # fmt: skip
    return model._workers(), max(during) - before


def test_parallel_fits_do_not_ask_for_more_threads_than_cores(classes):
    with joblib.parallel_config(n_jobs=2):
        fits = joblib.Parallel()(joblib.delayed(workers_and_threads)(*classes, None) for _ in range(2))
    # One worker each, beside the thread that runs the engine and waits for it.
    assert [workers for workers, _ in fits] == [1, 1]
    assert all(threads <= 2 for _, threads in fits)
    assert workers_and_threads(*classes, 2)[0] == 2


def test_names_of_columns_are_those_of_the_frame(classes):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(classes[0], columns=[f"column {j}" for j in range(20)])
    for model in (ProxClassifier(), ProxRegressor()):
        assert list(model.fit(frame, classes[1]).feature_names_in_) == list(frame.columns)
        with pytest.raises(ValueError, match="feature names"):
            model.predict(frame[frame.columns[::-1]])


def test_members_of_families_are_parameters_that_are_cloned_and_pickled(classes):
    X, y = classes
    model = ProxClassifier(penalty=ap.GroupLasso(0.01, size=4), loss=ap.SquaredHinge())
    copy = pickle.loads(pickle.dumps(clone(model))).fit(X, y)
    assert copy.penalty == model.penalty
    np.testing.assert_array_equal(copy.coef_.reshape(-1, 4).any(axis=1), copy.coef_.reshape(-1, 4).all(axis=1))


def test_a_missed_tolerance_warns_with_the_gap(classes):
    X, y = classes
    with pytest.warns(ConvergenceWarning, match=r"duality gap .*Increase max_iter"):
        ProxClassifier(alpha=1e-4, max_iter=0.1, tol=1e-12).fit(X, y)


def test_tight_fits_do_not_depend_on_the_seed(classes):
    X, y = classes
    first, second = (ProxClassifier(random_state=seed, tol=1e-12).fit(X, y) for seed in (1, 2))
    np.testing.assert_allclose(first.coef_, second.coef_, atol=1e-5)


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-9])
def test_tol_is_the_tolerance_of_the_run(classes, tol, monkeypatch):
    from asynprox.sklearn import _base

    asked = []
    solved = _base.solved
    monkeypatch.setattr(_base, "solved", lambda *args, **kw: (asked.append(kw["tolerance"]), solved(*args, **kw))[1])
    model = ProxClassifier(tol=tol).fit(*classes)
    assert asked == [tol]
    assert model.dual_gap_ <= tol * model.objective_


def test_warm_start_begins_with_the_last_model(classes):
    X, y = classes
    model = ProxClassifier(alpha=1e-3, warm_start=True, tol=1e-8).fit(X, y)
    passes, gap = model.n_iter_, model.dual_gap_
    model.fit(X, y)
    assert model.n_iter_ < passes
    assert model.dual_gap_ <= max(gap, 1e-8 * model.objective_)


def test_sparse_coefficients_on_request(classes):
    X, y = classes
    model = ProxClassifier(alpha=0.05).fit(sp.csr_matrix(X), y)
    dense = model.predict(X)
    assert sp.issparse(model.sparsify().coef_)
    np.testing.assert_array_equal(model.predict(X), dense)
    assert isinstance(model.densify().coef_, np.ndarray)


def test_any_penalty(classes):
    X, y = classes
    model = ProxClassifier(penalty="nonneg-l1:0.01").fit(X, y)
    assert (model.coef_ >= 0).all()


def test_classes_are_weighed(classes):
    X, y = classes
    balanced = ProxClassifier(class_weight="balanced", tol=1e-8).fit(X, y)
    counts = {label: 300 / (2 * np.sum(y == label)) for label in (-1, 1)}
    by_hand = ProxClassifier(class_weight=counts, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(balanced.coef_, by_hand.coef_, atol=1e-3)


def test_pickles_of_older_versions_get_the_new_parameters(classes):
    X, y = classes
    model = ProxClassifier().fit(X, y)
    restored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(restored.predict(X), model.predict(X))
    state = model.__getstate__()
    assert state["_asynprox_version"] == ap.__version__
    assert "_asynprox_version" not in vars(restored)
    # Of an earlier version: without a parameter that came later, and without its version.
    old = {name: value for name, value in state.items() if name not in ("penalty", "_asynprox_version")}
    restored = ProxClassifier.__new__(ProxClassifier)
    restored.__setstate__(old)
    assert restored.penalty is None
    np.testing.assert_array_equal(restored.predict(X), model.predict(X))


def test_probabilities_only_where_the_loss_has_them(classes):
    X, y = classes
    assert not hasattr(ProxClassifier(loss="squared-hinge"), "predict_proba")
    probabilities = ProxClassifier(loss=ap.Logistic()).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


@pytest.mark.parametrize("loss", ["auto", "squared-hinge", "smoothed-hinge", "squared", ap.Huber(1.0), "multinomial"])
def test_every_loss_of_two_classes_tells_them_apart(loss):
    X, y = datasets.load_breast_cancer(return_X_y=True)
    model = ProxClassifier(loss=loss, alpha=1e-3).fit(StandardScaler().fit_transform(X), y == 0)
    assert model.classes_.dtype == bool
    assert model.score(StandardScaler().fit_transform(X), y == 0) > 0.95


@pytest.mark.parametrize("loss", ["squared", "squared-hinge", ap.Huber(1.0)])
def test_losses_of_one_output_are_refused_for_several_classes(loss):
    X, y = datasets.load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="loss: expected 'auto' or 'multinomial' for 3 classes, got"):
        ProxClassifier(loss=loss).fit(X, y)


def test_losses_of_counts_are_refused_for_classes(classes):
    with pytest.raises(ValueError, match="expected at least 0 for the loss poisson"):
        ProxClassifier(loss="poisson").fit(*classes)


class Recording:
    """A callback of scikit-learn 1.9 that may stop the fit."""

    def __init__(self, stop_after=None):
        self.tasks, self.stop_after = [], stop_after

    def setup(self, estimator, context):
        self.tasks.append("setup")

    def teardown(self, estimator, context):
        self.tasks.append("teardown")

    def on_fit_task_begin(self, estimator, context, *, X=None, y=None, metadata=None, fitted_estimator=None):
        self.tasks.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, X=None, y=None, metadata=None, fitted_estimator=None):
        self.tasks.append(f"end {context.task_name}")
        return self.tasks.count("end evaluation") == self.stop_after


@pytest.mark.skipif(not hasattr(ProxClassifier, "set_callbacks"), reason="needs scikit-learn 1.9")
@pytest.mark.parametrize("estimator", [ProxClassifier(), ProxRegressor(), NonNegativePCA()])
def test_callbacks_of_scikit_learn(classes, estimator):
    recording = Recording()
    clone(estimator).set_callbacks(recording).fit(*classes)
    assert recording.tasks[:2] == ["setup", "begin fit"]
    assert recording.tasks[-2:] == ["end fit", "teardown"]
    assert set(recording.tasks[2:-2]) == {"begin evaluation", "end evaluation"}
    stopping = Recording(stop_after=1)
    stopped = clone(estimator).set_callbacks(stopping).fit(*classes)
    assert stopping.tasks.count("end evaluation") == 1
    assert stopped.stop_reason_ == "interrupted"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "fit",
    [
        lambda model, X, y: model.fit(X, y),
        lambda model, X, y: cross_val_score(model, X, y, cv=3),
        lambda model, X, y: GridSearchCV(model, {"alpha": [1e-7, 1e-6]}, cv=3).fit(X, y),
    ],
    ids=["loop", "folds", "grid"],
)
def test_ctrl_c_ends_what_calls_a_fit(fit):
    random = np.random.default_rng(0)
    X = random.standard_normal((4000, 500))
    y = X[:, 0] + random.standard_normal(4000) > 0

    def fit_again_and_again():
        while True:
            fit(ProxClassifier(alpha=1e-7, tol=1e-15), X, y)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            fit_again_and_again()
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def test_a_regressor_takes_no_loss_of_classes():
    with pytest.raises(ValueError, match="loss: expected one of numbers, such as 'squared', got 'multinomial'"):
        ProxRegressor(loss="multinomial").fit(np.eye(3), [0, 1, 2])
