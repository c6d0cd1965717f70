"""Batches: every decision once, shuffled by the seed, with its game's outcome."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.dataset import Batch, open_dataset, reader
from mj_bot.lab.dataset.reader import SPLITS, Dataset, split_games
from mj_bot.lab.dataset.replayed_decisions import Replayer
from mj_bot.lab.dataset.teach import unpack_masks
from mj_bot.lab.records.compact import join_games, pack_games, take_games, unpack_games
from mj_bot.lab.records.follow import follow_game
from mj_bot.lab.records.game_record import OWN_SUITS
from mj_bot.mahjong.errors import MahjongError, ProtocolError
from mj_bot.observation.layout import OBSERVATION_SIZE, field
from tests.golden_games import SAMPLES
from tests.lab.dataset.sets import random_games
from tests.lab.records.games import whole_games


@pytest.fixture(scope="module")
def dataset():
    return Dataset({}, random_games())


def list_rows(batches):
    """Every row as bytes, all its columns."""
    return [b"".join(np.asarray(column[row]).tobytes() for column in batch)
            for batch in batches for row in range(len(batch.action))]


def join(batches):
    return Batch(*(np.concatenate(columns) for columns in zip(*batches)))


def read_all(games):
    return join(batch for split in SPLITS for batch in Dataset({}, games).batches(split, 1000, 0, augment=False))


def test_every_decision_of_a_split_comes_once(dataset, monkeypatch):
    """Its decisions are those of a Replayer."""
    monkeypatch.setattr(reader, "_BUFFER", 7)
    batches = list(dataset.batches("train", 64, seed=3, augment=False))
    assert [len(batch.action) for batch in batches[:-1]] == [64] * (len(batches) - 1)
    assert 0 < len(batches[-1].action) <= 64
    games = take_games(random_games(), np.flatnonzero(split_games(random_games()) == SPLITS.index("train")))
    plain = Replayer().replay(games)
    found = Counter((observation.tobytes(), mask.tobytes(), *map(int, row)) for batch in batches
                    for observation, mask, *row in zip(batch.observation, batch.mask, batch.action, batch.is_random))
    assert found == Counter((observation.tobytes(), mask.tobytes(), *map(int, row)) for observation, mask, *row in zip(
        plain.observations, unpack_masks(plain.masks), plain.actions, plain.is_random))


def test_the_arrays_of_a_batch(dataset):
    batch = next(dataset.batches("train", 32, seed=0))
    assert [column.dtype for column in batch] == [
        np.uint8, bool, np.int16, np.int16, np.int8, np.uint8, bool, np.uint8, np.uint8]
    assert [column.shape[1:] for column in batch] == [(OBSERVATION_SIZE,), (235,)] + 5 * [()] + 2 * [(0,)]
    assert batch.mask[np.arange(32), batch.action].all() and (batch.mask.sum(axis=1) > 1).all()
    assert all(column.flags.writeable for column in batch)


def test_the_same_seed_the_same_batches(dataset, monkeypatch):
    """With any number of threads; another seed has another order."""
    monkeypatch.setattr(reader, "_BUFFER", 16)
    first = list_rows(dataset.batches("train", 50, seed=1))
    for workers in (1, 3):
        assert list_rows(dataset.batches("train", 50, seed=1, workers=workers)) == first
    other = list_rows(dataset.batches("train", 50, seed=2))
    assert other != first and len(other) == len(first)


def test_outcomes_are_those_of_the_games():
    """Score, winner and fan as the decision's seat sees them."""
    for game in list(unpack_games(random_games()))[:10] + list(whole_games()[:30]):
        referee = follow_game(game)
        fan = sum(points * copies for points, copies, _ in referee.fans)
        batch = read_all(pack_games([game]))
        seats = field(batch.observation, "seat_wind")[:, 0].astype(int)
        assert batch.score.tolist() == [referee.scores[seat] for seat in seats]
        assert (batch.fan == fan).all()
        if referee.culprit is None:
            assert (batch.winner == -1).all()
        else:
            assert ((seats + batch.winner) % 4 == referee.culprit).all()


def test_an_error_is_no_win():
    heads = random_games().heads.copy()
    heads["scores"][:] = (10, -30, 10, 10)
    games = take_games(random_games()._replace(heads=heads), np.array([0]))
    games = games._replace(moves=np.concatenate([games.moves[:20], [238, 1]]).astype(np.uint8), ends=np.array([0, 22]))
    batch = read_all(games)
    assert (batch.winner == -1).all() and (batch.fan == 0).all() and set(batch.score) == {10, -30}


def test_suits_are_exchanged(dataset):
    """Honours stay, the numbers of tiles stay, most actions change."""
    plain = join(list(dataset.batches("train", 100, seed=4, augment=False)))
    turned = join(list(dataset.batches("train", 100, seed=4)))
    hand, other = field(plain.observation, "hand"), field(turned.observation, "hand")
    assert (hand[:, 27:] == other[:, 27:]).all()
    assert (np.sort(hand, axis=1) == np.sort(other, axis=1)).all()
    assert np.array_equal(*(field(batch.observation, "task") for batch in (plain, turned)))
    assert 0.4 < (plain.action != turned.action).mean() < 0.9
    # All green and reversible tiles count their fan in no other tiles.
    heads = dataset.games.heads.copy()
    heads["facts"] |= OWN_SUITS
    own = Dataset({}, dataset.games._replace(heads=heads))
    assert list_rows(own.batches("train", 100, seed=4)) == list_rows(own.batches("train", 100, seed=4, augment=False))


def test_splits_belong_to_walls():
    """Nine tenths to train on; games on the same wall are in the same split."""
    games = random_games()
    splits = split_games(games)
    assert (split_games(join_games([games, games])) == np.tile(splits, 2)).all()
    turned = [replace(game, moves=game.moves[:10]) for game in unpack_games(games)]
    assert (split_games(pack_games(turned)) == splits).all()
    rng = np.random.default_rng(0)
    many = games._replace(walls=rng.integers(0, 34, (20_000, 136)).astype(np.uint8))
    shares = np.bincount(split_games(many), minlength=3) / 20_000
    assert np.allclose(shares, (0.9, 0.05, 0.05), atol=0.01)


@pytest.mark.parametrize("split, size, message", [
    ("all", 10, "expected a split, one of train, valid, test, got 'all'"),
    ("train", 0, "expected batches of 1 row or more, got 0"),
])
def test_bad_use_is_refused(dataset, split, size, message):
    with pytest.raises(MahjongError, match=message):
        dataset.batches(split, size, seed=0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A set on disk, made by the command."""
    folder = tmp_path_factory.mktemp("sets") / "small"
    assert main(["dataset", "-o", str(folder), "--players", "random", "random:seed=7", "--games", "40", "--seed", "5",
                 "--random-share", "0.2", "--workers", "1", "--card", str(folder) + ".json"]) == 0
    return folder


def test_a_set_on_disk(folder):
    dataset = open_dataset(folder)
    assert dataset.card == json.loads((folder.parent / "small.json").read_text(encoding="utf-8"))
    assert list(unpack_games(dataset.games)) == list(unpack_games(take_games(random_games(), np.arange(40))))
    card = dataset.card
    plain = Replayer().replay(open_dataset(folder).games)
    assert card["games"] == sum(card["splits"].values()) == 40
    assert card["decisions"] == len(plain.games) == sum(card["decisions_by_task"].values())
    assert card["decisions"] == sum(card["decisions_by_action"].values())
    assert card["random_actions"] == plain.is_random.sum()
    assert card["decisions_by_action"]["pass"] == (plain.actions == 0).sum()
    assert card["wins"] == sum(max(game.scores) > 0 for game in unpack_games(open_dataset(folder).games))
    assert card["source"]["kind"] == "self-play" and card["command"].startswith("mj-bot dataset -o ")
    assert 100 < card["bytes_per_game"] < 300 and len(card["hash"]) == 64


@pytest.mark.parametrize("reason, change_card, message", [
    ("no card", None, "expected a set of games with its card.json, got"),
    ("another file", lambda card: {"format": "x"}, "expected a card of format 'mj_bot dataset', version 3, got 'x'"),
    ("another version", lambda card: dict(card, version=2), "version 3, got 'mj_bot dataset', version 2 in .*; make"),
    ("other games", lambda card: dict(card, hash="0"), "expected games with the hash '0', .*, got [0-9a-f]{64} in"),
    ("no teacher", lambda card: dict(card, teacher=3), "expected a teacher with its player, got 3"),
])
def test_broken_sets_are_refused(folder, tmp_path, reason, change_card, message):
    if change_card is not None:
        for path in folder.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        (tmp_path / "card.json").write_text(json.dumps(change_card(card)))
    with pytest.raises(ProtocolError, match=message):
        open_dataset(tmp_path)


def test_the_games_of_a_set_of_an_older_version_are_kept(tmp_path):
    """Also a set of a set."""
    for source in (SAMPLES / "botzone.jsonl.gz", tmp_path / "0"):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        assert main(["dataset", "-o", str(folder), "--records", str(source), "--workers", "1"]) == 0
        assert open_dataset(folder).card["games"] == 5
