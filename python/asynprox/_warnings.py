"""Warnings of the package."""


class ConversionWarning(UserWarning):
    """Data had to be copied because the engine cannot read it in place."""


class RunWarning(UserWarning):
    """The engine has something to say about a run: a choice that deserves a look, a missed tolerance."""
