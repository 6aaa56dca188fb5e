"""Data frames: names of columns, order of columns, kinds of columns, with narwhals and without."""

import sys

import numpy as np
import pytest

import asynprox as ap
from asynprox._data import borrow

NAMES = [f"column {j}" for j in range(20)]


def of_pandas(columns):
    return pytest.importorskip("pandas").DataFrame(columns)


def of_polars(columns):
    pytest.importorskip("narwhals")
    return pytest.importorskip("polars").DataFrame(columns)


@pytest.fixture(params=[of_pandas, of_polars], ids=["pandas", "polars"])
def frame_of(request):
    request.param({"a": [1.0]})  # skips where it is not installed
    return request.param


@pytest.fixture(params=[True, False], ids=["narwhals", "without-narwhals"])
def _narwhals(request, monkeypatch):
    if not request.param:
        monkeypatch.setitem(sys.modules, "narwhals.stable.v2", None)  # its import fails


def columns_of(X):
    return dict(zip(NAMES, X.T.copy(), strict=True))


@pytest.mark.usefixtures("_narwhals")
def test_frames_keep_names_and_give_the_bits_of_arrays(classes, frame_of):
    X, y = classes
    frame = frame_of(columns_of(X))
    result = ap.minimize(frame, y, regularizer=ap.L1(0.01), workers=1)
    assert result.model.feature_names == NAMES
    assert result.x.tobytes() == ap.minimize(X, y, regularizer=ap.L1(0.01), workers=1).x.tobytes()
    np.testing.assert_array_equal(result.predict(frame), result.predict(X))


def test_predictions_match_columns_by_name(classes, frame_of):
    X, y = classes
    result = ap.minimize(frame_of(columns_of(X)), y, regularizer=ap.L1(0.01))
    columns = columns_of(X)
    reordered = frame_of({"city": ["x"] * len(X), **{name: columns[name] for name in reversed(NAMES)}})
    np.testing.assert_array_equal(result.predict(reordered), result.predict(X))  # text is no column of the model
    del columns["column 3"]
    with pytest.raises(ValueError, match="column 3"):
        result.predict(frame_of(columns))


@pytest.mark.usefixtures("_narwhals")
@pytest.mark.parametrize(
    ("column", "message"),
    [
        (["x", "y", "z"], "X: column 'odd': expected numbers, got .*; encode it first"),
        ([1.0, float("nan"), 2.0], r"X: column 'odd': expected finite numbers, got 1 missing, the first in row 1"),
        ([1, None, None], r"X: column 'odd': expected finite numbers, got 2 missing, the first in row 1"),
    ],
    ids=["text", "nan", "none"],
)
def test_columns_that_are_no_numbers_are_named(frame_of, column, message):
    with pytest.raises(ValueError, match=message):
        ap.minimize(frame_of({"a": [1.0, 2.0, 3.0], "odd": column}), [1.0, 2.0, 3.0], loss="squared")


def test_whole_numbers_and_truth_values_are_numbers(frame_of):
    frame = frame_of({"a": [1, 2, 3], "b": [True, False, True], "c": np.array([0.5, 1, 2], np.float32)})
    borrowed = borrow(frame, [1, 2, 3])
    assert borrowed.feature_names == ["a", "b", "c"]
    assert (borrowed.data.num_samples, borrowed.data.num_features) == (3, 3)


def test_columns_of_one_name_are_all_kept():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.eye(3), columns=["a", "b", "a"])
    assert borrow(frame, [1, 2, 3]).feature_names == ["a", "b", "a"]


def test_names_that_are_numbers_are_names():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.eye(3), columns=[7, 0, 1])
    assert borrow(frame, [1, 2, 3]).feature_names == ["7", "0", "1"]


def test_sparse_columns_of_pandas_stay_sparse():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame.sparse.from_spmatrix(
        pytest.importorskip("scipy.sparse").eye_array(4), columns=list("abcd")
    )
    borrowed = borrow(frame, [1, 2, 3, 4])
    assert borrowed.feature_names == list("abcd")
    assert "compressed" in borrowed.data.form or "columns" in borrowed.data.form


def test_lazy_frames_are_refused(frame_of):
    frame = frame_of({"a": [1.0]})
    if not hasattr(frame, "lazy"):
        pytest.skip("has no lazy frames")
    with pytest.raises(TypeError, match=r"got a LazyFrame; collect\(\) it first"):
        ap.minimize(frame.lazy(), [1.0])


def test_labels_may_be_series(classes, frame_of):
    X, y = classes
    words = np.where(y > 0, "yes", "no")
    result = ap.minimize(frame_of(columns_of(X)), frame_of({"y": words})["y"], regularizer=ap.L1(0.01))
    assert set(result.predict(X)) == {"yes", "no"}
