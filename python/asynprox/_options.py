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


@cache
def known() -> dict[str, tuple[str, str]]:
    """Return every keyword of the engine, with its type and its meaning."""
    return _engine.keywords()


def check_names(names: list[str], others: tuple[str, ...], function: str = "minimize") -> None:
    """Raise TypeError, with a suggestion, for a keyword that there is none of."""
    for name in names:
        if name in known():
            continue
        near = get_close_matches(name, [*known(), *others], n=1)
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
        if known()[name][0] == "flag":
            return "true" if value else "false"
    try:
        return value_text(value)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
