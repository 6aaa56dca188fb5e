"""Runs that are under way: what a fork and the end of the interpreter have to know of them."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from . import _engine

_POLL_SECONDS = 0.05

_count = 0
_changed = threading.Condition()
_exiting = False
# A process that is forked meanwhile has the locks of these runs but not their threads.
_forked_while_running = False


@contextmanager
def running() -> Iterator[None]:
    """Count a run, from before its first step until it is back in Python."""
    global _count
    if _forked_while_running:
        raise RuntimeError(
            "this process was forked while a run was under way, and has the locks of that run without its "
            "threads; use the multiprocessing start method 'spawn' or 'forkserver'"
        )
    with _changed:
        if _exiting:
            raise RuntimeError("the interpreter is ending: no run can begin")
        _count += 1
    try:
        yield
    finally:
        with _changed:
            _count = max(0, _count - 1)  # 0 in a child that was forked meanwhile
            _changed.notify_all()


def _note_fork() -> None:
    global _forked_while_running, _count, _changed
    _forked_while_running = _forked_while_running or _count > 0
    _count = 0
    _changed = threading.Condition()


def _end_runs() -> None:
    """Let runs of daemon threads come to an end: a thread that asks for the GIL later never comes back."""
    global _exiting
    with _changed:
        _exiting = True
        while _count > 0:
            _engine.interrupt_runs()
            _changed.wait(_POLL_SECONDS)


os.register_at_fork(after_in_child=_note_fork)
atexit.register(_end_runs)
