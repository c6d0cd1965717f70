"""What README.md shows works."""

import os
import re

from handin import REPOSITORY
from mj_bot.lab.match import play_game
from mj_bot.lab.players import TacticPlayer
from mj_bot.lab.results import format_table, read_results
from mj_bot.lab.walls import wall_from_seed


def test_the_tactic_in_ten_lines_plays():
    with open(os.path.join(REPOSITORY, "README.md"), encoding="utf-8") as file:
        source = re.search(r"```python\n(class .*?)```", file.read(), re.S).group(1)
    assert len(re.findall(r"\n +(?!\"\"\")\S", source)) <= 10
    names = {}
    exec(source, names)
    record = play_game([TacticPlayer(names["SimpleTactic"](), "simple") for _ in range(4)], wall_from_seed(1), 0)
    assert record.closing["action"] in ("HU", "HUANG")


def test_the_table_of_results_is_made_from_the_results():
    with open(os.path.join(REPOSITORY, "README.md"), encoding="utf-8") as file:
        table = re.search(r"<!-- results -->\n(.*?)<!-- /results -->", file.read(), re.S).group(1)
    assert table == format_table(read_results())
