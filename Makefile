# `make demo` and `make test` need nothing but Python >= 3.11, pip and make; uv is used where it is there.
PYTHON ?= python3
BIN := .venv/bin
ifneq ($(shell command -v uv 2>/dev/null),)
CREATE := uv venv --quiet --allow-existing --python $(PYTHON) .venv
INSTALL := uv pip install --quiet --compile-bytecode --python .venv
else
CREATE := $(PYTHON) -m venv .venv
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif
# Tests run side by side, up to four at once.
PYTEST := $(BIN)/python -m pytest -q -n logical --maxprocesses 4 --dist worksteal
PLAIN := NUMBA_DISABLE_JIT=1 $(PYTEST) -m "plain and not slow" -W "ignore:overflow:RuntimeWarning"

.PHONY: demo test slow plain coverage bench size mutants lint types docs clean

demo: .venv/runs
	$(BIN)/oneway demo

test: .venv/installed
	$(PYTEST)

slow: .venv/installed
	$(BIN)/python -m pytest -q -m slow

# Kernels once more as plain Python: what numba forgives, an index beside an array or a
# number that is too large, is an error there.
plain: .venv/installed
	$(PLAIN)

# All of `test` and `plain`, and the lines and branches they take of all that Python runs;
# in kernels only `plain` is seen. Fails below the floor in pyproject.toml.
coverage: .venv/installed
	$(PYTEST) --cov --cov-report= --cov-fail-under=0
	$(PLAIN) --cov --cov-append --cov-report=term:skip-covered

bench: .venv/installed
	$(BIN)/python -m pytest -q -m "slow or not slow" --benchmark-enable --benchmark-only tests

# Lines, modules, files and commands; `python -m tests.size --rooms` says it of each room.
size: .venv/installed
	@$(BIN)/python -m tests.size

# Changes in the checker that a test must notice: MUTANTS='verify.checker.reason*'
MUTANTS ?= verify.checker.*
mutants: .venv/installed
	$(BIN)/mutmut run '$(MUTANTS)'
	$(BIN)/mutmut results

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 solver heuristic verify
	$(BIN)/mypy --platform darwin solver heuristic verify
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory types

# The pages of `oneway lab`; needs Node, and npm gets the compiler.
TSC := npx --yes --package typescript@6.0.3 tsc
types:
	@if $(TSC) --version >/dev/null 2>&1; then echo "tsc"; $(TSC) -p verify/lab/static/jsconfig.json; \
	else echo "types of the pages: NOT checked, there is no Node or npm cannot get tsc"; fi

docs: .venv/documented
	$(BIN)/python -m website

.venv/documented: .venv/installed
	$(INSTALL) -e ".[docs]"
	touch $@

# What the command needs; the tools of tests and checks come with `make test`.
.venv/runs: pyproject.toml
	$(CREATE)
	$(INSTALL) -e .
	touch $@

.venv/installed: .venv/runs
	$(INSTALL) -e ".[dev]"
	touch $@

clean:
	rm -rf .venv build dist out
