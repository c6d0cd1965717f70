"""Networks at the table: runs of any recipe play."""

import pytest

torch = pytest.importorskip("torch", reason="no torch: networks do not play; `make train` installs it")

from mj_bot.lab.__main__ import main
from mj_bot.lab.arena import engine_runner, referee_runner as table
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.table.choosers import find_engine_obstacle, load_chooser
from mj_bot.lab.train import network_player
from mj_bot.lab.train.checkpoint import pack, save_checkpoint
from mj_bot.lab.train.recipe import load_recipe
from mj_bot.mahjong.errors import UnknownTacticError


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a run of rl-final that has not begun to learn."""
    folder = tmp_path_factory.mktemp("runs") / "rl-final"
    folder.mkdir()
    torch.manual_seed(0)
    save_checkpoint(folder, {"recipe": "rl-final"}, pack(load_recipe("rl-final").make_network()))
    return folder


def test_a_run_plays_alike_on_the_engine_and_at_the_table(run):
    spec = "network:%s" % run
    assert not find_engine_obstacle(spec)
    match = make_match([spec, "random"], seed=5, rotations=4)
    batched = engine_runner.play_walls_by_engine(match, 0, 1)
    plain = table.play_walls_by_referee(match, 0, 1)
    assert [tally.score for tally in batched[0]] == [tally.score for tally in plain[0]]


def test_options_of_a_run(run):
    with pytest.raises(UnknownTacticError, match="depth"):
        load_chooser("network:%s,depth=3" % run)
    assert main(["arena", "network:nowhere", "random", "--walls", "1"]) == 2
    assert network_player.NetworkTactic(str(run), "cpu")
