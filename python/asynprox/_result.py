"""What came of a run, and models that were saved."""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _engine
from ._data import Borrowed, Labels, borrow
from ._errors import in_python_words, translated
from ._finite_sum import FiniteSum
from ._running import running

if TYPE_CHECKING:
    import pandas

_TRACE = np.dtype(
    [
        ("seconds", "f8"),
        ("steps", "i8"),
        ("sample_gradients", "i8"),
        ("epochs", "f8"),
        ("objective", "f8"),
        ("gradient_mapping", "f8"),
        ("nonzeros", "i8"),
        ("staleness_max", "i8"),
        ("duality_gap", "f8"),
    ]
)
_NO_PARAMS = "params: this f has no named parameters; its coordinates are x"
_NUMBERS = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}


class Trace(np.ndarray):
    """The evaluations of a run: a structured array, one entry per evaluation."""

    def to_frame(self) -> pandas.DataFrame:
        """Return the evaluations as a pandas frame."""
        import pandas

        return pandas.DataFrame({name: np.asarray(self[name]) for name in self.dtype.names or ()})


def _trace_of(numbers: np.ndarray) -> Trace:
    columns = numbers.reshape(-1, len(_TRACE)).T
    trace = np.empty(columns.shape[1], _TRACE)
    for name, column in zip(_TRACE.names or (), columns, strict=True):
        trace[name] = column
    return trace.view(Trace)


def _parsed(text: str) -> dict[str, Any]:
    """Return the engine's JSON, in which numbers that are not finite are words."""

    def numbers(entries: list[tuple[str, Any]]) -> dict[str, Any]:
        return {
            name: _NUMBERS.get(value, value) if isinstance(value, str) and name != "stop_detail" else value
            for name, value in entries
        }

    return json.loads(text, object_pairs_hook=numbers)


class Model:
    """A fitted model: coefficients, and how data is treated before they apply."""

    def __init__(self, engine_model: _engine.Model, labels: Labels | None = None) -> None:
        self._engine = engine_model
        self._labels = labels or _labels_of_names(engine_model.label_names)

    @property
    def loss(self) -> str:
        """The spec of the loss."""
        return self._engine.loss

    @property
    def feature_names(self) -> list[str]:
        """The names of the columns, where these are known."""
        return self._engine.feature_names

    @property
    def classes(self) -> np.ndarray:
        """The labels that are told apart, the positive one last; empty for numbers."""
        classes = self._engine.classes
        return self._labels.decoded(classes) if classes.size else classes

    @property
    def x(self) -> np.ndarray:
        """The coefficients, in the units of the data as it was treated."""
        return _by_output(self._engine.x, self._engine.outputs)

    @property
    def intercept(self) -> float | np.ndarray:
        """The constant of each output."""
        return _intercept_of(self._engine.intercept, self._engine.outputs)

    def coefficients(self) -> tuple[np.ndarray, float | np.ndarray]:
        """Return coefficients and intercepts in the units of the data as it came."""
        with translated():
            coefficients, intercepts = self._engine.user_units
        return _by_output(coefficients, self._engine.outputs), _intercept_of(intercepts, self._engine.outputs)

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the scores u = a'x + b, one per sample, or one per sample and class."""
        return self._shaped(self._asked(self._engine.scores, X))

    def predict(self, X: Any) -> np.ndarray:
        """Return a class per sample, as the labels of the training data were written, or a number."""
        predicted = self._asked(self._engine.labels, X)
        return self._labels.decoded(predicted) if self._engine.classes.size else predicted

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return a probability per sample and class, in the order of `classes`."""
        if not self._engine.has_probabilities:
            raise AttributeError(f"predict_proba: the loss {self.loss} gives no probabilities")
        probabilities = self._shaped(self._asked(self._engine.probabilities, X))
        if probabilities.ndim == 2:
            return probabilities
        return np.column_stack([1 - probabilities, probabilities])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as a file that the command line reads too."""
        Path(path).write_text(self._engine.json(), encoding="utf-8")

    def _asked(self, question: Any, X: Any) -> np.ndarray:
        with translated():
            borrowed = borrow(X, wanted=self.feature_names, quiet=True)
            data, expected = borrowed.data, self._engine.num_features
            # Columns with names are matched by these, and others are ignored.
            by_name = borrowed.feature_names and self.feature_names
            if data.num_features != expected and not by_name:
                raise ValueError(f"X: expected {expected} features, as in training, got {data.num_features}")
            return question(data)

    def _shaped(self, numbers: np.ndarray) -> np.ndarray:
        outputs = self._engine.outputs
        return numbers if outputs == 1 else numbers.reshape(-1, outputs)

    def __repr__(self) -> str:
        nonzeros = int(np.count_nonzero(self._engine.x))
        return (
            f"Model({self.loss}, {self._engine.regularizer}: {self._engine.num_features} features, {nonzeros} nonzeros)"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _model_from_text, (self._engine.json(), self._labels)


def _labels_of_names(names: list[str]) -> Labels | None:
    values = np.array(names) if names else None
    return Labels(np.empty(0), names, values)


def _model_from_text(text: str, labels: Labels) -> Model:
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return Model(_engine.Model.read(file.name), labels)


def load_model(path: str | os.PathLike[str]) -> Model:
    """Return a model that `Result.save`, `Model.save` or the command line has written."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"{os.fspath(path)}: no such file")
    with translated():
        return Model(_engine.Model.read(os.fspath(path)))


def _by_output(x: np.ndarray, outputs: int) -> np.ndarray:
    return x if outputs == 1 else x.reshape(-1, outputs)


def _intercept_of(intercept: np.ndarray, outputs: int) -> float | np.ndarray:
    if outputs == 1:
        return float(intercept[0]) if intercept.size else 0.0
    return intercept if intercept.size else np.zeros(outputs)


@dataclass(frozen=True)
class Replay:
    """What came of making a recorded run again."""

    same: bool
    difference: str | None  # the first one
    steps: int
    x: np.ndarray


class Result:
    """What came of a run.

    Attributes
    ----------
    x : array
        The coefficients; for several outputs one row per feature, one column per output.
    intercept : float or array
        The constant of each output, 0 where none was fitted.
    objective, loss_value, regularizer_value : float
        f(x) + h(x), and its parts.
    duality_gap : float or None
        The objective is at most this above its minimum. None where no such bound is known.
    stop_reason, stop_detail : str
        Why the run ended: a word, and a sentence.
    trace : structured array
        One entry per evaluation; ``trace.to_frame()`` is a pandas frame.
    staleness, ledger, theory, settings : dict
        As the command line's ``--json`` has them.
    model : Model or None
        The fitted model; None for a FiniteSum.
    """

    def __init__(self, finished: _engine.Finished, problem: Borrowed | FiniteSum) -> None:
        self._finished: _engine.Finished | None = finished
        self._figures = _parsed(finished.result_json())
        self._text = finished.summary()
        self._ctrl_c = finished.ctrl_c
        self.model = None
        self._layout = getattr(problem, "layout", None)
        if isinstance(problem, Borrowed):
            self.model = Model(finished.model, problem.labels.without_numbers())
        outputs = self._figures["outputs"]
        self.x: np.ndarray = _by_output(finished.x, outputs)
        self.intercept = _intercept_of(finished.intercept, outputs)
        self.trace: Trace = _trace_of(finished.trace)

    def __getattr__(self, name: str) -> Any:
        figures = self.__dict__.get("_figures", {})
        if name in figures:
            return figures[name]
        if name == "params":  # Python asks here too where the property raises
            raise AttributeError(_NO_PARAMS)
        raise AttributeError(f"'Result' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._figures})

    @property
    def met_tolerance(self) -> bool:
        """Whether the model is as good as the tolerance asks: the run says so, or its duality gap does."""
        if self.stop_reason in ("converged", "stationary"):
            return True
        tolerance = self.settings["tolerance"] or 0
        gap = self.duality_gap
        return gap is not None and tolerance > 0 and gap <= tolerance * abs(self.objective)

    @property
    def params(self) -> Any:
        """The parameters, in the form that they had: see `from_jax` and the other bridges."""
        if self._layout is None:
            raise AttributeError(_NO_PARAMS)
        return self._layout.restored(self.x)

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the scores of samples: see `Model.decision_function`."""
        return self._model().decision_function(X)

    def predict(self, X: Any) -> np.ndarray:
        """Return a label per sample: see `Model.predict`."""
        return self._model().predict(X)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return a probability per sample and class: see `Model.predict_proba`."""
        return self._model().predict_proba(X)

    def save(self, folder: str | os.PathLike[str], *, force: bool = False) -> None:
        """Leave run.json, trace.csv, model.json and, of a recorded run, events.log in a folder.

        A folder that is not empty needs ``force=True``.
        """
        run = self._run("save")
        path = Path(folder)
        if path.exists() and any(path.iterdir()) and not force:
            raise FileExistsError(f"{path}: the folder is not empty; force=True writes there all the same")
        path.mkdir(parents=True, exist_ok=True)
        if self.model is not None:
            self.model.save(path / "model.json")
        (path / "trace.csv").write_text(run.trace_csv(), encoding="utf-8")
        (path / "events.log").unlink(missing_ok=True)
        if run.recorded:
            with translated():
                run.save_events(os.fspath(path / "events.log"))
        # A record is one only with its run.json: that comes last.
        (path / "run.json").write_text(run.run_json(), encoding="utf-8")

    def replay(self) -> Replay:
        """Make a recorded run again, on one thread, and compare it bit for bit."""
        run = self._run("replay")
        if not run.recorded:
            raise RuntimeError("replay: this run was not recorded; call minimize(..., record=True)")
        with running(), translated():
            difference, steps, x = run.replay()
        return Replay(difference is None, difference, steps, _by_output(x, self._figures["outputs"]))

    def _model(self) -> Model:
        if self.model is None:
            raise AttributeError("a FiniteSum does not say how samples are predicted: use x")
        return self.model

    def _run(self, what: str) -> _engine.Finished:
        if self._finished is None:
            raise RuntimeError(f"{what}: a result that was pickled no longer has its run")
        return self._finished

    def __repr__(self) -> str:
        return in_python_words(self._text).rstrip()

    def _repr_html_(self) -> str:
        rows = []
        for line in repr(self).splitlines():
            name, _, text = line.partition(" ")
            rows.append(
                f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                f"<td style='text-align:left'>{html.escape(text.strip())}</td></tr>"
            )
        return f"<table>{''.join(rows)}</table>"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_finished": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
