"""Counts of the hand after an action, on the tiles that its seat sees; the same for every tactic.

Facts of an action:

    shanten     of the hand after it, -1 for a win
    useful      list of [tile name, copies unseen] of the tiles that lower the shanten
    wins        list of [tile name, copies unseen, fan, whether by self-draw alone] of the tiles that win with eight
                fan or more; [] for a hand that is not ready
    aims        list of [fan, tiles], the nearest first: the missing tiles of the nearest hand that wins with this fan,
                by the judge's name, and with eight fan in all on any discard. Exact up to three tiles, farther hands
                may be counted one tile too far. Lists the fans up to one tile farther than the nearest
    nearer      copies unseen of the tiles that bring the hand nearer to the nearest of these
    danger      list of 4 chances that a seat wins on the discard of the action; null without a discard
"""

from functools import lru_cache
from threading import Lock

from ...mahjong.opening import hand_after, split_discard
from ...mahjong.rules import SEATS
from ...mahjong.shanten import discard_table, useful_tiles
from ...mahjong.tile import TILE_NAMES
from ...observation.encoder import encode_observation
from ...tactic.pattern.hand import HandValues
from ...worth.constants import DANGER_WEIGHTS
from ...worth.danger import seat_chances
from ...worth.waits import list_waits
from ..table.fan_names import ENGLISH_FANS

# Fans that are at most this many tiles farther than the nearest are in reach.
_BEYOND = 1
# Fans that need more than their tiles: self-draws, or claims alone.
_NO_AIMS = {"three concealed pungs", "melded hand"}
_LOCK = Lock()  # for the memory of _make_hand_values
_JUDGE_NAMES = {english.lower(): name for name, english in ENGLISH_FANS.items()}


@lru_cache(maxsize=None)
def _make_hand_values():
    return HandValues()


class Facts(object):
    """The facts of the actions of a GameState; the tables of each opening are made once."""

    def __init__(self, state):
        self._state = state
        self._tables = {}
        self._dangers = {}

    def list_discards(self):
        """[tile name, danger, shanten, copies unseen that are useful then] of each tile that may be discarded now."""
        dangers = self._danger(("PLAY",)).sum(axis=0)
        return [[TILE_NAMES[tile], round(min(1.0, float(dangers[tile])), 4), shanten, self._count(useful)]
                for tile, (shanten, useful) in self._table(("PLAY",)).items()]

    def describe(self, action):
        """The facts of an action, as above."""
        if action[0] == "HU":
            return {"shanten": -1, "useful": [], "wins": [], "aims": [], "nearer": 0, "danger": None}
        state, (opening, discard) = self._state, split_discard(action)
        counts, melds = hand_after(state, opening)
        if discard is None:
            shanten, useful = useful_tiles(counts, len(melds))
        else:
            shanten, useful = self._table(opening)[discard]
            counts[discard] -= 1
        pack = tuple(meld.as_pack(state.my_pid) for meld in melds)
        aims, nearer = self._list_aims(counts, melds)
        return {
            "shanten": shanten,
            "useful": [[TILE_NAMES[tile], state.unseen[tile]] for tile in useful],
            "wins": [[TILE_NAMES[tile], state.unseen[tile], fan, is_self_drawn]
                     for tile, fan, is_self_drawn in list_waits(state, counts, pack)],
            "aims": aims,
            "nearer": self._count(nearer),
            "danger": None if discard is None else self._list_danger(opening, discard),
        }

    def _table(self, opening):
        """discard_table of the hand after an opening."""
        if opening not in self._tables:
            counts, melds = hand_after(self._state, opening)
            self._tables[opening] = discard_table(counts, len(melds))
        return self._tables[opening]

    def _danger(self, opening):
        """float[3, 34], the chances of the other seats, from the next one on, after an opening."""
        if opening not in self._dangers:
            claim = None if opening == ("PLAY",) else opening
            self._dangers[opening] = seat_chances(encode_observation(self._state, claim), DANGER_WEIGHTS)
        return self._dangers[opening]

    def _list_danger(self, opening, discard):
        danger = [0.0] * SEATS
        for offset, chance in enumerate(self._danger(opening)[:, discard], start=1):
            danger[(self._state.my_pid + offset) % SEATS] = round(float(chance), 4)
        return danger

    def _list_aims(self, counts, melds):
        """(aims, set of the tiles 0..33 that bring the hand nearer to the nearest)."""
        state = self._state
        with _LOCK:
            nearest = _make_hand_values().list_nearest(
                counts, melds, state.unseen, winds=(state.my_pid, state.prevalent_wind))
        aims = [aim for aim in nearest if aim[0] not in _NO_AIMS]
        fewest = min([missing for _, missing, _ in aims], default=0)
        nearer = set().union(*(tiles for _, missing, tiles in aims if missing == fewest))
        return [[_JUDGE_NAMES[pattern], missing] for pattern, missing, _ in sorted(aims, key=lambda aim: aim[1])
                if missing <= fewest + _BEYOND], nearer

    def _count(self, tiles):
        return sum(self._state.unseen[tile] for tile in tiles)


# Differences of danger below this are not told.
_LEAST_DANGER = 0.01


def list_remarks(decision):
    """The remarks of a decision, for sentences of a page; those in favour of the tactic's action come first.

    decision: as decisions.py describes it. C is the chosen action, L the logged one; n and m are their figures.

    ["win", fan]                a win was possible
    ["alone", s, n]             without an action to compare: C changes the shanten from s to n
    ["both", s, n]              both change the shanten from s to n
    ["distance", s, n, m]       C changes the shanten to n, L to m
    ["wins", n, m]              tiles left that win with eight fan, of ready hands
    ["aim", fan, n, fan, m]     tiles that the nearest hands of eight fan miss; null, null where none is in reach
    ["nearer", n, m]            these are equally near; copies left of the tiles that bring them nearer
    ["keeps", fan, n]           after C a fan misses n tiles, after L it is out of reach
    ["useful", n, m]            the shanten is equal; useful copies left
    ["danger", seat, p, q]      the chances that this seat wins on the discards
    ["risk", seat, q]           L discards and C does not; the chance that this seat wins on the discard
    ["against", ...]            one of these in favour of L: C's figures come first, but in a remark with the figures
                                of one action, C and L change places
    ["only"]                    no fact is in favour of C
    """
    chosen, logged, before = decision["chosen_facts"], decision["logged_facts"], decision["shanten"]
    if decision["chosen"] == "HU":
        return [["win", decision["win_fan"]]]
    if logged is None or decision["logged"] in (decision["chosen"], "HU"):
        return [["alone", before, chosen["shanten"]]] + _describe(chosen)
    remarks = [_compare_distance(before, chosen, logged)]
    compared = list(_compare(chosen, logged))
    merits = [remark for order, remark in compared if order > 0]
    remarks += merits[:2] + [["against"] + remark for order, remark in compared if order < 0][:1]
    return remarks if merits or chosen["shanten"] < logged["shanten"] else remarks + [["only"]]


def _describe(facts):
    if facts["wins"]:
        return [["wins", _left(facts["wins"]), None]]
    described = [["useful", _left(facts["useful"]), None]] if facts["shanten"] > 0 else [["wins", 0, None]]
    return described + ([["aim", *facts["aims"][0], None, None]] if facts["aims"] else [])


def _compare_distance(before, chosen, logged):
    if chosen["shanten"] == logged["shanten"]:
        return ["both", before, chosen["shanten"]]
    return ["distance", before, chosen["shanten"], logged["shanten"]]


def _compare(chosen, logged):
    """Yields (order, remark): order > 0 in favour of the chosen action, < 0 of the logged one, 0 of neither."""
    wins = _left(chosen["wins"]), _left(logged["wins"])
    yield wins[0] - wins[1], ["wins", *wins]
    if not any(wins):
        aims, others = dict(chosen["aims"]), dict(logged["aims"])
        nearest = [min(found.values(), default=99) for found in (aims, others)]
        if nearest[0] != nearest[1]:
            first, second = (next(iter(facts["aims"]), [None, None]) for facts in (chosen, logged))
            yield nearest[1] - nearest[0], ["aim", *first, *second]
        else:
            yield chosen["nearer"] - logged["nearer"], ["nearer", chosen["nearer"], logged["nearer"]]
            for order, found, rest in ((1, aims, others), (-1, others, aims)):
                lost = next((fan for fan in found if fan not in rest), None)
                if lost:
                    yield order, ["keeps", lost, found[lost]]
        if chosen["shanten"] == logged["shanten"] > 0:
            useful = _left(chosen["useful"]), _left(logged["useful"])
            yield useful[0] - useful[1], ["useful", *useful]
    dangers = [facts["danger"] or [0.0] * SEATS for facts in (chosen, logged)]
    change = sum(dangers[1]) - sum(dangers[0])
    if abs(change) >= _LEAST_DANGER:
        seat = max(range(SEATS), key=lambda seat: (dangers[1][seat] - dangers[0][seat]) * change)
        if chosen["danger"] and logged["danger"]:
            yield change, ["danger", seat, dangers[0][seat], dangers[1][seat]]
        else:
            yield change, ["risk", seat, max(dangers[0][seat], dangers[1][seat])]


def _left(tiles):
    """Copies unseen of tiles, entries [name, copies, ...]."""
    return sum(entry[1] for entry in tiles)
