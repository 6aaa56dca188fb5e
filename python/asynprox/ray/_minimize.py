"""ap.ray.minimize: the same call as ap.minimize, on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from .. import _engine, _options
from .._errors import translated
from .._minimize import _ARGUMENTS, _warn
from .._result import Result
from .._specs import Member
from ._cluster import cluster, import_ray, placement
from ._problem import Problem

_RAY_KEYWORDS = ("address", "num_cpus", "pipelined")


def minimize(
    X: Any,
    y: ArrayLike | None = None,
    *,
    loss: str | Member | None = None,
    regularizer: Any = None,
    sample_weight: ArrayLike | None = None,
    x0: Any = None,
    callback: Callable[[_engine.Progress], Any] | None = None,
    record: bool = False,
    workers: int | None = None,
    address: str | None = None,
    num_cpus: float = 1,
    pipelined: bool = False,
    keep_models: bool = False,
    **options: Any,
) -> Result:
    """Minimise f(x) + h(x) on a Ray cluster, by Algorithm 1: a server, and workers that send it gradients.

    What is not listed here is as in `asynprox.minimize`.

    Parameters
    ----------
    X : array, SciPy sparse matrix, data frame, str, function or FiniteSum
        Arrays are sent to each node once. A path is opened on each node. A function without arguments is
        called on each node, and here; it returns ``(X, y)``, ``(X, y, sample_weight)`` or a FiniteSum. That
        is the way for an f that cannot be pickled, such as `from_tensorflow` and `from_jax` make.
    workers : int, optional
        How many. By default as many as this machine has cores, or as the cluster has CPUs beside the server's,
        free or not.
    address : str, optional
        Of a cluster that is there; ``"auto"`` finds one. By default Ray as it is connected, else the cluster
        that ``RAY_ADDRESS`` names, else one on this machine that lives as long as the call, on loopback.
    num_cpus : float
        What a worker takes of the cluster. The server takes one more CPU.
    pipelined : bool
        Compute a gradient while the push before it is under way. Faster where a push takes long; gradients
        are older: (2W - 1)/m steps on average, instead of (W - 1)/m.
    keep_models : bool
        Keep every x_k: ``result.cluster["models"]`` is (steps, seconds, models), and ``["objectives"]`` a
        function that evaluates such models.

    Returns
    -------
    Result
        As `asynprox.minimize` has it. ``result.cluster`` tells of the cluster: what a push cost, what each
        worker did, who was replaced.

    Raises
    ------
    ClusterError
        The server died, or a process has another version or other data. A worker that dies is replaced.
    """
    names = [name for name in options if name not in _RAY_KEYWORDS]
    _options.check_names(names, ("loss", "regularizer", "workers", *_RAY_KEYWORDS, *_ARGUMENTS))
    for name in ("runtime", "pin", "delays", "speeds"):
        if options.get(name) is not None:
            raise TypeError(f"ap.ray.minimize() takes no {name}: it is about workers of one process")
    if not num_cpus > 0:
        raise ValueError(f"num_cpus: expected a number above 0, got {num_cpus!r}")
    if workers is not None and (int(workers) != workers or workers < 1):
        raise ValueError(f"workers: expected a whole number of at least 1, got {workers!r}")
    here = workers or os.cpu_count() or 1
    with cluster(address, 1 + here * num_cpus) as ray:
        if workers is None and ray.cluster_resources().get("CPU", 0) > 1 + num_cpus:
            workers = int((ray.cluster_resources()["CPU"] - 1) / num_cpus)
        count = workers or here
        problem = Problem.of(
            X, y, loss=loss, regularizer=regularizer, sample_weight=sample_weight, x0=x0,
            options={**options, "workers": count},
        )  # fmt: skip
        job, data = problem.build()
        with translated(), placement(ray, count, num_cpus) as group:
            outcome, figures = _carry_out(problem, job, group, num_cpus, pipelined, callback, record, keep_models)
    text, x, intercept, events = outcome["outcome"]
    figures = {**figures, **outcome["figures"]}
    if keep_models:
        steps, seconds, numbers = outcome["models"]
        figures["models"] = (steps, seconds, numbers.reshape(len(steps), -1))
        objectives = _engine.Job.objectives
        figures["objectives"] = lambda models: objectives(evaluator, models.ravel())
        evaluator, _ = problem.build()
    result = Result(job.finished(text, x, intercept, events), data)
    result.cluster = figures
    _warn(result)
    return result


def _carry_out(
    problem: Problem, job: _engine.Job, group: Any, num_cpus: float, pipelined: bool, callback: Any, record: bool,
    keep_models: bool,
) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
    from ._run import Crew, Run, chosen_plan

    import_ray()
    crew = Crew(problem, job, group, problem.options["workers"], num_cpus)
    try:
        plan, costs = chosen_plan(crew, job, pipelined, problem.options.get("batch_size") is not None)
        run = Run(crew, plan, callback, record, keep_models)
        outcome = run.carry_out()
    finally:
        crew.end()
    return outcome, {**run.figures, **costs}
