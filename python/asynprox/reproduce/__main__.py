"""python -m asynprox.reproduce: section 5 of the paper on Ray, with TensorFlow's gradients or the engine's."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ._experiment import READINGS, Setting, pace_of_half, serial_seconds, simulated, stack, timed
from ._page import Row, page
from ._problem import Pca

_PACES = (0.025, 0.1, 0.4)
_SHARE = 0.08  # of 1/L, in the first step: 1e-3 takes more than 40 steps
_NETWORK_SECONDS = 1e-4  # each way, between machines of one room


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m asynprox.reproduce", description=__doc__)
    parser.add_argument("--engine", choices=["ray"], default="ray", help="who runs server and workers")
    parser.add_argument("--gradients", choices=["tensorflow", "engine"], default="tensorflow", help="who computes them")
    parser.add_argument(
        "--data-dir", default=os.environ.get("ASYNPROX_DATA_DIR"), help="folder with a9a.xz and mnist.xz"
    )
    parser.add_argument("--data", action="append", metavar="NAME=DATA", help="other data; may be repeated")
    parser.add_argument(
        "--workers", default="1,2,4,8", help="how many, the first to compare with [default: %(default)s]"
    )
    parser.add_argument("--paces", default=",".join(f"{1e3 * pace:g}" for pace in _PACES), help="ms per 8192 samples")
    parser.add_argument("--seeds", type=int, default=10, help="how many [default: %(default)s]")
    parser.add_argument("--steps", type=int, default=64, help="of each run [default: %(default)s]")
    parser.add_argument("--quick", action="store_true", help="generated data, 1 and 2 workers, one seed and pace")
    parser.add_argument("--out", default="reproduction-ray", help="folder for the page [default: %(default)s]")
    parsed = parser.parse_args(arguments)
    if parsed.quick:
        parsed.data = parsed.data or ["nn-pca=generate:nn-pca:n=10000,d=50"]
        parsed.workers, parsed.paces, parsed.seeds = "1,2", "50", 1
    if not parsed.data:
        if not parsed.data_dir:
            parser.error("--data-dir: expected a folder with a9a.xz and mnist.xz, got nothing (see --quick)")
        parsed.data = [f"{name}={Path(parsed.data_dir) / name}.xz" for name in ("a9a", "mnist")]
    parsed.workers = [int(text) for text in parsed.workers.split(",")]
    parsed.paces = [float(text) / 1e3 for text in parsed.paces.split(",") if text]
    return parsed


def _settings(parsed: argparse.Namespace) -> list[Setting]:
    """Return every run, one seed after another: what is there at an interruption is complete seeds."""
    settings = []
    for seed in range(1, parsed.seeds + 1):
        for pace in (None, *parsed.paces):
            for workers in parsed.workers:
                if pace is None and workers > 2:
                    continue  # this machine has fewer cores than workers
                settings += [Setting(reading, workers, pace, seed) for reading in READINGS[: 2 if workers > 1 else 1]]
    return settings


def _measure(pca: Pca, parsed: argparse.Namespace) -> dict[str, Any]:
    def say(text: str) -> None:
        print(f"reproduce: {pca.name}: {text}", file=sys.stderr, flush=True)

    rows: list[Row] = []
    with stack(pca, parsed.gradients, max(parsed.workers)) as ray:
        trip, server = ray.costs()
        say(f"a push and its answer take {1e3 * trip:.2f} ms, the server's processor {1e3 * server:.2f} ms of it")
        ray.run(Setting(READINGS[0], 1, None), _SHARE, 2)
        for setting in _settings(parsed):
            pace = "unpaced" if setting.pace is None else f"{1e3 * setting.pace:g} ms"
            what = f"seed {setting.seed}, {setting.reading}, {setting.workers} workers, {pace}"
            curve = timed(say, what, lambda s=setting: ray.run(s, _SHARE, parsed.steps))
            rows.append(Row("paced" if setting.pace else "unpaced", setting, curve))
    for setting in _settings(parsed):
        if setting.pace is None:
            continue
        for kind, latency in (
            ("simulated", max(0.0, trip - server) / 2),
            ("nine machines", _NETWORK_SECONDS + max(0.0, trip - server) / 2),
        ):
            rows.append(Row(kind, setting, simulated(pca, setting, _SHARE, parsed.steps, latency, server)))
    say("simulated the same runs")
    one = next(row.curve.passage() for row in rows if row.setting.workers == parsed.workers[0])
    half = pace_of_half(pca, _SHARE, 16, max(parsed.workers), max(0.0, trip - server) / 2, server)
    return {
        "pca": pca, "rows": rows, "trip": trip, "server": server, "half": half,
        "serial": serial_seconds(pca, _SHARE, one[0] if one else parsed.steps),
    }  # fmt: skip


def _write(out: Path, found: list[dict[str, Any]], parsed: argparse.Namespace, seconds: float) -> None:
    files = page(found, parsed.gradients, parsed.seeds, seconds)
    for name, text in files.items():
        (out / name).write_text(text, encoding="utf-8")
    figures = [{"data": f["pca"].name, **row.figures()} for f in found for row in f["rows"]]
    (out / "runs.json").write_text(json.dumps(figures, indent=1, default=float), encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Make the experiments; leave a page with tables and figures."""
    parsed = _parsed(arguments)
    out = Path(parsed.out)
    out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for given in parsed.data:
            name, _, source = given.partition("=")
            found.append(_measure(Pca(name, source, Path(folder)), parsed))
            _write(out, found, parsed, time.monotonic() - began)
    print(f"reproduce: wrote {out / 'paper.md'}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
