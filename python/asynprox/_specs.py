"""Members of families as Python classes, made from the engine's own lists.

A member is written as a spec, ``"huber:delta=1.5"``, or as an object, ``ap.Huber(delta=1.5)``. Nothing
is listed here: names, parameters, defaults and their meanings come from the engine.
"""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from inspect import Parameter, Signature
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from . import _engine


class Member:
    """A member of a family: its name, and the parameters that were given."""

    family: ClassVar[str]
    spec_name: ClassVar[str]
    parameter_names: ClassVar[tuple[str, ...]]  # as specs have them
    file_parameters: ClassVar[frozenset[str]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        for name in kwargs:
            if name not in self.__signature__.parameters:  # type: ignore[attr-defined]
                near = get_close_matches(name, self.__signature__.parameters, n=1, cutoff=0.5)  # type: ignore[attr-defined]
                hint = f"; did you mean '{near[0]}'?" if near else ""
                raise TypeError(f"{type(self).__name__}() has no parameter '{name}'{hint}")
        try:
            bound = self.__signature__.bind(*args, **kwargs)  # type: ignore[attr-defined]
        except TypeError as error:
            shape = f"{type(self).__name__}{self.__signature__}"  # type: ignore[attr-defined]
            raise TypeError(f"{shape}: {error}") from None
        names = dict(zip(self.__signature__.parameters, self.parameter_names, strict=True))  # type: ignore[attr-defined]
        self.parameters: dict[str, Any] = {names[name]: value for name, value in bound.arguments.items()}

    def spec(self, files: dict[str, np.ndarray] | None = None) -> str:
        """Return the member as text; arrays are put into `files` under the names that it gives them."""
        if "axis" in self.parameters:
            raise TypeError(f"{self!r}: axis needs an array with axes; use groups for coordinates in a row")
        settings = []
        for name, value in self.parameters.items():
            if name in self.file_parameters and not isinstance(value, str):
                place = f"<{name} of {self.spec_name}>"
                if files is not None:
                    files[place] = np.ascontiguousarray(value, dtype=np.float64).ravel()
                value = place
            settings.append(f"{name}={_quoted(value_text(value))}")
        return f"{self.spec_name}:{','.join(settings)}" if settings else self.spec_name

    def for_shape(self, shape: tuple[int, ...]) -> Member:
        """Return the member for an array of this shape: `axis` becomes the groups that it stands for."""
        if "axis" not in self.parameters:
            return self
        axis = self.parameters["axis"]
        if not -len(shape) <= axis < len(shape):
            raise ValueError(f"{self!r}: axis {axis} is not one of an array of shape {shape}")
        along = [1] * len(shape)
        along[axis] = shape[axis]
        groups = np.broadcast_to(np.arange(shape[axis]).reshape(along), shape).ravel()
        others = {name: value for name, value in self.parameters.items() if name != "axis"}
        return _restored(self.family, self.spec_name, {**others, "groups": groups})

    def __repr__(self) -> str:
        python_names = dict(zip(self.parameter_names, self.__signature__.parameters, strict=True))  # type: ignore[attr-defined]
        given = [
            _shown(value) if name == self.parameter_names[0] else f"{python_names[name]}={_shown(value)}"
            for name, value in self.parameters.items()
        ]
        return f"{type(self).__name__}({', '.join(given)})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.parameters.keys() == other.parameters.keys() and all(
            np.array_equal(value, other.parameters[name]) for name, value in self.parameters.items()
        )

    def __hash__(self) -> int:
        return hash((self.spec_name, *self.parameters))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.family, self.spec_name, self.parameters)


def _restored(family: str, spec_name: str, parameters: Mapping[str, Any]) -> Member:
    member = object.__new__(_classes(family)[spec_name])
    member.parameters = dict(parameters)
    return member


def value_text(value: Any) -> str:
    """Return a value as the command line spells it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, Member):
        return value.spec()
    if isinstance(value, (list, tuple, np.ndarray)):
        return "/".join(value_text(entry) for entry in value)
    raise TypeError(f"expected a number, a string, a list of numbers or a spec, got {value!r}")


def _quoted(text: str) -> str:
    return f'"{text}"' if set(text) & set(",=") else text


def _shown(value: Any) -> str:
    return f"<{len(value)} numbers>" if isinstance(value, (np.ndarray, list, tuple)) else repr(value)


def _camel_case(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("-"))


def _python_name(parameter: str) -> str:
    return parameter + "_" if keyword.iskeyword(parameter) else parameter


def _docstring(formula: str, parameters: list[tuple[str, str, str, str]]) -> str:
    lines = [formula, ""]
    if parameters:
        lines += ["Parameters", "----------"]
    for name, default, bounds, meaning in parameters:
        lines.append(f"{_python_name(name)} : {bounds}" + (f", default {default}" if default else ""))
        lines.append(f"    {meaning}")
    return "\n".join(lines)


def _made_class(family: str, name: str, formula: str, parameters: list[tuple[str, str, str, str]]) -> type:
    signature = Signature(
        Parameter(
            _python_name(parameter),
            Parameter.POSITIONAL_OR_KEYWORD if place == 0 else Parameter.KEYWORD_ONLY,
            # A default that only the engine knows is shown as text, and left out of the spec.
            default=default if default or place > 0 else Parameter.empty,
        )
        for place, (parameter, default, _, _) in enumerate(parameters)
    )
    return type(
        _camel_case(name),
        (Member,),
        {
            "__doc__": _docstring(formula, parameters),
            "__module__": "asynprox",
            "__signature__": signature,
            "family": family,
            "spec_name": name,
            "parameter_names": tuple(parameter for parameter, *_ in parameters),
            "file_parameters": frozenset(
                parameter for parameter, _, bounds, _ in parameters if bounds.startswith("a file")
            ),
        },
    )


@cache
def _families() -> dict[str, list[tuple[str, str, list[tuple[str, str, str, str]]]]]:
    return _engine.families()


# Of Python alone: arrays have axes, vectors have not.
_AXIS = ("axis", "none", "an int", "of an array with several axes: a group per index along this one")


@cache
def _classes(family: str) -> dict[str, type]:
    classes = {}
    for name, formula, parameters in _families()[family]:
        has_groups = any(parameter == "groups" for parameter, *_ in parameters)
        classes[name] = _made_class(family, name, formula, [*parameters, _AXIS] if has_groups else parameters)
    return classes


def namespace(family: str) -> SimpleNamespace:
    """Return the classes of a family, by their names."""
    return SimpleNamespace(**{made.__name__: made for made in _classes(family).values()})
