"""The compact form: its contents, its size, and refused folders."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mj_bot.lab.records.compact import (
    GAMES_KIND, GAMES_VERSION, digest_games, join_games, list_game_files, measure_folder, name_part, pack_games,
    read_games_folder, read_part, take_games, unpack_games, write_part)
from mj_bot.lab.records.source import list_files
from mj_bot.lab.records.source import read_games
from mj_bot.lab.run.run_folder import RunFolder
from mj_bot.mahjong.errors import ProtocolError
from tests.lab.records.games import golden_games
from tests.lab.records.platforms.test_tziakcha import load_made, read


def write_folder(path, *parts, count=None):
    """Writes lists of games as the files of a folder. count: of the files that run.json names."""
    with RunFolder(path, GAMES_KIND, GAMES_VERSION, settings={}) as run:
        for number, games in enumerate(parts):
            write_part(run, number, pack_games(games))
        run.note(parts=len(parts) if count is None else count)
    return path


@pytest.fixture
def folder(tmp_path):
    """Two files, of three games and of two."""
    games = golden_games()
    return write_folder(tmp_path / "games", games[:3], games[3:5])


def change_part(folder, **arrays):
    """Writes the first file with other arrays; None takes one out."""
    path = folder / name_part(0)
    with np.load(path) as file:
        values = dict(file)
    values.update(arrays)
    np.savez_compressed(path, **{name: value for name, value in values.items() if value is not None})


def test_every_recorded_game_comes_back_from_at_most_200_bytes_on_average(tmp_path):
    """The recorded games have more claims and kongs than played ones."""
    folder = write_folder(tmp_path, golden_games()[:3], golden_games()[3:])
    games = list(unpack_games(read_games_folder(folder), "here"))
    assert games == list(golden_games()) and games[0].name == "here:1"
    assert measure_folder(folder) / len(games) <= 200


def test_a_folder_is_one_source_of_records(folder, tmp_path):
    """Its files, and those of the folders of other runs, are no records of their own."""
    with RunFolder(tmp_path / "match.run", "arena", 1, settings={}) as run:
        run.write_json("walls.json.gz", [])
    assert list_files([str(tmp_path)]) == list_files([str(folder)]) == [str(folder)]
    games = list(read_games(str(folder)))
    assert len(games) == 5 and not games[0].error and games[0].where == "%s:1" % folder


def test_a_folder_without_games_and_one_that_is_not_whole(tmp_path):
    game, = read_games(str(write_folder(tmp_path / "none", [])))
    assert "expected games, got none in" in str(game.error)
    path = write_folder(tmp_path / "cut", golden_games()[:2])
    data = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps(dict(data, facts={})))
    game, = read_games(str(path))
    assert "expected all games of a run, got a part of them in %s; this command goes on: mj-bot" % path in str(
        game.error)


def test_taking_and_joining_games():
    games = pack_games(golden_games()[:20])
    parts = [take_games(games, np.arange(first, 20, 3)) for first in range(3)]
    order = [place for first in range(3) for place in range(first, 20, 3)]
    assert list(unpack_games(join_games(parts))) == [golden_games()[place] for place in order]


def test_the_digest_is_that_of_the_games_whatever_their_files(folder, tmp_path):
    games = golden_games()[:5]
    other = write_folder(tmp_path / "other", games[:1], games[1:4], games[4:])
    digests = {digest_games(read_games_folder(path)) for path in (folder, other)}
    assert digests == {digest_games(pack_games(games))}
    assert digest_games(pack_games(games[1:])) != digest_games(pack_games(games))


def test_names_flowers_and_origin_are_kept_where_there_are_any(tmp_path):
    people = [read(step) for step in load_made()[:3]]
    path = write_folder(tmp_path / "games", golden_games()[:2], people + [golden_games()[2]])
    assert ["notes" in np.load(file).files for file in list_game_files(path)] == [False, True]
    games = list(unpack_games(take_games(read_games_folder(path), np.arange(2, 6))))
    assert games == people + [golden_games()[2]]
    assert [(game.players, game.origin) for game in games[:3]] == [(game.players, game.origin) for game in people]
    assert games[0].players == ("Player A", "Player B", "Player C", "Player D")
    assert games[0].origin["platform"] == "tziakcha" and games[3].origin == {}
    numbered = [games[3], replace(games[3], players=(3, 1, 0, 2))]
    assert pack_games(numbered).heads["players"].tolist() == [[0, 0, 0, 0], [3, 1, 0, 2]]


def test_what_is_wrong_with_other_games_is_kept(tmp_path):
    with RunFolder(tmp_path, GAMES_KIND, GAMES_VERSION, settings={}) as run:
        write_part(run, 0, pack_games([]), broken=[("東.txt:1", "expected\ta tile")])
    games, broken = read_part(tmp_path / name_part(0))
    assert len(games.heads) == 0 and broken == [("東.txt:1", "expected\ta tile")]


@pytest.mark.parametrize("note", ["x", '{"players": ["a"]}', '{"flowers": [[0, 4, 1]]}', '{"origin": 3}'])
def test_notes_that_are_none_are_refused(note):
    games = pack_games(golden_games()[:1])
    with pytest.raises(ProtocolError, match="expected a note with players, flowers or origin"):
        list(unpack_games(games._replace(notes=np.array([note], object))))


@pytest.mark.parametrize("arrays, message", [
    ({"walls": None}, "expected an array 'walls'"),
    ({"walls": np.zeros((3, 135), np.uint8)}, "expected 'walls' of type u1"),
    ({"walls": np.full((3, 136), 255, np.uint8)}, "expected walls of four tiles of each kind, got another as number 0"),
    ({"walls": np.zeros((2, 136), np.uint8)}, "expected arrays of 3 games"),
    ({"wind": np.full(3, 4, np.uint8)}, "expected prevalent winds 0..3, got 4"),
    ({"wind": np.zeros(1, np.uint8)}, "expected arrays of 3 games"),
    ({"scores": np.zeros((3, 4))}, "expected 'scores' of type i2"),
    ({"sizes": np.full(3, 9, np.uint16)}, "expected moves of 27 bytes, got"),
    ({"sizes": np.array([400, 0, 0], np.uint16), "moves": np.zeros(400, np.uint8)},
     "at most 272 bytes of moves a game"),
    ({"notes": np.zeros(2, np.uint8)}, "expected arrays of 3 games"),
    ({"notes": np.full(2, 255, np.uint8)}, "expected a part of a run"),
    *(({"broken": np.frombuffer(text, np.uint8)}, "expected what is wrong with other games")
      for text in (b"[3]", b"3", b"{}", b'[["a"]]')),
    ({"broken": np.frombuffer(b"[", np.uint8)}, "expected JSON"),
])
def test_what_would_lead_compiled_code_astray_is_refused(folder, arrays, message):
    change_part(folder, **arrays)
    with pytest.raises(ProtocolError, match=message + ".* in .*games-000000.npz|games-000000.npz.*" + message):
        read_games_folder(folder)


def test_files_that_are_none_or_not_there(folder, tmp_path):
    (folder / name_part(1)).write_bytes(b"PK")
    with pytest.raises(ProtocolError, match="expected a part of a run in .*games-000001.npz"):
        read_games_folder(folder)
    (folder / name_part(1)).unlink()
    (folder / name_part(1)).symlink_to(folder / name_part(0))  # a link may lead out of the folder
    with pytest.raises(ProtocolError, match="expected 2 files of games in .*, got no games-000001.npz"):
        read_games_folder(folder)
    for count, message in ((10 ** 18, "no games-000002"), ("2", "expected all games"), (True, "expected all games")):
        path = write_folder(tmp_path / str(count), golden_games()[:1], golden_games()[1:2], count=count)
        with pytest.raises(ProtocolError, match=message):
            read_games_folder(path)


def test_moves_longer_than_a_game_are_not_written(tmp_path):
    games = pack_games(golden_games()[:1])
    games = games._replace(moves=np.zeros(400, np.uint8), ends=np.array([0, 400]))
    with RunFolder(tmp_path, GAMES_KIND, GAMES_VERSION, settings={}) as run:
        with pytest.raises(ProtocolError, match="expected at most 272 bytes of moves a game, got 400"):
            write_part(run, 0, games)
