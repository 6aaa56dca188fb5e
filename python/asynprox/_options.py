"""Keyword arguments: the long options of the command line, with underscores."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import Any

import numpy as np

from . import _engine
from ._specs import Member, value_text

# Options of one word beside "none", which a truth value may stand for.
_WORDS_FOR_TRUE = {"normalize": "rows", "standardize": "columns", "pin": "cores"}


# What others call it.
_FOREIGN_NAMES = {
    "C": "regularizer",
    "alpha": "regularizer",
    "l1_ratio": "regularizer",
    "lam": "regularizer",
    "lamda": "regularizer",
    "lambda_": "regularizer",
    "penalty": "regularizer",
    "fit_intercept": "intercept",
    "learning_rate": "step",
    "eta": "step",
    "max_iter": "epochs",
    "n_jobs": "workers",
    "random_state": "seed",
    "solver": "method",
    "tol": "tolerance",
    "verbose": "callback",
}
# By family.
_SPEC_EXAMPLES = {
    "loss": "a spec such as 'logistic' or ap.Huber(1.5) (for a function of your own, see ap.FiniteSum)",
    "step": "a spec such as 'constant:0.1' or ap.steps.Constant(0.1)",
    "method": "a spec such as 'fista' or ap.methods.Fista()",
    "sampling": "a spec such as 'reshuffle' or ap.samplings.Reshuffle()",
    "delays": "a spec such as 'uniform:max=4'",
    "model": "a spec such as 'linear' or ap.models.Network(hidden=16)",
}


def shown(value: Any) -> str:
    """Return a value for a message: a class as a hint to call it."""
    if isinstance(value, type) and issubclass(value, Member):
        return f"the class {value.__name__}; write ap.{value.__name__}(...)"
    return repr(value)


@cache
def known() -> dict[str, tuple[str, str]]:
    """Return every keyword of the engine, with its type and its meaning."""
    return _engine.keywords()


def check_names(names: list[str], others: tuple[str, ...], function: str = "minimize") -> None:
    """Raise TypeError, with a suggestion, for a keyword that there is none of."""
    for name in names:
        if name in known():
            continue
        ours = _FOREIGN_NAMES.get(name)
        near = [ours] if ours else get_close_matches(name, [*known(), *others], n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise TypeError(f"{function}() got an unexpected keyword argument '{name}'{hint}")


def texts_of(options: dict[str, Any], files: dict[str, np.ndarray]) -> list[tuple[str, str]]:
    """Return options as the engine takes them; those that are None are left out."""
    return [(name, _text(name, value, files)) for name, value in options.items() if value is not None]


def _text(name: str, value: Any, files: dict[str, np.ndarray]) -> str:
    if isinstance(value, Member):
        if value.family != name:
            raise TypeError(f"{name}: expected a member of that family, got the {value.family} {value!r}")
        return value.spec(files)
    if isinstance(value, (bool, np.bool_)):
        if name in _WORDS_FOR_TRUE:
            return _WORDS_FOR_TRUE[name] if value else "none"
        if name == "positive_label":
            return str(int(value))
    if known().get(name, ("",))[0] == "flag" and isinstance(value, (bool, np.bool_, int)) and value in (0, 1):
        return "true" if value else "false"
    if name in _SPEC_EXAMPLES and not isinstance(value, str):
        raise TypeError(f"{name}: expected {_SPEC_EXAMPLES[name]}, got {shown(value)}")
    try:
        return value_text(value)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
