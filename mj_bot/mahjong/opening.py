"""Splits an action into its opening and the discard that ends it, and computes the hand that an opening leaves.

The opening of ("CHI", "W2", "J3") is ("CHI", "W2"): the claim without the discard J3. The opening of ("PLAY", "J3") is
("PLAY",). Actions without a discard are openings themselves.
"""

from typing import List, Optional, Tuple

from .meld import make_added_kong, make_meld
from .state import GameState
from .tile import TILE_INDEX


def split_discard(action: Tuple) -> Tuple[Tuple, Optional[int]]:
    """Returns (opening, discard) of an action: (("CHI", "W2"), 33) of CHI W2 J3. No discard is None."""
    if action[0] in ("PLAY", "CHI", "PENG"):
        return action[:-1], TILE_INDEX[action[-1]]
    return action, None


def hand_after(game_state: GameState, opening: Tuple, discard: Optional[int] = None) -> Tuple[List[int], list]:
    """Returns (counts, melds) of the own seat after an opening and its discard, two new lists.

    game_state: the GameState in which the seat is to answer; it does not change.
    discard: tile 0..33, None to stop before the discard.
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
    if discard is not None:
        counts[discard] -= 1
    return counts, melds
