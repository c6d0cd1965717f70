"""The command `dataset`."""

import json
from pathlib import Path

from mj_bot.lab.__main__ import main
from mj_bot.lab.dataset import open_dataset
from mj_bot.lab.records.botzone.official import format_official
from tests.golden_games import SAMPLES
from tests.lab.records.games import whole_games

CASES = Path(__file__).parents[1] / "records" / "cases"


def test_a_set_of_records(tmp_path, capsys):
    """Illegal games are left out; the same command again keeps the set."""
    source, folder = tmp_path / "matches.txt", tmp_path / "set"
    texts = [format_official(game) for game in whole_games()[:6]]
    texts[2] = texts[2].replace("Player 0 Draw", "Player 1 Draw", 1)
    source.write_text("\n".join(texts), encoding="utf-8")
    for _ in range(2):
        assert main(["dataset", "-o", str(folder), "--records", str(source)]) == 0
    assert "5 games, " in capsys.readouterr().out
    dataset = open_dataset(folder)
    assert dataset.card["source"]["kind"] == "records" and dataset.card["source"]["broken"] == 1
    assert "matches.txt" in (folder / "broken.txt").read_text(encoding="utf-8")
    assert sum(len(batch.action) for split in ("train", "valid", "test")
               for batch in dataset.batches(split, 100, 0)) == dataset.card["decisions"] > 100


def test_a_game_with_the_fans_of_its_platform(tmp_path):
    """The whole set was refused, as the platform's fan is not the judge's; the card says how many there are."""
    assert main(["dataset", "-o", str(tmp_path / "set"), "--records",
                 str(CASES / "salasasa_knitted_edge_wait_17.json")]) == 0
    card = open_dataset(tmp_path / "set").card
    assert card["own_fans"]["games"] == 1 and "knitted straight" in card["own_fans"]["differences"]


def test_no_game_is_an_error(tmp_path, capsys):
    (tmp_path / "broken.json").write_text("{}")
    assert main(["dataset", "-o", str(tmp_path / "set"), "--records", str(tmp_path / "broken.json")]) == 2
    assert "expected a game to learn from, got none in " in capsys.readouterr().err
    assert not (tmp_path / "set/card.json").exists()


def test_games_between_people(tmp_path):
    """The card says how their game differs from Botzone's; broken games are left out."""
    folder = tmp_path / "set"
    assert main(["dataset", "-o", str(folder), "--records", str(SAMPLES)]) == 0
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert card["games"] == 42 and card["source"]["broken"] == 4
    assert card["platforms"] == {"tziakcha": 13, "salasasa": 12, "lianzhong": 4, "mahjongsoft": 1}
    assert card["one_wall"]["games"] == 30 and "flowers" in card["one_wall"]["differences"]
