"""ProxClassifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.linear_model._base import LinearClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ._base import _ACCEPTED, ProxLinear
from ._callbacks import FitTask, with_callbacks


def _has_probabilities(estimator: ProxClassifier) -> bool:
    if getattr(estimator.loss, "spec_name", estimator.loss) not in ("auto", "logistic", "multinomial"):
        raise AttributeError(f"predict_proba: the loss {estimator.loss!r} gives no probabilities")
    return True


class ProxClassifier(LinearClassifierMixin, ClassifierMixin, ProxLinear):
    """A sparse or constrained linear classifier of two or many classes.

    It minimises the mean loss plus ``alpha * (l1_ratio * |w|_1 + (1 - l1_ratio) / 2 * |w|^2)``, or plus
    `penalty`. The intercept is not penalised. In scikit-learn's terms, ``alpha = 1 / (C * n_samples)``.

    Parameters
    ----------
    alpha : float, default 1e-4
        Strength of the elastic net.
    l1_ratio : float, default 1.0
        1 is the lasso, 0 ridge.
    penalty : spec, optional
        Any regulariser, instead of the elastic net: ``"group-lasso:1e-3,size=4"``, ``ap.Slope(1e-3)``.
    loss : str or member, default "auto"
        ``"auto"`` is logistic for two classes and multinomial for more; for two classes also
        ``"squared-hinge"``, ``"smoothed-hinge"``, ``"huber"`` and so on.
    fit_intercept : bool, default True
    class_weight : dict, "balanced" or None
    max_iter : float, optional
        A limit on the passes over the data. By default there is none: the run goes on until its duality
        gap proves the tolerance, or progress ends.
    tol : float, default 1e-4
        The objective is at most this fraction of itself above its minimum.
    n_jobs : int, optional
        Workers, one thread each.
    random_state : int, RandomState or None
    warm_start : bool, default False
        Begin with the model of the last fit.

    Attributes
    ----------
    coef_, intercept_, classes_, n_features_in_, feature_names_in_
        As scikit-learn has them.
    n_iter_ : int
        Passes over the data.
    dual_gap_ : float or None
        The objective is at most this above its minimum.
    objective_ : float

    Examples
    --------
    >>> import numpy as np
    >>> from asynprox.sklearn import ProxClassifier
    >>> X = np.array([[1.0, 2.0], [-1.0, 1.0], [2.0, 0.0], [0.0, -1.0]])
    >>> model = ProxClassifier(alpha=0.01).fit(X, ["yes", "no", "yes", "no"])
    >>> model.predict(X)
    array(['yes', 'no', 'yes', 'no'], dtype='<U3')
    >>> bool(model.dual_gap_ <= 1e-4 * model.objective_)
    True
    """

    def __init__(
        self,
        alpha: float = 1e-4,
        *,
        l1_ratio: float = 1.0,
        penalty: Any = None,
        loss: Any = "auto",
        fit_intercept: bool = True,
        class_weight: Any = None,
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
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.warm_start = warm_start

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ProxClassifier:
        """Fit the model."""
        X, y = validate_data(self, X, y, **_ACCEPTED)
        check_classification_targets(y)
        classes, numbers = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"y: expected samples of at least two classes, got one class: {classes[0]}")
        sample_weight = self._weights(X, classes, y, sample_weight)
        binary = len(classes) == 2
        task = FitTask(self, X, y, sample_weight)
        loss = (
            ("logistic" if binary else "multinomial")
            if isinstance(self.loss, str) and self.loss == "auto"
            else self.loss
        )
        loss_name = str(getattr(loss, "spec_name", loss)).partition(":")[0]
        if not binary and loss_name != "multinomial":
            raise ValueError(
                f"loss: expected 'auto' or 'multinomial' for {len(classes)} classes, got {self.loss!r}; scikit-learn's "
                "OneVsRestClassifier makes several classes of two"
            )
        start = self._start((1 if binary else len(classes), X.shape[1]))
        if start is not None and not np.array_equal(self.classes_, classes):
            start = None
        self.classes_ = classes
        result = self._minimize(
            X,
            # Losses of numbers, such as huber, are fitted to -1 and +1: the score's sign tells the class.
            2.0 * numbers - 1 if binary and loss_name != "multinomial" else numbers.astype(np.float64),
            loss=loss,
            regularizer=self._regularizer(),
            sample_weight=sample_weight,
            intercept=bool(self.fit_intercept),
            x0=start,
            callback=task.callback,
        )
        self.coef_ = np.atleast_2d(result.x.T).astype(X.dtype, copy=False)
        intercept = np.atleast_1d(result.intercept)
        # A constant that is added to the scores of all classes changes nothing: choose the mean 0.
        if not binary:
            intercept = intercept - intercept.mean()
        self.intercept_ = intercept.astype(X.dtype, copy=False)
        self._pass_on_ctrl_c(result)
        task.end()
        return self

    def _weights(self, X: Any, classes: np.ndarray, y: np.ndarray, sample_weight: Any) -> np.ndarray | None:
        if sample_weight is None and self.class_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if self.class_weight is None:
            return weights
        if self.class_weight == "balanced":
            by_class = compute_class_weight(self.class_weight, classes=classes, y=y, sample_weight=sample_weight)
        else:
            by_class = compute_class_weight(self.class_weight, classes=classes, y=y)
        return weights * by_class[np.searchsorted(classes, y)]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return a probability per sample and class."""
        check_is_fitted(self)
        scores = self.decision_function(X)
        if scores.ndim == 1:
            positive = 1 / (1 + np.exp(-scores))
            return np.column_stack([1 - positive, positive])
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return scores / scores.sum(axis=1, keepdims=True)

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return the logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
