"""The engine's errors, in the words of Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from . import _engine

_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")
# The command line counts from 1, as editors count the lines of a file; what does not says so. Names are quoted.
_PLACE = re.compile(r"(?<!['\"(])\b(sample|row|column) (\d+)\b(?! \(from 0\))")


def in_python_words(message: str) -> str:
    """Return a message with options of the command line as keyword arguments."""
    message = _OPTION.sub(lambda match: match[1].replace("-", "_"), message)
    message = message.replace("expected true or false", "expected True or False")
    # Numbers to begin with are an array here, and a file for the command line.
    return re.sub(r"^start: expected (\d+) numbers", r"x0: expected \1 numbers", message)


def _counted_from_zero(message: str) -> str:
    """Return a message with numbers of samples, rows and columns as Python counts them."""
    return _PLACE.sub(lambda match: f"{match[1]} {int(match[2]) - 1} (from 0)", message)


@contextmanager
def translated() -> Iterator[None]:
    """Let errors of the engine name keyword arguments."""
    try:
        yield
    except (_engine.Error, _engine.ContractError, _engine.DataError) as error:
        raise type(error)(_counted_from_zero(in_python_words(str(error)))) from None
