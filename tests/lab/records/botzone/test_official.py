"""The organisers' text format."""

from dataclasses import replace

import pytest

from mj_bot.lab.records.follow import check_game
from mj_bot.lab.records.game_record import REAL_WALL
from mj_bot.lab.records.botzone.official import format_official, parse_official
from mj_bot.mahjong.errors import ProtocolError
from tests.golden_games import with_samples
from tests.lab.records.games import golden_games, whole_games


@with_samples
def test_matches_are_legal_and_are_written_as_they_were(folder):
    """Every byte, with the names and the order of the fans and the claims that were overruled."""
    path, = folder.glob("official*.txt")
    matches = path.read_text(encoding="utf-8").strip().split("\n\n")
    assert len(matches) >= 5
    for text in matches:
        game = parse_official(text)
        assert check_game(game).verdict in ("HU", "HUANG")
        assert format_official(game) == text + "\n"


def test_recorded_games_come_back():
    """All but the tiles that nobody drew, which the format leaves out."""
    for game in whole_games()[::6]:
        text = format_official(game)
        back = parse_official(text)
        check_game(back)
        assert format_official(replace(back, name=game.name)) == text
        assert (back.moves, back.scores, back.wind) == (game.moves, game.scores, game.wind)
        assert back.facts == game.facts - REAL_WALL


def test_a_game_that_an_error_ended_cannot_be_written():
    game = next(game for game in golden_games() if max(game.scores) == 10)
    with pytest.raises(ProtocolError, match="expected a game that is won or drawn"):
        format_official(game)
