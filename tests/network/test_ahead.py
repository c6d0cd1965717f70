"""What each action leaves: written out, and recounted by the definition."""

import threading

import numpy as np
import pytest

from mj_bot.mahjong.fan import WinFacts, count_fan
from mj_bot.mahjong.rules import can_chow
from mj_bot.mahjong.shanten import useful_tiles
from mj_bot.mahjong.tile import COPIES, TILE_NAMES, list_tiles
from mj_bot.network import ahead
from mj_bot.network.ahead import AHEAD_ACTIONS, LOOKS, AHEAD_ROWS, SHANTEN_ROW, USEFUL_ROW, compute_ahead_rows
from mj_bot.network.planes import AHEAD_PLANES, encode_inputs
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import AT, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, PUNG, TURN, field
from tests.tactic.positions import list_golden_decisions, state_of


def show(state):
    """{plane: {number: names of its tiles}} of what a seat sees, the number alone where it fills the plane."""
    observation, shown = encode_observation(state)[None], {}
    planes = encode_inputs(observation, compute_ahead_rows(observation), names=AHEAD_PLANES)[0]
    for name, plane in zip(AHEAD_PLANES, planes):
        numbers = {round(float(number), 3): " ".join(np.array(TILE_NAMES)[plane == number])
                   for number in np.unique(plane) if number}
        if numbers:
            shown[name] = next(iter(numbers)) if " ".join(TILE_NAMES) in numbers.values() else numbers
    return shown


def test_a_turn():
    """Without B5 the hand waits for W3 and W6, three and two of them unseen; without a W6 for three of B5.

    W6 has eight fan, and W3 seven, or nine where it is drawn; B5 has eight. Without W3 the hand is a step from ready,
    and each of eight tiles makes it ready for one with eight fan.
    """
    shown = show(state_of(0, "W1234566 T12378 B5", "2 T9"))
    copies, wins = shown.pop("after discard copies / 40"), shown.pop("after discard wins / 8")
    assert copies[0.125] == "B5" and "W6" in copies[0.075].split()
    assert wins[0.25] == "B5" and wins[0.375] == "W6" and wins[1.0] == "W3"
    assert shown == {
        "after discard nearest": {1.0: "W6 B5"},
        "after discard one farther": {1.0: "W1 W2 W3 W4 W5 T1 T2 T3 T7 T8 T9"},
        "after discard copies of the most": {0.6: "W6", 1.0: "B5"},
        "after discard draws / 8": {0.375: "B5"}, "after discard fan / 32": {0.281: "B5", 0.25: "W6"},
        "useful": {1.0: "W3 W6"}, "shanten 0": 1.0,
    }


def less(counts, tiles):
    """The counts without some tiles, None where they are not there."""
    left = [count - tiles.count(tile) for tile, count in enumerate(counts)]
    return None if min(left) < 0 else left


def list_left(observation):
    """(place in AHEAD_ACTIONS, tile or None, hands that may be left as (counts, melds)) of each action."""
    hand, task = field(observation, "hand").tolist(), observation[AT.task]
    melds = [(kind, tile) for kind, tile in zip(field(observation, "meld_kind")[0].tolist(),
                                                field(observation, "meld_tile")[0].tolist()) if kind]
    if task in (TURN, FOLLOW):
        return [(0, tile, [(less(hand, [tile]), melds)]) for tile in range(34) if hand[tile]]
    found = [(5, None, [(hand, melds)])]
    tile = int(observation[AT.last_tile])
    claims = [(1, tile, PUNG, [tile, tile])] + [
        (2 + kind, middle, CHOW, [part for part in range(middle - 1, middle + 2) if part != tile])
        for kind, middle in enumerate((tile + 1, tile, tile - 1))
        if observation[AT.last_giver] == 3 and can_chow(hand, tile, middle)]
    for kind, middle, meld, given in claims if task == CLAIM else ():
        left = less(hand, given)
        if left:
            found.append((kind, middle, [(less(left, [out]), melds + [(meld, middle)])
                                         for out in range(34) if left[out]]))
    return found


def count_wins(observation, counts, melds):
    """[wins, draws, fan] of a hand that is ready."""
    unseen, found = field(observation, "unseen").tolist(), [0, 0, 0]
    pack = tuple(({CHOW: "CHI", PUNG: "PENG"}.get(kind, "GANG"), TILE_NAMES[tile], int(kind != CONCEALED_KONG))
                 for kind, tile in melds)
    for tile in useful_tiles(counts, len(melds))[1]:
        shown = COPIES - unseen[tile] - field(observation, "hand")[tile]
        fans = [count_fan(pack, tuple(list_tiles(counts)), TILE_NAMES[tile], WinFacts(
            is_self_drawn=is_drawn, is_fourth_tile=shown == 3, seat_wind=int(observation[AT.seat_wind]),
            prevalent_wind=int(observation[AT.prevalent_wind]))) for is_drawn in (0, 1)]
        if unseen[tile] and max(fans) >= 8:
            found[fans[0] < 8] += unseen[tile]
            found[2] = max(found[2], fans[0] if fans[0] >= 8 else fans[1])
    return found


def count_steps(observation, counts, melds):
    """Unseen tiles after which a hand a step from ready may wait for a tile of eight fan from any seat."""
    unseen, found = field(observation, "unseen").tolist(), 0
    for drawn in useful_tiles(counts, len(melds))[1]:
        after = [count + (tile == drawn) for tile, count in enumerate(counts)]
        left = [less(after, [tile]) for tile in range(34) if after[tile] and tile != drawn]
        if unseen[drawn] and any(count_wins(observation, hand, melds)[0] for hand in left
                                 if useful_tiles(hand, len(melds))[0] == 0):
            found += unseen[drawn]
    return [found, 0, 0]


def recount(observation):
    """The rows by their definition."""
    unseen = field(observation, "unseen")
    rows, found = np.zeros((AHEAD_ROWS, 34), np.uint8), []
    for kind, tile, hands in list_left(observation):
        shantens = [useful_tiles(counts, len(melds)) for counts, melds in hands]
        least = min(shanten for shanten, _ in shantens)
        nearest = [(hand, useful) for hand, (shanten, useful) in zip(hands, shantens) if shanten == least]
        copies = [int(unseen[useful].sum()) for _, useful in nearest]
        useful = nearest[int(np.argmax(copies))][1]
        found.append((least, -max(copies), kind, slice(None) if tile is None else tile, useful))
        counts = [(count_wins, count_steps)[least](observation, *hand) if least < 2 else [0, 0, 0]
                  for hand, _ in nearest]
        rows[len(AHEAD_ACTIONS) + kind, found[-1][3]] = max(copies)
        for look, number in enumerate(np.max(counts, axis=0), LOOKS.index("wins")):
            rows[look * len(AHEAD_ACTIONS) + kind, found[-1][3]] = number
    best = min(found[number][:2] for number in range(len(found)))
    for least, copies, kind, tile, useful in found:
        rows[kind, tile] = 1 + least - best[0]
        if (least, copies) == best:
            rows[USEFUL_ROW, useful] = 1
    rows[SHANTEN_ROW] = best[0] + 1
    return rows


def claim_where_possible(state):
    actions = state.action_space()
    claims = [action for action in actions if action[0] in ("CHI", "PENG")]
    return claims[len(state.history) % len(claims)] if claims else actions[-1]


def test_the_rows_are_what_their_definition_says():
    """At decisions of golden games, those of the discards after claims included."""
    observations = list_golden_decisions(claim_where_possible, every=7, most=300)[0]
    found = compute_ahead_rows(observations)
    for observation, rows in zip(observations, found):
        np.testing.assert_array_equal(rows, recount(observation))
    assert set(field(observations, "task")[:, 0]) >= {TURN, FOLLOW, CLAIM}
    assert len(compute_ahead_rows(observations[:0])) == 0


def test_a_first_call_that_is_stopped(monkeypatch):
    """An answer out of time ended it half-way, and the thread failed at all later decisions."""
    observations = list_golden_decisions(claim_where_possible, every=7, most=3)[0]
    monkeypatch.setattr(ahead, "_own", threading.local())
    with monkeypatch.context() as patch:
        patch.setattr(ahead, "load_missing", lambda: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            compute_ahead_rows(observations)
    np.testing.assert_array_equal(compute_ahead_rows(observations)[0], recount(observations[0]))
