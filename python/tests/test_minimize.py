"""ap.minimize on arrays: answers, data in place, labels, weights, keywords."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import asynprox as ap
from asynprox._data import borrow

A = np.array([[1.0, -2, 3, -4, 5], [2, -1, 0, -1, 3], [-1, 0, 4, -3, 2], [-1, -1, -1, 1, 3]])
B = np.array([1.0, 2, 3, 4])
LASSO = [-0.3877278911564627, 0, 0, 0.02174149659863943, 0.6168435374149660]


@pytest.mark.parametrize("matrix", [np.asarray, sp.csr_array, sp.csr_matrix], ids=["dense", "csr", "csr_matrix"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_tiny_lasso_has_its_exact_answer(matrix, dtype):
    result = ap.minimize(matrix(A.astype(dtype)), B, loss="squared", regularizer=ap.L1(2.9 / 4), tolerance=1e-12)
    assert result.stop_reason == "converged"
    np.testing.assert_allclose(result.x, LASSO, atol=1e-6)
    assert result.objective * 4 == pytest.approx(7.275772789115647, rel=1e-10)
    assert result.duality_gap <= 1e-12 * result.objective


@pytest.mark.parametrize(
    ("strength", "optimum"), [(1e-3, 0.347035069372980), (1e-4, 0.326898961969135)], ids=["1e-3", "1e-4"]
)
def test_a9a_has_the_optimum_of_the_oracles(a9a, strength, optimum):
    X, y = a9a
    result = ap.minimize(X, y, regularizer=ap.L1(strength), tolerance=1e-7)
    assert result.settings["loss"] == "logistic"
    assert optimum - 1e-12 <= result.objective <= optimum * (1 + 1e-7)
    assert result.objective - result.duality_gap <= optimum + 1e-12


def test_nonnegative_pca_of_a9a_is_the_eigenvector(a9a):
    X, _ = a9a
    result = ap.minimize(X, loss="pca", regularizer="nonneg-ball:1", normalize="rows", tolerance=1e-7, workers=1)
    assert result.stop_reason == "stationary"
    assert result.objective == pytest.approx(-0.226412877699213, abs=1e-8)
    assert (result.x >= 0).all()


def test_one_worker_gives_the_bits_of_the_command_line(a9a, program, data_dir, tmp_path):
    X, y = a9a
    command = [program, "train", str(data_dir / "a9a.xz"), "--regularizer", "l1:1e-3", "--workers", "1"]
    subprocess.run([*command, "--quiet", "--out", str(tmp_path / "run")], check=True)
    result = ap.minimize(X, y, regularizer=ap.L1(1e-3), workers=1)
    model = ap.load_model(tmp_path / "run" / "model.json")
    assert model.x.tobytes() == result.x.tobytes()


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_csr_arrays_are_read_where_they_are(index):
    X = sp.random_array((50, 30), density=0.2, format="csr", rng=np.random.default_rng(1))
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    data = borrow(X, np.ones(50)).data
    assert data.addresses == [array.ctypes.data for array in (X.indptr, X.indices, X.data)]


def test_dense_arrays_are_read_where_they_are():
    X = np.random.default_rng(1).standard_normal((20, 4))
    assert borrow(X, np.ones(20)).data.addresses[2] == X.ctypes.data


@pytest.mark.parametrize(
    ("convert", "reason"),
    [
        (np.asfortranarray, "Fortran"),
        (lambda X: X.astype(int), "int64"),
        (lambda X: np.repeat(X, 2, axis=1)[:, ::2], "not adjacent"),
        (sp.csc_array, "CSC"),
        (lambda X: sp.csr_array(X).astype(np.int32), "int32"),
    ],
    ids=["fortran", "integers", "strided", "csc", "integer-csr"],
)
def test_other_layouts_are_converted_with_one_warning(convert, reason):
    with pytest.warns(ap.ConversionWarning, match=reason) as caught:
        result = ap.minimize(convert(A), B, loss="squared", regularizer=ap.L1(2.9 / 4), tolerance=1e-10)
    assert len(caught) == 1
    assert caught[0].filename == __file__  # where the caller is
    np.testing.assert_allclose(result.x, LASSO, atol=1e-5)


def test_unsorted_indices_are_sorted_in_a_copy():
    X = sp.csr_array((np.array([2.0, 1.0]), np.array([1, 0]), np.array([0, 2])), shape=(1, 2))
    before = X.indices.copy()
    with pytest.warns(ap.ConversionWarning, match="not sorted"):
        borrow(X, [1.0])
    np.testing.assert_array_equal(X.indices, before)


def test_frames_keep_the_names_of_their_columns(classes, tmp_path):
    pandas = pytest.importorskip("pandas")
    X, y = classes
    frame = pandas.DataFrame(X, columns=[f"column {j}" for j in range(X.shape[1])])
    result = ap.minimize(frame, y, regularizer=ap.L1(0.01))
    assert result.model.feature_names == list(frame.columns)
    np.testing.assert_array_equal(result.predict(frame), result.predict(X))
    other = frame[frame.columns[::-1]].assign(another=1.0)  # in another order, and one more
    np.testing.assert_array_equal(result.predict(other), result.predict(X))
    with pytest.raises(ValueError, match="column 3"):
        result.predict(frame.drop(columns="column 3"))


def test_sample_weights_are_repetitions(classes):
    X, y = classes
    weights = np.arange(300) % 3
    weighted = ap.minimize(X, y, sample_weight=weights, regularizer=ap.L1(0.01), tolerance=1e-10)
    repeated = ap.minimize(np.repeat(X, weights, axis=0), np.repeat(y, weights), regularizer="l1:0.01", tolerance=1e-10)
    np.testing.assert_allclose(weighted.x, repeated.x, atol=1e-4)
    assert weighted.objective == pytest.approx(repeated.objective, rel=1e-9)


def test_intercept_and_standardisation_come_back_in_the_users_units(classes):
    X, y = classes
    X = X * np.logspace(-2, 2, 20)
    result = ap.minimize(X, y, regularizer=ap.SquaredL2(1e-3), intercept=True, standardize=True, tolerance=1e-9)
    coefficients, intercept = result.model.coefficients()
    np.testing.assert_allclose(X @ coefficients + intercept, result.decision_function(X), rtol=1e-9)
    assert result.intercept != 0


def test_text_labels_and_several_classes():
    random = np.random.default_rng(0)
    X = random.standard_normal((200, 5))
    y = np.array(["low", "middle", "top"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    result = ap.minimize(X, y, regularizer=ap.L1(1e-3), intercept=True)
    assert result.settings["loss"] == "multinomial"
    assert result.x.shape == (5, 3)
    assert result.intercept.shape == (3,)
    assert list(result.model.classes) == ["low", "middle", "top"]
    assert np.mean(result.predict(X) == y) > 0.9
    probabilities = result.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(result.model.classes[probabilities.argmax(axis=1)], result.predict(X))


def test_truth_values_and_whole_numbers_come_back_as_they_were(classes):
    X, y = classes
    assert ap.minimize(X, y > 0).predict(X[:3]).dtype == bool
    assert ap.minimize(X, y).predict(X[:3]).dtype == y.dtype


def test_a_share_of_the_largest_strength(classes):
    X, y = classes
    assert ap.minimize(X, y, regularizer="l1:1.001max").nonzeros == 0
    assert ap.minimize(X, y, regularizer=ap.L1("0.99max")).nonzeros > 0


def test_arrays_are_parameters_of_specs(classes):
    X, y = classes
    result = ap.minimize(X, y, regularizer=ap.GroupLasso(0.05, groups=np.repeat(np.arange(10), 2)), tolerance=1e-8)
    sized = ap.minimize(X, y, regularizer="group-lasso:0.05,size=2", tolerance=1e-8)
    assert result.objective == pytest.approx(sized.objective, rel=1e-7)


def test_begins_where_it_is_told(classes):
    X, y = classes
    first = ap.minimize(X, y, regularizer=ap.L1(0.01), intercept=True, tolerance=1e-8)
    for start in (first, first.model, np.append(first.x, first.intercept)):
        again = ap.minimize(X, y, regularizer=ap.L1(0.01), intercept=True, tolerance=0, steps=0, x0=start)
        assert again.objective == pytest.approx(first.objective, rel=1e-12)


def test_a_misspelt_keyword_is_a_type_error_with_a_suggestion():
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'toleranse'; did you mean 'tolerance'"):
        ap.minimize(A, B, toleranse=1e-3)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"regularizer": "l2-nrom:1"}, "did you mean 'l2-norm'"),
        ({"loss": "logistc"}, "did you mean 'logistic'"),
        ({"regularizer": ap.Squared()}, "regularizer: expected a member of that family"),
        ({"regularizer": object()}, r"expected a spec such as ap.L1\(1e-4\), or an object with value"),
        ({"workers": 0}, "workers: expected at least 1, got 0"),
        ({"runtime": "thread"}, "did you mean 'threads'"),
        ({"normalize": "row"}, "^normalize: no 'row'"),
        ({"sample_weight": [1, 2]}, "sample_weight: expected 4 numbers"),
        ({"x0": [0, np.nan, 0, 0, 0]}, "x0: expected finite numbers, got nan in coordinate 1"),
        ({"x0": [0.0]}, "x0"),
    ],
)
def test_wrong_arguments_are_named(keywords, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ap.minimize(A, B, **{"loss": "squared", **keywords})


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (A, B[:3], "y: expected 4 labels"),
        (A[0], B, "X: expected two axes"),
        (np.where(A == 4, np.inf, A), B, "row 2"),
        (A, [1, 2, np.nan, 4], "y: expected finite numbers, got nan in sample 2"),
    ],
    ids=["short-y", "one-axis", "infinite-x", "nan-y"],
)
def test_wrong_data_is_named(X, y, message):
    with pytest.raises(ValueError, match=message):
        ap.minimize(X, y)


def test_a_missed_tolerance_is_a_warning_with_the_gap(classes):
    X, y = classes
    with pytest.warns(ap.RunWarning, match="not converged: .*gap"):
        ap.minimize(X, y, regularizer=ap.L1(1e-3), method="asyn-prox-sgd", tolerance=1e-9, epochs=1)


def test_import_is_quick_and_light():
    code = "import sys, time; t = time.process_time(); import asynprox; print(time.process_time() - t, *sys.modules)"
    times = []
    for _ in range(3):
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        spent, *modules = run.stdout.split()
        assert not {"sklearn", "pandas", "polars", "narwhals", "scipy.sparse"} & set(modules)
        times.append(float(spent))
    assert min(times) < 0.3  # seconds of processor time, NumPy included: the machine may be busy


@pytest.mark.parametrize("loss", ["squared", "huber", "poisson"])
@pytest.mark.parametrize("dtype", [int, bool])
def test_predictions_of_numbers_are_not_cut_to_the_type_of_the_labels(loss, dtype):
    random = np.random.default_rng(0)
    X = random.standard_normal((200, 3))
    y = random.poisson(np.exp(X[:, 0])).astype(dtype)
    result = ap.minimize(X, y, loss=loss, regularizer=ap.L1(1e-3))
    scores = result.decision_function(X)
    assert result.model.classes.size == 0
    np.testing.assert_allclose(result.predict(X), np.exp(scores) if loss == "poisson" else scores, rtol=1e-12)


@pytest.mark.parametrize("labels", [[2**62 + 512, 2**53 + 1], [2**62 + 1, 2**62 + 3]], ids=["apart", "same-as-float"])
def test_class_labels_of_64_bits_come_back_exactly(labels):
    X = np.array([[1.0, 2], [-1, 1], [2, 0], [0, -1]])
    y = np.array(labels, dtype=np.int64)[[0, 1, 0, 1]]
    result = ap.minimize(X, y, loss="logistic", regularizer=ap.L1(1e-3), intercept=True, tolerance=1e-8)
    assert sorted(result.model.classes.tolist()) == sorted(labels)
    np.testing.assert_array_equal(result.predict(X), y)
    assert result.predict(X).dtype == np.int64
