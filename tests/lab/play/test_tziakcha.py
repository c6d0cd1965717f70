"""New matches by the rules of tziakcha.net."""

from mj_bot.lab.play.tziakcha import Session, deal_flowers
from mj_bot.lab.records.source import read_games
from tests.lab.play.games import OPPONENTS, play_on


def test_each_flower_comes_once_and_in_order():
    deals = [deal_flowers(seed) for seed in range(200)]
    for flowers in deals:
        assert sorted(number for _, _, number in flowers) == list(range(1, 9))
        assert flowers == sorted(flowers, key=lambda flower: flower[0])
        assert all((seat is None) == (draws > 0) and draws <= 84 for draws, seat, _ in flowers)
    in_the_deal = sum(draws == 0 for flowers in deals for draws, _, _ in flowers) / len(deals)
    assert 2.5 < in_the_deal < 3.6, "52 of 144 places, and what replaces them"


def test_a_match_has_flowers_one_wall_and_rounds(tmp_path):
    """And its records can be read, undone and played on from."""
    session = Session(OPPONENTS, "random", str(tmp_path / "played"))
    shown = session.begin(4, 1, True, games=5)
    winds = []
    for hand in range(5):
        shown = shown if hand == 0 else session.go_on(shown["sequence"])
        position = shown["frames"][-1]["position"]
        winds.append(position["wind"])
        assert position["left"] > 80 and ["flowers", 8] in shown["rules"]
        shown, _ = play_on(session, shown)
        game, = read_games(shown["saved"])
        assert game.error is None and game.record.has_one_wall and sum(shown["match"]["rows"][-1]) == 0
        assert game.record.list_flowers()
    assert winds == [0, 0, 0, 0, 1]
    shown = session.undo(shown["sequence"])
    assert shown["legal"]
    assert session.resume(shown["sequence"], "game-1")["legal"]
