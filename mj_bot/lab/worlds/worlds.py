"""Worlds: walls that fit what a seat sees, with their weights, and how games go on from there."""

import numpy as np

from ...mahjong.action import DISCARD_BASE, encode_action
from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.rules import SEATS, WALL_DRAWS
from ...mahjong.tile import TILE_NAMES
from ...observation.layout import FOLLOW
from ..engine import Engine, seed_source
from ..engine.games import PLAYED
from ..table.choosers import load_chooser, load_valuer
from ..table.match import play_game
from ..table.players import TIME_LIMIT
from ..table.referee import ANNOUNCED_SEAT, DISCARDED, DRAWN, Referee
from .drawing import draw_walls
from .history import name_moves, read_history
from .world_positions import observe_turn, reach_position


class Worlds(object):
    """Walls that fit what a seat sees.

    walls: uint8[N, 136], tiles 0..33 as table/walls.py lays them, with the deal and the draws that were made.
    hands: uint8[N, 4, 34], the concealed tiles of each seat now.
    weights: float64[N], how likely each world is; they add up to 1.
    state: the GameState.
    """

    def __init__(self, state, walls, kong_tiles, *, history):
        """walls, kong_tiles: as drawing.draw_walls returns them. history: history.History of the state."""
        self.state, self.walls, self._kong_tiles, self._history = state.copy(), walls, kong_tiles, history
        self.games = reach_position(history, walls, kong_tiles)
        self.weights = np.full(len(walls), 1 / len(walls))

    def __len__(self):
        return len(self.walls)

    @property
    def hands(self):
        return self.games["hand"]

    @property
    def effective_size(self):
        """The number of equally likely worlds that tell as much as these, 1 .. N."""
        return float(1 / (self.weights ** 2).sum())

    def weigh(self, judge, discards=6, temperature=1.0):
        """Sets the weights by the latest discards of the other seats.

        A world is as likely as a player would make these discards in it who prefers an action with the chance
        exp(points / temperature), in the judge's points. judge: spec of a tactic with points, "cnn" or "search".
        discards: how many of the latest ones count.
        Raises UnknownTacticError: a tactic without points. TacticError: it fails.
        """
        if not temperature > 0:
            raise MahjongError("expected a temperature above 0, got %r" % (temperature,))
        value, events = load_valuer(judge), self._history.events
        chosen = [at for at, (kind, seat, _) in enumerate(events) if kind == PLAYED and seat != self._history.seat]
        logs = np.zeros(len(self))
        for at in chosen[-discards:] if discards > 0 else ():
            observations, masks = observe_turn(reach_position(self._history, self.walls, self._kong_tiles, at))
            points = np.where(masks, value(observations, masks)[1] / temperature, -np.inf)
            best = points.max(1)
            logs += points[:, DISCARD_BASE + events[at, 2]] - best - np.log(np.exp(points - best[:, None]).sum(1))
        weights = np.exp(logs - logs.max())
        self.weights = weights / weights.sum()

    def play(self, players, action=None, time_limit=TIME_LIMIT):
        """Plays all worlds to their ends by the engine; returns the scores, int16[N, 4].

        players: a spec for all seats, or one for each; tactics with a method evaluate or choose.
        action: what the state's seat does first, one of its legal actions; None to leave this to its player.
        Raises IllegalActionError: another action. UnknownTacticError, TacticError: as choosers.load_chooser does.
        """
        specs = [players] * SEATS if isinstance(players, str) else list(players)
        if len(specs) != SEATS:
            raise MahjongError("expected a player for each of the 4 seats, got %.80r" % (players,))
        forced = []
        if action is not None:
            if action not in self.state.action_space():
                raise IllegalActionError("expected one of %.300r, got %.80r" % (self.state.action_space(), action))
            forced = encode_action(action, self.state.last_tile)
        choosers = {spec: load_chooser(spec, time_limit) for spec in dict.fromkeys(specs)}
        engine, scores = Engine(len(self), seed_source(game_count=0)), np.zeros((len(self), SEATS), np.int16)
        engine.resume(self.games)
        taken = np.zeros(len(self), np.int64)  # actions of `forced` that each game has had
        while True:
            scores[engine.finished["game"]] = engine.finished["score"]
            if not len(engine.pending):
                return scores
            actions, is_forced = self._force(engine, forced, taken)
            observations, masks, seats = engine.observations(), engine.mask(), engine.pending["seat"]
            for spec, choose in choosers.items():
                rows = np.flatnonzero(np.array([other == spec for other in specs])[seats] & ~is_forced)
                if len(rows):
                    actions[rows] = choose(observations[rows], masks[rows])
            engine.step(actions)

    def _force(self, engine, forced, taken):
        """Returns (actions int16[M] of pending decisions, bool[M] of those that are forced), and counts them in taken.

        forced: the indices of an action, two for a claim with its discard; the discard only where nobody overruled the
        claim.
        """
        games, actions = engine.pending["game"], np.zeros(len(engine.pending), np.int16)
        is_own = engine.pending["seat"] == self.state.my_pid
        is_forced = is_own & (taken[games] < len(forced)) & (
            (taken[games] == 0) | (engine.games["phase"][games] == FOLLOW))
        taken[games[is_own & ~is_forced]] = len(forced)
        for number, index in enumerate(forced):
            actions[is_forced & (taken[games] == number)] = index
        taken[games[is_forced]] += 1
        return actions, is_forced

    def play_record(self, index, players):
        """Plays one world to its end by the referee, the plain truth; returns its table.record.Record.

        index: of the world. players: 4 different players of table/players.py. The game so far is told to them.
        """
        wall = [TILE_NAMES[tile] for tile in self.walls[index]]
        opening = self.list_responses(index)
        return play_game(players, wall, self._history.wind, opening=opening)

    def list_responses(self, index):
        """Returns the four answers to each request so far in one world, as lists of texts."""
        wall = [TILE_NAMES[tile] for tile in self.walls[index]]
        referee, listed = Referee(wall, self._history.wind), []
        moves = name_moves(self._history, self._kong_tiles[index])[::-1]
        while moves or referee.phase == ANNOUNCED_SEAT or _count_draws(referee) < self._history.draws:
            responses = ["PASS"] * SEATS
            if moves and (referee.phase == DRAWN or referee.phase == DISCARDED and _is_claim(moves[-1][1])):
                seat, text = moves.pop()
                responses[seat] = text
            referee.step(responses)
            listed.append(responses)
        return listed


def _is_claim(text):
    """Whether an answer takes the last discard; a kong of one's own names its tile."""
    return text == "GANG" or text.startswith(("CHI ", "PENG "))


def _count_draws(referee):
    return SEATS * WALL_DRAWS - sum(referee.wall_sizes)


def sample_worlds(state, count, *, seed=0):
    """Returns Worlds that fit a state, all equally likely.

    state: a GameState that requests have made, without flowers. count: of worlds. seed: 0 .. 2**64 - 1.
    Raises ProtocolError: another state, count or seed.
    """
    history = read_history(state)
    walls, kong_tiles = draw_walls(history, count, seed)
    return Worlds(state, walls, kong_tiles, history=history)
