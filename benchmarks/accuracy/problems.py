"""The problems that packages are compared on, and their optima."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional

OPTIMA = Path(__file__).with_name("optima.json")


@dataclass(frozen=True)
class Problem:
    name: str
    data: str  # a file of the data folder, or generate:SPEC
    strength: float  # lambda
    scale_rows: bool = False
    positive_label: Optional[float] = None
    about: str = ""

    def path(self, data_folder: Path) -> str:
        return self.data if self.data.startswith("generate:") else str(data_folder / self.data)

    def arguments(self, data_folder: Path) -> List[str]:
        """Of bench_accuracy."""
        found = [self.path(data_folder)]
        if self.scale_rows:
            found += ["--normalize-rows"]
        if self.positive_label is not None:
            found += ["--positive-label", str(self.positive_label)]
        return found

    def optimum(self) -> float:
        return json.loads(OPTIMA.read_text())[self.name]["objective"]


WIDE = "generate:sparse-logistic:n=20000,d=50000,nonzeros=50"
LARGE = "generate:sparse-logistic:n=400000,d=400000,nonzeros=100"

PROBLEMS = [
    Problem("a9a", "a9a.xz", 1e-4),
    Problem("mushrooms", "mushrooms.xz", 1e-4),
    Problem("mnist", "mnist.xz", 1e-4, scale_rows=True, positive_label=0),
    Problem("sparse", WIDE, 1e-4),
    Problem("large", LARGE, 1e-6),
]
