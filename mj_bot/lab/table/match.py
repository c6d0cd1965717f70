"""One game, from players to record."""

from .one_wall import make_referee
from .players import Answer
from .record import Record, Step, describe_origin


def play_game(players, wall, prevalent_wind, *, flowers=None, watch=None, opening=()):
    """As play_fast; returns the game's Record."""
    record = Record(wall, prevalent_wind, [player.name for player in players])

    def note(referee, answers):
        record.steps.append(Step(referee.requests, referee.display(), answers))

    referee = play_fast(players, wall, prevalent_wind, flowers=flowers, listen=note, watch=watch,
                        opening=opening)
    record.origin = describe_origin(referee)
    record.closing = referee.display()
    record.scores = referee.scores
    return record


def play_fast(players, wall, prevalent_wind, *, flowers=None, listen=None, watch=None, opening=()):
    """Plays one game and returns its Referee.

    players: 4 different players of players.py, seat 0 first. wall: list of 136 tile names. prevalent_wind: 0..3.
    flowers: of a game on one wall, as one_wall.OneWallReferee takes them; None where each seat has a wall.
    listen: function(referee, answers), called with the four Answers to the requests before each step.
    watch: function(referee), called before each step and at the end.
    opening: answers of the first steps, four texts for each, which the players are told instead of being asked.
    """
    referee = make_referee(wall, prevalent_wind, flowers)
    for player in players:
        player.begin()
    opening = iter(opening)
    try:
        while not referee.is_over:
            if watch:
                watch(referee)
            answers = _follow(players, referee.requests, next(opening, None))
            settled = referee.settle_false_wins([answer.response for answer in answers])
            answers = [answer._replace(response=text) for answer, text in zip(answers, settled)]
            if listen:
                listen(referee, answers)
            referee.step([answer.response for answer in answers], [answer.verdict for answer in answers])
    finally:
        for player in players:
            player.end()
    if watch:
        watch(referee)
    return referee


def _follow(players, requests, responses):
    """The four Answers to requests; responses: the known ones, of which the players are told, or None to ask."""
    if responses is None:
        return [player.respond(request) for player, request in zip(players, requests)]
    for player, request, response in zip(players, requests, responses):
        player.follow(request, response)
    return [Answer(response) for response in responses]
