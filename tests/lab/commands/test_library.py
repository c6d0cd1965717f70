"""The command `mj-bot library`, and what `review` puts into the library."""

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.library.library_file import find_library
from mj_bot.lab.library.store import open_library
from tests.golden_games import SAMPLES

HANDS = str(SAMPLES / "tziakcha.jsonl")


@pytest.fixture
def one_hand(tmp_path):
    """A file with one hand."""
    path = tmp_path / "hand.jsonl"
    path.write_text(open(HANDS, encoding="utf-8").readline(), encoding="utf-8")
    return path


def test_from_import_to_export(one_hand, tmp_path, capsys):
    assert main(["library", "import", str(one_hand), "--tactic", "rule_based", "--workers", "1"]) == 0
    assert "1 new games, 0 that were there; 1 reviewed" in capsys.readouterr().out
    assert main(["library", "list"]) == 0
    listed = capsys.readouterr()
    assert "hand.jsonl" in listed.out and "tziakcha" in listed.out and find_library() in listed.err
    assert main(["library", "list", "--players"]) == 0
    assert capsys.readouterr().out.count("1 games  Player ") == 4
    assert main(["library", "export", "-o", str(tmp_path / "games.csv"), "--table", "games"]) == 0
    assert "4 rows" in capsys.readouterr().out
    assert main(["library", "join", "Player A", "Player B"]) == 0
    assert capsys.readouterr().out == "Player A: Player A, Player B\n"
    assert main(["library", "check"]) == 0
    assert main(["library", "forget", "--answers"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "0 answers removed"
    assert main(["library", "forget", "--player", "Player B"]) == 0
    assert "1 games removed" in capsys.readouterr().out


def test_errors(one_hand, tmp_path, capsys):
    assert main(["library", "join", "Player A", "Nobody"]) == 2
    assert "expected a player of the library, got 'Player A'" in capsys.readouterr().err
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("no game")
    assert main(["library", "import", str(wrong)]) == 2
    assert str(wrong) in capsys.readouterr().err


def test_review_keeps_its_games(one_hand, tmp_path):
    """The games of a review are in the library with their review and the whole path; --no-library keeps it empty."""
    words = ["review", str(one_hand), "--tactic", "rule_based", "-o", str(tmp_path / "page.html")]
    assert main([*words, "--no-library"]) == 0
    assert open_library().count()["games"] == 0
    for _ in range(2):
        assert main(words) == 0
        library = open_library()
        assert library.count() == dict(library.count(), games=1, waiting=0)
    with library.open() as db:
        assert db.execute("SELECT path FROM games").fetchone()[0].startswith(str(one_hand))
