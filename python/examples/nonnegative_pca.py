"""Non-negative PCA of pictures of digits, with the component drawn: nonnegative_pca.py."""

import numpy as np
from sklearn.datasets import load_digits

from asynprox.sklearn import NonNegativePCA

X = load_digits().data
pca = NonNegativePCA(n_components=2, normalize=True).fit(X)
for component in pca.components_:
    shades = np.round(9 * component / component.max()).astype(int).reshape(8, 8)
    print("\n".join("".join(" .:-=+*#%@"[shade] * 2 for shade in row) for row in shades))
    print("-" * 16)

# Pictures have no negative entries, so that the first component is the leading eigenvector.
Z = X / np.linalg.norm(X, axis=1, keepdims=True)
leading = np.abs(np.linalg.eigh(Z.T @ Z / len(Z))[1][:, -1])
assert np.abs(pca.components_[0] - leading).max() < 1e-3
assert (pca.components_ >= 0).all()
