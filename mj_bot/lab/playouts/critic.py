"""A critic that sees all four hands: what a game in its middle will bring to each seat.

It is a small network over facts of the hands: how much each is worth to `search`, how far it is from ready, and where
the tiles lie that it waits for. It is fitted to the scores of self-play.
"""

import io
import warnings

import numpy as np

from ...mahjong.action import ACTION_COUNT, DISCARD_BASE, PASS_INDEX
from ...mahjong.errors import ModelMismatchError
from ...mahjong.fan import MIN_FAN
from ...mahjong.rules import SEATS
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import CLAIM, TURN, WALL_DRAWS, field
from ..batch.search import SearchBatch
from ..engine import Engine, seed_source
from ..engine.compile import jit
from ..engine.fan_memo import FLAG_SHIFT, FOURTH_TILE, SELF_DRAWN, TILE_SHIFT, FanMemo, find_fan, hand_key
from ..engine.games import DECISION
from ..engine.legality import is_fourth_tile, win_score
from ..engine.observations import make_observations, write_observations
from ..engine.shanten import make_scratch, shanten_least, unpack_tiles
from ..engine.tables import load_tables
from ..run.files import write_whole
from ..table.walls import SLICE_SIZE

_FANS_KEPT = 1 << 16
_SIDE_BY_SIDE = 512
# Shanten is cut to 0.._FAR.
_FAR = 4
_LEAST_WORTH = 0.05
_WORTH_UNIT, _USEFUL_UNIT, _FAN_UNIT, _WAITS_UNIT = 30.0, 10.0, 16.0, 4.0
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
def _describe_hands(lacks, scratch, memo, counts, games, discards, left, shanten, useful, waits, fans):
    """Writes, for the games `left` and each seat, shanten, useful tiles, the tiles that win, and the most fan; returns
    how many games have hands that MahjongGB must count first, then the first of `left`.

    counts: int64[34] to work in. discards: int64[G], what the seat in turn is to discard. shanten, fans: int64[G, 4].
    useful: int64[G, 4], bits. waits: int64[G, 4, 2], bits of the tiles that win by a discard, and at all.
    """
    again = 0
    for at in left:
        game = games[at]
        is_counted = True
        for seat in range(4):
            for tile in range(TILE_COUNT):
                counts[tile] = game.hand[seat, tile]
            if seat == game.turn:
                counts[discards[at]] -= 1
            melds, meld_count = game.meld[seat], np.int64(game.meld_count[seat])
            least, tiles = shanten_least(lacks, counts, meld_count, scratch)
            shanten[at, seat], useful[at, seat] = least, tiles
            waits[at, seat, 0] = waits[at, seat, 1] = fans[at, seat] = 0
            if least != 0:
                continue
            first, second = hand_key(counts, melds, meld_count, seat, game.wind)
            for tile in range(TILE_COUNT):
                if not tiles >> tile & 1:
                    continue
                flags = FOURTH_TILE if is_fourth_tile(game.shown, tile) else 0
                for self_drawn in range(2):
                    key = second | np.uint64(tile << TILE_SHIFT | (flags | self_drawn * SELF_DRAWN) << FLAG_SHIFT)
                    fan = find_fan(memo, first, key)
                    is_counted = is_counted and fan >= 0
                    if fan >= MIN_FAN:
                        waits[at, seat, self_drawn] |= 1 << tile
                        fans[at, seat] = max(fans[at, seat], fan)
            waits[at, seat, 1] |= waits[at, seat, 0]
        if not is_counted:
            left[again] = at
            again += 1
    return again


class Facts(object):
    """Finds the facts of games, for one thread."""

    def __init__(self):
        self._search = SearchBatch(correction=0, next_draw=0)
        self._fans = FanMemo(_FANS_KEPT)

    def __call__(self, games):
        """Facts float32[G, 4, FACT_COUNT] of each seat; games: GAME[G], all at a turn after a draw."""
        worths, discards = self._find_worths(games)
        shape = (len(games), SEATS)
        shanten, useful, fans = (np.zeros(shape, np.int64) for _ in range(3))
        waits = np.zeros(shape + (2,), np.int64)
        left = np.arange(len(games))
        while len(left):
            left = left[:_describe_hands(load_tables().lacks, make_scratch(), self._fans.memo,
                                         np.zeros(TILE_COUNT, np.int64), games, discards, left, shanten, useful, waits,
                                         fans)]
            self._fans.answer_notes()
        own = np.zeros(shape + (_A_SEAT,), np.float32)
        own[..., 0] = np.log(np.maximum(worths, _LEAST_WORTH))
        own[..., 1] = worths / _WORTH_UNIT
        own[..., 2:3 + _FAR] = np.clip(shanten, 0, _FAR)[..., None] == np.arange(_FAR + 1)
        in_walls = _count_walls(games)[:, None]
        unseen = 4 - games["shown"].astype(int)[:, None] - games["hand"]
        useful, winning = unpack_tiles(useful), unpack_tiles(waits)
        own[..., -8:] = np.stack([
            (useful * in_walls).sum(2) / _USEFUL_UNIT, (useful * unseen).sum(2) / _USEFUL_UNIT,
            games["meld_count"] / 2, games["turn"][:, None] == np.arange(SEATS), games["wall_left"] / WALL_DRAWS,
            waits[..., 1] > 0, fans / _FAN_UNIT, (winning[:, :, 1] * in_walls).sum(2) / _WAITS_UNIT], 2)
        held = np.einsum("git,gjt->gij", winning[:, :, 0].astype(np.float32), games["hand"].astype(np.float32)) / 2
        turned = (np.arange(SEATS)[:, None] + np.arange(SEATS)) % SEATS
        parts = [np.concatenate([own[:, seats].reshape(len(games), -1),
                                 held[:, seats][:, :, seats].reshape(len(games), -1)], 1) for seats in turned]
        return np.stack(parts, 1)

    def _find_worths(self, games):
        """(worths float64[G, 4] after the best discard where one is owed, those discards int64[G])."""
        seats = np.tile(np.arange(SEATS), len(games))
        owed = np.zeros(len(seats), DECISION)
        owed["game"], owed["seat"] = np.repeat(np.arange(len(games)), SEATS), seats
        observations = make_observations(len(owed))
        write_observations(games, owed, False, observations)
        is_own = seats == np.repeat(games["turn"], SEATS)
        # To the others it is as if they let the last tile pass.
        field(observations, "task")[~is_own] = CLAIM
        masks = np.zeros((len(owed), ACTION_COUNT), bool)
        masks[~is_own, PASS_INDEX] = True
        masks[is_own, DISCARD_BASE:DISCARD_BASE + TILE_COUNT] = field(observations, "hand")[is_own] > 0
        actions = self._search(observations, masks)
        return self._search.worths.reshape(-1, SEATS), actions[is_own].astype(np.int64) - DISCARD_BASE


def _count_walls(games):
    """Tiles left in the walls by kind, int64[G, 34]."""
    places = np.arange(SLICE_SIZE) < games["wall_left"][:, :, None]
    tiles = games["wall"].reshape(len(games), SEATS, SLICE_SIZE)
    rows = np.broadcast_to(np.arange(len(games))[:, None, None] * TILE_COUNT, tiles.shape)
    counts = np.bincount((rows + tiles)[places], minlength=len(games) * TILE_COUNT)
    return counts.reshape(len(games), TILE_COUNT)


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
        facts = self._facts(games)[np.arange(len(games)), seats]
        values = predict(self._layers, facts)
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
            facts.append(find(engine.games[places]))
            numbers.append(engine.games["game_id"][places].copy())
        games_owed, seats = engine.games["game_id"][engine.owed["game"]], engine.owed["seat"].astype(int)
        engine.step(player(engine.observations(), engine.mask(), games_owed, seats))
        scores[engine.finished["game_id"]] = engine.finished["score"]
        if progress is not None:
            progress.update(len(engine.finished))
    numbers = np.concatenate(numbers)
    facts = np.concatenate(facts)
    return facts.reshape(-1, FACT_COUNT), scores[numbers].reshape(-1), np.repeat(numbers, SEATS)
