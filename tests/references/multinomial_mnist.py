"""The optimum of multinomial logistic regression with an L1 penalty on mnist, by scikit-learn.

    minimise over x in R^(780 x 10)  (1/n) sum_i log sum_c exp(u_ic) - u_iy + lambda |x|_1
    rows scaled to length 1, no intercept, four strengths lambda

Run by hand, in an environment that has scikit-learn; it takes a few minutes:

    ASYNPROX_DATA_DIR=... python tests/references/multinomial_mnist.py > tests/references/multinomial_mnist.json

tests/multinomial_test.cc compares with the figures that it printed.
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

def objective(rows, labels, coefficients, strength):
    outputs = rows @ coefficients.T
    top = outputs.max(axis=1)
    losses = top + numpy.log(numpy.exp(outputs - top[:, None]).sum(axis=1))
    losses -= outputs[numpy.arange(len(labels)), labels.astype(int)]
    return losses.mean() + strength * numpy.abs(coefficients).sum()


def optimum(rows, labels, strength):
    model = LogisticRegression(penalty="l1", C=1 / (strength * len(labels)), solver="saga",
                               fit_intercept=False, tol=1e-12, max_iter=60, warm_start=True,
                               random_state=1)
    last = numpy.inf
    for _ in range(12):
        model.fit(rows, labels)
        now = objective(rows, labels, model.coef_, strength)
        if last - now < 1e-10:
            break
        last = now
    return {"lambda": strength, "objective": now, "change_in_the_last_60_epochs": last - now,
            "nonzeros": int(numpy.count_nonzero(model.coef_))}


def main():
    path = os.path.join(os.environ["ASYNPROX_DATA_DIR"], "mnist.xz")
    with lzma.open(path) as file:
        rows, labels = load_svmlight_file(io.BytesIO(file.read()), n_features=780)
    rows = normalize(rows)
    json.dump({"scikit_learn": sklearn.__version__, "numpy": numpy.__version__,
               "optima": [optimum(rows, labels, strength) for strength in (1e-2, 5e-3, 1e-3, 1e-4)]},
              sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
