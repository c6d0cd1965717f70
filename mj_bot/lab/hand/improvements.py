"""Computes what a ready hand is worth, and which draws make a better hand of it."""

from ...mahjong.action import format_action
from ...mahjong.state import GameState
from ...mahjong.tile import TILE_COUNT, TILE_NAMES
from ...tactic import REVIEWER, load_tactic
from ..review.facts import Facts
from .hand_position import make_hand_state
from .notation import WrittenHand

_LEAST_GAIN = 0.1  # points that an improvement must bring
_MOST_IMPROVEMENTS = 6  # most improvements that are listed


def describe_ready_hand(hand: WrittenHand, state: GameState) -> dict:
    """Returns the value of a ready hand and its improvements, as the reviewing tactic sees them.

    hand: ready hand of 13 tiles. state: the hand as a GameState.
    Returns a dict with these keys:

        value           points that the tactic expects of the hand if it discards the next draw. This is the mean over
                        the tiles that may come and do not win; None if no such tile is left.
        improvements    list of dicts, those of the greatest gain * copies, in the order of gain: draw, name of the
                        tile; copies, how many are unseen; action, the tactic's action in Botzone's text; gain, points
                        that the action brings more than discarding the draw; wins, the waits after the action, as
                        review/facts.py describes them
    """
    tactic = load_tactic(REVIEWER)
    kept, improvements = [], []
    for tile in range(TILE_COUNT):
        copies, name = state.unseen[tile], TILE_NAMES[tile]
        if not copies:
            continue
        drawn = _draw(hand, state, tile)
        action = tactic(drawn)
        points = dict(tactic.ranked)
        if ("PLAY", name) not in points:
            continue  # This draw wins, so it is no improvement.
        kept.append((points["PLAY", name], copies))
        gain = points.get(action, 0) - points["PLAY", name]
        wins = Facts(drawn).describe(action)["wins"] if gain >= _LEAST_GAIN else []
        if wins:
            improvements.append({"draw": name, "copies": copies, "action": format_action(action),
                                 "gain": round(gain, 3), "wins": wins})
    improvements.sort(key=lambda entry: -entry["gain"] * entry["copies"])
    total = sum(copies for _, copies in kept)
    return {"value": round(sum(points * copies for points, copies in kept) / total, 3) if total else None,
            "improvements": sorted(improvements[:_MOST_IMPROVEMENTS], key=lambda entry: -entry["gain"])}


def _draw(hand, state, tile):
    """Returns the state after the hand draws a tile 0..33. The rest of the table does not change."""
    owner = state.my_pid
    seats = [state.players[(owner + offset) % len(state.players)] for offset in range(len(state.players))]
    unseen = [copies - (other == tile) for other, copies in enumerate(state.unseen)]
    return make_hand_state(
        hand._replace(tiles=hand.tiles + (tile,)),
        [[TILE_NAMES.index(name) for name in player.played_tiles] for player in seats],
        [player.melds for player in seats], unseen=dict(enumerate(unseen)))
