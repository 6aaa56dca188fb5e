"""What the tests of ap.ray share: one cluster for all of them, small problems, and ways to kill."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

CPUS = 10  # of the cluster, whatever the machine has: workers are small here


@pytest.fixture(scope="session")
def local_cluster():
    """A cluster on loopback, started and stopped once."""
    pytest.importorskip("ray", reason="needs Ray: pip install 'asynprox[ray]'")
    from asynprox.ray._cluster import cluster

    with cluster(None, CPUS) as connected:
        yield connected


@pytest.fixture(autouse=True)
def _functions_travel(request):
    """Other processes cannot import a test's module: its functions are sent whole."""
    cloudpickle = pytest.importorskip("ray.cloudpickle")
    cloudpickle.register_pickle_by_value(request.module)


@pytest.fixture(scope="session")
def problem():
    """A dense logistic problem with signal in three of 30 columns."""
    random = np.random.default_rng(3)
    X = random.standard_normal((2000, 30))
    y = np.where(X[:, :3] @ [2.0, -3.0, 1.0] + random.standard_normal(2000) > 0, 1.0, -1.0)
    return X, y


@pytest.fixture
def paper():
    """Algorithm 1, with what it leaves open."""
    return {
        "loss": "logistic",
        "regularizer": "l1:0.01",
        "method": "asyn-prox-sgd",
        "step": "constant:0.1",
        "tolerance": 0,
    }


@pytest.fixture
def promises():
    """What every run keeps: the bound on staleness, and balanced books."""

    def check(result):
        ledger = result.ledger
        assert ledger["received"] == ledger["applied"] + ledger["pending"] + sum(ledger["refused"].values())
        assert result.staleness["max"] <= result.staleness["bound"]
        assert ledger["refused"]["duplicate"] == 0

    return check


class Killer:
    """Kills processes of a run by kill -9, from a thread of its own."""

    def __init__(self):
        self.crew = None
        self.began = threading.Event()
        self.killed_at = None

    def kill(self, who, delay):
        """Kill "the server" or "worker 1", `delay` seconds after the run has begun."""

        def at_that_time():
            if not self.began.wait(120):
                return
            time.sleep(delay)
            self.killed_at = time.monotonic()
            os.kill(self.crew.processes[who], signal.SIGKILL)

        threading.Thread(target=at_that_time, daemon=True).start()


@pytest.fixture
def killer(monkeypatch, local_cluster):
    """A killer that knows the processes of the next run."""
    from asynprox.ray import _run

    killer, carry_out = Killer(), _run.Run.carry_out

    def watched(run):
        killer.crew = run._crew
        killer.began.set()
        return carry_out(run)

    monkeypatch.setattr(_run.Run, "carry_out", watched)
    return killer


def is_alive(process):
    """Whether there is such a process, and it is no zombie."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def wait_until_gone():
    """A function that waits until processes have ended, and fails after some seconds."""

    def wait(processes, seconds=10):
        end = time.monotonic() + seconds
        while any(map(is_alive, processes)):
            assert time.monotonic() < end, "orphan processes"
            time.sleep(0.05)

    return wait
