"""Packs a game of a file, with all that the file says about it, into the library's bytes, and computes its key."""

import hashlib
import json
import re
import zlib
from typing import Optional

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ..records.source import ReadGame
from ..run.files import format_json
from ..table.players import Answer
from ..table.record import Record, Step, Transcript

_KEY_DIGITS = 16
# Names of a game without names; the compact form has 0 for each.
_NAMELESS = set(Record(None, None).players)


def pack_value(value: object) -> bytes:
    """Returns a JSON value as compressed bytes. Raises MahjongError: a number in it is not finite."""
    return zlib.compress(format_json(value, separators=(",", ":")).encode("utf-8", "surrogatepass"))


def unpack_value(data: bytes) -> object:
    """Returns the value of bytes of pack_value. Raises ValueError, zlib.error: other bytes."""
    return json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))


def pack_game(game: ReadGame) -> bytes:
    """Returns the bytes of a game. Raises MahjongError: the game has a number that is not finite."""
    record = game.record and {name: value for name, value in vars(game.record).items() if name != "steps"}
    if record:
        record["steps"] = [[step.requests, step.display, step.answers] for step in game.record.steps]
    return pack_value({"where": game.where, "record": record, "error": game.error and str(game.error),
                       "transcripts": None if record else game.transcripts})


def unpack_game(data: bytes) -> ReadGame:
    """Returns the game of bytes of pack_game. Raises ValueError, zlib.error: other bytes."""
    value = unpack_value(data)
    record = value["record"] and Record(**value["record"])
    if record:
        record.steps = [Step(requests, display, [Answer(*answer) for answer in answers])
                        for requests, display, answers in record.steps]
    transcripts = record.transcripts() if record else [Transcript(*texts) for texts in value["transcripts"]]
    return ReadGame(value["where"], record, transcripts, MahjongError(value["error"]) if value["error"] else None)


def make_key(game: ReadGame) -> str:
    """Returns the key of a game: 16 hexadecimal digits, equal for copies of one game in different files.

    A game of a platform that numbers its games is found by that number, any other game by what the seats were told.
    """
    origin = game.record.origin if game.record else {}
    if origin.get("platform") and origin.get("id"):
        return digest_text("%s %s" % (origin["platform"], origin["id"]))
    return digest_requests(game)


def is_key(name: str) -> bool:
    """Checks whether a name has the form of make_key."""
    return re.fullmatch("[0-9a-f]{16}", name) is not None


def digest_requests(game: ReadGame) -> str:
    """Returns 16 hexadecimal digits of what the seats of a game were told."""
    return digest_text(format_json([[transcript.seat, transcript.requests] for transcript in game.transcripts]))


def digest_text(text: str) -> str:
    """Returns the first 16 hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY_DIGITS]


def name_players(record: Optional[Record]) -> list[str]:
    """Returns the names of the players of a Record or None, "" for those without."""
    players = [str(name) for name in record.players] if record else []
    return [""] * SEATS if set(players) <= _NAMELESS else players


def identify_players(record: Optional[Record]) -> list[str]:
    """Returns what each player of a Record or None is known by: the platform's id, such as "tziakcha:41", or the name.

    "" stands for a player without a name.
    """
    names, origin = name_players(record), getattr(record, "origin", {})
    ids = origin.get("ids")
    if not ids or not origin.get("platform") or sorted(origin.get("seats", [])) != list(range(SEATS)):
        return names
    return [name and ids[player] and "%s:%s" % (origin["platform"], ids[player]) or name
            for name, player in zip(names, origin["seats"])]


def find_players(wanted: str, names: list[str]) -> list[str]:
    """Returns the names that a person may mean, [] for none.

    These are equal names; else those that differ in capitals; else those with a team's prefix; else all with the text.

    >>> find_players("anna", ["A1·Anna", "Joanna", "Bob"]), find_players("bob", ["[x]Bobby", "BOB"])
    (['A1·Anna'], ['BOB'])
    """
    text = wanted.casefold()
    tests = (lambda name: name == wanted, lambda name: name.casefold() == text,
             lambda name: re.search(r"(?:^|[\W_])%s$" % re.escape(text), name.casefold()),
             lambda name: text in name.casefold())
    return next(filter(None, ([name for name in names if name and test(name)] for test in tests)), []) if text else []


def is_hand(game: ReadGame) -> bool:
    """Checks whether a game is a hand of several."""
    origin = game.record.origin if game.record else {}
    return {"hand", "names"} <= set(origin) and sorted(origin.get("seats", [])) == list(range(SEATS))


def read_session(game: ReadGame) -> Optional[tuple]:
    """Returns (platform, id) of the session that a game is a hand of, None for any other game."""
    origin = game.record.origin if is_hand(game) else {}
    return (origin.get("platform"), origin["session"]) if origin.get("session") else None


def describe_result(record: Optional[Record]) -> dict:
    """Returns {"scores", "verdict", "winner", "giver", "fan"} of a Record or None, with None for what it does not say.

    giver: None where the winner drew the tile.
    """
    closing = record.closing if record and isinstance(record.closing, dict) else {}
    scores, verdict = record and record.scores, closing.get("action")
    winner = closing.get("player") if verdict == "HU" and scores else None
    # Who discards the tile pays most, but for penalties; records of other rules have no origin.
    penalties = getattr(record, "origin", {}).get("penalties", [0] * SEATS)
    paid = [penalty - score for penalty, score in zip(penalties, scores or ())]
    most = max(paid, default=0)
    return {"scores": scores, "verdict": verdict, "winner": winner, "fan": closing.get("fanCnt"),
            "giver": closing.get("giver", paid.index(most) if winner is not None and paid.count(most) == 1 else None)}
