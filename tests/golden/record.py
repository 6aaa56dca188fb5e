"""What came of the golden runs: results.json, a line per run, sorted by name."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from golden.runs import Result

RECORD = Path(__file__).parent / "results.json"
FORMAT = 1


@dataclass(frozen=True)
class Record:
    machine: dict  # see runs.machine
    results: dict  # a Result per name


def write(record, path=RECORD):
    lines = ",\n".join("    {}: {}".format(json.dumps(name), json.dumps(asdict(result)))
                       for name, result in sorted(record.results.items()))
    path.write_text('{{\n  "format": {},\n  "machine": {},\n  "runs": {{\n{}\n  }}\n}}\n'.format(
        FORMAT, json.dumps(record.machine), lines), encoding="utf-8")


def read(path=RECORD):
    content = json.loads(path.read_text(encoding="utf-8"))
    if content["format"] != FORMAT:
        raise ValueError("{}: expected format {}, got {}".format(path, FORMAT, content["format"]))
    return Record(content["machine"],
                  {name: Result(**result) for name, result in content["runs"].items()})
