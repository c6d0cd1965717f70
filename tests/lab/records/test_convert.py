"""Files in any format are checked and converted in parallel; an interrupted conversion continues."""

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records import compact, records
from mj_bot.lab.records.compact import read_games as read_compact
from mj_bot.lab.records.compact import unpack_games
from mj_bot.lab.records.formats import FORMATS, Format
from mj_bot.lab.records.official import format_official, parse_official
from mj_bot.lab.records.records import Conversion, check_files
from mj_bot.lab.records.source import list_files, read_games
from mj_bot.mahjong.errors import ProtocolError
from tests.golden_games import with_samples
from tests.lab.records.games import whole_games


@pytest.fixture
def folder(tmp_path):
    """60 games, a file each, and among them three that are not legal; with them a link that leads nowhere."""
    folder = tmp_path / "games"
    (folder / "more").mkdir(parents=True)
    for number, game in enumerate(whole_games()[:60]):
        path = folder / ("more" if number % 2 else ".") / ("%03d.txt" % number)
        path.write_text(format_official(game), encoding="utf-8")
    (folder / "010.txt").write_text("nothing that anybody knows\n")
    (folder / "more" / "011.txt").write_bytes(b"\xff\xfe\xff")
    text = (folder / "020.txt").read_text(encoding="utf-8").split("\n")
    text[8] = text[8].replace("Play", "Chi")
    (folder / "020.txt").write_text("\n".join(text), encoding="utf-8")
    (folder / "gone.txt").symlink_to(folder / "nothing")
    return folder


def test_a_directory_is_converted_in_order_and_its_broken_games_are_named(folder, tmp_path, capsys):
    out = tmp_path / "out.mjg"
    assert main(["records", "convert", str(folder), "-o", str(out), "--workers", "2"]) == 2
    captured = capsys.readouterr()
    assert "Games: 57 in" in captured.out and "4 not legal" in captured.out
    for name in ("010.txt: ", "011.txt: ", "020.txt:1: ", "gone.txt: "):
        assert name in captured.err
    assert "in line 9 of" in captured.err
    assert (tmp_path / "out.mjg.broken.txt").read_text(encoding="utf-8").count("\n") == 4
    files = list_files([str(folder)])
    numbers = [int(path[-7:-4]) for path in files if path[-7:-4] not in ("010", "011", "020", "one")]
    games = list(unpack_games(read_compact(str(out))))
    assert [game.scores for game in games] == [whole_games()[number].scores for number in numbers]
    assert main(["records", "check", str(out)]) == 0


def test_a_conversion_that_was_broken_off_goes_on(folder, tmp_path, monkeypatch):
    """The file has the same bytes, and all broken games are named; a torn journal line and a torn block are dropped.

    Games whose line is missing in the journal are not written twice.
    """
    monkeypatch.setattr(records, "_TASK", 7)
    files = list_files([str(folder)])
    whole, broken_off = str(tmp_path / "whole.mjg"), str(tmp_path / "broken_off.mjg")
    for path, stops in ((whole, ()), (broken_off, (2, 5))):
        for stop in stops + (100,):
            with Conversion(files, path) as conversion:
                for done in check_files(files, skip=conversion.done):
                    if conversion.done == stop:
                        break
                    conversion.add(done)
            if stop == 2:
                with compact.GamesWriter(path) as writer:
                    writer.write(done.games)
                with open(path + ".journal", "a", encoding="utf-8") as file:
                    file.write('{"games"')
                with open(path, "ab") as file:
                    file.write(b"GAME")
        conversion.finish()
        assert conversion.games == 57 and len(conversion.broken) == 4
    assert open(whole, "rb").read() == open(broken_off, "rb").read()


@pytest.mark.parametrize("form", ["compact", "log"])
def test_the_output_may_be_in_the_folder_of_the_games(form, folder, capsys):
    """The same command read its own output as more games, and could not go on."""
    words = ["records", "convert", str(folder), "-o", str(folder / "out.txt"), "--to", form]
    for _ in range(2):
        assert main(words) == 2
        assert "Games: 57 in" in capsys.readouterr().out


def test_a_conversion_of_other_files_is_refused(folder, tmp_path):
    path = str(tmp_path / "out.mjg")
    files = list_files([str(folder)])
    Conversion(files, path).__exit__()
    with pytest.raises(ProtocolError, match="expected files 60 of .*journal.*, got .*; move the file away to begin"):
        Conversion(files[1:], path)
    for line in ("[]", "{}", '{"games": "3", "broken": []}', '{"games": 3, "broken": [1]}'):
        journal = tmp_path / "out.mjg.journal"
        journal.write_text(journal.read_text(encoding="utf-8").splitlines()[0] + "\n" + line + "\n", encoding="utf-8")
        with pytest.raises(ProtocolError, match="expected the games and the broken records of a task, .* in line 2"):
            Conversion(files, path)


def test_a_file_of_other_games_is_not_written_again(folder, tmp_path, capsys):
    out, changed = tmp_path / "out.mjg", tmp_path / "changed.txt"
    for text in b"", b"x":
        out.write_bytes(text)
        assert main(["records", "convert", str(folder), "-o", str(out)]) == 2
        assert "expected a file that begins with" in capsys.readouterr().err and out.read_bytes() == text
    for form in ("compact", "official"):
        for games in (slice(3), slice(2), slice(1, 4)):  # the first is written, the second shorter, the third another
            changed.write_text("\n".join(format_official(game) for game in whole_games()[games]), encoding="utf-8")
            done = main(["records", "convert", str(changed), "-o", str(tmp_path / form), "--to", form])
            assert done == (0 if games == slice(3) else 2)
            assert (done == 2) == ("or one of the same games" in capsys.readouterr().err)


@pytest.mark.parametrize("form", [entry.name for entry in FORMATS.values() if entry.format])
def test_every_form_is_written_and_known_by_how_it_begins(form, tmp_path, capsys):
    source, out = tmp_path / "source.txt", tmp_path / "out.txt"
    source.write_text("\n".join(format_official(game) for game in whole_games()[:5]), encoding="utf-8")
    assert main(["records", "convert", str(source), "-o", str(out), "--to", form]) == 0
    again = tmp_path / "again.mjg"
    assert main(["records", "convert", str(out), "-o", str(again)]) == 0
    assert "Games: 5 in %s" % again in capsys.readouterr().out
    games = list(unpack_games(read_compact(str(again))))
    assert [game.scores for game in games] == [game.scores for game in whole_games()[:5]]
    assert [game.moves for game in games] == [game.moves for game in whole_games()[:5]]
    written = out.read_bytes(), again.read_bytes()  # the commands may be given again: one is killed after its end
    assert main(["records", "convert", str(source), "-o", str(out), "--to", form]) == 0
    assert main(["records", "convert", str(out), "-o", str(again)]) == 0
    assert (out.read_bytes(), again.read_bytes()) == written


def test_a_new_form_is_a_line_in_the_registry(tmp_path, monkeypatch):
    """Detected, cut, read, written, and listed by --to."""
    reversed_form = Format(
        "reversed", "reversed text", lambda text, value: text.startswith("reversed"), lambda line: line == "reversed\n",
        lambda raw: parse_official(raw.content.split("\n", 1)[1].strip()[::-1], raw.line, raw.path),
        lambda game: "reversed\n" + format_official(game)[::-1] + "\n")
    monkeypatch.setitem(FORMATS, "reversed", reversed_form)
    source, out = tmp_path / "source.txt", tmp_path / "out.txt"
    source.write_text("\n".join(format_official(game) for game in whole_games()[:3]), encoding="utf-8")
    assert main(["records", "convert", str(source), "-o", str(out), "--to", "reversed"]) == 0
    assert [game.record.scores for game in read_games(str(out))] == [list(game.scores) for game in whole_games()[:3]]


@with_samples
def test_games_of_all_formats_at_once(folder, capsys):
    """A bot's input has one seat only; one game goes on after its end; in a real one a flower is discarded."""
    assert main(["records", "check", str(folder)]) == 2
    expected = {"samples": "45 legal, 4 not legal", "real": "83 legal, 1 not legal"}
    captured = capsys.readouterr()
    assert expected[folder.name] in captured.out
    if folder.name == "samples":
        assert captured.err.count("expected a game of all four seats, got one bot's input") == 3
        assert "goes_on.txt: expected an action of seat 0, got 'a draw of seat 1' in line 18" in captured.err
