"""Writes a game on one wall in the formats of 雀渣 and of salasasa, whose viewers can then show the game.

A Game does not say which of the four copies a tile is, and where in the wall a flower is. Both are chosen here so that
every draw comes from where the platform takes it: the deal and draws from the front of the wall, replacements of
flowers and draws after kongs from the back. Salasasa replaces the flowers of the deal from the front instead.
"""

import base64
import zlib

from ....mahjong.errors import ProtocolError
from ....mahjong.fan import sum_fans
from ....mahjong.rules import HAND_TILES, SEATS
from ....mahjong.tile import COPIES, FLOWER_NAMES, TILE_INDEX, TILE_NAMES
from ...run.files import format_json
from ...table.fan_names import ENGLISH_FANS
from ...table.one_wall import DRAWS, FLOWER_FAN, place_of_draw
from ...table.referee import ADDED, ANNOUNCED_KONG, DISCARDED, DRAWN
from ..follow import follow_game, list_answers
from ..game_record import REAL_WALL, SHARED_WALL, Game
from . import salasasa
from .hands import SESSION_SEATINGS

_FIRST_FLOWER, _TILES, _DEALT = 136, 144, 53
# The dice are 1, 1, 1, 1. With these dice, the front of the wall is the tile with the index _FRONT in the bytes "w".
_DICE, _FRONT = 0x1111, 116
_STEP_MILLISECONDS = 500  # time between two actions
# The fans of tziakcha.net are numbered in the order of the judge's names. It splits two of them by the steps between
# the chows: the first number is for steps of one, the second for steps of two.
_SPLIT = {"一色四步高": (16, 17), "一色三步高": (31, 32)}
_LATER = "明暗杠"
_FAN_IDS = dict(zip([name for name in ENGLISH_FANS if name != _LATER],
                    [fan_id for fan_id in range(1, 83) if fan_id not in (17, 32)]), **{_LATER: 84, FLOWER_FAN: 83})
# _WINS[steps] is the word of a win, by the steps from the seat that gave the tile to the winner; 0 is self-drawn.
_WINS = ("hu_self", "hu_first", "hu_second", "hu_third")
_CODES = {name: code for code, name in salasasa.TILE_OF_CODE.items()}


class _Play(object):
    """Keeps the events of a game, with the tiles 0..143 of a wall, numbered as tziakcha.net does.

    A tile 0..135 is copy `tile % 4` of the kind `tile // 4`. Tiles 136..143 are the flowers.
    game: the game. opens_from_back: whether tiles that replace flowers of the deal come from the back of the wall.
    events: list of (word, seat, ...). The words and what follows the seat:
        "flower"                flower, tile that replaces it, whether it belongs to the deal
        "draw"                  tile, whether it comes from the back of the wall
        "discard"               tile, whether it has just been drawn
        "CHI", "PENG", "GANG"   claimed tile, seat that discarded it, list of the tiles from the hand
        "kong"                  list of the added tile or of the four concealed tiles, whether it is added to a pung
        "HU"                    winning tile, seat that gave it or None
    wall: list of the 144 tiles, the front first. dealt: tiles of each seat after the deal, flowers included.
    hands: concealed tiles of each seat without flowers; the dealer begins with 14.
    Raises ProtocolError: the whole wall of the game is not known, its fans are not the judge's, or it breaks off.
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
        self._used = {}  # {tile kind: number of the copy that was used last}
        names = game.wall_names()
        self._wall = [None] * _TILES
        self._back = [index for low in range(_TILES - 2, -1, -2) for index in (low, low + 1)][::-1]
        self._fronts = list(range(_TILES - 1, _DEALT - 1, -1))
        self._draws = 0
        self._is_back = False
        self._flowers = []  # flowers that were drawn and not yet replaced
        self.drawn = None
        opening = [flower for flower in game.flowers if not flower[0]]
        dealt = [names[34 * seat:34 * seat + 34][::-1][:HAND_TILES] for seat in range(SEATS)]
        dealt[0].append(names[place_of_draw(0)])
        self.hands = [[self._lay(name) for name in tiles] for tiles in dealt]
        self._put_opening(opening, opens_from_back)
        self.referee = follow_game(game, self._listen)
        if self.referee.verdict not in ("HU", "HUANG"):
            raise ProtocolError("expected a game that is won or drawn, got one that breaks off: %s" % game.where)
        for flower in self._flowers:  # A flower that is the last tile of the wall is not replaced.
            self._draw_from(self._is_back, flower)
        rest = [self._lay(names[place_of_draw(draw)]) for draw in range(self._draws, DRAWS)]
        rest += [flower for flower in range(_FIRST_FLOWER, _TILES) if flower not in self._wall]
        self.wall = [tile if tile is not None else rest.pop(0) for tile in self._wall]

    def _lay(self, name):
        """Returns the next copy, 0..135, of the tile of a name."""
        tile_kind = TILE_INDEX[name]
        self._used[tile_kind] = self._used.get(tile_kind, -1) + 1
        return COPIES * tile_kind + self._used[tile_kind]

    def _put_opening(self, opening, opens_from_back):
        """Puts the flowers of the deal into the dealt hands, in place of the last of each seat's thirteen tiles.

        The tiles that gave way go to the wall. They replace the flowers when these are put aside.

        opening: flowers of the deal, (0, seat, number 1..8). opens_from_back: whether the replacements come from the
        back.
        """
        self.dealt = [list(hand) for hand in self.hands]
        for seat in range(SEATS):
            flower_numbers = [flower_number for _, owner, flower_number in opening if owner == seat]
            for index, flower_number in enumerate(flower_numbers, HAND_TILES - len(flower_numbers)):
                flower, tile = _FIRST_FLOWER + flower_number - 1, self.hands[seat][index]
                self.dealt[seat][index] = flower
                self._place(tile, opens_from_back)
                self.events.append(("flower", seat, flower, tile, True))
        for seat, hand in enumerate(self.dealt):
            wall_indices = [first + step for first in (4 * seat, 16 + 4 * seat, 32 + 4 * seat) for step in range(4)]
            for index, tile in zip(wall_indices + [48 + seat, 52], hand):
                self._wall[index] = tile
        self.drawn = self.hands[0][-1]

    def _place(self, tile, is_back):
        """Puts a tile into the next free slot at one end of the wall."""
        free_indices = self._back if is_back else self._fronts
        while self._wall[free_indices[-1]] is not None:  # The front and the back meet in one stack.
            free_indices.pop()
        self._wall[free_indices.pop()] = tile

    def _draw_from(self, is_back, tile):
        self._place(tile, is_back)
        self.events.append(("draw", self.referee.turn, tile, is_back))

    def _listen(self, referee, responses, _):
        """Adds the events of one step. responses: the four texts that the referee is about to judge."""
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
        """Adds the draw of a tile, after the flowers that were drawn before it."""
        # The seat draws the first flower, each flower is replaced by the next item, and the last item is the tile.
        items = [*self._flowers, tile]
        self._draw_from(self._is_back, items[0])
        for flower, item in zip(items, items[1:]):
            self._place(item, True)
            self.events.append(("flower", seat, flower, item, False))
        self._flowers, self._is_back = [], False
        self.hands[seat].append(tile)
        self.drawn = tile

    def _take(self, seat, name, count):
        """Takes `count` tiles of a kind from a hand and returns them. The tile that was just drawn is taken first."""
        tile_kind = TILE_INDEX[name]
        tiles = [tile for tile in self.hands[seat] if tile // COPIES == tile_kind]
        tiles.sort(key=lambda tile: tile != self.drawn)
        for tile in tiles[:count]:
            self.hands[seat].remove(tile)
        return tiles[:count]

    def _act(self, seat, words):
        """Adds the action of a seat after its draw or claim. words: words of its response."""
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
        """Adds the claim of a seat, with the discard after a chow or pung.

        action: action tuple. giver: seat that discarded the tile.
        """
        if action[0] == "HU":
            self.events.append(("HU", seat, self._last, giver))
            return
        claimed, self.drawn = self._last, None
        if action[0] == "CHI":
            middle = TILE_INDEX[action[1]]
            tile_kinds = [tile_kind for tile_kind in (middle - 1, middle, middle + 1) if tile_kind != claimed // COPIES]
            used = [tile for tile_kind in tile_kinds for tile in self._take(seat, TILE_NAMES[tile_kind], 1)]
        else:
            used = self._take(seat, TILE_NAMES[claimed // COPIES], 2 if action[0] == "PENG" else 3)
        self.events.append((action[0], seat, claimed, giver, used))
        if action[0] == "GANG":
            self._is_back = True
        else:
            self._act(seat, ["PLAY", action[-1]])

    def list_fans(self) -> list[tuple[int, int, str]]:
        """Returns (points, copies, name) of each fan of the win, flowers included; [] for a drawn game."""
        flowers = self.game.winner_flowers
        return self.referee.fans + ([(1, flowers, FLOWER_FAN)] if flowers else [])


def _read_hand_number(game):
    """Returns the number of the hand in its session, 0 first.

    A game without a number gets that of the first hand of its prevalent wind.
    """
    hand_number = game.origin.get("hand", SEATS * game.wind)
    return hand_number if hand_number // SEATS % SEATS == game.wind else SEATS * game.wind


def _has_single_steps(tiles, chows):
    """Checks whether a hand has chows of one suit whose lowest tiles follow one another.

    tiles: tiles 0..135 of the hand and its melds, four copies of a kind one after another. chows: number of chows.
    """
    counts = [sum(tile // COPIES == tile_kind for tile in tiles) for tile_kind in range(27)]
    need = [sum(0 <= rank - chow < 3 for chow in range(chows)) for rank in range(chows + 2)]
    return any(all(counts[9 * suit + first + step] >= count for step, count in enumerate(need))
               for suit in range(3) for first in range(9 - len(need) + 1))


def format_tziakcha(game: Game) -> str:
    """Returns the record of a game as tziakcha.net answers: JSON {"id", "belongs", "script"} that ends with a newline.

    Raises MahjongError: the game is not legal, or it breaks off; its whole wall is not known; or its fans are not the
        judge's.
    """
    play = _Play(game, True)
    actions, wins, flags = _list_tziakcha_actions(play)
    hand_number = _read_hand_number(game)
    # Milliseconds before the first action; the first hand of each prevalent wind begins later.
    begin = 6500 if hand_number % 4 == 0 else 5000
    wall = [play.wall[(index - _FRONT) % _TILES] for index in range(_TILES)]
    origin, before = game.origin, game.origin.get("before", [0] * SEATS)
    rules = origin.get("rules", {})
    step = {
        "v": 0, "i": hand_number, "t": 0, "d": _DICE, "w": bytes(wall).hex(), "b": flags, "s": list(game.scores),
        "y": wins,
        "a": [[combined, data, begin + _STEP_MILLISECONDS * index] for index, (combined, data) in enumerate(actions)],
        "p": [{"i": "", "n": str(name), "e": 0, "a": 0, "s": score} for name, score in zip(game.players, before)],
        "g": {"t": origin.get("title", ""), "n": origin.get("hands", 16), "i": 0, "l": rules.get("min_fan", 8),
              "b": rules.get("base", 8), "r0": 8, "r1": 5, "e": 10, "lt": 0, "d": 0, "s": 1, "o": 1, "a": 0, "r": 1,
              "bl": 0, "z": int(rules.get("false_win", -30) == -30)}}
    script = base64.b64encode(zlib.compress(format_json(step).encode())).decode()
    return format_json({"id": game.name, "belongs": origin.get("session", ""), "script": script}) + "\n"


def _list_tziakcha_actions(play):
    """Returns (actions, wins, flags) of a game, as a record of tziakcha.net has them.

    actions: list of (seat << 4 | code, data). wins: a dict for each seat, empty unless the seat won.
    flags: bits 0..3 tell the winner, bits 4..7 the seat that gave the winning tile, bits 8..11 seats with a false win.
    """
    actions, melds, wins = [], [[] for _ in range(SEATS)], [{} for _ in range(SEATS)]
    penalties = play.game.origin.get("penalties", [0] * SEATS)
    flags = sum(1 << 8 + seat for seat, lost in enumerate(penalties) if lost < 0)
    has_begun = False
    for word, seat, *facts in play.events:
        if not has_begun and not (word == "flower" and facts[2]):
            actions += [(owner << 4 | 8, 2) for owner in range(SEATS)] + [(0, 0)]
            has_begun = True
        if word == "HU":
            tile, giver = facts
            wins[seat] = _describe_win(play, seat, tile, melds=melds[seat])
            flags |= 1 << seat | 1 << 4 + (seat if giver is None else giver)
            code, data = 6, wins[seat]["f"] << 1
        elif word == "discard":
            # The platform marks the first discard as one from the hand, even if it is the tile just drawn.
            is_first = not any(combined & 15 == 2 for combined, _ in actions)
            code, data = 2, facts[0] | (0 if facts[1] and not is_first else 1 << 8)
        else:
            code, data = _encode_tziakcha_event(word, seat, facts, melds=melds[seat])
        actions.append((seat << 4 | code, data))
    return actions, wins, flags


def _encode_tziakcha_event(word, seat, facts, *, melds):
    """Returns (code, data) of a flower, draw, kong or claim. melds: data of the seat's melds, to which a meld is added.

    facts: the event of _Play without its word and seat.
    """
    if word == "flower":
        return 1, 1 << 12 | (facts[0] - _FIRST_FLOWER) << 8 | facts[1]
    if word == "draw":
        return 7, facts[0] | facts[1] << 8
    if word == "kong":
        tiles, is_added = facts
        code, data = 5, tiles[0] // COPIES | 2 << 8
        if is_added:
            pung = next(meld for meld in melds if meld & 63 == tiles[0] // COPIES and meld & 0x300 == 0x100)
            melds.remove(pung)
            data = pung | 3 << 8
    else:
        code, data = _encode_tziakcha_claim(word, seat, *facts)
    melds.append(data)
    return code, data


def _encode_tziakcha_claim(word, seat, claimed, giver, used):
    """Returns (code, data) of a claim. word: "CHI", "PENG" or "GANG". used: the other tiles of the meld."""
    offer, tiles = (seat - giver) % SEATS, sorted([claimed, *used])
    if word == "CHI":
        copies = [tile % COPIES for tile in tiles]
        return 3, (tiles[1] // COPIES | tiles.index(claimed) + 1 << 6 | copies[0] << 10 | copies[1] << 12
                   | copies[2] << 14)
    if word == "GANG":
        return 5, claimed // COPIES | offer << 6 | 2 << 8
    left_out, = {tile % COPIES for tile in range(COPIES)} - {tile % COPIES for tile in tiles}
    return 4, claimed // COPIES | offer << 6 | 1 << 8 | left_out << 10


def _describe_win(play, seat, tile, *, melds):
    """Returns the win of a seat as tziakcha.net writes it: {"f": fan, "h": hand and melds, "t": points of each fan}."""
    fans = play.list_fans()
    concealed = sorted(set(play.hands[seat]) - {tile}) + [tile]
    held = concealed + [COPIES * tile_kind for meld in melds for tile_kind in _list_meld_kinds(meld)]
    return {"f": sum_fans(fans), "h": {"p": melds, "s": concealed}, "t": {
        str(_find_fan_id(name, held)): points | copies - 1 << 8 for points, copies, name in fans}}


def _list_meld_kinds(meld):
    """Returns the kinds 0..33 of three tiles of a meld. meld: its data in an action of tziakcha.net."""
    tile_kind = meld & 63
    return [tile_kind] * 3 if meld & 0x300 else [tile_kind - 1, tile_kind, tile_kind + 1]


def _find_fan_id(name, tiles):
    """Returns the number of a fan at tziakcha.net. tiles: tiles 0..135 of the hand and its melds."""
    if name in _SPLIT:
        return _SPLIT[name][not _has_single_steps(tiles, 4 if name == "一色四步高" else 3)]
    return _FAN_IDS[name]


def format_salasasa(game: Game) -> str:
    """Returns the record of a game as salasasa keeps it: JSON of a session of one hand that ends with a newline.

    Raises MahjongError: the game is not legal, or it breaks off; its whole wall is not known; or its fans are not the
        judge's.
    """
    play = _Play(game, False)
    hand_number, origin = _read_hand_number(game), game.origin
    seats = origin.get("seats") or list(SESSION_SEATINGS[hand_number % len(SESSION_SEATINGS)])
    names = origin.get("names") or [str(game.players[seats.index(player)]) for player in range(SEATS)]
    title = {"rule": "guobiao", "sub_rule": "guobiao/standard", "max_round": -(-origin.get("hands", 16) // SEATS),
             "hepai_limit": origin.get("rules", {}).get("min_fan", 8), "commitment_hex": origin.get("session", "")}
    for player, name in enumerate(names):
        title.update({"p%d_name" % player: name, "p%d_uid" % player: player})
    hand = {"round_index": hand_number + 1, "current_round": hand_number + 1, "dealer_index": 0,
            "start_player_index": 0, "seats": [seats.index(player) for player in range(SEATS)],
            "tiles_list": [_code(tile) for tile in play.wall[_DEALT:]], "action_ticks": _list_ticks(play)}
    for seat, tiles in enumerate(play.dealt):
        hand["p%d_tiles" % seat] = [_code(tile) for tile in tiles]
    return format_json({"game_title": title, "game_round": {"round_index_%d" % (hand_number + 1): hand}}) + "\n"


def _list_ticks(play):
    """Returns the "action_ticks" of a game: a list of [word, ...], as salasasa keeps them."""
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
                list(play.game.scores), _code(facts[0])])
        else:
            claimed, _, used = facts
            tick = {"PENG": "p", "GANG": "g"}.get(word) or ("cr", "cm", "cl")[sorted([claimed, *used]).index(claimed)]
            ticks.append([tick, _code(claimed), seat, *map(_code, used)])
    penalties = play.game.origin.get("penalties")
    if penalties and any(penalties):
        ticks.insert(len(ticks) - 1, ["hu_self", penalties.index(min(penalties)), 0, ["错和"], penalties])
    return ticks + ([["end"]] if play.referee.verdict == "HU" else [["liuju"], ["end"]])


def _code(tile):
    """Returns salasasa's number of a tile 0..143."""
    return 51 + tile - _FIRST_FLOWER if tile >= _FIRST_FLOWER else _CODES[TILE_NAMES[tile // COPIES]]
