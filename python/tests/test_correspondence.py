"""docs/correspondence.md: the same model by other packages."""

import numpy as np
import pytest

import asynprox as ap

linear_model = pytest.importorskip("sklearn.linear_model")

TIGHT = {"tolerance": 1e-12, "workers": 1}
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
INTERCEPT = pytest.mark.parametrize("intercept", [False, True], ids=["no-intercept", "intercept"])


@pytest.fixture
def problem(classes):
    X, y = classes
    random = np.random.default_rng(1)
    numbers = X[:, :3] @ [1.0, -2.0, 0.5] + 3 + 0.3 * random.standard_normal(len(y))
    return X, y, numbers, random.integers(1, 4, len(y)).astype(float)


def same(ours, theirs, intercept):
    np.testing.assert_allclose(ours.x, np.ravel(theirs.coef_), atol=2e-4)
    if intercept:
        assert ours.intercept == pytest.approx(float(np.ravel(theirs.intercept_)[0]), abs=2e-4)


@WEIGHTED
@INTERCEPT
def test_elastic_net(problem, weighted, intercept):
    X, _, y, w = problem
    weights = w if weighted else None
    theirs = linear_model.ElasticNet(alpha=0.1, l1_ratio=0.6, fit_intercept=intercept, tol=1e-10)
    theirs.fit(X, y, sample_weight=weights)
    h = ap.ElasticNet(l1=0.06, l2=0.04)
    same(
        ap.minimize(X, y, loss="squared", regularizer=h, sample_weight=weights, intercept=intercept, **TIGHT),
        theirs,
        intercept,
    )


@WEIGHTED
@INTERCEPT
def test_ridge(problem, weighted, intercept):
    X, _, y, w = problem
    weights, n = (w, w.sum()) if weighted else (None, len(y))
    theirs = linear_model.Ridge(alpha=5, fit_intercept=intercept).fit(X, y, sample_weight=weights)
    h = ap.SquaredL2(5 / n)
    same(
        ap.minimize(X, y, loss="squared", regularizer=h, sample_weight=weights, intercept=intercept, **TIGHT),
        theirs,
        intercept,
    )


@WEIGHTED
@INTERCEPT
@pytest.mark.parametrize("l1_ratio", [0, 1], ids=["l2", "l1"])
def test_logistic_regression(problem, weighted, intercept, l1_ratio):
    X, y, _, w = problem
    weights, n = (w, w.sum()) if weighted else (None, len(y))
    theirs = linear_model.LogisticRegression(
        C=0.5, l1_ratio=l1_ratio, solver="saga", fit_intercept=intercept, tol=1e-9, max_iter=100_000
    )
    theirs.fit(X, y, sample_weight=weights)
    h = ap.L1(1 / (0.5 * n)) if l1_ratio else ap.SquaredL2(1 / (0.5 * n))
    same(ap.minimize(X, y, regularizer=h, sample_weight=weights, intercept=intercept, **TIGHT), theirs, intercept)


def test_liblinear(problem):
    X, y, _, _ = problem
    theirs = linear_model.LogisticRegression(
        C=0.5, l1_ratio=1, solver="liblinear", fit_intercept=False, tol=1e-9, max_iter=10_000
    )
    same(ap.minimize(X, y, regularizer=ap.L1(1 / (0.5 * len(y))), **TIGHT), theirs.fit(X, y), False)


def test_poisson(problem):
    X, _, y, _ = problem
    counts = np.round(np.exp(y / 5))
    theirs = linear_model.PoissonRegressor(alpha=0.1, tol=1e-10, max_iter=10_000).fit(X, counts)
    h = ap.SquaredL2(0.1)
    same(ap.minimize(X, counts, loss="poisson", regularizer=h, intercept=True, **TIGHT), theirs, True)


def test_glmnet_standardises_by_one_over_n(problem):
    """glmnet's recipe, by hand: scale the columns, fit, and go back to the original units."""
    X, _, y, _ = problem
    scaled = X / X.std(axis=0)
    theirs = linear_model.ElasticNet(alpha=0.1, l1_ratio=0.6, tol=1e-12).fit(scaled, y)
    ours = ap.minimize(
        X, y, loss="squared", regularizer=ap.ElasticNet(l1=0.06, l2=0.04), standardize=True, intercept=True, **TIGHT
    )
    coefficients, intercept = ours.model.coefficients()
    np.testing.assert_allclose(coefficients, theirs.coef_ / X.std(axis=0), atol=2e-4)
    assert intercept == pytest.approx(theirs.intercept_, abs=2e-4)


def test_statsmodels(problem):
    statsmodels = pytest.importorskip("statsmodels.api")
    X, y, _, _ = problem
    theirs = statsmodels.Logit((y > 0).astype(float), X).fit_regularized(alpha=2.0, disp=False, acc=1e-12)
    ours = ap.minimize(X, y, regularizer=ap.L1(2.0 / len(y)), **TIGHT)
    np.testing.assert_allclose(ours.x, theirs.params, atol=2e-3)
