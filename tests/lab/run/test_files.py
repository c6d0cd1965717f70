"""Files written whole, and folders that one process at a time works in."""

import json
import os
import subprocess
import sys

import pytest

from mj_bot.lab.records.convert import digest_files
from mj_bot.lab.run.files import (
    check_output, lock_new_folder, open_whole, read_json, write_dict, write_json, write_whole)
from mj_bot.mahjong.errors import MahjongError


def test_a_dict_takes_a_line_a_key_and_an_item(tmp_path):
    data = {"a": 1, "players": [{"b": "東"}, {"b": 2}], "walls": [[n, -n] for n in range(40)], "none": [], "flat": [1]}
    write_dict(tmp_path / "a.json", data)
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert json.loads(text) == data
    assert text.startswith('{\n "a": 1,\n "players": [\n  {"b": "東"},\n  {"b": 2}\n ],\n "walls": [\n  [0,0], [1,-1]')
    assert max(map(len, text.splitlines())) <= 120 and text.endswith(' "none": [],\n "flat": [1]\n}\n')


def test_two_writers_of_one_file(tmp_path):
    """Both wrote into FILE.tmp: 22 of 160 looks after a write found a mixed or a cut file, and no error was told."""
    path, texts = tmp_path / "a.txt", ["a" * 100, "b" * 50]
    with open_whole(path) as first, open_whole(path) as second:
        for file, text in zip((first, second), texts):
            file.write(text)
    assert path.read_text() == texts[0] and os.listdir(tmp_path) == ["a.txt"]


def test_a_mode_and_a_second_name_stay(tmp_path):
    """A file of mode 600 became one of 644 that everybody could read, and a hard link was cut."""
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    write_whole(path, "old")
    path.chmod(0o600)
    write_whole(path, "new")
    assert path.stat().st_mode & 0o777 == 0o600
    other.hardlink_to(path)
    write_whole(path, "newer")
    assert other.read_text() == "newer" and os.path.samefile(path, other)


def test_a_killed_process_leaves_no_lock(tmp_path):
    code = ("import sys; from mj_bot.lab.run.files import lock_new_folder; file = lock_new_folder(sys.argv[1]); "
            "print(1); input()")
    with subprocess.Popen([sys.executable, "-uc", code, str(tmp_path)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        with pytest.raises(MahjongError, match="process %d" % other.pid):
            lock_new_folder(tmp_path)
        other.kill()
    lock_new_folder(tmp_path).close()


def test_names_and_locks_that_are_no_utf8(tmp_path, monkeypatch):
    """The name of a folder, or what a crash left in its lock, ended the command with a traceback."""
    name = b"a\xff\x1bb".decode("utf-8", "surrogateescape")
    monkeypatch.setattr(sys, "argv", [name])
    (tmp_path / "lock").write_bytes(b"\xff")
    lock_new_folder(tmp_path).close()
    write_json(tmp_path / "a.json", {"command": name})
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == {"command": name}
    assert digest_files([name]) != digest_files(["a"])


def test_a_loop_of_links_is_refused(tmp_path):
    """The file replaced the link."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(MahjongError, match="a loop of links"):
        write_whole(tmp_path / "a", "text")
    assert (tmp_path / "a").is_symlink()


def test_brackets_without_an_end(tmp_path):
    """Such a card, result or match ended its command with a traceback."""
    (tmp_path / "a.json").write_text("[" * 10 ** 5)
    with pytest.raises(ValueError, match="nested too deeply"):
        read_json(tmp_path / "a.json")


def test_links_and_pipes_stay(tmp_path):
    """A link, a pipe or a device was replaced by a file."""
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "new"
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(tmp_path / "pipe", "through")
    assert os.read(reader, 99) == b"through" and (tmp_path / "pipe").is_fifo()
    os.close(reader)
    with pytest.raises(MahjongError, match="can be written"):
        write_whole(tmp_path, "a folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe", "real"]


def test_an_output_in_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch):
    check_output(str(tmp_path / "new.json"))
    monkeypatch.setattr(os, "access", lambda folder, mode: folder != str(tmp_path))
    for path in (tmp_path / "new.json", tmp_path / "old.json"):
        (tmp_path / "old.json").write_text("{}")
        with pytest.raises(MahjongError, match="expected a file in a folder that can be written"):
            check_output(str(path))
    check_output("/dev/null")
