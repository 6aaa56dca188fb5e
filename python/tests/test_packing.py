"""The rule that chooses between packed and borrowed rows, and that the choice changes no bit."""

import numpy as np
import pytest
import scipy.sparse as sp

import asynprox as ap
from asynprox import _packing
from asynprox._data import borrow
from asynprox._packing import is_worth_packing, passes_for_sure


@pytest.fixture
def rows():
    return sp.random_array((200, 50), density=0.2, format="csr", rng=np.random.default_rng(2))


@pytest.mark.parametrize(
    ("options", "passes"),
    [
        ({}, 0),
        ({"epochs": 100}, 0),  # the default tolerance may end it before
        ({"epochs": 100, "tolerance": 1e-3}, 0),
        ({"epochs": 100, "tolerance": 0}, 100),
        ({"epochs": 100, "tolerance": 0, "seconds": 1}, 0),
        ({"steps": 400, "batch_size": 10, "tolerance": 0}, 20),
        ({"steps": 400, "batch_size": 10, "epochs": 5, "tolerance": 0}, 5),
        ({"steps": 400, "tolerance": 0}, 2),
        ({"tolerance": 0}, 0),
    ],
)
def test_passes_that_a_run_is_sure_to_make(options, passes):
    assert passes_for_sure(options, num_samples=200) == passes


def test_packing_pays_where_what_passes_save_is_more_than_its_price(rows):
    enough = _packing.COST / _packing.SAVED
    assert not is_worth_packing(rows, {"tolerance": 0, "epochs": 0.9 * enough})
    assert is_worth_packing(rows, {"tolerance": 0, "epochs": 1.1 * enough})


def test_large_rows_are_never_packed(rows, monkeypatch):
    monkeypatch.setattr(_packing, "BYTES_MAX", rows.data.nbytes)
    assert not is_worth_packing(rows, {"tolerance": 0, "epochs": 1000})


def test_packed_rows_are_narrower_and_elsewhere(rows):
    data = borrow(rows, np.ones(200)).data
    packed = data.packed()
    assert data.addresses[2] == rows.data.ctypes.data
    assert packed.addresses[2] != rows.data.ctypes.data
    assert packed.form.startswith("16-bit columns")
    assert (packed.num_samples, packed.num_features) == rows.shape


def test_packing_changes_no_bit(rows, monkeypatch):
    y = np.where(rows @ np.linspace(-1, 1, 50) > 0, 1, -1)
    run = {"regularizer": ap.L1(1e-3), "method": "asyn-prox-saga", "epochs": 20, "tolerance": 0, "workers": 1}
    packed = ap.minimize(rows, y, sample_weight=np.arange(1, 201), standardize=True, **run)
    monkeypatch.setattr(_packing, "BYTES_MAX", 0)
    borrowed = ap.minimize(rows, y, sample_weight=np.arange(1, 201), standardize=True, **run)
    assert packed.x.tobytes() == borrowed.x.tobytes()
