"""Targets written out one by one: a truth for the sums of mj_bot/worth that shares no code with them.

A set is a tuple of its three tiles, a target four sets, the melds first, and the tile of its pair.
"""

import itertools
from collections import namedtuple
from functools import lru_cache
from math import prod

from mj_bot.worth.chance import ARRIVALS
from tests import winning_hands

Target = namedtuple("Target", "sets pair need")

SUITS = (0, 1, 2)
ORDERS = tuple(itertools.permutations(SUITS))
CHOWS, PUNGS = list(map(tuple, winning_hands.CHOWS)), list(map(tuple, winning_hands.PUNGS))
PURE_STARTS = [(0, 3, 6)] + [(k, k + step, k + 2 * step) for step in (1, 2) for k in range(7 - 2 * step)]


@lru_cache(maxsize=None)
def compute_chance(base, parameters, kind, unseen, held, want):
    """The chance that a hand with `held` copies of a tile of class `kind` gets the copies that are wanted, sharpened.

    By every way and order in which unseen copies come. want: (copies, "chow" or "pair" or "pung" or "concealed").
    """
    copies, role = want
    drawn, before, others = (base * rate for rate in ARRIVALS[kind])
    claimed = {
        "chow": parameters.chow_claims * before + parameters.pair_claims * others,
        "pair": parameters.pair_claims * (before + others),
        "pung": parameters.pung_claims * (before + others),
        "concealed": parameters.concealed_claims * (before + others),
    }[role]
    # No more than this share comes.
    scale = min(1.0, 0.95 / (drawn + claimed))
    ways = {"drawn": scale * drawn, "claimed": scale * claimed, "not": 1 - scale * (drawn + claimed)}
    total = 0.0
    for coming in itertools.product(ways, repeat=unseen):
        chance = prod(ways[way] for way in coming)
        came = [way for way in coming if way != "not"]
        orders = list(itertools.permutations(came))
        total += chance * sum(_is_enough(held, order, copies, role) for order in orders) / len(orders)
    return total ** parameters.sharpness


def _is_enough(held, coming, copies, role):
    """Whether tiles that come in this order are enough; for a pung the last one alone may be claimed."""
    for way in coming:
        if way == "drawn" or role != "pung" or held == copies - 1:
            held += 1
    return held >= copies


def list_targets(counts, melds, unseen):
    """Every target that the tiles held and unseen can make; melds: sets."""
    most = [held + left for held, left in zip(counts, unseen)]
    usable = [one for one in CHOWS + PUNGS if all(most[tile] >= one.count(tile) for tile in one)]
    targets = []

    def add(start, chosen, need):
        if len(chosen) == 4:
            for pair in range(34):
                if need[pair] + 2 <= most[pair]:
                    whole = list(need)
                    whole[pair] += 2
                    targets.append(Target(chosen, pair, whole))
            return
        for place in range(start, len(usable)):
            grown = list(need)
            for tile in usable[place]:
                grown[tile] += 1
            if all(grown[tile] <= most[tile] for tile in usable[place]):
                add(place, chosen + (usable[place],), grown)

    add(0, tuple(melds), [0] * 34)
    return targets


def wants_of(target, melded):
    """[(copies, role)] of the 34 tiles, for the sets of a target beyond its melds and its pair."""
    own = target.sets[melded:]
    wants = []
    for tile, copies in enumerate(target.need):
        role = "chow"
        if (tile,) * 3 in own:
            role = "pung"
        elif tile == target.pair and copies == 2:
            role = "pair"
        wants.append((copies, role))
    return wants


def chance_of(wants, counts, unseen, compute):
    """Product of the chances to get what is missing. compute: compute_chance in one position."""
    chance = 1.0
    for tile, ((copies, role), held, left) in enumerate(zip(wants, counts, unseen)):
        if copies > held:
            chance *= compute(class_of(tile), left, held, (copies, role)) if copies <= held + left else 0.0
    return chance


def class_of(tile):
    """0 terminals, 1 their neighbours, 2 other suited tiles, 3 honours."""
    return 3 if tile >= 27 else {0: 0, 8: 0, 1: 1, 7: 1}.get(tile % 9, 2)


def weigh(target, melded, is_concealed, valued, parameters):
    """{pattern: how often the target counts for it, times its share where fans may be missing}.

    melded: how many of the sets are melds. valued: honours 0..6 whose pung counts two fan.
    """
    sets, pair, _ = target
    starts = [one[0] for one in sets if one[0] < one[1]]
    pungs = [one[0] for one in sets if one[0] == one[1]]
    honours = [tile - 27 for tile in pungs if tile >= 27]
    groups = [_group(one[0]) for one in sets] + [_group(pair)]
    has_valued = any(honour in valued for honour in honours)
    # Four concealed sets of one suit are left to the flushes.
    in_one_suit = melded == 0 and len(set(groups[:4])) == 1 and groups[0] < 3
    weights = {
        "mixed triple chow": sum(all(9 * suit + k in starts for suit in SUITS) for k in range(7)),
        "mixed straight": sum(all(9 * suit + 3 * place in starts for place, suit in enumerate(order))
                              for order in ORDERS),
    }
    steps = sum(all(9 * suit + k + place in starts for place, suit in enumerate(order))
                for order in ORDERS for k in range(5))
    is_enough = has_valued or (len(starts) == 4 and pair < 27)
    weights["mixed shifted chows"] = steps * (
        1 if is_enough else parameters.short_concealed if is_concealed else parameters.short_open)
    weights["pure straight or shifted chows"] = not in_one_suit and sum(
        any(all(9 * suit + k in starts for k in three) for three in PURE_STARTS) for suit in SUITS)
    weights["pure triple chow or shifted pungs"] = not in_one_suit and sum(
        any(starts.count(9 * suit + k) >= 3 for k in range(7))
        or any(all(9 * suit + k + place in pungs for place in range(3)) for k in range(7)) for suit in SUITS)
    suited = set(groups) - {3, 4}
    is_flush = len(suited) == 1 and suited == set(groups)
    # A hand of honours alone is counted with each of the suits.
    halves = 0 if is_flush else {0: 3, 1: 1}.get(len(suited), 0)
    weights["half flush"] = halves * (
        1 if has_valued else parameters.half_concealed if is_concealed else parameters.half_open)
    weights["full flush"] = is_flush
    weights["all pungs"] = (len(pungs) == 4) * (1 if has_valued else parameters.pungs_short)
    ranks = {tile % 9 if tile < 27 else None for one in sets for tile in one + (pair,)}
    weights["upper or lower four"] = not in_one_suit and (ranks <= {5, 6, 7, 8} or ranks <= {0, 1, 2, 3})
    weights["all types"] = 0.0
    if len(set(groups)) == 5:
        weights["all types"] = 1.0
        for one in sets[melded:]:
            if one[0] >= 27 and one[0] - 27 not in valued and not is_concealed:
                weights["all types"] *= parameters.types_guest_wind
        if pair >= 27:
            weights["all types"] *= parameters.types_honour_pair
    return {pattern: float(weight) for pattern, weight in weights.items() if weight}


def _group(tile):
    """0..2 a suit, 3 the winds, 4 the dragons."""
    return tile // 9 if tile < 27 else 3 if tile < 31 else 4
