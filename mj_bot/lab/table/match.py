"""One game, from players to record."""

from .record import Record, Step
from .referee import Referee



def play_game(players, wall, quan, watch=None):
    """Plays one game and returns its Record.

    players: 4 players of players.py, seat 0 first; one object sits at one seat only.
    wall: list of 136 tile names. quan: prevalent wind 0..3.
    watch: function(referee) called before the first step, after each and at the end.
    """
    referee = Referee(wall, quan)
    record = Record(wall, quan, [player.name for player in players])
    for player in players:
        player.begin()
    try:
        while not referee.is_over:
            if watch:
                watch(referee)
            requests, display = referee.requests, referee.display()
            answers = [player.respond(request) for player, request in zip(players, requests)]
            referee.step([answer.response for answer in answers], [answer.verdict for answer in answers])
            record.steps.append(Step(requests, display, answers))
    finally:
        for player in players:
            player.end()
    record.closing = referee.display()
    record.scores = referee.scores
    if watch:
        watch(referee)
    return record


def play_fast(players, wall, quan, listen=None):
    """As play_game, without a record: the Referee at its end.

    listen: function(referee, answers) called with the four Answers to its requests before they are judged.
    """
    referee = Referee(wall, quan)
    for player in players:
        player.begin()
    try:
        while not referee.is_over:
            answers = [player.respond(request) for player, request in zip(players, referee.requests)]
            if listen:
                listen(referee, answers)
            referee.step([answer.response for answer in answers], [answer.verdict for answer in answers])
    finally:
        for player in players:
            player.end()
    return referee
