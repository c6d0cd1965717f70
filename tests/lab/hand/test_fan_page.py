"""The page of the fans: MahjongGB counts each fan in its example."""

from mj_bot.lab.hand.answer import answer_texts
from mj_bot.lab.hand.fan_page import build_fan_page
from mj_bot.lab.page import read_fan_examples
from mj_bot.lab.table.fan_names import ENGLISH_FANS


def test_every_fan_has_an_example_that_the_judge_counts():
    examples = read_fan_examples()
    assert list(examples) == list(ENGLISH_FANS) and len(examples) == 81
    wrong = {}
    for name, hand in examples.items():
        win = answer_texts(hand)["win"]
        if not win or name not in [fan for _, _, fan in win["fans"]]:
            wrong[name] = win and win["fans"]
    assert not wrong


def test_the_page_shows_all_of_them():
    page = build_fan_page()
    assert page.count("<tr><td>") == 81
    assert all(name in page and english in page for name, english in ENGLISH_FANS.items())
    assert "furiten" in page and "振听" in page
