"""Draws winning hands whose fans a person counts, as practice in scoring."""

import random
from typing import TypedDict

from ...mahjong.fan import MIN_FAN, WinFacts, list_fans, sum_fans
from ...mahjong.rules import SEATS
from ...mahjong.tile import COPIES, TILE_NAMES

_SUITED, _SUIT, _SETS = 27, 9, 4
_CHOW_SHARE, _SELF_DRAWN_SHARE, _PATTERN_SHARE, _ONE_SUIT_SHARE = 0.5, 0.35, 0.5, 0.2
_MOST_OPEN = 3  # melds of a hand that is won


class ScoredWin(TypedDict):
    """Keeps a winning hand with its fans."""

    melds: list  # Tile names of each open meld.
    tiles: list  # Names of the concealed tiles in tile order, without the winning tile.
    win: str  # Name of the winning tile.
    is_self_drawn: bool
    seat_wind: int  # 0..3
    prevalent_wind: int  # 0..3
    fans: list  # [points of one copy, copies, Chinese name] of each fan.
    fan: int  # The sum of points x copies.


def draw_win(seed: int) -> ScoredWin:
    """Returns a random legal win of four sets and a pair. Three chows that make a fan together are frequent."""
    rng = random.Random(seed)
    while True:
        win = _draw_hand(rng)
        if win and win["fan"] >= MIN_FAN:
            return win


def _draw_pattern(rng):
    """Returns three chows of one suit or of three: a straight, shifted ones or equal ones."""
    suits = [rng.randrange(3)] * 3 if rng.random() < _ONE_SUIT_SHARE else rng.sample(range(3), 3)
    first = rng.randrange(_SUIT - 2)
    ranks = rng.choice(((0, 3, 6), [min(first, 4) + step for step in range(3)], [first] * 3))
    return [[suit * _SUIT + rank + step for step in range(3)] for suit, rank in zip(suits, ranks)]


def _draw_hand(rng):
    """Returns a ScoredWin of any fan; None for a hand with a fifth copy."""
    tiles = [suit * _SUIT + rank for suit in rng.sample(range(3), rng.choice((1, 2, 3))) for rank in range(_SUIT)]
    tiles += list(range(_SUITED, len(TILE_NAMES))) * rng.randrange(2)
    chows = [[tile, tile + 1, tile + 2] for tile in tiles if tile < _SUITED and tile % _SUIT < _SUIT - 2]
    sets = _draw_pattern(rng) if rng.random() < _PATTERN_SHARE else []
    while len(sets) < _SETS:
        sets.append(rng.choice(chows) if rng.random() < _CHOW_SHARE else [rng.choice(tiles)] * 3)
    rng.shuffle(sets)
    pair = [rng.choice(tiles)] * 2
    everything = sum(sets, pair)
    if max(map(everything.count, everything)) > COPIES:
        return None
    melds = sets[:rng.randrange(_MOST_OPEN + 1)]
    concealed = sum(sets[len(melds):], pair)
    winning = concealed.pop(rng.randrange(len(concealed)))
    is_self_drawn, seat, wind = rng.random() < _SELF_DRAWN_SHARE, rng.randrange(SEATS), rng.randrange(SEATS)
    # A meld is open whoever gave its tile.
    pack = tuple(("PENG" if len(set(meld)) == 1 else "CHI", TILE_NAMES[meld[1]], 1) for meld in melds)
    hand = [TILE_NAMES[tile] for tile in sorted(concealed)]
    fans = list_fans(pack, tuple(hand), TILE_NAMES[winning], WinFacts(
        is_self_drawn=is_self_drawn, seat_wind=seat, prevalent_wind=wind))
    return {"melds": [[TILE_NAMES[tile] for tile in meld] for meld in melds], "tiles": hand, "win": TILE_NAMES[winning],
            "is_self_drawn": is_self_drawn, "seat_wind": seat, "prevalent_wind": wind,
            "fans": [list(fan) for fan in fans], "fan": sum_fans(fans)}
