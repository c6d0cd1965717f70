"""Self-play: games depend on the seed and their number alone; interrupted sets go on."""

from argparse import ArgumentTypeError

import numpy as np
import pytest

from mj_bot.lab.arena.schedule import MAX_SEED as MOST_MATCH_SEED
from mj_bot.lab.dataset import build
from mj_bot.lab.dataset.build import play_set
from mj_bot.lab.dataset.selfplay import play_games
from mj_bot.lab.dataset.replayed_decisions import Replayer
from mj_bot.lab.records.compact import (
    GAMES_KIND, GAMES_VERSION, list_game_files, read_games_folder, read_part, take_games, unpack_games)
from mj_bot.lab.records.follow import check_game
from mj_bot.lab.records.game_record import ALL_ANSWERS, OWN_SUITS, REAL_WALL
from mj_bot.lab.run.options import parse_seed
from mj_bot.lab.run.run_folder import RunFolder
from mj_bot.lab.table.walls import wall_from_seed, wind_from_seed
from mj_bot.mahjong.errors import ProtocolError
from tests.lab.dataset.sets import random_games

PLAYERS = ("random", "random:seed=7")


def test_games_follow_the_rules():
    """Walls of their seeds, the referee's scores, all answers recorded."""
    for number, game in enumerate(list(unpack_games(random_games()))[:24]):
        check_game(game)
        seed = (1 << 30) + 5 << 32 | number
        assert game.wall_names() == wall_from_seed(seed) and game.wind == wind_from_seed(seed)
        assert game.facts & ~OWN_SUITS == ALL_ANSWERS | REAL_WALL


def test_matches_and_sets_have_different_walls():
    """The seeds of matches below 2**30; those above are free to choose."""
    assert MOST_MATCH_SEED == (1 << 31) - 1
    with pytest.raises(ArgumentTypeError, match=r"expected a seed 0 .. 2\*\*30 - 1, got '1073741824'"):
        parse_seed(str(1 << 30))


def test_other_games_of_a_call_do_not_matter():
    apart, expected = play_games(PLAYERS, 5, 0.2, 40, 47), take_games(random_games(), np.arange(40, 47))
    assert all(map(np.array_equal, apart, expected))


def test_seeds_and_players():
    """Another seed has other walls; each seat draws a player; a player alone makes no random moves."""
    assert not (play_games(PLAYERS, 6, 0.2, 0, 8).walls == random_games().walls[:8]).all(axis=1).any()
    players = random_games().heads["players"]
    assert set(players.ravel()) == {0, 1} and len(np.unique(players, axis=0)) > 12
    games = play_games(("random:seed=3",), 5, 0, 0, 6)
    assert not Replayer().replay(games).is_random.any()
    assert games.moves.tobytes() != play_games(("random", "random:seed=3"), 5, 0, 0, 6).moves.tobytes()


@pytest.mark.parametrize("share", [0.0, 0.03, 1.0])
def test_the_share_of_random_moves(share):
    """Of the decisions without a win. The discard after a random claim is random too."""
    decisions = Replayer().replay(play_games(PLAYERS, 8, share, 0, 64))
    can_win = decisions.masks[:, 0] & np.uint64(2) > 0
    assert not decisions.is_random[can_win].any()
    found = decisions.is_random[~can_win].mean()
    assert abs(found - share) < 0.012 and (found > 0) == (share > 0)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(build, "BLOCK", 8)


def make_set(folder, game_count, seed=5, **options):
    """The source of a set of self-play."""
    settings = {"kind": "self-play", "players": list(PLAYERS), "seed": seed, "random_share": 0.2}
    with RunFolder(folder, GAMES_KIND, GAMES_VERSION, settings=settings) as run:
        return play_set(run, game_count, **options)


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_an_interrupted_set_goes_on(tmp_path, small_blocks, workers):
    """After whole blocks, after one that was never finished, and with another number of processes."""
    folder = tmp_path / "set"
    told = []

    class Stop(Exception):
        pass

    def show(count, played):
        told.append((count, played))
        if len(told) in (2, 6):
            raise Stop

    for _ in range(2):
        with pytest.raises(Stop):
            make_set(folder, 60, show=show)
        (folder / "games-000007.npz.tmp").write_bytes(b"half")
    source = make_set(folder, 60, workers=workers, show=show)
    assert told == 2 * [(8, 8)] + 2 * [(8, 0)] + 2 * [(8, 8)] + 4 * [(8, 0)] + 3 * [(8, 8)] + [(4, 4)]
    make_set(tmp_path / "whole", 60)
    names = [path.name for path in list_game_files(folder)]
    assert [(folder / name).read_bytes() for name in names] == [
        path.read_bytes() for path in list_game_files(tmp_path / "whole")]
    assert [len(read_part(folder / name)[0].heads) for name in names] == 7 * [8] + [4]
    assert source["players"] == list(PLAYERS)


def test_a_set_grows(tmp_path, small_blocks):
    """More games of the same settings, also after a shorter last block; fewer games and other settings are refused.

    Once a set could grow only while its size was a multiple of the block's.
    """
    folder, whole = tmp_path / "set", tmp_path / "whole"
    for count in (12, 28):
        make_set(folder, count)
    make_set(whole, 28)
    assert all(map(np.array_equal, read_games_folder(folder), read_games_folder(whole)))
    for count in (27, 24, 8):
        with pytest.raises(ProtocolError, match="expected a set that grows, got %d games in all" % count):
            make_set(folder, count)
    assert len(read_games_folder(folder).heads) == 28
    with pytest.raises(ProtocolError, match=r"\(there -> now\): seed 5 -> 6;"):
        make_set(folder, 28, seed=6)
