"""ap.ray.minimize: the answers, the promises and the errors of ap.minimize."""

import subprocess
import sys
import threading

import numpy as np
import pytest
import scipy.sparse as sp

import asynprox as ap

pytest.importorskip("ray", reason="needs Ray: pip install 'asynprox[ray]'")


def sparse_problem(n=3000, d=20000, seed=1):
    random = np.random.default_rng(seed)
    X = sp.random(n, d, density=10 / d, format="csr", random_state=seed)
    return X, np.where(random.random(n) < 0.5, 1.0, -1.0)


@pytest.mark.parametrize("form", ["dense", "sparse", "saga"])
def test_one_worker_has_the_bits_of_serial(local_cluster, problem, paper, promises, form):
    X, y = sparse_problem() if form == "sparse" else problem
    options = {**paper, "steps": 60, "batch_size": 20, "seed": 5}
    if form == "saga":
        options = {
            "loss": "logistic",
            "regularizer": "l1:0.01",
            "method": "asyn-prox-saga",
            "epochs": 5,
            "batch_size": 20,
        }
    serial = ap.minimize(X, y, workers=1, runtime="serial", record=True, **options)
    on_ray = ap.ray.minimize(X, y, workers=1, record=True, **options)
    np.testing.assert_array_equal(on_ray.x, serial.x)
    assert on_ray.objective == serial.objective
    assert on_ray.trace["objective"].tolist() == serial.trace["objective"].tolist()
    assert on_ray.settings["runtime"] == "cluster"
    assert on_ray.replay().same
    promises(on_ray)


@pytest.mark.parametrize("workers", [2, 8])
def test_many_workers_have_the_objective_of_threads(local_cluster, problem, paper, promises, workers):
    options = {**paper, "steps": 200, "batch_size": 16 * workers, "workers": workers}
    threads = [ap.minimize(*problem, seed=seed, **options).objective for seed in range(5)]
    on_ray = ap.ray.minimize(*problem, record=True, **options)
    spread = max(threads) - min(threads)
    assert min(threads) - spread <= on_ray.objective <= max(threads) + spread
    assert on_ray.replay().same
    promises(on_ray)


def test_defaults_are_certified(local_cluster, problem):
    result = ap.ray.minimize(*problem, loss="logistic", regularizer=ap.L1(0.01), intercept=True, workers=2)
    again = ap.minimize(*problem, loss="logistic", regularizer=ap.L1(0.01), intercept=True)
    assert result.stop_reason == "converged"
    assert result.objective <= again.objective + 1e-4 * again.objective
    np.testing.assert_array_equal(result.predict(problem[0][:5]), again.predict(problem[0][:5]))


def test_messages_of_sparse_models_follow_the_nonzeros(local_cluster, paper, promises):
    X, y = sparse_problem()
    result = ap.ray.minimize(X, y, workers=2, record=True, **{**paper, "steps": 50, "batch_size": 64})
    pushes = sum(worker["pushes"] for worker in result.cluster["workers"])
    # 32 samples have about 320 coordinates: a key and a value each, and the keys of the next samples.
    assert result.cluster["bytes"] / pushes < 16 * 400 + 300
    assert result.replay().same
    promises(result)


def test_pipelining_makes_gradients_older(local_cluster, problem, paper, promises):
    options = {**paper, "steps": 150, "batch_size": 32, "workers": 2, "record": True, "staleness_max": 8}
    plain, pipelined = (ap.ray.minimize(*problem, pipelined=p, **options) for p in (False, True))
    assert pipelined.staleness["mean"] > plain.staleness["mean"]
    assert pipelined.replay().same
    for result in (plain, pipelined):
        promises(result)


def test_data_is_opened_where_it_is_used(local_cluster, problem, paper, tmp_path, program):
    X, y = problem
    options = {**paper, "steps": 40, "batch_size": 32, "workers": 1}
    expected = ap.minimize(X, y, runtime="serial", **options).x
    text, binary = tmp_path / "data.svm", tmp_path / "data.axp"
    text.write_text(
        "".join(
            f"{label:g} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(row)) + "\n"
            for row, label in zip(X.tolist(), y, strict=True)
        )
    )
    subprocess.run([program, "data", "convert", text, binary], check=True, capture_output=True)
    np.testing.assert_allclose(ap.ray.minimize(str(binary), **options).x, expected, rtol=1e-12)

    def opened():
        return X, y

    np.testing.assert_array_equal(ap.ray.minimize(opened, **options).x, expected)


def least_squares(n=200, d=10, bad=None):
    random = np.random.default_rng(0)
    A, b = random.standard_normal((n, d)), random.standard_normal(n)

    def gradient(x, samples):
        g = A[samples].T @ (A[samples] @ x - b[samples])
        return g if bad is None else bad(g, x)

    def value(x, samples):
        return 0.5 * np.sum((A[samples] @ x - b[samples]) ** 2)

    return ap.FiniteSum(n, d, gradient=gradient, value=value, lipschitz=2.0, convex=True)


@pytest.mark.parametrize("made_there", [False, True])
def test_any_finite_sum(local_cluster, made_there, promises):
    options = {
        "regularizer": ap.L1(0.01),
        "method": "asyn-prox-sgd",
        "step": "constant:0.2",
        "steps": 50,
        "batch_size": 20,
        "tolerance": 0,
    }
    serial = ap.minimize(least_squares(), workers=1, runtime="serial", **options)
    f = least_squares if made_there else least_squares()
    on_ray = ap.ray.minimize(f, workers=1, record=True, **options)
    np.testing.assert_array_equal(on_ray.x, serial.x)
    assert on_ray.replay().same
    promises(ap.ray.minimize(f, workers=3, **{**options, "batch_size": 30}))


def test_the_callback_is_told_on_this_thread_and_may_end_the_run(local_cluster, problem, paper):
    told = []

    def callback(progress):
        told.append((progress.steps, progress.objective, threading.current_thread()))
        return progress.steps >= 100

    result = ap.ray.minimize(
        *problem, workers=1, callback=callback, **{**paper, "steps": 10**6, "batch_size": 32, "trace_every": 50}
    )
    assert result.stop_reason == "interrupted"
    assert {thread for *_, thread in told} == {threading.current_thread()}
    assert [entry[:2] for entry in told[:2]] == [(0, result.trace["objective"][0]), (50, result.trace["objective"][1])]


def test_a_batch_that_is_chosen_is_worth_its_pushes(local_cluster, problem):
    result = ap.ray.minimize(
        *problem, loss="logistic", regularizer=ap.L1(0.01), workers=2, method="asyn-prox-sgd", epochs=3
    )
    push, sample = result.cluster["push_seconds"], result.cluster["sample_seconds"]
    samples = int(result.settings["batch-size"]) / 2
    assert push < 0.06 * samples * sample or samples == len(problem[1]) // 2


# Bad gradients: what went wrong, on which worker, about which samples.


def bad_nan(g, x):
    return np.full_like(g, np.nan) if x.any() else g


def bad_length(g, x):
    return g[:-1] if x.any() else g


def bad_division(g, x):
    if x.any():
        raise ZeroDivisionError("no such number")
    return g


@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        (bad_nan, ValueError, r"worker \d.*samples.*nan"),
        (bad_length, ValueError, r"worker \d.*expected 10 numbers.*samples|worker \d.*samples.*10"),
        (bad_division, ZeroDivisionError, r"worker \d.*computing 10 samples: \d+, \d+, \d+.*no such number"),
    ],
)
def test_a_bad_gradient_reaches_the_caller(local_cluster, bad, error, words):
    options = {
        "method": "asyn-prox-sgd",
        "step": "constant:0.2",
        "steps": 50,
        "batch_size": 20,
        "tolerance": 0,
        "trace_every": 50,
    }
    with pytest.raises(error, match=words):
        ap.ray.minimize(lambda: least_squares(bad=bad), workers=2, **options)


def test_a_bad_value_reaches_the_caller(local_cluster):
    f = least_squares()
    f.value = lambda x, samples: np.nan if x.any() else 1.0
    with pytest.raises(ValueError, match=r"on the server.*value"):
        ap.ray.minimize(f, workers=2, method="asyn-prox-sgd", step="constant:0.2", steps=20, batch_size=20, tolerance=0)


def test_what_cannot_be_is_refused(local_cluster, problem):
    with pytest.raises(TypeError, match="unexpected keyword argument 'epoch'; did you mean 'epochs'"):
        ap.ray.minimize(*problem, epoch=3)
    with pytest.raises(TypeError, match="takes no runtime"):
        ap.ray.minimize(*problem, runtime="threads")
    with pytest.raises(ValueError, match="num_cpus: expected"):
        ap.ray.minimize(*problem, num_cpus=0)
    with pytest.raises(ValueError, match="workers: expected"):
        ap.ray.minimize(*problem, workers=0)
    lock = threading.Lock()
    f = ap.FiniteSum(5, 2, gradient=lambda x, samples: x * (not lock.locked()))
    with pytest.raises(TypeError, match="give a function that makes it"):
        ap.ray.minimize(f, workers=1, steps=1)


def test_messages_that_come_twice_change_nothing(problem, paper):
    from asynprox import _engine
    from asynprox.ray._problem import Problem

    options = {key: value for key, value in paper.items() if key not in ("loss", "regularizer")}
    job, _ = Problem.of(
        *problem, loss="logistic", regularizer="l1:0.01", sample_weight=None, x0=None,
        options={**options, "steps": 5, "workers": 1, "batch_size": 8},
    ).build()  # fmt: skip
    plan = job.plan(False, None)
    served, worker = _engine.Served(job, plan, True, False), _engine.RemoteWorker(job, plan, 0, 0)
    message = worker.pull()
    while message is not None:
        arrival, _, letters = served.receive(message)
        assert arrival == "taken"
        letters += served.watch()
        assert served.receive(message)[0::2] == ("repeated", letters)
        message = worker.answer(letters[-1][1])
    assert served.steps == 5


def test_importing_asynprox_does_not_import_ray():
    code = "import sys, asynprox as ap; assert 'ray' not in sys.modules; ap.ray; assert 'ray' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_predictions_of_numbers_are_not_cut_to_the_type_of_the_labels(local_cluster, problem):
    X, _ = problem
    counts = np.random.default_rng(0).poisson(np.exp(X[:, 0]))
    result = ap.ray.minimize(X, counts, loss="poisson", regularizer=ap.L1(0.01), workers=1)
    np.testing.assert_allclose(result.predict(X), np.exp(result.decision_function(X)), rtol=1e-12)


def test_a_cluster_of_the_callers_can_start_after_one_of_ours():
    code = """if True:
        import numpy as np, ray, asynprox as ap
        options = {"loss": "logistic", "method": "asyn-prox-sgd", "steps": 3, "workers": 1, "batch_size": 2, "tolerance": 0}
        X, y = np.eye(4), [1, -1, 1, -1]
        ap.ray.minimize(X, y, **options)
        for _ in range(2):
            ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
            assert ray.get(ray.remote(lambda: 3).remote()) == 3
            ray.shutdown()
            ap.ray.minimize(X, y, **options)
    """
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert ended.returncode == 0, ended.stderr
