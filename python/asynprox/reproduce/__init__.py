"""The paper's experiment on its own stack: `python -m asynprox.reproduce --engine ray`."""
