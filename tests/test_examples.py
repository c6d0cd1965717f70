"""docs/tactics.md and examples/: what the page shows works. tests/tactic/test_contract.py asks the examples too."""

import ast
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mj_bot.lab.upload.pythons import PYTHON36_LIBRARIES as LIBRARIES, find_python36
from mj_bot.lab.upload.pyz import PROJECT_FOLDER as REPOSITORY
from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.players import make_player
from mj_bot.lab.table.walls import wall_from_seed, wind_from_seed
from mj_bot.mahjong.shanten import useful_tiles
from mj_bot.tactic import load_tactic
from tests.tactic.positions import positions
from tests.tactic.test_contract import EXAMPLES, examples

__all__ = ["examples"]
PAGE = Path(REPOSITORY, "docs", "tactics.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in PAGE.splitlines() if re.match("    (cp|mj-bot|python) ", line)]
SNIPPETS = re.findall("```python\n(.*?)```", PAGE, re.S)


def find_snippet(start):
    return next(snippet for snippet in SNIPPETS if snippet.startswith(start))


def test_the_page_registers_the_examples():
    places = ast.literal_eval(find_snippet("TACTICS").partition("= ")[2] + "}")
    assert {name: place.replace("mj_bot.tactic.", "examples.") for name, place in places.items()} == EXAMPLES


def test_what_the_page_says_a_tactic_may_ask_is_there():
    state = next(positions())
    asked = re.findall(r"^\| (`.*?) \|", PAGE.partition("| ask |")[2].partition("\n\n")[0], re.M)
    names = [name for cell in asked for name in re.findall(r"`(\w+)", cell)]
    assert len(names) > 15
    assert all(hasattr(state, name) for name in names)
    told = re.findall("`(\\w+)`", next(line for line in PAGE.splitlines() if line.startswith("| `players[seat]`")))
    assert all(hasattr(state.players[0], name) for name in told) and len(told) > 4


def test_what_if_of_the_page():
    names = {"useful_tiles": useful_tiles}
    exec(find_snippet("def count_useful"), names)
    state = next(state for state in positions() if state.is_my_turn)
    assert len({names["count_useful"](state, action) for action in state.action_space() if action[0] == "PLAY"}) > 1


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("player, seed, told", [
    ("careful", 2, "instead of PLAY W3: a player has 3 melds; PLAY T5"),
    ("follow", 1, "instead of PLAY F3: nobody has just won on it; "), ("taught", 1, "PLAY J3 -"),
])
def test_an_example_plays_and_says_why(player, seed, told):
    others = ["search", "rule_based", "rule_based"] if player == "careful" else [player] * 3
    record = play_game([make_player(name, 60) for name in [player, *others]], wall_from_seed(seed),
                       wind_from_seed(seed))
    answers = [answer for step in record.steps for answer in step.answers]
    assert {answer.verdict for answer in answers} == {"OK"} and any(told in answer.debug for answer in answers)


@pytest.mark.usefixtures("examples")
def test_weights_of_one_game_fit_and_play(tmp_path, monkeypatch, capsys):
    path = tmp_path / "taught.npz"
    monkeypatch.setattr(sys, "argv", ["teach.py", "--games", "1", "-o", str(path)])
    monkeypatch.syspath_prepend(str(Path(REPOSITORY, "examples")))
    runpy.run_path(str(Path(REPOSITORY, "examples", "teach.py")), run_name="__main__")
    assert float(re.search(r"decisions, ([\d.]+)% as search\n", capsys.readouterr().out).group(1)) > 60
    state = next(positions())
    assert load_tactic("taught:weights=%s" % path)(state) in state.action_space()


def add_examples(clone):
    """Puts the examples into a copy of the project as the page does."""
    subprocess.run(shlex.split(next(command for command in COMMANDS if command.startswith("cp "))), cwd=clone,
                   check=True)
    registry = clone / "mj_bot" / "tactic" / "__init__.py"
    text = registry.read_text(encoding="utf-8").replace("TACTICS = {\n", find_snippet("TACTICS"), 1)
    registry.write_text(re.sub("_WEIGHTS = .*\n", find_snippet("_WEIGHTS"), text, count=1), encoding="utf-8")


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """What ships, with the examples."""
    clone = tmp_path_factory.mktemp("clone")
    for name in ("mj_bot", "examples", "data/samples", "data/weights"):
        shutil.copytree(Path(REPOSITORY, name), clone / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(REPOSITORY, "handin.py"), clone)
    add_examples(clone)
    botzone = clone / "mj_bot" / "botzone.py"
    # A busy machine takes longer than Botzone allows.
    botzone.write_text(botzone.read_text(encoding="utf-8").replace("BUDGET = 2.5", "BUDGET = 25.0"), encoding="utf-8")
    return clone


@pytest.mark.slow
@pytest.mark.parametrize("command", [command for command in COMMANDS if "mj-bot handin" in command])
def test_an_example_is_handed_in(clone, command):
    """The file answers on Python 3.6, where there is one with the bot's libraries: it failed on one without them."""
    python36 = os.path.isdir(LIBRARIES) and find_python36()
    done = subprocess.run([python36 or sys.executable, "handin.py", *shlex.split(command)[2:]], cwd=clone, text=True,
                          env=dict(os.environ, **({"PYTHONPATH": LIBRARIES} if python36 else {})), capture_output=True)
    assert done.returncode == 0 and "It answers PLAY" in done.stdout, done.stderr


def test_playouts_play_near_actions_out():
    """The tactic of examples/playouts.py answers every decision of a game, and says by how many worlds."""
    pytest.importorskip("numba", reason="no numba: the engine plays too slowly")
    players = [make_player("%s:seconds=0.05,worlds=2,judge=search" % Path(REPOSITORY, "examples", "playouts.py"), 60)]
    record = play_game(players + [make_player("rule_based") for _ in range(3)], wall_from_seed(2), wind_from_seed(2))
    answers = [answer for step in record.steps for answer in step.answers]
    assert {answer.verdict for answer in answers} == {"OK"}
    assert any(re.search("by [2-9]+ worlds", answer.debug) for answer in answers)
