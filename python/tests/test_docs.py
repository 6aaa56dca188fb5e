"""Examples of docstrings are tests."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["_minimize", "_finite_sum", "_prox", "_result", "_specs"])
def test_docstrings(name):
    results = doctest.testmod(importlib.import_module(f"asynprox.{name}"), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert results.failed == 0
