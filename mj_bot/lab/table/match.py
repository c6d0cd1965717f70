"""Plays one game, from players to a record."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from .one_wall import Flowers, make_referee
from .players import Answer, Player
from .record import Record, Step
from .game_referee import Referee


def play_game(players: Sequence[Player], wall: list[str], prevalent_wind: int, **options: Any) -> Record:
    """Plays one game and returns its Record.

    players: 4 different players of players.py, seat 0 first. wall: list of 136 tile names. prevalent_wind: 0..3.
    options: keyword arguments flowers, watch and opening of play_fast.
    """
    record = Record(wall, prevalent_wind, [player.name for player in players])

    def note(referee: Referee, answers: list[Answer]) -> None:
        record.steps.append(Step(referee.requests, referee.display(), answers))

    record.close(play_fast(players, wall, prevalent_wind, listen=note, **options))
    return record


def play_fast(
        players: Sequence[Player], wall: list[str], prevalent_wind: int, *, flowers: Flowers | None = None,
        listen: Callable[[Referee, list[Answer]], None] | None = None, watch: Callable[[Referee], None] | None = None,
        opening: Iterable[Sequence[str]] = ()) -> Referee:
    """Plays one game without recording it, and returns its Referee.

    players: 4 different players of players.py, seat 0 first. wall: list of 136 tile names. prevalent_wind: 0..3.
    flowers: (draws before it, seat, flower 1..8) of each flower, for a game on one wall of 144 tiles; None for a game
        in which each seat has a wall.
    listen: function(referee, answers), called before each step with the four Answers to its requests.
    watch: function(referee), called before each step and at the end.
    opening: answers of the first steps, four texts for each step. The players are told these answers, not asked.
    """
    referee, opening = make_referee(wall, prevalent_wind, flowers), iter(opening)
    for player in players:
        player.begin()
    try:
        while not referee.is_over:
            if watch:
                watch(referee)
            answers = answer_requests(referee, partial(_respond, players, next(opening, None)))
            if listen:
                listen(referee, answers)
            referee.step([answer.response for answer in answers], [answer.verdict for answer in answers])
    finally:
        for player in players:
            player.end()
    if watch:
        watch(referee)
    return referee


def answer_requests(referee: Referee, respond: Callable[[int, str], Answer]) -> list[Answer]:
    """Returns respond(seat, request) of the four seats, with a harmless answer in place of each false win."""
    answers = [respond(seat, request) for seat, request in enumerate(referee.requests)]
    settled = referee.settle_false_wins([answer.response for answer in answers])
    return [answer._replace(response=text) for answer, text in zip(answers, settled)]


def _respond(players, responses, seat, request):
    """Returns the Answer of a player. responses: those of the step, if the player is only told them; else None."""
    if responses is None:
        return players[seat].respond(request)
    players[seat].follow(request, responses[seat])
    return Answer(responses[seat])
