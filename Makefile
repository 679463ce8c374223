# Everything a newcomer needs: make demo, make test.  The rest is for developers.

# The first of these that is new enough; PYTHON=python3.12 names another.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
  $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

# A folder of letters beside the checkout, with what is to be read out of them.
export CORR_MAILBOX ?= $(abspath $(wildcard ../shared/mailbox))

# A folder with a bare engine, beside whose random games ours are measured.
export CORR_REFERENCE ?= $(abspath $(wildcard ../shared/reference))

.PHONY: setup demo test quick lint debian bench letters transcripts lock clean

setup: $(STAMP)

# The stamp comes last: a setup that was cut short starts again where it must.
$(STAMP): requirements.lock pyproject.toml hatch_build.py
	@test -n "$(PYTHON)" && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "corr needs Python 3.11 or later: install it, or name it: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make a virtual environment: install python3-venv (apt install python3-venv)"; exit 1; }
	@echo "Setting up $(VENV) with $(PYTHON) (once; about a minute)"
	@$(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || $(PYTHON) -m venv --clear $(VENV)
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

demo: setup
	@$(BIN)/corr demo

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/pyright

# Servers that some tests run on loopback, openssl, which makes their certificate, and a browser with
# a Japanese font, which draws letters.  Where they cannot be installed those tests are skipped, but
# not when CI is set.  Nothing is removed for
# them, and no service of the system is started (policy-rc.d).
DEBIAN := dovecot-imapd dovecot-lmtpd postfix openssl chromium fonts-ipafont-gothic
POLICY := /usr/sbin/policy-rc.d

debian:
	@command -v openssl >/dev/null \
	  && test -x /usr/sbin/postfix -a -x /usr/lib/dovecot/imap -a -x /usr/lib/dovecot/lmtp \
	  && test -x /usr/bin/chromium -a -e /usr/share/fonts/opentype/ipafont-gothic/ipag.ttf \
	  || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && { \
	  test -e $(POLICY) || { trap 'rm -f $(POLICY)' EXIT INT TERM; \
	    printf '#!/bin/sh\nexit 101\n' >$(POLICY); chmod +x $(POLICY); }; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	    apt-get install -qq -y --no-install-recommends --no-remove $(DEBIAN); }; } \
	  || echo "not all of $(DEBIAN) are here or can be installed: tests with them are skipped"

test: lint debian
	$(BIN)/pytest -n auto --dist worksteal

quick: setup
	$(BIN)/pytest -m "not slow and not bench" -x -q

bench: setup
	$(BIN)/pytest tests/bench -s -q -m bench

# Pictures of every letter, as Chromium draws it: look at them before you commit a template.
letters: setup
	$(BIN)/python -m tests.eyes.browser $(or $(FOLDER),build/letters)

# Write down what corr says now; read the difference before you commit it.
transcripts: setup
	$(BIN)/pytest tests/transcripts tests/letters -q --update-transcripts

# Developers only: needs uv.  Writes versions and hashes, no index address.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --all-extras --group dev pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist
