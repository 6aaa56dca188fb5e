"""A run beside the interpreter: callbacks, Ctrl-C, threads, forks, records."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import asynprox as ap


@pytest.fixture
def slow():
    """Keywords of a run that would take long."""
    random = np.random.default_rng(0)
    X, y = random.standard_normal((2000, 20)), random.standard_normal(2000)
    return X, y, {"loss": "squared", "method": "asyn-prox-sgd", "step": "constant:1e-9", "seconds": 30}


def test_a_callback_sees_progress_and_may_stop(classes):
    X, y = classes
    seen = []

    def callback(progress):
        seen.append((threading.current_thread(), progress.objective, progress.steps, progress.duality_gap))
        return len(seen) == 3

    result = ap.minimize(X, y, method="asyn-prox-sgd", epochs=1000, tolerance=0, callback=callback, workers=2)
    assert result.stop_reason == "interrupted"
    assert len(seen) == 3
    assert {thread for thread, *_ in seen} == {threading.current_thread()}
    assert [steps for _, _, steps, _ in seen] == sorted(steps for _, _, steps, _ in seen)


def test_an_exception_of_a_callback_comes_out(classes):
    def callback(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ap.minimize(*classes, method="asyn-prox-sgd", epochs=1000, callback=callback)


@pytest.fixture
def ctrl_c():
    """Python's own handler, which a process in the background of a shell does not have."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("runtime", ["threads", "serial"])
def test_ctrl_c_returns_what_was_learnt(slow, runtime):
    X, y, keywords = slow
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    result = ap.minimize(X, y, runtime=runtime, **keywords)
    assert time.monotonic() - began < 5
    assert result.stop_reason == "interrupted"
    assert np.isfinite(result.x).all()


def test_other_threads_go_on_meanwhile(slow):
    X, y, keywords = slow
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    ap.minimize(X, y, **{**keywords, "seconds": 0.5})
    stop.set()
    thread.join()
    assert len(ticks) > 15


def test_two_runs_at_once(classes):
    X, y = classes
    results = {}

    def fit(seed):
        results[seed] = ap.minimize(X, y, regularizer=ap.L1(0.01), seed=seed, workers=1, tolerance=1e-9)

    threads = [threading.Thread(target=fit, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = ap.minimize(X, y, regularizer=ap.L1(0.01), seed=1, workers=1, tolerance=1e-9)
    assert results[1].x.tobytes() == alone.x.tobytes()
    assert results[2].objective == pytest.approx(alone.objective, rel=1e-8)


def test_a_large_matrix_is_not_copied():
    code = textwrap.dedent("""
        import resource, numpy as np, scipy.sparse as sp, asynprox as ap
        n, k = 150_000, 80
        columns = (np.arange(n)[:, None] % 200 + 200 * np.arange(k)).astype(np.int32).ravel()
        X = sp.csr_array((np.full(n * k, 0.5), columns, np.arange(0, n * k + 1, k, dtype=np.int32)))
        y = np.where(np.arange(n) % 7 < 3, 1.0, -1.0)
        ap.minimize(X[:100], y[:100], steps=0, tolerance=0)
        size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ap.minimize(X, y, regularizer=ap.L1(1e-3), epochs=2, tolerance=0)
        grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        print(grown / size)
    """)
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True, text=True)
    assert float(run.stdout) < 0.2


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_the_estimate_of_lipschitz_too():
    calls = []

    def gradient(x, samples):
        calls.append(len(samples))
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
        return x * len(samples)

    f = ap.FiniteSum(100, 3, gradient, lambda x, i: 0.5 * len(i) * x @ x)
    result = ap.minimize(f, x0=np.ones(3), tolerance=0, seconds=60)
    assert result.stop_reason == "interrupted"
    assert len(calls) < 20


def test_a_daemon_thread_ends_with_the_interpreter():
    code = textwrap.dedent("""
        import sys, threading, time, numpy as np, asynprox as ap
        random = np.random.default_rng(0)
        X, y = random.standard_normal((2000, 20)), random.standard_normal(2000)
        began, keywords = threading.Event(), {"method": "asyn-prox-sgd", "step": "constant:1e-9", "seconds": 60}
        def gradient(x, i):
            began.set()
            return X[i].T @ (X[i] @ x - y[i])
        f = ap.FiniteSum(2000, 20, gradient, lambda x, i: 0.5 * np.sum((X[i] @ x - y[i]) ** 2), lipschitz=50)
        def work():
            ap.minimize(*((f,) if sys.argv[1] == "sum" else (X, y)), **keywords)
        threading.Thread(target=work, daemon=True).start()
        began.wait(1)
        time.sleep(0.3)
        print("end")
    """)
    for problem in ("sum", "data"):
        ended = subprocess.run([sys.executable, "-c", code, problem], capture_output=True, text=True, timeout=40)
        assert (ended.returncode, ended.stdout) == (0, "end\n"), ended.stderr


def test_a_fork_during_a_run_is_an_error_and_no_hang():
    code = textwrap.dedent("""
        import os, numpy as np, asynprox as ap
        X, y = np.eye(4), np.array([1.0, -1, 1, -1])
        def callback(progress):
            if os.fork() == 0:
                try:
                    ap.minimize(X, y)
                except RuntimeError as error:
                    os._exit(3 if "forked" in str(error) else 4)
                os._exit(5)
            return True
        ap.minimize(X, y, method="asyn-prox-sgd", callback=callback)
        assert os.waitstatus_to_exitcode(os.wait()[1]) == 3
        if os.fork() == 0:  # nothing runs now: a child may fit
            os._exit(0 if ap.minimize(X, y).steps >= 0 else 6)
        assert os.waitstatus_to_exitcode(os.wait()[1]) == 0
    """)
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_recorded_run_is_made_again_bit_for_bit(classes):
    X, y = classes
    result = ap.minimize(X, y, regularizer=ap.L1(0.01), method="asyn-prox-sgd", epochs=5, workers=2, record=True)
    replay = result.replay()
    assert replay.same, replay.difference
    assert replay.steps == result.steps
    assert replay.x.tobytes() == result.x.tobytes()


def test_only_recorded_runs_are_made_again(classes):
    with pytest.raises(RuntimeError, match="record=True"):
        ap.minimize(*classes).replay()


def test_a_saved_run_is_read_by_the_command_line(classes, program, tmp_path):
    X, y = classes
    result = ap.minimize(X, y, regularizer=ap.L1(0.01), method="asyn-prox-sgd", epochs=3, record=True)
    result.save(tmp_path / "run")
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [
        "events.log", "model.json", "run.json", "trace.csv",
    ]  # fmt: skip
    np.savetxt(tmp_path / "data.csv", np.column_stack([X, y]), delimiter=",", fmt="%.17g")
    shown = subprocess.run([program, "show", str(tmp_path / "run" / "model.json")], capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    predicted = subprocess.run(
        [program, "predict", str(tmp_path / "run" / "model.json"), str(tmp_path / "data.csv")],
        capture_output=True,
        text=True,
        check=True,
    )
    np.testing.assert_array_equal([int(line) for line in predicted.stdout.split()], result.predict(X))


def test_a_folder_that_is_not_empty_needs_force(classes, tmp_path):
    result = ap.minimize(*classes)
    (tmp_path / "mine.txt").touch()
    with pytest.raises(FileExistsError, match="force=True"):
        result.save(tmp_path)
    result.save(tmp_path, force=True)
    assert (tmp_path / "run.json").exists()


def test_models_survive_files_and_pickles(classes, tmp_path):
    X, y = classes
    result = ap.minimize(X, np.where(y > 0, "yes", "no"), regularizer=ap.L1(0.01), intercept=True)
    result.model.save(tmp_path / "model.json")
    for model in (ap.load_model(tmp_path / "model.json"), pickle.loads(pickle.dumps(result)).model):
        np.testing.assert_array_equal(model.predict(X), result.predict(X))
        np.testing.assert_array_equal(model.predict_proba(X), result.predict_proba(X))
    assert set(result.predict(X)) == {"no", "yes"}


def test_the_result_tells_of_itself(classes):
    pandas = pytest.importorskip("pandas")
    result = ap.minimize(*classes, regularizer=ap.L1(0.01))
    assert "converged" in repr(result)
    assert len(repr(result).splitlines()) <= 24
    assert result._repr_html_().startswith("<table>")
    frame = result.trace.to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["objective"].iloc[-1] == result.objective
    assert result.ledger["received"] == result.ledger["applied"] + result.ledger["pending"] + sum(
        result.ledger["refused"].values()
    )
    assert {"bound", "max", "mean", "histogram"} <= set(result.staleness)
    with pytest.raises(AttributeError, match="no attribute 'objektive'"):
        _ = result.objektive


def test_samples_of_another_width_are_refused(classes):
    X, y = classes
    with pytest.raises(ValueError, match="X: expected 20 features, as in training, got 19"):
        ap.minimize(X, y).predict(X[:, :19])
