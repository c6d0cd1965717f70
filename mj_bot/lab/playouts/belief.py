"""A study of the question how much can be known of the others' hands from what all see.

A small network tells a hand that a seat really held from one dealt evenly out of the unseen tiles; its logit is the
logarithm of the density ratio of the two. A Markov chain over the three hands swaps tiles with the walls and takes a
swap by the ratio, so that it comes to hands as likely as the network holds them for.
"""

import io
from typing import NamedTuple

import numpy as np

from ...mahjong.action import PASS_INDEX
from ...mahjong.rules import SEATS
from ...mahjong.splitmix import STEP
from ...mahjong.tile import COPIES, TILE_COUNT
from ...observation.layout import AT, CHOW, CLAIM, OBSERVATION_SIZE, PUNG, TURN, field
from ...worth.parameters import PARAMETERS
from ..batch import load_batch
from ..engine import Engine, decode_positions, fill_hidden, seed_source
from ..engine.compile import jit, jit_part
from ..engine.fan_memo import FanMemo
from ..engine.legality import mix
from ..engine.observations import write_observation
from ..engine.shanten import shanten_least
from ..run.files import write_whole
from .critic import _list_wins
from .search import FANS_KEPT, make_search, weigh_decision

FACTS = 64
_PARAMETERS = PARAMETERS._replace(correction=0, next_draw=0, least_chance=1e-4)
_EARLY, _LATE, _RECENT = 6, 4, 12
_SIDE_BY_SIDE, _TAKEN = 256, 0.05
_HIDDEN = (48, 24)
_SEEDS = 1 << 62
# Steps of the chain before the first world, and between two worlds.
_BURN, _BETWEEN = 700, 45


class Seen(NamedTuple):
    """What all see, by seat; int64."""

    discarded: np.ndarray  # [4, 34]
    early: np.ndarray  # [4, 34], among its first discards
    late: np.ndarray  # [4, 34], among its last
    by_others: np.ndarray  # [4, 34], discarded by the others
    recent: np.ndarray  # [4, 34], by the others of late
    before: np.ndarray  # [4, 34], by the seat before it of late
    unseen: np.ndarray  # [34]
    suits: np.ndarray  # [4, 3, 4], its discards by suit: all, early, late
    melds: np.ndarray  # [4, 4], by suit
    kinds: np.ndarray  # [4, 2], chows and pungs


def make_seen():
    """A Seen of zeros."""
    shapes = [(SEATS, TILE_COUNT)] * 6 + [(TILE_COUNT,), (SEATS, 3, 4), (SEATS, 4), (SEATS, 2)]
    return Seen(*(np.zeros(shape, np.int64) for shape in shapes))


@jit_part
def _read_seen(game, root, seen):
    clock = np.int64(game.discard_count)
    for tile in range(TILE_COUNT):
        seen.unseen[tile] = COPIES - np.int64(game.shown[tile]) - game.hand[root, tile]
    for table in (seen.discarded, seen.early, seen.late, seen.by_others, seen.recent, seen.before, seen.melds,
                  seen.kinds):
        table[:] = 0
    seen.suits[:] = 0
    for seat in range(4):
        for place in range(game.meld_count[seat]):
            kind, tile = game.meld[seat, place, 0], np.int64(game.meld[seat, place, 1])
            seen.melds[seat, tile // 9] += 1
            seen.kinds[seat, 0] += kind == CHOW
            seen.kinds[seat, 1] += kind == PUNG
        count = np.int64(game.river_count[seat])
        for place in range(count):
            tile = np.int64(game.river_tile[seat, place])
            is_recent = np.int64(game.river_time[seat, place]) >= clock - _RECENT
            seen.discarded[seat, tile] += 1
            seen.suits[seat, 0, tile // 9] += 1
            if place < _EARLY:
                seen.early[seat, tile] += 1
                seen.suits[seat, 1, tile // 9] += 1
            if place >= count - _LATE:
                seen.late[seat, tile] += 1
                seen.suits[seat, 2, tile // 9] += 1
            for other in range(4):
                if other != seat:
                    seen.by_others[other, tile] += 1
                    seen.recent[other, tile] += is_recent
            seen.before[(seat + 1) & 3, tile] += is_recent


@jit_part
def _beside(counts, tile, distance):
    """Of a suited tile: what lies so far from it in its suit."""
    total = 0
    if tile < 27:
        if tile % 9 >= distance:
            total += counts[tile - distance]
        if tile % 9 + distance < 9:
            total += counts[tile + distance]
    return total


@jit_part
def _holds(counts, tile, step):
    return tile < 27 and 0 <= tile % 9 + step < 9 and counts[tile + step] > 0


@jit_part
def _describe(search, game, seat, seen, facts):
    """Writes the facts of a seat's hand as it is, float32[FACTS]; false where a hand must be counted first."""
    write_observation(game, seat, search.observation)
    search.mask[:] = False
    search.observation[AT.task] = CLAIM
    search.mask[PASS_INDEX] = True
    if not weigh_decision(search):
        return False
    worth = search.worths[PASS_INDEX]
    counts, melds = search.scratch.openings.counts[0], np.int64(game.meld_count[seat])
    counting = search.scratch.counting
    least, useful = shanten_least(counting.lacks, counts, melds, counting.scratch)
    fan, by_all = np.int64(0), np.int64(0)
    if least == 0:
        _, by_all, fan = _list_wins(counting.memo, game, seat, counts, useful)
        if fan < 0:
            return False
    facts[:] = 0
    walls_left = 0
    for other in range(4):
        walls_left += np.int64(game.wall_left[other])
    facts[0], facts[1], facts[2 + min(max(least, 0), 4)] = np.log(max(worth, 0.05)), worth / 30, 1
    facts[8], facts[9], facts[10], facts[11] = melds / 2, game.wall_left[seat] / 21, by_all != 0, fan / 16
    facts[12], facts[13] = walls_left / 84, min(np.int64(game.river_count[seat]), 20) / 10
    _describe_tiles(game, seat, seen, counts, useful, facts)
    _describe_suits(seat, seen, counts, facts)
    facts[57], facts[58] = seen.kinds[seat, 0], seen.kinds[seat, 1]
    if melds < 4:
        facts[59 + melds] = 1
    return True


@jit_part
def _describe_tiles(game, seat, seen, counts, useful, facts):
    discarded, early, late = seen.discarded[seat], seen.early[seat], seen.late[seat]
    others, recent, before = seen.by_others[seat], seen.recent[seat], seen.before[seat]
    for tile in range(TILE_COUNT):
        held = counts[tile]
        lower, upper = _holds(counts, tile, -1), _holds(counts, tile, 1)
        near, gaps = lower + upper, _holds(counts, tile, -2) + _holds(counts, tile, 2)
        if useful >> tile & 1:
            facts[7] += (COPIES - np.int64(game.shown[tile]) - held) / 10
        if held == 0:
            if before[tile] > 0:
                facts[44] += near == 2
                facts[45] += near == 1 and (lower and _holds(counts, tile, -2) or upper and _holds(counts, tile, 2))
            continue
        facts[14] += held * (discarded[tile] > 0)
        facts[15] += held * (early[tile] > 0)
        facts[16] += held * (late[tile] > 0)
        facts[17] += (held > 1) * (discarded[tile] > 0)
        facts[18] += held * (_beside(early, tile, 1) > 0)
        facts[19] += held * (_beside(late, tile, 1) > 0)
        facts[20] += held * (_beside(discarded, tile, 1) > 0)
        facts[21] += held * (_beside(late, tile, 2) > 0)
        facts[22] += held * (_beside(early, tile, 2) > 0)
        facts[23] += near * (late[tile] > 0)
        facts[24] += (held > 1) * (others[tile] > 0)
        facts[25] += (held > 1) * (recent[tile] > 0)
        facts[26] += (held > 2) * (others[tile] > 0)
        facts[27] += _beside(before, tile, 1) > 0
        facts[28] += near > 0 and _beside(before, tile, 2) > 0
        for copies in range(1, 4):
            facts[28 + copies] += held > copies
        is_honour = tile >= 27
        is_terminal = not is_honour and tile % 9 in (0, 8)
        if held == 1 and near == 0 and gaps == 0:
            facts[32 if is_honour else 33 if is_terminal else 34] += 1
        facts[35] += (held > 1) * is_honour
        facts[36] += held * is_honour
        facts[37] += held * is_terminal
        facts[38] += near
        facts[39] += gaps
        facts[40] += held == 1 and near == 0 and gaps > 0
        facts[41] += held * seen.unseen[tile] / 10
        facts[42] += (held > 1) * seen.unseen[tile] / 4
        facts[43] += seen.unseen[tile] == COPIES


@jit_part
def _describe_suits(seat, seen, counts, facts):
    largest, largest_full, smallest_full, honours = 0.0, 0.0, 99.0, 0
    for suit in range(4):
        held = 0
        for tile in range(9 * suit, min(9 * suit + 9, TILE_COUNT)):
            held += counts[tile]
        melds, suits = seen.melds[seat, suit], seen.suits[seat]
        full = held + 3 * melds
        facts[46] += held * suits[0, suit] / 10
        facts[47] += held * suits[1, suit] / 10
        facts[48] += held * suits[2, suit] / 10
        facts[49] += held * melds / 4
        facts[50] += full * suits[0, suit] / 10
        if suit < 3:
            largest, largest_full = max(largest, held), max(largest_full, full)
            smallest_full = min(smallest_full, full)
        else:
            honours = held
        facts[56] += full > 0 and suits[0, suit] == 0
    facts[51], facts[52], facts[53] = largest, largest_full, smallest_full
    facts[54] = honours + 3 * seen.melds[seat, 3]
    facts[55], facts[63] = largest_full + facts[54], honours


@jit
def _describe_rows(search, seen, games, roots, left, facts):
    """Writes float32[G, 3, FACTS] of the games `left`; returns how many must be counted first, then the first ones."""
    again = 0
    for at in left:
        _read_seen(games[at], roots[at], seen)
        is_counted = True
        for offset in range(3):
            seat = (roots[at] + 1 + offset) & 3
            is_counted = _describe(search, games[at], seat, seen, facts[at, offset]) and is_counted
        if not is_counted:
            left[again] = at
            again += 1
    return again


@jit_part
def _weigh(layers, work, facts):
    """The logarithm of the density ratio."""
    weights, biases, weights_2, biases_2, weights_3, biases_3 = layers
    hidden, hidden_2 = work
    for unit in range(len(biases)):
        hidden[unit] = biases[unit]
    for fact in range(FACTS):
        if facts[fact] != 0:
            for unit in range(len(biases)):
                hidden[unit] += facts[fact] * weights[fact, unit]
    for unit in range(len(biases_2)):
        hidden_2[unit] = biases_2[unit]
    for unit in range(len(biases)):
        if hidden[unit] > 0:
            for unit_2 in range(len(biases_2)):
                hidden_2[unit_2] += hidden[unit] * weights_2[unit, unit_2]
    total = biases_3[0]
    for unit in range(len(biases_2)):
        total += max(hidden_2[unit], 0.0) * weights_3[unit, 0]
    return total


@jit_part
def _draw(counts, total, share):
    """The tile at a share 0..1 of some tiles."""
    place, tile = np.int64(share * total), 0
    while place >= np.int64(counts[tile]):
        place -= np.int64(counts[tile])
        tile += 1
    return tile


@jit
def _walk(search, seen, layers, work, facts, game, root, walls, ratios, state, seeds, goal):
    """Steps of the chain until state[0], the steps made, comes to the goal; false where a hand must be counted first.

    walls: int64[34]. ratios: float64[3]. state: int64[2], steps made, those taken. seeds: uint64[1].
    """
    _read_seen(game, root, seen)
    total = 0
    for tile in range(TILE_COUNT):
        total += walls[tile]
    given, taken = np.int64(0), np.int64(0)
    while state[0] < goal:
        seed, offset = seeds[0], max(state[0], 0) % 3
        if state[0] < 0:
            offset = 3 + state[0]
        seat = (root + 1 + offset) & 3
        size = 0
        for tile in range(TILE_COUNT):
            size += game.hand[seat, tile]
        swaps = 0 if state[0] < 0 else 1 + np.int64(2 * _share(seed))
        given = taken = 0
        for swap in range(swaps):
            seed += np.uint64(STEP)
            old = _draw(game.hand[seat], size, _share(seed))
            seed += np.uint64(STEP)
            new = _draw(walls, total, _share(seed))
            _swap(game, seat, walls, old, new)
            given, taken = given | old << 8 * swap, taken | new << 8 * swap
        is_counted = _describe(search, game, seat, seen, facts)
        is_taken = False
        if is_counted:
            ratio = _weigh(layers, work, facts)
            seed += np.uint64(STEP)
            is_taken = state[0] < 0 or np.log(_share(seed) + 1e-300) < ratio - ratios[offset]
        if is_taken:
            ratios[offset] = ratio
            state[1] += 1
        else:
            for swap in range(swaps - 1, -1, -1):
                _swap(game, seat, walls, taken >> 8 * swap & 255, given >> 8 * swap & 255)
            if not is_counted:
                return False
        seeds[0] = seed + np.uint64(STEP)
        state[0] += 1
    return True


@jit_part
def _share(seed):
    return np.float64(mix(seed) >> np.uint64(11)) / 9007199254740992.0


@jit_part
def _swap(game, seat, walls, old, new):
    game.hand[seat, old] -= 1
    walls[old] += 1
    game.hand[seat, new] += 1
    walls[new] -= 1


class Belief(object):
    """Deals worlds as likely as the network holds them for; for one thread. layers: as save() writes them."""

    def __init__(self, layers=None):
        self._layers = layers
        self._fans = FanMemo(FANS_KEPT)
        self._search = make_search(_PARAMETERS, self._fans.memo)
        self._seen = make_seen()
        self._work = np.zeros(_HIDDEN[0]), np.zeros(_HIDDEN[1])
        self._facts = np.zeros(FACTS, np.float32)

    def describe(self, games, roots):
        """Facts float32[G, 3, FACTS] of the seats after each root."""
        facts = np.zeros((len(games), SEATS - 1, FACTS), np.float32)
        left = np.arange(len(games))
        while len(left):
            left = left[:_describe_rows(self._search, self._seen, games, roots, left, facts)]
            self._fans.answer_notes()
        return facts

    def __call__(self, full, count, rng):
        """Worlds uint8[count, FULL_SIZE] of what a seat sees."""
        root = int(full[AT.seat_wind])
        first = fill_hidden(full[:OBSERVATION_SIZE], rng.integers(_SEEDS))
        game = decode_positions(first[None])
        left = field(first, "walls").astype(int)
        ends = np.cumsum(left)
        tiles = np.concatenate([field(first, "wall_tiles")[offset, :left[offset]] for offset in range(SEATS)])
        walls = np.bincount(tiles, minlength=TILE_COUNT).astype(np.int64)
        ratios, state = np.zeros(3), np.array([-3, 0])
        seeds = rng.integers(_SEEDS, size=1).astype(np.uint64)
        worlds = np.repeat(first[None], count, 0)
        for number, world in enumerate(worlds):
            while not _walk(self._search, self._seen, self._layers, self._work, self._facts, game[0], root, walls,
                            ratios, state, seeds, _BURN + number * _BETWEEN):
                self._fans.answer_notes()
            for offset in range(3):
                field(world, "hands")[offset] = game["hand"][0, (root + 1 + offset) % SEATS]
            dealt = np.split(rng.permutation(np.repeat(np.arange(TILE_COUNT), walls)), ends[:-1])
            for offset, part in enumerate(dealt):
                field(world, "wall_tiles")[offset, :len(part)] = part
        return worlds

    def save(self, path):
        """Writes the network to a file."""
        buffer = io.BytesIO()
        np.savez(buffer, *self._layers)
        write_whole(path, buffer.getvalue())


def load_belief(path):
    """The Belief that was saved in a file."""
    with np.load(path) as arrays:
        return Belief(tuple(arrays["arr_%d" % number] for number in range(len(arrays))))


def fit_belief(first_seed, positions):
    """(Belief, nats of a hand that it tells beyond even dealing in games it was not fitted to, by tiles left)."""
    from sklearn.neural_network import MLPClassifier

    true, even, walls, games = _collect(first_seed, positions)
    is_test = games % 8 == 0
    rows = np.concatenate([true[~is_test], even[~is_test]]).reshape(-1, FACTS)
    labels = np.repeat([1, 0], len(rows) // 2)
    mean, spread = rows.mean(0), true.reshape(-1, FACTS).std(0) + 0.05
    network = MLPClassifier(_HIDDEN, batch_size=1024, alpha=1e-3, max_iter=12, n_iter_no_change=12,
                            random_state=first_seed & 0xFFFFFFFF)
    network.fit(np.clip((rows - mean) / spread, -8, 8), labels)
    layers = [array for pair in zip(network.coefs_, network.intercepts_) for array in pair]
    layers[0], layers[1] = layers[0] / spread[:, None], layers[1] - (mean / spread) @ layers[0]
    layers = tuple(np.ascontiguousarray(layer, dtype=np.float64) for layer in layers)
    told = {}
    for least, most in ((0, 85), (60, 85), (45, 60), (30, 45), (0, 30)):
        chosen = is_test & (walls >= least) & (walls < most)
        ours, others = (_weigh_rows(layers, facts[chosen].reshape(-1, FACTS)) for facts in (true, even))
        told["%d..%d" % (least, most)] = float(ours.mean() - np.log(np.exp(others).mean()))
    return Belief(layers), told


def _weigh_rows(layers, facts):
    for place in (0, 2):
        facts = np.maximum(facts @ layers[place] + layers[place + 1], 0)
    return (facts @ layers[4] + layers[5])[:, 0]


def _collect(first_seed, positions):
    """(facts of the true hands, of hands dealt evenly, float32[P, 3, FACTS]; tiles left; numbers of the games)."""
    rng = np.random.default_rng(first_seed)
    player, belief = load_batch("search"), Belief()
    engine = Engine(_SIDE_BY_SIDE, seed_source(first_seed, positions))
    engine.reset()
    parts, count = [], 0
    while count < positions:
        taken = np.flatnonzero(rng.random(len(engine.owed)) < _TAKEN)
        full = engine.observations(full=True)[taken]
        is_turn = field(full, "task")[:, 0] == TURN
        full, taken = full[is_turn], taken[is_turn]
        if len(full):
            roots = full[:, AT.seat_wind].astype(np.int64)
            even = np.stack([fill_hidden(row[:OBSERVATION_SIZE], rng.integers(_SEEDS)) for row in full])
            parts.append((belief.describe(decode_positions(full), roots),
                          belief.describe(decode_positions(even), roots), field(full, "walls").sum(1, dtype=int),
                          engine.games["game_id"][engine.owed["game"][taken]].astype(int)))
            count += len(full)
        engine.step(player(engine.observations(), engine.mask()))
    return tuple(np.concatenate(columns) for columns in zip(*parts))
