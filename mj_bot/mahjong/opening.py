"""Splits an action into its opening and the discard that ends it, and computes the hand in between."""

from .meld import make_added_kong, make_meld
from .tile import TILE_INDEX


def split_discard(action):
    """Returns (opening, tile 0..33 of the discard that ends the action, or None).

    >>> split_discard(("CHI", "W2", "J3")), split_discard(("GANG",))
    ((('CHI', 'W2'), 33), (('GANG',), None))
    """
    if action[0] in ("PLAY", "CHI", "PENG"):
        return action[:-1], TILE_INDEX[action[-1]]
    return action, None


def group_by_opening(actions):
    """Returns a list of (opening, list of the discards 0..33 that may end it, or [None]), in the order of the actions.

    >>> group_by_opening([("PASS",), ("PENG", "W1"), ("PENG", "W2")])
    [(('PASS',), [None]), (('PENG',), [0, 1])]
    """
    grouped = {}
    for opening, discard in map(split_discard, actions):
        grouped.setdefault(opening, []).append(discard)
    return list(grouped.items())


def hand_after(game_state, opening, discard=None):
    """Returns (counts, melds) of the own seat after an opening and its discard 0..33, two new lists."""
    counts = list(game_state.hand_counts)
    melds = list(game_state.players[game_state.my_pid].melds)
    if opening[0] == "BUGANG":
        pung = next(meld for meld in melds if meld.type == "PENG" and meld.cards[0] == opening[1])
        melds[melds.index(pung)] = make_added_kong(pung)
        counts[pung.tile] -= 1
    elif opening[0] in ("CHI", "PENG", "GANG"):
        melds.append(make_meld(
            opening, game_state.my_pid, TILE_INDEX.get(game_state.last_tile), giver=game_state.last_pid))
        for tile in melds[-1].from_hand:
            counts[tile] -= 1
    if discard is not None:
        counts[discard] -= 1
    return counts, melds
