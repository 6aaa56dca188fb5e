"""The runs: Algorithm 1 at 1, 2, 4 and 8 workers, as fast as they go, paced, and simulated."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..ray._cluster import cluster, placement
from ..ray._problem import Problem
from ._problem import BATCH, Pca

TARGET = 1e-3
READINGS = ("m = p", "m = 1")


@dataclass
class Setting:
    """One run: which reading of the paper, how many workers, how fast, and the seed."""

    reading: str
    workers: int
    pace: float | None  # seconds per BATCH samples; None: as fast as it goes
    seed: int = 1

    def options(self, pca: Pca, share: float, steps: int) -> dict[str, Any]:
        """Return the options of the run. `share` is that of 1/L in the first step."""
        return {
            "method": "asyn-prox-sgd",
            "step": f"t-inverse:eta0={share / pca.lipschitz!r},decay=0.5,period=100",
            "batch_size": BATCH,
            "pushes_per_step": self.workers if self.reading == "m = p" else 1,
            "workers": self.workers,
            "steps": steps,
            "tolerance": 0,
            "trace_every": steps,
            "seed": self.seed,
            "pace": None if self.pace is None else BATCH / self.pace,
        }


@dataclass
class Curve:
    """Suboptimality after each step, and when that was."""

    seconds: np.ndarray
    suboptimality: np.ndarray
    staleness: dict[str, Any] = field(default_factory=dict)
    steps: np.ndarray | None = None  # by default 0, 1, 2, ...
    overruns: float = 0.0  # share of the pushes that took longer than their pace
    load: float = 0.0  # share of the processor that was busy
    compute_seconds: float = 0.0  # of a push
    server_seconds: float = 0.0  # of the processor, per push

    @property
    def void(self) -> bool:
        """Whether the machine was too slow for the pace."""
        return self.overruns > 0.01

    def passage(self) -> tuple[int, float, float, float] | None:
        """Return the step and the second at which the target is met, whole and interpolated in the logarithm."""
        below = np.flatnonzero(self.suboptimality <= TARGET)
        if not below.size or below[0] == 0:
            return None
        k = int(below[0])
        if self.steps is not None and self.steps[k] - self.steps[k - 1] != 1:
            raise RuntimeError(f"a model is missing between the steps {self.steps[k - 1]} and {self.steps[k]}")
        before, after = np.log(self.suboptimality[k - 1 : k + 1])
        part = float((before - np.log(TARGET)) / (before - after))
        start, end = self.seconds[k - 1 : k + 1]
        return k, float(end), k - 1 + part, float(start + part * (end - start))


def _busy() -> tuple[float, float]:
    """Return the time that the processor was busy, and the time in all, since it started."""
    numbers = [float(text) for text in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return sum(numbers) - numbers[3] - numbers[4], sum(numbers)


class Stack:
    """Ray with actors that keep the data set open, for one run after another."""

    def __init__(self, pca: Pca, gradients: str, crew: Any, costs: Any) -> None:
        self.pca, self._gradients, self._crew, self._data = pca, gradients, crew, costs
        self._evaluator = _problem(pca, "engine", {}).build()[0]

    def run(self, setting: Setting, share: float, steps: int) -> Curve:
        """Carry out one run; its objectives are computed afterwards, of the models that the server kept."""
        from ..ray._run import Run

        problem = _problem(self.pca, self._gradients, setting.options(self.pca, share, steps))
        plan = problem._job(self._data).plan(False, None)
        crew = copy.copy(self._crew)
        crew.workers = self._crew.workers[: setting.workers]
        run = Run(crew, plan, None, False, True)
        busy, total = _busy()
        outcome = run.carry_out()
        busy, total = (now - before for now, before in zip(_busy(), (busy, total), strict=True))
        steps, seconds, models = outcome["models"]
        workers = [figures for figures in run.figures["workers"] if figures]
        pushes = max(1, sum(figures["pushes"] for figures in workers))
        text = json.loads(outcome["outcome"][0])
        return Curve(
            seconds,
            self._evaluator.objectives(models) - self.pca.optimum,
            text["staleness"],
            steps,
            sum(figures["overruns"] for figures in workers) / pushes,
            busy / max(total, 1e-9),
            sum(figures["compute_seconds"] for figures in workers) / pushes,
        )

    def costs(self) -> tuple[float, float]:
        """Return the seconds of a push and its answer, and those of the server's processor for it."""
        import ray

        worker, server = self._crew.workers[0], self._crew.server
        before = ray.get(server.cpu_seconds.remote())
        trip, _ = ray.get(worker.costs.remote(server, 8 * self.pca.dimension + 200, 1))
        count = 12
        after = ray.get(server.cpu_seconds.remote())
        return trip, (after - before) / (count + 1)


def _problem(pca: Pca, gradients: str, options: dict[str, Any]) -> Problem:
    arguments = pca.arguments(gradients)
    options = {**arguments.pop("options"), **options}
    return Problem.of(y=None, sample_weight=None, x0=None, options=options, **arguments)


@contextmanager
def stack(pca: Pca, gradients: str, workers: int) -> Iterator[Stack]:
    """Start Ray with that many workers; stop it afterwards."""
    with cluster(None, 1 + workers) as ray, placement(ray, workers, 1) as group:
        from ..ray._run import Crew

        problem = _problem(pca, gradients, {})
        job, data = problem.build()
        crew = Crew(problem, job, group, workers, 1)
        try:
            yield Stack(pca, gradients, crew, data)
        finally:
            crew.end()


def serial_seconds(pca: Pca, share: float, steps: int) -> float:
    """Return the time of one worker of the engine's, without Ray: what a cluster has to beat."""
    from .. import _engine
    from .._options import texts_of

    options = {**Setting("m = p", 1, None).options(pca, share, steps), "normalize": "rows", "loss": "pca"}
    options |= {"runtime": "serial", "regularizer": "nonneg-ball:1"}
    call = _engine.Call(texts_of(options, {}), {}, None, None, None, None, False)
    data = _engine.read_data(pca.source)
    figures = json.loads(_engine.fit(data, call).result_json())
    return float(figures["seconds"])


def simulated(pca: Pca, setting: Setting, share: float, steps: int, latency: float, push_seconds: float) -> Curve:
    """Return the same run by the simulator: machines of exactly that pace, messages of those costs."""
    assert setting.pace is not None
    job = _problem(pca, "engine", setting.options(pca, share, steps)).build()[0]
    _, seconds, objectives = job.simulate(BATCH / setting.pace, latency, push_seconds)
    return Curve(seconds, objectives - pca.optimum)


def pace_of_half(pca: Pca, share: float, steps: int, workers: int, latency: float, push_seconds: float) -> float:
    """Return the seconds per BATCH samples at which the workers are half as many times as fast as one."""

    def efficiency(pace: float) -> float:
        curves = [
            simulated(pca, Setting("m = p", count, pace), share, steps, latency, push_seconds) for count in (1, workers)
        ]
        one, all_of_them = (curve.seconds[-1] for curve in curves)
        return one / all_of_them / workers

    low, high = 1e-4, 1.0
    for _ in range(12):
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if efficiency(middle) > 0.5 else (middle, high)
    return high


def timed(say: Callable[[str], None], what: str, work: Callable[[], Curve]) -> Curve:
    """Do the work and say how it went."""
    start = time.monotonic()
    curve = work()
    passage = curve.passage()
    met = f"1e-3 after {passage[0]} steps, {passage[1]:.3f} s" if passage else "1e-3 is not met"
    say(
        f"{what}: {met}; processor {curve.load:.0%} busy, {curve.overruns:.1%} of pushes overran"
        f"{' (void)' if curve.void else ''}; {time.monotonic() - start:.1f} s in all"
    )
    return curve
