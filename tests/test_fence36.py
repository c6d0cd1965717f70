"""What ships parses, imports and plays on Python 3.6, the one Botzone runs."""

import os
import subprocess

import pytest

from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.players import make_player
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.lab.upload.pythons import PYTHON36_LIBRARIES as LIBRARIES, find_python36
from mj_bot.lab.upload import pyz
from mj_bot.lab.upload.pyz import PROJECT_FOLDER, build, list_sources
from mj_bot.tactic import TACTICS
from tests.damage import try_damaged
from tests.network.weight_files import make_files

PYTHON36 = find_python36()

pytestmark = pytest.mark.skipif(
    PYTHON36 is None, reason="no Python 3.6 found: nothing was tried on Botzone's Python; MJ_BOT_PYTHON36 may name one")


def run_python36(*words):
    environment = dict(os.environ, PYTHONPATH=LIBRARIES, PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run([PYTHON36, *words], env=environment, cwd=PROJECT_FOLDER, capture_output=True, text=True)


@pytest.fixture
def libraries():
    """Skips where MahjongGB and numpy for Python 3.6 have not been built."""
    if run_python36("-c", "import MahjongGB, numpy").returncode:
        pytest.skip("no MahjongGB and numpy for Python 3.6 in %s: `make test` puts them there" % LIBRARIES)


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """A function of (tactic, protocol) to a player: the .pyz under Python 3.6, with time enough on a busy machine."""
    read = pyz.read_bytes
    monkeypatch.setattr(pyz, "read_bytes", lambda path: read(path).replace(b"BUDGET = 2.5", b"BUDGET = 25.0"))

    def make_bot(tactic, protocol):
        path = tmp_path / (protocol + ".pyz")
        path.write_bytes(build(tactic, keep_running=protocol.endswith("-keep")))
        return make_player("%s:env PYTHONPATH=%s %s %s" % (protocol, LIBRARIES, PYTHON36, path), 30)
    return make_bot


def check_game(players, seed):
    """Plays a game to a proper end, in which every bot's own tactic gave every answer."""
    record = play_game(players, wall_from_seed(seed), seed % 4)
    for step in record.steps:
        for answer in step.answers:
            assert answer.verdict == "OK"
            assert "Traceback" not in answer.debug and "Error" not in answer.debug, answer.debug
    assert record.closing["action"] in ("HU", "HUANG")


def test_every_file_parses():
    code = "import sys\nfor path in sys.argv[1:]: compile(open(path, 'rb').read(), path, 'exec')"
    result = run_python36("-c", code, "handin.py", *list_sources())
    assert result.returncode == 0, result.stderr


def test_every_module_imports(libraries):
    names = [path[:-3].replace("/", ".").replace(".__init__", "") for path in list_sources()]
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    result = run_python36("-c", code, *names)
    assert result.returncode == 0, result.stderr


def test_hand_in_is_made_there(libraries, tmp_path):
    result = run_python36("handin.py", "--output", str(tmp_path / "mj_bot.pyz"))
    assert result.returncode == 0, result.stderr


def test_a_game(libraries, bots):
    """Kept running; that a bot may be started anew for each answer is shown when the hand-in is made."""
    check_game([bots("random:seed=3", protocol) for protocol in ("json-keep", "simplified-keep")] + [
        make_player("random:seed=%d" % seed) for seed in (4, 5)], seed=321)


@pytest.mark.slow
@pytest.mark.parametrize("tactic", sorted(TACTICS))
def test_many_games(libraries, bots, tactic):
    players = [bots(tactic, protocol) for protocol in ("json", "json-keep", "simplified", "simplified-keep")]
    for seed in range(2):
        check_game(players, seed)
        players = players[1:] + players[:1]


@pytest.mark.parametrize("count", [300, pytest.param(20000, marks=pytest.mark.slow)])
def test_broken_input(libraries, count):
    result = run_python36("tests/wire_fuzz.py", "--count", str(count), "--seed", "4")
    assert (result.returncode, result.stdout) == (0, "%d inputs answered\n" % count), result.stdout + result.stderr


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_damaged_weight_files(libraries, tmp_path, count):
    damaged = []
    try_damaged(make_files(), lambda name, data: damaged.append(data), count)
    paths = [tmp_path / str(index) for index in range(len(damaged))]
    for path, data in zip(paths, damaged):
        path.write_bytes(data)
    result = run_python36("tests/network/weight_files.py", *map(str, paths))
    assert (result.returncode, result.stdout) == (0, "%d files read\n" % len(paths)), result.stdout + result.stderr
