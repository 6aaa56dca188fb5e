"""JAX, TensorFlow and PyTorch models under the engine. Frameworks that are not installed are skipped."""

import numpy as np
import pytest

import asynprox as ap
from asynprox._parameters import Layout, by_parameter


@pytest.fixture(scope="module")
def digits():
    datasets = pytest.importorskip("sklearn.datasets")
    X, y = datasets.load_digits(return_X_y=True)
    return (X / 16).astype(np.float32), y.astype(np.int64)


class Named:
    """An f of named parameters, without a framework."""

    layout = Layout(["fc1.kernel", "fc1.bias"], [(2, 3), (3,)], [np.dtype("f4")] * 2, list)


def test_regularizers_by_name():
    h = by_parameter({"fc1.kernel": ap.GroupLasso(1.0, axis=1), ".*bias": None}, Named())
    v = np.arange(9.0)  # the kernel's columns are (0, 3), (1, 4), (2, 5)
    norms = np.sqrt([9, 17, 29])
    assert h.value(v) == pytest.approx(np.sqrt(2) * norms.sum())
    moved = h.prox(v, 3 / np.sqrt(2))  # each column shrinks by 3
    np.testing.assert_allclose(np.linalg.norm(moved[:6].reshape(2, 3), axis=0), norms - 3)
    np.testing.assert_array_equal(moved[6:], v[6:])


def test_names_that_are_none_are_errors():
    with pytest.raises(ValueError, match=r"'fc2\.\*' names no parameter; there are: fc1.kernel, fc1.bias"):
        by_parameter({"fc2.*": ap.L1(1)}, Named())
    with pytest.raises(TypeError, match="named parameters"):
        ap.minimize(np.eye(2), [1, 2], regularizer={"x": ap.L1(1)})


def test_layouts_give_back_what_they_were_given():
    arrays = [np.array([[1, 0, 3], [4, 5, 6]], np.float32), np.zeros(3, np.float32)]
    restored = Named.layout.restored(Named.layout.flat(arrays))
    for array, again in zip(arrays, restored, strict=True):
        np.testing.assert_array_equal(array, again)
        assert array.dtype == again.dtype


def test_axis_of_prox():
    v = np.array([[3.0, 0.1], [4.0, 0.1]])
    moved = ap.prox(ap.GroupLasso(1.0, axis=1), v, 1.0)
    assert moved[:, 1].tolist() == [0, 0]
    assert np.linalg.norm(moved[:, 0]) == pytest.approx(5 - np.sqrt(2))
    with pytest.raises(TypeError, match="axis needs an array"):
        ap.minimize(np.eye(2), [1.0, 2.0], loss="squared", regularizer=ap.GroupLasso(1.0, axis=0))
    with pytest.raises(ValueError, match="axis 1 is not one of"):
        ap.prox(ap.GroupLasso(1.0, axis=1), [1.0], 1)


@pytest.fixture(scope="module")
def jax():
    return pytest.importorskip("jax")


def jax_network(jax, seed=0, hidden=32):
    keys = jax.random.split(jax.random.key(seed), 2)
    return {
        "hidden": {"kernel": 0.3 * jax.random.normal(keys[0], (64, hidden)), "bias": jax.numpy.zeros(hidden)},
        "out": {"kernel": 0.3 * jax.random.normal(keys[1], (hidden, 10)), "bias": jax.numpy.zeros(10)},
    }


def jax_losses(jax):
    def losses(params, X, y):
        units = jax.nn.relu(X @ params["hidden"]["kernel"] + params["hidden"]["bias"])
        scores = units @ params["out"]["kernel"] + params["out"]["bias"]
        return -jax.nn.log_softmax(scores)[jax.numpy.arange(len(y)), y]

    return losses


def test_jax_sums_are_those_of_jax(jax, digits):
    X, y = digits
    params, losses = jax_network(jax), jax_losses(jax)
    per_sample = ap.from_jax(losses, params, (X, y))
    mean = ap.from_jax(lambda params, X, y: losses(params, X, y).mean(), params, (X, y))
    assert per_sample.layout.names == ["hidden.bias", "hidden.kernel", "out.bias", "out.kernel"]
    samples = np.array([5, 3, 3, 1000, 17])
    direct = jax.value_and_grad(lambda params: losses(params, X[samples], y[samples]).sum())(params)
    for f in (per_sample, mean):
        value, gradient = f.sum_both(f.start, samples)
        assert value == pytest.approx(float(direct[0]), rel=1e-5)
        expected = np.concatenate([np.ravel(leaf) for leaf in jax.tree_util.tree_leaves(direct[1])])
        np.testing.assert_allclose(gradient, expected, atol=1e-4)


def test_a_jax_network_is_pruned_by_group_lasso(jax, digits):
    X, y = digits
    # Strength and steps were chosen on a validation split (examples/jax_pruning.py), which is not used here.
    # Workers take turns: the accuracy after a run of threads depends on their timing.
    train, _, held_out = np.split(np.random.default_rng(0).permutation(len(y)), [1200, 1500])
    f = ap.from_jax(jax_losses(jax), jax_network(jax, hidden=64), (X[train], y[train]))
    result = ap.minimize(
        f,
        regularizer={"hidden.kernel": ap.GroupLasso(6e-3, axis=1), ".*": None},
        method="asyn-prox-sgd", step="t-inverse:eta0=0.2,decay=1,period=1000", batch_size=128, epochs=400, tolerance=0,
        workers=2, runtime="serial",
    )  # fmt: skip
    assert jax.tree_util.tree_structure(result.params) == jax.tree_util.tree_structure(jax_network(jax))
    hidden, out = result.params["hidden"], result.params["out"]
    units = np.maximum(X[held_out] @ hidden["kernel"] + hidden["bias"], 0)
    predicted = np.argmax(units @ out["kernel"] + out["bias"], axis=1)
    assert np.mean(predicted == y[held_out]) >= 0.95
    assert np.mean(~np.asarray(hidden["kernel"]).any(axis=0)) >= 0.5


def test_prox_in_an_optax_loop(jax):
    optax = pytest.importorskip("optax")
    A = np.random.default_rng(0).standard_normal((50, 4)).astype(np.float32)
    b = A @ np.array([1, 0, -2, 0], np.float32)

    def loss(params):
        return 0.5 * jax.numpy.mean((A @ params["x"] - b) ** 2)

    optimizer = ap.prox_transformation(optax.sgd(0.5), {"x": ap.L1(0.1)}, 0.5)
    params = {"x": jax.numpy.zeros(4)}
    state = optimizer.init(params)

    @jax.jit
    def step(params, state):
        updates, state = optimizer.update(jax.grad(loss)(params), state, params)
        return optax.apply_updates(params, updates), state

    for _ in range(200):
        params, state = step(params, state)
    ours = ap.minimize(A, b, loss="squared", regularizer=ap.L1(0.1), tolerance=1e-10)
    np.testing.assert_allclose(params["x"], ours.x, atol=1e-4)
    assert np.count_nonzero(params["x"]) == 2


def test_prox_steps_of_optax_need_the_parameters(jax):
    optax = pytest.importorskip("optax")
    optimizer = ap.prox_transformation(optax.sgd(0.5), ap.L1(0.1), 0.5)
    x = jax.numpy.zeros(4)
    with pytest.raises(ValueError, match=r"needs the parameters: write update\(updates, state, params\)"):
        optimizer.update(x, optimizer.init(x))


@pytest.fixture(scope="module")
def tf():
    return pytest.importorskip("tensorflow")


def test_nonnegative_pca_with_tensorflow_gradients(tf, a9a):
    X, _ = a9a
    Z = X.toarray()[:, :123].astype(np.float32)
    Z /= np.linalg.norm(Z, axis=1, keepdims=True)
    model = tf.keras.Sequential([tf.keras.layers.Input((123,)), tf.keras.layers.Dense(1, use_bias=False, name="x")])
    f = ap.from_tensorflow(model, lambda _, u: -tf.square(u[:, 0]) / 2, (Z, np.zeros(len(Z), np.float32)))
    result = ap.minimize(
        f, regularizer="nonneg-ball:1", method="asyn-prox-sgd", step="constant:2", batch_size=8192, steps=30, workers=2,
        x0=np.full(123, 1 / np.sqrt(123)), tolerance=0,
    )  # fmt: skip
    assert -0.226412877699213 - 1e-6 <= result.objective <= -0.226412877699213 + 1e-3
    assert (result.x >= 0).all()
    (component,) = result.params.values()
    assert component.shape == (123, 1)
    f.assign(result.x)
    np.testing.assert_array_equal(model.get_weights()[0], component)


def test_tensorflow_means_are_sums(tf):
    X = np.random.default_rng(0).standard_normal((20, 3)).astype(np.float32)
    y = X.sum(axis=1, keepdims=True)
    model = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(1)])
    mean = ap.from_tensorflow(model, lambda t, u: tf.reduce_mean(tf.square(t - u)), (X, y))
    each = ap.from_tensorflow(model, lambda t, u: tf.square(t - u)[:, 0], (X, y))
    samples = np.array([1, 4, 4])
    for ours, theirs in zip(mean.sum_both(mean.start, samples), each.sum_both(each.start, samples), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def test_names_of_keras_do_not_depend_on_its_counters(tf):
    data = np.zeros((2, 3), np.float32), np.zeros((2, 1), np.float32)
    for _ in range(2):  # sequential, sequential_1, ...
        model = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(1, name="hidden")])
        assert ap.from_tensorflow(model, lambda t, u: t - u, data).layout.names == ["hidden.kernel", "hidden.bias"]


def test_tensorflow_moving_averages_are_refused(tf):
    model = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.BatchNormalization()])
    with pytest.raises(ValueError, match="BatchNormalization"):
        ap.from_tensorflow(model, lambda t, u: u, (np.zeros((2, 3)), np.zeros(2)))


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


def test_a_torch_module_is_pruned(torch, digits):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    X, y = digits
    net = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))
    f = ap.from_torch(net, torch.nn.functional.cross_entropy, (X, y))
    result = ap.minimize(
        f, regularizer={"0.weight": ap.GroupLasso(2e-3, axis=0), ".*": None},
        method="asyn-prox-sgd", step="t-inverse:eta0=0.3,decay=1,period=500", batch_size=64, epochs=60, tolerance=0,
        workers=2, runtime="serial",
    )  # fmt: skip
    net.load_state_dict(result.params)
    assert (net(torch.as_tensor(X)).argmax(1).numpy() == y).mean() > 0.9
    assert not result.params["0.weight"].any(dim=1).all()


def torch_network(torch):
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(64, 8), torch.nn.Tanh(), torch.nn.Linear(8, 10))


def test_torch_sums_are_those_of_torch(torch, digits):
    X, y = digits
    net, cross_entropy = torch_network(torch), torch.nn.functional.cross_entropy
    mean = ap.from_torch(net, cross_entropy, (X, y))
    each = ap.from_torch(net, torch.nn.CrossEntropyLoss(reduction="none"), (torch.as_tensor(X), torch.as_tensor(y)))
    assert mean.layout.names == ["0.weight", "0.bias", "2.weight", "2.bias"]
    samples = np.array([5, 3, 3, 1000, 17])
    total = cross_entropy(net(torch.as_tensor(X[samples])), torch.as_tensor(y[samples]), reduction="sum")
    total.backward()
    expected = np.concatenate([parameter.grad.numpy().ravel() for parameter in net.parameters()])
    for f in (mean, each):
        value, gradient = f.sum_both(f.start, samples)
        assert value == pytest.approx(total.item(), rel=1e-5)
        np.testing.assert_allclose(gradient, expected, atol=1e-5)


def test_frozen_torch_parameters_stay_and_the_module_too(torch, digits):
    X, y = digits
    net = torch_network(torch)
    net[0].weight.requires_grad_(False)
    before = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    f = ap.from_torch(net, torch.nn.functional.cross_entropy, (X, y))
    assert "0.weight" not in f.layout.names
    result = ap.minimize(f, method="asyn-prox-sgd", step="constant:0.1", steps=5, batch_size=32, tolerance=0)
    assert all(torch.equal(tensor, before[name]) for name, tensor in net.state_dict().items())
    net.load_state_dict(result.params, strict=False)
    assert torch.equal(net.state_dict()["0.weight"], before["0.weight"])
    assert not torch.equal(net.state_dict()["2.weight"], before["2.weight"])


def test_a_torch_loop_with_prox_steps_finds_the_lasso(torch):
    A = np.random.default_rng(0).standard_normal((50, 4))
    b = A @ [1.0, 0, -2, 0]
    x = torch.nn.Parameter(torch.zeros(4, dtype=torch.float64))
    optimizer = ap.ProxOptimizer(torch.optim.SGD([x], lr=0.5), [(x, ap.L1(0.1))])
    for _ in range(200):
        optimizer.zero_grad()
        (0.5 * torch.mean((torch.as_tensor(A) @ x - torch.as_tensor(b)) ** 2)).backward()
        optimizer.step()
    ours = ap.minimize(A, b, loss="squared", regularizer=ap.L1(0.1), tolerance=1e-12)
    np.testing.assert_allclose(x.detach().numpy(), ours.x, atol=1e-6)
    assert torch.count_nonzero(x) == 2


def test_torch_batch_norm_is_refused(torch):
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))
    with pytest.raises(ValueError, match="BatchNorm"):
        ap.from_torch(net, torch.nn.functional.mse_loss, (np.zeros((2, 4)), np.zeros((2, 4))))


def test_active_torch_dropout_is_refused(torch):
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5))
    data = np.zeros((2, 4), np.float32), np.zeros((2, 4), np.float32)
    with pytest.raises(ValueError, match=r"module: 1 is an active Dropout: .* call module.eval\(\) first"):
        ap.from_torch(net, torch.nn.functional.mse_loss, data)
    assert ap.from_torch(net.eval(), torch.nn.functional.mse_loss, data).dimension == 20


def test_parameters_that_the_torch_optimizer_does_not_have_are_refused(torch):
    x, other = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(3))
    with pytest.raises(ValueError, match=r"expected parameters of the optimizer, .* shape \(3,\), in entry 1"):
        ap.ProxOptimizer(torch.optim.SGD([x], lr=0.1), [(x, ap.L1(1.0)), (other, ap.L1(1.0))])


def test_the_state_of_a_torch_optimizer_survives(torch):
    x = torch.nn.Parameter(torch.ones(2))
    optimizer = ap.ProxOptimizer(torch.optim.SGD([x], lr=0.1, momentum=0.9), [(x, ap.L1(1.0))])
    x.sum().backward()
    optimizer.step()
    again = ap.ProxOptimizer(torch.optim.SGD([x], lr=0.1, momentum=0.9), [(x, ap.L1(1.0))])
    again.load_state_dict(optimizer.state_dict())
    assert torch.equal(again.state_dict()["state"][0]["momentum_buffer"], torch.ones(2))


def test_prox_in_a_torch_loop(torch):
    x = torch.nn.Parameter(torch.tensor([3.0, -0.05]))
    optimizer = ap.ProxOptimizer(torch.optim.SGD([x], lr=0.1), [(x, ap.L1(1.0))])
    x.sum().backward()
    optimizer.step()
    np.testing.assert_allclose(x.detach().numpy(), [2.8, -0.05], atol=1e-6)
