# make play: build the bot and watch it play one game.   make test: run the tests.
# Both set up what they need in .venv first. PYTHON names the interpreter (3.11 or newer) to set up with.

PYTHON ?= python3
SEED ?= 131
BIN := .venv/bin
# Without --no-build-isolation pip would build PyMahjongGB with tools that it fetches by no hash.
PIP_FLAGS := --quiet --disable-pip-version-check --no-build-isolation
# The style of Python and of the pages' scripts, whose rules are in .oxlintrc.json.
LINT := $(BIN)/ruff check . && $(BIN)/oxlint --quiet mj_bot/lab
INSTALL := $(BIN)/python -m pip install $(PIP_FLAGS)
# One process more than processors, as tests of pages and of other processes wait.
# Python keeps the bytecode of the modules, which every command that a test starts would compile again.
PYTEST ?= PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) \
	--dist worksteal

.PHONY: help play workshop train ray test test-slow test-share lint docs locks licences clean

help:
	@echo "make play       build mj_bot.pyz and watch it play one game (SEED=1 deals another)"
	@echo "make workshop   set up all commands but train and rl; make train sets up these too, with torch"
	@echo "                (TORCH=locked: torch by its hash, as in make test)"
	@echo "make ray        set up Ray, for --ray"
	@echo "make test       check the style and run the tests; make test-slow runs the long ones,"
	@echo "                make test-share an eighth of these, another one after each commit"
	@echo "make lint       check the style, which needs ruff and oxlint alone"
	@echo "make docs       write the reference page of mj_bot.api, build/docs/mj_bot/api.html"
	@echo "make locks      write the lock files in 3rdparty/locks again; make licences lists the licences"
	@echo "make clean      remove what the others made; games, sets and runs in build/ stay"

play: .venv/play.ready
	@echo "Building mj_bot.pyz, the file for Botzone, and testing it on sample requests"
	@$(BIN)/python handin.py
	@mkdir -p build
	@echo "Playing a game: East is mj_bot.pyz, the others are rule_based"
	@$(BIN)/mj-bot referee "json:$(BIN)/python mj_bot.pyz" rule_based rule_based rule_based \
		--seed $(SEED) --log build/game.json
	@echo
	@echo "To see it in a browser, with what every move costs:"
	@echo "    $(BIN)/mj-bot review build/game.json -o build/game.html"

# A short match compiles what the other commands use; its code is kept in the cache of the user.
workshop train ray: %: .venv/%.ready
	@$(BIN)/mj-bot arena search rule_based cnn random --walls 1 --rotations 4 --workers 1 > /dev/null
	@MJ_BOT_QUIET=1 $(BIN)/mj-bot hand 123m456s789pEE55pN > /dev/null
	@echo "$(BIN)/mj-bot --help lists the commands."

test: .venv/test.ready build/python36.ready
	$(LINT)
	$(PYTEST)

test-slow: .venv/test.ready build/python36.ready
	$(PYTEST) -m slow

# .ci/run runs this after `make test`.
test-share: .venv/test.ready build/python36.ready
	$(PYTEST) -m slow --share $$(git rev-list --count HEAD)/8

lint: .venv/lint.ready
	$(LINT)

docs: .venv/docs.ready
	$(BIN)/python docs/make_reference.py build/docs

# After a change of a requirements file.
locks:
	$(PYTHON) 3rdparty/make_locks.py

licences: .venv/play.ready
	$(BIN)/python 3rdparty/list_licences.py

# Games, sets and runs of the commands in build/ stay.
clean:
	rm -rf .venv mj_bot.pyz build/game.json build/locks build/python36* .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# A .ready file is made last, so that a set-up that was broken off is done again.
.venv/python.ready: 3rdparty/locks/setup.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "expected Python 3.11 or newer, got " + sys.version)'
	@echo "Set-up: a Python environment in .venv, 25 MB"
	@[ ! -e .venv ] || { [ ! -L .venv ] && ls .venv/*.ready > /dev/null 2>&1; } || { \
		echo "expected no .venv, or one that make has set up here, as its packages are removed: move .venv away" >&2; \
		exit 1; }
	@$(PYTHON) -m venv --clear .venv && touch .venv/begun.ready
	@$(INSTALL) --require-hashes -r $<
	@touch $@

# The project itself: its command, and a line that lets this Python import mj_bot from any folder.
$(BIN)/mj-bot: .venv/python.ready
	@echo ../../../.. > "$$(echo .venv/lib/python3*/site-packages)/mj_bot.pth"
	@printf '#!/bin/sh\nexec "$${0%%/*}/python" -m mj_bot.lab "$$@"\n' > $@
	@chmod +x $@

.venv/play.ready: 3rdparty/locks/play.txt .venv/python.ready $(BIN)/mj-bot
	@echo "Set-up: numpy, tqdm and MahjongGB, which is compiled here; 60 MB, about 20 seconds"
	@$(INSTALL) --require-hashes -r $<
	@touch $@

.venv/workshop.ready: .venv/play.ready
.venv/train.ready .venv/ray.ready .venv/docs.ready: .venv/workshop.ready
.venv/test.ready: .venv/train.ready
.venv/lint.ready: .venv/python.ready
SIZE_workshop := ; 500 MB, about a minute
.venv/%.ready: 3rdparty/locks/%.txt
	@echo "Set-up: the packages of 3rdparty/requirements-$*.txt$(SIZE_$*)"
	@$(INSTALL) --require-hashes -r $<
	@touch $@
# Which file of torch fits depends on the machine's GPU: pip finds one, or TORCH=locked takes one by its hash, PyTorch's
# file for CPUs where pip's settings name a place that has it, else PyPI's.
test test-slow test-share: TORCH ?= locked
.venv/train.ready: 3rdparty/locks/train.txt 3rdparty/locks/torch.txt 3rdparty/locks/torch-cpu.txt
	@echo "Set-up: torch and tensorboard; 1 GB, or 6 GB with the libraries of NVIDIA's GPUs; minutes"
	@$(INSTALL) --require-hashes -r $<
	@$(if $(filter locked,$(TORCH)), \
		$(INSTALL) --require-hashes -r $< -r 3rdparty/locks/torch-cpu.txt 2> /dev/null || \
			$(INSTALL) --require-hashes -r $< -r 3rdparty/locks/torch.txt, \
		$(INSTALL) -r requirements.txt -r 3rdparty/requirements-train.txt)
	@touch $@

# Botzone's Python and libraries where the machine has one; without it those tests are skipped and say so.
build/python36.ready: 3rdparty/locks/python36.txt
	@mkdir -p build
	@python36=$$($(PYTHON) -m mj_bot.lab.upload.pythons) && \
		"$$python36" -m pip install $(PIP_FLAGS) --upgrade --target build/python36 --require-hashes -r $< && \
		touch $@ || echo "the tests on Python 3.6 will be skipped"
