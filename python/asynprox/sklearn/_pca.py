"""NonNegativePCA."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted, validate_data

from ._base import _ACCEPTED, ProxEstimator
from ._callbacks import FitTask, with_callbacks


class NonNegativePCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ProxEstimator):
    """Principal components whose entries are exactly non-negative.

    Each component maximises the mean of ``(z'x)^2 / 2`` over x >= 0, |x| <= 1. After each, what the
    component explains is taken from the samples (deflation). Data is not centred unless you centre it:
    centred data has negative entries, and then several local maxima.

    Parameters
    ----------
    n_components : int, default 1
    normalize : bool, default False
        Scale each sample to length 1 first, as the paper does.
    max_iter : float, optional
        A limit on the passes over the data, per component.
    tol : float, default 1e-6
        Of the gradient mapping: the problem is not convex.
    n_jobs : int, optional
        Workers, one thread each.
    random_state : int, RandomState or None

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
    objective_ : float
        Of the last component: minus half of the mean square that it explains.
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from asynprox.sklearn import NonNegativePCA
    >>> pca = NonNegativePCA().fit(np.array([[3.0, 4.0], [6.0, 8.0]]))
    >>> pca.components_.round(3)
    array([[0.6, 0.8]])
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        normalize: bool = False,
        max_iter: float | None = None,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.normalize = normalize
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> NonNegativePCA:
        """Find the components."""
        X = validate_data(self, X, **_ACCEPTED)
        if not 1 <= self.n_components <= X.shape[1]:
            raise ValueError(f"n_components: expected 1 to {X.shape[1]}, the features of X, got {self.n_components}")
        if self.normalize:
            X = self._normalized(X)
        task = FitTask(self, X)
        self.components_ = np.zeros((self.n_components, X.shape[1]), dtype=X.dtype)
        for k in range(self.n_components):
            self.components_[k] = self._component(X, task)
            if k + 1 < self.n_components:
                X = self._deflated(X, self.components_[k])
        task.end()
        return self

    def _component(self, X: Any, task: FitTask) -> np.ndarray:
        result = self._minimize(X, None, loss="pca", regularizer="nonneg-ball:1", callback=task.callback)
        self._pass_on_ctrl_c(result)
        return result.x

    @staticmethod
    def _deflated(X: Any, component: np.ndarray) -> np.ndarray:
        dense = X.toarray() if sp.issparse(X) else X
        return dense - np.outer(dense @ component, component)

    @staticmethod
    def _normalized(X: Any) -> Any:
        from sklearn.preprocessing import normalize

        return normalize(X)

    def transform(self, X: Any) -> np.ndarray:
        """Return the coordinate of each sample along each component."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **_ACCEPTED)
        return np.asarray(safe_sparse_dot(self._normalized(X) if self.normalize else X, self.components_.T))

    @property
    def _n_features_out(self) -> int:
        return self.components_.shape[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
