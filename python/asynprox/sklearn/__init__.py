"""Estimators for scikit-learn: sparse and constrained linear models with a certificate."""

from ._classifier import ProxClassifier
from ._pca import NonNegativePCA
from ._regressor import ProxRegressor

__all__ = ["NonNegativePCA", "ProxClassifier", "ProxRegressor"]
