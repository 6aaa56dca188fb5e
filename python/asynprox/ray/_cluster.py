"""Start a cluster of this machine's for the time of a run, or use one that is there."""

from __future__ import annotations

import logging
import math
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._errors import ClusterError

# Read by Ray when it is imported, or when it starts its processes. A cluster of one machine listens on
# loopback only where clusters of several machines are switched off.
_LOCAL = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
}
_PLACEMENT_SECONDS = 60
# Ray reads the token of a process once.
_TOKEN = secrets.token_hex(32)


def import_ray() -> Any:
    """Import Ray, or say how it is installed."""
    try:
        import ray
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise ModuleNotFoundError("ap.ray needs Ray: pip install 'asynprox[ray]'", name="ray") from None
    return ray


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def cluster(address: str | None, cpus: float) -> Iterator[Any]:
    """Give the module `ray`, connected. A cluster that is started here has so many CPUs, and ends here."""
    loaded = sys.modules.get("ray")
    if address is None and (loaded is None or not loaded.is_initialized()) and "RAY_ADDRESS" not in os.environ:
        with _own_cluster(cpus) as ray:
            yield ray
        return
    ray = import_ray()
    attached = not ray.is_initialized()
    if attached:
        ray.init(address=address or "auto", logging_level=logging.ERROR, log_to_driver=False)
    try:
        yield ray
    finally:
        if attached:
            ray.shutdown()


@contextmanager
def _own_cluster(cpus: float) -> Iterator[Any]:
    try:
        with _environment({**_LOCAL, "RAY_AUTH_TOKEN": os.environ.get("RAY_AUTH_TOKEN", _TOKEN)}):
            ray = import_ray()
            with _single_machine():
                _start(ray, cpus)
                try:
                    yield ray
                finally:
                    ray.shutdown()
    finally:
        _read_environment_again()  # for clusters that the caller starts later


@contextmanager
def _single_machine() -> Iterator[None]:
    """Switch clusters of several machines off in a Ray that was imported before."""
    constants = sys.modules.get("ray._private.ray_constants")
    enabled = getattr(constants, "ENABLE_RAY_CLUSTER", None)
    if enabled:
        constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        if enabled:
            constants.ENABLE_RAY_CLUSTER = True


def _read_environment_again() -> None:
    """Let a Ray that is imported see the settings of now: it has read those of then."""
    try:
        from ray._raylet import AuthenticationTokenLoader, Config
    except ImportError:
        return  # before Ray had tokens
    Config.initialize("")
    AuthenticationTokenLoader.instance().reset_cache()


def _start(ray: Any, cpus: float) -> None:
    _read_environment_again()
    ray.init(
        address="local",
        num_cpus=math.ceil(cpus),
        num_gpus=0,
        include_dashboard=False,
        logging_level=logging.ERROR,
        log_to_driver=False,
    )


@contextmanager
def placement(ray: Any, workers: int, num_cpus: float) -> Iterator[Any]:
    """Reserve a bundle for the server, number 0, and one for each worker, over as many nodes as there are."""
    from ray.util.placement_group import placement_group, remove_placement_group

    bundles = [{"CPU": 1}, *[{"CPU": num_cpus}] * workers]
    group = placement_group(bundles, strategy="SPREAD")
    try:
        if not group.wait(_PLACEMENT_SECONDS):
            there = ray.cluster_resources().get("CPU", 0)
            raise ClusterError(
                f"cluster: expected {1 + workers * num_cpus:g} free CPUs, 1 for the server and {num_cpus:g} for each "
                f"of {workers} workers; the cluster has {there:g}, and no such place within {_PLACEMENT_SECONDS} s"
            )
        yield group
    finally:
        remove_placement_group(group)


def options_of(group: Any, bundle: int, num_cpus: float) -> dict[str, Any]:
    """Return the options of an actor that lives in that bundle."""
    from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

    strategy = PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=bundle)
    return {"num_cpus": num_cpus, "scheduling_strategy": strategy, "max_restarts": 0}
