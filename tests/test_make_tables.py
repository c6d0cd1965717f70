"""What is shown of measured matches is made from the measurements."""

import json

import pytest

from docs.make_tables import RESULTS_FOLDER, PICTURES, TOP, digest, make_texts
from mj_bot.lab.table.fan_names import ENGLISH_FANS

REMAKE = "make them anew: python docs/make_tables.py"


def test_the_tables_are_made_from_the_results():
    for path, text in make_texts().items():
        assert path.read_text(encoding="utf-8") == text, "%s: %s" % (path, REMAKE)


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_the_pictures_are_made_from_what_lies_beside_them(name):
    image = pytest.importorskip("PIL.Image")
    with image.open(RESULTS_FOLDER / name) as picture:
        assert picture.text.get("Source") == digest(RESULTS_FOLDER / PICTURES[name]), REMAKE


def test_no_picture_is_left_that_nobody_makes():
    assert {path.name for path in RESULTS_FOLDER.glob("*.png")} == set(PICTURES)
    pages = "README.md", "README.zh-CN.md", "data/results/README.md"
    shown = "".join((TOP / name).read_text(encoding="utf-8") for name in pages)
    assert all(name + ")" in shown for name in PICTURES)


def test_fans_have_one_name():
    """Stored results once spelt theirs otherwise than the pages do."""
    names = {name for path in RESULTS_FOLDER.rglob("*.json") for name in list_patterns(json.loads(path.read_bytes()))}
    assert names and names <= set(ENGLISH_FANS.values())


def list_patterns(result):
    players = result.get("players", ()) if isinstance(result, dict) else ()
    return [name for player in players if isinstance(player, dict) for name in player.get("patterns", ())]
