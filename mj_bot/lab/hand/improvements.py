"""What a ready hand is worth, and which draws make a better one of it."""

from ...mahjong.action import format_action
from ...mahjong.tile import TILE_COUNT, TILE_NAMES
from ...tactic import REVIEWER, load_tactic
from ..review.facts import Facts
from .hand_position import HandState

# Points that an improvement brings at least, and how many are listed.
_LEAST_GAIN = 0.1
_MOST_IMPROVEMENTS = 6


def describe_ready_hand(hand, state):
    """Returns the value of a ready hand and its improvements, as the reviewing tactic sees them.

    hand: notation.WrittenHand of 13 tiles that is ready. state: hand_position.HandState of it.
    Returns a dict of

        value           points that the tactic expects of the hand if the next tile is discarded again: the mean over
                        the tiles that may come and do not win; None where none may
        improvements    list of dicts, the most points by the chance of the draw first: draw, tile name; copies unseen;
                        action, the discard in Botzone's text; gain, points more than by discarding the draw; and wins,
                        the waits after it as review/facts.py describes them
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
            continue  # the draw wins
        kept.append((points["PLAY", name], copies))
        gain = points.get(action, 0) - points["PLAY", name]
        wins = Facts(drawn).describe(action)["wins"] if gain >= _LEAST_GAIN else []
        if wins:
            improvements.append({"draw": name, "copies": copies, "action": format_action(action),
                                 "gain": round(gain, 3), "wins": wins})
    improvements.sort(key=lambda entry: -entry["gain"] * entry["copies"])
    total = sum(copies for _, copies in kept)
    return {"value": round(sum(points * copies for points, copies in kept) / total, 3) if total else None,
            "improvements": improvements[:_MOST_IMPROVEMENTS]}


def _draw(hand, state, tile):
    """The HandState after a draw; the rest of the table is that of `state`."""
    owner = state.my_pid
    seats = [state.players[(owner + offset) % len(state.players)] for offset in range(len(state.players))]
    unseen = [copies - (other == tile) for other, copies in enumerate(state.unseen)]
    return HandState(hand._replace(tiles=hand.tiles + (tile,)),
                     [[TILE_NAMES.index(name) for name in player.played_tiles] for player in seats],
                     [player.melds for player in seats], unseen=dict(enumerate(unseen)))
