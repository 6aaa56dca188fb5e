"""asynprox, by way of bench_accuracy: a process that holds one problem and solves it when asked."""

import json
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np


class Ours:
    def __init__(self, program: Path, arguments: List[str], folder: Path):
        """Reads the data, and leaves the samples as arrays in `folder`."""
        self.folder = folder
        self.process = subprocess.Popen([str(program), *arguments, "--samples", str(folder)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.about = self._answer()

    def solve(self, **order: Any) -> Tuple[np.ndarray, Dict[str, Any]]:
        """The model, and what came of the run; its seconds are those of the whole call of solve()."""
        model = self.folder / "model.f64"
        print(json.dumps({**order, "model": str(model)}), file=self.process.stdin, flush=True)
        answer = self._answer()
        return np.fromfile(model), answer

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()

    def _answer(self) -> Dict[str, Any]:
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args[0]}: ended with exit code {self.process.wait()}")
        return json.loads(line)

    def __enter__(self) -> "Ours":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
