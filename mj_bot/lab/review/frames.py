"""Builds a recorded game as frames: the event of each request and the change of the position.

A frame is {"event": ..., "set": [[path, value], ...]}. The position begins as null. A path is a list of keys and
indices into the JSON of page/position.py, where the value is set; the index after a list's end appends.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import Any, Optional

from ...mahjong.errors import IllegalActionError, InvalidTileError, MahjongError, Message, ProtocolError
from ...mahjong.rules import SEATS
from ...mahjong.state import GameState
from ...mahjong.tile import COPIES, list_tiles
from ..page.position import describe_ending, describe_event, describe_position
from ..table.record import Transcript
from .facts import describe_hand


@dataclass
class Story:
    """Keeps the frames of a game, and further lists that a viewer needs; build_story fills it."""

    frames: list = field(default_factory=list)  # as the top of this file describes them
    # By seat: indices of the frames at which it had a choice.
    decisions: list = field(default_factory=lambda: [[] for _ in range(SEATS)])
    # {"frame", "seat", "text"} of each illegal answer.
    notes: list = field(default_factory=list)
    # By seat whose hand is known: list of [frame, distance to eight fan, shanten] at each change.
    distances: list = field(default_factory=lambda: [[] for _ in range(SEATS)])
    error: Optional[Message] = None  # where and why the record breaks; the frames are those before
    seats: list = field(default_factory=list)  # whose hands and answers the record has
    position: Optional[dict] = None  # of the last frame

    def add(self, event: dict, position: dict) -> None:
        """Adds a frame. event, position: of page/position.py."""
        self.frames.append({"event": event, "set": list(_list_changes(self.position, position, []))})
        self.position = position


def build_story(
        transcripts: list[Transcript], closing: Optional[dict] = None, scores: Optional[list[int]] = None) -> Story:
    """Returns the story of a game. If the record breaks, the story has the frames before that and `error`.

    transcripts: of four seats with equally many requests, or of one seat. closing: the judge's closing display, scores:
    of the four seats; None where the record has none.
    """
    story = Story()
    states = [GameState() for _ in transcripts]
    for index in range(max(len(transcript.requests) for transcript in transcripts)):
        for order, (state, transcript) in enumerate(zip(states, transcripts)):
            try:
                if index >= len(transcript.requests):
                    raise ProtocolError("request %d: expected one for every seat, got none", index)
                state.apply(transcript.requests[index])
                if order == len(states) - 1:
                    _check_agreement(states, index)
            except MahjongError as error:
                story.error = error if state.my_pid is None else Message("seat %d, %s", state.my_pid, error)
                break
        if story.error:
            break
        by_seat = [None] * SEATS
        for state in states:
            by_seat[state.my_pid] = state
        story.seats = [seat for seat in range(SEATS) if by_seat[seat]]
        story.add(describe_event(by_seat, index), describe_position(by_seat))
        add_distances(story.distances, states, index, measure=_measure_hand)
        _take_answers(story, states, transcripts, index=index)
    if story.frames and not story.error:
        try:
            ending = describe_ending(by_seat, transcripts, closing, scores=scores)
            if ending:
                story.add(ending, describe_position(by_seat))
        except MahjongError as error:
            story.error = error
    return story


def add_distances(distances: list[list], states: list[GameState], index: int, *, measure: Callable) -> None:
    """Adds the distances of each hand where they change at an event.

    distances: by seat, of a Story. states: of the known seats after the event. index: of the event. measure:
    function(state, counts, melds) that returns [distance to eight fan, shanten] of a hand that is to draw.
    """
    for state in states:
        if index:
            own, changes = state.players[state.my_pid], distances[state.my_pid]
            if changes and state.last_action[0] != state.my_pid:
                continue  # another seat's event leaves the hand as it is
            if own.hand_size + 3 * len(own.melds) < 14:
                distance = measure(state, state.hand_counts, own.melds)
            elif state.action_space()[0][0] == "HU":
                distance = [-1, -1]
            else:
                continue  # the distances follow with its discard
            if not changes or changes[-1][1:] != distance:
                changes.append([index] + distance)


def _measure_hand(state: GameState, counts: list[int], melds: list) -> list:
    """Returns [distance to eight fan, shanten] of a hand. counts: list[34], 13 less 3 a meld. melds: list of Meld."""
    facts = describe_hand(state, counts, melds)
    return [facts["distance_to_8_fan"], facts["shanten"]]


def _take_answers(story: Story, states: list[GameState], transcripts: list[Transcript], *, index: int) -> None:
    """Gives the recorded answers to the states, and notes choices and illegal answers in a story."""
    for state, transcript in zip(states, transcripts):
        if len(state.action_space()) > 1:
            story.decisions[state.my_pid].append(index)
        if index < len(transcript.responses):
            try:
                state.answer(transcript.responses[index])
            except (ProtocolError, IllegalActionError) as error:
                # The judge may have ignored the answer; otherwise the game ends here.
                story.notes.append({"frame": index, "seat": state.my_pid, "text": error})


def _check_agreement(states: list[GameState], index: int) -> None:
    """Raises ProtocolError where the seats' requests contradict each other."""
    seats = [state.my_pid for state in states]
    if len(set(seats)) != len(seats):
        raise ProtocolError("request %d: expected four different seats, got %r", index, seats)
    # The part of each action that all players see.
    public = [[(seat, action[:1] if action[0] in ("DRAW", "GANG") else action) for seat, action in state.history]
              for state in states]
    for state, events in zip(states, public):
        if events[-1:] != public[0][-1:] or len(events) != len(public[0]):
            raise ProtocolError("request %d: expected seat %r to see %r as seat %r does, got %r", index, state.my_pid,
                                public[0][-1:], states[0].my_pid, events[-1:])
    if len(states) == SEATS:
        _check_copies(states, index)


def _check_copies(states: list[GameState], index: int) -> None:
    """Raises InvalidTileError for a fifth copy of a tile, which no single seat can see."""
    total = Counter()
    for state in states:
        own = state.players[state.my_pid]
        total.update(chain(list_tiles(state.hand_counts), own.river, *(meld.cards for meld in own.melds)))
    for name, copies in total.items():
        if copies > COPIES:
            raise InvalidTileError("request %d: expected at most 4 copies of a tile on the table, got %d %s", index,
                                   copies, name)


def _list_changes(old: Any, new: Any, path: list) -> Iterator[list]:
    """Yields [path, value] of each value of JSON that differs from the old one."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in new.items():
            yield from _list_changes(old.get(key), value, path + [key])
    elif _is_objects(old) and _is_objects(new) and len(old) <= len(new):
        for index, (before, after) in enumerate(zip_longest(old, new)):
            yield from _list_changes(before, after, path + [index])
    elif old != new:
        yield [path, new]


def _is_objects(value: Any) -> bool:
    """Checks whether a value is a list of objects, which change one by one."""
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)
