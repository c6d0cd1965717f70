"""The reader in docs/record_formats.md reads games."""

import re
from pathlib import Path

from mj_bot.lab.records.botzone.official import format_official
from mj_bot.lab.records.formats import FORMATS
from mj_bot.lab.records.source import read_games
from tests.lab.records.games import whole_games

DOCUMENT = Path(__file__).parents[3] / "docs" / "record_formats.md"


def write_plain(game):
    """A game in the format of the document, without overruled claims."""
    lines = ["wind %d" % game.wind]
    for line in format_official(game).splitlines():
        words = line.partition(" Ignore")[0].split()
        if words[0] == "Player":
            lines.append(" ".join([words[1], words[2].lower(), *words[3:]]))
        elif words[0] == "Score":
            lines.append("scores " + " ".join(words[1:]))
    return "\n".join(lines) + "\n"


def test_the_simplest_reader(tmp_path, monkeypatch):
    """Its games are those that were written, and a broken line is named."""
    code, = re.findall("```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert len(list(filter(str.strip, code.splitlines()))) <= 40
    monkeypatch.setitem(FORMATS, "plain", None)  # so that it goes after the test
    exec(code, {})
    games = [game for game in whole_games() if max(game.scores) > 0][:5]
    path = tmp_path / "games.txt"
    path.write_text("".join(map(write_plain, games)), encoding="utf-8")
    read = list(read_games(str(path)))
    assert not any(game.error for game in read)
    assert [game.record.scores for game in read] == [list(game.scores) for game in games]
    path.write_text(write_plain(games[0]).replace(" play ", " paly ", 1), encoding="utf-8")
    game, = read_games(str(path))
    assert "expected an event" in str(game.error) and "paly" in str(game.error) and game.record.steps
