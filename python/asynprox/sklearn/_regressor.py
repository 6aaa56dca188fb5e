"""ProxRegressor."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ._base import _ACCEPTED, ProxLinear
from ._callbacks import FitTask, with_callbacks


class ProxRegressor(RegressorMixin, ProxLinear):
    """A sparse or constrained linear regression: squared, Huber or Poisson loss.

    It minimises the mean loss, ``(prediction - y)^2 / 2`` by default, plus
    ``alpha * (l1_ratio * |w|_1 + (1 - l1_ratio) / 2 * |w|^2)`` or `penalty`: the objective of scikit-learn's
    ElasticNet. The intercept is not penalised.

    Parameters
    ----------
    alpha : float, default 1e-4
        Strength of the elastic net.
    l1_ratio : float, default 1.0
        1 is the lasso, 0 ridge.
    penalty : spec, optional
        Any regulariser, instead of the elastic net.
    loss : spec, default "squared"
        Also ``"huber"``, ``"huber:delta=1.5"`` and ``"poisson"`` (the prediction is then exp of the score).
    fit_intercept : bool, default True
    max_iter : float, optional
        A limit on the passes over the data.
    tol : float, default 1e-4
        The objective is at most this fraction of itself above its minimum.
    n_jobs : int, optional
        Workers, one thread each.
    random_state : int, RandomState or None
    warm_start : bool, default False
        Begin with the model of the last fit.

    Attributes
    ----------
    coef_, intercept_, n_features_in_, feature_names_in_
        As scikit-learn has them.
    n_iter_, dual_gap_, objective_
        Passes over the data, the bound on the objective's error, the objective.

    Examples
    --------
    >>> import numpy as np
    >>> from asynprox.sklearn import ProxRegressor
    >>> X = np.array([[1.0, 2.0], [-1.0, 1.0], [2.0, 0.0], [0.0, -1.0]])
    >>> model = ProxRegressor(alpha=0.01).fit(X, 3 * X[:, 0] + 1)
    >>> model.coef_.round(1)
    array([3., 0.])
    """

    def __init__(
        self,
        alpha: float = 1e-4,
        *,
        l1_ratio: float = 1.0,
        penalty: Any = None,
        loss: Any = "squared",
        fit_intercept: bool = True,
        max_iter: float | None = None,
        tol: float = 1e-4,
        n_jobs: int | None = None,
        random_state: Any = None,
        warm_start: bool = False,
    ) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.penalty = penalty
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.warm_start = warm_start

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ProxRegressor:
        """Fit the model."""
        self._check_loss()
        X, y = validate_data(self, X, y, y_numeric=True, **_ACCEPTED)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        task = FitTask(self, X, y, sample_weight)
        result = self._minimize(
            X,
            y.astype(np.float64),
            loss=self.loss,
            regularizer=self._regularizer(),
            sample_weight=sample_weight,
            intercept=bool(self.fit_intercept),
            x0=self._start((1, X.shape[1])),
            callback=task.callback,
        )
        self.coef_ = result.x.astype(X.dtype, copy=False)
        self.intercept_ = X.dtype.type(result.intercept)
        self._pass_on_ctrl_c(result)
        task.end()
        return self

    def _check_loss(self) -> None:
        if self._loss_name() == "multinomial":
            raise ValueError(
                f"loss: expected one of numbers, such as 'squared', got {self.loss!r}: it tells classes apart; "
                "use ProxClassifier"
            )

    def _loss_name(self) -> str:
        return str(getattr(self.loss, "spec_name", self.loss)).partition(":")[0]

    def predict(self, X: Any) -> np.ndarray:
        """Return a number per sample."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **_ACCEPTED)
        score = np.asarray(safe_sparse_dot(X, self.coef_.T)).ravel() + self.intercept_
        return np.exp(score) if self._loss_name() == "poisson" else score

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
