"""The answer about a hand, as JSON."""

from ...mahjong.action import format_action
from ...mahjong.fan import MIN_FAN, sum_fans
from ...mahjong.rules import SEATS, is_fourth_tile
from ...mahjong.tile import TILE_INDEX, TILE_NAMES, list_tiles
from ...tactic import REVIEWER, load_tactic
from ..links.links import find_calculated_hand
from ..review.facts import Facts
from ..run.command import check_fan_counter
from .improvements import describe_ready_hand
from .notation import find_notation, format_hand, format_meld, list_notes, parse_hand
from .hand_position import HandState, parse_rivers, parse_unseen
from .rule_sets import RULE_SETS, list_differences, list_fans


def answer_texts(hand, river="", unseen="", *, winds="", is_whole=True, notation="", rules=""):
    """Returns the answer about a hand and the table, which texts describe.

    hand: as notation.parse_hand reads it, or a link of tziakcha.net's calculator. river: as position.parse_rivers reads
    it. unseen: as position.parse_unseen reads it. winds: those of a hand that names none, as "SE".
    is_whole: whether the hand must have 13 or 14 tiles. The answer about another hand has only "hand", "rivers" and
    "melds".
    notation: of the hand's text in the answer, a name of letters.py; "" for the one that the hand came in.
    rules: a name of rule_sets.RULE_SETS, by which wins are counted; "" for the first one.
    Raises InvalidHandError: with the text that is wrong.
    """
    text = find_calculated_hand(hand) or hand
    notation = notation or find_notation(text)
    hand = parse_hand(text, winds, is_whole)
    rivers, melds = parse_rivers(river, hand.seat_wind)
    state = HandState(hand, rivers, melds, unseen=parse_unseen(unseen))
    facts = dict(hand._asdict(), text=format_hand(hand, notation), notation=notation,
                 notes=list_notes(text), tiles=[TILE_NAMES[tile] for tile in hand.tiles],
                 size=hand.size, melds=_describe_melds(hand.melds, hand.seat_wind))
    answer = {"hand": facts, "rivers": [[TILE_NAMES[tile] for tile in river] for river in rivers],
              "melds": [_describe_melds(of_seat, (hand.seat_wind + offset) % SEATS)
                        for offset, of_seat in enumerate(melds)]}
    return dict(answer, **answer_hand(hand, state, rules or RULE_SETS[0])) if hand.size >= 13 else answer


def answer_hand(hand, state, rules=RULE_SETS[0]):
    """Returns what there is to say about a hand of 13 or 14 tiles.

    hand: notation.WrittenHand. state: hand_position.HandState of it. rules: a name of rule_sets.RULE_SETS.
    Returns a dict of

        rules    the name of the rules
        shanten  -1 for a winning hand, 0 for a ready one
        win      None, or of a winning hand: fans, list of (points, copies, the judge's name) without flowers; fan,
                 their sum; total, with flowers; legal, whether the win is allowed; other_way, the sum if it is
                 self-drawn and the hand says it is not, or the other way round, without a kong's draw and a robbed
                 kong; others, list of (reason, sum) of those who count otherwise, as rule_sets.list_differences
        leads    of 13 tiles: what they lead to, as review/facts.py describes an action's facts; eight_fan, the tiles
                 missing to the nearest hand of eight fan, None for none in reach; waits, list of [tile name, copies
                 unseen, fans if self-drawn, fans on a discard]; others, the reasons for which somebody counts a wait
                 otherwise; of a ready hand, value and improvements, as improvements.describe_ready_hand
        moves    of 14 tiles: list of dicts, the best first, with action, Botzone's text; points that the tactic expects
                 of it; and what it leads to, as leads without waits. Empty where the tactic declares a win

    Raises ProtocolError: MahjongGB is not installed.
    """
    check_fan_counter()
    facts = Facts(state)
    answer = {"rules": rules, "shanten": -1, "win": None, "leads": None, "moves": []}
    if hand.size == 13:
        leads = answer["leads"] = _describe_leads(facts.describe(("PASS",)))
        leads["waits"], leads["others"] = _list_waits(hand, state, leads, rules)
        if leads["shanten"] == 0:
            leads.update(describe_ready_hand(hand, state))
        answer["shanten"] = leads["shanten"]
        return answer
    win = answer["win"] = describe_win(hand, state, rules)
    if not (win and win["legal"]):
        tactic = load_tactic(REVIEWER)
        tactic(state)
        answer["moves"] = [
            dict(_describe_leads(facts.describe(action)), action=format_action(action), points=round(points, 3))
            for action, points in tactic.ranked]
    if not win:
        answer["shanten"] = min((move["shanten"] for move in answer["moves"]), default=0)
    return answer


def _describe_melds(melds, owner):
    return [[format_meld(meld, owner), *meld.cards] for meld in melds]


def _describe_leads(found):
    nearest = [missing for _, missing in found["aims"]] + [1] * bool(found["wins"])
    return dict(found, eight_fan=min(nearest, default=None))


def _list_waits(hand, state, leads, rules):
    """(waits, reasons of others) of answer_hand's leads."""
    waits, reasons = [], {}
    if leads["shanten"] == 0:
        for name, copies in leads["useful"]:
            ways = [_make_arguments(hand, state, list_tiles(hand.counts) + [name], is_self_drawn=way)
                    for way in (True, False)]
            waits.append([name, copies, *(list_fans(rules, *tiles, **facts) for tiles, facts in ways)])
            reasons.update((reason, None) for tiles, facts in ways
                           for reason, _ in list_differences(rules, *tiles, **facts))
    return waits, list(reasons)


def describe_win(hand, state, rules):
    """Returns "win" of answer_hand for a hand of 14 tiles. hand, state, rules: as answer_hand takes them."""
    tiles = [TILE_NAMES[tile] for tile in hand.tiles]
    words, facts = _make_arguments(hand, state, tiles, is_self_drawn=hand.is_self_drawn)
    facts.update(is_fourth_tile=facts["is_fourth_tile"] or hand.is_fourth_tile, is_last_tile=hand.is_last_tile)
    # A kong's draw is no discard, and nobody draws the tile of a robbed kong.
    other = list_fans(rules, *words, **dict(facts, is_self_drawn=not hand.is_self_drawn))
    facts["is_about_kong"] = hand.is_about_kong
    fans = list_fans(rules, *words, **facts)
    if not fans:
        return None
    fan = sum_fans(fans)
    return {"fans": fans, "fan": fan, "total": fan + hand.flowers, "legal": fan >= MIN_FAN,
            "other_way": sum_fans(other), "others": list_differences(rules, *words, **facts)}


def _make_arguments(hand, state, tiles, *, is_self_drawn):
    """((pack, hand, winning tile), the other arguments by name) of rule_sets.list_fans. tiles: names, that one last."""
    pack = tuple(meld.as_pack(state.my_pid) for meld in hand.melds)
    return (pack, tuple(tiles[:-1]), tiles[-1]), {
        "is_self_drawn": is_self_drawn, "is_fourth_tile": is_fourth_tile(state.shown, TILE_INDEX[tiles[-1]]),
        "is_about_kong": False, "is_last_tile": False, "seat_wind": state.my_pid,
        "prevalent_wind": hand.prevalent_wind}
