"""Players, walls and seatings of a match."""

import collections

import pytest

from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.table.walls import wall_from_seed, wind_from_seed


@pytest.mark.parametrize("players, rotations, count", [
    (["a", "b"], 24, 6), (["a", "b"], 4, 4), (["a", "b", "b", "b"], 24, 4), (["a", "b", "b", "b"], 4, 4),
    (["a", "b", "a", "b"], 4, 2), (["a", "b", "c", "d"], 24, 24), (["a", "b", "c", "d"], 4, 4),
    (["a", "a", "b", "c"], 24, 12),
])
def test_the_seatings_differ_and_share_the_seats_out_evenly(players, rotations, count):
    match = make_match(players, rotations=rotations)
    assert len(match.seatings) == len(set(match.seatings)) == count
    assert match.seatings[0] == match.lineup
    for seat in range(4):
        games = collections.Counter(seating[seat] for seating in match.seatings)
        assert {player: games[player] * 4 for player in games} == \
            {player: match.lineup.count(player) * count for player in range(len(match.names))}
    assert match.seats_per_wall == [match.lineup.count(player) * count for player in range(len(match.names))]


def test_all_seatings_see_every_player_before_and_after_every_other_as_often():
    match = make_match(["a", "b", "c", "d"])
    followers = collections.Counter((seating[seat], seating[(seat + 1) % 4])
                                    for seating in match.seatings for seat in range(4))
    assert set(followers.values()) == {8} and len(followers) == 12


def test_walls_follow_the_seed_and_the_winds_take_turns():
    match = make_match(["a", "b"], seed=7)
    seed = (7 << 32) + 5
    assert match.wall(5) == (wall_from_seed(seed), 1) == (wall_from_seed(seed), wind_from_seed(seed))
    assert [match.wall(number)[1] for number in range(6)] == [0, 1, 2, 3, 0, 1]


def test_two_of_the_same_are_told_apart():
    match = make_match(["a", "a"])
    assert (match.names, match.specs, match.lineup) == (("a", "a#2"), ("a", "a"), (0, 0, 1, 1))
