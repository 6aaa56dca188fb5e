"""The callbacks of scikit-learn 1.9: a fit is a task, each evaluation of the run a subtask of it."""

from __future__ import annotations

from typing import Any

from .._engine import Progress

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9 has none

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing."""

    def with_callbacks(method: Any) -> Any:  # type: ignore[misc]
        """Return the method."""
        return method


__all__ = ["CallbackSupportMixin", "FitTask", "with_callbacks"]


class FitTask:
    """A fit under way. Subtasks have no fitted estimator: the model is at the server of the run."""

    def __init__(self, estimator: Any, X: Any, y: Any = None, sample_weight: Any = None) -> None:
        self._context = None
        if not getattr(estimator, "_skl_callbacks", None):
            return
        metadata = None if sample_weight is None else {"sample_weight": sample_weight}
        self._told = {"estimator": estimator, "X": X, "y": y, "metadata": metadata}
        self._context = estimator._init_callback_context(max_subtasks=None)
        self._context.call_on_fit_task_begin(**self._told)

    @property
    def callback(self) -> Any:
        """The callback of the run; None where nobody listens."""
        return None if self._context is None else self._evaluated

    def _evaluated(self, progress: Progress) -> bool:
        assert self._context is not None
        evaluation = self._context.subcontext(task_name="evaluation")
        evaluation.call_on_fit_task_begin(**self._told)
        return bool(evaluation.call_on_fit_task_end(**self._told))

    def end(self) -> None:
        """Tell that the estimator is fitted."""
        if self._context is not None:
            self._context.call_on_fit_task_end(**self._told, reconstruction_attributes={})
