"""What the estimators share: from scikit-learn's parameters to a run, and back."""

from __future__ import annotations

import numbers
import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from .. import _engine, _specs
from .._minimize import solved
from .._result import Result
from ._callbacks import CallbackSupportMixin

_VERSION = "_asynprox_version"  # in pickles: of the package that wrote them
_ACCEPTED = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "order": "C"}


def _number(name: str, value: Any, least: float) -> float:
    if not isinstance(value, numbers.Real) or not value >= least or not np.isfinite(value):
        raise ValueError(f"{name}: expected a finite number of at least {least:g}, got {value!r}")
    return float(value)


class ProxEstimator(CallbackSupportMixin, BaseEstimator):
    """Parameters of a run that all estimators have."""

    def _regularizer(self) -> str | _specs.Member | Any:
        """h: `penalty` where it is given, else the elastic net of `alpha` and `l1_ratio`."""
        if self.penalty is not None:
            return self.penalty
        alpha = _number("alpha", self.alpha, 0)
        l1_ratio = _number("l1_ratio", self.l1_ratio, 0)
        if l1_ratio > 1:
            raise ValueError(f"l1_ratio: expected a number from 0 to 1, got {self.l1_ratio!r}")
        if l1_ratio == 1:
            return f"l1:{alpha!r}"
        if l1_ratio == 0:
            return f"squared-l2:{alpha!r}"
        return f"elastic-net:l1={alpha * l1_ratio!r},l2={alpha * (1 - l1_ratio)!r}"

    def _seed(self) -> int:
        if self.random_state is None:
            return 1
        if isinstance(self.random_state, numbers.Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _workers(self) -> int | None:
        """`n_jobs` as scikit-learn has it: None is one, unless joblib says otherwise."""
        from joblib import effective_n_jobs

        return max(1, effective_n_jobs(self.n_jobs))

    def _minimize(self, X: Any, y: Any, **keywords: Any) -> Result:
        """Run, with the limits of the estimator."""
        options = {
            "tolerance": _number("tol", self.tol, 0),
            "workers": self._workers(),
            "seed": self._seed(),
            **keywords,
        }
        if self.max_iter is not None:
            options["epochs"] = _number("max_iter", self.max_iter, 0)
        result = solved(X, y, quiet=True, **options)
        self._keep(result)
        return result

    @staticmethod
    def _pass_on_ctrl_c(result: Result) -> None:
        """End what calls the fit too: a loop over estimators, a search, the folds of a validation."""
        if result._ctrl_c:
            raise KeyboardInterrupt

    def _keep(self, result: Result) -> None:
        self.n_iter_ = max(1, int(np.ceil(result.epochs)))
        self.dual_gap_ = result.duality_gap
        self.objective_ = result.objective
        self.stop_reason_ = result.stop_reason
        if not result.met_tolerance and result.stop_reason != "interrupted" and self.tol > 0:
            gap = "unknown" if result.duality_gap is None else f"{result.duality_gap:.2e}"
            warnings.warn(
                f"{type(self).__name__} did not converge ({result.stop_reason}): the objective is "
                f"{result.objective:.6g}, its duality gap {gap}, tol={self.tol:g}. Increase max_iter, scale the "
                f"columns of X, or increase alpha or tol. {result.stop_detail}",
                ConvergenceWarning,
                stacklevel=5,
            )

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), _VERSION: _engine.__version__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = {name: value for name, value in state.items() if name != _VERSION}
        # A pickle of an older version lacks the parameters that came later: they get their defaults.
        defaults = {
            name: parameter.default
            for name, parameter in type(self)._signature_parameters().items()
            if parameter.default is not parameter.empty
        }
        super().__setstate__({**defaults, **state})

    @classmethod
    def _signature_parameters(cls) -> dict[str, Any]:
        from inspect import signature

        return {name: p for name, p in signature(cls.__init__).parameters.items() if name != "self"}


class ProxLinear(ProxEstimator):
    """A linear model, `coef_` and `intercept_`."""

    def _start(self, shape: tuple[int, ...]) -> np.ndarray | None:
        """Where to begin: the model of the last fit, as the engine has it."""
        if not self.warm_start or not hasattr(self, "coef_"):
            return None
        coef = self.coef_.toarray() if sp.issparse(self.coef_) else self.coef_
        coef = np.atleast_2d(coef)
        if coef.shape != shape:
            return None
        x = coef.T.ravel()  # the outputs of a feature are side by side
        return np.append(x, np.atleast_1d(self.intercept_)) if self.fit_intercept else x

    def sparsify(self) -> ProxLinear:
        """Make `coef_` a SciPy CSR matrix."""
        self.coef_ = sp.csr_matrix(self.coef_)
        return self

    def densify(self) -> ProxLinear:
        """Make `coef_` a dense array again."""
        if sp.issparse(self.coef_):
            self.coef_ = self.coef_.toarray()
        return self
