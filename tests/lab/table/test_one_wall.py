"""The referee of games on one wall with flowers, and what the player's state makes of its requests."""

from dataclasses import replace

import pytest

from mj_bot.lab.records.builder import GameBuilder
from mj_bot.lab.records.follow import check_game, follow_game, game_from_record
from mj_bot.lab.records.source import read_games
from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.one_wall import DRAWS, deal_flowers, make_referee, place_of_draw
from mj_bot.lab.table.players import Answer, make_player
from mj_bot.lab.table.record import lay_wall
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.mahjong.errors import IllegalActionError, InvalidHandError, InvalidTileError
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.lab.records.botzone.match_log import format_log
from tests.lab.play.games import stack_one_wall
from tests.lab.records.platforms.test_tziakcha import load_made, read


def many_discards():
    """A drawn Game in which seats 0 and 1 lay four pungs of their next seats' tiles; all discard what they draw."""
    builder = GameBuilder("many discards")
    builder.is_shared = True
    pungs = [["F1", "F2", "F3", "F4"], ["J1", "J2", "J3", "W9"]]
    rest = [name for name in TILE_NAMES for _ in range(4) if name not in sum(pungs, [])]
    others = [[rest.pop() for _ in range(5)], [rest.pop() for _ in range(5)]]
    deals = [2 * pungs[0] + others[0], 2 * pungs[1] + others[1]] + [[rest.pop(0) for _ in range(13)] for _ in range(2)]
    for seat, tiles in enumerate(deals):
        builder.deal(seat, tiles)
        builder.flower(seat, seat + 1)
    rest, seat = rest[::2] + rest[1::2] + sum(pungs, []), 0
    for _ in range(DRAWS):
        is_claimed = seat in (1, 2) and bool(pungs[seat - 1])
        tile = (pungs[seat - 1] if is_claimed else rest).pop(0)
        builder.take("DRAW", seat, tile)
        builder.take("PLAY", seat, tile)
        if is_claimed:
            seat -= 1
            builder.take("PENG", seat, tile)
            builder.take("PLAY", seat, others[seat].pop())
        seat = (seat + 1) % 4
    builder.drawn_out()
    return builder.finish([0] * 4, 0, "many discards")


def test_draws_lie_where_the_deal_does_not():
    assert sorted(place_of_draw(number) % 34 for number in range(DRAWS)) == sorted(list(range(21)) * 4)


@pytest.mark.parametrize("reason, dealt, draws, error, message", [
    ("a short deal", ["W1"] * 12, [], InvalidHandError, "expected deals of 13 tiles"),
    ("too many draws", ["W1"] * 13, ["W1"] * 85, InvalidHandError, "at most 84 draws"),
    ("five of a kind", ["W1"] * 13, [], InvalidHandError, "expected four W1 in a wall, got 52 rebuilt from here"),
    ("no tile", ["X1"] * 13, [], InvalidTileError, "got 'X1'"),
    ("more than a seat's own wall has", ["W1"] * 35, None, InvalidHandError, "at most 21 draws of seat 0, .*, got 22"),
])
def test_walls_that_are_none(reason, dealt, draws, error, message):
    with pytest.raises(error, match=message):
        lay_wall([dealt] * 4, "here", draws)


def test_every_seat_knows_its_flowers_and_what_is_left():
    """As the referee has them, at every request; and which wins its flowers do not bring to eight."""
    for game in map(read, load_made()[:4]):
        states = [GameState() for _ in range(4)]

        def see(referee, responses, place, states=states):
            for state, request, response in zip(states, referee.requests, responses):
                state.apply(request)
                if state.shared_wall is not None:
                    assert state.walls == referee.walls_left
                    assert [player.n_flowers for player in state.players] == referee.flower_counts
                state.answer(response)

        referee = follow_game(game, see)
        if referee.verdict == "HU":
            shown = referee.display()
            assert shown["fanCnt"] == game.fan + game.winner_flowers
            assert (shown["fan"][-1]["name"] == "花牌") == bool(game.winner_flowers)


def test_a_flower_of_another_seat_is_refused():
    game = next(game for game in map(read, load_made()) if game.flowers[-1][0])
    draws, seat, number = game.flowers[-1]
    with pytest.raises(IllegalActionError, match="expected a flower of seat %d, got one of seat %d" % (
            seat, (seat + 1) % 4)):
        check_game(replace(game, flowers=game.flowers[:-1] + ((draws, (seat + 1) % 4, number),)))


def test_each_flower_comes_once_and_in_order():
    deals = [deal_flowers(seed) for seed in range(200)]
    for flowers in deals:
        assert sorted(number for _, _, number in flowers) == list(range(1, 9))
        assert flowers == sorted(flowers, key=lambda flower: flower[0])
        assert all((seat is None) == (draws > 0) and draws <= DRAWS for draws, seat, _ in flowers)
    in_the_deal = sum(draws == 0 for flowers in deals for draws, _, _ in flowers) / len(deals)
    assert 2.5 < in_the_deal < 3.6, "52 of 144 places, and what replaces them"


class Hasty(object):
    """Sits in seat 0 and declares a win on each tile, whatever the hand counts."""

    name = "hasty"

    def begin(self):
        """Sits down."""

    end = begin

    def respond(self, request):
        return Answer("HU" if request.startswith("2 ") or (" PLAY " in request and request[2] != "0") else "PASS")


def test_a_game_goes_on_after_false_wins(tmp_path):
    """Each costs 30 points, the drawn tile is discarded, and the record can be checked."""
    players = [Hasty(), *(make_player("random:seed=%d" % seed) for seed in range(3))]
    record = play_game(players, wall_from_seed(3), 0, flowers=deal_flowers(3))
    assert record.closing["action"] in ("HU", "HUANG")
    count = -record.origin["penalties"][0] // 30
    assert count > 10 and record.origin["penalties"] == [-30 * count] + [10 * count] * 3 and sum(record.scores) == 0
    assert all(step.answers[0].response != "HU" for step in record.steps)
    (tmp_path / "game.json").write_text(format_log(record), encoding="utf-8")
    game, = read_games(str(tmp_path / "game.json"))
    assert game.error is None and game.record.scores == record.scores
    check_game(game_from_record(game.record))


def test_a_true_win_is_read_before_a_false_one():
    wall = stack_one_wall("W1 W1 W1 W2 W3 W4 W5 W6 W7 W8 W9 W9 W9", "F1")
    referee = make_referee(wall, 0, [])
    for answers in (["PASS"] * 4, ["PASS"] * 4):
        referee.step(answers)
    assert referee.settle_false_wins(["HU", "HU", "PASS", "PASS"]) == ["PLAY F1", "HU", "PASS", "PASS"]
    assert referee.false_wins == [1, 0, 0, 0]
    referee.step(["PLAY W5", "PASS", "PASS", "PASS"])
    assert referee.settle_false_wins(["PASS", "HU", "PASS", "PASS"]) == ["PASS"] * 4
    assert referee.list_penalties() == [-20, -20, 20, 20]
