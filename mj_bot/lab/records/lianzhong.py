"""The text format of the Lianzhong platform's games between people: one game a file, columns apart by tabs.

    ./2017/2017-01-01/345201.xml                            where it came from
    东  57  ['小于五-12','碰碰和-6','花牌-2']  (empty)  和牌       prevalent wind, points won, fans, how it ended
    0   ['B4','B6', ...]   1                                a line a seat: tiles dealt, flowers replaced then; the
                                                            dealer has 14, the last one is its first draw
    1   摸牌  ['J2']                                          seat, event, tiles; empty columns follow
    2   吃   ['W5','W6','W7']  W6  1                          of a claim also the claimed tile and who gave it
    2   和牌  ['T3']  T3  2                                    the winner itself gives a self-drawn tile

The dealer becomes seat 0. The seats share one wall of 144 tiles there, flowers are replaced, and each of the winner's
counts as a fan beside the eight. Here every seat has a wall of its own: a game is read as if it had been played so, and
refused where a seat draws more than its wall holds; drawn, it may end before these walls are empty. Claims that were
overruled are left out.
"""

import re

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS, win_scores
from ...mahjong.tile import FLOWER_NAMES, TILE_INDEX, TILE_NAMES
from ..table.referee import ADDED, DISCARDED, DRAWN
from .builder import build_game, parse_seat
from .follow import follow_to_end, list_answers
from .game import OWN_SUITS, OWN_SUITS_FANS, SHARED_WALL
from .shapes import clean_text, take_number

_WINDS = "东南西北"
_DRAWS = ("摸牌", "杠后摸牌", "补花后摸牌")
_FLOWER = "补花"
_WIN_WORDS = ("和牌", "自摸", "抢杠和")
_CLAIMS = {"吃": "CHI", "碰": "PENG", "明杠": "GANG"}
_OWN_KONGS = {"暗杠": False, "补杠": True}
_WORDS = {"CHI": "吃", "PENG": "碰", "GANG": "明杠", "HU": "和牌"}
_OWN_WORDS = {"PLAY": "打牌", "GANG": "暗杠", "BUGANG": "补杠", "HU": "和牌"}
_DRAWN_OUT = "荒庄"
_FLOWER_FAN = "花牌"

_NAME = re.compile(r"'([^']*)'")


def is_lianzhong(text):
    """Whether a text is of this format."""
    return re.match(r"[^\n]*\n[%s][^\n]*\t[^\n]*\n[0-3]\t\[" % _WINDS, text) is not None


def parse_lianzhong(text, first_line=1, where="text"):
    """The Game of the text of one file.

    where: text that names the source.
    Raises BrokenGameError: text that is not of this format, or a game that walls of the duplicate format cannot give;
        with the game before it.
    """
    return build_game(_read_game, where, text.rstrip().split("\n"), first_line)


def _read_game(builder, lines, first_line):
    builder.line = first_line
    if len(lines) < 2 + SEATS:
        builder.fail("a head of %d lines" % (2 + SEATS), "\n".join(lines))
    builder.line = first_line + 1
    try:
        head = lines[1].split("\t")
        builder.wind, points = _WINDS.index(head[0]), take_number(int(head[1] or 0))
        fans = [fan.rpartition("-") for fan in _NAME.findall(head[2])]
        fans = {fan: take_number(int(worth)) for fan, _, worth in fans}
    except (ValueError, IndexError):
        builder.fail("wind, points and fans", lines[1])
    rows = [line.split("\t") for line in lines[2:]]
    dealer, flowers = _read_deal(builder, rows[:SEATS])
    winner = None
    for builder.line, columns in enumerate(rows[SEATS:], first_line + 2 + SEATS):
        try:
            seat = (parse_seat(columns[0]) - dealer) % SEATS
            if columns[1] == _FLOWER:
                flowers[seat] += len(_NAME.findall(columns[2]))
            elif columns[1] in _WIN_WORDS:
                winner, giver = seat, (parse_seat(columns[4]) - dealer) % SEATS
                builder.win(seat, columns[3])
            else:
                _read_event(builder, seat, columns)
        except MahjongError:
            raise
        except (IndexError, ValueError):
            builder.fail("a line of a game", "\t".join(columns))
    if winner is None:
        if points:
            builder.fail("a win of %d points" % points, "the end")
        builder.drawn_out()
        return builder.finish([0] * SEATS, SHARED_WALL, clean_text(lines[0]))
    builder.line = first_line + 1
    if fans.get(_FLOWER_FAN, 0) != flowers[winner]:
        builder.fail("%d flowers of the winner" % flowers[winner], fans.get(_FLOWER_FAN, 0))
    if sum(flowers) > len(FLOWER_NAMES):
        builder.fail("at most %d flowers" % len(FLOWER_NAMES), sum(flowers))
    facts = SHARED_WALL | (OWN_SUITS if OWN_SUITS_FANS.intersection(fans) else 0)
    total = points // 3 - 8 if winner == giver else points - 24
    scores = win_scores(winner, total, None if winner == giver else giver)
    return builder.finish(scores, facts, clean_text(lines[0]), flowers=flowers[winner],
                          fan=sum(fans.values()) - flowers[winner])


def _read_deal(builder, rows):
    """(the dealer's number, flowers of each seat from the dealer on)."""
    deals = []
    first_line = builder.line + 1
    for place, columns in enumerate(rows):
        builder.line = first_line + place
        try:
            if int(columns[0]) != place:
                raise ValueError
            deals.append((_NAME.findall(columns[1]), take_number(int(columns[2])), builder.line))
        except (IndexError, ValueError):
            builder.fail("the deal of seat %d" % place, "\t".join(columns))
    dealers = [place for place, (tiles, _, _) in enumerate(deals) if len(tiles) == 14]
    builder.line = first_line
    if len(dealers) != 1:
        builder.fail("one dealer with 14 tiles", [len(tiles) for tiles, _, _ in deals])
    deals = deals[dealers[0]:] + deals[:dealers[0]]
    for seat, (tiles, _, builder.line) in enumerate(deals):
        builder.deal(seat, tiles[:13])
    builder.line = deals[0][2]
    builder.draw(0, deals[0][0][13])
    return dealers[0], [count for _, count, _ in deals]


def _read_event(builder, seat, columns):
    word, tiles = columns[1], _NAME.findall(columns[2])
    if not tiles:
        raise ValueError
    if word in _DRAWS:
        # A flower stands here again where it is replaced.
        if tiles[0] not in FLOWER_NAMES:
            builder.draw(seat, tiles[0])
    elif word == "打牌":
        builder.discard(seat, tiles[0])
    elif word in _OWN_KONGS:
        builder.own_kong(seat, tiles[0], _OWN_KONGS[word])
    elif word in _CLAIMS:
        if columns[3] not in tiles:
            raise ValueError
        builder.claim(seat, _CLAIMS[word], sorted(tiles)[1])
    else:
        builder.fail("an event of a game", word)


def format_lianzhong(game):
    """The text of a game, ended by a newline; the dealer is seat 0, its flowers were dealt.

    Raises IllegalActionError: a game that is not legal. ProtocolError: one that ends by an error or not at all.
    """
    rows = []
    referee = follow_to_end(game, lambda referee, responses: _write_step(rows, referee, responses))
    fans = [(name, points * copies) for points, copies, name in referee.fans]
    if game.flowers:
        fans.append((_FLOWER_FAN, game.flowers))
    deals = [list(tiles) for tiles in referee.dealt]
    # The first event is the dealer's draw, which this format deals.
    deals[0].append(rows.pop(0)[3])
    lines = [game.name or "-", "\t".join((
        _WINDS[game.wind], str(max(game.scores)), _format_names("%s-%d" % fan for fan in fans), "",
        _DRAWN_OUT if referee.culprit is None else "自摸" if referee.giver is None else "和牌"))]
    for seat, tiles in enumerate(deals):
        lines.append("%d\t%s\t%d" % (seat, _format_names(tiles), game.flowers if seat == referee.culprit else 0))
    lines += [_format_row(*row) for row in rows]
    return "\n".join(lines) + "\n"


def _format_names(names):
    return "[%s]" % ",".join("'%s'" % name for name in names)


def _write_step(rows, referee, responses):
    if referee.phase == DRAWN:
        seat, drawn = referee.turn, TILE_NAMES[referee.last_tile]
        rows.append((seat, _DRAWS[referee.is_after_kong], 1, drawn, None))
        action = responses[seat].split()
        tile = action[1] if action[1:] else drawn
        copies = 4 if "GANG" in action[0] else 1
        rows.append((seat, _OWN_WORDS[action[0]], copies, tile, None if action[0] == "PLAY" else seat))
    elif referee.phase in (DISCARDED, ADDED):
        answers = list_answers(referee, responses)
        if answers:
            seat, action = answers[0]
            claimed = TILE_NAMES[referee.last_tile]
            copies = action[1] if action[0] == "CHI" else {"PENG": 3, "GANG": 4, "HU": 1}[action[0]]
            rows.append((seat, _WORDS[action[0]], copies, claimed, referee.turn))
            if action[0] in ("CHI", "PENG"):
                rows.append((seat, _OWN_WORDS["PLAY"], 1, action[-1], None))


def _format_row(seat, word, copies, tile, giver):
    """copies: of the tile, or the middle tile of a chow."""
    if isinstance(copies, str):
        middle = TILE_INDEX[copies]
        tiles = TILE_NAMES[middle - 1:middle + 2]
    else:
        tiles = [tile] * copies
    end = "" if giver is None else "%s\t%d" % (tile, giver)
    return "%d\t%s\t%s\t%s" % (seat, word, _format_names(tiles), end)
