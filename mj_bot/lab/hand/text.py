"""Writes the answer about a hand as lines of text."""

from ...mahjong.errors import Message
from ...mahjong.fan import MIN_FAN, sum_fans
from ...mahjong.tile import TILE_INDEX
from ..table.board import WINDS
from ..table.fan_names import ENGLISH_FANS
from ..words import get_language, say
from .letters import format_tiles
from .rule_sets import RULE_SETS

_ACTIONS = {"PLAY": "discard", "GANG": "kong", "BUGANG": "add to pung"}
_OTHERS = {
    "knitted_wait": "A wait inside a knitted straight: MIL, salasasa and newer calculators count it (1 fan), the judge "
                    "of Botzone does not",
    "mixed_kongs": "One concealed and one melded kong: the Green Book counts 6 fan, others 5",
    "exhausted_wait": "The hand has all copies of the second tile that would win: some count the wait on the other "
                      "tile as the only one (1 fan)"}
_NOTES = {"red_five": "0 was read as a five: this game has no red fives.",
          "z_order": "5z, 6z and 7z were read as white, green and red, the order of riichi mahjong.",
          "flags": "The four digits are about a win: they count when the hand has 14 tiles."}
_WAYS = ("self-drawn", "on a discard")


def format_answer(answer: dict) -> str:
    """Returns the lines of text for a dict that answer.answer_texts returned. Tiles are in the notation of the hand."""
    hand = answer["hand"]
    write = _make_writer(hand["notation"])
    lines = [say(
        "%s   %s round, %s seat%s", hand["text"], say(WINDS[hand["prevalent_wind"]]), say(WINDS[hand["seat_wind"]]),
        "" if answer["rules"] == RULE_SETS[0] else Message(", counted by the rules of %s", answer["rules"]))]
    lines += [say(_NOTES[name]) for name in hand["notes"]]
    if answer["win"]:
        lines += _format_win(hand, answer["win"])
    if answer["leads"]:
        lines += _format_leads(hand, answer["leads"], write)
    if answer["moves"]:
        lines += [say("%s. Moves, with the points that search expects of each:", _format_distance(answer["shanten"]))]
        lines += _format_moves(answer["moves"], write)
    return "\n".join(lines)


def _format_win(hand, win):
    """Returns the lines about a win. hand, win: dicts of the answer."""
    way, other = map(say, _WAYS if hand["is_self_drawn"] else _WAYS[::-1])
    told = Message("A win of %d fan %s", win["fan"], way) if win["legal"] else Message(
        "No legal win: a complete hand of %d fan %s, %d are needed", win["fan"], way, MIN_FAN)
    lines = [say("%s; %s it counts %d", told, other, win["other_way"])]
    lines += ["%5d  %s" % (points * copies, _name_copies(name, copies)) for points, copies, name in win["fans"]]
    if hand["flowers"]:
        lines.append("%5d  %s" % (hand["flowers"], say(
            *("Flowers, %d fan in all", win["total"]) if win["legal"] else
            ("Flowers, which do not count towards the %d", MIN_FAN))))
    return lines + [say("%s: %d fan.", say(_OTHERS[reason]), fan) for reason, fan in win["others"]]


def _format_leads(hand, leads, write):
    """Returns the lines about a hand of 13 tiles. write: function that writes a tile."""
    told = _format_distances(leads)
    lines = [told[:1].upper() + told[1:]]
    blocks = {}  # Waits with equal fans are shown together.
    for name, copies, *ways in leads["waits"]:
        blocks.setdefault(str(ways), (ways, []))[1].append((name, copies))
    for ways, tiles in blocks.values():
        lines.append(say(
            "wins on %s, %d left", " ".join(write(name) for name, _ in tiles), sum(copies for _, copies in tiles)))
        for way, fans in zip(_WAYS, ways):
            told = ["%s %d" % (_name_copies(fan, copies), points * copies) for points, copies, fan in fans]
            told += [say("Flowers %d", hand["flowers"])] * bool(hand["flowers"])
            is_legal = sum_fans(fans) >= MIN_FAN
            lines.append("%5d  %s" % (sum_fans(fans) + hand["flowers"], say(
                "%s: %s" if is_legal else "%s, no legal win: %s", say(way), _list(told))))
    lines += [say("%s.", say(_OTHERS[reason])) for reason in leads["others"]]
    if leads.get("value") is not None:
        lines.append(say("value: %+.2f points, as search expects them if the next tile changes nothing",
                         leads["value"]))
    for entry in leads.get("improvements", []):
        lines.append(say(
            "better: draw %s (%d left), %s: wins on %s (%+.2f)", write(entry["draw"]), entry["copies"],
            _format_action(entry["action"], write), _format_wins(entry["wins"], write), entry["gain"]))
    if not leads["waits"]:
        lines.append(_format_useful(leads, write))
    if leads["targets"] and not leads["wins"]:
        lines.append(say("hands of %d fan in reach: %s", MIN_FAN, _format_aims(leads["targets"])))
    return lines


def _format_moves(moves, write):
    """Yields the lines about the moves of a hand of 14 tiles. write: function that writes a tile."""
    for move in moves:
        yield "%+7.2f  %s" % (move["points"], say("%s: %s; %s", _format_action(move["action"], write),
                                                  _format_distances(move), _format_useful(move, write)))
        if move["wins"]:
            yield "%15s %s" % (say("wins on"), _format_wins(move["wins"], write))
        elif move["targets"]:
            yield "%15s %s" % (say("near to"), _format_aims(move["targets"]))


def _make_writer(notation):
    """Returns a function that writes a tile, given by Botzone's name, in a notation."""
    return lambda name: format_tiles([TILE_INDEX[name]], notation)


def _format_action(action, write):
    verb, *names = action.split()
    return " ".join([say(_ACTIONS[verb]), *map(write, names)])


def _format_distance(shanten):
    if shanten is None:
        return say("No hand of %d fan in reach", MIN_FAN)
    return say("%d from ready", shanten) if shanten > 0 else say("Ready" if shanten == 0 else "Complete")


def _format_distances(facts):
    """Returns the distance to a hand of eight fan, and the distance to any complete hand if that differs."""
    distance, shanten = facts["distance_to_8_fan"], facts["shanten"]
    plain = say(" (without counting fan: %s)", _format_distance(shanten).lower()) if distance != shanten else ""
    return _format_distance(distance).lower() + plain


def _format_useful(facts, write):
    """Returns the tiles that win with eight fan, or that bring such a win nearer, and the number of their copies."""
    tiles = [(name, left) for name, left, *_ in facts["wins"] or facts["improving"] if left]
    listed = " ".join("%sx%d" % (write(name), left) for name, left in tiles)
    return say("useful %d: %s", sum(left for _, left in tiles), listed)


def _format_wins(wins, write):
    return _list(say("%s (%d fan, self-drawn)" if fan is None else "%s (%d fan)", write(name), fan or self_drawn)
                 for name, _, fan, self_drawn in wins)


def _format_aims(aims):
    return _list(say("%s (%s)", _name_fan(fan), _format_distance(missing - 1).lower()) for fan, missing in aims)


def _list(texts):
    """Returns texts in a line, with the comma of the language of this process."""
    return ("、" if get_language() == "zh" else ", ").join(texts)


def _name_copies(name, copies):
    return _name_fan(name) + (" x%d" % copies if copies > 1 else "")


def _name_fan(name):
    return name if get_language() == "zh" else "%s %s" % (ENGLISH_FANS.get(name, name), name)
