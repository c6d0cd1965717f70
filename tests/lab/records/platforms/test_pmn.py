"""Games in PMN: golden games written in it, and what cannot be read exactly."""

from mj_bot.lab.records.botzone.official import format_official
from mj_bot.lab.records.follow import check_game
from mj_bot.lab.records.platforms.pmn import parse_pmn
from mj_bot.lab.records.source import read_games
from tests.golden_games import SAMPLES
from tests.lab.records.games import whole_games

TEXT = (SAMPLES / "game.pmn").read_text(encoding="utf-8")
LETTERS = {"Draw": "T", "Play": "D", "Chi": "C", "Peng": "P", "Gang": "Z", "AnGang": "A", "BuGang": "B", "Hu": "H"}
SUITS = dict(zip("WBTFJ", "cdbwr"))


def write_pmn(game):
    """Returns a game in PMN, with the sum of its fans as one fan of this number."""
    deals, moves = [], ""
    for line in format_official(game).splitlines():
        words = line.partition(" Ignore")[0].split()
        if words[0] == "Player" and words[2] == "Deal":
            deals.append("".join("%s%s" % (suit, "".join(tile[1] for tile in words[3:] if tile[0] == name))
                                 for name, suit in SUITS.items()) + "f")
        elif words[0] == "Player":
            tile = SUITS[words[3][0]] + words[3][1]
            is_drawn = words[2] == "Play" and moves[-4:] == "T%s%s" % (words[1], tile)
            moves += LETTERS[words[2]] + words[1] + ("z1" if is_drawn else "" if words[2] == "Hu" else tile)
    return '[Event "x"]\n[PWind "%s"]\n[Deal "%s"]\n[Result "%s"]\n[Play "%s"]\n' % (
        "ESWN"[game.wind], " ".join(deals), " ".join(map(str, game.scores)), moves)


def test_golden_games_in_this_notation():
    """The last tile of one wall comes at another time than that of four walls, so these games are left out."""
    games, letters = [], set()
    for game in whole_games():
        text = format_official(game)
        if "海底捞月" not in text and "妙手回春" not in text and "Huang" not in text and len(games) < 60:
            games.append(game)
    read = list(read_games("a.pmn", "\n".join(map(write_pmn, games)).encode()))
    assert [str(game.error) for game in read] == ["None"] * len(games)
    for game, other in zip(games, read):
        letters |= set(write_pmn(game).partition("Play")[2])
        assert other.record.scores == list(game.scores)
    assert set("TDCPZABH") <= letters


def test_flowers_are_replaced():
    """A flower of the deal, and one that is drawn."""
    text = TEXT.replace("c6d128b1144899w3r2f", "c6d128b114489w3r2f1").replace('"T0d2', '"R0f1T0b9T0d2')
    text = text.replace("T2w4", "T2f2R2f2T2w4")
    game = parse_pmn(text)
    assert check_game(game).fans and game.flowers == ((0, 0, 1), (2, 2, 2))


def test_the_game_of_the_sample():
    game = parse_pmn(TEXT)
    assert (game.scores, game.fan, game.players) == ((-21, 63, -21, -21), 13, ("A", "B", "C", "D"))
    assert sum(points * copies for points, copies, _ in check_game(game).fans) == 13
