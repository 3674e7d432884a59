# Needs python3 (3.11 to 3.14) with venv, git and make; everything else goes into .venv from the lock files.

PYTHON ?= python3
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

# Hundreds of processes start in the tests; none should compile our modules again.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WHEEL_VENV := .venv-wheel
WHEEL_READY := $(WHEEL_VENV)/.ready
LOCK_VENV := .venv-lock
CONTRACTS_VENV := .venv-contracts
NODE_READY := contract/node_modules/.ready
AXE_READY := tests/browser/node_modules/.ready
UV := uv==0.13.8

# One header line for each step.
say = @printf '\n== %s\n' "$(1)"
pip_install = -m pip --disable-pip-version-check install -qq --no-input
# pytest reads PYTEST_ADDOPTS itself; the caller's come last, so they win.
pytest = env -u PYTHONPATH PYTEST_ADDOPTS="-n auto --dist worksteal $${PYTEST_ADDOPTS:-}" PATH="$(CURDIR)/$(1)/bin:$$PATH" "$(CURDIR)/$(1)/bin/python" -m pytest

.PHONY: help demo pictures test contract browser report-page faults bench bench-action bench-growth bench-changes bench-dossier bench-summary contracts linters spellings filters flow evidence recall fixes rehearsal checks lint types contract-imports workflows generated examples unit versions version version-environment wheel lock format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(READY) ## review a sample pull request on a fake GitHub
	@$(BIN)/python -m fake_github.demo

pictures: $(READY) ## update the README's pictures and its output of the demo
	@REVIEW_BOT_REFRESH=1 $(BIN)/python -m pytest -q --no-header -n 0 tests/end_to_end/test_readme.py

# One step after another, also under `make -j`: the first to fail ends the run.
test: ## check everything that needs Python alone
	@for step in checks unit wheel; do $(MAKE) $$step || exit; done
	$(call say,All checks passed)

checks: ## run what `make test` runs before the tests
	@for step in lint types contract-imports workflows generated; do $(MAKE) $$step || exit; done

contract: $(READY) $(NODE_READY) ## check our calls and the fake GitHub's responses against GitHub's own description (needs Node 20)
	$(call say,Contract with GitHub (its API description and its GraphQL schema; Prism; PyGithub))
	@$(BIN)/python -m pytest -q --no-header -p no:cacheprovider contract

browser: $(READY) $(AXE_READY) ## test report.html in a real Chromium, with axe-core (needs Chromium and Node 20)
	$(call say,The report page (Chromium and axe-core))
	@command -v chromium chromium-browser google-chrome > /dev/null || { echo "No Chromium on PATH: install one, such as with 'apt-get install chromium'."; exit 1; }
	@REVIEW_BOT_BROWSER=required $(call pytest,$(VENV)) -q --no-header tests/browser

report-page: $(READY) $(AXE_READY) ## measure report.html of 5,000 findings in Chromium
	@$(BIN)/python -m bench.report_page

faults: $(READY) ## inject every fault into every call of the Action, and run 2,000 random schedules; FAULTS="--every 5 --schedules 200"
	$(call say,Faults (each call × each fault; random schedules))
	@$(BIN)/python -m tests.faults $(FAULTS)

bench: $(READY) ## measure the speed against anchors; BENCH="--semgrep" for all of them
	@$(BIN)/python -m bench $(BENCH)

bench-action: $(READY) ## measure the whole Action at 100 ms a call
	@$(BIN)/python -m bench.action

bench-growth: $(READY) ## measure CPU time and memory over the size of the change and of the tree; GROWTH="--rounds 5"
	@$(BIN)/python -m bench.growth $(GROWTH)

bench-changes: $(READY) ## find the checks that take too much of the review of real changes; CLONES=DIR CHANGES="--changes 50"
	@$(BIN)/python -m bench.real_changes --clones "$(CLONES)" $(CHANGES)

bench-dossier: $(READY) ## measure what the dossier costs over the plain review; CLONE=DIR: also on vLLM-Omni's pull request 19
	@$(BIN)/python -m bench.dossier $(if $(CLONE),--clone "$(CLONE)")

bench-summary: $(READY) ## count the lines and words that a summary shows unfolded, and the efforts to review; CLONE=DIR: of which pull requests
	@$(BIN)/python -m bench.summary "$(CLONE)"

contracts: $(CONTRACTS_VENV)/.ready ## compare the contracts of libraries with the libraries, on a CPU; CONTRACTS="--programs 5000 --first 1000"
	$(call say,Contracts of libraries)
	@$(CONTRACTS_VENV)/bin/python -m bench.contracts $(CONTRACTS)

linters: $(READY) ## compare our rules with the linters that they mirror; LINTERS="FOLDER --flake8 PATH"
	@$(BIN)/python -m bench.linters $(LINTERS)

spellings: $(READY) ## try every bad example of every rule in other spellings; writes docs/spellings.md
	@$(BIN)/python -m tests.rules.spelling_run

filters: $(READY) ## check over generated files that no filter drops a finding; FILTERS="--files 1000 --seed 2"
	@$(BIN)/python -m tests.rules.filter_run $(FILTERS)

flow: $(READY) ## follow generated functions, and run some of them; FLOW="--programs 1000 --runs 1000 --first 2"
	@$(BIN)/python -m tests.flow.flow_run $(FLOW)

evidence: $(READY) ## measure how correct and useful the rules are, from labels; CLONES=DIR: and from replays of clones
	@$(BIN)/python -m bench.evidence $(if $(CLONES),--clones "$(CLONES)") $(EVIDENCE)

recall: $(READY) ## count the collected bugs of other projects that a rule names, in both halves; CLONES=DIR
	@$(BIN)/python -m bench.recall $(if $(CLONES),--clones "$(CLONES)") $(RECALL)

fixes: $(READY) ## apply the fixes of real pull requests, and check them with git and a new review; CLONES=DIR
	@$(BIN)/python -m bench.fixes --clones "$(CLONES)" $(FIXES)

rehearsal: ## make a release in a temporary clone, and show its commit, tags and notes
	@python3 image/release.py rehearse

lint: $(READY) ## check with ruff: rules and format
	$(call say,Lint (ruff))
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo "Not formatted: run 'make format'."; exit 1; }

types: $(READY) ## check types with mypy, strict
	$(call say,Types (mypy))
	@$(BIN)/mypy

contract-imports: $(READY) ## check the import layers
	$(call say,Imports (import-linter))
	@$(BIN)/lint-imports --no-logo

# Each suppressed finding of zizmor has a reason on its own line.
workflows: $(READY) ## check the syntax and safety of our workflows and the ready-made ones
	$(call say,Workflows (check-jsonschema and zizmor))
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-actions action.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml docs/workflows/*.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	@$(BIN)/zizmor --quiet --offline --pedantic --no-progress --strict-collection . docs/workflows/*.yml

generated: $(READY) ## check that generated files are up to date
	$(call say,Generated files)
	@$(BIN)/python -m rule_lab docs --check
	@$(BIN)/review-bot config schema --check

examples: $(READY) ## run each rule on its own examples, as `make unit` also does
	$(call say,Rule examples)
	@$(BIN)/review-bot rules test

unit: $(READY) ## run the tests on the source tree; PACKAGED_TESTS=later: but those that `make wheel` runs again
	$(call say,Tests on the source tree (pytest))
	@$(call pytest,$(VENV)) --ignore tests/browser $(if $(filter later,$(PACKAGED_TESTS)),$(PACKAGED:%=--deselect %))

# Code that reads code, patterns, archives and processes, where the version of Python can make a difference.
# Left to `make unit` is what takes long: tests that run the same code on hundreds or thousands of inputs, tests of
# growth, whose loops are our own, and those that wait for a worker to fail. So are the texts of rules.
LONG := $(patsubst %,tests/rules/test_%.py,ast_grep_contract filters spellings words) \
    $(patsubst %,tests/rules/test_required_literals.py::test_%,a_shipped_structural any_rule any_regex_that_rust) \
    tests/checks/test_growth.py tests/engine/test_determinism.py tests/engine/test_touched_code.py \
    tests/processes/test_typed_json.py tests/sandbox/test_worker_client.py
VERSIONED := tests/analysis tests/changes tests/checks tests/context/open_pull_requests tests/engine tests/linters \
    tests/processes tests/replay tests/rules tests/sandbox tests/text tests/commands/test_earlier.py \
    tests/test_python_versions.py tests/test_records.py
version_of_python = $(shell $(PYTHON) -c 'import platform; print(platform.python_version())')

versions: ## run the tests that depend on the Python version, on the oldest and the newest available one
	@pythons=$$($(PYTHON) .ci/find_pythons.py build/python) && \
	for python in $$pythons; do $(MAKE) version PYTHON="$$python" || exit; done

version: version-environment ## run the same tests on one version: PYTHON=python3.14
	$(call say,Tests that depend on the version of Python ($(version_of_python)))
	@$(call pytest,.venv-$(version_of_python)) -q --no-header $(LONG:%=--deselect %) $(VERSIONED)

version-environment:
	@venv=.venv-$(version_of_python) && \
	if [ ! -e "$$venv/.ready" ] || [ requirements/test.txt -nt "$$venv/.ready" ]; then \
	    $(PYTHON) -m venv --clear "$$venv" && \
	    "$$venv/bin/python" $(pip_install) --require-hashes --requirement requirements/test.txt && \
	    "$$venv/bin/python" $(pip_install) --require-hashes --requirement requirements/build.txt && \
	    "$$venv/bin/python" $(pip_install) --no-deps --no-build-isolation --editable . && touch "$$venv/.ready"; \
	fi

# These tests run in a copy of this tree without the package, with only the run-time dependencies and the test tools:
# the command and its data, processes that start by a module's name, and other packages in the same environment.
# Files are copied by name: another step of CI writes caches of its own meanwhile, and tar refuses a folder that changes.
PACKAGED := $(patsubst %,tests/sandbox/test_%.py,closed_folder fixes_response worker) \
    $(patsubst %,tests/end_to_end/test_%.py,action_inputs imports installed_beside_others readme) \
    tests/end_to_end/test_settings_edit.py::test_the_comment_stands_on_the_line

wheel: $(READY) $(WHEEL_READY) ## run the tests of what packaging can break, on the built wheel
	$(call say,Tests on the built wheel (hatchling and pytest))
	@rm -rf build/wheel
	@$(BIN)/python -m hatchling build --target wheel --directory build/wheel
	@$(BIN)/python .ci/compare_wheel.py build/wheel/*.whl
	@$(WHEEL_VENV)/bin/python $(pip_install) --no-index --no-deps --force-reinstall build/wheel/*.whl
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	find . \( -path ./review_bot -o -path ./.git -o -path './.venv*' -o -path './.*_cache' -o -path ./.hypothesis -o -path ./build \
	    -o -name node_modules -o -name __pycache__ \) -prune -o \( -type f -o -type l \) -print0 | \
	    tar -cf - --null --files-from=- | tar -xf - -C "$$folder" && \
	cd "$$folder" && \
	"$(CURDIR)/$(WHEEL_VENV)/bin/python" -c 'import review_bot as r; assert "site-packages" in r.__file__, r.__file__' && \
	$(call pytest,$(WHEEL_VENV)) $(PACKAGED)

lock: $(LOCK_VENV)/.ready ## pin the newest dependencies
	$(call say,Lock files (uv))
	@compile() { $(LOCK_VENV)/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	    --no-header --no-config "$$@" > /dev/null; }; \
	compile pyproject.toml --output-file requirements/run.txt && \
	compile --group build --output-file requirements/build.txt && \
	compile pyproject.toml --group test --constraints requirements/run.txt --output-file requirements/test.txt && \
	compile pyproject.toml --group dev --constraints requirements/test.txt --constraints requirements/build.txt \
	    --output-file requirements/dev.txt

format: $(READY) ## fix and format with ruff
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format .

clean: ## remove everything that make and the tools created
	@rm -rf $(VENV) $(WHEEL_VENV) $(LOCK_VENV) $(CONTRACTS_VENV) .venv-3.* contract/node_modules tests/browser/node_modules build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@rm -f review_bot/builtin_rules.json
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): requirements/dev.txt pyproject.toml
	$(call say,Environment ($(VENV)))
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Review Bot needs Python 3.11 or newer.")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(pip_install) --require-hashes --requirement requirements/dev.txt
	@$(BIN)/python $(pip_install) --no-deps --no-build-isolation --editable .
	@touch $@

$(WHEEL_READY): requirements/test.txt
	$(call say,Environment for the wheel ($(WHEEL_VENV)))
	@$(PYTHON) -m venv --clear $(WHEEL_VENV)
	@$(WHEEL_VENV)/bin/python $(pip_install) --require-hashes --requirement requirements/test.txt
	@touch $@

# GitHub's descriptions for its other products, 370 MB, are not read.
$(NODE_READY): contract/package.json contract/package-lock.json
	$(call say,Packages for the contract tests (npm))
	@cd contract && npm ci --loglevel=error > /dev/null
	@find contract/node_modules/@octokit/openapi/generated -name '*.json' ! -name api.github.com.json -delete
	@touch $@

$(AXE_READY): tests/browser/package.json tests/browser/package-lock.json
	$(call say,Packages for the browser tests (npm))
	@cd tests/browser && npm ci --loglevel=error > /dev/null
	@touch $@

# PyTorch and NumPy are neither run-time nor test dependencies: no test of the package needs them.
$(CONTRACTS_VENV)/.ready: requirements/run.txt requirements/contracts.txt
	$(call say,Environment for the contracts ($(CONTRACTS_VENV)))
	@$(PYTHON) -m venv --clear $(CONTRACTS_VENV)
	@$(CONTRACTS_VENV)/bin/python $(pip_install) --require-hashes --requirement requirements/run.txt
	@$(CONTRACTS_VENV)/bin/python $(pip_install) --requirement requirements/contracts.txt
	@touch $@

$(LOCK_VENV)/.ready: Makefile
	@$(PYTHON) -m venv --clear $(LOCK_VENV)
	@$(LOCK_VENV)/bin/python $(pip_install) $(UV)
	@touch $@
