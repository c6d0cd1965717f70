"""Players: legal in every game, and shanten's choices against a plain search for the fewest steps."""

import numpy as np
import pytest

from mj_bot.lab.guangdong.engine import Table
from mj_bot.lab.guangdong.guangdong_players import load_player
from mj_bot.observation.layout import CLAIM, FOLLOW, TURN
from mj_bot.lab.guangdong.guangdong_rules import parse_settings
from mj_bot.mahjong.action import DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX
from mj_bot.mahjong.errors import UnknownTacticError
from tests.lab.guangdong.plain import count_steps

RULES = ["", "wild=none,seven_pairs=1", "wild=turned_and_next,winds=0", "claim_wild=1,win_by_discard=1,wild=red"]


def play(player, seeds, settings, watch):
    table = Table(seeds, settings)
    while len(table.rows):
        actions = player(table, table.rows)
        masks = table.games["mask"][table.rows, actions >> 6] >> (actions & 63).astype(np.uint64)
        assert (masks & np.uint64(1)).all()
        watch(table, actions)
        table.step(actions)
    assert (table.games["score"].sum(1) == 0).all()
    return table


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize("spec", ["random:seed=-1", "shanten", "ours", "shanten:seen=0"])
def test_every_action_is_legal_and_every_win_is_taken(spec, text):
    def watch(table, actions):
        can_win = table.games["mask"][table.rows, 0] >> np.uint64(WIN_INDEX) & np.uint64(1) == 1
        assert ((actions == WIN_INDEX) == can_win).all()

    play(load_player(spec), range(24), parse_settings(text), watch)


@pytest.mark.parametrize("text", RULES)
def test_shanten_discards_for_the_fewest_steps_and_the_most_useful_tiles(text):
    settings = parse_settings(text)
    checked = 0

    def watch(table, actions):
        nonlocal checked
        for row, action in list(zip(table.rows, actions.tolist()))[:6]:
            game = table.games[row]
            if game["phase"] in (TURN, FOLLOW) and DISCARD_BASE <= action < OPEN_KONG_BASE:
                best = max(value for _, value in list_values(game, settings))
                assert dict(list_values(game, settings))[action - DISCARD_BASE] == best
                checked += 1

    play(load_player("shanten"), range(12), settings, watch)
    assert checked > 100


def list_values(game, settings):
    """(tile, (steps less, copies of useful tiles)) of each discard but wild tiles."""
    hand, melds = game["hand"][game["seat"]], int(game["meld_count"][game["seat"]])
    wild = int(game["wild"])
    for tile in range(34):
        if hand[tile] and not wild >> tile & 1:
            counts = hand.copy()
            counts[tile] -= 1
            steps, useful = count_steps(counts, melds, settings, wild)
            # Of the tile discarded one copy more is gone, on the table instead of in the hand.
            yield tile, (-steps, sum(max(0, 4 - int(hand[kind]) - int(game["seen"][kind])) for kind in useful))


def test_a_pung_is_laid_where_it_saves_a_step():
    taken = refused = 0

    def watch(table, actions):
        nonlocal taken, refused
        for row, action in zip(table.rows, actions.tolist()):
            game = table.games[row]
            if game["phase"] == CLAIM and action in (PASS_INDEX, PUNG_BASE + game["tile"]):
                hand, melds = game["hand"][game["seat"]].copy(), int(game["meld_count"][game["seat"]])
                before = count_steps(hand, melds)[0]
                hand[game["tile"]] -= 2
                after = []
                for tile in np.flatnonzero(hand):
                    hand[tile] -= 1
                    after.append(count_steps(hand, melds + 1)[0])
                    hand[tile] += 1
                assert (action != PASS_INDEX) == (min(after) < before)
                taken, refused = taken + (action != PASS_INDEX), refused + (action == PASS_INDEX)

    play(load_player("shanten"), range(60), parse_settings(), watch)
    assert taken > 10 and refused > 10


@pytest.mark.parametrize("spec, message", [
    ("shantem", "did you mean 'shanten'"), ("xyz", "one of fox, ours, random, shanten, got 'xyz'$"),
    ("shanten:seen=2", "expected seen=0 or 1"), ("random:seen=1", "takes"),
    ("random:seed=abc", "takes")])
def test_unknown_players_are_refused(spec, message):
    with pytest.raises(UnknownTacticError, match=message):
        load_player(spec)
