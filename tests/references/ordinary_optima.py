"""Independent optima of 33 of the ordinary problems, with a bound on the error of each.

Run by hand, in an environment that has numpy, scipy and scikit-learn, on x86-64 (for a long double
of 64 bits); it takes about three minutes:

    python tests/references/ordinary_optima.py > tests/references/ordinary_optima.json

tests/ordinary_test.py compares the program with the figures that it printed. `error` is a duality
gap in extended precision (see ordinary_solver.py); for the three problems whose penalty has none,
the Newton decrement, which for squared loss is the error itself on the face that was found.
`first` is what found a first solution, and `first_excess` how far that was above the optimum.
`digest` is over the files of the problem: an optimum counts for these files only.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy
import scipy
import sklearn

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from ordinary import runs  # noqa: E402
from ordinary_objective import Objective  # noqa: E402
from ordinary_solver import solve  # noqa: E402

NAMES = """
    years_lasso_raw years_unpenalised years_huber timestamps_lasso_raw
    timestamps_elastic_standardized kelvin_lasso_centred money_lasso_raw collinear_ridge
    collinear_nonneg curve_of_years_raw curve4_lasso_raw curve4_of_years_standardized lags_lasso
    million_lasso million_unpenalised wide_lasso_weak wide_elastic wide_group_lasso weights_lasso
    rare_flags_lasso words_lasso_standardized timestamps_logistic_raw customers_squared_hinge_raw
    customers_smoothed_hinge imbalance_logistic imbalance_balanced million_logistic
    rare_levels_poisson visits_poisson kelvin_logistic_centred separable_l1 iris_l1_1e-3
    iris_l1_1e-4
""".split()


def figures(problem, folder):
    data, digest = runs.write_problem(problem, folder)
    objective = Objective(problem, data)
    found = solve(objective)
    print(problem.name, found, file=sys.stderr, flush=True)
    return {**found, "digest": digest}


def main():
    chosen = runs.selected(",".join(sys.argv[1:] or NAMES))
    with tempfile.TemporaryDirectory() as folder:
        problems = {problem.name: figures(problem, Path(folder)) for problem in chosen}
    print(json.dumps({
        "command": "python tests/references/ordinary_optima.py",
        "versions": {"python": sys.version.split()[0], "numpy": numpy.__version__,
                     "scipy": scipy.__version__, "scikit-learn": sklearn.__version__},
        "problems": problems}, indent=1))


if __name__ == "__main__":
    main()
