"""Any f and any h: Python functions under the engine."""

import threading

import numpy as np
import pytest
import scipy.sparse as sp

import asynprox as ap

A = np.array([[1.0, -2, 3, -4, 5], [2, -1, 0, -1, 3], [-1, 0, 4, -3, 2], [-1, -1, -1, 1, 3]])
B = np.array([1.0, 2, 3, 4])
LASSO = [-0.3877278911564627, 0, 0, 0.02174149659863943, 0.6168435374149660]


def residuals(x, samples):
    return A[samples] @ x - B[samples]


def least_squares(**facets):
    given = {
        "gradient": lambda x, samples: A[samples].T @ residuals(x, samples),
        "value": lambda x, samples: 0.5 * np.sum(residuals(x, samples) ** 2),
        "lipschitz": np.linalg.norm(A, 2) ** 2 / 4,
        "convex": True,
        **facets,
    }
    return ap.FiniteSum(4, 5, **given)


class OwnL1:
    """lambda |x|_1, written in Python."""

    def __init__(self, strength):
        self.strength = strength

    def value(self, x):
        return self.strength * np.abs(x).sum()

    def prox(self, v, step):
        return np.sign(v) * np.maximum(np.abs(v) - step * self.strength, 0)


@pytest.mark.parametrize("regularizer", [ap.L1(2.9 / 4), "l1:0.725", OwnL1(2.9 / 4)], ids=["object", "spec", "own"])
@pytest.mark.parametrize("workers", [1, 2])
def test_own_f_and_own_h_reach_the_exact_answer(regularizer, workers):
    f = least_squares()
    result = ap.minimize(f, regularizer=regularizer, method="fista", steps=3000, tolerance=0, workers=workers)
    np.testing.assert_allclose(result.x, LASSO, atol=1e-5)
    assert result.objective * 4 == pytest.approx(7.275772789115647, rel=1e-8)


def test_own_h_with_data_of_arrays():
    ours = ap.minimize(A, B, loss="squared", regularizer=ap.L1(0.725), tolerance=1e-10)
    own = ap.minimize(A, B, loss="squared", regularizer=OwnL1(0.725), method="fista", epochs=5000, tolerance=1e-10)
    np.testing.assert_allclose(own.x, ours.x, atol=1e-4)


def test_own_h_does_not_see_intercepts():
    class Nothing:
        def value(self, x):
            assert x.shape == (5,)
            return 0.0

        def prox(self, v, step):
            assert v.shape == (5,)
            return np.zeros(5)

    result = ap.minimize(A, B, loss="squared", regularizer=Nothing(), intercept=True, method="fista", epochs=200)
    assert result.intercept == pytest.approx(B.mean(), rel=1e-6)
    assert not result.x.any()


def test_stochastic_steps_of_an_own_f_are_made_again():
    f = least_squares()
    keywords = {"method": "asyn-prox-sgd", "steps": 50, "batch_size": 2, "workers": 2, "record": True}
    result = ap.minimize(f, regularizer=ap.L1(0.1), **keywords)
    assert result.steps == 50
    assert result.replay().same


def test_gradients_alone_lead_to_the_minimum():
    f = ap.FiniteSum(4, 5, gradient=lambda x, i: A[i].T @ (A[i] @ x - B[i]) + 0.1 * len(i) * x)
    result = ap.minimize(f, method="prox-gd", epochs=20000, tolerance=1e-10, workers=1)
    expected = np.linalg.solve(A.T @ A + 0.4 * np.eye(5), A.T @ B)
    assert result.stop_reason == "stationary"
    assert result.objective is None or np.isnan(result.objective)
    np.testing.assert_allclose(result.x, expected, rtol=1e-6)


def test_a_lipschitz_constant_is_estimated_where_none_is_given():
    f = ap.FiniteSum(
        4, 5,
        gradient=lambda x, i: A[i].T @ (A[i] @ x - B[i]),
        value=lambda x, i: 0.5 * np.sum((A[i] @ x - B[i]) ** 2),
    )  # fmt: skip
    result = ap.minimize(f, regularizer=ap.L1(2.9 / 4), method="prox-gd", epochs=20000, tolerance=1e-12, workers=1)
    assert 4 * result.objective == pytest.approx(7.275772789115647, rel=1e-6)


def test_x0_and_keys():
    touched = []

    def keys(samples):
        touched.append(samples)
        return samples

    f = ap.FiniteSum(
        4, 4,
        gradient=lambda x, i: np.bincount(i, x[i] - B[i], minlength=4),
        value=lambda x, i: 0.5 * np.sum((x[i] - B[i]) ** 2),
        lipschitz=0.25,
        keys=keys,
        convex=True,
    )  # fmt: skip
    result = ap.minimize(f, method="asyn-prox-sgd", x0=B + 1, epochs=400, step="constant:1", batch_size=1, workers=1)
    np.testing.assert_allclose(result.x, B, atol=1e-3)
    assert touched


def test_gradients_may_be_computed_by_several_threads():
    threads = set()

    def gradient(x, samples):
        threads.add(threading.current_thread().ident)
        return A[samples].T @ residuals(x, samples)

    ap.minimize(least_squares(gradient=gradient), method="asyn-prox-sgd", steps=200, workers=2)
    assert threading.main_thread().ident not in threads


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("facets", "error", "message"),
    [
        ({"gradient": lambda x, i: 1 / 0}, ZeroDivisionError, "division by zero"),
        ({"gradient": lambda x, i: np.zeros(4)}, ValueError, r"gradient: expected an array of shape \(5,\), got \(4,\) for sample"),
        ({"gradient": lambda x, i: np.array([0, 0, np.nan, 0, 0])}, ValueError, "gradient: got nan in coordinate 2 for sample"),
        ({"value": lambda x, i: np.nan}, ValueError, "value: got nan for sample"),
        ({"value": lambda x, i: np.zeros(2)}, ValueError, "value: expected one number"),
        ({"gradient": lambda x, i: "text"}, TypeError, "gradient: expected an array of numbers, got str for sample"),
        ({"gradient": lambda x, i: None}, TypeError, "gradient: expected an array of numbers, got NoneType"),
        ({"gradient": lambda x, i: sp.csr_array(np.ones((1, 5)))}, TypeError, "gradient: expected .*, got csr_array"),
        ({"gradient": lambda x, i: 1j * np.ones(5)}, TypeError, "gradient: expected .*, got complex128"),
        ({"value": lambda x, i: None}, TypeError, "value: expected one number, got NoneType"),
    ],
    ids=["raises", "length", "nan", "value-nan", "value-shape", "text", "none", "sparse", "complex", "value-none"],
)  # fmt: skip
def test_wrong_functions_are_python_exceptions(facets, error, message, workers):
    with pytest.raises(error, match=message):
        ap.minimize(least_squares(**facets), method="asyn-prox-sgd", steps=20, workers=workers)
    # The interpreter goes on.
    assert ap.minimize(least_squares(), method="fista", steps=2).steps == 2


def test_a_wrong_prox_is_a_python_exception():
    class Short(OwnL1):
        def prox(self, v, step):
            return v[:-1]

    with pytest.raises(ValueError, match=r"regularizer.prox: expected an array of shape \(5,\), got \(4,\)"):
        ap.minimize(least_squares(), regularizer=Short(1), method="fista", steps=20)


def test_arrays_that_a_gradient_keeps_stay_as_they_were():
    kept = []

    def gradient(x, samples):
        kept.append((x, x.copy(), samples, samples.copy()))
        return A[samples].T @ residuals(x, samples)

    ap.minimize(least_squares(gradient=gradient), method="asyn-prox-sgd", steps=20)
    for x, x_then, samples, samples_then in kept:
        np.testing.assert_array_equal(x, x_then)
        np.testing.assert_array_equal(samples, samples_then)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_samples": 0}, "num_samples: expected a whole number"),
        ({"dimension": 2.5}, "dimension: expected a whole number"),
        ({"lipschitz": -1}, "lipschitz: expected a positive number"),
    ],
)
def test_wrong_sums_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        ap.FiniteSum(**{"num_samples": 1, "dimension": 1, "gradient": abs, "value": abs, **arguments})


@pytest.mark.parametrize(
    "keywords",
    [
        {"intercept": True},
        {"standardize": True},
        {"normalize": True},
        {"center": True},
        {"model": "linear"},
        {"positive_label": 1},
    ],
    ids=lambda keywords: next(iter(keywords)),
)
def test_a_sum_takes_no_options_of_data(keywords):
    (name,) = keywords
    with pytest.raises(TypeError, match=f"takes no {name}: it is part of f"):
        ap.minimize(least_squares(), **keywords)
    assert ap.minimize(least_squares(), method="fista", steps=1, intercept=False).steps == 1


def test_a_sum_without_names_says_why_it_has_no_params():
    with pytest.raises(AttributeError, match="params: this f has no named parameters"):
        _ = ap.minimize(least_squares(), method="fista", steps=1).params


def gaussian_sum(**facets):
    X = np.random.default_rng(0).standard_normal((400, 30))
    return ap.FiniteSum(
        *X.shape,
        gradient=lambda x, i: X[i].T @ (X[i] @ x - X[i, 0]),
        value=lambda x, i: 0.5 * np.sum((X[i] @ x - X[i, 0]) ** 2),
        lipschitz=np.linalg.norm(X, 2) ** 2 / 400,
        **facets,
    )


@pytest.mark.parametrize("keywords", [{}, {"method": "asyn-prox-sgd"}, {"batch_size": 1}], ids=str)
def test_steps_of_single_samples_do_not_trust_the_constant_of_f(keywords):
    result = ap.minimize(
        gaussian_sum(), regularizer=ap.L1(1e-3), x0=np.zeros(30), epochs=1, workers=1, tolerance=0, **keywords
    )
    # f's L is 1.6, that of a sample up to 56.
    assert result.objective < result.trace["objective"][0]


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning", "ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("method", ["fista", "prox-gd"])
def test_a_minimum_with_a_useless_bound_is_no_stall(method):
    random = np.random.default_rng(0)
    X = random.standard_normal((400, 30))
    y = X[:, :5] @ [1, -2, 1.5, 0.5, -1] + 0.3 * random.standard_normal(400)
    f = ap.FiniteSum(
        400, 30,
        gradient=lambda x, i: X[i].T @ (X[i] @ x - y[i]),
        value=lambda x, i: 0.5 * np.sum((X[i] @ x - y[i]) ** 2),
        lipschitz=np.linalg.norm(X, 2) ** 2 / 400,
        convex=True,
    )  # fmt: skip
    result = ap.minimize(f, regularizer=ap.L1(0.02), method=method, tolerance=1e-4, seconds=20)
    assert result.stop_reason in ("converged", "stationary")
    assert result.met_tolerance


def test_a_run_that_rises_far_above_its_start_has_diverged():
    keywords = {"method": "asyn-prox-sgd", "step": "constant:0.5", "batch_size": 1, "epochs": 1, "workers": 1}
    with pytest.warns(ap.RunWarning, match="diverged"):
        result = ap.minimize(gaussian_sum(), x0=np.zeros(30), **keywords)
    assert result.stop_reason == "diverged"


def test_a_nan_at_an_x_that_has_diverged_is_no_error_of_the_gradient():
    def gradient(x, samples):
        with np.errstate(all="ignore"):
            return np.where(np.abs(x) < 1e100, x * len(samples), np.nan)

    f = ap.FiniteSum(3, 2, gradient, lambda x, i: 0.5 * len(i) * np.sum(np.clip(x, -1e150, 1e150) ** 2), lipschitz=1)
    with pytest.warns(ap.RunWarning, match="diverged"):
        result = ap.minimize(
            f,
            x0=np.ones(2),
            method="asyn-prox-sgd",
            step="constant:1e30",
            steps=50,
            batch_size=1,
            workers=1,
            trace_every=50,
        )
    assert result.stop_reason == "diverged"


def test_functions_cannot_write_to_what_they_are_given():
    def gradient(x, samples):
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 1
        with pytest.raises(ValueError, match="read-only"):
            samples[0] = 1
        return A[samples].T @ residuals(x, samples)

    assert ap.minimize(least_squares(gradient=gradient), method="asyn-prox-sgd", steps=5).steps == 5


def test_a_sum_takes_no_labels():
    with pytest.raises(TypeError, match="takes no y"):
        ap.minimize(least_squares(), B)
