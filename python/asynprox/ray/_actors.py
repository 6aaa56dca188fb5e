"""The processes of a run: a server and workers, as Ray actors. What they compute is the engine's."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any

import numpy as np
import ray

from .. import _engine
from ._problem import describe

# Gradients of one worker are computed by one thread: a node has as many workers as cores.
_ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "2",
}


def _that_travels(error: BaseException) -> BaseException:
    """Return the error itself if another process can read it, else a RuntimeError of the same words."""
    from ray import cloudpickle

    try:
        cloudpickle.loads(cloudpickle.dumps(error))
    except Exception:
        told = RuntimeError(f"{type(error).__name__}: {error}")
        for note in getattr(error, "__notes__", []):
            told.add_note(note)
        return told
    return error


def build(package: bytes, references: list[Any]) -> tuple[_engine.Job, Any]:
    """Build the problem of a run in this process. Large arrays are mapped, not copied."""
    from ray import cloudpickle

    problem = cloudpickle.loads(package)
    return problem.build(ray.get(references) if references else None)


class Server:
    """Owns the model. An asynchronous actor: a call waits for its answer without holding up others."""

    def __init__(self, package: bytes, references: list[Any]) -> None:
        os.environ.update(_ONE_THREAD)
        self._package, self._references = package, references
        self._served: Any = None
        self._waiting: dict[int, list[asyncio.Future]] = {}
        self._watching: asyncio.Future | None = None
        self._error: BaseException | None = None
        self._messages = self._bytes = 0

    async def describe(self) -> dict[str, Any]:
        """Build the problem; return what has to be the same everywhere."""
        self._job, self._data = build(self._package, self._references)
        return {**describe(self._job), "process": os.getpid()}

    async def cpu_seconds(self) -> float:
        return time.process_time()

    async def begin(self, plan: str, record: bool, keep_models: bool) -> None:
        """Begin a run. The one before it is over."""
        self._served = _engine.Served(self._job, plan, record, keep_models)
        self._waiting, self._error = {}, None
        self._messages = self._bytes = 0

    async def next_lives(self, slots: list[int]) -> list[int]:
        return [self._served.next_life(slot) for slot in slots]

    async def echo(self, message: Any) -> Any:
        """Answer at once: what a push costs is measured by this."""
        return message

    async def exchange(self, message: Any) -> Any:
        """Take a pull or a push; return the answer to it, once there is one."""
        while self._watching is not None:
            await asyncio.wait([self._watching])
        try:
            arrival, worker, letters = self._served.receive(message)
        except BaseException as error:  # of a prox that is written in Python, for example
            self._error = self._error or error
            self._deliver(self._served.stop())
            raise
        self._messages += 1
        self._bytes += len(message)
        if arrival == "fenced":
            return letters[-1][1]
        answer = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(worker, []).append(answer)
        self._deliver(letters)
        if self._served.evaluation_due:
            await self._watch()
        return await answer

    def _deliver(self, letters: list[tuple[int, Any]]) -> None:
        for worker, letter in letters:
            for answer in self._waiting.pop(worker, []):
                if not answer.done():
                    answer.set_result(letter)

    async def _watch(self) -> None:
        # Evaluations take long: other calls wait for them, but the actor can still be talked to.
        self._watching = asyncio.get_running_loop().run_in_executor(None, self._served.watch)
        try:
            letters = await self._watching
        except BaseException as error:
            self._error = error
            letters = self._served.stop()
        finally:
            self._watching = None
        self._deliver(letters)

    async def leave(self, slots: list[int]) -> None:
        """Forget a worker that is gone."""
        while self._watching is not None:
            await asyncio.wait([self._watching])
        for slot in slots:
            self._waiting.pop(slot, None)
            self._deliver(self._served.leave(slot))

    async def news(self, known: int) -> tuple[list[str], bool]:
        """Return the evaluations after the first `known`, and whether the run is over."""
        if self._watching is None and self._served.begun and not self._served.over:
            await self._watch()
        if self._watching is not None:
            return [], False  # an evaluation is writing what would be read here
        return self._served.evaluations[known:], self._served.over

    async def interrupt(self) -> None:
        self._served.interrupt()

    async def stop(self) -> None:
        while self._watching is not None:
            await asyncio.wait([self._watching])
        self._deliver(self._served.stop())

    async def finish(self) -> dict[str, Any]:
        if self._error is not None:
            raise self._error
        outcome = await asyncio.get_running_loop().run_in_executor(None, self._served.finish)
        figures = {"messages": self._messages, "bytes": self._bytes, "server_cpu_seconds": time.process_time()}
        return {"outcome": outcome, "models": self._served.kept_models(), "figures": figures}


class Worker:
    """Computes gradients: pull, then push and be answered, until the server says that the run is over."""

    def __init__(self, package: bytes, references: list[Any]) -> None:
        os.environ.update(_ONE_THREAD)
        self._package, self._references = package, references

    def describe(self) -> dict[str, Any]:
        """Build the problem; return what has to be the same everywhere."""
        self._job, self._data = build(self._package, self._references)
        return {**describe(self._job), "process": os.getpid()}

    def costs(self, server: Any, num_bytes: int, samples: int) -> tuple[float, float]:
        """Return the seconds of a push and its answer, and those of the gradient of one sample."""
        message = bytes(num_bytes) if num_bytes < 1 << 16 else np.zeros(num_bytes, np.uint8)
        trips = []
        for _ in range(12):
            start = time.perf_counter()
            ray.get(server.echo.remote(message))
            trips.append(time.perf_counter() - start)
        self._job.gradient_seconds(samples)  # traces what has to be traced
        return float(np.median(trips)), min(self._job.gradient_seconds(samples) for _ in range(3)) / samples

    def prepare(self, plan: str, slots: list[int], lives: list[int]) -> None:
        """Make the parts of the engine's, and have functions traced, before the clock runs."""
        self._workers = [
            _engine.RemoteWorker(self._job, plan, slot, life) for slot, life in zip(slots, lives, strict=True)
        ]
        self._job.gradient_seconds(1)

    def run(self, server: Any) -> dict[str, Any]:
        """Work until the run is over. An error of the gradient is returned, with the error's text."""
        figures = Figures()
        try:
            loop = _in_turn if len(self._workers) == 1 else _pipelined
            loop(self._workers, server, figures)
        except ray.exceptions.RayError:
            raise
        except BaseException as error:
            return {"error": _that_travels(error)}
        return {"figures": vars(figures)}


class Figures:
    """What a worker did."""

    def __init__(self) -> None:
        self.pushes = self.overruns = self.bytes = 0
        self.compute_seconds = self.paused_seconds = self.waited_seconds = 0.0
        self.began = time.perf_counter()

    def answered(self, worker: Any, reply: Any) -> Any:
        """Return the push that answers a reply, no earlier than the pace allows."""
        start = time.perf_counter()
        push = worker.answer(reply)
        if push is None:
            return None
        least, spent = worker.seconds_least, time.perf_counter() - start
        self.pushes += 1
        self.bytes += len(push)
        self.compute_seconds += spent
        if least > 0:
            self.overruns += spent > least
            if spent < least:
                time.sleep(least - spent)
                self.paused_seconds += least - spent
        return push


def _in_turn(workers: list[Any], server: Any, figures: Figures) -> None:
    """Algorithm 1 as printed: push, be answered by a model, then compute."""
    worker = workers[0]
    message = worker.pull()
    while message is not None:
        start = time.perf_counter()
        reply = ray.get(server.exchange.remote(message))
        figures.waited_seconds += time.perf_counter() - start
        message = figures.answered(worker, reply)


def _pipelined(workers: list[Any], server: Any, figures: Figures) -> None:
    """A gradient is computed while the push before it is under way: two of the engine's workers take turns."""
    under_way = {server.exchange.remote(worker.pull()): worker for worker in workers}
    while under_way:
        start = time.perf_counter()
        (ready, *_), _ = ray.wait(list(under_way), num_returns=1)
        worker = under_way.pop(ready)
        reply = ray.get(ready)
        figures.waited_seconds += time.perf_counter() - start
        push = figures.answered(worker, reply)
        if push is not None:
            under_way[server.exchange.remote(push)] = worker
