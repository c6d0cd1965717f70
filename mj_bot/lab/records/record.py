"""A recorded game in memory: what the judge asked and showed, what the seats answered."""

from collections import namedtuple

# One seat's side of a game. name: where it came from. seat: 0..3, None where only the requests tell. responses: as many
# as requests, or fewer where a log does not tell.
Transcript = namedtuple("Transcript", "name seat requests responses")
# requests: 4 texts. display: the judge's display object. answers: 4 players.Answer.
Step = namedtuple("Step", "requests display answers")


class Record(object):
    """One refereed game.

    wall: list of 136 tile names; None where the source does not tell. quan: prevalent wind 0..3.
    steps: list of Step. closing: the judge's last display object. scores: list of 4 ints.
    players: list of 4 names. name: where it came from.
    """

    def __init__(self, wall, quan, players=("0", "1", "2", "3"), name=""):
        self.wall = wall
        self.quan = quan
        self.players = list(players)
        self.name = name
        self.steps = []
        self.closing = None
        self.scores = None

    def transcripts(self):
        """The four Transcripts: what a bot at each seat was asked and answered."""
        return [
            Transcript(self.name, seat, [step.requests[seat] for step in self.steps],
                       [step.answers[seat].response for step in self.steps])
            for seat in range(4)
        ]
