"""Plays the wall of a recorded game once more with four players of one judge: what it makes at the same seats."""

from collections.abc import Sequence
from typing import Optional, TypedDict

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ...mahjong.shanten import shanten
from ...mahjong.state import GameState
from ..page.position import describe_ending, describe_event
from ..table.match import play_fast
from ..table.players import Answer, TacticPlayer
from ..table.record import Record
from ..table.game_referee import Referee
from .frames import add_distances


class WallReplay(TypedDict):
    """Keeps a wall that was played once more."""

    events: list  # The event of each request, as in frames.Story; the last one is END.
    # By seat: list of [index of an event, null or -1, shanten] at each change. The distance to eight fan, which takes
    # most time, is left out.
    distances: list


def replay_wall(record: Record, judge: TacticPlayer) -> Optional[WallReplay]:
    """Returns the replay of a record's game, or None if the game cannot be played again.

    record: with its wall. The flowers are those of the record; after the deal each goes to the seat that draws then.
    judge: its tactic plays all four seats, without a time limit; judges.is_reusable must hold for it.
    """
    players = [TacticPlayer(judge.tactic, judge.name) for _ in range(SEATS)]
    events, distances = [], [[] for _ in range(SEATS)]

    def note(referee: Referee, answers: Sequence[Answer]) -> None:
        states = [player.state for player in players]
        add_distances(distances, states, len(events), measure=_measure_shanten)
        events.append(describe_event(states, len(events)))

    try:
        referee = play_fast(players, record.wall, record.prevalent_wind, flowers=record.list_free_flowers(),
                            listen=note)
    except MahjongError:  # the record's wall is none
        return None
    if referee.verdict not in ("HU", "HUANG"):
        return None
    states = [player.state for player in players]
    return {"events": [*events, describe_ending(states, [], referee.display(), scores=referee.scores)],
            "distances": distances}


def _measure_shanten(state: GameState, counts: list[int], melds: list) -> list[Optional[int]]:
    """Returns [None, shanten] of a hand. counts: list[34], 13 less 3 a meld. melds: list of Meld."""
    return [None, shanten(counts, len(melds))]
