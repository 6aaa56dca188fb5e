"""The engine's errors, in the words of Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from . import _engine

_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")


def in_python_words(message: str) -> str:
    """Return a message with options of the command line as keyword arguments."""
    message = _OPTION.sub(lambda match: match[1].replace("-", "_"), message)
    message = message.replace("expected true or false", "expected True or False")
    # Numbers to begin with are an array here, and a file for the command line.
    return re.sub(r"^start: expected (\d+) numbers", r"x0: expected \1 numbers", message)


@contextmanager
def translated() -> Iterator[None]:
    """Let errors of the engine name keyword arguments."""
    try:
        yield
    except (_engine.Error, _engine.ContractError, _engine.DataError) as error:
        raise type(error)(in_python_words(str(error))) from None
