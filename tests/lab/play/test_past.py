"""Past games: pages of which one judge speaks first, and all judges the second time."""

from mj_bot.lab.play.past import PastGames
from mj_bot.lab.play.session import Session
from mj_bot.lab.review import games
from mj_bot.lab.review import JUDGES
from tests.lab.review.games import golden_lines, parse_data


def short_lines(count):
    """The shortest of some recorded games, as lines."""
    return sorted(golden_lines(40, "stacked"), key=len)[:count]


def read_page(past, name):
    return parse_data(past.review(name))


def test_a_page_opens_with_the_first_judge_and_is_completed_by_the_second(tmp_path, monkeypatch):
    """It was shown only when all judges had answered; a page that was opened again was computed again."""
    past = PastGames(str(tmp_path), "random,rule_based")
    data = "".join(short_lines(2)).encode()
    names = [row["name"] for row in past.open_file(data)]
    for name in (names[0], names[0].rpartition("-")[0]):
        first, second = read_page(past, name), read_page(past, name)
        assert first["pending"] and first["judges"] == ["random"]
        assert "pending" not in second and second["judges"] == ["random", "rule_based"]
        monkeypatch.setattr(games, "review_seat", None)  # nothing is computed any more
        assert read_page(past, name) == second
        monkeypatch.undo()


def test_one_judge_has_nothing_to_wait_for(tmp_path):
    past = PastGames(str(tmp_path), "rule_based")
    name = past.open_file(short_lines(1)[0].encode())[0]["name"]
    assert "pending" not in read_page(past, name)


def test_reviews_of_the_page_have_both_judges_unless_another_adviser_is_named(tmp_path):
    data = short_lines(1)[0].encode()
    for adviser, judges in (("search", JUDGES.split(",")), ("rule_based", ["rule_based"])):
        past = Session(["random"] * 3, adviser, str(tmp_path)).past
        name = past.open_file(data)[0]["name"]
        read_page(past, name)
        assert read_page(past, name)["judges"] == judges
