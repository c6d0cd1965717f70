"""A player's figures, recounted from the reviews, and the player's page in a browser."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.library import player_summary
from mj_bot.lab.library.intervals import measure_mean, measure_rate, measure_share
from mj_bot.lab.library.leaks import LEAKS, name_leak, name_state
from mj_bot.lab.review.decisions import is_mistake
from mj_bot.lab.library.player_summary import GameChoice, build_player_page, describe_player
from mj_bot.lab.library.library_file import LibraryError
from mj_bot.lab.library.store import open_library
from tests.browser import needs_browser, open_page
from tests.lab.library.games import make_player_games

NAME = "player 1"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A library of 48 games of eight players, in sessions of 16 hands."""
    library = open_library(str(tmp_path_factory.mktemp("players") / "library.sqlite"))
    make_player_games(library, 48)
    return library


@pytest.fixture(scope="module")
def player(library):
    return describe_player(library, NAME, GameChoice())


def list_own(library):
    """(key, seat, review) of each game of the player, by the stored reviews alone."""
    with library.open() as db:
        rows = db.execute("SELECT key, players, time FROM games ORDER BY time").fetchall()
    own = []
    for key, names, _ in rows:
        if NAME in json.loads(names):
            game = library.read_review(key)
            own.append((key, game["players"].index(NAME), game))
    return own


@pytest.fixture(scope="module")
def own(library):
    """The games of the player, which take a second to read."""
    return list_own(library)


def test_results_are_those_of_the_reviews(library, player, own):
    results = {key: interval for key, interval, _, _ in player["results"]}
    assert player["games"] == len(own) > 15
    scores = [game["scores"][seat] for _, seat, game in own]
    assert results["score"][0] == pytest.approx(sum(scores) / len(scores), abs=1e-3)
    assert results["score"][1] < results["score"][0] < results["score"][2]
    ends = [(game["frames"][-1]["event"], seat) for _, seat, game in own]
    assert results["wins"][0] == pytest.approx(sum(end.get("seat") == seat for end, seat in ends) / len(own), abs=1e-3)
    assert results["deal_ins"][0] == pytest.approx(sum(
        end["verdict"] == "HU" and end["from"] == seat for end, seat in ends) / len(own), abs=1e-3)
    assert player["curve"][-1][1] == sum(scores)


def test_the_judge_is_compared_by_the_same_walls(library, own, monkeypatch):
    """A mean over 16 hands stood without an interval, and read as a verdict; the judge is shown from 100 hands on."""
    assert all(row[3] is None for row in describe_player(library, NAME, GameChoice())["results"])
    monkeypatch.setattr(player_summary, "_LEAST_REPLAYS", len(own))
    player = describe_player(library, NAME, GameChoice())
    compared = {key: ofjudge for key, _, _, ofjudge in player["results"] if ofjudge}
    assert player["replays"] == len(own) and {"score", "wins", "deal_ins", "paid", "draws", "claimed", "ready",
                                              "fan_won", "ready_turn", "win_turn", "lost"} <= set(compared)
    ends = [(game["replay"]["events"][-1], seat) for _, seat, game in own]
    wins = [end for end, seat in ends if end["seat"] == seat]
    gave = [(end["from"] == seat) * -end["scores"][seat] for end, seat in ends]
    ready = []
    for _, seat, game in own:
        first = [frame for frame, _, shanten in game["replay"]["distances"][seat] if shanten < 1][:1]
        ready += [1 + sum(event["kind"] in ("PLAY", "CHI", "PENG") and event["seat"] == seat
                          for event in game["replay"]["events"][:frame]) for frame in first]
    for key, values in (("wins", [end["seat"] == seat for end, seat in ends]), ("lost", gave),
                        ("fan_won", [end["fan"] for end in wins]), ("ready_turn", ready),
                        ("score", [end["scores"][seat] for end, seat in ends])):
        assert values and compared[key][0] == pytest.approx(sum(values) / len(values), abs=1e-3), key
    assert compared["ready"][0] == pytest.approx(len(ready) / len(own), abs=1e-3)


def test_claims_places_and_fans_are_those_of_the_games(tmp_path):
    """The rate of hands with claims, the mean place and the fans as a distribution were on no page."""
    library = open_library(str(tmp_path / "library.sqlite"))
    make_player_games(library, 18, players=4, hands=6)
    player, own = describe_player(library, NAME, GameChoice()), list_own(library)
    results = {key: interval for key, interval, _, _ in player["results"]}
    claimed = [any(frame["event"].get("seat") == seat and frame["event"]["kind"] in ("CHI", "PENG", "GANG")
                   and frame["event"].get("from") is not None for frame in game["frames"]) for _, seat, game in own]
    assert results["claimed"][0] == pytest.approx(sum(claimed) / len(own), abs=1e-4)
    places = []
    for start in range(0, 18, 6):
        totals = {}
        for _, _, game in own[start:start + 6]:
            for name, score in zip(game["players"], game["scores"]):
                totals[name] = totals.get(name, 0) + score
        places.append(1 + sorted(totals.values(), reverse=True).index(totals[NAME]))
    assert len(player["sessions"]) == 3 == sum(player["places"])
    assert player["places"] == [places.count(place) for place in range(1, 5)]
    assert results["place"] == [pytest.approx(sum(places) / 3, abs=1e-3)]  # three sessions have no interval
    fans = [game["frames"][-1]["event"]["fan"] for _, seat, game in own
            if game["frames"][-1]["event"].get("seat") == seat]
    firsts = [first for first, _ in player["fan_counts"]] + [1000]
    assert [count for _, count in player["fan_counts"]] == [
        sum(low <= fan < high for fan in fans) for low, high in zip(firsts, firsts[1:])]


class TestSentences:
    """One event made the headline "You fold too early" above eight deal-ins of which the page did not speak."""

    def tell(self, share, hands, others=0.08, count=1):
        values = np.zeros(hands)
        values[:round(share * hands)] = 1
        leaks = [{"count": count, "points": measure_mean(np.array([2.0] * count + [0.0] * (hands - count)))}]
        return player_summary._tell([["deal_ins", measure_share(values), others, None]], leaks, hands)

    def test_a_result_beyond_chance_comes_first(self):
        assert self.tell(.5, 16) == [["result", "deal_ins"]]
        assert self.tell(.5, 16, count=3) == [["result", "deal_ins"], ["leak", 0]]

    def test_few_events_and_chance_say_nothing(self):
        assert self.tell(.5, 4) == [] and self.tell(.1, 50) == [] and self.tell(.0, 50) == []


class TestIntervals:
    """Intervals of one mistake were "8.2 .. 8.2" and those of none "0.0 .. 0.0": resampled, they cover nothing."""

    def test_too_few_events_have_none(self):
        for losses in ([0.0] * 50, [5.0] + [0.0] * 49, [5.0, 2.0] + [0.0] * 48):
            assert len(measure_mean(np.array(losses))) == 1
            assert len(measure_rate(np.array(losses), np.full(50, 20.0))) == 1
        assert len(measure_mean(np.array([5.0, 2.0, 1.0] + [0.0] * 47))) == 3

    @pytest.mark.parametrize("hands, chance", [(50, .1), (100, .05), (400, .02), (400, .3)])
    def test_they_contain_the_truth_in_95_of_100_players(self, hands, chance):
        """Simulated players: a hand has a mistake by chance, of a loss with a long tail. Seed 7, 800 players each."""
        rng = np.random.default_rng(7)
        losses = (rng.random((800, hands)) < chance) * (1.5 + rng.exponential(2.0, (800, hands)))
        for measured, truth in ((measure_mean, 3.5 * chance),
                                (lambda values: measure_rate(values, np.full(hands, 20.0)), 3.5 * chance / 20),
                                (lambda values: measure_share((values > 0).astype(float)), chance)):
            intervals = [interval for interval in map(measured, losses) if len(interval) == 3]
            # Of 800 intervals 95% contain the truth, with a standard error of 0.8%.
            assert .925 < np.mean([low <= truth <= high for _, low, high in intervals]) < .985


def test_games_without_a_replay_are_left_out_of_the_comparison(tmp_path):
    """A library of an older version stays as it is: its reviews have no replays."""
    older = open_library(str(tmp_path / "library.sqlite"))
    make_player_games(older, 8)
    before = describe_player(older, NAME, GameChoice())
    (key, _, game), *_ = list_own(older)
    older.add_review(key, {name: value for name, value in game.items() if name != "replay"})
    after = describe_player(older, NAME, GameChoice())
    assert after["replays"] == before["replays"] - 1 == before["games"] - 1
    assert [row[:3] for row in after["results"]] == [row[:3] for row in before["results"]]


@pytest.fixture(scope="module")
def decisions(own):
    """{(key, seat, frame): (loss, leak, plan, state)} of each decision that counts, by the reviews; leak: or None."""
    rows = {}
    for key, seat, game in own:
        for decision in game["reviews"][seat]["decisions"]:
            if decision["logged"] and decision["class"] and decision["repeats"] is None:
                leak = name_leak(decision) if is_mistake(decision) and decision["loss"] else (None, None)
                rows[key, seat, decision["frame"]] = decision["loss"], *leak, name_state(decision)
    return rows


def test_plans_are_the_mistakes_of_their_fan(player, decisions):
    """They had points alone: no interval, no others and no examples."""
    losses = {}
    for place, (loss, leak, plan, _) in decisions.items():
        if leak == "plan":
            losses.setdefault(plan, {})[place] = loss
    leak, = [leak for leak in player["leaks"] if leak["group"] == "plan"]
    assert {plan["group"] for plan in leak["plans"]} == set(losses) and leak["count"] == sum(map(len, losses.values()))
    for plan in leak["plans"]:
        made = losses[plan["group"]]
        mean, *limits = plan["points"]
        assert bool(limits) == (plan["count"] > 2) and plan["count"] == len(made) and plan["others"] is not None
        assert mean == pytest.approx(sum(made.values()) / player["games"], abs=1e-3)
        assert [each["loss"] for each in plan["worst"]] == pytest.approx(sorted(made.values(), reverse=True)[:5])
        assert {(each["game"], each["seat"], each["frame"]) for each in plan["worst"]} <= set(made)
    assert sum(plan["points"][0] for plan in leak["plans"]) == pytest.approx(leak["points"][0], abs=1e-3)


def test_leaks_are_the_mistakes_of_the_reviews(library, player, decisions):
    """All leaks together lose what the reviews count, and the worst examples are the greatest losses."""
    lost = sum(loss for loss, *_ in decisions.values())
    assert dict(row[:2] for row in player["results"])["loss"][0] == pytest.approx(lost / player["games"], abs=1e-3)
    for groups in player["groups"].values():
        assert sum(group["points"][0] * group["count"] / 100 for group in groups) == pytest.approx(lost, abs=0.1)
    losses = [loss for loss, leak, *_ in decisions.values() if leak]
    assert sum(leak["count"] for leak in player["leaks"]) == len(losses) > 10
    assert sum(leak["points"][0] for leak in player["leaks"]) == pytest.approx(sum(losses) / player["games"], abs=1e-2)
    points = [leak["points"][0] for leak in player["leaks"]]
    assert points == sorted(points, reverse=True) and {leak["group"] for leak in player["leaks"]} <= set(LEAKS)
    assert max(leak["worst"][0]["loss"] for leak in player["leaks"]) == pytest.approx(max(losses))
    for leak in player["leaks"]:
        for made in leak["worst"][:1]:
            game = library.read_review(made["game"])
            decision, = [each for each in game["reviews"][made["seat"]]["decisions"] if each["frame"] == made["frame"]]
            assert (decision["logged"], decision["chosen"]) == (made["logged"], made["chosen"])
        states = [state for _, kind, _, state in decisions.values() if kind == leak["group"]]
        assert leak["distance"] == next((state for state in states if 2 * states.count(state) > len(states)), None)


def test_groups_have_every_decision_and_their_worst_examples(player, own, decisions):
    """Only the kinds of mistakes had examples; turns and distances had figures alone."""
    count = sum(decision["logged"] is not None for _, seat, game in own
                for decision in game["reviews"][seat]["decisions"])
    assert [sum(group["count"] for group in player["groups"][axis]) for axis in ("turn", "distance")] == [count] * 2
    for described in player["groups"]["distance"]:
        inside = {place: row for place, row in decisions.items() if row[3] == described["group"]}
        assert described["points"][0] == pytest.approx(
            100 * sum(loss for loss, *_ in inside.values()) / described["count"], abs=0.01)
        worst = described["worst"]
        assert [made["loss"] for made in worst] == pytest.approx(
            sorted((loss for loss, leak, *_ in inside.values() if leak), reverse=True)[:5])
        assert {(made["game"], made["seat"], made["frame"]) for made in worst} <= set(inside)
    assert all(any(group["worst"] for group in groups) for groups in player["groups"].values())


def test_choices_of_games(library, player, own):
    latest = describe_player(library, NAME, GameChoice(last=10))
    assert latest["games"] == 10 and latest["curve"][-1][0] == player["curve"][-1][0]
    assert describe_player(library, NAME, GameChoice(platform="here"))["games"] == 0
    assert describe_player(library, NAME, GameChoice(after="2023-11-16"))["games"] < player["games"]
    assert describe_player(library, NAME, GameChoice(after="2030-01-01"))["leaks"] == []


def test_names_that_are_joined_have_one_page(library):
    names = "player 2", "player 3"
    games = {name: describe_player(library, name, GameChoice())["games"] for name in names}
    library.join_names(*names[:1], [*names[1:]])
    joined = describe_player(library, "player 3", GameChoice())
    assert joined["names"] == list(names) and joined["games"] == sum(games.values())
    library.split_names("player 2")


def test_errors(library):
    with pytest.raises(LibraryError, match="expected a player of the library, got 'Nobody'"):
        describe_player(library, "Nobody", GameChoice())
    with pytest.raises(LibraryError, match="expected a day such as 2026-01-31, got 'May'"):
        describe_player(library, NAME, GameChoice(after="May"))


def test_the_command_writes_the_page(library, tmp_path):
    path = tmp_path / "page.html"
    assert main(["library", "page", NAME, "--file", library.path, "--last", "5", "-o", str(path)]) == 0
    assert path.stat().st_size < 400_000 and NAME in path.read_text(encoding="utf-8")


@needs_browser
@pytest.mark.parametrize("locale, width, head", [
    ("en-US", 1280, "hands. "), pytest.param("zh-CN", 390, "盘。 每盘", marks=pytest.mark.slow)])
def test_the_page(browser, player, tmp_path, locale, width, head):
    """The sentences on top, every leak with its examples; nothing is cut on a phone."""
    path = tmp_path / "page.html"
    path.write_text(build_player_page(player), encoding="utf-8")
    with open_page(browser, path.as_uri(), width, 844, locale=locale) as page:
        assert head in page.inner_text("#summary .head") and str(player["games"]) in page.inner_text("#summary .head")
        assert page.locator("#results tr").count() == 1 + sum(bool(row[1]) for row in player["results"])
        assert page.locator("#pictures .bar").count() == len(player["fan_counts"])
        page.locator("#leaks > summary").click()
        page.locator("#groups > summary").click()
        assert page.locator("#summary li").count() == 3
        plans = sum(len(leak["plans"]) for leak in player["leaks"])
        assert page.locator("#leaks tr").count() == len(player["leaks"]) + 1 + plans
        assert page.locator("#leaks tr.plan:visible").count() == 0 < plans
        page.locator("#leaks .has-plans summary").click()
        page.locator("#leaks tr.plan").first.wait_for(state="visible")
        assert page.locator("#leaks tr.plan:visible").count() == plans
        page.locator("#leaks .has-plans summary").click()
        page.locator("#leaks td summary").first.click()
        page.locator("#groups td summary").first.click()
        assert page.locator("#groups .worst").first.locator(".link").count() > 0
        assert page.locator("#leaks .worst").first.locator(".link").count() == len(player["leaks"][0]["worst"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.click("#me button")
        assert page.evaluate("Me.name()") == NAME
        page.click("#language")
        assert head not in page.inner_text("#summary .head")
