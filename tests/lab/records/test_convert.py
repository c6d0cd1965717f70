"""Files in any format are checked and converted in parallel; an interrupted conversion continues."""

import json

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records import convert, notes
from mj_bot.lab.records.compact import read_games_folder, unpack_games
from mj_bot.lab.records.formats import list_writers
from mj_bot.lab.records.botzone.official import format_official
from mj_bot.lab.records.source import list_files
from tests.golden_games import with_samples
from tests.lab.records.games import whole_games
from tests.lab.review.games import golden_lines


@pytest.fixture
def folder(tmp_path):
    """60 games, a file each, two of them broken; two texts without a game; a link that leads nowhere."""
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
    (folder / "061.txt").write_text("Match x\n")
    (folder / "gone.txt").symlink_to(folder / "nothing")
    return folder


def test_a_directory_is_converted_in_order_and_its_broken_games_are_named(folder, tmp_path, capsys):
    out = tmp_path / "out"
    notes.note.cache_clear()
    assert main(["records", "convert", str(folder), "-o", str(out), "--workers", "2"]) == 2
    captured = capsys.readouterr()
    assert "Games: 57 in" in captured.out and "3 not legal" in captured.out
    for name in ("passed over, because no game is in it: 010.txt, more/011.txt", "020.txt: ", "061.txt: ",
                 "gone.txt: "):
        assert name in captured.err
    assert "in line 9 of" in captured.err
    assert (out / "broken.txt").read_text(encoding="utf-8").count("\n") == 3
    files = list_files([str(folder)])
    numbers = [int(path[-7:-4]) for path in files if path[-7:-4] not in ("020", "061", "one")]
    games = list(unpack_games(read_games_folder(out)))
    assert [game.scores for game in games] == [whole_games()[number].scores for number in numbers]
    assert main(["records", "check", str(out)]) == 0


def read_folder(path):
    return {file.name: file.read_bytes() for file in path.iterdir() if file.name not in ("lock", "run.json")}


def test_a_conversion_that_was_broken_off_goes_on(folder, tmp_path, monkeypatch, capsys):
    """The folder has the same files, and all broken games are named; a part that is there is not made again."""
    monkeypatch.setattr(convert, "_TASK", 7)
    check, made = convert._check_games, []

    def break_off(form, raws, size):
        made.append(raws[0].where)
        if len(made) in (3, 6):
            raise KeyboardInterrupt
        return check(form, raws, size)

    whole, broken_off = tmp_path / "whole", tmp_path / "broken_off"
    assert main(["records", "convert", str(folder), "-o", str(whole)]) == 2
    printed = capsys.readouterr().out
    monkeypatch.setattr(convert, "_check_games", break_off)
    for code in (130, 130, 2, 2):
        assert main(["records", "convert", str(folder), "-o", str(broken_off)]) == code
        (broken_off / "games-000009.npz.tmp").write_bytes(b"half")
    assert len(made) == -(-61 // 7) + 2 and len(set(made)) == len(made) - 2
    assert capsys.readouterr().out == printed.replace(str(whole), str(broken_off)) * 2
    (broken_off / "games-000009.npz.tmp").unlink()
    assert read_folder(whole) == read_folder(broken_off)
    # A part that somebody removes is made again.
    (broken_off / "games-000004.npz").unlink()
    assert main(["records", "convert", str(folder), "-o", str(broken_off)]) == 2
    assert read_folder(whole) == read_folder(broken_off)


@pytest.mark.parametrize("form", ["compact", "log"])
def test_the_output_may_be_in_the_folder_of_the_games(form, folder, capsys):
    """The same command read its own output as more games, and could not go on."""
    words = ["records", "convert", str(folder), "-o", str(folder / "out.txt"), "--to", form]
    for _ in range(2):
        assert main(words) == 2
        assert "Games: 57 in" in capsys.readouterr().out


def test_a_file_of_other_games_is_not_written_again(folder, tmp_path, capsys):
    out, changed = tmp_path / "out", tmp_path / "changed.txt"
    out.write_bytes(b"x")
    assert main(["records", "convert", str(folder), "-o", str(out)]) == 2
    assert "expected a folder, got" in capsys.readouterr().err and out.read_bytes() == b"x"
    for games in (slice(3), slice(2), slice(1, 4)):  # the first is written, the second shorter, the third another
        changed.write_text("\n".join(format_official(game) for game in whole_games()[games]), encoding="utf-8")
        done = main(["records", "convert", str(changed), "-o", str(tmp_path / "official"), "--to", "official"])
        assert done == (0 if games == slice(3) else 2)
        assert (done == 2) == ("or one of the same games" in capsys.readouterr().err)


@pytest.mark.parametrize("form", sorted(set(list_writers()) - {"botzone"}))
def test_every_form_is_written_and_known_by_how_it_begins(form, tmp_path, capsys):
    source, out = tmp_path / "source.txt", tmp_path / "out.txt"
    source.write_text("\n".join(format_official(game) for game in whole_games()[:5]), encoding="utf-8")
    assert main(["records", "convert", str(source), "-o", str(out), "--to", form]) == 0
    again = tmp_path / "again"
    assert main(["records", "convert", str(out), "-o", str(again)]) == 0
    assert "Games: 5 in %s" % again in capsys.readouterr().out
    games = list(unpack_games(read_games_folder(again)))
    assert [game.scores for game in games] == [game.scores for game in whole_games()[:5]]
    assert [game.moves for game in games] == [game.moves for game in whole_games()[:5]]
    written = out.read_bytes(), read_folder(again)  # the commands may be given again: one is killed after its end
    assert main(["records", "convert", str(source), "-o", str(out), "--to", form]) == 0
    assert main(["records", "convert", str(out), "-o", str(again)]) == 0
    assert (out.read_bytes(), read_folder(again)) == written


@with_samples
def test_games_of_all_formats_at_once(folder, capsys):
    """A bot's input has one seat only; one game goes on after its end."""
    assert main(["records", "check", str(folder)]) == (2 if folder.name == "samples" else 0)
    expected = {"samples": "42 legal, 4 not legal", "real": "84 legal, 0 not legal"}
    captured = capsys.readouterr()
    assert expected[folder.name] in captured.out
    if folder.name == "samples":
        assert captured.err.count("expected a game of all four seats, got one bot's input") == 3
        assert "goes_on.txt: expected an action of seat 0, got a draw of seat 1 in line 18" in captured.err


def test_a_conversion_of_other_files_is_refused(tmp_path, capsys):
    """The folder kept the games of a former file of the same size, and the command said that all was well."""
    texts = [json.dumps(json.loads(line)) for line in golden_lines(2, "stacked")]
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    for name, text, code, told in (("a.json", texts[0], 0, ""), ("a.json", texts[1], 2, "(there -> now): contents "),
                                   ("b.json", texts[0], 2, "(there -> now): files 1 -> 2, digest ")):
        (source / name).write_text(text.ljust(max(map(len, texts))))
        assert main(["records", "convert", str(source), "-o", str(out)]) == code
        assert told in capsys.readouterr().err
