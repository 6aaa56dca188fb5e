#!/usr/bin/env python3
"""The golden runs: a change that is meant to change no result changes no bit of them.

    ASYNPROX=build/dev/asynprox python3 tests/golden_test.py [--record]

Each run of tests/golden/runs.txt is made through the command line, by one thread and without limits of
time, and compared with tests/golden/results.json: a hash of all numbers of the model, the objective and
the number of steps. Runs that are marked `exact` use our own kernels and exponentials alone, which give
the same bits on every machine. Those marked `libm` go through functions of libm or through Eigen: they
are compared to the bit where compiler and libm are those of the record, else by their objectives, to
1e-10.

`--record` (or `make golden`) writes results.json anew. Where a bit must change, one commit records it
anew, says why, and shows that the results are as good. A new member of a family needs a run here.
"""

import math
import shlex
import shutil
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from cli_testing import PROGRAM
from golden import record, runs
from golden.record import Record

EXACT_MIN = 120  # comparisons to the bit, on every machine
TOLERANCE = 1e-10  # of objectives, relative, where libm is another one
SHOWN_MAX = 10  # differences that a failure describes

# Where the members of a family are chosen; those of generators in the place of the data.
OPTIONS = {
    "losses": "--loss", "models": "--model", "regularizers": "--regularizer",
    "step-sizes": "--step", "delays": "--delays", "methods": "--method", "samplings": "--sampling",
    "compute-times": "--compute", "faults": "--faults", "generators": None}


def relative_difference(old, new):
    if old == new:
        return 0.0
    difference = abs(new - old) / max(abs(old), abs(new))
    return difference if math.isfinite(difference) else math.inf


def agrees(old, new, to_the_bit):
    if to_the_bit:
        return old == new
    return relative_difference(old.objective, new.objective) <= TOLERANCE


def describe(run, old, new):
    parts = ["objective {!r}, was {!r} (relative difference {:.1e})".format(
        new.objective, old.objective, relative_difference(old.objective, new.objective))]
    if old.steps != new.steps:
        parts.append("{} steps, were {}".format(new.steps, old.steps))
    if old.model != new.model:
        parts.append("another model")
    return "{}: asynprox {}\n    {}".format(run.name, shlex.join(run.command), "; ".join(parts))


def differences(all_runs, recorded, results, same_machine):
    """A description of each run whose result is not that of the record."""
    return [describe(run, recorded[run.name], results[run.name])
            for run in all_runs
            if run.name in recorded and not agrees(recorded[run.name], results[run.name],
                                                   run.exact or same_machine)]


def member_of(spec):
    return spec.split(":")[0] if spec else None


def used_members(all_runs, family):
    if family == "generators":
        specs = [run.words[1] for run in all_runs]
        return {spec.split(":")[1] for spec in specs if spec.startswith("generate:")}
    return {member_of(run.value_of(OPTIONS[family])) for run in all_runs}


class Golden(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="asynprox-golden-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.runs = runs.read_list()
        cls.record = record.read()
        cls.same_machine = runs.machine(PROGRAM, cls.folder) == cls.record.machine
        cls.results = runs.perform_all(PROGRAM, cls.runs, cls.folder)

    def differences_from(self, recorded):
        return differences(self.runs, recorded, self.results, self.same_machine)

    def test_the_results_are_those_of_the_record(self):
        found = self.differences_from(self.record.results)
        if found:
            self.fail("{} of {} runs differ from the record{}:\n{}".format(
                len(found), len(self.runs),
                ", of which {} are".format(SHOWN_MAX) if len(found) > SHOWN_MAX else "",
                "\n".join(found[:SHOWN_MAX])))

    def test_every_run_has_a_record_and_every_record_a_run(self):
        names = {run.name for run in self.runs}
        self.assertEqual(names - set(self.record.results), set(), "runs without a record")
        self.assertEqual(set(self.record.results) - names, set(), "records without a run")

    def test_enough_runs_are_compared_to_the_bit_on_every_machine(self):
        compared = [run for run in self.runs if run.exact and run.name in self.record.results]
        self.assertGreaterEqual(len(compared), EXACT_MIN)

    def test_every_member_of_every_family_is_used(self):
        families = runs.families(PROGRAM, self.folder)
        del families["refinements"]  # no option names them: methods bring them
        self.assertEqual(set(families), set(OPTIONS))
        for family, members in families.items():
            with self.subTest(family):
                self.assertNotEqual(members, [])
                self.assertEqual(set(members) - used_members(self.runs, family), set(),
                                 "{} without a golden run".format(family))

    def test_a_change_of_any_part_of_a_result_is_noticed(self):
        self.assertEqual(self.differences_from(self.results), [])
        run = next(run for run in self.runs if run.exact)
        result = self.results[run.name]
        for change in ({"model": "0" * 32}, {"steps": result.steps + 1},
                       {"objective": math.nextafter(result.objective, math.inf)}):
            with self.subTest(change):
                changed = {**self.results, run.name: replace(result, **change)}
                self.assertEqual(len(self.differences_from(changed)), 1)

    def test_elsewhere_runs_through_libm_are_compared_by_their_objectives(self):
        run = next(run for run in self.runs if not run.exact)
        result = self.results[run.name]
        for relative, expected in ((1e-12, 0), (1e-9, 1)):
            changed = {run.name: replace(result, model="", objective=result.objective *
                                         (1 + relative))}
            found = differences([run], changed, self.results, same_machine=False)
            self.assertEqual(len(found), expected)


def write_record():
    folder = Path(tempfile.mkdtemp(prefix="asynprox-golden-"))
    try:
        all_runs = runs.read_list()
        new = Record(runs.machine(PROGRAM, folder), runs.perform_all(PROGRAM, all_runs, folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    old = record.read().results if record.RECORD.exists() else {}
    record.write(new)
    for difference in differences(all_runs, old, new.results, same_machine=True):
        print(difference)
    changed = sum(old.get(name) != result for name, result in new.results.items())
    print("{} runs recorded, of which {} are new or changed".format(len(new.results), changed))


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        write_record()
    else:
        unittest.main()
