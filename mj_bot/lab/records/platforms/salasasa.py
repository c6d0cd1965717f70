"""Reads the records of salasasa: JSON of a session, with one hand or more.

    {"game_title": {...}, "game_round": {"round_index_1": {...}, "round_index_2": {...}, ...}}

A hand has the tiles of the deal, the tiles of the wall after the deal in their order, and "action_ticks", a list of
[word, ...]. Most ticks do not name a seat, because the order of turns tells it. The ticks are replayed tile by tile,
and a difference is an error with the number of the tick. Flowers of the deal are replaced from the back of the wall, in
older records from the front.
"""

from typing import Any

from ....mahjong.errors import Message, ProtocolError
from ....mahjong.fan import MIN_FAN
from ....mahjong.rules import SEATS
from ...table.one_wall import FLOWER_FAN
from ..game_record import OWN_SUITS_FANS, BrokenGameError, Game
from ..notes import note
from ..record_json import parse_record_json
from ..shapes import (
    digest_id, take_name, take_number, take_numbers, take_origin, take_seat, take_text)
from .hands import SESSION_SEATINGS, HandReplay, list_back, make_rules, parse_platform_game

TILE_OF_CODE = dict(
    [(10 * tens + rank, "%s%d" % (suit, rank)) for tens, suit, ranks in ((1, "W", 9), (2, "B", 9), (3, "T", 9),
                                                                          (4, "F", 4), (5, "H", 8))
     for rank in range(1, ranks + 1)] + [(45, "J1"), (46, "J3"), (47, "J2")])
_FLOWERS = range(51, 59)
# {word of a chow: steps from the claimed tile to the middle tile}
_CHOWS = {"cl": -1, "cm": 0, "cr": 1}
# {word of a win: steps from the winner to the seat that gave the tile}
_WINS = {"hu_self": 0, "hu_first": -1, "hu_second": 2, "hu_third": 1}
_NO_WIN = "错和"
_KNITTED_STRAIGHT, _WAITS = "组合龙", {"边张", "嵌张", "单钓", "单钓将"}
_STANDARD, _THREE = "standard", "sanma"
# These ticks move no tile. "reset" follows the flowers of the deal, "ca" is a claim that was not carried out.
_IDLE = ("ca", "end", "reset")


def split_rounds(value: dict) -> list[dict] | None:
    """Returns the hands of a session in their order, each as a session of one hand; None for a session of one hand.

    value: JSON value of the session.
    """
    rounds = value["game_round"]
    if not isinstance(rounds, dict) or len(rounds) < 2:
        return None
    order = sorted(rounds, key=lambda name: (len(name), name))
    return [dict(value, game_round={name: rounds[name]}) for name in order]


def parse_salasasa(value: dict, where: str = "text") -> Game:
    """Returns the Game in the JSON value of a session of one hand. where: name of the source, for messages of errors.

    Raises BrokenGameError: the value is no such record, or its replay contradicts a move. The error keeps the game
    before it.
    """
    try:
        return parse_platform_game(value, where, _read_head, read_hand=_read_hand)
    except BrokenGameError as error:
        sub_rule = error.record and error.record.origin.get("sub_rule")
        if not sub_rule:
            raise
        raise BrokenGameError("%s; the game was played by the sub rule %s of salasasa, whose fans are others", error,
                              sub_rule, record=error.record) from None


def _read_head(value):
    """Returns (hand, origin) of a session of one hand. origin: dict with the platform's facts on the game."""
    title, (hand,) = value["game_title"], value["game_round"].values()
    if title.get("rule") != "guobiao":
        raise ProtocolError("expected a game of the rule 'guobiao', got %.40r", title.get("rule"))
    if _THREE in str(title.get("sub_rule")) or not hand.get("p3_tiles"):
        raise ProtocolError("expected a game of four players, got one of three")
    if not hand.get("tiles_list"):
        raise ProtocolError("expected a record with its wall, got one without: the hands cannot be rebuilt")
    hand_number = take_number(hand["current_round"]) - 1
    seats = list(SESSION_SEATINGS[hand_number % len(SESSION_SEATINGS)])
    if "seats" in hand:
        seats = [hand["seats"].index(seat) for seat in range(SEATS)]
    sub_rule = take_name(title.get("sub_rule") or _STANDARD).rpartition("/")[2]
    return hand, take_origin({
        "platform": "salasasa", "sub_rule": None if sub_rule == _STANDARD else sub_rule,
        "hand": hand_number, "hands": 4 * title.get("max_round", 4), "seats": seats,
        "session": title.get("commitment_hex") or title.get("start_time") or "",
        "names": [title["p%d_name" % player] for player in range(SEATS)],
        "ids": [digest_id(title.get("p%d_uid" % player)) for player in range(SEATS)],
        "rules": make_rules(min_fan=title.get("hepai_limit", MIN_FAN)),
    })


def _read_hand(builder, hand, origin):
    builder.unit, builder.origin = "tick", origin
    builder.players = [origin["names"][player] for player in origin["seats"]]
    builder.wind = origin["hand"] // 4 % 4
    with builder.expect("a tick of a record"):
        ticks = hand["action_ticks"]
        ticks = [_read_tick(tick) for tick in (parse_record_json(ticks) if isinstance(ticks, str) else ticks)]
        wall, deal = list(hand["tiles_list"]), [list(hand["p%d_tiles" % seat]) for seat in range(SEATS)]
        replay = _SalasasaReplay(builder, ticks, wall, by_player="seats" not in hand)
        replay.put_last(deal[0])
        replay.swap_kept(ticks)
        replay.deal(deal, wall, back_count=replay.back_count, is_won=all(tick[0] != "liuju" for tick in ticks))
        for builder.line, tick in enumerate(ticks[:replay.end]):
            replay.take(*tick)
        return replay.end_hand()


def _read_tick(tick):
    """Returns a tick as a list. It may be a text: of JSON, or of words such as "c 43 F"."""
    if not isinstance(tick, str):
        return tick
    if tick.lstrip()[:1] == "[":
        return parse_record_json(tick)
    return [int(word) if word.isdecimal() else word for word in tick.replace(",", " ").split()]


def _list_moves(ticks):
    flower = None
    for index, tick in enumerate(ticks):
        word, tile = tick[0], tick[1] if len(tick) > 1 else None
        if word == "bh":
            flower = tile
        elif word in ("d", "gd", "c", "bd"):
            yield index, tile, flower if word == "bd" else None, word == "c"


class _SalasasaReplay(HandReplay):
    """Replays the ticks of a hand. by_player: whether changes of the scores are listed by player and not by seat."""

    name_tile, is_flower = staticmethod(TILE_OF_CODE.__getitem__), staticmethod(_FLOWERS.__contains__)

    def __init__(self, builder, ticks, wall, *, by_player):
        super().__init__(builder, _list_moves(ticks))
        self._by_player = by_player
        self._shown = {}  # {index of the tick of a draw: tile that the Game has there}
        self._turn = 0
        self._flower = None  # (seat, flower) whose replacement comes next
        self._scores, self._fan, self._has_own_suits = None, None, False
        self._penalties = [0] * SEATS
        self._first = next((tick for tick in ticks if tick[0] not in ("bh", "bd", *_IDLE)), [""])
        self._opening = [tick for tick in ticks[:ticks.index(self._first)] if tick[0] == "bh"] if self._first[0] else []
        draws = [tick[1] for tick in ticks if tick[0] == "d" and len(tick) > 1]
        dealt = [self.replaced.get(tick[1]) for tick in self._opening]
        from_back = _count_same(dealt, [wall[index] for index in list_back(len(wall))])
        if from_back == len(dealt):
            from_back += _count_same(draws, wall)
        # Whether the flowers of the deal are replaced from the back of the wall.
        self._is_from_back = from_back >= _count_same(dealt + draws, wall)
        self.back_count = len(self.takes) - len(draws) - len(dealt) * (not self._is_from_back)

    def put_last(self, dealt: list[int]) -> None:
        """Makes the tile that the dealer received last the last one of his deal, where his first action names it."""
        word, *facts = self._first
        named = facts[0] if word == "c" and facts[1:] == ["T"] else facts[4] if (
            word == "hu_self" and facts[:1] == [0] and len(facts) > 4) else None
        flowers = [tick[1] for tick in self._opening if tick[2:] and tick[2] == 0]
        if named is None or not flowers or self.replaced.get(flowers[-1]) != named:
            return
        flower, origin = flowers[-1], {tile: flower for flower, tile in self.replaced.items()}
        while flower not in dealt and flower in origin:
            flower = origin[flower]
        if flower in dealt:
            dealt.append(dealt.pop(dealt.index(flower)))

    def swap_kept(self, ticks: list) -> None:
        """Lets a kept flower stand for the last drawn tile, if the tile that replaces the flower wins in that turn.

        Otherwise the Game would have the winning tile since the flower was drawn, and would win on the drawn one.
        """
        end = max((index for index, tick in enumerate(ticks) if tick[0] == "hu_self"), default=0)
        draw = max((index for index in range(end) if ticks[index][0] not in ("bh", "bd", *_IDLE)), default=0)
        flowers = [tick[1] for tick in ticks[draw:end] if tick[0] == "bh"]
        if not flowers or ticks[draw][0] not in ("d", "gd"):
            return
        chain = [ticks[draw][1]]
        while self.replaced.get(chain[-1]) is not None:
            chain.append(self.replaced[chain[-1]])
        if flowers[-1] in chain:
            return
        winning, self.replaced[flowers[-1]] = self.replaced[flowers[-1]], chain[-1]
        if len(chain) == 1:
            self._shown[draw] = winning
        else:
            self.replaced[chain[-2]] = winning

    def take(self, word: str, *facts: Any) -> None:
        """Plays one tick. facts: the values of the tick after its word."""
        self.is_opening &= word in ("bh", "bd")
        if word == "bh":
            self._flower = take_seat(facts[1]) if len(facts) > 1 else self._turn, facts[0]
        elif word == "bd":
            self.put_flower(*self._flower, facts[0], is_back=not self.is_opening or self._is_from_back)
        elif word in ("d", "gd"):
            if word == "d":
                self._turn = (self._turn + 1) % SEATS
            self.draw(self._turn, facts[0], is_back=word == "gd", shown=self._shown.get(self.builder.line))
        elif word == "c":
            self.discard(self._turn, facts[0], is_drawn=facts[1] == "T")
        elif word in _CHOWS or word in ("p", "g"):
            self._claim(word, facts[0], take_seat(facts[1]), used=facts[2:])
        elif word in ("ag", "jg"):
            self.own_kong(self._turn, [facts[0]] * (4 if word == "ag" else 1), word == "jg")
        elif word in _WINS:
            self._win(word, *facts[:4])
        elif word == "liuju":
            self.end_drawn()
            self._scores = [0] * SEATS
        elif word not in _IDLE:
            tiles = facts + tuple(tile for fact in facts if isinstance(fact, list) for tile in fact)
            if any(isinstance(tile, int) and tile in TILE_OF_CODE for tile in tiles):
                self.builder.fail("a tick of a hand", word)
            note("passed over: the tick %.40r of salasasa, which this version does not know; it moves no tile", word)

    def _claim(self, word, claimed, seat, *, used):
        """Plays "cl", "cm", "cr" for a chow, "p" for a pung or "g" for a kong. used: tiles, if the tick names them."""
        _, tile = self.last
        if claimed != tile:
            self.builder.fail(Message("a claim of the tile %s", tile), claimed)
        if word in _CHOWS:
            middle = sorted(list(used[:2]) + [claimed])[1] if len(used) > 1 else claimed + _CHOWS[word]
            used, claim = [tile for tile in (middle - 1, middle, middle + 1) if tile != claimed], "CHI"
        else:
            middle, used, claim = claimed, [claimed] * (2 if word == "p" else 3), "PENG" if word == "p" else "GANG"
        self.claim(seat, claim, used, middle)
        self._turn = seat

    def _win(self, word, seat, fan, names, changes):
        """Plays a win or a false win. names: names of the fans. changes: points of the four seats or players."""
        changes = take_numbers(changes)
        if self._by_player:
            changes = [changes[player] for player in self.builder.origin["seats"]]
        if _NO_WIN in names:
            self._penalties = [have + more for have, more in zip(self._penalties, changes)]
            return
        seat, counts = take_seat(seat), dict(take_text(name).partition("*")[::2] for name in names)
        self.builder.take("HU", seat)
        if word != "hu_self" and (seat + _WINS[word]) % SEATS != self._turn:
            self.builder.fail(Message("a win on a tile of seat %d", self._turn), word)
        flowers = int(counts.get(FLOWER_FAN) or 0)
        self.check_flowers(seat, flowers)
        self._scores, self._fan = changes, take_number(fan) - flowers
        if _KNITTED_STRAIGHT in counts and _WAITS.intersection(counts):
            origin = self.builder.origin
            self.builder.origin = dict(origin, rules=dict(origin["rules"], knitted_wait=1))
        self._has_own_suits = not OWN_SUITS_FANS.isdisjoint(counts)

    def end_hand(self) -> Game:
        """Returns the Game after checking it by the rules."""
        if self.end is not None:
            self.end_drawn()
            self._scores = [0] * SEATS
        if self._scores is None:
            self.builder.fail("a win or the end of the wall", Message("the end of the record"))
        if any(self._penalties):
            self.builder.origin = dict(self.builder.origin, penalties=self._penalties)
        return self.finish(self._scores, "", fan=self._fan, has_own_suits=self._has_own_suits)


def _count_same(left, right):
    """Returns the number of equal items before the first difference of two lists."""
    return next((index for index, (one, other) in enumerate(zip(left, right)) if one != other),
                min(len(left), len(right)))
