"""The positions of a player's mistakes: their choice, what they show, and the sample games of an empty library."""

import pytest

from mj_bot.lab.learn.lessons import keep_answer
from mj_bot.lab.learn.positions import PositionChoice, Question, lay_position, list_positions
from mj_bot.lab.library.store import open_library
from mj_bot.lab.page.position import describe_position
from mj_bot.mahjong.state import GameState
from tests.lab.library.games import list_reviewed

NOW, DAY = 1.8e9, 86400


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    library = open_library(str(tmp_path_factory.mktemp("learn") / "library.sqlite"))
    for game, reviewed in list_reviewed():
        (key, _), = library.add_games([game])
        library.add_review(key, reviewed)
    return library


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
