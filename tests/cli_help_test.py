#!/usr/bin/env python3
"""Help, lists and the doctor: what is shown is true, and every example runs as it stands."""

import re
import shlex
import unittest

from cli_testing import DONE, SMALL, TINY, CommandLineTest, strict_json

COMMANDS = [(), ("train",), ("predict",), ("evaluate",), ("show",), ("list",), ("data",),
            ("data", "info"), ("data", "convert"), ("data", "generate"), ("doctor",)]
FAMILIES = ("losses", "models", "regularizers", "step-sizes", "delays", "methods", "refinements",
            "samplings", "compute-times", "faults", "generators")


def examples_of(page):
    """The example commands at the end of a page of help, without the program's name."""
    text = re.split(r"(?m)^Examples?:$", page)[-1].replace("\\\n", " ")
    return [shlex.split(line)[1:] for line in text.splitlines()
            if line.strip().startswith("asynprox ")]


def needs_no_file(words):
    return words[0] in ("list", "doctor") or words[-1] in ("--help", "--version") or any(
        word.startswith("generate:") for word in words)


class Help(CommandLineTest):
    def page(self, command):
        return self.succeed(*command, "--help").stdout

    def test_ends_with_examples_of_the_command(self):
        for command in COMMANDS:
            with self.subTest(" ".join(command)):
                page = self.page(command)
                self.assertRegex(page, r"(?m)^Examples?:$")
                examples = examples_of(page)
                self.assertTrue(examples)
                self.assertIn(examples[-1][-1], page.rstrip().splitlines()[-1])
                self.assertTrue(all(tuple(example[:len(command)]) == command
                                    for example in examples), examples)

    def test_is_the_same_for_the_short_option(self):
        for command in COMMANDS:
            with self.subTest(" ".join(command)):
                self.assertEqual(self.succeed(*command, "-h").stdout, self.page(command))

    def test_names_every_command(self):
        page = self.page(())
        for command in COMMANDS[1:]:
            self.assertRegex(page, r"(?m)^  {} ".format(command[0]))

    def test_examples_without_files_run_as_they_stand(self):
        ran = 0
        for command in [(), ("train",), ("list",)]:
            for words in filter(needs_no_file, examples_of(self.page(command))):
                with self.subTest(" ".join(words)):
                    self.assertEqual(self.succeed(*words).stderr, "")
                    ran += 1
        self.assertGreaterEqual(ran, 6)

    def test_examples_with_files_run_where_the_files_are(self):
        for name in ["FILE", "OTHER_FILE"]:
            self.write(name, TINY)
        self.succeed("train", "FILE", "--out", "run")
        for command in [("train",), ("predict",), ("evaluate",), ("data",), ("data", "info"),
                        ("data", "convert"), ("data", "generate")]:
            for words in examples_of(self.page(command)):
                with self.subTest(" ".join(words)):
                    self.assertEqual(self.run_program(*words).returncode, DONE)

    def test_of_list_names_every_family(self):
        page = " ".join(self.page(("list",)).split())
        self.assertIn("{} or {} (all)".format(", ".join(FAMILIES[:-1]), FAMILIES[-1]), page)


class Version(CommandLineTest):
    def test_is_a_number(self):
        self.assertRegex(self.succeed("--version").stdout, r"\A(asynprox )?\d+\.\d+\.\d+\n\Z")


class List(CommandLineTest):
    def test_of_everything_is_the_lists_of_all_families(self):
        everything = self.succeed("list").stdout
        for family in FAMILIES:
            with self.subTest(family):
                text = self.succeed("list", family).stdout
                self.assertTrue(text.startswith(family + ":"), text)
                self.assertIn(text, everything)

    def test_names_members_and_parameters_with_bounds_and_defaults(self):
        text = self.succeed("list", "losses").stdout
        self.assertRegex(text, r"(?m)^  logistic +log\(1 \+ exp\(-y u\)\)$")
        self.assertRegex(text, r"(?m)^ +delta: .+ \(> 0; default 1\)$")
        self.assertNotIn("elastic-net", text)

    def test_says_which_strengths_may_be_a_share_of_the_largest(self):
        text = self.succeed("list", "regularizers").stdout
        self.assertIn("l1:0.1max", text.splitlines()[0])
        self.assertRegex(text, r"(?m)^  l1 .*\n +lambda: .+ \(>= 0, or a share such as 0.1max; ")
        self.assertRegex(text, r"(?m)^  squared-l2 .*\n +lambda: .+ \(>= 0; ")
        self.assertRegex(self.succeed("train", "--help").stdout, r"(?s)--regularizer.+l1:0\.1max")

    def test_names_only_what_can_be_chosen(self):
        for family, option, data in [("losses", "--loss", SMALL), ("methods", "--method", SMALL)]:
            names = re.findall(r"(?m)^  ([a-z][a-z0-9-]*) ", self.succeed("list", family).stdout)
            self.assertGreater(len(names), 3)
            for name in names:
                # Counts are not below 0.
                data_for_it = "generate:poisson:n=200,d=10" if name == "poisson" else data
                separable = name == "prox-newton"  # which needs that
                with self.subTest(name):
                    self.succeed("train", data_for_it, option, name, "--regularizer",
                                 "box" if separable else "l2-ball", "--epochs", "3")
        names = re.findall(r"(?m)^  ([a-z][a-z0-9-]*) ", self.succeed("list", "generators").stdout)
        for name in names:
            with self.subTest(name):
                self.succeed("data", "info", "generate:" + name)

    def test_as_markdown_has_a_table_for_every_family(self):
        text = self.succeed("list", "--markdown").stdout
        for family in FAMILIES:
            self.assertIn("\n## {}\n".format(family), text)
        rows = [line for line in text.splitlines() if line.startswith("|")]
        self.assertEqual(rows.count("| name | formula | parameters |"), len(FAMILIES))
        for row in rows:
            self.assertEqual(len(re.findall(r"(?<!\\)\|", row)), 4, row)


class Options(CommandLineTest):
    def listed(self):
        """The commands of each option, by its name."""
        rows = re.findall(r"(?m)^\| `--([a-z-]+)[^`]*` \| .+ \| .* \| (.+) \|$",
                          self.succeed("list", "options", "--markdown").stdout)
        return [(name, commands.split(", ")) for name, commands in rows]

    def in_help(self, command):
        page = self.succeed(*command.split(), "--help").stdout
        return set(re.findall(r"(?m)^  --([a-z-]+)", page))

    def test_of_runs_in_help_are_those_that_are_listed(self):
        listed = self.listed()
        self.assertGreater(len(listed), 60)
        for command in ("train", "simulate", "replay", "resume"):
            with self.subTest(command):
                self.assertEqual({name for name, commands in listed if command in commands},
                                 self.in_help(command))

    def test_of_data_are_taken_by_every_command_that_reads_it(self):
        for command in ("predict", "evaluate", "data info", "data convert"):
            with self.subTest(command):
                self.assertLess({name for name, commands in self.listed() if command in commands},
                                self.in_help(command))

    def test_stand_in_groups_with_their_choices_and_defaults(self):
        page = self.succeed("simulate", "--help").stdout
        groups = re.findall(r"(?m)^([A-Z][a-z ]+):$", page)
        for group in ("Data", "Problem", "Method", "Workers", "Virtual cluster", "Output"):
            self.assertIn(group, groups)
        self.assertRegex(page, r"(?m)^  --normalize NAME .+ \[none, rows; default: none\]$")
        self.assertRegex(page, r"(?m)^  --workers NUMBER .+ \[at least 1; default: one per core\]$")
        self.assertRegex(page, r"(?m)^  --latency-up NUMBER .+ \[default: 0.0001\]$")

    def test_are_listed_in_words(self):
        text = self.succeed("list", "options").stdout
        self.assertTrue(text.startswith("options: "), text)
        self.assertRegex(text, r"(?m)^  batch-size +samples per step")


class Doctor(CommandLineTest):
    def test_finds_the_engine_working(self):
        text = self.succeed("doctor").stdout
        self.assertRegex(text, r"(?m)^engine +works")
        self.assertRegex(text, r"(?m)^asynprox +\d+\.\d+\.\d+$")

    def test_names_everything_that_can_be_read_and_every_runtime(self):
        text = self.succeed("doctor").stdout
        for kind in ["LIBSVM text", "CSV", "IDX", "ratings", "the binary form", "standard input",
                     "generated data"]:
            self.assertRegex(text, r"(?m)^reads .*" + kind)
        for runtime in ["threads", "serial", "loopback", "simulate"]:
            self.assertRegex(text, r"(?m)^runtimes .*" + runtime)

    def test_says_whether_mpi_works(self):
        text = self.succeed("doctor").stdout
        self.assertRegex(text, r"(?m)^mpi +(no: .+|.*mpirun, with asynprox-mpi: .+)$")


class DataInfo(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("tiny.svm", "1 1:3 2:4\n-1 5:1\n1\n")

    def test_counts_what_is_there(self):
        info = strict_json(self.succeed("data", "info", "tiny.svm", "--json").stdout)
        self.assertEqual((info["samples"], info["dimension"], info["nonzeros"]), (3, 5, 3))
        self.assertEqual((info["empty_rows"], info["columns_never_seen"]), (1, 2))
        self.assertAlmostEqual(info["density"], 3 / 15)
        self.assertEqual(info["row_norm"], {"min": 0, "mean": 2, "max": 5})
        self.assertEqual(info["labels"]["distinct"], [{"label": -1, "count": 1}, {"label": 1, "count": 2}])

    def test_says_it_in_words(self):
        text = self.succeed("data", "info", "tiny.svm").stdout
        for line in [r"samples +3", r"features +5 \(2 never seen\)", r"nonzeros +3 \(20 %\)",
                     r"empty rows +1", r"labels +-1 \(1\), 1 \(2\)"]:
            with self.subTest(line):
                self.assertRegex(text, r"(?m)^{}$".format(line))

    def test_of_many_labels_gives_their_range(self):
        self.write("many.svm", "".join("{} 1:1\n".format(i / 7) for i in range(500)))
        self.assertRegex(self.succeed("data", "info", "many.svm").stdout,
                         r"(?m)^labels +many, from 0 to 71")
        strict_json(self.succeed("data", "info", "many.svm", "--json").stdout)

    def test_of_huge_values_is_json(self):
        self.write("huge.svm", "1 1:1e308 2:1e308\n-1 1:1e308\n")
        strict_json(self.succeed("data", "info", "huge.svm", "--json").stdout)

    def test_may_be_of_made_data_with_more_columns(self):
        info = strict_json(
            self.succeed("data", "info", SMALL, "--dimension", "30", "--json").stdout)
        self.assertEqual((info["samples"], info["dimension"]), (200, 30))


if __name__ == "__main__":
    unittest.main()
