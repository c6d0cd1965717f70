"""FoxThinker's records: its two examples, both forms of file, and what is refused."""

import numpy as np
import pytest

from mj_bot.lab.commands import guangdong
from mj_bot.lab.guangdong.guangdong_players import load_player
from mj_bot.lab.guangdong.fox_records import (
    DISCARD_COLUMN, WAITS_COLUMN, collect_records, count_record_waits, encode_records, read_records,
    split_records, write_records)
from mj_bot.lab.guangdong.guangdong_rules import DEFAULTS, compute_wild, parse_settings
from mj_bot.mahjong.errors import MahjongError, ProtocolError
from mj_bot.mahjong.tile import TILE_INDEX, TILE_NAMES, parse_counts
from tests.lab.guangdong.plain import count_steps

FLAGS = "0," * 31 + "1,0,1"
EXAMPLES = (
    "0,0,1,0,0,0,0,1,1,0,0,0,0,2,0,1,0,0,1,0,1,0,0,1,0,0,1,0,1,1,1,0,0,1," + FLAGS + ",28,0",
    "0,1,0,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0,1,0,0,0,1,1,1,3,0,0,0,0,2,0,0,2," + FLAGS + ",18,4",
)


@pytest.fixture
def examples(tmp_path):
    path = tmp_path / "examples.txt"
    path.write_text("\n".join(EXAMPLES) + "\n", encoding="utf-8")
    return path


def test_the_examples_are_read_and_their_labels_are_our_own_counts(examples):
    hands, wild, tiles = split_records(read_records(examples))
    assert hands.tolist() == [parse_counts("W1369 T557 B389 F234 J3"), parse_counts("W1567888 T44 B2 F44 J33")]
    assert wild.tolist() == [compute_wild(DEFAULTS, 0)] * 2
    assert [TILE_NAMES[tile] for tile in tiles] == ["F2", "W1"]
    assert count_record_waits(read_records(examples)).tolist() == [0, 6]
    # Its description names dots 1, 2, 3, bamboo 4 and north; our count finds dots 4 too, with a wild tile for dots 3.
    hands[1, tiles[1]] -= 1
    steps, useful = count_steps(hands[1])
    assert steps == 0 and [TILE_NAMES[tile] for tile in useful] == ["T4", "B1", "B2", "B3", "B4", "F4", "J1", "J3"]


def test_records_come_back_from_either_form(tmp_path, examples):
    records = collect_records(load_player("shanten"), 500, 7, settings=DEFAULTS)
    for name in ("fox_records.txt", "fox_records.npz"):
        write_records(tmp_path / name, records)
        assert np.array_equal(read_records(tmp_path / name), records)
    write_records(tmp_path / "again.txt", read_records(examples))
    assert (tmp_path / "again.txt").read_text() == examples.read_text()


@pytest.mark.parametrize("text", [
    "", pytest.param("wild=turned_and_next,seven_pairs=1,win_by_discard=1", marks=pytest.mark.slow)])
def test_selfplay_records_winners_alone_and_the_same_ones_again(text, capsys):
    settings = parse_settings(text)
    records = collect_records(load_player("shanten"), 3000, 7, settings=settings)
    assert "3000/3000" in capsys.readouterr().err
    assert np.array_equal(records, collect_records(load_player("shanten"), 3000, 7, settings=settings))
    hands, wild, tiles = split_records(records)
    assert np.array_equal(encode_records(hands, wild, tiles, settings=settings), records)
    assert (hands[np.arange(len(hands)), tiles] > 0).all()
    # The last discard of a winner leaves a ready hand: a jump in size or the end of the hand's story ends a game.
    assert 0.2 < (records[:, WAITS_COLUMN] > 0).mean() < 0.7


def test_a_file_that_cannot_be_written_is_refused_before_any_game(tmp_path, capsys):
    """It was found out after the last game, and a file of another kind was replaced."""
    (tmp_path / "notes.txt").write_text("to do")
    for path in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(MahjongError, match="expected a (new )?file"):
            guangdong.main(["selfplay", "-o", str(path), "--records", "1"])
    assert not capsys.readouterr().err


@pytest.mark.parametrize("line, message", [
    ("1,2,3", "expected 70 numbers 0..33, got .* in line 1 of"),
    (EXAMPLES[0].replace(",28,0", ",27,0"), "expected a hand of 14 tiles .* in record 1 of"),
    (EXAMPLES[0].replace(",28,0", ",28,5"), "expected a hand of 14 tiles"),
    (EXAMPLES[0].replace("0,0,1", "5,0,1", 1), "expected a hand of 14 tiles"),
    ("red", "expected records, got"),
])
def test_what_is_no_record_is_refused(tmp_path, line, message):
    path = tmp_path / "wrong.txt"
    path.write_text(line + "\n")
    with pytest.raises(ProtocolError, match=message):
        read_records(path)


def test_check_names_the_first_record_with_other_waits(tmp_path, examples, capsys):
    records = read_records(examples)
    records[1, WAITS_COLUMN] = 2
    write_records(tmp_path / "changed.npz", records)
    assert guangdong.main(["check", str(examples), str(tmp_path / "changed.npz"), "-o", str(tmp_path / "all.txt")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("2 records, 0 with other waits than our own count")
    assert lines[1].endswith("2 records, 1 with other waits than our own count, the first is record 2")
    assert read_records(tmp_path / "all.txt")[:, DISCARD_COLUMN].tolist() == [28, 18, 28, 18]
    assert TILE_INDEX["F2"] == 28
