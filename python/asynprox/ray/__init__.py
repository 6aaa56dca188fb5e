"""asynprox on a Ray cluster: a server actor that owns the model, and workers that send it gradients.

    import asynprox as ap
    result = ap.ray.minimize(X, y, loss="logistic", regularizer=ap.L1(1e-4), workers=8)

Ray is imported when `minimize` is called. The algorithm is the engine's: here messages are moved.
"""

from ._errors import ClusterError
from ._minimize import minimize

__all__ = ["ClusterError", "minimize"]
