"""When rows that could be borrowed are packed first: into 16-bit columns and the narrowest values.

Packed rows save about `SAVED` nanoseconds per entry and pass, and packing costs about `COST` per entry once. Measured
on a9a, news20 and mnist: 0.55 to 0.87 and 7.1 to 13.3 (python/benchmarks/packing.py). A run that ends by its tolerance
makes an unknown number of passes, on such data about ten: packing would save nothing there. A run that is told to
make many passes and has no tolerance is sure to make them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SAVED, COST = 0.75, 10.0
# Beyond that the copy would cost memory that counts: a matrix of 1 GB is fitted in less than 1.2 GB.
BYTES_MAX = 128 << 20


def passes_for_sure(options: Mapping[str, Any], num_samples: int) -> float:
    """Return how many passes over the data a run makes by its limits; 0 where its tolerance may end it before."""
    if options.get("tolerance") != 0 or options.get("seconds") is not None:
        return 0
    limits = [float(options["epochs"])] if options.get("epochs") is not None else []
    if options.get("steps") is not None:
        # Without a batch size it is not known here how many samples per step has: at least one.
        limits.append(float(options["steps"]) * float(options.get("batch_size") or 1) / max(num_samples, 1))
    return min(limits, default=0.0)


def is_worth_packing(matrix: Any, options: Mapping[str, Any]) -> bool:
    """Whether a run on CSR rows is faster in all if they are packed first, at a price in memory that is small."""
    size = matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes
    try:
        passes = passes_for_sure(options, matrix.shape[0])
    except (TypeError, ValueError):
        return False  # the engine says what is wrong with the limit
    return size <= BYTES_MAX and SAVED * passes > COST
