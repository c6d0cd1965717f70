"""Matches by the rules of tziakcha.net: one wall of 144 tiles with flowers, and a new round every four hands."""

import random

from ...mahjong.rules import HAND_TILES, SEATS
from ...mahjong.tile import FLOWER_NAMES
from ..table.one_wall import DRAWS
from ..table.walls import wall_from_seed
from . import session
from .game import PersonGame


class Session(session.Session):
    """As play.session.Session, on one wall with flowers. The prevalent wind is East for four hands, then South."""

    def make_game(self, seed, seat, opponents, number=0):
        """The game on the wall of a seed. number: of the hands before it in the match."""
        deal = wall_from_seed(seed), number // SEATS % SEATS
        return PersonGame(deal, seat, opponents, flowers=deal_flowers(seed))


def deal_flowers(seed):
    """Where the eight flowers come from the wall of a seed, as table.one_wall.OneWallReferee takes them.

    The places of the flowers among the 144 tiles are drawn alone, since the other tiles keep their order. A flower of
    the deal is replaced from the wall after all seats are dealt, from East on.
    """
    wall = [0] * (SEATS * HAND_TILES + DRAWS) + list(range(1, len(FLOWER_NAMES) + 1))
    random.Random(seed).shuffle(wall)
    hands, rest = wall[:SEATS * HAND_TILES], wall[SEATS * HAND_TILES:]
    flowers = []
    for seat in range(SEATS):
        due = [number for number in hands[HAND_TILES * seat:HAND_TILES * (seat + 1)] if number]
        while due:
            flowers.append((0, seat, due.pop(0)))
            replacement = rest.pop(0)
            if replacement:
                due.append(replacement)
    draws = 0
    for number in rest:
        if number:
            # The first draw is East's, and its flowers are part of the deal.
            flowers.append((draws, None if draws else 0, number))
        else:
            draws += 1
    return flowers
