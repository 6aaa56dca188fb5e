"""The optimum of multinomial logistic regression with an L1 penalty on news20, by scikit-learn.

    minimise over x in R^(62061 x 20)  (1/n) sum_i log sum_c exp(u_ic) - u_iy + lambda |x|_1
    rows scaled to length 1, no intercept, lambda = 1e-4

Run by hand, in an environment that has scikit-learn; it takes a minute:

    ASYNPROX_DATA_DIR=... python tests/references/multinomial_news20.py > tests/references/multinomial_news20.json

tests/multinomial_test.cc compares with the figure that it printed.
"""
import io
import json
import lzma
import os
import sys

import numpy
import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

STRENGTH = 1e-4
EPOCHS = 60


def objective(rows, labels, coefficients):
    outputs = rows @ coefficients.T
    top = outputs.max(axis=1)
    losses = top + numpy.log(numpy.exp(outputs - top[:, None]).sum(axis=1))
    losses -= outputs[numpy.arange(len(labels)), labels]
    return losses.mean() + STRENGTH * numpy.abs(coefficients).sum()


def main():
    path = os.path.join(os.environ["ASYNPROX_DATA_DIR"], "news20.xz")
    with lzma.open(path) as file:
        rows, labels = load_svmlight_file(io.BytesIO(file.read()), n_features=62061)
    rows = normalize(rows)
    labels = numpy.unique(labels, return_inverse=True)[1]
    model = LogisticRegression(l1_ratio=1, C=1 / (STRENGTH * len(labels)), solver="saga",
                               fit_intercept=False, tol=1e-6, max_iter=EPOCHS, random_state=1)
    model.fit(rows, labels)
    json.dump({"scikit_learn": sklearn.__version__, "numpy": numpy.__version__,
               "lambda": STRENGTH, "epochs": int(model.n_iter_[0]),
               "objective": objective(rows, labels, model.coef_),
               "nonzeros": int(numpy.count_nonzero(model.coef_))}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
