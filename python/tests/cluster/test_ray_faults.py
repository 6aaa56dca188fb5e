"""Processes that die, and processes that do not belong."""

import os
import time

import numpy as np
import pytest

import asynprox as ap

pytest.importorskip("ray", reason="needs Ray: pip install 'asynprox[ray]'")

from asynprox.ray import ClusterError

# Twenty once, by hand: ASYNPROX_KILLS=20.
KILLS = int(os.environ.get("ASYNPROX_KILLS", "3"))
SLOW = {"pace": 1000, "seconds": 120}  # samples per second: a push takes 32 ms


@pytest.mark.parametrize("moment", range(KILLS))
def test_a_worker_that_is_killed_is_replaced(killer, problem, paper, promises, moment):
    random = np.random.default_rng(moment)
    killer.kill(f"worker {random.integers(3)}", random.uniform(0, 2.5))
    options = {**paper, **SLOW, "steps": 240, "batch_size": 96, "workers": 3}
    result = ap.ray.minimize(*problem, record=True, **options)
    assert result.stop_reason == "step_limit"
    assert killer.killed_at is not None
    assert (
        result.objective
        <= 1.02 * ap.minimize(*problem, **{**paper, "steps": 240, "batch_size": 96, "workers": 3}).objective
    )
    assert [entry["seconds"] <= 5 for entry in result.cluster["replaced"]] == [True]
    # At most the push that it was computing, or that was on its way, is lost.
    assert result.ledger["applied"] == 3 * 240
    assert result.replay().same
    promises(result)


def test_a_server_that_is_killed_ends_the_run(killer, problem, paper, wait_until_gone):
    killer.kill("the server", 0.5)
    with pytest.raises(ClusterError, match="the server of the run has died"):
        ap.ray.minimize(*problem, **{**paper, **SLOW, "steps": 10**5, "batch_size": 64, "workers": 2})
    assert time.monotonic() - killer.killed_at < 10
    wait_until_gone(killer.crew.processes.values())


def test_a_worker_that_dies_again_and_again_ends_the_run(local_cluster):
    def deadly():
        def gradient(x, samples):
            if x.any():
                os._exit(1)
            return x + 1

        return ap.FiniteSum(100, 3, gradient=gradient, value=lambda x, samples: 0.0, lipschitz=1.0)

    with pytest.raises(ClusterError, match="worker 0 has died 6 times"):
        ap.ray.minimize(
            deadly,
            workers=1,
            method="asyn-prox-sgd",
            step="constant:0.1",
            steps=10,
            batch_size=10,
            tolerance=0,
            trace_every=10,
        )


def in_worker():
    """Whether this process is an actor of the run, not the caller."""
    import ray

    return ray.get_runtime_context().get_actor_id() is not None


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("data", "fingerprint of the data: expected"),
        ("dimension", "dimension: expected 4, got 3"),
        ("version", "version: expected"),
    ],
)
def test_a_process_that_has_something_else_is_refused(local_cluster, what, words):
    def opened():
        import numpy

        import asynprox

        X, y = numpy.arange(40.0).reshape(10, 4) % 7, numpy.arange(10) % 2
        if not in_worker():
            return X, y
        if what == "version":
            asynprox._engine.__version__ = "0.0.0"
        return (X[:, :3] if what == "dimension" else X + (what == "data")), y

    with pytest.raises(ClusterError, match=rf"the server is refused: .*{words}"):
        ap.ray.minimize(opened, loss="logistic", workers=1, steps=3, batch_size=2)


def test_too_large_a_run_says_what_the_cluster_has(local_cluster, problem, paper, monkeypatch):
    from asynprox.ray import _cluster

    monkeypatch.setattr(_cluster, "_PLACEMENT_SECONDS", 1)
    with pytest.raises(ClusterError, match=r"expected 101 free CPUs.*the cluster has 10"):
        ap.ray.minimize(*problem, **{**paper, "steps": 5, "batch_size": 100, "workers": 100})
