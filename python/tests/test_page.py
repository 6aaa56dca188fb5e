"""The Python of the pages runs as it stands."""

import re
from pathlib import Path

import numpy as np
import pytest

import asynprox as ap

ROOT = Path(__file__).resolve().parents[2]


def blocks(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)


def test_the_first_block_of_the_page_runs(classes, tmp_path, monkeypatch):
    X, y = classes
    monkeypatch.chdir(tmp_path)
    names = {"X": X, "y": y}
    exec(blocks("docs/python.md")[0], names)
    assert names["result"].stop_reason == "converged"
    assert (tmp_path / "run" / "model.json").exists()


NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?(?![\w.])")
SECONDS = re.compile(r"\S+ s\b")


def test_the_quick_start_of_the_readme_prints_what_it_shows(capsys):
    readme = (ROOT / "README.md").read_text()
    ((block, shown),) = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", readme, re.S)
    exec(block, {})
    printed, shown = (SECONDS.sub("T", text) for text in (capsys.readouterr().out, shown))
    assert NUMBER.sub("#", printed) == NUMBER.sub("#", shown)
    # A bound on the error is a difference of nearly equal numbers.
    numbers = [[float(number.replace(",", "")) for number in NUMBER.findall(text)] for text in (printed, shown)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-2)


def test_every_name_of_the_page_exists():
    text = (ROOT / "docs/python.md").read_text()
    for name in set(re.findall(r"\bap\.([A-Za-z_0-9]+)", text)) - {"from_torch", "ProxOptimizer"}:
        assert name in dir(ap), name


def test_every_keyword_of_the_page_is_one():
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/python.md").read_text(), re.M)
    assert rows
    np.testing.assert_array_equal(rows, ["sample_weight", "x0", "callback", "record"])
