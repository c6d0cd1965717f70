"""An action taken apart: its opening, and the discard that ends it; what a seat holds in between."""

from .meld import make_added_kong, make_meld
from .tile import TILE_INDEX


def split_discard(action):
    """(opening, tile 0..33 of the discard that ends the action or None).

    >>> split_discard(("CHI", "W2", "J3")), split_discard(("GANG",))
    ((('CHI', 'W2'), 33), (('GANG',), None))
    """
    if action[0] in ("PLAY", "CHI", "PENG"):
        return action[:-1], TILE_INDEX[action[-1]]
    return action, None


def group_by_opening(actions):
    """The openings of some actions, each with the discards that may end it.

    Returns list of (opening, list of tiles 0..33 or [None]), in the order of the actions.

    >>> group_by_opening([("PASS",), ("PENG", "W1"), ("PENG", "W2")])
    [(('PASS',), [None]), (('PENG',), [0, 1])]
    """
    grouped = []
    places = {}
    for action in actions:
        opening, discard = split_discard(action)
        if opening not in places:
            places[opening] = len(grouped)
            grouped.append((opening, []))
        grouped[places[opening]][1].append(discard)
    return grouped


def hold_after(game_state, opening):
    """What the own seat holds after an opening, before the discard.

    Returns (counts, melds): list[34] and a list of Meld, both new.
    """
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
    return counts, melds
