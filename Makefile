# `make demo` and `make test` need nothing but Python >= 3.11, pip and make; uv is used where it is there.
PYTHON ?= python3
BIN := .venv/bin
ifneq ($(shell command -v uv 2>/dev/null),)
CREATE := uv venv --quiet --allow-existing --python $(PYTHON) .venv
INSTALL := uv pip install --quiet --compile-bytecode --python .venv
else
# Nothing needs the setuptools that Python 3.11 puts there.
CREATE := $(PYTHON) -m venv .venv && $(BIN)/python -m pip uninstall --quiet --yes setuptools
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif
# Tests run side by side, up to four at once. Bytecode is kept whatever the environment
# says: without it each of them, and each command that they start, compiles all modules.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n logical --maxprocesses 4
PLAIN := NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -m "plain and not slow" \
	-W "ignore:overflow:RuntimeWarning" $(shell grep -rl --include=*.py mark.plain tests)

.PHONY: demo test slow browser plain coverage golden bench lint types docs package lock audit clean

demo: .venv/runs
	$(BIN)/oneway demo

test: .venv/installed
	$(PYTEST)

slow: .venv/installed
	$(BIN)/python -m pytest -q -m slow --ignore tests/lab

# Laboratory and site, slow tests too, in one run; those in a browser need Chromium or Chrome.
browser: .venv/installed
	$(BIN)/python -m pytest -q -m "slow or not slow" tests/lab

# Kernels once more as plain Python: what numba forgives, an index beside an array or a
# number that is too large, is an error there.
plain: .venv/installed
	$(PLAIN)

# All of `test` and `plain`, and the lines and branches they take of all that Python runs;
# in kernels only `plain` is seen. Fails below the floor in pyproject.toml.
coverage: .venv/installed
	$(PYTEST) --cov --cov-report= --cov-fail-under=0
	$(PLAIN) --cov --cov-append --cov-report=term:skip-covered

# What no change of the house may change: verdicts, counts, walks, gaps; five minutes.
golden: .venv/installed
	$(BIN)/python -m tests.golden

bench: .venv/installed
	$(BIN)/python -m pytest -q -m "slow or not slow" --benchmark-enable --benchmark-only tests

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 solver heuristic verify
	$(BIN)/mypy --platform darwin solver heuristic verify
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory types

# The pages of `oneway lab` against its messages; needs Node, and npm gets the compiler.
TSC := npx --yes --package typescript@6.0.3 tsc
types:
	@$(BIN)/python -m tests.lab.declared
	@if $(TSC) --version >/dev/null 2>&1; then echo "tsc"; $(TSC) -p verify/lab/static/jsconfig.json; \
	else echo "types of the pages: NOT checked, there is no Node or npm cannot get tsc"; fi

docs: .venv/installed
	$(BIN)/python -m website

# The wheel and the source distribution, in dist.
package: .venv/installed
	rm -rf dist
	$(BIN)/python -m hatchling build

# What the command and its laboratory need; the tools of tests, checks and pages come with `make test`.
.venv/runs: pyproject.toml requirements/run.txt
	$(CREATE)
	$(INSTALL) -r requirements/run.txt
	$(INSTALL) --no-deps -e .
	touch $@

.venv/installed: .venv/runs requirements/dev.txt
	$(INSTALL) -r requirements/dev.txt
	touch $@

# The versions that `make` installs, with the digests of their files; needs uv.
LOCK := uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	--generate-hashes --no-strip-extras --no-annotate --no-header pyproject.toml
lock:
	$(LOCK) --extra lab -o requirements/run.txt
	$(LOCK) --all-extras -o requirements/dev.txt

# Licences of what is installed, and the faults that are known of it; needs uv.
LICENCES := MIT;BSD;Apache;MPL-2.0;Mozilla Public License 2.0;PSF-2.0;Python Software Foundation;ISC
audit: .venv/installed
	uvx pip-licenses --python=$(BIN)/python --partial-match --allow-only="$(LICENCES)" \
		--ignore-packages resvg_py axe-playwright-python # both MIT, named in their files only
	uvx pip-audit --disable-pip --require-hashes -r requirements/dev.txt

clean:
	rm -rf .venv build dist out
