"""What README.md shows works."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from handin import REPOSITORY
from mj_bot.lab.arena.results import format_table, read_results
from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.players import TacticPlayer
from mj_bot.lab.table.walls import wall_from_seed


def test_the_tactic_in_ten_lines_plays():
    with open(os.path.join(REPOSITORY, "README.md"), encoding="utf-8") as file:
        source = re.search(r"```python\n(class .*?)```", file.read(), re.S).group(1)
    assert len(re.findall(r"\n +(?!\"\"\")\S", source)) <= 10
    names = {}
    exec(source, names)
    record = play_game([TacticPlayer(names["SimpleTactic"](), "simple") for _ in range(4)], wall_from_seed(1), 0)
    assert record.closing["action"] in ("HU", "HUANG")


def read_table(name):
    with open(os.path.join(REPOSITORY, "README.md"), encoding="utf-8") as file:
        return re.search(r"<!-- %s -->\n(.*?)<!-- /%s -->" % (name, name), file.read(), re.S).group(1)


def test_the_table_of_results_is_made_from_the_results():
    assert read_table("results") == format_table(read_results())


def test_the_table_of_recipes_is_made_from_the_runs():
    pytest.importorskip("torch", reason="no torch: recipes are not reported")
    from mj_bot.lab.train.report import format_report, read_rows

    assert read_table("recipes") == format_report(read_rows(os.path.join(REPOSITORY, "data/results/recipes.json")))


WITHOUT_THE_WORKSHOP = """
import sys
sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(), None))
from mj_bot.lab.__main__ import main
sys.exit(main())
"""


def read_requirements(path):
    return set(re.findall(r"^(\w+)==", Path(REPOSITORY, path).read_text(encoding="utf-8"), re.M))


def test_after_make_play_a_game_can_be_played_replayed_and_reviewed(tmp_path):
    missing = set.union(*(read_requirements("3rdparty/requirements-%s.txt" % name)
                          for name in ("workshop", "train", "test")))
    assert "numba" in missing
    for words in (["referee", *["random"] * 4, "--log", "game.json"], ["replay", "game.json", "--tactic", "random"],
                  ["review", "game.json", "--tactic", "random", "-o", "game.html"]):
        done = subprocess.run([sys.executable, "-c", WITHOUT_THE_WORKSHOP, " ".join(missing), *words], cwd=tmp_path,
                              env=dict(os.environ, PYTHONPATH=REPOSITORY), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "game.html").stat().st_size > 10000
