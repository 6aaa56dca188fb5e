#!/usr/bin/env python3
"""Slips on the command line: exit 2, nothing on standard output, and a hint where one is near."""

import json
import unittest

from cli_testing import DATA, SMALL, TINY, USAGE, CommandLineTest

# words, the name meant (None: nothing is near), what else the message says
UNKNOWN_NAMES = [
    (["tran", SMALL], "train", "no command 'tran'"),
    (["frobnicate"], None, "no command 'frobnicate'"),
    (["data", "inf", SMALL], "info", "no command 'inf'"),
    (["data", "xyzzy"], None, "no command 'xyzzy'"),
    (["--versio"], "--version", "--versio"),
    (["train", SMALL, "--los", "logistic"], "--loss", "no option '--los'"),
    (["train", SMALL, "--regulariser=l1:1"], "--regularizer", "no option '--regulariser'"),
    (["train", SMALL, "--frobnicate"], None, "no option '--frobnicate'"),
    (["predict", "m", SMALL, "--ouput", "score"], "--output", "no option '--ouput'"),
    (["data", "info", SMALL, "--jsn"], "--json", "no option '--jsn'"),
    (["train", SMALL, "--loss", "logistik"], "logistic", "no loss 'logistik'"),
    (["train", SMALL, "--loss", "frobnicate"], None, "there are: pca, squared, logistic"),
    (["train", SMALL, "--regularizer", "l11:1"], "l1", "no regularizer 'l11'"),
    (["train", SMALL, "--regularizer", "elasticnet:l1=1,l2=1"], "elastic-net", "no regularizer"),
    (["train", SMALL, "--regularizer", "entropy:1"], None, "no regularizer 'entropy'"),
    (["train", SMALL, "--step", "constnt:1"], "constant", "no step size 'constnt'"),
    (["train", SMALL, "--delays", "constnt:1"], "constant", "no delay 'constnt'"),
    (["train", SMALL, "--delays", "lognormal:1"], None, "no delay 'lognormal'"),
    (["train", SMALL, "--method", "fist"], "fista", "no method 'fist'"),
    (["train", SMALL, "--method", "adam"], None, "no method 'adam'"),
    (["train", SMALL, "--runtime", "serail"], "serial", "--runtime: no 'serail'"),
    (["train", SMALL, "--runtime", "mpj"], "mpi", "--runtime: no 'mpj'"),
    (["train", SMALL, "--sampling", "replacment"], "replacement", "no sampling 'replacment'"),
    (["train", SMALL, "--model-state", "lasy"], "lazy", "--model-state: no 'lasy'"),
    (["train", SMALL, "--staleness-policy", "hol"], "hold", "--staleness-policy: no 'hol'"),
    (["train", SMALL, "--normalize", "row"], "rows", "--normalize: no 'row'"),
    (["train", SMALL, "--start", "zero"], "zeros", "--start: no 'zero'"),
    (["train", SMALL, "--loss", "huber:dleta=1"], "delta", "huber: no parameter 'dleta'"),
    (["train", SMALL, "--step", "t-inverse:eta0=1,perod=3"], "period", "no parameter 'perod'"),
    (["train", SMALL, "--loss", "logistic:1"], None, "logistic"),
    (["train", SMALL, "--sampling", "replacement:x=3"], None, "replacement: takes no parameters"),
    (["train", "generate:sparse-logstic"], "sparse-logistic", "'sparse-logstic'"),
    (["train", "generate:nn-pca:nose=1"], "noise", "nn-pca: no parameter 'nose'"),
    (["list", "lossess"], "losses", "list: no 'lossess'"),
    (["list", "frobnicate"], None, "list: no 'frobnicate'"),
    (["predict", "m", SMALL, "--output", "lable"], "label", "--output: no 'lable'"),
]

# words after the data, what the message says
BAD_VALUES = [
    (["--loss", "huber:delta=0"], "huber: delta: expected > 0, got 0"),
    (["--regularizer", "l1:-1"], "l1: lambda: expected >= 0, got -1"),
    (["--regularizer", "l1"], "l1: 'lambda' is missing"),
    (["--regularizer", "elastic-net:l1=1"], "elastic-net: 'l2' is missing"),
    (["--regularizer", "l1:abc"], "l1: lambda: expected a number, got 'abc'"),
    (["--regularizer", "l1:0x1"], "l1: lambda: expected a number, got '0x1'"),
    (["--regularizer", "l1:nan"], "l1: lambda: expected a number, got 'nan'"),
    (["--regularizer", "l1:1e999"], "l1: lambda: expected a number, got '1e999'"),
    (["--regularizer", "box:lower=2,upper=1"], "box: "),
    (["--regularizer", "group-lasso:1"], "group-lasso: "),
    (["--regularizer", "group-lasso:1,size=1.5"], "group-lasso: size: expected a whole number"),
    (["--step", "constant:0"], "constant: eta: expected > 0, got 0"),
    (["--step", "constant"], "constant: 'eta' is missing"),
    (["--step", "theory", "--loss", "pca", "--regularizer", "l1:1"], "give it: theory:gap=VALUE"),
    (["--step", "theory:gap=-1"], "theory: gap: expected >= 0, got -1"),
    (["--delays", "constant"], "constant: 'T' is missing"),
    (["--delays", "constant:-1"], "constant: T: expected a whole number from 0 to 1000000000, got -1"),
    (["--delays", "uniform:1.5"], "uniform: T: expected a whole number from 0 to 1000000000, got 1.5"),
    (["--delays", "constant:1", "--runtime", "threads"], "delays: only the runtime serial"),
    (["--delays", "constant:1", "--method", "prox-gd"], "delays: expected an asynchronous method"),
    (["--delays", "constant:1", "--model-state", "lazy"], "delays: "),
    (["--delays", "constant:1", "--staleness-max", "2"], "staleness-max: the given delays"),
    (["--workers", "x"], "--workers"),
    (["--workers", "2.5"], "--workers"),
    (["--workers", "0"], "--workers: expected at least 1"),
    (["--workers", "-1"], "--workers: expected at least 1"),
    (["--workers", "99999999999"], "--workers"),
    (["--steps", "1.5"], "--steps"),
    (["--steps", "-1"], "steps: expected at least 0, got -1"),
    (["--epochs", "nan"], "--epochs: expected"),
    (["--epochs", "-1"], "epochs: expected at least 0, got -1"),
    (["--epochs", "2x"], "--epochs"),
    (["--seconds", "-0.5"], "seconds: expected at least 0, got -0.5"),
    (["--tolerance", "-1"], "tolerance: expected at least 0, got -1"),
    (["--seed", "-1"], "--seed"),
    (["--seed", "18446744073709551616"], "--seed"),
    (["--steps", "9223372036854775808", "--seconds", "0.1"], "--steps"),
    (["--seed", ""], "--seed"),
    (["--epochs", ""], "--epochs"),
    (["--steps", ""], "--steps"),
    (["--workers", ""], "--workers"),
    (["--reference-step", "inf", "--steps", "1"], "reference"),
    (["--dimension", "-5"], "--dimension"),
    (["--trace-every", "0"], "trace-every"),
    (["--batch-size", "0"], "batch-size"),
    (["--pushes-per-step", "0"], "pushes-per-step"),
    (["--staleness-max", "-1"], "staleness-max"),
    (["--reference-step", "0"], "reference"),
    (["--workers", "2", "--batch-size", "7"], "the nearest is 8"),
    (["--workers", "3", "--batch-size", "100"], "the nearest is 99"),
    (["--pushes-per-step", "4", "--batch-size", "6"], "the nearest is"),
    (["--loss", "sigmoid", "--method", "fista"], "fista needs a convex loss"),
    (["--loss", "pca", "--method", "fista"], "fista needs a convex loss"),
    (["--method", "prox-newton", "--regularizer", "l2-ball"], "needs a separable regularizer"),
    (["--method", "prox-newton", "--steps", "5"], "takes no steps"),
    (["--model-state", "lazy", "--regularizer", "l2-ball"], "lazy"),
    (["--model-state", "lazy", "--center"], "not centred"),
    (["--center=yes"], "--center"),
    (["--pace", "0"], "pace: expected a number above 0, got 0"),
    (["--pace", "fast"], "--pace: expected a number, got 'fast'"),
    (["--pace", "1e6", "--runtime", "serial"], "pace: only workers with a thread of their own"),
    (["--speeds", "1/0.5", "--workers", "2"], "speeds: workers differ where they are paced"),
    (["--pace", "1e6", "--speeds", "1//2"], "--speeds: expected a number, got ''"),
    (["--pace", "1e6", "--speeds", "1/0", "--workers", "2"], "speeds: expected a number above 0"),
    (["--pace", "1e6", "--speeds", "1/1", "--workers", "1"], "speeds: expected at most 1, one per worker, got 2"),
    (["--positive-label", "7"], "--positive-label 7: expected one of the labels: -1, 1"),
    (["--loss", "squared", "--positive-label", "1"], "--positive-label"),
    (["--picture", "model.svg"], "--picture"),
    (["--out"], "--out"),
    (["--json=7"], "--json"),
    (["more"], "did not expect 'more'"),
]

# spec, the character of the slip
BAD_GRAMMAR = [
    ("", 1), (":", 1), (":1", 1), ("l1:", 4), ("l1:,", 4), ("l1:1,", 6), ("l1:1,,", 6),
    ("l1:1,2", 6), ("l1:=1", 4), ("l1:lambda=", 11), ("l1:lambda=1=2", 12), ('l1:"1', 4),
    ('l1:"1"2', 7),
]


class Slip(CommandLineTest):
    def test_in_a_name_is_answered_by_the_nearest(self):
        for words, meant, message in UNKNOWN_NAMES:
            with self.subTest(" ".join(words)):
                said = self.fail_with(USAGE, *words)
                self.assertIn(message, said)
                if meant:
                    self.assertIn("did you mean '{}'?".format(meant), said)
                else:
                    self.assertNotIn("did you mean", said)

    def test_in_a_value_names_the_option_or_parameter(self):
        for words, message in BAD_VALUES:
            with self.subTest(" ".join(words)):
                self.assertIn(message, self.fail_with(USAGE, "train", SMALL, *words))

    def test_in_the_grammar_of_a_spec_names_the_character(self):
        for spec, character in BAD_GRAMMAR:
            with self.subTest(spec):
                said = self.fail_with(USAGE, "train", SMALL, "--regularizer", spec)
                self.assertIn("spec '{}', character {}: ".format(spec, character), said)

    def test_of_a_parameter_given_twice_is_told(self):
        for spec in ["l1:lambda=1,lambda=2", "l1:1,lambda=2"]:
            with self.subTest(spec):
                self.assertIn("'lambda' is given twice",
                              self.fail_with(USAGE, "train", SMALL, "--regularizer", spec))

    def test_of_a_missing_word_says_which_and_where_help_is(self):
        for words, missing, command in [
                ([], "a command", ""), (["data"], "a command", "data "),
                (["train"], "DATA", "train "), (["data", "info"], "DATA", "data info "),
                (["predict"], "MODEL", "predict "), (["predict", "m"], "DATA", "predict "),
                (["evaluate", "m"], "DATA", "evaluate ")]:
            with self.subTest(" ".join(words)):
                said = self.fail_with(USAGE, *words)
                self.assertIn(missing, said)
                self.assertIn("see 'asynprox {}--help'".format(command), said)

    def test_in_a_number_says_what_was_expected(self):
        for words in [("--workers", "x"), ("--steps", "1.5"), ("--epochs", "2x")]:
            with self.subTest(" ".join(words)):
                said = self.fail_with(USAGE, "train", SMALL, *words)
                self.assertIn("expected", said)
                self.assertIn("got '{}'".format(words[1]), said)

    def test_leaves_no_folder_behind(self):
        for words in [("--workers", "2", "--batch-size", "7"),
                      ("--loss", "sigmoid", "--method", "fista"), ("--regularizer", "l1")]:
            with self.subTest(" ".join(words)):
                run = self.run_program("train", SMALL, *words, "--out", words[-1])
                self.assertEqual(run.returncode, USAGE)
                self.assertFalse((self.folder / words[-1]).exists())


class SpecFile(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("tiny.svm", TINY)

    def train(self, exit_code, spec):
        return self.fail_with(exit_code, "train", "tiny.svm", "--regularizer", spec)

    def test_that_is_missing_or_bad_is_named(self):
        self.assertIn("w.txt: no such file", self.train(DATA, "weighted-l1:1,weights=w.txt"))
        self.write("w.txt", "1\nx\n1\n")
        self.assertIn("w.txt:2: expected a number, got 'x'",
                      self.train(DATA, "weighted-l1:1,weights=w.txt"))
        self.write("w.txt", "1\n-1\n1\n")
        self.assertIn("weighted-l1", self.train(USAGE, "weighted-l1:1,weights=w.txt"))

    def test_of_another_length_is_refused(self):
        self.write("w.txt", "1\n1\n")
        said = self.train(USAGE, "weighted-l1:1,weights=w.txt")
        self.assertIn("expected 3", said)

    def test_with_a_comma_in_its_name_is_quoted(self):
        self.write("a,b=c.txt", "1\n2\n3\n")
        self.succeed("train", "tiny.svm", "--epochs", "1", "--regularizer",
                     'weighted-l1:1,weights="a,b=c.txt"')

    def test_may_give_delays(self):
        self.write("ages.txt", "0\n2\n")
        words = ("tiny.svm", "--steps", "10", "--pushes-per-step", "1")
        result = self.result(*words, "--delays", "file:ages.txt")
        self.assertEqual(result["staleness"]["histogram"], [5, 1, 4])
        self.assertEqual(result["staleness"]["bound"], 2)
        self.write("ages.txt", "0\n0.5\n")
        self.assertIn("file: 'ages.txt', number 2: expected a whole number from 0",
                      self.fail_with(USAGE, "train", *words, "--delays", "file:ages.txt"))
        self.assertIn("no.txt: no such file",
                      self.fail_with(DATA, "train", *words, "--delays", "file:no.txt"))

    def test_may_be_a_start(self):
        self.write("x0.txt", "1\n2\n3\n")
        result = self.result("tiny.svm", "--start", "x0.txt", "--steps", "0")
        self.assertEqual(result["nonzeros"], 3)
        self.write("x0.txt", "1\n2\n")
        self.assertIn("start: expected 3 numbers, got 2",
                      self.fail_with(USAGE, "train", "tiny.svm", "--start", "x0.txt"))


class Config(CommandLineTest):
    def train(self, *words):
        return self.result(SMALL, "--config", "options.toml", *words)

    def refusal(self, exit_code, text):
        self.write("options.toml", text)
        return self.fail_with(exit_code, "train", SMALL, "--config", "options.toml")

    def test_gives_options_and_the_command_line_wins(self):
        self.write("options.toml", 'epochs = 2\nregularizer = "l1:1e-3"\n')
        self.assertEqual(self.train()["settings"]["epochs"], 2)
        self.assertEqual(self.train()["settings"]["regularizer"], "l1:1e-3")
        self.assertEqual(self.train("--epochs", "3")["settings"]["epochs"], 3)
        before = self.result(SMALL, "--epochs", "3", "--config", "options.toml")
        self.assertEqual(before["settings"]["epochs"], 3)

    def test_of_the_settings_of_a_run_makes_the_same_run(self):
        words = ("--runtime", "serial", "--workers", "2", "--regularizer", "l1:0.1max",
                 "--intercept", "--tolerance", "1e-3")
        first = self.result(SMALL, *words)
        self.write("options.toml", "".join(
            "{} = {}\n".format(name, json.dumps(value))
            for name, value in first["settings"].items() if value is not None))
        again = self.train()
        self.assertEqual(again["settings"], first["settings"])
        self.assertEqual((again["objective"], again["steps"]), (first["objective"], first["steps"]))

    def test_may_have_a_section_of_the_command_comments_and_flags(self):
        self.write("options.toml", "# mine\n[train]\nsteps = 7\njson = true\n")
        run = self.succeed("train", SMALL, "--config", "options.toml")
        self.assertIn('"steps": 7', run.stdout)

    def test_with_an_unknown_key_is_refused(self):
        said = self.refusal(USAGE, "epoch = 2\n")
        self.assertIn("options.toml: no option 'epoch'", said)
        self.assertIn("did you mean", said)
        self.assertIn("epochs", said)
        self.assertIn("run.epochs", self.refusal(USAGE, "[run]\nepochs = 2\n"))

    def test_with_a_bad_value_is_refused_by_name(self):
        self.assertIn("epochs", self.refusal(USAGE, 'epochs = "x"\n'))
        self.assertIn("epochs", self.refusal(USAGE, "epochs = [1, 2]\n"))
        self.assertIn("options.toml", self.refusal(USAGE, 'epochs = "x"\n'))

    def test_with_bad_syntax_is_refused(self):
        for text in ["epochs = = 2\n", "epochs 2\n", "[[[\n", "just words\n", "\0\1\2\n"]:
            with self.subTest(repr(text)):
                self.write("options.toml", text)
                run = self.run_program("train", SMALL, "--config", "options.toml")
                self.assertIn(run.returncode, (USAGE, DATA))
                self.assertIn("options.toml", run.stderr)
                self.assertEqual(run.stdout, "")

    def test_with_a_quote_that_is_not_closed_is_refused(self):
        for text in ['epochs = "2\n', "epochs = '2\n", 'epochs = 2"\n', '"epochs = 2\n',
                     '# "fine"\nepochs = 2 # it\'s fine\nsampling = "cyclic\n']:
            with self.subTest(text):
                self.assertRegex(self.refusal(DATA, text),
                                 "options.toml:[13]: expected a closing [\"'] on the same line")

    def test_may_have_a_hash_in_quotes_and_comments_behind_values(self):
        self.write("options.toml", 'epochs = 2 # "few\nregularizer = "l1:1e-3" # small\n')
        self.assertEqual(self.train()["settings"]["regularizer"], "l1:1e-3")
        self.assertIn("'#3'", self.refusal(USAGE, 'regularizer = "l1:#3"\n'))

    def test_with_a_name_of_many_parts_is_refused_at_once(self):
        for text in ["[" + "." * 60000 + "]\n", "." * 60000 + " = 1\n", "[a.b.c.d.e]\n",
                     "[train]\n[[" + "a." * 30000 + "a]]\n"]:
            with self.subTest(text[:20]):
                self.assertRegex(self.refusal(DATA, text),
                                 "options.toml:[12]: expected a name of at most 4 parts")

    def test_that_is_too_long_is_refused_at_once(self):
        words = "options.toml: expected options of at most 64 KiB, got more"
        for text in ["[" + "." * 100000 + "]\n", "epochs = [" + "1," * 500000 + "1]\n"]:
            self.assertIn(words, self.refusal(DATA, text))

    def test_that_cannot_be_read_to_its_end_is_refused(self):
        self.assertIn("/proc/self/mem: cannot be read: ",
                      self.fail_with(DATA, "train", SMALL, "--config", "/proc/self/mem"))
        self.assertIn("/dev/zero: expected options of at most 64 KiB, got more",
                      self.fail_with(DATA, "train", SMALL, "--config", "/dev/zero"))
        self.assertIn("options.toml:1: expected name = value, got 'x'", self.refusal(DATA, "x\n"))

    def test_that_is_missing_or_no_file_is_refused(self):
        self.assertIn("missing.toml",
                      self.fail_with(DATA, "train", SMALL, "--config", "missing.toml"))
        (self.folder / "folder").mkdir()
        self.assertIn("folder", self.fail_with(DATA, "train", SMALL, "--config", "folder"))

    def test_does_not_name_another(self):
        self.write("other.toml", "epochs = 2\n")
        self.assertIn("config: a file of options cannot name another one",
                      self.refusal(USAGE, 'config = "other.toml"\n'))

    def test_is_not_given_twice_with_one_ignored(self):
        self.write("options.toml", "epochs = 2\n")
        self.write("other.toml", "nonsense = 2\n")
        self.fail_with(USAGE, "train", SMALL, "--config", "options.toml", "--config", "other.toml")


class LongValues(CommandLineTest):
    def test_are_cut_where_messages_repeat_them(self):
        for value in ("x" * 100000, "ä" * 50000):
            for words in (["train", SMALL, "--loss", value], ["train", SMALL, "--method", value],
                          ["train", SMALL, "--epochs", value], ["train", SMALL, "--workers", value],
                          ["train", SMALL, "--regularizer", "l1:" + value],
                          ["train", SMALL, "--regularizer", "l1:1," + value],
                          ["train", SMALL, "--regularizer", "l1:" + value + "=1"],
                          ["train", SMALL, "--header", value], ["train", SMALL, "--speeds", value],
                          ["train", SMALL, value], [value],
                          ["train", SMALL, "--" + value], ["simulate", SMALL, "--outages", value]):
                with self.subTest(words[:-1]):
                    said = self.fail_with(USAGE, *words)
                    self.assertRegex(said, "(x{50,60}|ä{25,30})[.]{3}")
                    self.assertLess(len(said), 500)


if __name__ == "__main__":
    unittest.main()
