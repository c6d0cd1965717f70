"""The positions of a player's mistakes: their choice, what they show, and the sample games of an empty library."""

import pytest

from mj_bot.lab.learn.lessons import keep_answer
from mj_bot.lab.hand.answer import answer_texts
from mj_bot.lab.table.fan_names import EXCLUDED_FANS
from mj_bot.lab.learn.positions import PositionChoice, Question, choose_daily, lay_position, list_positions
from mj_bot.lab.learn.scoring import draw_win
from mj_bot.lab.library.store import open_library
from mj_bot.lab.page.position import describe_position
from mj_bot.mahjong.state import GameState
from tests.lab.library.games import add_four, list_reviewed

NOW, DAY = 1.8e9, 86400


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return add_four(open_library(str(tmp_path_factory.mktemp("learn") / "library.sqlite")))


def choose(library, **choice):
    asked = list_positions(library, PositionChoice(player="Player A", **choice), most=99, now=NOW)
    return asked["positions"]


def list_mistakes(test=lambda decision: True):
    return [decision for _, reviewed in list_reviewed() for seat, review in reviewed["reviews"].items()
            if reviewed["players"][seat] == "Player A" for index in review["mistakes"]
            for decision in [review["decisions"][index]] if test(decision)]


def test_all_mistakes_of_a_player_are_asked(library):
    asked = list_positions(library, PositionChoice(player="Player A"), most=99, now=NOW)
    assert not asked["is_sample"] and set(asked["players"]) >= {"Player A", "Player B"}
    assert sorted(position["decision"]["loss"] for position in asked["positions"]) == sorted(
        made["loss"] for made in list_mistakes())
    assert len(list_positions(library, PositionChoice(player="Player A"), most=2, now=NOW)["positions"]) == 2


def test_several_names_and_everybody_are_asked(library):
    """The questions were of one name: not of the player at the table and of the same person elsewhere together."""
    def count(player):
        asked = list_positions(library, PositionChoice(player=player), most=999, now=NOW)
        assert not asked["is_sample"]
        return asked["player"], len(asked["positions"])

    counts = {name: count(name)[1] for name in ("Player A", "Player B", "Player C", "Player D")}
    assert count("person\nPlayer A\nPlayer C") == ("Player A\nPlayer C", counts["Player A"] + counts["Player C"])
    assert count("") == ("", sum(counts.values()))
    assert count("person") == count(None) and count(None)[0] in counts


def test_a_day_has_one_position(library, tmp_path):
    """It is a discard that was clearly a mistake; the same day has it again, and an empty library has one too."""
    empty = open_library(str(tmp_path / "library.sqlite"))
    for home in (library, empty, None):
        days = [choose_daily(home, "2026-01-%02d" % day) for day in range(1, 29)]
        assert days[4] == choose_daily(home, "2026-01-05") and len({made["frame"] for made in days}) > 3
        assert all(made["decision"]["is_clear"] and made["decision"]["logged"].startswith("PLAY ") for made in days)
    assert days[4] == choose_daily(empty, "2026-01-05")


def test_hands_to_score_are_counted_as_any_hand():
    """The page of any hand reads them as text and comes to the same sum; no fan that another one excludes is there."""
    names = set()
    for seed in range(60):
        win = draw_win(seed)
        counted = {name for _, _, name in win["fans"]}
        names |= counted
        assert win["fan"] >= 8 and not any(set(EXCLUDED_FANS.get(name, ())) & counted for name in counted)
        text = "".join("[%s,1]" % "".join(meld) for meld in win["melds"]) + "".join([*win["tiles"], win["win"]])
        answer = answer_texts("%s|%s%s%d000" % (text, "ESWN"[win["prevalent_wind"]], "ESWN"[win["seat_wind"]],
                                                win["is_self_drawn"]))
        assert sorted(map(list, answer["win"]["fans"])) == sorted(win["fans"]) and answer["win"]["fan"] == win["fan"]
    assert len(names) > 25 and draw_win(7) == draw_win(7)


def test_filters(library):
    made = list_mistakes()[0]
    for choice in ({"grade": made["class"]}, {"state": str(min(4, max(0, made["shanten"])))}):
        positions = choose(library, **choice)
        assert 0 < len(positions) <= len(list_mistakes())
    assert all(position["decision"]["class"] == made["class"] for position in choose(library, grade=made["class"]))
    clear, unsure = (choose(library, sureness=name) for name in ("clear", "unsure"))
    assert clear and all(position["decision"]["is_clear"] for position in clear)
    assert not any(position["decision"]["is_clear"] for position in unsure)
    assert len(clear) + len(unsure) == len(list_mistakes())
    kinds = {position["decision"]["leak"] for position in choose(library)}
    assert sum(len(choose(library, leak=kind)) for kind in kinds) == len(list_mistakes())


def test_a_position_is_what_its_seat_sees(library):
    """The hands of the others stay with the server."""
    for position in choose(library):
        seats, seat, frame = position["position"]["seats"], position["seat"], position["frame"]
        assert [other["hand"] is not None for other in seats] == [place == seat for place in range(4)]
        game = library.read_game(position["key"])
        state = GameState()
        for request in game.transcripts[seat].requests[:frame + 1]:
            state.apply(request)
        seen = describe_position([state if place == seat else None for place in range(4)])
        assert seats[seat] == seen["seats"][seat]
        rivers = [[[(discard["tile"], discard["claimed_by"]) for discard in other["river"]] for other in of]
                  for of in (seats, seen["seats"])]
        assert rivers[0] == rivers[1]
        assert position["event"] == library.read_review(position["key"])["frames"][frame]["event"]


def test_frames_are_laid_one_on_another():
    reviewed = list_reviewed()[0][1]
    before = str(reviewed["frames"])
    last = lay_position(reviewed["frames"], len(reviewed["frames"]) - 1)
    assert last["seats"][0]["hand"] and str(reviewed["frames"]) == before


def test_failed_positions_come_first_and_known_ones_not_at_all(library):
    first, second, *_ = [(made["key"], made["seat"], made["frame"]) for made in choose(library)][::-1]
    keep_answer(library, *first, is_right=False, now=NOW - 2 * DAY)
    keep_answer(library, *second, is_right=True, now=NOW - 2 * DAY)
    positions = choose(library)
    assert (positions[0]["key"], positions[0]["seat"], positions[0]["frame"]) == first and positions[0]["is_due"]
    assert second not in [(made["key"], made["seat"], made["frame"]) for made in positions]
    assert [made["is_due"] for made in positions].count(True) == 1
    library.forget_games([first[0]])
    assert first not in [(made["key"], made["seat"], made["frame"]) for made in choose(library)]


def test_the_sample_games_are_asked_where_there_are_no_mistakes(tmp_path):
    empty = open_library(str(tmp_path / "library.sqlite"))
    for library in (None, empty):
        asked = list_positions(library, PositionChoice(), most=12, now=NOW)
        assert asked["is_sample"] and len(asked["positions"]) == 12
    sample = asked["positions"][0]
    assert sample.keys() == Question.__annotations__.keys()
    assert any(made["decision"]["answers"] for made in asked["positions"])
    assert sample["position"]["seats"][sample["seat"]]["hand"]
    keep_answer(empty, sample["key"], sample["seat"], sample["frame"], is_right=False, now=NOW - 2 * DAY)
    assert list_positions(empty, PositionChoice(), most=12, now=NOW)["positions"][0] == dict(sample, is_due=True)
    tiles = list_positions(empty, PositionChoice(leak="tile"), most=99, now=NOW)["positions"]
    assert tiles and {made["decision"]["leak"] for made in tiles} == {"tile"}
