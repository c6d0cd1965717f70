"""What players score against each other, wall by wall, played on the engine by several processes."""

import numpy as np

from ...mahjong.errors import ProtocolError
from ..run.journal import Journal
from ..arena.schedule import make_match
from ..run.workers import Crew

FORMAT = "mj_bot tune journal"
VERSION = 2
# Columns of figures, sums over a player's seats in all games of a wall.
FIGURES = ("score", "wins", "deal_ins")
# Walls that are played together.
_PIECE_WALLS = 32


def play_piece(seed, rotations, first, stop, player, opponent):
    """A player's FIGURES at walls first .. stop - 1 of two seats against two, a list for each wall."""
    from ..arena.engine_runner import play_walls  # numba takes a second to import
    match = make_match([player, opponent], seed=seed, rotations=rotations)
    return [[getattr(tallies[0], name) for name in FIGURES] for tallies in play_walls(match, first, stop)]


def count_games(rotations):
    """Games of a wall and two players in so many rotations."""
    return len(make_match(["a", "b"], rotations=rotations).seatings)


class Matches(object):
    """Duplicate matches at the walls of one seed, as a context manager; none is played twice.

    What has been played stands in a journal, so that work broken off goes on where it was: whoever asks for the same
    matches again gets the same figures at once.
    """

    def __init__(self, seed, rotations, sources, journal_path=None, workers=1, show=None):
        """seed, rotations: as of schedule.make_match. sources: digest of the code that decides how games go.

        journal_path: of the file, None for no journal. workers: processes. show: function(games, whether they were
            known already).
        Raises as Journal does; ProtocolError: a damaged line.
        """
        self.seats_a_wall = make_match(["a", "b"], rotations=rotations).seats_a_wall[0]
        self.games_played = 0
        self._games_a_wall = count_games(rotations)
        self._seed = seed
        self._rotations = rotations
        self._show = show
        self._known = {}
        self._crew = Crew(_play_task, workers)
        identity = {"seed": seed, "rotations": rotations, "figures": list(FIGURES), "sources": sources}
        self._lines = Journal(journal_path, FORMAT, VERSION, identity)
        try:
            for data, where in self._lines.entries:
                self._take(data, where)
        except ProtocolError:
            self._lines.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self._crew.__exit__(*details)
        self._lines.close()

    def play(self, pairs, first, stop):
        """Figures of the first of each pair of players, int64[P, W, 3], at walls first .. stop - 1.

        pairs: list of (spec, spec).
        """
        pieces = [(player, opponent, start, min(start + _PIECE_WALLS, stop))
                  for start in range(first, stop, _PIECE_WALLS) for player, opponent in dict.fromkeys(pairs)]
        missing = [piece for piece in pieces if not self._knows(*piece)]
        if self._show:
            self._show(sum(map(self._count_games, pieces)) - sum(map(self._count_games, missing)), True)
        tasks = ((self._seed, self._rotations, piece) for piece in missing)
        for piece, figures in self._crew.run_tasks(tasks):
            data = {"players": piece[:2], "first": piece[2], "figures": figures}
            self._take(data, "from a worker")
            self._lines.append(data)
            games = self._count_games(piece)
            self.games_played += games
            if self._show:
                self._show(games, False)
        return np.array([[self._known[pair][wall] for wall in range(first, stop)] for pair in pairs], np.int64)

    def scores(self, players, field, first, stop):
        """Score a game of each player at walls first .. stop - 1, the mean over the opponents of a field, float[P, W].

        players: list of specs. field: list of specs.
        """
        figures = self.play([(player, opponent) for player in players for opponent in field], first, stop)
        scores = figures[:, :, FIGURES.index("score")].reshape(len(players), len(field), -1)
        return scores.mean(axis=1) / self.seats_a_wall

    def _count_games(self, piece):
        _, _, first, stop = piece
        return (stop - first) * self._games_a_wall

    def _knows(self, player, opponent, first, stop):
        known = self._known.get((player, opponent), ())
        return all(wall in known for wall in range(first, stop))

    def _take(self, data, where):
        try:
            player, opponent = data["players"]
            figures = {data["first"] + place: tuple(map(int, row)) for place, row in enumerate(data["figures"])}
            is_whole = all(len(row) == len(FIGURES) for row in figures.values())
        except (KeyError, TypeError, ValueError):
            is_whole = False
        if not is_whole:
            raise ProtocolError("expected the figures of some walls, got %.80r %s" % (data, where))
        self._known.setdefault((player, opponent), {}).update(figures)


def _play_task(seed, rotations, piece):
    """(piece, its figures)."""
    player, opponent, first, stop = piece
    return piece, play_piece(seed, rotations, first, stop, player, opponent)
