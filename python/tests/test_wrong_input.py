"""What a caller gets wrong is named: the argument, what was expected, what was there."""

import numpy as np
import pytest
import scipy.sparse as sp

import asynprox as ap

X = np.array([[1.0, -2], [2, -1], [-1, 0], [-1, -1]])
Y = np.array([1, -1, 1, -1])


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ("a9a", TypeError, "X: expected two axes, samples and features, got str"),
        (None, TypeError, "X: expected two axes, samples and features, got NoneType"),
        (X[0], ValueError, r"X: expected two axes.*got the shape \(2,\); for one sample write X.reshape\(1, -1\)"),
        (X[:, :0], ValueError, r"X: expected at least one feature, got the shape \(4, 0\)"),
        ([[1, 2], [3]], ValueError, "X: expected rows of equal length"),
        ([["1", "a"], ["2", "b"]], TypeError, "X: expected numbers, got <U1"),
        (np.array([[1, "a"], [2, 3]], dtype=object), TypeError, "X: expected numbers, got 'a' in row 0, column 1"),
        (X + 1j, TypeError, "X: expected numbers, got complex128"),
        (sp.csr_array(X + 1j), TypeError, "X: expected numbers, got complex128"),
        (np.ma.masked_array(X, mask=X > 1), ValueError, "X: expected an array without masked entries"),
        (np.where(X == 2, np.nan, X), ValueError, r"X: row 1 \(from 0\): expected finite values, got nan; fill or drop"),
        (sp.csr_array(np.where(X == 2, np.inf, X)), ValueError, r"X: row 1 \(from 0\): expected finite values, got inf"),
        (X * 1e300, ValueError, "X: the data's values are so large that their squares overflow"),
    ],
    ids=["str", "none", "one-axis", "no-features", "ragged", "text", "object", "complex", "sparse-complex", "masked",
         "nan", "sparse-inf", "huge"],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::asynprox.ConversionWarning")
def test_data(wrong, error, message):
    with pytest.raises(error, match=message):
        ap.minimize(wrong, Y)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (None, ValueError, "y: expected a label per sample for the loss .*, got None; only 'pca' takes none"),
        ([1, 2, 3], ValueError, r"y: expected 4 labels, one per row of X, got the shape \(3,\)"),
        (["a", "b", None, "a"], ValueError, "y: expected a label for every sample, got None in sample 2 .from 0."),
        (
            ["a", "b", float("nan"), "a"],
            ValueError,
            "y: expected a label for every sample, got nan in sample 2 .from 0.",
        ),
        (["a", "b", 3, "a"], TypeError, "y: expected labels of one kind, got int and str"),
        (Y + 1j, TypeError, "y: expected numbers, truth values or text, got complex128"),
        (np.ma.masked_array(Y, mask=Y > 0), ValueError, "y: expected an array without masked entries"),
        (np.array(["2020-01-01"] * 4, dtype="M8[D]"), TypeError, "y: expected numbers, truth values or text"),
    ],
    ids=["none", "short", "missing", "missing-nan", "mixed", "complex", "masked", "dates"],
)
def test_labels(wrong, error, message):
    with pytest.raises(error, match=message):
        ap.minimize(X, wrong)


def test_python_objects_that_are_numbers_are_labels():
    assert ap.minimize(X, np.array([1, -1, 1, -1], dtype=object)).settings["loss"] == "logistic"
    assert ap.minimize(X, np.array([True, False, True, False], dtype=object)).predict(X).dtype == bool


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"alpha": 1}, TypeError, "unexpected keyword argument 'alpha'; did you mean 'regularizer'"),
        ({"max_iter": 1}, TypeError, "'max_iter'; did you mean 'epochs'"),
        ({"n_jobs": 1}, TypeError, "'n_jobs'; did you mean 'workers'"),
        ({"wokers": 1}, TypeError, "'wokers'; did you mean 'workers'"),
        ({"regularizer": ap.L1}, TypeError, r"regularizer: expected .* got the class L1; write ap.L1\(...\)"),
        ({"regularizer": 0.1}, TypeError, r"regularizer: expected a spec such as ap.L1\(1e-4\).* got 0.1"),
        ({"loss": ap.Logistic}, TypeError, r"loss: expected .* got the class Logistic; write ap.Logistic\(...\)"),
        ({"step": 0.1}, TypeError, r"step: expected a spec such as 'constant:0.1' .* got 0.1"),
        ({"callback": 3}, TypeError, "callback: expected a function of a Progress, got 3"),
        ({"intercept": "yes"}, ValueError, "intercept: expected True or False, got 'yes'"),
        ({"sample_weight": ["a"] * 4}, TypeError, "sample_weight: expected numbers, got"),
        ({"sample_weight": np.ma.masked_array(np.ones(4), mask=Y > 0)}, ValueError, "sample_weight: .* without masked"),
        ({"workers": 1_000_000}, ValueError, "workers: expected at most .* threads, got 1000000"),
        ({"loss": "poisson"}, ap.DataError, r"sample 1 \(from 0\): expected at least 0"),
        ({"sample_weight": [1, 1, -1, 1]}, ap.DataError, r"got -1 for sample 2 \(from 0\)"),
        ({"x0": "zeros"}, TypeError, "x0: expected numbers, got 'zeros'"),
    ],
)
def test_keywords(keywords, error, message):
    with pytest.raises(error, match=message):
        ap.minimize(X, Y, **keywords)


def test_rows_that_scipy_takes_for_sorted_say_what_mends_them():
    rows = sp.csr_matrix(X)
    assert rows.has_canonical_format  # SciPy looks once, and remembers
    for array in (rows.indices, rows.data):
        array[:2] = array[:2][::-1].copy()
    with pytest.raises(ap.ContractError, match=r"X\.has_sorted_indices = False; X\.sort_indices\(\)"):
        ap.minimize(rows, Y)
    rows.has_sorted_indices = False
    rows.sort_indices()
    assert ap.minimize(rows, Y).steps >= 0


def test_names_and_files():
    with pytest.raises(AttributeError, match="no attribute 'minimise'; did you mean 'minimize'"):
        _ = ap.minimise
    with pytest.raises(TypeError, match=r"L1\(lambda_\): too many positional arguments"):
        ap.L1(1, 2)
    with pytest.raises(FileNotFoundError, match=r"nowhere\.json: no such file"):
        ap.load_model("nowhere.json")
