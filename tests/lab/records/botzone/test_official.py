"""The organisers' text format."""

import re
from dataclasses import replace

import pytest

from mj_bot.lab.records.follow import check_game
from mj_bot.lab.records.game_record import REAL_WALL
from mj_bot.lab.records.botzone.official import format_official, parse_official
from mj_bot.mahjong.errors import MahjongError, ProtocolError
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
    for game in whole_games()[::3]:
        text = format_official(game)
        back = parse_official(text)
        check_game(back)
        assert format_official(replace(back, name=game.name)) == text
        assert (back.moves, back.scores, back.wind) == (game.moves, game.scores, game.wind)
        assert back.facts == game.facts - REAL_WALL


@pytest.mark.parametrize("reason, place, line, message", [
    ("a word that is none", 8, "Player 1 Dance W1", "expected a line of a match, got 'Player 1 Dance W1' in line 18"),
    ("a line that is none", 8, "Nonsense", "expected Match, Wind, Player, Huang, Fan or Score, got 'Nonsense'"),
    ("no such tile", 6, "Player 0 Draw W0", "expected a tile, W1-W9 .*, got 'W0' in line 16 of here"),
    ("no such seat", 6, "Player 4 Draw W1", "expected a line of a match, got 'Player 4 Draw W1' in line 16"),
    ("another seat's draw", 6, "Player 2 Draw W1", "expected a draw of seat 0, got a draw of seat 2 in line 16"),
    ("no deal", 2, "Player 0 Deal W1", "expected one deal of 13 tiles for each seat, got seat 0 W1 in line 12"),
    ("no wind", 1, "Wind x", "expected a line of a match, got 'Wind x' in line 11"),
    ("no end", slice(20, None), [], "expected wind 0..3, four scores and an end, got .*no end"),
])
def test_lines_that_do_not_fit_are_named(reason, place, line, message):
    lines = format_official(whole_games()[0]).split("\n")
    lines[place] = line
    with pytest.raises(MahjongError, match=message):
        parse_official("\n".join(lines), first_line=10, where="here")


def test_a_claim_of_another_tile_is_refused():
    text = next(text for text in map(format_official, whole_games()) if " Peng J" in text)
    number = text[:text.index(" Peng J")].count("\n") + 1
    with pytest.raises(ProtocolError, match="expected the tile .., got 'W1' in line %d" % number):
        parse_official(re.sub(" Peng J.", " Peng W1", text, count=1))


def test_a_game_that_an_error_ended_cannot_be_written():
    game = next(game for game in golden_games() if max(game.scores) == 10)
    with pytest.raises(ProtocolError, match="expected a game that is won or drawn"):
        format_official(game)
