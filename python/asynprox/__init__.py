"""Asynchronous stochastic proximal optimisation: minimise f(x) + h(x).

f is a finite sum, convex or not; h is convex, possibly nonsmooth, and known by its prox::

    import asynprox as ap
    result = ap.minimize(X, y, loss="logistic", regularizer=ap.L1(1e-4))

Losses and regularisers are classes here (``ap.Logistic()``, ``ap.L1(1e-4)``); the members of the other
families are in ``ap.steps``, ``ap.methods``, ``ap.samplings``, ``ap.delays`` and ``ap.models``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from . import _engine, _specs
from ._engine import BugError, ContractError, DataError, Error, Progress
from ._finite_sum import FiniteSum
from ._minimize import minimize
from ._prox import prox
from ._result import Model, Result, load_model
from ._warnings import ConversionWarning, RunWarning

__version__: str = _engine.__version__

losses = _specs.namespace("loss")
regularizers = _specs.namespace("regularizer")
steps = _specs.namespace("step")
methods = _specs.namespace("method")
samplings = _specs.namespace("sampling")
delays = _specs.namespace("delays")
models = _specs.namespace("model")

# Losses and regularisers are what nearly every call names.
_MEMBERS = {**vars(losses), **vars(regularizers)}
globals().update(_MEMBERS)

# Bridges to frameworks are loaded when they are first used: the frameworks take seconds to import.
_LAZY_ATTRIBUTES = {
    "from_jax": "_jax",
    "from_tensorflow": "_tensorflow",
    "from_torch": "_torch",
    "prox_transformation": "_optax",
    "ProxOptimizer": "_torch",
    "ray": "ray",
    "sklearn": "sklearn",
}

__all__ = [
    "BugError",
    "ContractError",
    "ConversionWarning",
    "DataError",
    "Error",
    "FiniteSum",
    "Model",
    "Progress",
    "Result",
    "RunWarning",
    "delays",
    "load_model",
    "losses",
    "methods",
    "minimize",
    "models",
    "prox",
    "regularizers",
    "samplings",
    "steps",
    *_MEMBERS,
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY_ATTRIBUTES:
        from difflib import get_close_matches

        places = {known.lower(): known for known in __dir__() if not known.startswith("_")}
        near = get_close_matches(name.lower(), places, n=1)
        hint = f"; did you mean '{places[near[0]]}'?" if near else ""
        raise AttributeError(f"module 'asynprox' has no attribute '{name}'{hint}")
    module = import_module(f".{_LAZY_ATTRIBUTES[name]}", __name__)
    return module if name in ("ray", "sklearn") else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY_ATTRIBUTES})
