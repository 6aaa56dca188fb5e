"""Members of families as classes, and prox."""

import pickle

import numpy as np
import pytest

import asynprox as ap
from asynprox import _engine


def test_every_member_of_every_family_is_a_class():
    namespaces = {
        "loss": ap.losses,
        "regularizer": ap.regularizers,
        "step": ap.steps,
        "method": ap.methods,
        "sampling": ap.samplings,
        "delays": ap.delays,
        "model": ap.models,
    }
    assert set(namespaces) == set(_engine.families())
    for family, members in _engine.families().items():
        assert {made.spec_name for made in vars(namespaces[family]).values()} == {name for name, *_ in members}
    for name in ("L1", "GroupLasso", "ElasticNet", "Logistic", "Huber", "Multinomial"):
        assert hasattr(ap, name)


@pytest.mark.parametrize(
    ("member", "spec"),
    [
        (ap.L1(1e-4), "l1:lambda=0.0001"),
        (ap.L1(lambda_=0.5), "l1:lambda=0.5"),
        (ap.L1("0.1max"), "l1:lambda=0.1max"),
        (ap.ElasticNet(l1=1, l2=np.float32(0.5)), "elastic-net:l1=1,l2=0.5"),
        (ap.Logistic(), "logistic"),
        (ap.WeightedL1(1, weights="my,file.txt"), 'weighted-l1:lambda=1,weights="my,file.txt"'),
        (ap.steps.Constant(0.1), "constant:eta=0.1"),
    ],
)
def test_members_are_specs(member, spec):
    assert member.spec() == spec
    assert pickle.loads(pickle.dumps(member)) == member


def test_members_show_and_compare():
    assert repr(ap.L1(1e-4)) == "L1(0.0001)"
    assert repr(ap.ElasticNet(l1=1, l2=2)) == "ElasticNet(1, l2=2)"
    assert ap.L1(1) == ap.L1(1) != ap.L1(2)
    assert ap.GroupLasso(1, groups=[0, 1]) != ap.GroupLasso(1, groups=[1, 0])
    assert "lambda |x|_1" in ap.L1.__doc__


def test_wrong_parameters_are_type_errors():
    with pytest.raises(TypeError, match="lamda"):
        ap.L1(lamda=1)
    with pytest.raises(TypeError, match="missing"):
        ap.L1()


@pytest.mark.parametrize(
    ("h", "v", "step", "answer"),
    [
        (ap.L1(1.0), [3.0, -0.5, 1.5], 0.5, [2.5, 0.0, 1.0]),
        ("nonneg", [1.0, -1.0], 1.0, [1.0, 0.0]),
        (ap.GroupLasso(1.0, groups=[0, 0, 1]), [3.0, 4.0, 0.5], np.sqrt(0.5), [2.4, 3.2, 0.0]),
        (ap.Box(lower=0, upper=1), [[-1.0, 0.5], [2.0, 1.0]], 1.0, [[0.0, 0.5], [1.0, 1.0]]),
    ],
    ids=["l1", "nonneg", "groups", "two-axes"],
)
def test_prox_by_hand(h, v, step, answer):
    np.testing.assert_allclose(ap.prox(h, v, step), answer, rtol=1e-14)


def test_prox_keeps_type_and_shape_and_argument():
    v = np.array([[3.0, -1.0]], dtype=np.float32)
    moved = ap.prox(ap.L1(1), v, 1)
    assert moved.dtype == np.float32
    assert moved.shape == v.shape
    np.testing.assert_array_equal(v, [[3, -1]])


def test_prox_of_an_own_object():
    class Halve:
        def value(self, x):
            return 0.0

        def prox(self, v, step):
            return v / 2

    np.testing.assert_array_equal(ap.prox(Halve(), [2.0, 4.0], 1), [1, 2])


@pytest.mark.parametrize(
    ("h", "step", "message"),
    [("l1:1", -1, "step: expected"), ("l3:1", 1, "no 'l3'|unknown|l3"), (ap.Logistic(), 1, "expected a regulariser")],
)
def test_wrong_prox_arguments(h, step, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ap.prox(h, [1.0], step)


def test_keywords_have_meanings():
    assert all(kind and meaning for kind, meaning in _engine.keywords().values())
    assert {"workers", "tolerance", "staleness_max", "intercept", "standardize"} <= set(_engine.keywords())
