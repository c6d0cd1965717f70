"""A critic that sees all four hands: what a game in its middle will bring to each seat.

It is a small network over facts of the hands: how much each is worth to `search`, how far it is from ready, and where
the tiles lie that it waits for. It is fitted to the scores of self-play.
"""

import io
import warnings

import numpy as np

from ...mahjong.action import DISCARD_BASE, PASS_INDEX
from ...mahjong.errors import ModelMismatchError
from ...mahjong.fan import MIN_FAN
from ...mahjong.rules import SEATS
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import AT, CLAIM, TURN, WALL_DRAWS
from ...worth.parameters import PARAMETERS
from ..batch.worth.waits import fan_of_wait
from ..engine import Engine, seed_source
from ..engine.compile import jit, jit_part
from ..engine.fan_memo import FanMemo, hand_key
from ..engine.legality import win_score
from ..engine.observations import write_observation
from ..engine.shanten import shanten_least
from ..run.files import write_whole
from ..table.walls import SLICE_SIZE
from .search import FANS_KEPT, find_best, make_search, weigh_decision

_SIDE_BY_SIDE = 512
_PARAMETERS = PARAMETERS._replace(correction=0, next_draw=0, least_chance=1e-4)
# Shanten is cut to 0.._FAR.
_FAR = 4
_LEAST_WORTH = 0.05
_WORTH_UNIT, _USEFUL_UNIT, _FAN_UNIT, _WAITS_UNIT, _HELD_UNIT = 30.0, 10.0, 16.0, 4.0, 2.0
# Of a seat: logarithm of the worth, the worth, shanten by number, useful tiles in the walls and unseen by the seat,
# melds, own turn, draws left, a wait of eight fan, most fan, winning tiles in the walls; then what each seat holds of
# the tiles that each wins on by a discard.
_A_SEAT = 2 + (_FAR + 1) + 8
FACT_COUNT = SEATS * (_A_SEAT + SEATS)
# Shares of the games' turns that the critic is fitted to, and of the games that it is tested on.
_TURNS_TAKEN, _TESTED = 0.1, 0.1
_HIDDEN = (64, 32)
_ROWS_AT_ONCE, _ROUNDS = 1024, 8


@jit
def _find_facts(search, work, games, seats, left, facts):
    """Writes the facts of the games `left`, each for one seat, float32[G, FACT_COUNT]; returns how many have hands that
    MahjongGB must count first, then the first of `left`.

    work: see make_work.
    """
    own, held, in_walls, waits = work
    again = 0
    for at in left:
        game = games[at]
        _count_walls(game, in_walls)
        is_counted = True
        for seat in range(4):
            waits[seat] = 0
            is_counted = _describe_seat(search, game, seat, in_walls, own[seat], waits) and is_counted
        if not is_counted:
            left[again] = at
            again += 1
            continue
        for seat in range(4):
            for other in range(4):
                count = 0
                for tile in range(TILE_COUNT):
                    count += (waits[seat] >> tile & 1) * game.hand[other, tile]
                held[seat, other] = count / _HELD_UNIT
        place = 0
        for offset in range(4):
            for fact in range(_A_SEAT):
                facts[at, place] = own[(seats[at] + offset) & 3, fact]
                place += 1
        for offset in range(4):
            for other in range(4):
                facts[at, place] = held[(seats[at] + offset) & 3, (seats[at] + other) & 3]
                place += 1
    return again


def make_work():
    """What _find_facts works in: facts by seat, tiles held, tiles in the walls by kind, tiles waited for as bits."""
    return (np.zeros((SEATS, _A_SEAT), np.float32), np.zeros((SEATS, SEATS), np.float32),
            np.zeros(TILE_COUNT, np.int64), np.zeros(SEATS, np.int64))


@jit_part
def _count_walls(game, in_walls):
    in_walls[:] = 0
    for seat in range(4):
        for place in range(SLICE_SIZE * seat, SLICE_SIZE * seat + game.wall_left[seat]):
            in_walls[np.int64(game.wall[place])] += 1


@jit_part
def _describe_seat(search, game, seat, in_walls, facts, waits):
    """Writes the facts of a seat, and into waits[seat] the tiles that it wins on by a discard; false where a hand must
    be counted first."""
    is_turn = seat == game.turn
    write_observation(game, seat, search.observation)
    search.mask[:] = False
    if is_turn:
        for tile in range(TILE_COUNT):
            search.mask[DISCARD_BASE + tile] = game.hand[seat, tile] > 0
    else:
        # To the others it is as if they let the last tile pass.
        search.observation[AT.task] = CLAIM
        search.mask[PASS_INDEX] = True
    if not weigh_decision(search):
        return False
    best = find_best(search.points)
    counts, meld_count = search.scratch.openings.counts[0], np.int64(game.meld_count[seat])
    if is_turn:
        counts[best - DISCARD_BASE] -= 1
    counting = search.scratch.counting
    least, useful = shanten_least(counting.lacks, counts, meld_count, counting.scratch)
    worth = search.worths[best]
    facts[0] = np.log(max(worth, _LEAST_WORTH))
    facts[1] = worth / _WORTH_UNIT
    for distance in range(_FAR + 1):
        facts[2 + distance] = min(max(least, 0), _FAR) == distance
    at = 3 + _FAR
    facts[at] = facts[at + 1] = 0.0
    for tile in range(TILE_COUNT):
        if useful >> tile & 1:
            facts[at] += in_walls[tile] / _USEFUL_UNIT
            facts[at + 1] += search.observation[AT.unseen + tile] / _USEFUL_UNIT
    facts[at + 2] = meld_count / 2
    facts[at + 3] = is_turn
    facts[at + 4] = game.wall_left[seat] / WALL_DRAWS
    by_discard, at_all, fan = np.int64(0), np.int64(0), np.int64(0)
    if least == 0:
        by_discard, at_all, fan = _list_wins(counting.memo, game, seat, counts, useful)
        if fan < 0:
            return False
    waits[seat] = by_discard
    facts[at + 5] = at_all != 0
    facts[at + 6] = fan / _FAN_UNIT
    facts[at + 7] = 0.0
    for tile in range(TILE_COUNT):
        if at_all >> tile & 1:
            facts[at + 7] += in_walls[tile] / _WAITS_UNIT
    return True


@jit_part
def _list_wins(memo, game, seat, counts, useful):
    """(tiles that win with eight fan by a discard, tiles that win so at all, most fan) of a ready hand; tiles as bits.
    Fan -1 where a hand must be counted first."""
    first, second = hand_key(counts, game.meld[seat], np.int64(game.meld_count[seat]), seat, game.wind)
    by_discard, at_all, most = np.int64(0), np.int64(0), np.int64(0)
    is_counted = True
    for tile in range(TILE_COUNT):
        if not useful >> tile & 1:
            continue
        for self_drawn in range(2):
            fan = fan_of_wait(memo, first, second, game.shown, tile, self_drawn)
            is_counted = is_counted and fan >= 0
            if fan >= MIN_FAN:
                at_all |= np.int64(1) << tile
                if not self_drawn:
                    by_discard |= np.int64(1) << tile
                most = max(most, fan)
    return by_discard, at_all, most if is_counted else np.int64(-1)


class Facts(object):
    """Finds the facts of games, for one thread."""

    def __init__(self):
        self._fans = FanMemo(FANS_KEPT)
        self._search = make_search(_PARAMETERS, self._fans.memo)
        self._work = make_work()

    def __call__(self, games, seats):
        """Facts float32[G, FACT_COUNT]; games: GAME[G], all at a turn after a draw. seats: int[G], whose they are."""
        facts = np.zeros((len(games), FACT_COUNT), np.float32)
        left, seats = np.arange(len(games)), np.asarray(seats, np.int64)
        while len(left):
            left = left[:_find_facts(self._search, self._work, games, seats, left, facts)]
            self._fans.answer_notes()
        return facts


class Critic(object):
    """What games in their middle bring.

    layers: list of (float32[inputs, outputs], float32[outputs]), with a ReLU after each but the last.
    """

    def __init__(self, layers):
        self._layers = layers
        self._facts = Facts()

    def __call__(self, games, seats):
        """Points that each game brings to a seat, float64[G]; games: GAME[G] at a turn, seats: int[G].

        Where the seat in turn may win, it does.
        """
        values = predict(self._layers, self._facts(games, seats))
        turns = games["turn"].astype(int)
        fans = games["fan"][np.arange(len(games)), turns].astype(int)
        for row in np.flatnonzero(fans >= MIN_FAN):
            values[row] = win_score.py_func(int(seats[row]), int(turns[row]), int(fans[row]), int(turns[row]))
        return values

    def save(self, path):
        """Writes the layers to a file; raises MahjongError: it cannot be written."""
        buffer = io.BytesIO()
        np.savez(buffer, **{"%s%d" % (name, number): array for number, layer in enumerate(self._layers)
                            for name, array in zip(("weights", "biases"), layer)})
        write_whole(path, buffer.getvalue())


def load_critic(path):
    """The Critic that was saved in a file.

    Raises ModelMismatchError: one of other facts.
    """
    with np.load(path) as arrays:
        layers = [(arrays["weights%d" % number], arrays["biases%d" % number]) for number in range(len(arrays) // 2)]
    if len(layers[0][0]) != FACT_COUNT:
        raise ModelMismatchError("expected a critic of %d facts, got one of %d in %s; remove the file to fit another"
                                 % (FACT_COUNT, len(layers[0][0]), path))
    return Critic(layers)


def predict(layers, facts):
    """float64[N] of facts float32[N, FACT_COUNT]."""
    for number, (weights, biases) in enumerate(layers):
        facts = facts @ weights + biases
        if number < len(layers) - 1:
            facts = np.maximum(facts, 0)
    return facts[:, 0].astype(np.float64)


def fit_critic(player, first_seed, games, progress=None):
    """(Critic, share of the scores' variance that it explains in games that it was not fitted to).

    player: a batch form, which plays the games against itself. first_seed: of the first wall, and of the fit.
    progress: run.progress.Progress over games, or None.
    """
    # It takes a second to load, and only who fits a critic needs it.
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPRegressor

    facts, scores, numbers = _collect(player, first_seed, games, progress)
    is_test = numbers >= games * (1 - _TESTED)
    mean, spread = facts[~is_test].mean(0), facts[~is_test].std(0) + 0.01
    network = MLPRegressor(hidden_layer_sizes=_HIDDEN, batch_size=_ROWS_AT_ONCE, max_iter=_ROUNDS,
                           n_iter_no_change=_ROUNDS, random_state=first_seed & 0xFFFFFFFF)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the rounds are few on purpose
        network.fit((facts[~is_test] - mean) / spread, scores[~is_test])
    layers = [(weights.astype(np.float32), biases.astype(np.float32))
              for weights, biases in zip(network.coefs_, network.intercepts_)]
    first, biases = layers[0]
    layers[0] = first / spread[:, None], biases - (mean / spread) @ first
    errors = scores[is_test] - predict(layers, facts[is_test])
    return Critic(layers), float(1 - (errors ** 2).mean() / scores[is_test].var())


def _collect(player, first_seed, games, progress):
    """(facts of each seat in some turns, their scores, numbers of the games), a row a seat."""
    rng = np.random.default_rng(first_seed)
    engine = Engine(min(_SIDE_BY_SIDE, games), seed_source(first_seed, games))
    engine.reset()
    find = Facts()
    scores = np.zeros((games, SEATS), np.float32)
    facts, numbers = [], []
    while len(engine.owed):
        places = np.unique(engine.owed["game"])
        places = places[(engine.games["phase"][places] == TURN) & (rng.random(len(places)) < _TURNS_TAKEN)]
        if len(places):
            facts.append(find(np.repeat(engine.games[places], SEATS), np.tile(np.arange(SEATS), len(places))))
            numbers.append(engine.games["game_id"][places].copy())
        games_owed, seats = engine.games["game_id"][engine.owed["game"]], engine.owed["seat"].astype(int)
        engine.step(player(engine.observations(), engine.mask(), games_owed, seats))
        scores[engine.finished["game_id"]] = engine.finished["score"]
        if progress is not None:
            progress.update(len(engine.finished))
    numbers = np.concatenate(numbers)
    return np.concatenate(facts), scores[numbers].reshape(-1), np.repeat(numbers, SEATS)
