"""Counts what the hand is after an action, on the tiles that its seat sees, for any tactic.

Facts of an action:

    shanten     of the hand after it, -1 for a win
    useful      list of [tile name, copies unseen] of the tiles that lower the shanten
    eight       tiles that the hand misses until it waits for a win with eight fan: 0 where it waits for one, -1 for a
                win, null where none is in reach
    nearer      list of [tile name, copies unseen] of the tiles that lower `eight`
    wins        list of [tile name, copies unseen, fan on a discard, fan by self-draw] of the tiles that win with eight
                fan or more, null for a way that has fewer; [] for a hand that is not ready
    fans        of each tile in wins [fans on a discard, fans by self-draw], each a list of [points, copies, the judge's
                name] without flowers; null for a way that has fewer than eight fan
    aims        list of [fan, tiles], the nearest first: the missing tiles of the nearest hand that wins with this fan,
                by the judge's name, and with eight fan in all on any discard. An open hand of a fan of six may need
                more tiles than that. The list has the fans up to one tile farther than the nearest; remarks.py names
                those of NAMED tiles at most
    danger      list of 4 chances that a seat wins on the discard of the action; null without a discard
"""

import copy
from functools import cache
from typing import Any, Optional

import numpy as np

from ...mahjong.fan import WinFacts, list_fans
from ...mahjong.opening import hand_after, split_discard
from ...mahjong.rules import SEATS, is_fourth_tile
from ...mahjong.shanten import discard_table, useful_tiles
from ...mahjong.state import GameState
from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT, TILE_NAMES, list_tiles
from ...observation.encoder import encode_observation
from ...observation.openings import fill_opening, make_openings
from ...tactic.winning_families import (
    ALL_FAMILIES,
    FAMILIES,
    FAMILY_COUNT,
    MOST,
    OUT_OF_REACH,
    change_tile,
    cost_families,
    make_hand,
    set_hand,
)
from ...worth.danger import DANGER_WEIGHTS, DANGER_FEATURES, list_features, seat_chances
from ...worth.patterns import BASE_PAY
from ...worth.waits import list_waits
from ..table.fan_names import ENGLISH_FANS

# Fans that are at most this many tiles farther than the nearest are in reach.
_BEYOND = 1
# A remark names a fan that misses at most this many tiles: farther ones are no plan.
NAMED = 3
# Costs for winning_families: each missing tile counts the same, and too few fans rule a hand out.
_PLAIN_COSTS = (OUT_OF_REACH,) + (1000,) * 4 + (OUT_OF_REACH, OUT_OF_REACH)
_JUDGE_NAMES = {english.lower(): name for name, english in ENGLISH_FANS.items()}


class Facts(object):
    """Lists the facts of the actions of a GameState; the tables of each opening are made once.

    An opening is an action without its discard: ("PLAY",), ("CHI", "W2") or another claim.
    """

    def __init__(self, state: GameState):
        self._state = state
        self._look_ahead, self._table, self._danger, self.list_draws = map(cache, (
            self._describe_after, self._make_table, self._compute_danger, self._list_draws))

    def list_discards(self) -> list[list]:
        """Returns a list for each tile that may be discarded now.

        It is [tile name, danger, eight, copies, shanten, the chance of each seat to win on the tile]. danger: sum of
        these chances, at most 1. copies: unseen tiles that win with eight fan, or where none does, that lower `eight`.
        In Guangdong mahjong danger and chances are null.
        """
        dangers = self._danger(("PLAY",)).sum(axis=0)
        listed = []
        for tile, (shanten, _) in self._table(("PLAY",)).items():
            facts = self._look_ahead(("PLAY",), tile)
            listed.append([TILE_NAMES[tile], round(min(1.0, float(dangers[tile])), 4), facts["eight"],
                           count_copies(facts["wins"] or facts["nearer"]), shanten,
                           self._list_danger(("PLAY",), tile)])
        return listed

    def describe(self, action: tuple) -> dict[str, Any]:
        """Returns the facts of a legal action, by the names at the top of this file."""
        if action[0] == "HU":
            return {"shanten": -1, "useful": [], "eight": -1, "nearer": [], "wins": [], "fans": [], "aims": [],
                    "danger": None}
        opening, discard = split_discard(action)
        return dict(self._look_ahead(opening, discard),
                    danger=None if discard is None else self._list_danger(opening, discard))

    def list_signs(self, action: tuple, seat: int) -> list[list]:
        """Lists what makes a discard dangerous for a seat, or safe.

        action: with a discard. Returns a list of ["melds", how many the seat has], from two on; ["suit"], they are all
        of the discard's suit or of honours; ["discarded"], the seat discarded it; ["passed"], the seat let it pass
        since its last discard; ["unseen", copies of the tile].
        """
        opening, discard = split_discard(action)
        offset = (seat - self._state.my_pid) % SEATS
        signs = dict(zip(DANGER_FEATURES, list_features(self._observe(opening))[offset - 1, discard]))
        melds = len(self._state.players[seat].melds)
        named = (("suit", "melds of one suit"), ("discarded", "discarded by it"), ("passed", "let pass by it"))
        return ([["melds", melds]] if melds >= 2 else []) + [[name] for name, sign in named if signs[sign]] + [
            ["unseen", self._state.unseen[discard]]]

    def _list_draws(self, action: tuple) -> dict[int, list]:
        """Returns {drawn tile 0..33: wins of the best ready hand after this draw}; a draw that makes none has no entry.

        action: comes before the draw. wins: as the fact of this name at the top of this file.
        """
        opening, discard = split_discard(action)
        counts, melds = hand_after(self._state, opening, discard)
        counts, draws = list(counts), {}
        for tile, copies in enumerate(self._state.unseen):
            if not copies:
                continue
            counts[tile] += 1
            for discarded, (shanten, _) in discard_table(counts, len(melds)).items():
                if shanten == 0:
                    counts[discarded] -= 1
                    wins = [[TILE_NAMES[wait], self._state.unseen[wait] - (wait == tile), *fans]
                            for wait, *fans in list_waits(self._state, counts, melds)]
                    counts[discarded] += 1
                    draws[tile] = max(draws.get(tile, []), wins, key=weigh_wins)
            counts[tile] -= 1
        return draws

    def count_unseen(self, tile: int) -> int:
        """Returns the copies of a tile 0..33 that the seat of the state does not see."""
        return self._state.unseen[tile]

    def _describe_after(self, opening: tuple, discard: Optional[int]) -> dict[str, Any]:
        """Returns the facts of the hand after an opening, without the danger. discard: 0..33, None for no discard."""
        counts, melds = hand_after(self._state, opening, discard)
        return describe_hand(self._state, counts, melds,
                             useful=None if discard is None else self._table(opening)[discard])

    def _make_table(self, opening: tuple) -> dict:
        """Returns {discard 0..33: (shanten, useful tiles)} after an opening."""
        counts, melds = hand_after(self._state, opening)
        return discard_table(counts, len(melds))

    def _compute_danger(self, opening: tuple) -> np.ndarray:
        """Returns float[3, 34], the chances of the other seats, from the next one on, to win on a discard."""
        return seat_chances(self._observe(opening), DANGER_WEIGHTS)

    def _observe(self, opening: tuple) -> np.ndarray:
        """Returns the observation after an opening, uint8[OBSERVATION_SIZE]."""
        return encode_observation(self._state, None if opening == ("PLAY",) else opening)

    def _list_danger(self, opening: tuple, discard: int) -> list[float]:
        """Returns the chance of each seat 0..3 to win on a discard 0..33 after an opening; 0 for the own seat."""
        danger = [0.0] * SEATS
        for offset, chance in enumerate(self._danger(opening)[:, discard], start=1):
            danger[(self._state.my_pid + offset) % SEATS] = round(float(chance), 4)
        return danger


def describe_hand(
        state: GameState, counts: list[int], melds: list, *, useful: Optional[tuple] = None) -> dict[str, Any]:
    """Returns the facts of a hand but its danger, by the names at the top of this file.

    state: for the unseen tiles. counts: list[34], 13 less 3 a meld. melds: list of Meld.
    useful: (shanten, tiles that lower it) where they are known.
    """
    shanten, useful = useful or useful_tiles(counts, len(melds))
    aims, nearer = list_aims(counts, melds, state.unseen)
    fewest = aims[0][1] if aims else 0
    waits = list_waits(state, counts, melds) if shanten == 0 else []
    wins = [[TILE_NAMES[tile], state.unseen[tile], *fans] for tile, *fans in waits]
    fans = [[fan and list(map(list, _list_fans(state, counts, melds, tile=tile, is_self_drawn=bool(way))))
             for way, fan in enumerate(sums)] for tile, *sums in waits]
    return {"shanten": shanten, "useful": _count(state, useful), "eight": 0 if wins else fewest - 1 if aims else None,
            "nearer": _count(state, nearer), "wins": wins, "fans": fans,
            "aims": [[_JUDGE_NAMES[fan], missing] for fan, missing in aims if missing <= fewest + _BEYOND]}


def list_aims(counts: list[int], melds: list, unseen: list[int]) -> tuple[list, list[int]]:
    """Returns the families of winning hands in reach, and the tiles that bring one of the nearest nearer.

    The first is a list of (family, missing tiles of its nearest hand), the nearest first. The second is a list of
    0..33.
    counts: list[34], 13 less 3 for each meld. melds: list of Meld. unseen: list[34], copies that may still come.
    """
    hand, openings = make_hand(_PLAIN_COSTS), make_openings()
    fill_opening(openings, counts, melds, unseen=unseen)
    laid = set_hand(hand, openings, 0)
    costs, after = np.zeros(FAMILY_COUNT), np.zeros(FAMILY_COUNT)
    cost_families(hand, laid, costs, MOST, ALL_FAMILIES)
    least = costs.min()
    if least >= OUT_OF_REACH:
        return [], []
    # Only a nearest family that costs less matters. Interpreted, all families would take several times as long.
    limit = (int(least) // 1000 + 1) * 1000
    nearest = costs < limit
    wanted = sum(1 << family for family in np.flatnonzero(nearest).tolist())
    shares = [copy.deepcopy(hand.shares[suit]) for suit in range(3)]
    nearer = []
    for tile in range(TILE_COUNT):
        if unseen[tile]:
            price = copy.copy(hand.prices[tile])
            hand.unseen[tile] -= 1
            change_tile(hand, tile, 1)
            cost_families(hand, laid, after, limit, wanted)
            if (after < costs)[nearest].any():
                nearer.append(tile)
            hand.unseen[tile] += 1
            hand.counts[tile] -= 1
            hand.prices[tile][:] = price
            if tile < FIRST_HONOUR:
                _restore(hand.shares[tile // 9], shares[tile // 9])
    aims = [(name, int(costs[family]) // 1000) for family, name in enumerate(FAMILIES) if costs[family] < OUT_OF_REACH]
    return sorted(aims, key=lambda aim: aim[1]), nearer


def _restore(rows: list, kept: list) -> None:
    """Writes values of a copy back into the lists that it was made of."""
    for row, values in zip(rows, kept):
        row[:] = values


def _list_fans(state: GameState, counts: list[int], melds: list, *, tile: int, is_self_drawn: bool) -> list:
    """Returns the fans of a hand that wins on a tile 0..33: a list of (points, copies, the judge's name)."""
    pack = tuple(meld.as_pack(state.my_pid) for meld in melds)
    return list_fans(pack, tuple(list_tiles(counts)), TILE_NAMES[tile], WinFacts(
        is_self_drawn=is_self_drawn, is_fourth_tile=is_fourth_tile(state.shown, tile), seat_wind=state.my_pid,
        prevalent_wind=state.prevalent_wind))


def _count(state: GameState, tiles: list[int]) -> list[list]:
    """Returns [name, copies unseen] of each of some tiles 0..33."""
    return [[TILE_NAMES[tile], state.unseen[tile]] for tile in tiles]


def count_copies(tiles: list[list]) -> int:
    """Returns the copies unseen of tiles, entries [name, copies, ...]."""
    return sum(entry[1] for entry in tiles)


def weigh_wins(wins: list[list]) -> int:
    """Returns what the tiles left of some waits would bring: copies times fan and base pay."""
    return sum(copies * (BASE_PAY + (fan or self_drawn)) for _, copies, fan, self_drawn in wins)
