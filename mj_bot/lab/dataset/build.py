"""Builds the shards of a set in a folder, from self-play or from records.

An interrupted set goes on with the same command: every block of games on disk is kept.
"""

from functools import partial
from pathlib import Path

from ...mahjong.errors import ProtocolError
from ..arena.fingerprint import digest_players
from ..records.compact import GamesWriter
from ..records.records import Conversion, check_files, digest_files, is_converted
from ..run.files import format_json, make_folder, read_json, write_whole
from ..run.workers import run_in_order
from . import selfplay

# Games a task, and games a file.
BLOCK = 256
SHARD = 64 * BLOCK

_NAME = "games-%04d.mjg"
_SETTINGS = "settings.json"


def play_set(folder, specs, seed, *, random_share, game_count, workers=1, show=lambda games, played: None):
    """Plays games of self-play into the shards of a folder; skips those that are on disk.

    specs, seed, random_share: as of selfplay.play_games. workers: processes.
    show: function(number of new games, how many of them were played now).
    Returns (names of the shards, source), where source is a dict for the card.
    Raises ProtocolError: the folder has a set of other settings.
    """
    source = {"kind": "self-play", "players": list(specs), "seed": seed, "random_share": random_share}
    digests = _open_folder(folder, source)
    names = [_NAME % number for number in range(-(-game_count // SHARD))]
    blocks = [(first, min(first + BLOCK, game_count)) for first in range(0, game_count, BLOCK)]
    done = sum(_count_blocks(folder / name, number, blocks) for number, name in enumerate(names))
    if done:
        show(blocks[done - 1][1], 0)
    if done < len(blocks):
        _note_sources(folder, source, digests, specs=specs)
    play = partial(selfplay.play_games, tuple(specs), seed, random_share)
    for games, (first, _) in zip(run_in_order(play, blocks[done:], workers), blocks[done:]):
        with GamesWriter(str(folder / names[first // SHARD])) as writer:
            writer.write(games)
        show(len(games.heads), len(games.heads))
    return names, dict(source, sources=digests)


def convert_set(folder, files, workers=1, *, show):
    """Checks games of records and writes the legal ones into the one shard of a folder.

    files: paths, see records.source.list_files. workers: processes. show: function(records.records.Done).
    Returns (names of the shards, source) as play_set does.
    Raises ProtocolError: the folder has a set of other files.
    """
    source = {"kind": "records", "files": len(files), "digest": digest_files(files)}
    digests = _open_folder(folder, source)
    name = _NAME % 0
    broken = folder / "broken.txt"
    if not is_converted(str(folder / name)):
        _note_sources(folder, source, digests, specs=())
        with Conversion(files, str(folder / name)) as conversion:
            for done in check_files(files, workers, skip=conversion.done):
                conversion.add(done)
                show(done)
            write_whole(broken, "".join("%s: %s\n" % item for item in conversion.broken))
            conversion.finish()
    return [name], dict(source, sources=digests, broken=broken.read_text(encoding="utf-8").count("\n"))


def _open_folder(folder, source):
    """Makes the folder of a set; returns digests of the code that worked on it. Raises MahjongError: another set."""
    path = folder / _SETTINGS
    make_folder(folder)
    if not path.exists():
        return []
    try:
        found = read_json(path)
        digests = found.pop("sources")
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise ProtocolError("expected the settings of a set, got %s: %r" % (path, error)) from None
    if found != source:
        raise ProtocolError("expected a folder for a set of %r, got one of %r in %s" % (source, found, folder))
    return digests


def _note_sources(folder, source, digests, *, specs):
    digest = digest_players(specs, Path(selfplay.__file__))
    if digests[-1:] != [digest]:
        digests.append(digest)
        write_whole(folder / _SETTINGS, format_json(dict(source, sources=digests)) + "\n")


def _count_blocks(path, number, blocks):
    """How many of the blocks of a shard are on disk."""
    if not path.exists():
        return 0
    with GamesWriter(str(path)) as writer:
        games = writer.game_count
    first = number * (SHARD // BLOCK)
    of_shard = blocks[first:first + SHARD // BLOCK]
    totals = [0] + [stop - of_shard[0][0] for _, stop in of_shard]
    if games in totals:
        return totals.index(games)
    raise ProtocolError("expected a part of a set of %d games, got %d games in %s; a set can grow only while its size "
                        "is a multiple of %d" % (blocks[-1][1], games, path, BLOCK))
