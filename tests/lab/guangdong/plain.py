"""One game in plain Python, to which the batch engine is compared; wins by brute force."""

import math
from functools import lru_cache

import numpy as np

from mj_bot.mahjong.action import (
    ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX)
from mj_bot.mahjong.errors import IllegalActionError
from mj_bot.mahjong.tile import COPIES, TILE_COUNT, TILE_INDEX
from mj_bot.lab.guangdong.guangdong_hand import compute_steps, make_tools
from mj_bot.observation.layout import CLAIM, FOLLOW, ROB, TURN
from mj_bot.mahjong.rules import HAND_TILES, SEATS
from mj_bot.lab.guangdong.guangdong_rules import (
    DEFAULTS, FULL_SETS, HAND_OVER, LAID_ADDED_KONG, LAID_CONCEALED_KONG, LAID_OPEN_KONG, LAID_PUNG, TURNED,
    compute_wild, horse_owner, is_used, list_times, missing_otherwise)
from mj_bot.lab.table.walls import wall_from_seed

NOBODY = -1


class Game(object):
    """A game from the deal to its end.

    The attributes are those of the batch engine's fields, by seat. melds: lists of [kind, tile, giver]. rivers: lists
    of [tile, seat that claimed it or NOBODY]. The rest of the wall is wall[first:last]. horses: tiles turned after the
    win.
    """

    def __init__(self, seed, settings=DEFAULTS):
        self.settings = settings
        # The first 52 tiles are the hands, 13 a seat; draws follow, kongs draw from the end.
        self.wall = [tile for tile in map(TILE_INDEX.get, wall_from_seed(seed)) if is_used(settings, tile)]
        self.hands = [[0] * TILE_COUNT for _ in range(SEATS)]
        for place in range(SEATS * HAND_TILES):
            self.hands[place // HAND_TILES][self.wall[place]] += 1
        self.first, self.last = SEATS * HAND_TILES, len(self.wall)
        self.last -= settings.wild >= TURNED
        self.wild = compute_wild(settings, self.wall[-1])
        self.melds = [[] for _ in range(SEATS)]
        self.rivers = [[] for _ in range(SEATS)]
        self.scores = [0] * SEATS
        self.winner = self.giver = NOBODY
        self.horses = []
        self._draw(0)

    def legal(self):
        """Indices of the legal actions, as in mahjong/action.py, ascending; [] when the game is over."""
        hand = self.hands[self.seat] if self.phase != HAND_OVER else ()
        if self.phase == TURN:
            actions = [WIN_INDEX] if self._is_complete(self.seat) else []
            actions += [DISCARD_BASE + tile for tile, count in enumerate(hand) if count]
            if self._is_left():
                actions += [CONCEALED_KONG_BASE + tile for tile, count in enumerate(hand)
                            if count == 4 and self._may_claim(tile)]
                actions += sorted(ADDED_KONG_BASE + tile for kind, tile, _ in self.melds[self.seat]
                                  if kind == LAID_PUNG and hand[tile])
            return actions
        if self.phase == FOLLOW:
            return [DISCARD_BASE + tile for tile, count in enumerate(hand) if count]
        if self.phase == ROB or self.phase == CLAIM and self._ask < SEATS - 1:
            return [PASS_INDEX, WIN_INDEX]
        if self.phase == CLAIM:
            kongs = [OPEN_KONG_BASE + self.tile] if hand[self.tile] == 3 and self._is_left() else []
            return [PASS_INDEX, *kongs, PUNG_BASE + self.tile]
        return []

    def play(self, action):
        """Takes an action of the seat whose decision it is.

        Raises IllegalActionError: an action that is not legal.
        """
        if action not in self.legal():
            raise IllegalActionError("expected one of %r, got %r" % (self.legal(), action))
        seat, hand = self.seat, self.hands[self.seat]
        if action == PASS_INDEX:
            self._ask += 1
            self._ask_next()
        elif action == WIN_INDEX:
            self._win(seat)
        elif action < OPEN_KONG_BASE:
            self.tile = action - DISCARD_BASE
            hand[self.tile] -= 1
            self.rivers[seat].append([self.tile, NOBODY])
            self.phase, self._ask = CLAIM, 0
            self._ask_next()
        elif action < CONCEALED_KONG_BASE:
            self._claim(LAID_OPEN_KONG, 3)
            self._pay_kong(seat, self.settings.open_kong_pay, self.melds[seat][-1][2])
            self._draw(seat, from_end=True)
        elif action < ADDED_KONG_BASE:
            tile = action - CONCEALED_KONG_BASE
            hand[tile] -= 4
            self.melds[seat].append([LAID_CONCEALED_KONG, tile, seat])
            self._pay_kong(seat, self.settings.concealed_kong_pay)
            self._draw(seat, from_end=True)
        elif action < PUNG_BASE:
            self.tile = action - ADDED_KONG_BASE
            hand[self.tile] -= 1
            self.phase, self._ask = ROB, 0
            self._ask_next()
        else:
            self._claim(LAID_PUNG, 2)
            self.phase = FOLLOW

    def _draw(self, seat, from_end=False):
        self.turn = self.seat = seat
        if not self._is_left():
            self.phase = HAND_OVER
            if self.settings.void_kongs:
                self.scores = [0] * SEATS
            return
        if from_end:
            self.last -= 1
            self.tile = self.wall[self.last]
        else:
            self.tile = self.wall[self.first]
            self.first += 1
        self.hands[seat][self.tile] += 1
        self.is_kong_draw = from_end
        self.phase = TURN

    def _is_left(self):
        return self.last - self.first > self.settings.reserve

    def _may_claim(self, tile):
        return self.settings.claim_wild or not self.wild >> tile & 1

    def _ask_next(self):
        """Finds the next seat that may claim the tile, wins first, in turn; draws where there is none."""
        while self._ask < 2 * (SEATS - 1):
            self.seat = (self.turn + 1 + self._ask % (SEATS - 1)) % SEATS
            if self._ask >= SEATS - 1:
                if self.phase == CLAIM and self.hands[self.seat][self.tile] >= 2 and self._may_claim(self.tile):
                    return
            elif self.phase == ROB or self.settings.win_by_discard and self._may_claim(self.tile):
                if self._is_complete(self.seat, self.tile):
                    return
            self._ask += 1
        if self.phase == CLAIM:
            self._draw((self.turn + 1) % SEATS)
            return
        meld = next(meld for meld in self.melds[self.turn] if meld[:2] == [LAID_PUNG, self.tile])
        meld[0] = LAID_ADDED_KONG
        self._pay_kong(self.turn, self.settings.added_kong_pay)
        self._draw(self.turn, from_end=True)

    def _claim(self, kind, count):
        giver, self.turn = self.turn, self.seat
        self.hands[self.seat][self.tile] -= count
        self.rivers[giver][-1][1] = self.seat
        self.melds[self.seat].append([kind, self.tile, giver])

    def _pay_kong(self, seat, pay, giver=None):
        for other in range(SEATS) if giver is None else [giver]:
            if other != seat:
                self.scores[other] -= pay
                self.scores[seat] += pay

    def _is_complete(self, seat, tile=None):
        counts = list(self.hands[seat])
        if tile is not None:
            counts[tile] += 1
        sets = FULL_SETS - len(self.melds[seat])
        return is_complete(counts, self.wild, sets) or missing_otherwise(self.settings, counts, self.wild, sets) <= 0

    def _win(self, seat):
        counts = list(self.hands[seat])
        is_own = self.phase == TURN
        if not is_own:
            counts[self.tile] += 1
        self.winner, self.giver = seat, self.turn
        melds = sum(1 << tile for _, tile, _ in self.melds[seat])
        times = math.prod(list_times(self.settings, counts, self.wild, melds, is_own and self.is_kong_draw,
                                     is_own and not self._is_left()))
        self.horses = self.wall[self.first:self.last][:self.settings.horses]
        hits = sum(horse_owner(tile) == seat for tile in self.horses)
        for other in range(SEATS):
            if other != seat:
                payer = other if is_own else self.turn
                pay = self.settings.pay * times * (1 + hits)
                pay *= self.settings.dealer_times if 0 in (payer, seat) else 1
                self.scores[payer] -= pay
                self.scores[seat] += pay
        self.phase = HAND_OVER


def is_complete(counts, wild, sets):
    """Whether 3 sets + 2 tiles by kind are sets and a pair, by force. wild: bit t set where tile t is wild.

    Sets lie within a suit, so every kind is tried for the wild tiles of each suit.
    """
    natural = [0 if wild >> tile & 1 else count for tile, count in enumerate(counts)]
    wilds = sum(counts) - sum(natural)
    ways = {(0, 0, 0)}  # (wild tiles used, sets, pairs) of the suits so far
    for first in range(0, TILE_COUNT, 9):
        suit = tuple(natural[first:first + 9])
        ways = {(used + more, made + found, pairs + rest) for used, made, pairs in ways
                for more in range(wilds - used + 1) for found, rest in divide(suit, more) if pairs + rest < 2}
    return (wilds, sets, 1) in ways


@lru_cache(maxsize=None)
def divide(suit, wilds=0):
    """All (sets, pairs) that the tiles of a suit, counts by rank, make with some wild tiles; honors have 7 ranks."""
    if wilds:
        return {parts for rank in range(len(suit)) for parts in divide(change(suit, rank, 1), wilds - 1)}
    rank = next((rank for rank, count in enumerate(suit) if count), None)
    if rank is None:
        return {(0, 0)}
    found = {(sets, pairs + 1) for sets, pairs in divide(change(suit, rank, -2))} if suit[rank] > 1 else set()
    chow = suit[rank:rank + 3]
    rests = [change(suit, rank, -3)] if suit[rank] > 2 else []
    rests += [change(suit, rank, -1, -1, -1)] if len(suit) == 9 and len(chow) == 3 and all(chow) else []
    return found | {(sets + 1, pairs) for rest in rests for sets, pairs in divide(rest)}


def change(suit, rank, *changes):
    return suit[:rank] + tuple(map(sum, zip(suit[rank:], changes))) + suit[rank + len(changes):]


def count_steps(counts, meld_count=0, settings=DEFAULTS, wild=None):
    """(steps, list of the useful tiles) of one hand by the room's tables. wild: None for that of the settings.

    >>> from mj_bot.mahjong.tile import parse_counts
    >>> count_steps(parse_counts("W12399 T123789 B45"))
    (0, [20, 23, 31, 33])
    """
    assert sum(counts) + 3 * meld_count in (HAND_TILES, HAND_TILES + 1) and max(counts) <= COPIES
    wild = compute_wild(settings, 0) if wild is None else wild
    steps, useful = compute_steps(make_tools(settings), np.array(counts, np.uint8), wild, FULL_SETS - meld_count)
    return int(steps), [tile for tile in range(TILE_COUNT) if useful >> tile & 1]
