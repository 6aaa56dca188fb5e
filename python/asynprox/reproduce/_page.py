"""The page: tables with the paper's rows beside ours, and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._experiment import READINGS, Curve, Setting

PAPER = {
    "a9a": {"iteration": {1: 1.0, 2: 1.982, 4: 3.584, 8: 5.973}, "time": {1: 1.0, 2: 2.219, 4: 3.857, 8: 5.876}},
    "mnist": {"iteration": {1: 1.0, 2: 2.031, 4: 3.783, 8: 7.352}, "time": {1: 1.0, 2: 2.285, 4: 4.103, 8: 5.714}},
}
_COLOURS = ("#1f5fa8", "#d07020", "#2f8f4e", "#8a3fa0")


@dataclass
class Row:
    """A run, and in which of the three parts it stands."""

    kind: str  # unpaced, paced, simulated, nine machines
    setting: Setting
    curve: Curve

    def figures(self) -> dict[str, Any]:
        """Return it as plain numbers."""
        passage = self.curve.passage()
        return {
            "part": self.kind, **vars(self.setting), "passage": passage, "void": self.curve.void,
            "load": self.curve.load, "overruns": self.curve.overruns, "staleness": self.curve.staleness,
            "compute_seconds_per_push": self.curve.compute_seconds,
        }  # fmt: skip


def _spread(values: Sequence[float], digits: int = 2) -> str:
    if not values:
        return ""
    return f"{np.mean(values):.{digits}f}" + (f" ± {np.std(values):.{digits}f}" if len(values) > 1 else "")


def _passages(rows: list[Row], kind: str, reading: str, workers: int, pace: float | None) -> list[Row]:
    reading = READINGS[0] if workers == 1 else reading  # of one worker both are the same
    return [
        row
        for row in rows
        if (row.kind, row.setting.reading, row.setting.workers, row.setting.pace) == (kind, reading, workers, pace)
    ]


def _line(rows: list[Row], kind: str, reading: str, workers: int, pace: float | None, name: str) -> str | None:
    ours, ones = (_passages(rows, kind, reading, count, pace) for count in (workers, 1))
    if not ours:
        return None
    one_of = {one.setting.seed: one.curve for one in ones}
    pairs = [(row.curve, one_of[row.setting.seed]) for row in ours if row.setting.seed in one_of]
    pairs = [(mine, one) for mine, one in pairs if mine.passage() and one.passage()]
    steps = [(mine.passage(), one.passage()) for mine, one in pairs]
    # Void runs took the right steps, but not the right time.
    valid = [(mine.passage(), one.passage()) for mine, one in pairs if not (mine.void or one.void)]
    iteration = [workers * one[0] / mine[0] for mine, one in steps]
    smooth = [workers * one[2] / mine[2] for mine, one in steps]
    times = [one[3] / mine[3] for mine, one in valid]
    real = kind in ("paced", "unpaced")
    means = [_mean_staleness(row.curve.staleness) for row in ours if row.curve.staleness]
    cells = [
        name, reading, str(workers), "none" if pace is None else f"{1e3 * pace:g}",
        _spread([mine[0] for mine, _ in steps], 1), _spread(iteration), _spread(smooth),
        _spread([mine[3] for mine, _ in valid], 3), _spread(times) if times else "void", _spread(means),
        f"{np.mean([row.curve.load for row in ours]):.0%}" if real else "", f"{len(valid)} of {len(ours)}" if real else "",
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _mean_staleness(staleness: dict[str, Any]) -> float:
    histogram = np.asarray(staleness["histogram"], dtype=float)
    return float(histogram @ np.arange(len(histogram)) / max(1.0, histogram.sum()))


def _table(found: dict[str, Any]) -> list[str]:
    rows: list[Row] = found["rows"]
    name = found["pca"].name
    lines = [
        "| part | reading | workers | pace, ms | steps | iteration speedup | interpolated | seconds | time speedup "
        "| mean staleness | processor busy | valid |",
        "| --- " * 12 + "|",
    ]
    for workers, value in PAPER.get(name, {"iteration": {}})["iteration"].items():
        time = PAPER[name]["time"][workers]
        lines.append(f"| the paper |  | {workers} |  |  | {value:.3f} |  |  | {time:.3f} |  |  |  |")
    kinds = {
        "unpaced": "(a) Ray, unpaced",
        "paced": "(b) Ray, paced",
        "simulated": "(c) simulated",
        "nine machines": "(c) nine machines",
    }
    settings = sorted({(row.setting.pace or 0, row.setting.workers) for row in rows})
    for reading in READINGS:
        for kind, title in kinds.items():
            for pace, workers in settings:
                if workers == 1 and reading != READINGS[0]:
                    continue
                line = _line(rows, kind, reading, workers, pace or None, title)
                lines += [line] if line else []
    return lines


def _agreement(found: dict[str, Any]) -> str:
    """Return how far the simulator is from the paced runs, in time."""
    rows: list[Row] = found["rows"]
    apart = []
    for row in rows:
        if row.kind != "paced" or row.curve.void or not row.curve.passage():
            continue
        twin = next((r for r in rows if r.kind == "simulated" and r.setting == row.setting), None)
        if twin and twin.curve.passage():
            apart.append(twin.curve.passage()[3] / row.curve.passage()[3] - 1)
    if not apart:
        return "No paced run is valid, so that the simulator has nothing to be compared with."
    return (
        f"The simulator's time to 1e-3 differs from that of the {len(apart)} valid paced runs by "
        f"{100 * np.mean(apart):+.1f} % on average, from {100 * min(apart):+.1f} % to {100 * max(apart):+.1f} %."
    )


def _figure(found: dict[str, Any], pace: float, kind: str) -> str:
    """Return suboptimality against time, of the first seed and the first reading, as SVG."""
    width, height, left, bottom = 560, 320, 60, 40
    curves = {
        row.setting.workers: row.curve
        for row in found["rows"]
        if row.kind == kind
        and row.setting.pace == pace
        and row.setting.seed == 1
        and row.setting.reading == READINGS[0]
    }
    end = max(curve.seconds[-1] for curve in curves.values())
    top, low = 0.0, -5.0
    place_x = lambda seconds: left + (width - left - 10) * seconds / end  # noqa: E731
    place_y = lambda value: 10 + (height - bottom - 10) * (top - np.log10(max(value, 1e-5))) / (top - low)  # noqa: E731
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']  # fmt: skip
    for exponent in range(int(low), 1):
        y = place_y(10.0**exponent)
        parts.append(
            f'<path d="M{left} {y:.1f}H{width - 10}" stroke="#ddd"/><text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">1e{exponent}</text>'
        )
    for i in range(5):
        seconds = end * i / 4
        parts.append(
            f'<text x="{place_x(seconds):.1f}" y="{height - bottom + 18}" text-anchor="middle">{seconds:.2g}</text>'
        )
    parts.append(f'<text x="{width / 2}" y="{height - 6}" text-anchor="middle">seconds</text>')
    for i, (workers, curve) in enumerate(sorted(curves.items())):
        points = " ".join(
            f"{place_x(s):.1f},{place_y(v):.1f}" for s, v in zip(curve.seconds, curve.suboptimality, strict=True)
        )
        colour = _COLOURS[i % len(_COLOURS)]
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(
            f'<text x="{width - 20}" y="{26 + 16 * i}" text-anchor="end" fill="{colour}">{workers} worker{"s" if workers > 1 else ""}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def page(found: list[dict[str, Any]], gradients: str, seeds: int, seconds: float) -> dict[str, str]:
    """Return the files of the page by name."""
    with_what = "TensorFlow" if gradients == "tensorflow" else "the engine"
    lines = [
        "# The paper's experiment on Ray",
        "",
        f"Made by `python -m asynprox.reproduce --engine ray --gradients {gradients}`, {seeds} seed{'s' if seeds > 1 else ''}, "
        f"{seconds / 60:.0f} minutes. Non-negative PCA, N = 8192, steps eta0/(1 + 0.5 k/100) with eta0 = 0.08/L, gradients by "
        f"{with_what}, one server and up to eight workers in processes of their own, not pipelined.",
        "",
        "- The clock runs from the moment all workers hold x_0. Serialisation, queues, sampling and gradients count; start-up "
        "and tracing do not. The server keeps (x_k, t_k), and objectives are computed after the run.",
        "- **(a)** is Ray as fast as this machine goes. **(b)** is Ray with workers that sleep until a machine that does 8192 "
        "samples in so many milliseconds would be done: the paper states no times, so the pace is an assumption. A run in which "
        "more than 1 % of the pushes took longer than their pace is void: its time does not count, nor that of a run that is compared "
        "with it; how many pairs are valid stands in the last column. **(c)** is the simulator with the costs of a push "
        "measured on Ray here; *nine machines* adds 0.1 ms of network each way.",
        "- Readings: with m = p a step has p pushes of N/p samples; with m = 1 every push is a whole batch and a step.",
        "- The iteration speedup is p K_1/K_p in steps to 1e-3; interpolated in log(suboptimality) between steps. Times are "
        "interpolated.",
        "",
    ]  # fmt: skip
    files = {}
    for each in found:
        name = each["pca"].name
        lines += [
            f"## {name}: {each['pca'].num_samples} samples, {each['pca'].dimension} features",
            "",
            *_table(each),
            "",
        ]
        lines += [_agreement(each), ""]
        lines += [
            f"A push and its answer take {1e3 * each['trip']:.2f} ms, of which the server's processor has {1e3 * each['server']:.2f} ms. "
            f"The engine needs {each['serial']:.3f} s to 1e-3 on one thread without Ray: that is what a cluster has to beat. "
            f"The most workers are half as efficient as one, by the simulator, where 8192 samples take {1e3 * each['half']:.1f} ms.",
            "",
        ]  # fmt: skip
        paces = sorted({row.setting.pace for row in each["rows"] if row.kind == "paced"})
        if paces:
            file = f"ray_{name}.svg"
            files[file] = _figure(each, paces[-1], "paced")
            lines += [f"![Suboptimality against seconds on {name}, paced at {1e3 * paces[-1]:g} ms]({file})", ""]
    files["paper.md"] = "\n".join(lines)
    return files
