"""The answer about a hand as lines of text."""

from ...mahjong.fan import MIN_FAN, sum_fans
from ...mahjong.tile import TILE_INDEX
from ..table.board import WINDS
from ..table.fan_names import ENGLISH_FANS
from .letters import format_tiles

_ACTIONS = {"PLAY": "discard", "GANG": "kong", "BUGANG": "add to pung"}
_NOTES = {"z_order": "5z, 6z and 7z were read as white, green and red, the order of riichi mahjong.",
          "flags": "The four digits are about a win: they count when the hand has 14 tiles."}
_WAYS = ("self-drawn", "on a discard")


def format_answer(answer):
    """The lines of answer.answer_hand's dict."""
    hand = answer["hand"]
    lines = ["%s   %s round, %s seat" % (hand["text"], WINDS[hand["prevalent_wind"]], WINDS[hand["seat_wind"]])]
    lines += [_NOTES[name] for name in hand["notes"]]
    if answer["win"]:
        lines += _format_win(hand, answer["win"])
    if answer["leads"]:
        lines += _format_leads(answer["leads"])
    if answer["moves"]:
        lines += ["%s. Moves, with the points that search expects of each:" % _format_distance(answer["shanten"])]
        lines += _format_moves(answer["moves"])
    return "\n".join(lines)


def _format_win(hand, win):
    way, other = _WAYS if hand["is_self_drawn"] else _WAYS[::-1]
    lines = ["%s of %d fan %s%s; %s it counts %d" % (
        "A win" if win["legal"] else "No legal win: a complete hand", win["fan"], way,
        "" if win["legal"] else ", %d are needed" % MIN_FAN, other, win["other_way"])]
    lines += ["%5d  %s" % (points * copies, _name_fan(name) + (" x%d" % copies if copies > 1 else ""))
              for points, copies, name in win["fans"]]
    if hand["flowers"]:
        lines.append("%5d  Flowers, %d fan in all" % (hand["flowers"], win["total"]))
    return lines


def _format_leads(leads):
    lines = ["%s; %s" % (_format_distance(leads["shanten"]), "no hand of %d fan in reach" % MIN_FAN
                         if leads["eight_fan"] is None else "%d from a hand of %d fan" % (leads["eight_fan"], MIN_FAN))]
    for name, copies, *ways in leads["waits"]:
        lines.append("wins on %s, %d left" % (_name_tile(name), copies))
        for way, fans in zip(_WAYS, ways):
            told = ", ".join("%s %d" % (_name_fan(fan), points * count) for points, count, fan in fans)
            lines.append("%5d  %s: %s" % (sum_fans(fans), way, told))
    if not leads["waits"]:
        lines.append("useful: " + _format_tiles(leads["useful"]))
    if leads["aims"]:
        lines.append("hands of %d fan in reach: %s" % (MIN_FAN, _format_aims(leads["aims"])))
    return lines


def _format_moves(moves):
    for move in moves:
        kind, *names = move["action"].split()
        yield "%+7.2f  %s %s: %s; useful %s" % (
            move["points"], _ACTIONS[kind], " ".join(map(_name_tile, names)), _format_distance(move["shanten"]).lower(),
            _format_tiles(move["useful"]))
        if move["wins"]:
            yield "%15s %s" % ("wins on", ", ".join("%s (%d fan%s)" % (
                _name_tile(name), fan or self_drawn, ", self-drawn" * (fan is None))
                for name, _, fan, self_drawn in move["wins"]))
        elif move["aims"]:
            yield "%15s %s" % ("near to", _format_aims(move["aims"]))


def _format_distance(shanten):
    return "Ready" if shanten == 0 else "%d from ready" % shanten if shanten > 0 else "Complete"


def _format_tiles(tiles):
    """Tiles, entries [name, copies left], with their sum."""
    listed = " ".join("%sx%d" % (_name_tile(name), left) for name, left in tiles)
    return "%d: %s" % (sum(left for _, left in tiles), listed)


def _format_aims(aims):
    return ", ".join("%s (%d tile%s)" % (_name_fan(fan), missing, "s" * (missing > 1)) for fan, missing in aims)


def _name_tile(name):
    return format_tiles([TILE_INDEX[name]])


def _name_fan(name):
    return "%s %s" % (ENGLISH_FANS.get(name, name), name)
