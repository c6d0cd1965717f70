# make play: build the bot and watch it play one game.   make test: run the tests.
# Both set up what they need in .venv first. PYTHON names the interpreter (3.11 or newer) to set up with.

PYTHON ?= python3
SEED ?= 1
BIN := .venv/bin
PYTEST ?= $(BIN)/python -m pytest -n auto
PLAY_READY := .venv/play.ready
TEST_READY := .venv/test.ready

.PHONY: help play test test-slow lint clean

help:
	@echo "make play       build mj_bot.pyz and watch it play one game (SEED=1 names another)"
	@echo "make test       check the style and run the tests; make test-slow runs the long ones"
	@echo "make lint       check the style"
	@echo "make clean      remove what the others made"

play: $(PLAY_READY)
	$(BIN)/python handin.py
	@mkdir -p build
	$(BIN)/python -m mj_bot.lab referee "json:$(BIN)/python mj_bot.pyz" rule_based rule_based rule_based \
		--seed $(SEED) --log build/game.json
	@echo
	@echo "To see it in a browser, with what a tactic would have done:"
	@echo "    $(BIN)/python -m mj_bot.lab review build/game.json -o build/game.html"

test: $(TEST_READY) build/python36.ready
	$(BIN)/ruff check .
	$(PYTEST)

test-slow: $(TEST_READY) build/python36.ready
	$(PYTEST) -m slow

lint: $(TEST_READY)
	$(BIN)/ruff check .

clean:
	rm -rf .venv build mj_bot.pyz .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# A .ready file is made last, so that a set-up that was broken off is done again.
.venv/python.ready:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "expected Python 3.11 or newer, got " + sys.version)'
	$(PYTHON) -m venv --clear .venv
	@touch $@

$(PLAY_READY): requirements.txt .venv/python.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(TEST_READY): 3rdparty/requirements-test.txt 3rdparty/requirements-train.txt $(PLAY_READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r 3rdparty/requirements-train.txt
	@touch $@

# Botzone's Python and libraries where the machine has one; without it those tests are skipped and say so.
build/python36.ready: 3rdparty/build_mahjonggb.py requirements.txt
	@mkdir -p build
	@grep ^numpy requirements.txt > build/numpy.txt
	@python36=$$($(PYTHON) tests/python36.py) && \
		$(PYTHON) 3rdparty/build_mahjonggb.py --python "$$python36" --into build/python36 && \
		"$$python36" -m pip install --quiet --upgrade --target build/python36 -r build/numpy.txt && \
		touch $@ || echo "the tests on Python 3.6 will be skipped"
