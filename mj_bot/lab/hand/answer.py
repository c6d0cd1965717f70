"""Computes the answer about a hand as a dict for JSON."""

from ...mahjong.action import format_action
from ...mahjong.fan import MIN_FAN, WinFacts, sum_fans
from ...mahjong.rules import SEATS, is_fourth_tile
from ...mahjong.state import GameState
from ...mahjong.tile import TILE_INDEX, TILE_NAMES, list_tiles
from ...tactic import REVIEWER, load_tactic
from ..links.links import find_calculated_hand
from ..review.facts import Facts
from .improvements import describe_ready_hand
from .notation import WrittenHand, find_notation, format_hand, format_meld, list_notes, parse_hand
from .hand_position import make_hand_state, parse_rivers, parse_unseen
from .rule_sets import RULE_SETS, Win, count_by_rules, list_differences


def answer_texts(
        hand: str, river: str = "", unseen: str = "", *, winds: str = "", is_whole: bool = True, notation: str = "",
        rules: str = "") -> dict:
    """Returns the answer about a hand and the table, which texts describe.

    hand: text of the hand, such as "[EEE,2]123m456s55pNN|EE", or a link of tziakcha.net's calculator.
    river: discards and open melds of each seat, the hand's owner first, with "/" between seats, such as "19mE/5p".
    unseen: copies of tiles that the owner does not see, such as "5p=0 E=1".
    winds: prevalent wind and seat wind of a hand that does not name them, such as "SE".
    is_whole: whether the hand must have 13 or 14 tiles. If not, the answer about a smaller hand has only the keys
        "hand", "rivers" and "melds".
    notation: name of the notation of the hand in the answer; "" for the notation in which it came.
    rules: one of rule_sets.RULE_SETS, by which wins are counted; "" for the first one.
    Raises InvalidHandError: the message has the piece of text that is wrong.
    """
    text = find_calculated_hand(hand) or hand
    notation = notation or find_notation(text)
    hand = parse_hand(text, winds, is_whole)
    rivers, melds = parse_rivers(river, hand.seat_wind)
    state = make_hand_state(hand, rivers, melds, unseen=parse_unseen(unseen))
    facts = dict(hand._asdict(), text=format_hand(hand, notation), notation=notation,
                 notes=list_notes(text), tiles=[TILE_NAMES[tile] for tile in hand.tiles],
                 size=hand.size, melds=_describe_melds(hand.melds, hand.seat_wind))
    answer = {"hand": facts, "rivers": [[TILE_NAMES[tile] for tile in river] for river in rivers],
              "melds": [_describe_melds(of_seat, (hand.seat_wind + offset) % SEATS)
                        for offset, of_seat in enumerate(melds)]}
    return dict(answer, **answer_hand(hand, state, rules or RULE_SETS[0])) if hand.size >= 13 else answer


def answer_hand(hand: WrittenHand, state: GameState, rules: str = RULE_SETS[0]) -> dict:
    """Returns the answer about a hand of 13 or 14 tiles.

    state: the hand as a GameState. rules: one of rule_sets.RULE_SETS, by which wins are counted.
    Returns a dict with these keys:

        rules    name of the rules
        shanten  -1 for a complete hand, even if it has too few fan to win; 0 for a ready hand
        win      what describe_win returns for a hand of 14 tiles; None for other hands
        leads    for a hand of 13 tiles, a dict of what it may become: the facts that review/facts.py lists, and
                 waits, list of [tile name, copies unseen, fans if self-drawn, fans on a discard];
                 others, reasons for which other rules count a wait otherwise;
                 value and improvements, as improvements.describe_ready_hand returns them, if the hand is ready
        moves    for a hand of 14 tiles, a list of dicts, the best move first: action, Botzone's text; points that the
                 tactic expects; the facts that review/facts.py lists. The list is empty if the hand is a legal win.
    """
    facts = Facts(state)
    if hand.size == 13:
        leads = dict(facts.describe(("PASS",)))
        leads["waits"], leads["others"] = _list_waits(hand, state, leads, rules=rules)
        if leads["shanten"] == 0:
            leads.update(describe_ready_hand(hand, state))
        return {"rules": rules, "shanten": leads["shanten"], "win": None, "leads": leads, "moves": []}
    win = describe_win(hand, state, rules)
    moves = [] if win and win["legal"] else _list_moves(state, facts)
    shanten = -1 if win else min((move["shanten"] for move in moves), default=0)
    return {"rules": rules, "shanten": shanten, "win": win, "leads": None, "moves": moves}


def _describe_melds(melds, owner):
    """Returns a list [text of the meld, names of its tiles ...] for each meld. owner: seat that has the melds."""
    return [[format_meld(meld, owner), *meld.cards] for meld in melds]


def _list_moves(state, facts):
    """Returns "moves" of answer_hand, the best first. facts: Facts of the state."""
    tactic = load_tactic(REVIEWER)
    tactic(state)
    return [dict(facts.describe(action), action=format_action(action), points=round(points, 3))
            for action, points in tactic.ranked]


def _list_waits(hand, state, leads, *, rules):
    """Returns (waits, others) of the "leads" of a hand of 13 tiles. leads: the dict without these two keys."""
    waits, reasons, tiles = [], {}, list_tiles(hand.counts)
    if leads["shanten"] == 0:
        for name, copies in leads["useful"]:
            ways = [_make_win(hand, state, tiles + [name], is_self_drawn=way) for way in (True, False)]
            waits.append([name, copies, *(count_by_rules(rules, win) for win in ways)])
            reasons.update((reason, None) for win in ways for reason, _ in list_differences(rules, win))
    return waits, list(reasons)


def describe_win(hand: WrittenHand, state: GameState, rules: str) -> dict | None:
    """Returns the win of a hand of 14 tiles, or None if the hand is not complete.

    state: the hand as a GameState. rules: one of rule_sets.RULE_SETS, by which the fans are counted.
    Returns a dict with these keys:

        fans       list of (points, copies, the judge's name) without flowers
        fan        their sum
        total      their sum with flowers
        legal      whether the sum reaches the eight fan that a win needs
        other_way  sum of the fans if a self-drawn win were on a discard, or the reverse; a draw after a kong or a
                   robbed kong does not count in this sum
        others     list of (reason, sum) of other rules that count otherwise, as rule_sets.list_differences returns it
    """
    win = _make_win(hand, state, [TILE_NAMES[tile] for tile in hand.tiles], is_self_drawn=hand.is_self_drawn)
    facts = win.facts._replace(is_fourth_tile=win.facts.is_fourth_tile or hand.is_fourth_tile,
                               is_last_tile=hand.is_last_tile)
    # A kong's draw is no discard, and nobody draws the tile of a robbed kong.
    other = count_by_rules(rules, win._replace(facts=facts._replace(is_self_drawn=not hand.is_self_drawn)))
    win = win._replace(facts=facts._replace(is_about_kong=hand.is_about_kong))
    fans = count_by_rules(rules, win)
    if not fans:
        return None
    fan = sum_fans(fans)
    return {"fans": fans, "fan": fan, "total": fan + hand.flowers, "legal": fan >= MIN_FAN,
            "other_way": sum_fans(other), "others": list_differences(rules, win)}


def _make_win(hand, state, tiles, *, is_self_drawn):
    """Returns the Win of a hand's owner. tiles: names of the concealed tiles, the winning tile last."""
    facts = WinFacts(is_self_drawn=is_self_drawn, is_fourth_tile=is_fourth_tile(state.shown, TILE_INDEX[tiles[-1]]),
                     seat_wind=state.my_pid, prevalent_wind=hand.prevalent_wind)
    return Win(tuple(meld.as_pack(state.my_pid) for meld in hand.melds), tuple(tiles[:-1]), tiles[-1], facts)
