"""Counts what the hand is after an action, on the tiles that its seat sees, for any tactic."""

from functools import cache
from typing import Optional, TypedDict

import numpy as np

from ...mahjong.fan import WinFacts, list_fans
from ...mahjong.opening import hand_after, split_discard
from ...mahjong.rules import SEATS, is_fourth_tile
from ...mahjong.shanten import discard_table, useful_tiles
from ...mahjong.state import GameState
from ...mahjong.tile import TILE_COUNT, TILE_NAMES, list_tiles
from ...observation.encoder import encode_observation
from ...observation.openings import fill_opening, make_openings
from ...tactic.winning_families import (
    FAMILY_COUNT,
    MOST,
    OUT_OF_REACH,
    cost_families,
    make_hand,
    mark_improving,
    set_hand,
)
from ...worth.danger import DANGER_WEIGHTS, DANGER_FEATURES, list_features, seat_chances
from ...worth.patterns import BASE_PAY, FAMILIES
from ...worth.waits import list_waits

# Fans that are at most this many tiles farther than the nearest are in reach.
_BEYOND = 1
# Costs for winning_families: each missing tile counts the same, and too few fans rule a hand out.
_PLAIN_COSTS = (OUT_OF_REACH,) + (1000,) * 4 + (OUT_OF_REACH, OUT_OF_REACH)


class HandFacts(TypedDict):
    """The keys of the facts of a hand as JSON. A tile with its copies is [name, copies that its seat does not see]."""

    shanten: int  # Tile exchanges to a ready hand. A complete hand has -1.
    useful: list  # Tiles with copies that lower the shanten.
    # Tiles that the hand misses until it waits for a win with eight fan: 0 where it waits for one, -1 for a win, null
    # where none is in reach.
    distance_to_8_fan: Optional[int]
    improving: list  # Tiles with copies that lower the distance to eight fan.
    # [tile name, copies, fan on a discard, fan by self-draw] of each tile with a copy left that wins with eight fan or
    # more. A way to win with fewer has null. A hand that is not ready has [].
    wins: list
    # Of each tile in wins [fans on a discard, fans by self-draw], each a list of [points, copies, the judge's name]
    # without flowers. A way to win with fewer than eight fan has null.
    win_ways: list
    # [fan, tiles], the nearest first: the tiles that are missing to the nearest hand that wins with this fan, by the
    # judge's name, and with eight fan in all on any discard. An open hand of a fan of six may need more tiles. The list
    # has the fans up to one tile farther than the nearest; remarks.py names those of NAMED tiles at most.
    targets: list


class ActionFacts(HandFacts):
    """The keys of the facts of an action as JSON: of the hand after it, and its danger."""

    danger: Optional[list]  # 4 chances that a seat wins on the discard of the action, null without a discard.


class Facts:
    """Lists the facts of the actions of a GameState; the tables of each opening are made once.

    An opening is an action without its discard: ("PLAY",), ("CHI", "W2") or another claim.
    unseen: copies of each tile 0..33 that the seat of the state does not see.
    """

    def __init__(self, state: GameState):
        self._state, self.unseen = state, state.unseen
        self._look_ahead, self._table, self._danger, self.list_draws = map(cache, (
            self._describe_after, self._make_table, self._compute_danger, self._list_draws))

    def list_discards(self) -> list[list]:
        """Returns a list for each tile that may be discarded now.

        It is [tile name, danger, distance_to_8_fan, copies, shanten, the chance of each seat to win on the tile].
        danger: sum of these chances, at most 1. copies: unseen tiles that win with eight fan, or where none does, that
        lower the distance. In Guangdong mahjong danger and chances are null.
        """
        dangers = self._danger(("PLAY",)).sum(axis=0)
        listed = []
        for tile, (shanten, _) in self._table(("PLAY",)).items():
            facts = self._look_ahead(("PLAY",), tile)
            listed.append([TILE_NAMES[tile], round(min(1.0, float(dangers[tile])), 4), facts["distance_to_8_fan"],
                           count_copies(facts["wins"] or facts["improving"]), shanten,
                           self._list_danger(("PLAY",), tile)])
        return listed

    def describe(self, action: tuple) -> ActionFacts:
        """Returns the facts of a legal action."""
        if action[0] == "HU":
            return {"shanten": -1, "useful": [], "distance_to_8_fan": -1, "improving": [], "wins": [], "win_ways": [],
                    "targets": [], "danger": None}
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
        """Returns {drawn tile 0..33: "wins" of the best ready hand that this draw makes}."""
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

    def _describe_after(self, opening: tuple, discard: Optional[int]) -> HandFacts:
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
        state: GameState, counts: list[int], melds: list, *, useful: Optional[tuple] = None) -> HandFacts:
    """Returns the facts of a hand.

    state: for the unseen tiles. counts: list[34], 13 less 3 a meld. melds: list of Meld.
    useful: (shanten, tiles that lower it) where they are known.
    """
    shanten, useful = useful or useful_tiles(counts, len(melds))
    targets, improving = list_targets(counts, melds, state.unseen)
    fewest = targets[0][1] if targets else 0
    waits = list_waits(state, counts, melds) if shanten == 0 else []
    waits = [wait for wait in waits if state.unseen[wait[0]]]
    wins = [[TILE_NAMES[tile], state.unseen[tile], *fans] for tile, *fans in waits]
    ways = [[fan and list(map(list, _list_fans(state, counts, melds, tile=tile, is_self_drawn=bool(way))))
             for way, fan in enumerate(sums)] for tile, *sums in waits]
    return {"shanten": shanten, "useful": _count(state, useful),
            "distance_to_8_fan": 0 if wins else fewest - 1 if targets else None,
            "improving": _count(state, improving), "wins": wins, "win_ways": ways,
            "targets": [[family.fan, missing] for family, missing in targets if missing <= fewest + _BEYOND]}


def list_targets(counts: list[int], melds: list, unseen: list[int]) -> tuple[list, list[int]]:
    """Returns the families of winning hands in reach, and the tiles that bring one of the nearest nearer.

    The first is a list of (Family, missing tiles of its nearest hand), the nearest first. The second is a list of
    0..33.
    counts: list[34], 13 less 3 for each meld. melds: list of Meld. unseen: list[34], copies that may still come.
    """
    hand, openings = make_hand(_PLAIN_COSTS), make_openings()
    fill_opening(openings, counts, melds, unseen=unseen)
    laid = set_hand(hand, openings, 0)
    costs = np.zeros(FAMILY_COUNT)
    cost_families(hand, laid, costs, MOST)
    least = costs.min()
    if least >= OUT_OF_REACH:
        return [], []
    improving = np.zeros(TILE_COUNT, bool)
    # Only a nearest family that costs less matters. Interpreted, all would take several times as long.
    mark_improving(hand, laid, costs, (int(least) // 1000 + 1) * 1000, np.zeros(FAMILY_COUNT), improving)
    targets = [(family, int(cost) // 1000) for family, cost in zip(FAMILIES, costs) if cost < OUT_OF_REACH]
    return sorted(targets, key=lambda target: target[1]), np.flatnonzero(improving).tolist()


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


def rate_wins(wins: list[list]) -> tuple[int, int]:
    """Returns (number of ways to win, sum of their fan): each tile left may be discarded by three seats, or drawn."""
    ways = [(copies * share, fan) for _, copies, *fans in wins
            for share, fan in zip((SEATS - 1, 1), fans) if fan is not None]
    return sum(count for count, _ in ways), sum(count * fan for count, fan in ways)


def weigh_wins(wins: list[list]) -> int:
    """Returns what the tiles left of some waits would bring: copies times fan and base pay."""
    return sum(copies * (BASE_PAY + (fan or self_drawn)) for _, copies, fan, self_drawn in wins)
