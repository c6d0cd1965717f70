"""The sentences and causes of reviews, over all recorded games: what they name is true, and each loss has a reason."""

import copy
from contextlib import suppress
from types import SimpleNamespace

import pytest

from mj_bot.lab.records.source import list_files, read_games
from mj_bot.lab.review.causes import COST, _split_win, compute_outlook
from mj_bot.lab.review.decisions import replay, review_decision
from mj_bot.lab.page.constants import NAMED
from mj_bot.lab.review.judges import make_judges
from mj_bot.lab.review.remarks import complete_remarks
from mj_bot.mahjong.errors import MahjongError
from mj_bot.mahjong.fan import MIN_FAN, WinFacts, list_fans
from mj_bot.mahjong.opening import hand_after, split_discard
from mj_bot.mahjong.rules import is_fourth_tile
from mj_bot.mahjong.tile import TILE_INDEX, list_tiles
from mj_bot.worth.points import expect_points
from tests.golden_games import GOLDEN, with_recorded, with_samples

LARGE = 3.0  # points; the causes of such a loss explain at least half of it


def list_decisions(path, step=1):
    """Yields (search, decision) of every `step`th game of a file, of a broken game up to there."""
    for game in [game for place, game in enumerate(read_games(str(path))) if place % step == 0]:
        for transcript in game.transcripts:
            with suppress(MahjongError):
                judge, = make_judges("search", None)
                for decision in replay(transcript, judge):
                    yield judge.tactic, decision


def check_sentences(path, step=1):
    """Checks the remarks and causes of a file's games; returns how many ready hands and losses there are."""
    ready = losses = facts_named = 0
    for _, decision in list_decisions(path, step):
        state, made = copy.deepcopy(decision.state), review_decision(decision)
        for action, facts in ((decision.chosen, made["chosen_facts"]), (decision.logged, made["logged_facts"])):
            if facts and action[0] != "HU":
                check_fans(state, action, facts)
                ready += bool(facts["wins"])
        check_remarks(made)
        check_causes(decision)
        if made["class"] not in (None, "good"):
            check_reasons(made)
            losses += 1
            facts_named += names_a_fact(made)
    assert facts_named == losses
    return ready, losses


def check_fans(state, action, facts):
    """A ready hand named a pattern that was near, but no fan of its win; the fans are those that MahjongGB counts."""
    counts, melds = hand_after(state, *split_discard(action))
    pack, hand = tuple(meld.as_pack(state.my_pid) for meld in melds), tuple(list_tiles(counts))
    for (name, _, *sums), ways in zip(facts["wins"], facts["win_ways"], strict=True):
        for is_self_drawn, (fan, named) in enumerate(zip(sums, ways)):
            counted = list_fans(pack, hand, name, WinFacts(
                0, bool(is_self_drawn), is_fourth_tile(state.shown, TILE_INDEX[name]), seat_wind=state.my_pid,
                prevalent_wind=state.prevalent_wind))
            assert (named is None) == (fan is None)
            assert named is None or (named == list(map(list, counted))
                                     and fan == sum(points * copies for points, copies, _ in named) >= MIN_FAN)


def check_remarks(made):
    """Fans were named that were five tiles away, as something that a move keeps."""
    sides = {0: made["chosen_facts"], 1: made["logged_facts"]}
    for kind, *figures in made["remarks"]:
        if kind == "against":
            kind, *figures = figures
        if kind == "distance":
            for side, named in enumerate(figures[3:]):
                facts = sides[side]
                if facts["wins"]:
                    assert named in [way for ways in facts["win_ways"] for way in ways if way]
                else:
                    assert named is None or dict(facts["targets"])[named] <= NAMED
        if kind in ("aim", "keeps"):
            assert figures[1] <= NAMED
        if kind == "plain":
            (s, n, t, m), tiles = figures, [sum(copies for _, copies in facts["useful"]) for facts in sides.values()]
            assert [s, t, n, m] == [facts["shanten"] for facts in sides.values()] + tiles
            assert (s, -n) < (t, -m)
        if kind == "no_nearer":
            assert made["chosen"] == "PASS"
            assert all(len({facts[name] for facts in sides.values()}) == 1 for name in ("shanten", "distance_to_8_fan"))
        if kind == "way":
            assert 1 >= figures[1] > figures[2] >= 0
        if kind == "draw":
            assert figures[1] > 0 and figures[2] and all(max(fan or 0, drawn or 0) >= MIN_FAN
                                                         for _, _, fan, drawn in figures[2])


def check_causes(decision):
    values = dict(decision.ranked)
    if decision.logged in values and values[decision.chosen] - values[decision.logged] >= LARGE:
        loss = values[decision.chosen] - values[decision.logged]
        causes, _ = decision.explain(decision.chosen, decision.logged)
        points = {name: points for name, points, *_ in causes}
        assert sum(points.values()) == pytest.approx(loss, abs=1e-3)
        assert points["usual"] <= loss / 2, causes
        for name, _, *figures in causes:
            assert name == "fan" or all(0 <= chance <= 1 for chance in figures[:2]), causes


def check_reasons(made):
    """Some mistakes had no reason in words but "None of these counts explains it"."""
    assert ["only"] not in made["remarks"]
    is_told = {cause[0] for cause in made["causes"] if cause[1] >= 0.1 * made["loss"]}
    assert is_told or made["remarks"][0][0] == "win", (made["frame"], made["causes"])


def names_a_fact(made):
    """Of 4,033 mistakes 181 were told by chances alone: no tile, fan or draw that the better move is better for.

    Nothing was named where both hands were ready for as many tiles, for a kong in place of a pung, and for a hand that
    was nearer to ready or had more useful tiles, but was no nearer to eight fan.
    """
    kind, *figures = made["remarks"][0]
    is_nearer = kind == "distance" and figures[1] is not None and (figures[2] is None or figures[1] < figures[2])
    facts = ("win", "wins", "pays", "nearer", "draw", "way", "kong", "plain", "no_nearer", "keeps", "danger",
             "needless")
    return is_nearer or any(remark[0] in facts for remark in made["remarks"])


@pytest.mark.parametrize("chosen, logged, useful, wins, remark", [
    ("PASS", "PENG F4", (14, 18), ([], []), ["no_nearer"]),
    ("PLAY B7", "PLAY J2", (3, 6), ([["J2", 3, 30, 31]], [["B5", 1, 11, 12], ["B6", 2, 13, 14], ["B7", 3, 29, 30]]),
     ["pays", [["J2", 3, 30, 31]], [["B5", 1, 11, 12], ["B6", 2, 13, 14], ["B7", 3, 29, 30]]]),
    ("PLAY B7", "PLAY J2", (6, 3), ([], []), ["plain", 0, 6, 0, 3]), ("PLAY B7", "PLAY J2", (3, 6), ([], []), None)])
def test_what_is_told_of_a_mistake_where_nothing_else_is(chosen, logged, useful, wins, remark):
    """A claim that brings nothing, and a wait of fewer tiles that pay more, were told by chances alone."""
    facts = {text: {"shanten": 0, "distance_to_8_fan": 0, "useful": [["W1", copies]], "wins": of}
             for text, copies, of in zip((chosen, logged), useful, wins)}
    source = SimpleNamespace(describe=lambda action: facts[" ".join(action)], list_draws=lambda action: {})
    remarks = [["both", 0, 0], ["against", "nearer", 1, 2]]
    told = complete_remarks(remarks, source, tuple(chosen.split()), logged=tuple(logged.split()), way=None)
    assert told == [remarks[0], *[remark] * (remark is not None), remarks[1]]


@with_recorded
def test_sentences_of_judged_games(path):
    ready, losses = check_sentences(path, {"games": 160, "stacked": 40}.get(path.name.partition(".")[0], 8))
    assert ready > 20 and losses > 10


@pytest.mark.slow
@with_samples
def test_sentences_of_games_in_all_formats(folder):
    ready, losses = map(sum, zip(*(check_sentences(path, 3) for path in list_files([str(folder)]))))
    assert ready > 20 and losses > 10


def test_the_endings_of_the_game_make_the_points():
    """The forecast is named, not estimated anew: its three endings give back what the search expects.

    The ways to win left out the tiles that a ready hand waits for, and three of 5,299 mistakes named no fact.
    """
    checked = 0
    for search, decision in list_decisions(GOLDEN, 300):
        for choice in () if decision.chosen[0] == "HU" else search.choices:
            outlook = compute_outlook(search, decision.state, choice)
            assert outlook.win + outlook.nobody + outlook.other == pytest.approx(1)
            points = expect_points(choice.worth, sum(decision.state.walls))
            assert outlook.win * outlook.pay - outlook.other * outlook.cost == pytest.approx(points)
            assert outlook.cost == COST or outlook.win == 0
            assert sum(_split_win(search, decision.state, choice).values()) == pytest.approx(outlook.win, abs=1e-3)
            checked += 1
    assert checked > 20
