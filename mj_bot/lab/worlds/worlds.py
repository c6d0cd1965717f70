"""Keeps worlds, which are walls that fit what a seat sees, with their weights, and plays games on from there."""

from collections.abc import Sequence

import numpy as np

from ...mahjong.action import DISCARD_BASE, encode_action
from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.rules import SEATS, WALL_DRAWS
from ...mahjong.state import GameState
from ...mahjong.tile import TILE_NAMES
from ...observation.layout import FOLLOW
from ...tactic.base import Tactic
from ..engine import Engine, seed_source
from ..engine.game_rows import PLAYED
from ..table.choosers import load_chooser, load_valuer
from ..table.match import play_game
from ..table.players import TIME_LIMIT
from ..table.record import Record
from ..table.game_referee import ANNOUNCED_SEAT, DISCARDED, DRAWN, Referee
from .drawing import draw_walls
from .history import History, name_moves, read_history
from .world_positions import observe_turn, reach_position


class Worlds(object):
    """Keeps N walls that fit what a seat sees.

    walls: uint8[N, 136], tiles 0..33. Tiles 34 * s to 34 * s + 33 are the wall of seat s, whose last tile is dealt
    first.
    hands: uint8[N, 4, 34], concealed tiles of each seat now.
    weights: float64[N], how likely each world is. They add up to 1.
    state: GameState that the worlds fit.
    """

    def __init__(self, state: GameState, walls: np.ndarray, kong_tiles: np.ndarray, *, history: History):
        """Keeps worlds of equal weight.

        state: GameState that the worlds fit. walls, kong_tiles: the arrays that drawing.draw_walls returned.
        history: History of the state.
        """
        self.state, self.walls, self._kong_tiles, self._history = state.copy(), walls, kong_tiles, history
        self.games = reach_position(history, walls, kong_tiles)
        self.weights = np.full(len(walls), 1 / len(walls))

    def __len__(self):
        return len(self.walls)

    @property
    def hands(self) -> np.ndarray:
        """Returns the concealed tiles of each seat now, uint8[N, 4, 34]."""
        return self.games["hand"]

    @property
    def effective_size(self) -> float:
        """Returns the number of equally likely worlds that tell as much as these: 1 .. N."""
        return float(1 / (self.weights ** 2).sum())

    def weigh(self, judge: str | Tactic, discards: int = 6, temperature: float = 1.0) -> None:
        """Sets the weights by the latest discards of the other seats.

        The weight of a world is the probability that the judge would make these discards in it. The judge takes an
        action with a probability proportional to exp(points / temperature), where the points are those that it gives
        the action.
        judge: a tactic with points or its spec, such as "cnn". discards: number of the latest discards that count.
        temperature: above 0, in points.
        Raises MahjongError: the temperature is not above 0. UnknownTacticError: the tactic has no points. TacticError:
            the tactic fails.
        """
        if not temperature > 0:
            raise MahjongError("expected a temperature above 0, got %r", temperature)
        value, events = load_valuer(judge), self._history.events
        chosen = [index for index, (event, seat, _) in enumerate(events)
                  if event == PLAYED and seat != self._history.seat]
        logs = np.zeros(len(self))
        for index in chosen[-discards:] if discards > 0 else ():
            games = reach_position(self._history, self.walls, self._kong_tiles, count=index)
            observations, masks = observe_turn(games)
            points = np.where(masks, value(observations, masks)[1] / temperature, -np.inf)
            best = points.max(1)
            logs += points[:, DISCARD_BASE + events[index, 2]] - best - np.log(np.exp(points - best[:, None]).sum(1))
        weights = np.exp(logs - logs.max())
        self.weights = weights / weights.sum()

    def play(self, players: str | Tactic | Sequence[str | Tactic], action: tuple | None = None,
             time_limit: float | None = TIME_LIMIT) -> np.ndarray:
        """Plays all worlds to their ends with the engine. Returns the scores, int16[N, 4].

        players: a player for all seats, or one for each seat: a spec or a tactic with a method `evaluate` or `choose`.
        action: first action of the state's seat, one of its legal actions; None leaves it to the seat's player.
        time_limit: seconds that a player may take for a decision.
        Raises IllegalActionError: the action is not legal. UnknownTacticError: the engine cannot play a player.
            TacticError: a player fails, is too late, or returns an illegal action.
        """
        specs = [players] * SEATS if isinstance(players, (str, Tactic)) else list(players)
        if len(specs) != SEATS:
            raise MahjongError("expected a player for each of the 4 seats, got %.80r", players)
        forced = []
        if action is not None:
            if action not in self.state.action_space():
                raise IllegalActionError("expected one of %.300r, got %.80r", self.state.action_space(), action)
            forced = encode_action(action, self.state.last_tile)
        choosers = {spec: load_chooser(spec, time_limit) for spec in dict.fromkeys(specs)}
        engine, scores = Engine(len(self), seed_source(game_count=0)), np.zeros((len(self), SEATS), np.int16)
        engine.resume(self.games)
        taken = np.zeros(len(self), np.int64)  # number of actions of `forced` that each game has had
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
        """Returns (actions int16[M], bool[M] of forced ones). taken: int64[N], forced actions of each game, changed."""
        games, actions = engine.pending["game"], np.zeros(len(engine.pending), np.int16)
        is_own = engine.pending["seat"] == self.state.my_pid
        is_forced = is_own & (taken[games] < len(forced)) & (
            (taken[games] == 0) | (engine.games["phase"][games] == FOLLOW))
        taken[games[is_own & ~is_forced]] = len(forced)
        for step, index in enumerate(forced):
            actions[is_forced & (taken[games] == step)] = index
        taken[games[is_forced]] += 1
        return actions, is_forced

    def play_record(self, index: int, players: list) -> Record:
        """Plays one world to its end with the referee, and returns its record. The players are told the game so far."""
        wall = [TILE_NAMES[tile] for tile in self.walls[index]]
        opening = self.list_responses(index)
        return play_game(players, wall, self._history.wind, opening=opening)

    def list_responses(self, index: int) -> list[list[str]]:
        """Returns the answers of the four seats to each request so far in world `index`, as lists of 4 texts."""
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
    """Checks whether an answer takes the last discard: only the answer for a concealed kong names its tile."""
    return text == "GANG" or text.startswith(("CHI ", "PENG "))


def _count_draws(referee):
    return SEATS * WALL_DRAWS - sum(referee.walls_left)


def draw_worlds(state: GameState, count: int, *, seed: int = 0) -> Worlds:
    """Returns `count` worlds that fit a state, all equally likely; see api.sample_worlds."""
    history = read_history(state)
    walls, kong_tiles = draw_walls(history, count, seed)
    return Worlds(state, walls, kong_tiles, history=history)
