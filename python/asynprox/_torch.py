"""A PyTorch module as a FiniteSum, and prox steps in a PyTorch training loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ._parameters import Layout, ParameterSum
from ._prox import prox


def from_torch(module: torch.nn.Module, loss: Callable[..., Any], data: Any) -> ParameterSum:
    """Make a FiniteSum of a PyTorch module.

    Parameters
    ----------
    module : torch.nn.Module
        Training begins at its parameters; those with ``requires_grad=False`` stay as they are, and so does the
        module itself. ``result.params`` is a dictionary for ``load_state_dict``.
    loss : function (outputs, targets) -> tensor
        The loss of each sample of a batch, or the mean over the batch.
    data : (inputs, targets)
        Tensors or arrays with a row per sample.

    Notes
    -----
    Each worker is a thread of its own, so that PyTorch's own threads would only compete with them: call
    ``torch.set_num_threads(1)``. PyTorch releases the GIL while it computes.
    """
    for name, part in module.named_modules():
        if isinstance(part, torch.nn.modules.dropout._DropoutNd) and part.training and part.p > 0:
            raise ValueError(
                f"module: {name} is an active {type(part).__name__}: f(x) would be another number at each call, and "
                "objectives and certificates would mean nothing; call module.eval() first, or take it out"
            )
        if isinstance(part, torch.nn.modules.batchnorm._BatchNorm) and part.track_running_stats:
            raise ValueError(
                f"module: {name} is a BatchNorm: its running statistics are buffers, not parameters, and would not be "
                "updated; use LayerNorm or GroupNorm"
            )
    inputs, targets = (torch.as_tensor(array) for array in data)
    if len(inputs) != len(targets):
        raise ValueError(f"data: expected as many targets as inputs, got {len(targets)} and {len(inputs)}")
    parameters = {name: tensor for name, tensor in module.named_parameters() if tensor.requires_grad}
    if len(parameters) == 0:
        raise ValueError("module: expected parameters with requires_grad, got none")
    arrays = [parameter.detach().cpu().numpy() for parameter in parameters.values()]
    layout = Layout(
        names=list(parameters),
        shapes=[array.shape for array in arrays],
        dtypes=[array.dtype for array in arrays],
        rebuild=lambda restored: dict(zip(parameters, map(torch.from_numpy, restored), strict=True)),
    )

    def value_and_gradient(x: np.ndarray, samples: np.ndarray) -> tuple[float, np.ndarray]:
        weights = {name: tensor.requires_grad_() for name, tensor in layout.restored(x).items()}
        chosen = torch.tensor(samples)
        losses = loss(torch.func.functional_call(module, weights, (inputs[chosen],)), targets[chosen])
        total = losses.sum() if losses.ndim else losses * len(samples)
        gradients = torch.autograd.grad(total, list(weights.values()), materialize_grads=True)
        return float(total.detach()), layout.flat([gradient.numpy() for gradient in gradients])

    return ParameterSum(layout, len(inputs), value_and_gradient, layout.flat(arrays))


class ProxOptimizer:
    """A torch.optim optimizer followed by prox steps: ``x <- prox_{lr h}(x)`` for chosen parameters.

    Parameters
    ----------
    optimizer : torch.optim.Optimizer
        Whose learning rates are the steps.
    regularizers : list of (parameter, h)
        For example ``[(net.fc1.weight, ap.GroupLasso(1e-3, axis=0))]``.
    """

    def __init__(self, optimizer: torch.optim.Optimizer, regularizers: list[tuple[torch.Tensor, Any]]) -> None:
        self.optimizer = optimizer
        self._regularizers = {id(parameter): h for parameter, h in regularizers}
        known = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
        for place, (parameter, _) in enumerate(regularizers):
            if id(parameter) not in known:
                raise ValueError(
                    f"regularizers: expected parameters of the optimizer, got another one, of shape "
                    f"{tuple(parameter.shape)}, in entry {place}"
                )

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take a step of the optimizer, then the prox steps."""
        loss = self.optimizer.step(closure)
        for group in self.optimizer.param_groups:
            for parameter in group["params"]:
                if id(parameter) in self._regularizers:
                    moved = prox(self._regularizers[id(parameter)], parameter.cpu().numpy(), float(group["lr"]))
                    parameter.copy_(torch.from_numpy(moved))
        return loss

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the optimizer; prox steps have none."""
        return self.optimizer.state_dict()

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from such a state."""
        self.optimizer.load_state_dict(state_dict)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients."""
        self.optimizer.zero_grad(set_to_none)
