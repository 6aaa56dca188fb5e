"""A run on a cluster, as the process sees it that asked for it: it watches, and moves no gradients."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import ray
from ray import cloudpickle
from ray.exceptions import GetTimeoutError, RayActorError, RayTaskError

from .. import _engine
from . import _actors
from ._cluster import options_of
from ._errors import ClusterError, with_place
from ._problem import Arrays, Problem, describe, differences

_POLL_SECONDS = 0.2
_ANSWER_SECONDS = 8  # in which a server that lives answers, unless it evaluates
_DEATHS_MAX = 5  # of one worker in a run; one more ends it
_PUSH_SHARE = 0.05  # of the compute time that a push may cost, where the batch is chosen here


class Crew:
    """The actors of a run. Those that die are replaced, but for the server."""

    def __init__(self, problem: Problem, job: _engine.Job, group: Any, workers: int, num_cpus: float) -> None:
        self._expected = describe(job)
        self._group, self._num_cpus = group, num_cpus
        self.package, self.references = _packed(problem)
        self.processes: dict[str, int] = {}  # "the server", "worker 0", ...: as its node numbers it
        self.server = self._actor(_actors.Server, 0, 1, max_concurrency=4 * workers + 16)
        self.workers = [self._actor(_actors.Worker, 1 + j, num_cpus) for j in range(workers)]
        self.check("the server", self.server)
        for j, worker in enumerate(self.workers):
            self.check(f"worker {j}", worker)

    def _actor(self, kind: type, bundle: int, num_cpus: float, **more: Any) -> Any:
        options = options_of(self._group, bundle, num_cpus)
        return ray.remote(kind).options(**options, **more).remote(self.package, self.references)

    def check(self, who: str, actor: Any) -> None:
        """Refuse a process that has another version, or another problem."""
        try:
            got = ray.get(actor.describe.remote())
        except RayTaskError as error:
            raise with_place(error.cause, who) from None
        except RayActorError as error:
            raise ClusterError(f"{who} could not start: {error}") from None
        self.processes[who] = got["process"]
        different = differences(self._expected, got)
        if different:
            raise ClusterError(f"{who} is refused: " + "; ".join(different))

    def replacement(self, j: int) -> Any:
        """Start worker j again; it is not checked yet."""
        self.workers[j] = self._actor(_actors.Worker, 1 + j, self._num_cpus)
        return self.workers[j]

    def end(self) -> None:
        for actor in (*self.workers, self.server):
            ray.kill(actor)


def _packed(problem: Problem) -> tuple[bytes, list[Any]]:
    """Return the problem without its large arrays, and references to these, which a node maps once."""
    data = problem.data
    if not isinstance(data, Arrays):
        try:
            return cloudpickle.dumps(problem), []
        except Exception as error:
            raise TypeError(
                f"X: this f cannot be sent to other processes ({error}); give a function that makes it there"
            ) from error
    references = [ray.put(part) for part in data.parts]
    light = Arrays(data.kind, [], data.shape, data.labels, data.feature_names, data.weighted)
    light.labels = data.labels.without_numbers()
    return cloudpickle.dumps(Problem(light, problem.loss, problem.regularizer, problem.x0, problem.options)), references


def chosen_plan(crew: Crew, job: _engine.Job, pipelined: bool, batch_given: bool) -> tuple[str, dict[str, float]]:
    """Plan the run. A batch that is chosen here is so large that pushes cost little beside gradients."""
    text = job.plan(pipelined, None)
    if batch_given:
        return text, {}
    plan = json.loads(text)
    samples, m = plan["batch"]["size"] // plan["workers"]["pushes_per_step"], plan["workers"]["pushes_per_step"]
    values = job.dimension if plan["state"] == "dense" else min(job.dimension, 64 * samples)
    push, sample = ray.get(crew.workers[0].costs.remote(crew.server, 8 * values + 200, min(512, job.num_samples)))
    figures = {"push_seconds": push, "sample_seconds": sample}
    enough = int(-(-push // (_PUSH_SHARE * sample)))
    room = max(1, job.num_samples // plan["workers"]["slots"])
    size = min(enough, room) * m
    # A batch is made no smaller, and a method that takes all samples in a step keeps them.
    if size <= plan["batch"]["size"] or plan["batch"]["size"] >= job.num_samples:
        return text, figures
    return job.plan(pipelined, size), figures


class Run:
    """The run proper: until the server says that it is over."""

    def __init__(self, crew: Crew, plan: str, callback: Callable[[Any], Any] | None, record: bool, keep_models: bool):
        self._crew, self._plan, self._callback = crew, plan, callback
        slots = json.loads(plan)["workers"]["slots"]
        count = len(crew.workers)
        self._slots = [list(range(j, slots, count)) for j in range(count)]
        self._deaths = [0] * count
        self._joining: dict[Any, tuple[int, float]] = {}  # replacements on their way: since when
        self._runs: dict[Any, int] = {}
        self._evaluations = 0
        self.figures: dict[str, Any] = {"replaced": [], "workers": [None] * count}
        self._call(crew.server.begin.remote(plan, record, keep_models))
        self._error: BaseException | None = None

    def _call(self, reference: Any, seconds: float | None = None) -> Any:
        try:
            return ray.get(reference, timeout=seconds)
        except RayActorError:
            raise ClusterError("the server of the run has died; what it had learnt is lost") from None
        except RayTaskError as error:
            raise with_place(error.cause, "on the server") from None

    def carry_out(self) -> dict[str, Any]:
        """Return what came of it. Ctrl-C ends the run with what was learnt; a second one ends the call."""
        prepared = [self._prepare(j) for j in range(len(self._slots))]
        for j, reference in enumerate(prepared):
            self._join(j, reference)
        interrupted = False
        while self._runs or self._joining:
            try:
                self._look()
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
                self._crew.server.interrupt.remote()
        if self._error is not None:
            raise self._error
        outcome = self._call(self._crew.server.finish.remote())
        self._tell()
        return outcome

    def _prepare(self, j: int) -> Any:
        lives = self._call(self._crew.server.next_lives.remote(self._slots[j]))
        return self._crew.workers[j].prepare.remote(self._plan, self._slots[j], lives)

    def _join(self, j: int, prepared: Any) -> None:
        try:
            ray.get(prepared)
        except RayActorError:
            return self._replace(j)
        except RayTaskError as error:
            raise with_place(error.cause, f"worker {j}") from None
        self._runs[self._crew.workers[j].run.remote(self._crew.server)] = j

    def _look(self) -> None:
        done, _ = ray.wait([*self._runs, *self._joining], num_returns=1, timeout=_POLL_SECONDS)
        for reference in done:
            if reference in self._joining:
                self._joined(reference)
            else:
                self._ended(reference)
        self._tell()

    def _ended(self, reference: Any) -> None:
        j = self._runs.pop(reference)
        try:
            outcome = ray.get(reference)
        except RayActorError:
            return self._replace(j)
        except RayTaskError:
            # It could not reach the server; whether that lives is found out by the next call.
            return self._replace(j)
        if "error" in outcome:
            self._error = self._error or with_place(outcome["error"], f"worker {j}")
            self._call(self._crew.server.stop.remote())
        else:
            self.figures["workers"][j] = outcome["figures"]
            self._deaths[j] = 0

    def _replace(self, j: int) -> None:
        """Worker j is gone: the server forgets it, and another one takes its place, in a new life."""
        since = time.monotonic()
        self._call(self._crew.server.leave.remote(self._slots[j]))
        _, over = self._call(self._crew.server.news.remote(self._evaluations))
        if over or self._error is not None:
            return
        self._deaths[j] += 1
        if self._deaths[j] > _DEATHS_MAX:
            self._error = ClusterError(f"worker {j} has died {self._deaths[j]} times")
            self._call(self._crew.server.stop.remote())
            return
        self._joining[self._crew.replacement(j).describe.remote()] = (j, since)

    def _joined(self, described: Any) -> None:
        j, since = self._joining.pop(described)
        try:
            self._crew.check(f"worker {j}", self._crew.workers[j])
        except ClusterError as error:
            if " is refused: " in str(error):
                raise
            return self._replace(j)
        self._join(j, self._prepare(j))
        self.figures["replaced"].append({"worker": j, "seconds": time.monotonic() - since})

    def _tell(self) -> None:
        texts, over = self._news()
        if over:
            self._joining.clear()  # nobody needs them any more; the crew ends them
        self._evaluations += len(texts)
        for text in texts if self._callback else ():
            if self._callback(_engine.progress_of(text)):
                self._crew.server.interrupt.remote()

    def _news(self) -> tuple[list[str], bool]:
        try:
            return self._call(self._crew.server.news.remote(self._evaluations), _ANSWER_SECONDS)
        except GetTimeoutError:
            return [], False
