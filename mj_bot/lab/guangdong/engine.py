"""Plays thousands of games side by side in compiled code. Tests compare it with a plain engine.

    table = Table(seeds, settings)
    while len(table.rows):                       # games that are not over; each has one pending decision
        table.step(choose(table, table.rows))    # int16, a legal action of each
"""

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import (
    ADDED_KONG_BASE,
    CONCEALED_KONG_BASE,
    DISCARD_BASE,
    OPEN_KONG_BASE,
    PASS_INDEX,
    PUNG_BASE,
    WIN_INDEX,
)
from ...mahjong.suit_tables import POWERS
from ...mahjong.tile import COPIES, TILE_COUNT
from ..engine.decision_rows import allow
from ..engine.wall_sources import shuffle_wall
from ..table.walls import WALL_SIZE
from . import guangdong_rules
from .guangdong_hand import is_complete, list_times, load_suits, missing_otherwise
from ...observation.layout import CLAIM, FOLLOW, ROB, TURN
from ...mahjong.rules import HAND_TILES, SEATS
from .guangdong_rules import (
    LAID_ADDED_KONG,
    LAID_CONCEALED_KONG,
    DEFAULTS,
    FULL_SETS,
    LAID_OPEN_KONG,
    HAND_OVER,
    LAID_PUNG,
    TURNED)

horse_owner, compute_wild, is_used = map(
    jit_part, (guangdong_rules.horse_owner, guangdong_rules.compute_wild, guangdong_rules.is_used))

TABLE_FIELDS = (
    # name, dtype, shape a game, meaning
    ("mask", np.uint64, (4,), "bit a set where action a is legal for the seat whose decision it is"),
    ("wild", np.int64, (), "bit t set where tile t is wild"),
    ("score", np.int32, (4,), "scores so far"),
    ("key", np.int32, (4, 4), "tiles of each seat by suit that are not wild, as guangdong_hand.is_complete takes them"),
    ("wall", np.uint8, (WALL_SIZE,), "tiles"),
    ("first", np.uint8, (), "the wall that is left begins here"),
    ("last", np.uint8, (), "and ends before this"),
    ("hand", np.uint8, (4, 34), "concealed tiles by kind"),
    ("seen", np.uint8, (34,), "copies that lie face up: the turned tile, rivers and melds"),
    ("meld_kind", np.uint8, (4, 4), "LAID_PUNG .. LAID_ADDED_KONG"),
    ("meld_tile", np.uint8, (4, 4), ""),
    ("meld_giver", np.uint8, (4, 4), "seat, the own one for a concealed kong"),
    ("meld_count", np.uint8, (4,), ""),
    ("phase", np.uint8, (), "TURN .. HAND_OVER"),
    ("seat", np.int8, (), "whose decision it is"),
    ("turn", np.int8, (), "who drew, claimed or discarded last"),
    ("tile", np.uint8, (), "drawn, claimed, discarded or added last"),
    ("asked", np.uint8, (), "place among those who may want the tile"),
    ("is_kong_draw", np.uint8, (), "the tile came for a kong"),
    ("winner", np.int8, (), "seat, -1 for none"),
    ("giver", np.int8, (), "seat, -1 for none"),
    ("times", np.uint8, (len(guangdong_rules.TIMES),), "of a win, as guangdong_rules.list_times has them"),
)
TABLE_STATE = np.dtype([(name, dtype, shape) for name, dtype, shape, _ in TABLE_FIELDS], align=True)


class Table(object):
    """Plays a game for each seed.

    games: GAME[N]. rows: int64, indices of the games that are not over.
    """

    def __init__(self, seeds, settings=DEFAULTS):
        self.settings = settings
        self.games = np.zeros(len(seeds), TABLE_STATE)
        self.suits = load_suits()
        _deal_games(self.suits, settings, self.games, np.asarray(seeds, np.uint64))
        self.rows = np.arange(len(seeds))

    def step(self, actions: np.ndarray) -> None:
        """Takes an action for each of rows, int16, without checking that it is legal."""
        _step_games(self.suits, self.settings, self.games, self.rows, actions)
        self.rows = self.rows[self.games["phase"][self.rows] != HAND_OVER]


@jit
def _deal_games(suits, settings, games, seeds):
    for place in range(len(games)):
        game = games[place]
        shuffle_wall(game.wall, seeds[place])
        size = 0
        for tile in game.wall:
            if is_used(settings, tile):
                game.wall[size] = tile
                size += 1
        game.first, game.last = SEATS * HAND_TILES, size - (settings.wild >= TURNED)
        game.wild = compute_wild(settings, np.int64(game.wall[size - 1]))
        game.seen[game.wall[size - 1]] += settings.wild >= TURNED
        game.winner = game.giver = -1
        for place in range(SEATS * HAND_TILES):
            _move(game, place // HAND_TILES, np.int64(game.wall[place]), 1)
        _draw(suits, settings, game, 0, False)


@jit
def _step_games(suits, settings, games, rows, actions):
    for place in range(len(rows)):
        _play(suits, settings, games[rows[place]], np.int64(actions[place]))


@jit_part
def _move(game, seat, tile, count):
    """Adds tiles of a kind to a hand; a negative count takes them away."""
    game.hand[seat, tile] += count
    if not game.wild >> tile & 1:
        game.key[seat, tile // 9] += count * POWERS[tile]


@jit_part
def _is_left(settings, game):
    return np.int64(game.last) - game.first > settings.reserve


@jit_part
def _may_claim(settings, game, tile):
    return settings.claim_wild != 0 or not game.wild >> tile & 1


@jit_part
def _wins(suits, settings, game, seat, tile):
    """Checks whether a seat's hand is complete, together with `tile` unless that is -1."""
    if tile >= 0:
        _move(game, seat, tile, 1)
    sets = FULL_SETS - np.int64(game.meld_count[seat])
    wins = is_complete(suits, game.key[seat], sets)
    wins = wins or missing_otherwise(settings, game.hand[seat], game.wild, sets) <= 0
    if tile >= 0:
        _move(game, seat, tile, -1)
    return wins


@jit_part
def _allow_turn(suits, settings, game):
    """Writes the mask of TURN and FOLLOW."""
    seat, is_turn = game.seat, game.phase == TURN
    can_kong = is_turn and _is_left(settings, game)
    discards, fours = np.uint64(0), 0
    for tile in range(TILE_COUNT):
        if game.hand[seat, tile]:
            discards |= np.uint64(1) << np.uint64(DISCARD_BASE + tile)
            fours += game.hand[seat, tile] == COPIES
    game.mask[:] = 0
    game.mask[0] = discards
    if is_turn and _wins(suits, settings, game, seat, -1):
        allow(game.mask, WIN_INDEX)
    for tile in range(TILE_COUNT if fours and can_kong else 0):
        if game.hand[seat, tile] == COPIES and _may_claim(settings, game, tile):
            allow(game.mask, CONCEALED_KONG_BASE + tile)
    for place in range(game.meld_count[seat] if can_kong else 0):
        tile = np.int64(game.meld_tile[seat, place])
        if game.meld_kind[seat, place] == LAID_PUNG and game.hand[seat, tile]:
            allow(game.mask, ADDED_KONG_BASE + tile)


@jit_part
def _draw(suits, settings, game, seat, from_end):
    game.turn = game.seat = seat
    if not _is_left(settings, game):
        game.phase = HAND_OVER
        if settings.void_kongs:
            game.score[:] = 0
        return
    if from_end:
        game.last -= 1
        game.tile = game.wall[game.last]
    else:
        game.tile = game.wall[game.first]
        game.first += 1
    _move(game, seat, np.int64(game.tile), 1)
    game.is_kong_draw = from_end
    game.phase = TURN
    _allow_turn(suits, settings, game)


@jit_part
def _offer(suits, settings, game, tile, phase):
    """Takes a tile from the hand, and asks the other seats for claims."""
    _move(game, game.seat, tile, -1)
    game.tile, game.phase, game.asked = tile, phase, 0
    _ask_next(suits, settings, game)


@jit_part
def _ask_next(suits, settings, game):
    tile = np.int64(game.tile)
    may_claim = _may_claim(settings, game, tile)
    may_win = game.phase == ROB or settings.win_by_discard != 0 and may_claim
    game.mask[:] = 0
    allow(game.mask, PASS_INDEX)
    while game.asked < 2 * (SEATS - 1):
        seat = (game.turn + 1 + game.asked % (SEATS - 1)) % SEATS
        game.seat = seat
        if game.asked >= SEATS - 1:
            if game.phase == CLAIM and may_claim and game.hand[seat, tile] >= 2:
                allow(game.mask, PUNG_BASE + tile)
                if game.hand[seat, tile] == 3 and _is_left(settings, game):
                    allow(game.mask, OPEN_KONG_BASE + tile)
                return
        elif may_win and _wins(suits, settings, game, seat, tile):
            allow(game.mask, WIN_INDEX)
            return
        game.asked += 1
    turn = np.int64(game.turn)
    if game.phase == CLAIM:
        _draw(suits, settings, game, (turn + 1) % SEATS, False)
        return
    for place in range(game.meld_count[turn]):
        if game.meld_tile[turn, place] == tile and game.meld_kind[turn, place] == LAID_PUNG:
            game.meld_kind[turn, place] = LAID_ADDED_KONG
    game.seen[tile] += 1
    _pay_kong(game, turn, settings.added_kong_pay, -1)
    _draw(suits, settings, game, turn, True)


@jit_part
def _lay(game, seat, kind, tile, count, giver):
    """Lays a meld, `count` tiles of which come from the hand."""
    _move(game, seat, tile, -count)
    place = game.meld_count[seat]
    game.meld_kind[seat, place], game.meld_tile[seat, place], game.meld_giver[seat, place] = kind, tile, giver
    game.meld_count[seat] += 1
    game.seen[tile] += count


@jit_part
def _pay_kong(game, seat, pay, giver):
    for other in range(SEATS):
        if other != seat and (giver < 0 or other == giver):
            game.score[other] -= pay
            game.score[seat] += pay


@jit_part
def _win(settings, game):
    seat, turn, tile = np.int64(game.seat), np.int64(game.turn), np.int64(game.tile)
    is_own = game.phase == TURN
    if not is_own:
        _move(game, seat, tile, 1)
    melds = 0
    for place in range(game.meld_count[seat]):
        melds |= 1 << np.int64(game.meld_tile[seat, place])
    found = list_times(settings, game.hand[seat], game.wild, melds, is_own and game.is_kong_draw != 0,
                       is_own and not _is_left(settings, game))
    if not is_own:
        _move(game, seat, tile, -1)
    hits, times = 0, 1
    for place, factor in enumerate(found):
        game.times[place] = factor
        times *= factor
    for place in range(game.first, min(game.first + settings.horses, np.int64(game.last))):
        hits += horse_owner(np.int64(game.wall[place])) == seat
    for other in range(SEATS):
        if other != seat:
            payer = other if is_own else turn
            dealer = settings.dealer_times if payer == 0 or seat == 0 else 1
            pay = settings.pay * times * (1 + hits) * dealer
            game.score[payer] -= pay
            game.score[seat] += pay
    game.winner, game.giver, game.phase = seat, turn, HAND_OVER


@jit_part
def _play(suits, settings, game, action):
    seat = np.int64(game.seat)
    if action == PASS_INDEX:
        game.asked += 1
        _ask_next(suits, settings, game)
    elif action == WIN_INDEX:
        _win(settings, game)
    elif action < OPEN_KONG_BASE:
        game.seen[action - DISCARD_BASE] += 1
        _offer(suits, settings, game, action - DISCARD_BASE, CLAIM)
    elif action < CONCEALED_KONG_BASE:
        _lay(game, seat, LAID_OPEN_KONG, np.int64(game.tile), 3, np.int64(game.turn))
        _pay_kong(game, seat, settings.open_kong_pay, np.int64(game.turn))
        _draw(suits, settings, game, seat, True)
    elif action < ADDED_KONG_BASE:
        _lay(game, seat, LAID_CONCEALED_KONG, action - CONCEALED_KONG_BASE, 4, seat)
        _pay_kong(game, seat, settings.concealed_kong_pay, -1)
        _draw(suits, settings, game, seat, True)
    elif action < PUNG_BASE:
        _offer(suits, settings, game, action - ADDED_KONG_BASE, ROB)
    else:
        _lay(game, seat, LAID_PUNG, np.int64(game.tile), 2, np.int64(game.turn))
        game.turn, game.phase = seat, FOLLOW
        _allow_turn(suits, settings, game)
