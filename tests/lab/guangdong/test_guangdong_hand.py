"""Wins with wild tiles against brute force, steps against the search of a win, and the worked examples."""

import itertools
import math
import random

import numpy as np
import pytest

from mj_bot.lab.guangdong.guangdong_rules import DEFAULTS, compute_wild, list_times, parse_settings
from mj_bot.mahjong.tile import TILE_INDEX, parse_counts
from tests.lab.guangdong import plain
from tests.lab.guangdong.plain import count_steps
from tests.winning_hands import ORPHANS, draw_set

WILD = compute_wild(DEFAULTS, 0)


def draw_hands(count, most_wilds, seed):
    """Yields (counts by kind, sets) of hands with 0 .. most_wilds wild tiles and 0 .. 4 melds: alternately any tiles,
    and sets with a pair, of which some tiles are wild and at times one is exchanged."""
    rng = random.Random(seed)
    deck = [tile for tile in range(34) if not WILD >> tile & 1 for _ in range(4)]
    for place in range(count):
        need = rng.choice((4, 4, 4, 3, 2, 1, 0))
        size = 3 * need + 2
        wild = min(rng.randint(0, most_wilds), size)
        if place % 2:
            tiles = rng.sample(deck, size - wild)
        else:
            while True:
                tiles = sum([draw_set(rng, deck) for _ in range(need)], [rng.choice(deck)] * 2)
                if max(map(tiles.count, tiles)) <= 4:
                    break
            rng.shuffle(tiles)
            tiles = tiles[wild:]
            if tiles and rng.random() < 0.5:
                tiles[0] = rng.choice([tile for tile in deck if tiles.count(tile) < 4])
        counts = np.bincount(tiles, minlength=34).tolist()
        counts[TILE_INDEX["J1"]], counts[TILE_INDEX["J3"]] = min(wild, 4), max(wild - 4, 0)
        yield counts, need


@pytest.mark.parametrize("count, most_wilds, seed", [
    (1000, 3, 1), (10, 8, 2), *(pytest.param(*case, marks=pytest.mark.slow) for case in ((20_000, 4, 3), (200, 8, 4)))])
def test_wins_are_those_of_brute_force(count, most_wilds, seed):
    wins = 0
    for counts, sets in draw_hands(count, most_wilds, seed):
        is_win = plain.is_complete(counts, WILD, sets)
        assert (count_steps(counts, 4 - sets)[0] < 0) == is_win, (counts, sets)
        wins += is_win
    assert 0.2 * count < wins < 0.9 * count


@pytest.mark.parametrize("text", [
    *(pytest.param(name + "=1", marks=pytest.mark.slow) for name in ("seven_pairs", "thirteen_orphans", "four_reds")),
    "", "seven_pairs=1,thirteen_orphans=1,four_reds=1"])
def test_steps_and_useful_tiles_follow_from_wins(text):
    """A hand of 13 is ready where a tile completes it, and n steps away where an exchange leaves n - 1; useful tiles
    are those after which it is nearer."""
    settings = parse_settings(text)
    rng = random.Random(5)
    decks = [[tile for tile in range(34) for _ in range(4)], [tile for tile in ORPHANS for _ in range(4)]]
    drawn = []
    for number in range(60):
        meld_count = rng.choice((0, 0, 2, 3))
        tiles = rng.sample(decks[number % 2], 13 - 3 * meld_count)
        drawn.append((np.bincount(tiles, minlength=34).tolist(), meld_count))
    for counts, sets in draw_hands(60, 3, 6):
        counts[rng.choice([tile for tile in range(34) if counts[tile]])] -= 1
        drawn.append((counts, 4 - sets))
    for counts, meld_count in drawn:
        steps, useful = count_steps(counts, meld_count, settings)
        assert useful == [tile for tile in range(34)
                          if counts[tile] < 4 and reach(counts, tile, meld_count, settings) < steps]
        assert steps < 1 or useful or max(counts) == 4


def reach(counts, tile, meld_count, settings):
    """Fewest steps after a tile is drawn and the best one discarded; -1 for a win, by the search of the plain game."""
    counts = list(counts)
    counts[tile] += 1
    if plain.is_complete(counts, WILD, 4 - meld_count) or wins_by_force(settings, counts):
        return -1
    best = 99
    for other in range(34):
        if counts[other]:
            counts[other] -= 1
            best = min(best, count_steps(counts, meld_count, settings)[0])
            counts[other] += 1
    return best


def wins_by_force(settings, counts):
    """Whether 14 tiles win by another shape than four sets, each wild one tried as every kind that may help."""
    if settings.four_reds and counts[TILE_INDEX["J1"]] == 4:
        return True
    tiles = [tile for tile in range(34) for _ in range(counts[tile]) if not WILD >> tile & 1]
    wilds = sum(counts) - len(tiles)
    if len(tiles) + wilds != 14:
        return False
    singles = [tile for tile in set(tiles) if tiles.count(tile) % 2]
    return bool(
        settings.seven_pairs and any(all((tiles + more).count(tile) % 2 == 0 for tile in tiles + more)
                                     for more in replace(wilds, singles + [0]))
        or settings.thirteen_orphans and set(tiles) <= set(ORPHANS) and any(
            set(tiles + more) == set(ORPHANS) for more in replace(wilds, sorted(set(ORPHANS) - set(tiles)) + [0])))


def replace(wilds, kinds):
    return map(list, itertools.combinations_with_replacement(kinds, wilds))


@pytest.mark.parametrize("setting, text, wins", [
    ("thirteen_orphans", "W19 T19 B19 F1234 J1223", True), ("thirteen_orphans", "W19 T19 B19 F1234 J2 J111", True),
    ("thirteen_orphans", "W119 T19 B1 F1234 J12 J33", True), ("thirteen_orphans", "W119 T119 B19 F1234 J12", False),
    ("thirteen_orphans", "W129 T19 B19 F1234 J123", False), ("seven_pairs", "W1122 T3344 B5566 F11", True),
    ("seven_pairs", "W1122 T3344 B5566 F1 J1", True), ("seven_pairs", "W1111 T3344 B5566 F11", True),
    ("seven_pairs", "W1122 T3344 B5567 F1 J1", False), ("four_reds", "W147 T258 B369 F1 J1111", True),
    ("four_reds", "W147 T258 B369 F12 J111", False)])
def test_other_shapes_win_where_they_are_switched_on(setting, text, wins):
    assert (count_steps(parse_counts(text), 0, parse_settings(setting + "=1"))[0] == -1) == wins
    assert count_steps(parse_counts(text))[0] > -1


@pytest.mark.parametrize("text", ["T123789 B456 W12399", "T111333555 B777 F11", "T123555789 B77788",
                                  "T123789 B46 W12399 J1", "F1111 W123 T123 F22 J11"])
def test_complete_hands(text):
    """Worked examples; in the last one a wild tile is the fifth of its kind."""
    assert count_steps(parse_counts(text)) == (-1, [])
    assert plain.is_complete(parse_counts(text), WILD, 4)


@pytest.mark.parametrize("text, meld, settings, times", [
    ("W123456789 T123 F11", "", "", 2),
    ("W123456789 T12 F11 J1", "", "", 1),
    ("W123456789 W234 W55", "", "flush_times=4", 8),
    ("W12345678 W234 W55 J1", "", "flush_times=4", 4),
    ("W123456 W22", "W9", "flush_times=4", 8),
    ("W123456 W22", "T9", "flush_times=4", 2),
    ("F111222333 J22", "F4", "flush_times=4", 8),
    ("W123456789 F111 J22", "", "flush_times=4", 2),
    ("W111 T222 B33 F11 J1", "F2", "claim_wild=1", 1),
    ("W111 T222 B333 F11", "J1", "claim_wild=1", 1),
    ("W1122 T3344 B5566 F11", "", "seven_pairs=1,seven_pairs_times=3", 6),
    ("W111 T222 B333 F111 J22", "", "pungs_times=2", 4),
    ("W111 T222 B33 F111 J122", "", "pungs_times=2", 2),
    ("W111 T222 B345 F111 J22", "", "pungs_times=2", 2),
    ("W1111 W22 F22 J3333 J11", "", "pungs_times=3,seven_pairs=1,seven_pairs_times=2", 3),
    ("W1111 W22 F22 J3333 J11", "", "pungs_times=2,seven_pairs=1,seven_pairs_times=3", 3),
    ("W123456789 F111 J22", "", "half_flush_times=2", 4),
    ("W123456789 W222 W55", "", "half_flush_times=2", 2),
    ("W123456 W22", "F2", "half_flush_times=2,flush_times=4", 4),
    ("W123456 T111 F11 J2 J22", "", "half_flush_times=2", 2),
])
def test_times_of_a_win(text, meld, settings, times):
    melds = 1 << TILE_INDEX[meld] if meld else 0
    counts, more = parse_counts(text), ",kong_draw_times=7,last_tile_times=11"
    assert math.prod(list_times(parse_settings(settings), counts, WILD, melds, False, False)) == times
    assert math.prod(list_times(parse_settings(settings + more), counts, WILD, melds, True, True)) == times * 77
