"""A study: the chance that a discard is won on, by 58 facts of an opponent and a tile and a small network.

Beside the facts of mj_bot/worth/danger.py: copies in the own hand, unseen copies beside the tile, when and where the
opponent discarded, what its melds want of the other suits.
"""

from math import exp

import numpy as np

from ....observation.layout import AT, CHOW, NONE, RIVER_SIZE, WALL_DRAWS
from ...engine.compile import jit, jit_part

FACTS = 58
_EARLY, _LATE, _LATELY = 6, 4, 8
# Rows of the table of an opponent: discards among its first, its last, all; melds by their middle tile, chows, others;
# discards of all since its own last one; of all lately; its discards by suit (early, late, all); its melds by suit
# (chows, others); numbers: discards, melds, and from 10 on chows by the rank of their middle tile.
_ROWS, _COLUMNS = 10, 36


def make_table():
    """What the risks of one observation are worked out in, float64; and room for the facts of a tile."""
    return np.zeros((3, _ROWS, _COLUMNS)), np.zeros(FACTS)


@jit_part
def _read_table(observation, table):
    clock = np.int64(observation[AT.discard_count])
    table[:] = 0.0
    for opponent in range(3):
        rows = table[opponent]
        first, count, last = RIVER_SIZE * (opponent + 1), 0, np.int64(-1)
        for at in range(first, first + RIVER_SIZE):
            if observation[AT.river_tile + at] < NONE:
                count += 1
                last = max(last, np.int64(observation[AT.river_time + at]))
        for place in range(count):
            tile = np.int64(observation[AT.river_tile + first + place])
            rows[2, tile] += 1
            rows[0, tile] += place < _EARLY
            rows[1, tile] += place >= count - _LATE
        for at in range(4 * RIVER_SIZE):
            tile = np.int64(observation[AT.river_tile + at])
            if tile < NONE:
                time = np.int64(observation[AT.river_time + at])
                rows[5, tile] += time > last
                rows[6, tile] += time >= clock - _LATELY
        for at in range(4 * (opponent + 1), 4 * (opponent + 1) + 4):
            kind, tile = observation[AT.meld_kind + at], np.int64(observation[AT.meld_tile + at])
            rows[9, 1] += kind > 0
            if kind > 0 and tile < NONE:
                rows[3 if kind == CHOW else 4, tile] += 1
                if kind == CHOW:
                    rows[9, 10 + tile % 9] += 1
        rows[9, 0] = count
        for tile in range(34):
            suit = tile // 9
            for row in range(3):
                rows[7, 4 * row + suit] += rows[row, tile]
            for row in range(2):
                rows[8, 4 * row + suit] += rows[3 + row, tile]


@jit_part
def _beside(row, tile, step):
    return row[tile + step] if tile < 27 and 0 <= tile % 9 + step < 9 else 0.0


@jit_part
def _write_facts(observation, table, opponent, tile, facts):
    rows = table[opponent]
    facts[:] = 0.0
    chows, others, suits = 0.0, 0.0, 0
    for suit in range(4):
        chows += rows[8, suit]
        others += rows[8, 4 + suit]
        suits += suit < 3 and rows[8, suit] + rows[8, 4 + suit] > 0
    _write_game(observation, rows, chows, suits, facts)
    suit = tile // 9
    _write_kind(observation, opponent, tile, suit, facts)
    _write_river(rows, tile, facts)
    count, total = rows[9, 0], chows + others
    own = rows[8, suit] + rows[8, 4 + suit]
    one_suit = own + (rows[8, 3] + rows[8, 7] if suit < 3 else 0.0)
    facts[43], facts[44], facts[45] = rows[7, 8 + suit] / (count + 1), rows[7, suit] / 4, rows[7, 4 + suit] / 3
    facts[46] = min(count, 15.0) / 10 if rows[7, 8 + suit] == 0 else 0.0
    facts[47], facts[48] = own / (total + 1), total >= 2 and one_suit == total
    facts[49] = total >= 1 and own == 0 and suit < 3
    facts[50], facts[51] = rows[3, tile], _beside(rows[3], tile, 1) + _beside(rows[3], tile, -1)
    facts[52], facts[53] = _beside(rows[4], tile, 1) + _beside(rows[4], tile, -1), rows[4, tile]
    if suit < 3:
        for step in range(-3, 4):
            if 0 <= tile % 9 + step < 9:
                facts[54 + abs(step)] += rows[9, 10 + tile % 9 + step]


@jit_part
def _write_game(observation, rows, chows, suits, facts):
    left = 0
    for seat in range(4):
        left += np.int64(observation[AT.walls + seat])
    progress, melds = 1 - left / (4 * WALL_DRAWS), int(rows[9, 1])
    facts[0] = 1.0
    if melds:
        facts[melds] = 1.0
    facts[5], facts[6], facts[7], facts[8] = progress, progress ** 2, progress * (melds >= 2), progress * (melds >= 3)
    facts[9], facts[10], facts[11], facts[12] = chows, suits, rows[8, 3] + rows[8, 7], rows[9, 0] / 20


@jit_part
def _write_kind(observation, opponent, tile, suit, facts):
    unseen, own = np.int64(observation[AT.unseen + tile]), observation[AT.hand + tile]
    if unseen < 4:
        facts[13 + unseen] = 1.0
    if suit == 3:
        wind = tile - 27
        facts[22 if tile >= 31 else 23] = 1.0
        facts[24] = wind == observation[AT.prevalent_wind]
        facts[25] = wind == (np.int64(observation[AT.seat_wind]) + opponent + 1) % 4
        facts[26] = unseen == 0
    else:
        facts[17 + min(tile % 9, 8 - tile % 9)] = 1.0
    facts[27], facts[28] = own >= 2, own >= 3
    for step in range(1, 3):
        copies = 0
        if suit < 3:
            copies += np.int64(observation[AT.unseen + tile + step]) if tile % 9 + step < 9 else 0
            copies += np.int64(observation[AT.unseen + tile - step]) if tile % 9 >= step else 0
        facts[28 + step] = copies / 8


@jit_part
def _write_river(rows, tile, facts):
    for place, row in enumerate((0, 2, 1, 5, 6)):
        facts[31 + place] = rows[row, tile] > 0
    for step in range(1, 4):
        for place, row in enumerate((0, 2)):
            facts[34 + 2 * step + place] = (_beside(rows[row], tile, step) > 0) + (_beside(rows[row], tile, -step) > 0)
    facts[42] = (_beside(rows[1], tile, 1) > 0) + (_beside(rows[1], tile, -1) > 0)


@jit
def list_facts(table, facts, observations, places, found):
    """Writes float32[K, FACTS] of places int64[K, 3]: an observation, an opponent, a tile; by rising observation."""
    last = -1
    for row in range(len(places)):
        if places[row, 0] != last:
            last = places[row, 0]
            _read_table(observations[last], table)
        _write_facts(observations[last], table, places[row, 1], places[row, 2], facts)
        for fact in range(FACTS):
            found[row, fact] = facts[fact]


@jit_part
def set_wide_risks(table, facts, observation, weights, danger, tiles, risks):
    """As danger.set_risks. weights: of the facts, then of each hidden unit those of the facts and its own."""
    _read_table(observation, table)
    risks[:] = 0.0
    hidden = (len(weights) - FACTS) // (FACTS + 1)
    for opponent in range(3):
        for tile in range(34):
            if not tiles >> tile & 1:
                continue
            _write_facts(observation, table, opponent, tile, facts)
            logit = 0.0
            for fact in range(FACTS):
                logit += weights[fact] * facts[fact]
            for unit in range(hidden):
                first, value = FACTS + unit * (FACTS + 1), 0.0
                for fact in range(FACTS):
                    value += weights[first + fact] * facts[fact]
                if value > 0:
                    logit += value * weights[first + FACTS]
            risks[tile] += 1 / (1 + exp(-logit))
    for tile in range(34):
        risks[tile] = min(1.0, danger * risks[tile])
