"""The names of fans: those of the tactics are the same as those that results and pages show."""

from mj_bot.lab.table.fan_names import ENGLISH_FANS
from mj_bot.tactic.pattern.tables import FREQUENCY
from tests.tactic.pattern.test_value import FANS


def test_patterns_have_the_names_of_their_fans():
    assert {name: ENGLISH_FANS[FANS[name][0]].lower() for name in FREQUENCY} == {name: name for name in FREQUENCY}
