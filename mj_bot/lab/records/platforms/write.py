"""Writes a game on one wall as the platforms where people play have it: for the viewers of 雀渣 and of salasasa.

A Game has no copies of tiles and no places of flowers in the wall. They are laid again so that every draw comes from
where the platform takes it: the deal and draws from the front, replacements of flowers and kongs from the back.
"""

import base64
import zlib

from ....mahjong.errors import ProtocolError
from ....mahjong.fan import sum_fans
from ....mahjong.rules import HAND_TILES, SEATS
from ....mahjong.tile import COPIES, FLOWER_NAMES, TILE_INDEX
from ...run.files import format_json
from ...table.fan_names import ENGLISH_FANS
from ...table.one_wall import DRAWS, FLOWER_FAN, place_of_draw
from ...table.referee import ADDED, ANNOUNCED_KONG, DISCARDED, DRAWN
from ..follow import follow_game, list_answers
from ..game_record import REAL_WALL, SHARED_WALL
from . import salasasa
from .hands import SESSION_SEATINGS

_FIRST_FLOWER, _TILES, _DEALT = 136, 144, 53
# Dice 1, 1, 1, 1: the front of the wall is at this place of its text.
_DICE, _FRONT = 0x1111, 116
_STEP_MILLISECONDS = 500
# The ids of tziakcha.net: the order of the judge's names, but for two that it splits by the steps between the chows.
_SPLIT = {"一色四步高": (16, 17), "一色三步高": (31, 32)}
_LATER = "明暗杠"
_FAN_IDS = dict(zip([name for name in ENGLISH_FANS if name != _LATER],
                    [number for number in range(1, 83) if number not in (17, 32)]), **{_LATER: 84, FLOWER_FAN: 83})
_NAMES = {kind: name for name, kind in TILE_INDEX.items()}
# By the seats from who paid to the winner, 0 for a self-drawn win.
_WINS = ("hu_self", "hu_first", "hu_second", "hu_third")
_CODES = {name: code for code, name in salasasa.TILE_OF_CODE.items()}


class _Play(object):
    """The events of a game with the tiles of a wall of 144, numbered as tziakcha.net does.

    events: tuples (word, seat, ...): ("flower", tile, replacement, is_opening), ("draw", tile, is_back), ("discard",
    tile, is_drawn), ("CHI" | "PENG" | "GANG", claimed, giver, tiles from the hand), ("kong", the tile or four tiles,
    is_added), ("HU", tile, giver or None). wall: the front first. hands: the deal, the dealer with 14.
    """

    def __init__(self, game, opens_from_back):
        if game.facts & (SHARED_WALL | REAL_WALL) != SHARED_WALL | REAL_WALL:
            raise ProtocolError("expected a game whose whole wall of 144 tiles is known, as its platform needs it, got "
                                "%s: %s" % ("one of which only the drawn tiles are known" if game.facts & SHARED_WALL
                                            else "one of four walls", game.where))
        if "sub_rule" in game.origin or game.origin.get("rules", {}).get("knitted_wait"):
            raise ProtocolError("expected a game whose fans are the judge's, got one of a platform's own: %s"
                                % game.where)
        self.game = game
        self.events = []
        self._used = {}  # copies of each kind laid so far
        names = game.wall_names()
        self._wall = [None] * _TILES
        self._back = [at for low in range(_TILES - 2, -1, -2) for at in (low, low + 1)][::-1]
        self._fronts = list(range(_TILES - 1, _DEALT - 1, -1))
        self._draws = 0
        self._is_back = False
        self._flowers = []  # drawn and not yet replaced
        self.drawn = None
        opening = [flower for flower in game.flowers if not flower[0]]
        dealt = [names[34 * seat:34 * seat + 34][::-1][:HAND_TILES] for seat in range(SEATS)]
        dealt[0].append(names[place_of_draw(0)])
        self.hands = [[self._lay(name) for name in tiles] for tiles in dealt]
        self._put_opening(opening, opens_from_back)
        self.referee = follow_game(game, self._listen)
        if self.referee.verdict not in ("HU", "HUANG"):
            raise ProtocolError("expected a game that is won or drawn, got one that breaks off: %s" % game.where)
        for flower in self._flowers:  # the last tile of the wall
            self._draw_from(self._is_back, flower)
        rest = [self._lay(names[place_of_draw(number)]) for number in range(self._draws, DRAWS)]
        rest += [flower for flower in range(_FIRST_FLOWER, _TILES) if flower not in self._wall]
        self.wall = [tile if tile is not None else rest.pop(0) for tile in self._wall]

    def _lay(self, name):
        kind = TILE_INDEX[name]
        self._used[kind] = self._used.get(kind, -1) + 1
        return COPIES * kind + self._used[kind]

    def _put_opening(self, opening, opens_from_back):
        """Deals the flowers of the deal in place of the last of the thirteen tiles that they give way to."""
        self.dealt = [list(hand) for hand in self.hands]
        for seat in range(SEATS):
            numbers = [number for _, owner, number in opening if owner == seat]
            for place, number in enumerate(numbers, HAND_TILES - len(numbers)):
                flower, tile = _FIRST_FLOWER + number - 1, self.hands[seat][place]
                self.dealt[seat][place] = flower
                self._place(tile, opens_from_back)
                self.events.append(("flower", seat, flower, tile, True))
        for seat, hand in enumerate(self.dealt):
            places = [first + step for first in (4 * seat, 16 + 4 * seat, 32 + 4 * seat) for step in range(4)]
            for place, tile in zip(places + [48 + seat, 52], hand):
                self._wall[place] = tile
        self.drawn = self.hands[0][-1]

    def _place(self, tile, is_back):
        places = self._back if is_back else self._fronts
        while self._wall[places[-1]] is not None:  # front and back meet in one stack
            places.pop()
        self._wall[places.pop()] = tile

    def _draw_from(self, is_back, tile):
        self._place(tile, is_back)
        self.events.append(("draw", self.referee.turn, tile, is_back))

    def _listen(self, referee, responses, _):
        self.referee = referee
        if referee.phase == ANNOUNCED_KONG and referee.event[0] == "BUHUA":
            self._flowers.append(_FIRST_FLOWER + FLOWER_NAMES.index(referee.event[1]))
        elif referee.phase == DRAWN:
            if self._draws:
                self._draw(referee.turn, self._lay(referee.requests[referee.turn].split()[1]))
            self._draws += 1
            self._act(referee.turn, responses[referee.turn].split())
        elif referee.phase in (DISCARDED, ADDED):
            answers = list_answers(referee, responses)
            if answers:
                self._claim(*answers[0], giver=referee.turn)

    def _draw(self, seat, tile):
        items = [*self._flowers, tile]
        self._draw_from(self._is_back, items[0])
        for flower, item in zip(items, items[1:]):
            self._place(item, True)
            self.events.append(("flower", seat, flower, item, False))
        self._flowers, self._is_back = [], False
        self.hands[seat].append(tile)
        self.drawn = tile

    def _take(self, seat, name, count):
        """Takes tiles of a kind from a hand, the one just drawn first."""
        kind = TILE_INDEX[name]
        tiles = [tile for tile in self.hands[seat] if tile // COPIES == kind]
        tiles.sort(key=lambda tile: tile != self.drawn)
        for tile in tiles[:count]:
            self.hands[seat].remove(tile)
        return tiles[:count]

    def _act(self, seat, words):
        if words[0] == "PLAY":
            tile, = self._take(seat, words[1], 1)
            self.events.append(("discard", seat, tile, tile == self.drawn))
            self._last = tile
        elif words[0] == "HU":
            self.events.append(("HU", seat, self.drawn, None))
        else:
            tiles = self._take(seat, words[1], COPIES if words[0] == "GANG" else 1)
            self.events.append(("kong", seat, tiles, words[0] == "BUGANG"))
            self._last, self._is_back = tiles[0], True

    def _claim(self, seat, action, giver):
        if action[0] == "HU":
            self.events.append(("HU", seat, self._last, giver))
            return
        claimed, self.drawn = self._last, None
        if action[0] == "CHI":
            middle = TILE_INDEX[action[1]]
            kinds = [kind for kind in (middle - 1, middle, middle + 1) if kind != claimed // COPIES]
            used = [tile for kind in kinds for tile in self._take(seat, _NAMES[kind], 1)]
        else:
            used = self._take(seat, _NAMES[claimed // COPIES], 2 if action[0] == "PENG" else 3)
        self.events.append((action[0], seat, claimed, giver, used))
        if action[0] == "GANG":
            self._is_back = True
        else:
            self._act(seat, ["PLAY", action[-1]])

    def list_fans(self):
        """Returns (points, copies, name) of each fan of the win, flowers included; [] of a drawn game."""
        flowers = self.game.winner_flowers
        return self.referee.fans + ([(1, flowers, FLOWER_FAN)] if flowers else [])


def _read_hand_number(game):
    number = game.origin.get("hand", SEATS * game.wind)
    return number if number // SEATS % SEATS == game.wind else SEATS * game.wind


def _has_single_steps(tiles, chows):
    """Checks whether some tiles have chows whose first tiles follow one another."""
    counts = [sum(tile // COPIES == kind for tile in tiles) for kind in range(27)]
    need = [sum(0 <= kind - chow < 3 for chow in range(chows)) for kind in range(chows + 2)]
    return any(all(counts[9 * suit + first + step] >= count for step, count in enumerate(need))
               for suit in range(3) for first in range(9 - len(need) + 1))


def format_tziakcha(game):
    """Returns a line of JSON, {"id", "belongs", "script"}, as tziakcha.net answers. Raises ProtocolError: no wall."""
    play = _Play(game, True)
    actions, melds = [], [[] for _ in range(SEATS)]
    wrong = [seat for seat, lost in enumerate(game.origin.get("penalties", [0] * SEATS)) if lost < 0]
    y, flags = [{} for _ in range(SEATS)], sum(1 << 8 + seat for seat in wrong)
    has_begun = False
    for word, seat, *facts in play.events:
        if not has_begun and not (word == "flower" and facts[2]):
            actions += [(owner << 4 | 8, 2) for owner in range(SEATS)] + [(0, 0)]
            has_begun = True
        code, data = 0, 0
        if word == "flower":
            code, data = 1, 1 << 12 | (facts[0] - _FIRST_FLOWER) << 8 | facts[1]
        elif word == "discard":
            is_first = not any(action[0] & 15 == 2 for action in actions)
            code, data = 2, facts[0] | (0 if facts[1] and not is_first else 1 << 8)
        elif word == "draw":
            code, data = 7, facts[0] | facts[1] << 8
        elif word == "kong":
            tiles, is_added = facts
            code, data = 5, tiles[0] // COPIES | 2 << 8
            if is_added:
                pung = next(meld for meld in melds[seat] if meld & 63 == tiles[0] // COPIES and meld & 0x300 == 0x100)
                melds[seat].remove(pung)
                data = pung | 3 << 8
            melds[seat].append(data)
        elif word == "HU":
            tile, giver = facts
            fans = play.list_fans()
            total = sum_fans(fans)
            code, data = 6, total << 1
            flags |= 1 << seat | 1 << 4 + (seat if giver is None else giver)
            concealed = sorted(set(play.hands[seat]) - {tile}) + [tile]
            held = concealed + [COPIES * kind for meld in melds[seat] for kind in _list_kinds(meld)]
            y[seat] = {"f": total, "h": {"p": melds[seat], "s": concealed}, "t": {
                str(_find_fan_id(name, held)): points | copies - 1 << 8 for points, copies, name in fans}}
        else:
            code, data = _claim_data(word, seat, *facts)
            melds[seat].append(data)
        actions.append((seat << 4 | code, data))
    number = _read_hand_number(game)
    begin = 6500 if number % 4 == 0 else 5000
    wall = [play.wall[(at - _FRONT) % _TILES] for at in range(_TILES)]
    origin, before = game.origin, game.origin.get("before", [0] * SEATS)
    rules = origin.get("rules", {})
    step = {
        "v": 0, "i": number, "t": 0, "d": _DICE, "w": bytes(wall).hex(), "b": flags, "s": list(game.scores), "y": y,
        "a": [[combined, data, begin + _STEP_MILLISECONDS * at] for at, (combined, data) in enumerate(actions)],
        "p": [{"i": "", "n": str(name), "e": 0, "a": 0, "s": score} for name, score in zip(game.players, before)],
        "g": {"t": origin.get("title", ""), "n": origin.get("hands", 16), "i": 0, "l": rules.get("min_fan", 8),
              "b": rules.get("base", 8), "r0": 8, "r1": 5, "e": 10, "lt": 0, "d": 0, "s": 1, "o": 1, "a": 0, "r": 1,
              "bl": 0, "z": int(rules.get("false_win", -30) == -30)}}
    script = base64.b64encode(zlib.compress(format_json(step).encode())).decode()
    return format_json({"id": game.name, "belongs": origin.get("session", ""), "script": script}) + "\n"


def _claim_data(word, seat, claimed, giver, used):
    """(code, data) of a claim as the actions have it."""
    offer, tiles = (seat - giver) % SEATS, sorted([claimed, *used])
    if word == "CHI":
        copies = [tile % COPIES for tile in tiles]
        return 3, (tiles[1] // COPIES | tiles.index(claimed) + 1 << 6 | copies[0] << 10 | copies[1] << 12
                   | copies[2] << 14)
    if word == "GANG":
        return 5, claimed // COPIES | offer << 6 | 2 << 8
    left_out, = {tile % COPIES for tile in range(COPIES)} - {tile % COPIES for tile in tiles}
    return 4, claimed // COPIES | offer << 6 | 1 << 8 | left_out << 10


def _list_kinds(meld):
    """The kinds of a meld's tiles, of a word of data."""
    kind = meld & 63
    return [kind] * 3 if meld & 0x300 else [kind - 1, kind, kind + 1]


def _find_fan_id(name, tiles):
    if name in _SPLIT:
        return _SPLIT[name][not _has_single_steps(tiles, 4 if name == "一色四步高" else 3)]
    return _FAN_IDS[name]


def format_salasasa(game):
    """Returns a line of JSON, a session of one hand, as salasasa keeps it. Raises ProtocolError: no wall."""
    play = _Play(game, False)
    ticks, has_discard = [], False
    for word, seat, *facts in play.events:
        if word == "flower":
            ticks += [["bh", _code(facts[0]), seat, "F" if facts[2] else "T"], ["bd", _code(facts[1]), seat]]
        elif word == "draw":
            ticks.append(["gd" if facts[1] else "d", _code(facts[0])])
        elif word == "discard":
            ticks.append(["c", _code(facts[0]), "T" if facts[1] and has_discard else "F"])
            has_discard = True
        elif word == "kong":
            codes = [_code(tile) for tile in facts[0]]
            ticks.append(["jg", codes[0], "T"] if facts[1] else ["ag", codes[0], "T", *codes])
        elif word == "HU":
            fans = play.list_fans()
            ticks.append([_WINS[0 if facts[1] is None else (seat - facts[1]) % SEATS], seat, sum_fans(fans), [
                name + ("*%d" % copies if copies > 1 or name == FLOWER_FAN else "") for _, copies, name in fans],
                list(game.scores), _code(facts[0])])
        else:
            claimed, _, used = facts
            tick = {"PENG": "p", "GANG": "g"}.get(word) or ("cr", "cm", "cl")[sorted([claimed, *used]).index(claimed)]
            ticks.append([tick, _code(claimed), seat, *map(_code, used)])
    penalties = game.origin.get("penalties")
    if penalties and any(penalties):
        ticks.insert(len(ticks) - 1, ["hu_self", penalties.index(min(penalties)), 0, ["错和"], penalties])
    ticks += [["end"]] if play.referee.verdict == "HU" else [["liuju"], ["end"]]
    number, origin = _read_hand_number(game), game.origin
    seats = origin.get("seats") or list(SESSION_SEATINGS[number % len(SESSION_SEATINGS)])
    names = origin.get("names") or [str(game.players[seats.index(player)]) for player in range(SEATS)]
    title = {"rule": "guobiao", "sub_rule": "guobiao/standard", "max_round": -(-origin.get("hands", 16) // SEATS),
             "hepai_limit": origin.get("rules", {}).get("min_fan", 8), "commitment_hex": origin.get("session", "")}
    for player, name in enumerate(names):
        title.update({"p%d_name" % player: name, "p%d_uid" % player: player})
    hand = {"round_index": number + 1, "current_round": number + 1, "dealer_index": 0, "start_player_index": 0,
            "seats": [seats.index(player) for player in range(SEATS)],
            "tiles_list": [_code(tile) for tile in play.wall[_DEALT:]], "action_ticks": ticks}
    for seat, tiles in enumerate(play.dealt):
        hand["p%d_tiles" % seat] = [_code(tile) for tile in tiles]
    return format_json({"game_title": title, "game_round": {"round_index_%d" % (number + 1): hand}}) + "\n"


def _code(tile):
    """The number of a tile at salasasa."""
    return 51 + tile - _FIRST_FLOWER if tile >= _FIRST_FLOWER else _CODES[_NAMES[tile // COPIES]]
