"""What is said about hands: against the fans of recorded wins, MahjongGB, and the states of recorded games."""

import json
import os
from collections import Counter

import MahjongGB
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.hand.answer import answer_texts
from mj_bot.lab.hand.notation import WrittenHand, format_hand, parse_hand
from mj_bot.lab.hand.hand_position import make_hand_state
from mj_bot.lab.hand.rule_sets import RULE_SETS
from mj_bot.lab.records.source import list_files, read_games
from mj_bot.lab.review.decisions import replay
from mj_bot.lab.table.players import make_tactic_player
from mj_bot.lab.table.game_referee import ADDED, DRAWN
from mj_bot.mahjong.errors import InvalidHandError
from mj_bot.mahjong.rules import is_fourth_tile, is_last_tile
from mj_bot.mahjong.tile import TILE_INDEX, TILE_NAMES, list_tiles
from tests.golden_games import with_samples
from tests.lab.review.games import golden_records, start_referee


def list_kinds(counts):
    return [tile for tile, count in enumerate(counts) for _ in range(count)]


def find_winning_hand(record):
    """The WrittenHand that wins a record, by the referee, who knows no GameState."""
    referee = start_referee(record)
    for step in record.steps[:-1]:
        referee.step([answer.response for answer in step.answers])
    responses = [answer.response for answer in record.steps[-1].answers]
    seat = next(seat % 4 for seat in range(referee.turn, referee.turn + 4) if responses[seat % 4] == "HU")
    is_self_drawn, tile = referee.phase == DRAWN, referee.last_tile
    counts = list(referee.hands[seat])
    counts[tile] -= is_self_drawn
    return WrittenHand(
        tuple(list_kinds(counts) + [tile]), tuple(referee.melds[seat]), referee.prevalent_wind, seat, is_self_drawn,
        is_fourth_tile(referee.shown, tile), is_last_tile(referee.walls_left, referee.turn),
        referee.phase == ADDED or (is_self_drawn and referee.is_after_kong),
        referee.flower_counts[seat] if record.has_one_wall else 0)


def check_wins(records):
    """Compares the sums with the records' scores, and the fans with the judge's; returns how many there were."""
    checked = 0
    for record in records:
        if not record.closing or record.closing["action"] != "HU":
            continue
        hand = find_winning_hand(record)
        win = answer_texts(format_hand(hand))["win"]
        assert win["legal"] and win["total"] == (max(record.scores) - 24) // (3 if hand.is_self_drawn else 1)
        told = [(fan["value"], fan["cnt"]) for fan in record.closing["fan"] if fan["name"] != "花牌"]
        # One recorded hand can be divided in two ways of the same worth.
        assert sorted((points, copies) for points, copies, _ in win["fans"]) == sorted(told)
        checked += 1
    return checked


@with_samples
def test_fans_of_recorded_wins(folder):
    """Of Botzone, the organisers, tziakcha, salasasa and Lianzhong, in each format of theirs that there is."""
    checked = Counter()
    for path in list_files([str(folder)]):
        checked[os.path.basename(path)] = check_wins(
            game.record for game in read_games(path) if game.error is None and game.record and game.record.scores)
    assert len([count for count in checked.values() if count]) > 3


def test_fans_of_the_recorded_judge():
    assert check_wins(golden_records(60, "stacked") + golden_records(60)) > 100


def test_the_example_of_the_notation():
    answer = answer_texts("[EEE,2][SSSS,1]WWWNN55pN|EE1000|c")
    assert answer["win"] == {
        "fans": [(88, 1, "大四喜"), (6, 1, "混一色"), (2, 1, "双暗刻"), (1, 1, "明杠"), (1, 1, "自摸")],
        "fan": 98, "total": 99, "legal": True, "other_way": 95, "others": []}
    assert answer["shanten"] == -1 and not answer["moves"] and answer["leads"] is None


@pytest.mark.parametrize("text, fan, other_way", [
    ("[123m,1][456s,1]123p5p678m5p", 4, 5), ("[234m,1]678m345s99p34p5p", 3, 4)])
def test_a_hand_of_few_fan_is_no_legal_win(text, fan, other_way):
    """It is told what the hand counts, and what to discard instead."""
    answer = answer_texts(text)
    assert answer["win"]["fan"] == fan and answer["win"]["other_way"] == other_way
    assert not answer["win"]["legal"] and answer["shanten"] == -1 and answer["moves"]


def test_a_position_made_of_a_hand_is_the_position_of_the_game():
    """Rivers and melds given, hand, melds, copies seen, actions and fans are those of the game."""
    checked = with_melds = 0
    for seat, record in enumerate(golden_records(12, "stacked")):
        for place, decision in enumerate(replay(record.transcripts()[seat % 4], make_tactic_player("random"))):
            state = decision.state
            me = state.players[state.my_pid]
            if state.drawn_tile is None or (place + seat) % 4:
                continue
            drawn = TILE_INDEX[state.drawn_tile]
            tiles = list_kinds(state.hand_counts)
            tiles.remove(drawn)
            hand = WrittenHand(tuple(tiles + [drawn]), tuple(me.melds), state.prevalent_wind, state.my_pid,
                        is_last_tile=is_last_tile(state.walls, state.my_pid))
            rivers = [[TILE_INDEX[name] for name in state.players[(state.my_pid + offset) % 4].river]
                      for offset in range(4)]
            made = make_hand_state(
                hand, rivers, [state.players[(state.my_pid + offset) % 4].melds for offset in range(4)])
            for name in ("my_pid", "prevalent_wind", "hand_counts", "drawn_tile", "unseen", "shown", "is_my_turn"):
                assert getattr(made, name) == getattr(state, name), name
            assert made.players[made.my_pid].melds == me.melds
            if min(state.walls):
                assert [action for action in made.action_space() if action[0] != "HU"] == [
                    action for action in state.action_space() if action[0] != "HU"]
            checked, with_melds = checked + 1, with_melds + bool(me.melds)
    assert checked > 20 and with_melds


@pytest.mark.parametrize("text", [
    "123m456s789pEE55p", "1112345678999m|SW", "19m19s19pESWNCFP", "[EEE,2]123m4567s999p", "[EEE,1][CCC,1]2345m666s",
    "1133557799mEEC", "147m258s369pESWN", "[123m,1][456m,2][789m,3][FFFF]P", "2223334445556s"])
def test_waits_by_trying_every_tile(text):
    """The fans of both ways on every tile that MahjongGB takes."""
    hand = parse_hand(text)
    pack = tuple((meld.type, meld.cards[1], meld.cards.index(meld.src_card) + 1 if meld.type == "CHI" else
                  (meld.src_pid - hand.seat_wind) % 4) for meld in hand.melds)
    expected = []
    for tile, name in enumerate(TILE_NAMES):
        held = hand.counts[tile] + sum(meld.tiles.count(tile) for meld in hand.melds)
        shown = sum(meld.tiles.count(tile) for meld in hand.melds if not meld.is_concealed)
        try:
            ways = [sum(fan[0] * (fan[1] if len(fan) == 4 else 1) for fan in MahjongGB.MahjongFanCalculator(
                pack, tuple(list_tiles(hand.counts)), name, 0, is_drawn, shown == 3, False, False, hand.seat_wind,
                hand.prevalent_wind)) for is_drawn in (True, False)]
        except TypeError:
            continue
        if hand.counts[tile] < 4:
            expected.append([name, 4 - held] + ways)
    leads = answer_texts(text)["leads"]
    assert [[name, copies, *(sum(points * count for points, count, _ in way) for way in ways)]
            for name, copies, *ways in leads["waits"]] == expected
    assert leads["shanten"] == 0 and expected
    assert leads["distance_to_8_fan"] == 0 or not any(max(drawn, claimed) >= 8 for *_, drawn, claimed in expected)


def test_what_else_is_known():
    known = answer_texts("123m456s789pEE55p", "5p/E", "5p=0")["leads"]
    assert [wait[:2] for wait in known["waits"]] == [["B5", 0], ["F1", 1]]
    with pytest.raises(InvalidHandError, match="got 3 of E .F1. in hand and 2 in melds and rivers"):
        answer_texts("123m456s789pEEE5p", "E/E")
    known = answer_texts("123m456s789pEE55p", "/5p[345p,1]/[CCC,2]")
    assert [wait[:2] for wait in known["leads"]["waits"]] == [["B5", 0], ["F1", 2]]
    assert known["melds"] == [[], [["[345p,1]", "B3", "B4", "B5"]], [["[CCC,2]", "J1", "J1", "J1"]]]
    for river, unseen, message in (
            ("[EEE,1]", "", "yours in the hand"), ("/[EEEE]", "", "open melds of the other players"),
            ("1m/1m/1m/1m/1m", "", "at most 4 rivers"), ("1m" * 30, "", "at most 21 tiles"), ("1x", "", "got 'x'"),
            ("", "5p=3", "expected 0 to 2 copies of 5p"), ("", "5p", "as 5p=0, got '5p'"), ("", "5p=9", "got '5p=9'")):
        with pytest.raises(InvalidHandError, match=message):
            answer_texts("123m456s789pEE55p", river, unseen)


def test_the_command(capsys):
    assert main(["hand", "123m456s789pEE 55p", "--winds", "SW", "--river", "5p/E"]) == 0
    told = capsys.readouterr().out
    assert "South round, West seat" in told and "\nReady\nwins on 5p" in told
    assert "wins on 5p, 1 left\n   12  self-drawn: Mixed straight 花龙 8, Fully concealed hand 不求人 4" in told
    assert main(["hand", "W123 T456 B789 F11 B55 J1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1].startswith("Ready. Moves") and "discard J1: ready; useful 4: B5x2 F1x2" in told[2]
    assert "wins on B5 (10 fan), F1 (14 fan)" in told[3]
    assert main(["hand", "[EEE,2][SSSS,1]WWWNN55pN|EE1000|2"]) == 0
    told = capsys.readouterr().out
    assert "A win of 98 fan self-drawn; on a discard it counts 95" in told and "2  Flowers, 100 fan in all" in told
    assert main(["hand", "123m456s789pEE55pC", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["moves"][0]["action"] == "PLAY J1"


@pytest.mark.parametrize("text, told, notes", [
    ("123万456条789饼东东55饼", "123万456条789饼东东55饼", []),
    ("w123 t456 b789 f11 b55", "W123 T456 B789 F11 B55", []),
    ("https://tziakcha.net/tool/?h=123m456s789pEE55p", "123m456s789pEE55p", []),
    ("123m456s789p11z77z", "123m456s789p1177z", ["z_order"]),
    ("123m456s789pEE55p|EE1000", "123m456s789pEE55p|EE1000", ["flags"]),
])
def test_the_hand_is_told_as_it_was_written(text, told, notes):
    """What the reader had to choose is said: the order of dragons, and digits that say nothing yet."""
    answer = answer_texts(text)
    assert answer["hand"]["text"] == told and answer["hand"]["notes"] == notes
    assert answer["leads"]["waits"]
    assert answer_texts(text, notation="chinese")["hand"]["text"].startswith("123万456条789饼")


@pytest.mark.parametrize("text, reason, fans", [
    pytest.param("147m258s369p89mEE7m", "knitted_wait", (14, 15, 14), id="an edge wait inside a knitted straight"),
    pytest.param("147m258s36p345sEE9p", None, (14, 14, 14), id="no wait but the straight's own tile"),
    pytest.param("[1111m][9999s,1]234pEEE7p7p", "mixed_kongs", (14, 14, 15), id="a concealed and a melded kong"),
    pytest.param("[444m,1]234m456s789p1m1m", "exhausted_wait", (3, 3, 3), id="a pair wait, its second tile exhausted"),
    pytest.param("[111m,1]1234m456s789p4m", "exhausted_wait", (12, 12, 12), id="exhausted by the own pung"),
    pytest.param("[1111m,1]23m456s789pEE4m", None, (2, 2, 2), id="a chow open at both ends counts nowhere"),
])
def test_who_counts_a_win_otherwise(text, reason, fans):
    """fans: by the judge of Botzone, MIL and the Green Book. The line about the others is in every answer."""
    wins = [answer_texts(text, rules=rules)["win"] for rules in RULE_SETS]
    assert tuple(win["fan"] for win in wins) == fans
    for win in wins:
        assert [name for name, _ in win["others"]] == [reason] * bool(reason)
    if reason == "exhausted_wait":
        assert wins[0]["others"][0][1] == fans[0] + 1
    elif reason:
        assert {wins[0]["others"][0][1], fans[0]} == set(fans)


def test_the_other_way_of_a_kongs_draw_is_no_robbed_kong():
    """The sum "on a discard" of a kong's draw contained the eight fan of a robbed kong."""
    win = answer_texts("[1111m,1]23m456s789pEE4m|EE1001")["win"]
    plain = answer_texts("[1111m,1]23m456s789pEE4m")["win"]
    assert "杠上开花" in [name for *_, name in win["fans"]] and win["other_way"] == plain["fan"]


def test_a_robbed_kong_is_no_draw_after_a_kong():
    """The position of a robbed kong was that of a draw after one's own kong."""
    for text, is_after_kong in (("123m456s789p12s33p3s|EE0001", False), ("[1111m]456s789p12p44s3p|EE1001", True)):
        assert make_hand_state(parse_hand(text)).is_after_kong == is_after_kong


def test_a_ready_hand_has_a_value_and_improvements():
    leads = answer_texts("234m456s77p34p678s")["leads"]
    assert leads["value"] > 20
    gains = [entry["gain"] for entry in leads["improvements"]]
    assert len(gains) > 1 and gains == sorted(gains, reverse=True)
    best = leads["improvements"][0]
    assert (best["draw"], best["copies"], best["action"]) == ("T3", 4, "PLAY T6") and best["gain"] > 1
    # After it both waits win on a discard, before only one.
    assert [fan for _, _, fan, _ in leads["wins"]].count(None) == 1
    assert [name for name, _, fan, _ in best["wins"] if fan] == ["B2", "B5"]


def test_lines_of_waits_and_flowers(capsys):
    """Thirteen equal waits were thirteen blocks, waits did not count flowers, and a ready hand was told far aims."""
    assert main(["hand", "19m19s19pESWNCFP|EE0000|2"]) == 0
    told = capsys.readouterr().out
    assert told.count("wins on") == 1 and "wins on 1m 9m 1s 9s 1p 9p E S W N C F P, 39 left" in told
    assert "   91  self-drawn: Thirteen orphans 十三幺 88, Self-drawn 自摸 1, Flowers 2" in told
    assert "in reach" not in told and "value: +" in told
    assert main(["hand", "[555p,1]5m5m5m123s789sEE|WE0000|8"]) == 0
    told = capsys.readouterr().out
    assert "No legal win" in told and "Flowers, which do not count towards the 8" in told and "A win" not in told
    assert main(["hand", "147m258s369p89mEE7m", "--rules", "mil"]) == 0
    told = capsys.readouterr().out
    assert "counted by the rules of mil" in told and "A win of 15 fan" in told and "does not: 14 fan." in told
