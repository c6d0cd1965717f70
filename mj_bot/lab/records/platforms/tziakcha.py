"""Reads the records of 雀渣, tziakcha.net.

A hand is a "step" object {"w": wall, "d": dice, "a": actions, "p": players, "g": settings, "s": scores, "b": flags,
"y": wins, "i": number of the hand}, or a "script", which is base64 of zlib of the JSON of a step. A record contains one
hand as {"step"} or {"script"}, or a session of hands as {"session", "records": [...]}.

The actions are replayed tile by tile. A draw, meld, fan or score that differs is an error with the number of the
action. An action is [seat << 4 | code, data, milliseconds]; the codes and the bits of the data are read below.
"""

import base64
import zlib
from typing import Any

from ....mahjong.errors import Message, ProtocolError
from ....mahjong.rules import SEATS
from ....mahjong.tile import COPIES, FLOWER_NAMES, TILE_COUNT, TILE_NAMES
from ..game_record import Game
from ..record_json import parse_record_json
from ..shapes import digest_id, take_name, take_number, take_numbers, take_origin
from .hands import SESSION_SEATINGS, HandReplay, make_rules, parse_platform_game

# The platform numbers tiles 0..143: four copies of each of the 34 kinds in our order, then the flowers.
_FIRST_FLOWER = COPIES * TILE_COUNT
_TILES = _FIRST_FLOWER + len(FLOWER_NAMES)
_START, _FLOWER, _DISCARD, _CHOW, _PUNG, _KONG, _WIN, _DRAW, _PASS, _GIVE_UP = range(10)
_CLAIMS = {_CHOW: "CHI", _PUNG: "PENG", _KONG: "GANG"}
_ADDED = 0x300  # bits in the data of a kong that is added to a pung
_FLOWER_FAN, _OWN_SUITS_FANS = "83", ("3", "42")
# Most bytes of an unpacked script. A usual one has some ten thousand.
_MOST_SCRIPT = 1 << 22


def is_tziakcha(value: Any) -> bool:
    """Checks whether a JSON value is a record of this platform."""
    return isinstance(value, dict) and (
        "script" in value or "step" in value or isinstance(value.get("records"), list) or {"a", "g", "p"} <= set(value))


def split_session(value: dict) -> list[dict] | None:
    """Returns the hands of a session, each as a session of one hand; None for a value without "records"."""
    records = value.get("records")
    return [dict(value, records=[record]) for record in records] if records else None


def parse_tziakcha(value: dict, where: str = "text") -> Game:
    """Returns the Game in the JSON value of a hand. Raises BrokenGameError, which keeps the game before the error."""
    return parse_platform_game(value, where, _read_head, read_hand=_read_hand)


def _read_head(value):
    """Returns (step, tiles of the wall, names of the players, the platform's facts) of a hand."""
    record = value["records"][0] if "records" in value else value
    session = value["session"] if isinstance(value.get("session"), dict) else {}
    step = _unpack_step(record)
    if not step.get("w"):
        raise ProtocolError("expected a record with its wall, got one without: the hands cannot be rebuilt")
    origin = _read_origin(step, record, session)
    return step, _read_wall(step), [take_name(player["n"]) for player in step["p"]], origin


def _unpack_step(record):
    """Returns the step of a record, which may be packed as a script."""
    if isinstance(record.get("step"), dict):
        return record["step"]
    if "script" not in record:
        return record
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(record["script"], validate=True), _MOST_SCRIPT)
        return parse_record_json(data.replace(b"\0", b"").decode())
    except (TypeError, ValueError, zlib.error):
        raise ProtocolError("expected a script that can be unpacked, got %.40r", record["script"]) from None


def read_actions(record: dict) -> list[tuple[str, int]]:
    """Returns (word, seat) of each action of a hand: "draw", "discard", "claim" for a chow or pung that is laid, or "".

    Raises MahjongError, KeyError, TypeError, ValueError: the object is not such a hand.
    """
    words = {_DRAW: "draw", _DISCARD: "discard", _CHOW: "claim", _PUNG: "claim"}
    return [(words.get(combined & 15, "") if data or combined & 15 not in _CLAIMS else "", combined >> 4 & 3)
            for combined, data, *_ in _unpack_step(record)["a"]]


def _read_origin(step, record, session):
    rules, hand_number = step["g"], take_number(step["i"])
    seating = SESSION_SEATINGS[hand_number % len(SESSION_SEATINGS)]
    cost = -30 if rules.get("z") else -40
    wrong = [seat for seat in range(SEATS) if step["b"] >> 8 + seat & 1]
    gain = 10 * len(wrong) if rules.get("z") else 0
    origin = {
        "platform": "tziakcha", "title": rules.get("t", ""), "hand": hand_number,
        "hands": rules.get("n", len(SESSION_SEATINGS)),
        "session": record.get("belongs") or session.get("id") or "", "id": record.get("id") or "",
        "before": [player.get("s", 0) for player in step["p"]], "seats": list(seating),
        "names": [step["p"][seating.index(player)]["n"] for player in range(SEATS)],
        "ids": [digest_id(step["p"][seating.index(player)].get("i")) for player in range(SEATS)],
        "rules": make_rules(min_fan=rules.get("l", 8), base=rules.get("b", 8), false_win=cost)}
    if isinstance(step.get("t"), int) and step["t"]:
        origin["time"] = step["t"] / 1000
    if wrong:
        origin["penalties"] = [gain - 40 * (seat in wrong) for seat in range(SEATS)]
    return take_origin(origin)


def _read_wall(step):
    """Returns the tiles 0..143 of the wall, its front first. The dice say where the front is."""
    wall = list(bytes.fromhex(step["w"]))
    if sorted(wall) != list(range(_TILES)):
        raise ValueError(Message("expected a wall of the tiles 0..143, got %.80r", step["w"]))
    dice = [step["d"] >> shift & 15 for shift in (0, 4, 8, 12)]
    start = ((1 - dice[0] - dice[1]) % SEATS * 36 + 2 * sum(dice)) % _TILES
    return wall[start:] + wall[:start]


def _name_tile(tile):
    return TILE_NAMES[tile >> 2] if tile < _FIRST_FLOWER else FLOWER_NAMES[tile - _FIRST_FLOWER]


def _read_hand(builder, step, wall, players, origin):
    """Returns the Game of a hand. wall: tiles 0..143, the front first. origin: the platform's facts."""
    builder.unit, builder.players, builder.origin = "action", players, origin
    builder.wind = origin["hand"] // 4 % 4
    hands = [[tile for first in (0, 16, 32) for tile in wall[first + 4 * seat:first + 4 * seat + 4]] + [wall[48 + seat]]
             for seat in range(SEATS)]
    hands[0].append(wall[52])
    with builder.expect("an action of a record, [player and code, data, time]"):
        replay = _TziakchaReplay(builder, step)
        back = sum(combined & 15 == _FLOWER or (combined & 15 == _DRAW and data >> 8 > 0)
                   for combined, data, *_ in step["a"])
        replay.deal(hands, wall[53:], back_count=back, is_won=step["b"] & 15 > 0)
        for builder.line, (combined, data, *time) in enumerate(step["a"][:replay.end]):
            replay.take_time(combined & 15, combined >> 4 & 3, data, time=time[0] if time else None)
            replay.take(combined & 15, combined >> 4 & 3, data)
        return replay.end_hand(step)


def _list_moves(step):
    for index, (combined, data, *_) in enumerate(step["a"]):
        code = combined & 15
        if code in (_FLOWER, _DRAW, _DISCARD):
            yield (index, data & 255, _FIRST_FLOWER + (data >> 8 & 15) if code == _FLOWER else None, code == _DISCARD)


class _TziakchaReplay(HandReplay):
    """Replays the actions of a hand one after another, and checks each tile."""

    name_tile, is_flower = staticmethod(_name_tile), staticmethod(_FIRST_FLOWER.__le__)

    def __init__(self, builder, step):
        super().__init__(builder, _list_moves(step))
        self._melds = [[] for _ in range(SEATS)]  # data of the action of each meld
        self._won = None  # (seat, tile, fan that the action shows) of the win
        self._last_wins = {  # {seat: index of its last action "win"}
            action[0] >> 4 & 3: index for index, action in enumerate(step["a"]) if action[0] & 15 == _WIN}
        # Bit s of _winners is set if seat s won. Bit s of _wrong is set if seat s declared a false win.
        self._winners, self._wrong = step["b"] & 15, step["b"] >> 8 & 15
        self._asked = None  # milliseconds from the start of the hand to the question that the players now answer
        self._announced = {}  # {seat: milliseconds from this question to the seat's announcement of a claim}

    def take_time(self, code: int, seat: int, data: int, *, time: int | None) -> None:
        """Notes how long an action took before it is taken, unless the platform acted by itself. time: ms or None."""
        if time is None or code in (_FLOWER, _DRAW, _START):
            self._asked, self._announced = time, {}
            return
        if self._asked is None:
            return
        passed = time - self._asked
        if code in _CLAIMS and not data:
            self._announced.setdefault(seat, passed)
            return
        is_automatic = {_DISCARD: data >> 9 & 3 == 1, _PASS: data == 1, _WIN: data & 1}.get(code, False)
        if not is_automatic and passed >= 0:
            self.builder.take_time(seat, self._announced.get(seat, passed))
        if code not in (_PASS, _GIVE_UP):
            self._asked, self._announced = time, {}

    def take(self, code: int, seat: int, data: int) -> None:
        """Plays one action of a seat. code: _START to _GIVE_UP, which tells the meaning of the bits of `data`."""
        if code in (_PASS, _GIVE_UP) or (code in _CLAIMS and not data):
            return  # A claim without data is only announced.
        tile = data & 255
        self.is_opening &= code == _FLOWER
        if code == _FLOWER:
            self.put_flower(seat, _FIRST_FLOWER + (data >> 8 & 15), tile, is_back=True)
        elif code == _DISCARD:
            is_drawn = not data >> 8 & 1
            # The platform always marks the dealer's first discard as one from the hand.
            if not is_drawn and tile == self.drawn and self.last:
                self.builder.fail(Message("a discard from the hand of seat %d, not the tile just drawn", seat), data)
            self.discard(seat, tile, is_drawn)
        elif code == _DRAW:
            self.draw(seat, tile, is_back=bool(data >> 8))
        elif code == _WIN:
            self._win(seat, data >> 1)
        elif code == _KONG and (not data >> 6 & 3 or data & _ADDED == _ADDED):
            self._own_kong(seat, data)
        elif code in _CLAIMS:
            self._claim(code, seat, data)
        elif code != _START:
            self.builder.fail("a code 0..9", code)

    def _own_kong(self, seat, data):
        tiles, pung = list(range(4 * (data & 63), 4 * (data & 63) + 4)), data & ~0x200
        is_added = data & _ADDED == _ADDED
        if is_added:
            if pung not in self._melds[seat]:
                self.builder.fail(Message("a kong on one of the melds %s of seat %d", self._melds[seat], seat), data)
            self._melds[seat].remove(pung)
            tiles = [tile for tile in tiles if tile in self.hands[seat]] or tiles[:1]
        self._melds[seat].append(data)
        self.own_kong(seat, tiles, is_added)

    def _claim(self, code, seat, data):
        tile_kind, offer, (giver, claimed) = data & 63, data >> 6 & 3, self.last
        if code == _CHOW:
            tiles = [4 * (tile_kind + step) + (data >> shift & 3) for step, shift in ((-1, 10), (0, 12), (1, 14))]
            fits = tiles[max(offer, 1) - 1] == claimed
        else:
            # The data of a pung names the copy that is not in it.
            left_out = 4 * tile_kind + (data >> 10 & 3) if code == _PUNG else None
            tiles = [tile for tile in range(4 * tile_kind, 4 * tile_kind + 4) if tile != left_out]
            fits = claimed in tiles and (seat - offer) % SEATS == giver
        if not fits:
            self.builder.fail(Message("a claim of the tile %d of seat %d", claimed, giver), data)
        self._melds[seat].append(data)
        self.claim(seat, _CLAIMS[code], [tile for tile in tiles if tile != claimed], 4 * tile_kind)

    def _win(self, seat, fan):
        """Plays a win. A false win, which the flags of the hand name, changes nothing."""
        if self._winners == 1 << seat and self.builder.line == self._last_wins[seat]:
            tile = self.drawn if self.drawn in self.hands[seat] else self.last[1]
            self.builder.take("HU", seat, _name_tile(tile))
            self._won = seat, tile, fan
        elif not self._wrong >> seat & 1:
            self.builder.fail("a win of a seat that the flags name", Message("one of seat %d", seat))

    def end_hand(self, step: dict) -> Game:
        """Returns the Game after comparing its end with the record and checking it by the rules."""
        name = self.builder.origin["id"]
        if self._won is None:
            if self._winners:
                self.builder.fail(Message("a win, as the flags %d have it", step["b"]), Message("none"))
            self.end_drawn()
            return self.finish(take_numbers(step["s"]), name)
        seat, tile, shown = self._won
        win, melds = step["y"][seat], self._melds[seat]
        fans = {fan_id: (value & 255) * (1 + (value >> 8)) for fan_id, value in win["t"].items()}
        if not sum(fans.values()) == win["f"] == shown:
            self.builder.fail(Message("the sum %d of the fans in the win and in its action", sum(fans.values())),
                              (win["f"], shown))
        flowers = fans.get(_FLOWER_FAN, 0)
        self.check_flowers(seat, flowers)
        hand = sorted(set(self.hands[seat]) - {tile}) + [tile]
        if win["h"]["s"] != hand or sorted(win["h"]["p"]) != sorted(melds):
            self.builder.fail(Message("the hand %s and the melds %s", hand, melds), win["h"])
        return self.finish(take_numbers(step["s"]), name, fan=win["f"] - flowers,
                           has_own_suits=not fans.keys().isdisjoint(_OWN_SUITS_FANS))
