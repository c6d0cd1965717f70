"""The batch engine against the plain one, move by move, under every setting; and the rules in the small."""

import itertools
import random

import numpy as np
import pytest

from mj_bot.lab.guangdong.engine import TABLE_STATE, Table
from mj_bot.observation.layout import CLAIM, FOLLOW, ROB, TURN
from mj_bot.lab.guangdong.guangdong_rules import (
    DEFAULTS, HAND_OVER, LAID_ADDED_KONG, TURNED, compute_wild, parse_settings)
from mj_bot.mahjong.action import (
    ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX)
from mj_bot.mahjong.errors import MahjongError
from mj_bot.mahjong.tile import TILE_INDEX, parse_counts
from tests.lab.guangdong.plain import Game

EVERYTHING = ("claim_wild=1,win_by_discard=1,seven_pairs=1,thirteen_orphans=1,four_reds=1,reserve=6,last_tile_times=2,"
              "flush_times=4,half_flush_times=2,pungs_times=2,seven_pairs_times=3,dealer_times=2,void_kongs=1,horses=6")
RULES = ["", "wild=none", "wild=red", "wild=white,winds=0", "wild=turned,characters=0", "wild=turned_and_next",
         "win_by_discard=1", EVERYTHING, "wild=turned_and_next,winds=0," + EVERYTHING]


def check(plain, batch):
    """The fields of the batch engine are those of the plain game."""
    seen = np.zeros(34, int)
    seen[plain.wall[-1]] += plain.settings.wild >= TURNED
    for tile, claimer in itertools.chain(*plain.rivers):
        seen[tile] += claimer < 0
    for seat, melds in enumerate(plain.melds):
        for place, meld in enumerate(melds):
            assert [batch["meld_" + part][seat, place] for part in ("kind", "tile", "giver")] == meld
            seen[meld[1]] += 3 + (meld[0] > 0)
    fields = {"hand": plain.hands, "score": plain.scores, "seen": seen, "meld_count": list(map(len, plain.melds))}
    names = ["phase", "winner", "giver", "first", "last", "wild"]
    names += ["seat", "turn", "tile"] * (plain.phase != HAND_OVER)
    fields.update((name, getattr(plain, name)) for name in names)
    for name, value in fields.items():
        assert np.array_equal(batch[name], value), (name, batch[name], value)
    if plain.phase != HAND_OVER:
        mask = batch["mask"].tolist()
        assert [action for action in range(235) if mask[action >> 6] >> (action & 63) & 1] == plain.legal()


def choose(rng, actions, eagerness):
    """A legal action: with the chance `eagerness` a claim, kong or win."""
    special = [action for action in actions if action == WIN_INDEX or action >= OPEN_KONG_BASE]
    return rng.choice(special if special and rng.random() < eagerness else actions)


def play_both(seeds, settings, seed, eagerness):
    """Plays the same games on both; returns the phases and kinds of end that occurred."""
    rng = random.Random(seed)
    table, plain = Table(seeds, settings), [Game(int(number), settings) for number in seeds]
    met = set()
    while len(table.rows):
        actions = np.zeros(len(table.rows), np.int16)
        for place, row in enumerate(table.rows):
            check(plain[row], table.games[row])
            met.add(plain[row].phase)
            actions[place] = choose(rng, plain[row].legal(), eagerness)
            plain[row].play(int(actions[place]))
        table.step(actions)
    for row, game in enumerate(plain):
        check(game, table.games[row])
        assert sum(game.scores) == 0
        met.add("drawn" if game.winner < 0 else "own" if game.winner == game.giver else "given")
    return met


@pytest.mark.parametrize("text", RULES)
def test_both_engines_play_the_same_game(text):
    assert {TURN, FOLLOW, CLAIM} <= play_both(range(6), parse_settings(text), 1, 0.9)


@pytest.mark.slow
@pytest.mark.parametrize("text", RULES)
def test_every_phase_and_end_occurs_in_both_engines(text):
    settings = parse_settings(text)
    wanted = {TURN, FOLLOW, CLAIM, ROB, "drawn", "own", "given"} - ({ROB, "given"} if "none" in text else set())
    met = play_both(range(600), settings, 2, 0.95) | play_both(range(600, 800), settings, 3, 0.3)
    # With some settings a kong is robbed once in a thousand games.
    for first in range(800, 6800, 600):
        if not wanted <= met:
            met |= play_both(range(first, first + 600), settings, first, 0.95)
    assert wanted <= met


def test_the_same_seeds_give_the_same_games_wherever_they_stand():
    seeds = np.arange(100, 164)
    whole, part = Table(seeds).games, Table(seeds[10:20]).games
    assert whole[10:20].tobytes() == part.tobytes()
    assert TABLE_STATE.itemsize < 600


NOTHING = "W147 T147 B258 F1234"


def set_up(hands, settings=DEFAULTS, wall="B1"):
    """A Game with these hands of 13 tiles, the other seats with NOTHING, and a wall of ten tiles of a kind."""
    game = Game(0, settings)
    game.hands = [parse_counts(hand) for hand in hands + [NOTHING] * (4 - len(hands))]
    game.wall[game.first:] = [TILE_INDEX[wall]] * (len(game.wall) - game.first)
    game.last = game.first + 10
    game.rivers, game.melds = [[], [], [], []], [[], [], [], []]
    game._draw(0)
    return game


@pytest.mark.parametrize("hands, wall, steps", [
    (["W12399 T123789 B23"], "B1", [(WIN_INDEX, [6, -2, -2, -2])]),
    (["W12399 T123789 B3 J1"], "B1", [(WIN_INDEX, [3, -1, -1, -1])]),
    (["W123 T123 B2 F1111 J33"], "B3", [(CONCEALED_KONG_BASE + TILE_INDEX["F1"], [6, -2, -2, -2]),
                                        (WIN_INDEX, [6 + 6, -4, -4, -4])]),
    ([NOTHING, NOTHING, "W555 T147 B258 F123 J2"], "W5", [(DISCARD_BASE + TILE_INDEX["W5"], [0, 0, 0, 0]),
                                                         (OPEN_KONG_BASE + TILE_INDEX["W5"], [-3, 0, 3, 0])]),
], ids=["a win without wild tiles is paid twice", "one with wild tiles once",
        "on a kong's draw twice more, and the kong stays paid", "an open kong is paid by its giver"])
def test_payments(hands, wall, steps):
    game = set_up(hands, wall=wall)
    for action, scores in steps:
        game.play(action)
        assert game.scores == scores
    assert steps[-1][0] != WIN_INDEX or (game.winner, game.giver) == (0, 0)


@pytest.mark.parametrize("action, scores, winner", [(WIN_INDEX, [0, -6, 6, 0], 2), (PASS_INDEX, [-1, 3, -1, -1], -1)])
def test_an_added_kong_is_paid_by_each_where_nobody_robs_it(action, scores, winner):
    """A robbed one pays nothing, and its win three times."""
    tile = TILE_INDEX["W5"]
    game = set_up([NOTHING, "W55 T147 B258 F1234 J2", "W46 T123789 B11 F111"])
    game.hands[0][tile] += 1
    game.play(DISCARD_BASE + tile)
    assert game.phase == CLAIM and game.legal() == [PASS_INDEX, PUNG_BASE + tile]
    game.play(PUNG_BASE + tile)
    assert game.phase == FOLLOW and all(action < OPEN_KONG_BASE for action in game.legal())
    game.hands[1][tile] += 1
    game.phase = TURN
    game.play(ADDED_KONG_BASE + tile)
    assert (game.phase, game.seat) == (ROB, 2)
    game.play(action)
    assert (game.scores, game.winner) == (scores, winner)
    assert game.giver == 1 if winner == 2 else game.melds[1] == [[LAID_ADDED_KONG, tile, 0]]


@pytest.mark.parametrize("text, may_claim", [("", False), ("claim_wild=1", True), ("wild=none", True)])
def test_a_discarded_wild_tile_is_claimed_only_where_the_settings_say_so(text, may_claim):
    game = set_up([NOTHING, "W147 T147 B258 F1 J333"], parse_settings(text))
    game.hands[0][TILE_INDEX["J3"]] += 1
    game.play(DISCARD_BASE + TILE_INDEX["J3"])
    assert (PUNG_BASE + TILE_INDEX["J3"] in game.legal()) == may_claim
    assert (game.phase, game.seat) == ((CLAIM, 1) if may_claim else (TURN, 1))


@pytest.mark.parametrize("name, bits", [
    ("none", ()), ("red", ("J1",)), ("white", ("J3",)), ("red_and_white", ("J1", "J3")), ("turned", ("W9",)),
    ("turned_and_next", ("W9", "W1"))])
def test_wild_tiles_by_setting(name, bits):
    settings = parse_settings("wild=" + name)
    assert compute_wild(settings, TILE_INDEX["W9"]) == sum(1 << TILE_INDEX[tile] for tile in bits)


def test_an_error_says_what_was_expected():
    with pytest.raises(MahjongError, match="expected settings .* got 'wild=green'"):
        parse_settings("wild=green")
