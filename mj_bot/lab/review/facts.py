"""Counts of the hand after an action, on the tiles that its seat sees; the same for every tactic.

Facts of an action:

    shanten     of the hand after it, -1 for a win
    useful      list of [tile name, copies unseen] of the tiles that lower the shanten
    eight       the same distance to a hand that wins with eight fan: 0 for a hand that waits for such a win, -1 for a
                win, null where none is in reach
    nearer      list of [tile name, copies unseen] of the tiles that lower `eight`
    wins        list of [tile name, copies unseen, fan on a discard, fan by self-draw] of the tiles that win with eight
                fan or more, null for a way that has fewer; [] for a hand that is not ready
    fans        of each tile in wins [fans on a discard, fans by self-draw], each a list of [points, copies, the judge's
                name] without flowers; null for a way that has fewer than eight fan
    aims        list of [fan, tiles], the nearest first: the missing tiles of the nearest hand that wins with this fan,
                by the judge's name, and with eight fan in all on any discard. An open hand of a fan of six may need
                more tiles than that. Lists the fans up to one tile farther than the nearest; remarks
                name those of NAMED tiles at most
    danger      list of 4 chances that a seat wins on the discard of the action; null without a discard
"""

import copy
from functools import cache

import numpy as np

from ...mahjong.fan import list_fans
from ...mahjong.opening import hand_after, split_discard
from ...mahjong.rules import SEATS, is_fourth_tile
from ...mahjong.shanten import discard_table, useful_tiles
from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT, TILE_NAMES, list_tiles
from ...observation.encoder import encode_observation
from ...observation.openings import fill_opening, make_openings
from ...tactic.winning_families import (
    FAMILIES,
    FAMILY_COUNT,
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
# A remark names a fan that misses so many tiles at most: farther ones are no plan.
NAMED = 3
# Costs for winning_families: each missing tile counts the same, and too few fans rule a hand out.
_PLAIN_COSTS = (OUT_OF_REACH,) + (1000,) * 4 + (OUT_OF_REACH, OUT_OF_REACH)
_JUDGE_NAMES = {english.lower(): name for name, english in ENGLISH_FANS.items()}


class Facts(object):
    """The facts of the actions of a GameState; the tables of each opening are made once."""

    def __init__(self, state):
        self._state = state
        self._look_ahead, self._table, self._danger, self.list_draws = map(cache, (
            self._describe_after, self._make_table, self._compute_danger, self._list_draws))

    def list_discards(self):
        """A list of each tile that may be discarded now.

        [tile name, danger, eight, copies that win or bring it nearer, shanten, the chance of each seat to win on it].
        Other rules have null for danger and chances.
        """
        dangers = self._danger(("PLAY",)).sum(axis=0)
        listed = []
        for tile, (shanten, _) in self._table(("PLAY",)).items():
            found = self._look_ahead(("PLAY",), tile)
            listed.append([TILE_NAMES[tile], round(min(1.0, float(dangers[tile])), 4), found["eight"],
                           _left(found["wins"] or found["nearer"]), shanten, self._list_danger(("PLAY",), tile)])
        return listed

    def describe(self, action):
        """The facts of an action, as above."""
        if action[0] == "HU":
            return {"shanten": -1, "useful": [], "eight": -1, "nearer": [], "wins": [], "fans": [], "aims": [],
                    "danger": None}
        opening, discard = split_discard(action)
        return dict(self._look_ahead(opening, discard),
                    danger=None if discard is None else self._list_danger(opening, discard))

    def list_signs(self, action, seat):
        """What makes a discard dangerous for a seat, or safe.

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

    def _list_draws(self, action):
        """The ready hands after an action and a draw: {tile: wins, as in the facts}, of the best discard after each."""
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
                    draws[tile] = max(draws.get(tile, []), wins, key=_weigh_wins)
            counts[tile] -= 1
        return draws

    def count_unseen(self, tile):
        """The copies of a tile 0..33 that its seat does not see."""
        return self._state.unseen[tile]

    def _describe_after(self, opening, discard):
        """The facts of the hand after an opening and its discard, None for none."""
        counts, melds = hand_after(self._state, opening, discard)
        return describe_hand(self._state, counts, melds,
                             useful=None if discard is None else self._table(opening)[discard])

    def _make_table(self, opening):
        counts, melds = hand_after(self._state, opening)
        return discard_table(counts, len(melds))

    def _compute_danger(self, opening):
        """float[3, 34], the chances of the other seats, from the next one on, after an opening."""
        return seat_chances(self._observe(opening), DANGER_WEIGHTS)

    def _observe(self, opening):
        return encode_observation(self._state, None if opening == ("PLAY",) else opening)

    def _list_danger(self, opening, discard):
        danger = [0.0] * SEATS
        for offset, chance in enumerate(self._danger(opening)[:, discard], start=1):
            danger[(self._state.my_pid + offset) % SEATS] = round(float(chance), 4)
        return danger


def describe_hand(state, counts, melds, *, useful=None):
    """The facts of a hand but its danger.

    state: GameState, for the unseen tiles. counts: list[34], 13 less 3 a meld. melds: list of Meld.
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
    fill_opening(openings, counts, melds, unseen)
    laid = set_hand(hand, openings, 0)
    costs, after = np.zeros(FAMILY_COUNT), np.zeros(FAMILY_COUNT)
    cost_families(hand, laid, costs)
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


def _restore(rows, kept):
    for row, values in zip(rows, kept):
        row[:] = values


def _list_fans(state, counts, melds, *, tile, is_self_drawn):
    """The fans of a hand that wins on a tile, as fan.list_fans has them."""
    pack = tuple(meld.as_pack(state.my_pid) for meld in melds)
    return list_fans(pack, tuple(list_tiles(counts)), TILE_NAMES[tile], 0, is_self_drawn,
                     is_fourth_tile(state.shown, tile), False, False, state.my_pid, state.prevalent_wind)


def _count(state, tiles):
    return [[TILE_NAMES[tile], state.unseen[tile]] for tile in tiles]


# Remarks that are in favour of the chosen action where they are not behind "against".
_MERITS = ("wins", "nearer", "draw", "keeps", "danger", "risk")
# Smaller differences of danger get no remark.
_LEAST_DANGER = 0.01


def list_remarks(decision):
    """The remarks of a decision, for sentences of a page; those in favour of the tactic's action come first.

    decision: as decisions.py describes it. C is the chosen action, L the logged one; n and m are their figures.

    ["win", fan]                a win was possible
    ["alone", s, n]             without an action to compare: C changes the distance to eight fan from s to n
    ["both", s, n]              both change it from s to n
    ["distance", s, n, m, fan, fan]     C changes it to n, L to m. fan: of the nearest hand of each, null for one that
                                misses more than NAMED tiles; of a ready hand the fans of its likeliest win, as in
                                "fans"
    ["wins", n, m]              tiles left that win with eight fan, of ready hands
    ["aim", fan, n]             NAMED tiles or fewer that the nearest hand of eight fan misses, without an action to
                                compare
    ["nearer", n, m]            copies left of tiles that lower the distance to eight fan, at equal distances
    ["draw", tile, copies, wins, wins]  the draw whose ready hands differ most in favour of C: of C's, then of L's best
                                ready hand the wins, [] where it makes none; copies: of the drawn tile, unseen
    ["way", pattern, p, q]      the pattern that C is better for, where nothing else is in favour of C, and the chances
                                to win with it, see causes.compare_ways
    ["keeps", fan, n]           after C a fan misses n tiles, NAMED at most; after L it is out of reach
    ["danger", seat, p, q, signs]   the chances that this seat wins on the discards; signs: see Facts.list_signs, of
                                the more dangerous one
    ["risk", seat, q, signs]    L discards and C does not; the chance that this seat wins on the discard
    ["against", ...]            one of these in favour of L: C's figures come first, but in a remark with the figures
                                of one action, C and L change places
    ["only"]                    no fact is in favour of C
    """
    chosen, logged, before = decision["chosen_facts"], decision["logged_facts"], decision["eight"]
    if decision["chosen"] == "HU":
        return [["win", decision["win_fan"]]]
    if logged is None or decision["logged"] in (decision["chosen"], "HU"):
        return [["alone", before, chosen["eight"]]] + _describe(chosen)
    remarks = [["both", before, chosen["eight"]]]
    if chosen["eight"] != logged["eight"]:
        nearest = map(_name_nearest, (chosen, logged))
        remarks = [["distance", before, chosen["eight"], logged["eight"], *nearest]]
    compared = list(_compare(chosen, logged))
    merits = [remark for order, remark in compared if order > 0]
    remarks += merits[:2] + [["against"] + remark for order, remark in compared if order < 0][:1]
    return remarks if merits or _is_nearer(remarks[0]) or decision.get("causes") else remarks + [["only"]]


def complete_remarks(remarks, source, chosen, *, logged, way):
    """Returns the remarks of a mistake with the signs of danger and the draw that the chosen action is better for.

    source: Facts. chosen, logged: the actions, legal ones. way: of the remark "way", or None.
    """
    for remark in remarks:
        told = remark[1:] if remark[0] == "against" else remark
        if told[0] == "danger":
            worse = chosen if told[2] > told[3] else logged
        elif told[0] == "risk":
            worse = chosen if remark[0] == "against" else logged
        else:
            continue
        remark.append(source.list_signs(worse, told[1]))
    if "HU" in (chosen[0], logged[0]) or any(remark[0] == "wins" for remark in remarks):
        return remarks
    remarks = _add_draw(remarks, source, chosen, logged)
    if way and not _is_nearer(remarks[0]) and not any(remark[0] in _MERITS for remark in remarks):
        return _insert(remarks, ["way", *way])
    return remarks


def _add_draw(remarks, source, chosen, logged):
    draws = [source.list_draws(action) for action in (chosen, logged)]
    gains = {tile: source.count_unseen(tile) * (_weigh_wins(wins) - _weigh_wins(draws[1].get(tile, [])))
             for tile, wins in draws[0].items()}
    best = max(gains, key=gains.get, default=None)
    if best is None or gains[best] <= 0:
        return remarks
    draw = ["draw", TILE_NAMES[best], source.count_unseen(best), *(of.get(best, []) for of in draws)]
    return _insert(remarks, draw)


def _insert(remarks, merit):
    """Returns remarks with another one in favour of the chosen action, before those against it."""
    place = next((place for place, remark in enumerate(remarks) if remark[0] in ("against", "only")), len(remarks))
    return remarks[:place] + [merit] + [remark for remark in remarks[place:] if remark[0] != "only"]


def _is_nearer(remark):
    """Whether a remark says that the chosen action is nearer to eight fan."""
    kind, _, *distances = remark
    return kind == "distance" and distances[0] is not None and (distances[1] is None or distances[0] < distances[1])


def _weigh_wins(wins):
    """What the tiles left of some waits would bring: copies times fan and base pay."""
    return sum(copies * (BASE_PAY + (fan or self_drawn)) for _, copies, fan, self_drawn in wins)


def _name_nearest(facts):
    """The fans of the likeliest win of a ready hand; of another hand the fan of the nearest aim, None for a far one."""
    if facts["wins"]:
        likeliest = max(range(len(facts["wins"])), key=lambda place: facts["wins"][place][1])
        on_discard, self_drawn = facts["fans"][likeliest]
        return on_discard or self_drawn
    aims = [fan for fan, missing in facts["aims"][:1] if missing <= NAMED]
    return aims[0] if aims else None


def _describe(facts):
    if facts["wins"]:
        return [["wins", _left(facts["wins"]), None]]
    described = [["wins", 0, None]] if facts["shanten"] == 0 else []
    described += [["nearer", _left(facts["nearer"]), None]] if facts["nearer"] else []
    return described + [["aim", *aim] for aim in facts["aims"][:1] if aim[1] <= NAMED]


def _compare(chosen, logged):
    """Yields (order, remark): order > 0 in favour of the chosen action, < 0 of the logged one, 0 of neither."""
    wins = _left(chosen["wins"]), _left(logged["wins"])
    yield wins[0] - wins[1], ["wins", *wins]
    if not any(wins) and chosen["eight"] == logged["eight"]:
        nearer = _left(chosen["nearer"]), _left(logged["nearer"])
        yield nearer[0] - nearer[1], ["nearer", *nearer]
        aims, others = dict(chosen["aims"]), dict(logged["aims"])
        for order, found, rest in ((1, aims, others), (-1, others, aims)):
            lost = next((fan for fan in found if fan not in rest and found[fan] <= NAMED), None)
            if lost:
                yield order, ["keeps", lost, found[lost]]
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
