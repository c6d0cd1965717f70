"""Reads the text format of the Lianzhong platform's games between people: one game per file, columns parted by tabs.

    ./2017/2017-01-01/345201.xml                            source of the game
    东  57  ['小于五-12','碰碰和-6','花牌-2']  (empty)  和牌       prevalent wind, points won, fans, how it ended
    0   ['B4','B6', ...]   1                                row for each seat: tiles of the deal, number of flowers
                                                            that were replaced; the dealer has 14 tiles, and the last
                                                            one is its first draw
    1   摸牌  ['J2']                                          seat, event, tiles; empty columns follow
    2   吃   ['W5','W6','W7']  W6  1                          a claim also has the claimed tile and the seat it is from
    2   和牌  ['T3']  T3  2                                    a self-drawn winning tile is from the winner's own seat

The dealer becomes seat 0. All seats draw from one wall of 144 tiles, and flowers are replaced. Each flower of the
winner counts one fan, but not towards the eight fan that a win needs. The text does not name the flowers of the deal,
so the reader takes any flowers that no other line names. After a false win the game goes on. Overruled claims are not
written.
"""

import re

from ....mahjong.errors import Message
from ....mahjong.rules import SEATS, win_scores
from ....mahjong.tile import FLOWER_NAMES
from ...table.one_wall import FLOWER_FAN
from ...run.printable import clean_text
from ..builder import build_game
from ..game_record import OWN_SUITS, OWN_SUITS_FANS, Game
from ..shapes import take_number, take_seat
from .hands import make_rules

_WINDS = "东南西北"
_FLOWER = "补花"
_WIN_WORDS = ("和牌", "自摸", "抢杠和")
_CLAIMS = {"吃": "CHI", "碰": "PENG", "明杠": "GANG"}
_EVENTS = {"摸牌": "DRAW", "杠后摸牌": "DRAW", "补花后摸牌": "DRAW", "打牌": "PLAY", "暗杠": "ANGANG", "补杠": "BUGANG",
           **_CLAIMS}
_ORIGIN = {"platform": "lianzhong", "rules": make_rules()}

_NAME = re.compile(r"'([^']*)'")


def is_lianzhong(text: str) -> bool:
    """Checks whether a text is in this format."""
    return re.match(r"[^\n]*\n[%s][^\n]*\t[^\n]*\n[0-3]\t\[" % _WINDS, text) is not None


def parse_lianzhong(text: str, where: str = "text") -> Game:
    """Returns the Game in the text of a file. Raises BrokenGameError, which keeps the game before the error."""
    return build_game(_read_game, where, text.rstrip().split("\n"))


def _read_game(builder, lines):
    builder.line = 1
    if len(lines) < 2 + SEATS:
        builder.fail(Message("a head of %d lines", 2 + SEATS), "\n".join(lines))
    builder.line = 2
    with builder.expect("wind, points and fans", lines[1]):
        head = lines[1].split("\t")
        builder.wind, points = _WINDS.index(head[0]), take_number(int(head[1] or 0))
        fans = [fan.rpartition("-") for fan in _NAME.findall(head[2])]
        fans = {fan: take_number(int(worth)) for fan, _, worth in fans}
    rows = [line.split("\t") for line in lines[2:]]
    builder.is_shared, builder.origin = True, _ORIGIN
    shown = [_NAME.findall(columns[2]) for columns in rows[SEATS:] if columns[1:2] == [_FLOWER] and len(columns) > 2]
    unnamed = [flower for flower, name in enumerate(FLOWER_NAMES, 1) if [name] not in shown]
    dealer = _read_deal(builder, rows[:SEATS], unnamed)
    winner = giver = None
    for builder.line, columns in enumerate(rows[SEATS:], 3 + SEATS):
        with builder.expect("a line of a game", "\t".join(columns)):
            seat = (take_seat(int(columns[0])) - dealer) % SEATS
            if columns[1] == _FLOWER:
                flower, = _NAME.findall(columns[2])
                builder.flower(seat, FLOWER_NAMES.index(flower) + 1)
            elif columns[1] not in _WIN_WORDS:
                _read_event(builder, seat, columns)
            elif columns is rows[-1]:
                winner, giver = seat, (take_seat(int(columns[4])) - dealer) % SEATS
                builder.take("HU", seat, columns[3])
    if winner is None:
        if points:
            builder.fail(Message("a win of %d points", points), Message("the end"))
        builder.drawn_out()
        return builder.finish([0] * SEATS, 0, clean_text(lines[0]))
    return _finish_win(builder, fans, points, name=clean_text(lines[0]), winner=winner, giver=giver)


def _finish_win(builder, fans, points, *, name, winner, giver):
    """Returns the Game after its win. fans: {name: points}. points: points won. giver: seat that gave the tile."""
    builder.line = 2
    flowers = sum(seat == winner for _, seat, _ in builder.flowers)
    if fans.get(FLOWER_FAN, 0) != flowers:
        builder.fail(Message("%d flowers of the winner", flowers), fans.get(FLOWER_FAN, 0))
    facts = OWN_SUITS if OWN_SUITS_FANS.intersection(fans) else 0
    total = points // 3 - 8 if winner == giver else points - 24
    scores = win_scores(winner, total, None if winner == giver else giver)
    return builder.finish(scores, facts, name, fan=sum(fans.values()) - flowers)


def _read_deal(builder, rows, unnamed):
    """Reads the deal. Returns the row of the dealer. unnamed: flowers that may have been dealt without a line."""
    deals = []
    for builder.line, columns in enumerate(rows, 3):
        row = builder.line - 3
        with builder.expect(Message("the deal of seat %d", row), "\t".join(columns)):
            if int(columns[0]) != row:
                raise ValueError
            deals.append((_NAME.findall(columns[1]), take_number(int(columns[2])), builder.line))
    dealers = [row for row, (tiles, _, _) in enumerate(deals) if len(tiles) == 14]
    builder.line = 3
    if len(dealers) != 1:
        builder.fail("one dealer with 14 tiles", [len(tiles) for tiles, _, _ in deals])
    deals = deals[dealers[0]:] + deals[:dealers[0]]
    for seat, (tiles, count, builder.line) in enumerate(deals):
        builder.deal(seat, tiles[:13])
        if not 0 <= count <= len(unnamed):
            builder.fail(Message("at most %d flowers of the deal", len(unnamed)), count)
        for _ in range(count):
            builder.flower(seat, unnamed.pop(0))
    builder.line = deals[0][2]
    builder.take("DRAW", 0, deals[0][0][13])
    return dealers[0]


def _read_event(builder, seat, columns):
    word, tiles = columns[1], _NAME.findall(columns[2])
    if not tiles:
        raise ValueError
    if word not in _EVENTS:
        builder.fail("an event of a game", word)
    if word in _CLAIMS and columns[3] not in tiles:
        raise ValueError
    # The line 补花 tells each flower, so a line of a draw that names a flower is skipped.
    if _EVENTS[word] != "DRAW" or tiles[0] not in FLOWER_NAMES:
        builder.take(_EVENTS[word], seat, sorted(tiles)[1] if word in _CLAIMS else tiles[0])
