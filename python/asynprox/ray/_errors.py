"""What goes wrong in a cluster, apart from what goes wrong in a call."""

from __future__ import annotations

# Those that can be made anew from a text, so that the text can say where they come from.
_PLAIN = (ValueError, TypeError, RuntimeError, ArithmeticError, ZeroDivisionError, FloatingPointError, IndexError)


class ClusterError(RuntimeError):
    """The cluster could not carry out the run: its server died, or a process could not take part."""


def with_place(error: BaseException, place: str) -> BaseException:
    """Return an error that says which process it comes from; of the same type."""
    notes = getattr(error, "__notes__", [])
    where = f"{place}, {'; '.join(notes)}" if notes else place
    if type(error) in _PLAIN and len(error.args) == 1 and isinstance(error.args[0], str):
        told = type(error)(f"{where}: {error.args[0]}")
        told.__cause__ = error.__cause__
        return told
    error.add_note(place)
    return error
