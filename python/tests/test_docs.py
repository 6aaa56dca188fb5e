"""Examples of docstrings are tests."""

import doctest
import importlib

import pytest


def check(name):
    module = importlib.import_module(f"asynprox.{name}")
    results = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0
    return results


@pytest.mark.parametrize("name", ["_minimize", "_finite_sum", "_prox", "_result", "_specs"])
def test_docstrings(name):
    check(name)


@pytest.mark.parametrize("name", ["_classifier", "_regressor", "_pca"])
def test_docstrings_of_estimators(name):
    pytest.importorskip("sklearn")
    assert check(f"sklearn.{name}").attempted > 0
