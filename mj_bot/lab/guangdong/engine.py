"""Plays thousands of games next to each other in compiled code. Tests compare it with a plain engine.

    table = Table(seeds, settings)
    while len(table.rows):                       # indices of the games that are not over; each has a pending decision
        table.step(choose(table, table.rows))    # int16, one legal action index per row

In this file `game` is always one row of TABLE_STATE, and `tools` the Tools of guangdong_hand.
"""

from collections.abc import Sequence

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import (
    ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX)
from ...mahjong.rules import HAND_TILES, SEATS
from ...mahjong.tile import COPIES, TILE_COUNT
from ...observation.layout import CLAIM, FOLLOW, ROB, TURN
from ..engine.decision_rows import allow
from ..engine.wall_sources import shuffle_wall
from ..table.walls import WALL_SIZE
from . import guangdong_rules
from .guangdong_hand import compute_steps, list_times, make_tools
from .guangdong_rules import (
    DEFAULTS, FULL_SETS, HAND_OVER, LAID_ADDED_KONG, LAID_CONCEALED_KONG, LAID_OPEN_KONG, LAID_PUNG, TURNED,
    HouseRules)

horse_owner, compute_wild, is_used = map(
    jit_part, (guangdong_rules.horse_owner, guangdong_rules.compute_wild, guangdong_rules.is_used))

TABLE_FIELDS = (
    # name, dtype, shape per game, meaning
    ("mask", np.uint64, (4,), "bit a set where action a is legal for the seat whose decision it is"),
    ("wild", np.int64, (), "bit t set where tile t is wild"),
    ("score", np.int32, (4,), "points of each seat so far"),
    ("wall", np.uint8, (WALL_SIZE,), "tiles in the order of draws, the four deals first"),
    ("first", np.uint8, (), "index of the next tile in the wall"),
    ("last", np.uint8, (), "index after the last tile of the wall; kongs draw from there"),
    ("hand", np.uint8, (4, 34), "concealed tiles by kind"),
    ("seen", np.uint8, (34,), "copies that lie face up: the turned tile, rivers and melds"),
    ("meld_kind", np.uint8, (4, 4), "LAID_PUNG .. LAID_ADDED_KONG"),
    ("meld_tile", np.uint8, (4, 4), "tile of each meld"),
    ("meld_giver", np.uint8, (4, 4), "seat that gave the claimed tile, the own seat for a concealed kong"),
    ("meld_count", np.uint8, (4,), "number of melds"),
    ("phase", np.uint8, (), "TURN, FOLLOW, CLAIM, ROB of observation/layout.py, or HAND_OVER"),
    ("seat", np.int8, (), "seat whose decision it is"),
    ("turn", np.int8, (), "seat that drew, claimed or discarded last"),
    ("tile", np.uint8, (), "tile drawn, claimed, discarded or added last"),
    ("asked", np.uint8, (), "how many questions about the offered tile are answered; see _ask_next"),
    ("is_kong_draw", np.uint8, (), "1 if the drawn tile replaces a tile of a kong"),
    ("winner", np.int8, (), "winning seat, -1 for none"),
    ("giver", np.int8, (), "seat that gave the winning tile, the winner itself for a self-draw, -1 for none"),
    ("times", np.uint8, (len(guangdong_rules.TIMES),), "factor of each of guangdong_rules.TIMES in the win"),
)
TABLE_STATE = np.dtype([(name, dtype, shape) for name, dtype, shape, _ in TABLE_FIELDS], align=True)


class Table(object):
    """Plays one game per seed.

    games: TABLE_STATE[N], the state of all games. rows: int64, indices of the games that are not over.
    tools: guangdong_hand.Tools with the rules of all games.
    """

    def __init__(self, seeds: Sequence[int], settings: HouseRules = DEFAULTS):
        """Deals one game per seed. seeds: int[N], numbers from which the walls are made. settings: the rules."""
        self.tools = make_tools(settings)
        self.games = np.zeros(len(seeds), TABLE_STATE)
        _deal_games(self.tools, self.games, np.asarray(seeds, np.uint64))
        self.rows = np.arange(len(seeds))

    def step(self, actions: np.ndarray) -> None:
        """Plays one action, which must be legal, in each game of `rows`. actions: int16[len(rows)], action indices."""
        _step_games(self.tools, self.games, self.rows, actions)
        self.rows = self.rows[self.games["phase"][self.rows] != HAND_OVER]


@jit
def _deal_games(tools, games, seeds):
    """Deals all games. games: TABLE_STATE[N], zeros, written to. seeds: uint64[N]."""
    settings = tools.settings
    for row in range(len(games)):
        game = games[row]
        shuffle_wall(game.wall, seeds[row])
        size = 0
        for tile in game.wall:
            if is_used(settings, tile):
                game.wall[size] = tile
                size += 1
        game.first, game.last = SEATS * HAND_TILES, size - (settings.wild >= TURNED)
        game.wild = compute_wild(settings, np.int64(game.wall[size - 1]))
        game.seen[game.wall[size - 1]] += settings.wild >= TURNED
        game.winner = game.giver = -1
        for index in range(SEATS * HAND_TILES):
            game.hand[index // HAND_TILES, game.wall[index]] += 1
        _draw(tools, game, 0, False)


@jit
def _step_games(tools, games, rows, actions):
    """Plays actions[i] in games[rows[i]] for every i."""
    for index in range(len(rows)):
        _play(tools, games[rows[index]], np.int64(actions[index]))


@jit_part
def _is_left(tools, game):
    """Checks whether the wall has tiles that may be drawn, apart from the reserve."""
    return np.int64(game.last) - game.first > tools.settings.reserve


@jit_part
def _may_claim(tools, game, tile):
    """Checks whether the rules allow claims of a tile: it is not wild, or wild tiles may be claimed."""
    return tools.settings.claim_wild != 0 or not game.wild >> tile & 1


@jit_part
def _wins(tools, game, seat, tile):
    """Checks whether a seat's hand is complete. tile: a tile that is added for the check, -1 for none."""
    if tile >= 0:
        game.hand[seat, tile] += 1
    steps, _ = compute_steps(tools, game.hand[seat], game.wild, FULL_SETS - np.int64(game.meld_count[seat]))
    if tile >= 0:
        game.hand[seat, tile] -= 1
    return steps < 0


@jit_part
def _allow_turn(tools, game):
    """Writes the legal actions of the seat whose turn it is, after a draw or a pung."""
    seat, is_turn = game.seat, game.phase == TURN
    can_kong = is_turn and _is_left(tools, game)
    discards, fours = np.uint64(0), 0
    for tile in range(TILE_COUNT):
        if game.hand[seat, tile]:
            discards |= np.uint64(1) << np.uint64(DISCARD_BASE + tile)
            fours += game.hand[seat, tile] == COPIES
    game.mask[:] = 0
    game.mask[0] = discards
    if is_turn and _wins(tools, game, seat, -1):
        allow(game.mask, WIN_INDEX)
    for tile in range(TILE_COUNT if fours and can_kong else 0):
        if game.hand[seat, tile] == COPIES and _may_claim(tools, game, tile):
            allow(game.mask, CONCEALED_KONG_BASE + tile)
    for slot in range(game.meld_count[seat] if can_kong else 0):
        tile = np.int64(game.meld_tile[seat, slot])
        if game.meld_kind[seat, slot] == LAID_PUNG and game.hand[seat, tile]:
            allow(game.mask, ADDED_KONG_BASE + tile)


@jit_part
def _draw(tools, game, seat, from_end):
    """Draws a tile for a seat, or ends the game if the wall is empty."""
    game.turn = game.seat = seat
    if not _is_left(tools, game):
        game.phase = HAND_OVER
        if tools.settings.void_kongs:
            game.score[:] = 0
        return
    if from_end:
        game.last -= 1
        game.tile = game.wall[game.last]
    else:
        game.tile = game.wall[game.first]
        game.first += 1
    game.hand[seat, game.tile] += 1
    game.is_kong_draw = from_end
    game.phase = TURN
    _allow_turn(tools, game)


@jit_part
def _offer(tools, game, tile, phase):
    """Takes a tile from the hand of the seat that decides, and asks the other seats whether they want it."""
    game.hand[game.seat, tile] -= 1
    game.tile, game.phase, game.asked = tile, phase, 0
    _ask_next(tools, game)


@jit_part
def _ask_next(tools, game):
    """Writes the decision of the next seat that may want the offered tile. Without such a seat, the game goes on.

    The three other seats are asked in turn whether they win. Then they are asked in turn whether they claim the tile.
    game.asked counts these six questions; questions with only one legal answer are skipped.
    """
    tile = np.int64(game.tile)
    may_claim = _may_claim(tools, game, tile)
    may_win = game.phase == ROB or tools.settings.win_by_discard != 0 and may_claim
    game.mask[:] = 0
    allow(game.mask, PASS_INDEX)
    while game.asked < 2 * (SEATS - 1):
        seat = (game.turn + 1 + game.asked % (SEATS - 1)) % SEATS
        game.seat = seat
        if game.asked >= SEATS - 1:
            if game.phase == CLAIM and may_claim and game.hand[seat, tile] >= 2:
                allow(game.mask, PUNG_BASE + tile)
                if game.hand[seat, tile] == 3 and _is_left(tools, game):
                    allow(game.mask, OPEN_KONG_BASE + tile)
                return
        elif may_win and _wins(tools, game, seat, tile):
            allow(game.mask, WIN_INDEX)
            return
        game.asked += 1
    turn = np.int64(game.turn)
    if game.phase == CLAIM:
        _draw(tools, game, (turn + 1) % SEATS, False)
        return
    for slot in range(game.meld_count[turn]):
        if game.meld_tile[turn, slot] == tile and game.meld_kind[turn, slot] == LAID_PUNG:
            game.meld_kind[turn, slot] = LAID_ADDED_KONG
    game.seen[tile] += 1
    _pay_kong(game, turn, tools.settings.added_kong_pay, -1)
    _draw(tools, game, turn, True)


@jit_part
def _lay(game, seat, meld_type, tile, count, giver):
    """Lays a meld of a seat."""
    game.hand[seat, tile] -= count
    slot = game.meld_count[seat]
    game.meld_kind[seat, slot], game.meld_tile[seat, slot], game.meld_giver[seat, slot] = meld_type, tile, giver
    game.meld_count[seat] += 1
    game.seen[tile] += count


@jit_part
def _pay_kong(game, seat, pay, giver):
    """Pays a seat for a kong."""
    for other in range(SEATS):
        if other != seat and (giver < 0 or other == giver):
            game.score[other] -= pay
            game.score[seat] += pay


@jit_part
def _win(tools, game):
    """Ends the game with a win of the seat that decides, and writes the scores."""
    settings = tools.settings
    seat, turn, tile = np.int64(game.seat), np.int64(game.turn), np.int64(game.tile)
    is_own = game.phase == TURN
    game.hand[seat, tile] += not is_own
    melds = 0
    for index in range(game.meld_count[seat]):
        melds |= 1 << np.int64(game.meld_tile[seat, index])
    factors = list_times(settings, game.hand[seat], game.wild, melds, is_own and game.is_kong_draw != 0,
                       is_own and not _is_left(tools, game))
    game.hand[seat, tile] -= not is_own
    hits, times = 0, 1
    for index, factor in enumerate(factors):
        game.times[index] = factor
        times *= factor
    for index in range(game.first, min(game.first + settings.horses, np.int64(game.last))):
        hits += horse_owner(np.int64(game.wall[index])) == seat
    for other in range(SEATS):
        if other != seat:
            payer = other if is_own else turn
            dealer = settings.dealer_times if payer == 0 or seat == 0 else 1
            pay = settings.pay * times * (1 + hits) * dealer
            game.score[payer] -= pay
            game.score[seat] += pay
    game.winner, game.giver, game.phase = seat, turn, HAND_OVER


@jit_part
def _play(tools, game, action):
    """Plays one action of the seat that decides. action: index in mahjong/action.py."""
    seat = np.int64(game.seat)
    if action == PASS_INDEX:
        game.asked += 1
        _ask_next(tools, game)
    elif action == WIN_INDEX:
        _win(tools, game)
    elif action < OPEN_KONG_BASE:
        game.seen[action - DISCARD_BASE] += 1
        _offer(tools, game, action - DISCARD_BASE, CLAIM)
    elif action < CONCEALED_KONG_BASE:
        _lay(game, seat, LAID_OPEN_KONG, np.int64(game.tile), 3, np.int64(game.turn))
        _pay_kong(game, seat, tools.settings.open_kong_pay, np.int64(game.turn))
        _draw(tools, game, seat, True)
    elif action < ADDED_KONG_BASE:
        _lay(game, seat, LAID_CONCEALED_KONG, action - CONCEALED_KONG_BASE, 4, seat)
        _pay_kong(game, seat, tools.settings.concealed_kong_pay, -1)
        _draw(tools, game, seat, True)
    elif action < PUNG_BASE:
        _offer(tools, game, action - ADDED_KONG_BASE, ROB)
    else:
        _lay(game, seat, LAID_PUNG, np.int64(game.tile), 2, np.int64(game.turn))
        game.turn, game.phase = seat, FOLLOW
        _allow_turn(tools, game)
