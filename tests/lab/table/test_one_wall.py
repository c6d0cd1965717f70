"""The referee of games on one wall with flowers, and what the player's state makes of its requests."""

from dataclasses import replace

import pytest

from mj_bot.lab.records.builder import GameBuilder
from mj_bot.lab.records.follow import check_game, follow_game
from mj_bot.lab.table.one_wall import DRAWS, place_of_draw
from mj_bot.lab.table.record import lay_wall
from mj_bot.mahjong.errors import IllegalActionError, InvalidHandError, InvalidTileError
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import TILE_NAMES
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
        builder.draw(seat, tile)
        builder.discard(seat, tile)
        if is_claimed:
            seat -= 1
            builder.claim(seat, "PENG", tile)
            builder.discard(seat, others[seat].pop())
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
])
def test_walls_that_are_none(reason, dealt, draws, error, message):
    with pytest.raises(error, match=message):
        lay_wall([dealt] * 4, "here", draws)


def test_every_seat_knows_its_flowers_and_what_is_left():
    """As the referee has them, at every request; and which wins its flowers do not bring to eight."""
    for game in map(read, load_made()[:4]):
        states = [GameState() for _ in range(4)]

        def see(referee, responses, states=states):
            for state, request, response in zip(states, referee.requests, responses):
                state.apply(request)
                if state.shared_wall is not None:
                    assert state.walls == referee.wall_sizes
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
