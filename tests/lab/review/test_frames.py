"""The frames of a recorded game against the referee, the ending against the judge, and records that break."""

import json
from itertools import islice

import pytest

from mj_bot.lab.records.botzone.golden import parse_golden
from mj_bot.lab.records.source import list_files, read_games
from mj_bot.lab.review.frames import build_story
from mj_bot.lab.table.record import Transcript
from tests.golden_games import GOLDEN, with_samples
from tests.lab.review.games import golden_lines, golden_records, lay_out


def play_frames(frames):
    """The positions of frames, by their own rule."""
    position = None
    for frame in frames:
        for path, value in frame["set"]:
            position = _set(position, path, json.loads(json.dumps(value)))
        yield position


def _set(value, path, part):
    if not path:
        return part
    if path[0] == len(value) and isinstance(value, list):
        return value + [_set(None, path[1:], part)]
    value = value.copy()
    value[path[0]] = _set(value.get(path[0]) if isinstance(value, dict) else value[path[0]], path[1:], part)
    return value


def check_positions(record):
    story = build_story(record.transcripts(), record.closing, record.scores)
    assert story.error is None
    assert len(story.frames) == len(record.steps) + 1
    for position, expected in zip(play_frames(story.frames), lay_out(record)):
        seats = position["seats"]
        assert [seat["hand"] for seat in seats] == expected["hands"]
        assert [seat["hand_size"] for seat in seats] == [len(hand) for hand in expected["hands"]]
        assert [seat["drawn"] for seat in seats] == expected["drawn"]
        assert [[(meld["type"], sorted(meld["tiles"]), meld["from"] if meld["claimed"] else None, meld["added"])
                 for meld in seat["melds"]] for seat in seats] == expected["melds"]
        assert [[discard["tile"] for discard in seat["river"] if discard["claimed_by"] is None]
                for seat in seats] == expected["rivers"]
        # Of one wall a player knows when the first flower comes.
        assert position["walls"] == expected["walls"] or (record.has_one_wall and not any(
            seat["flowers"] for seat in seats))
        focus = position["focus"] and (position["focus"]["seat"], position["focus"]["tile"])
        assert focus == expected["focus"]


@pytest.mark.parametrize("count, ending", [(8, "HU"), (3, "HUANG")])
def test_positions_are_the_referees(count, ending):
    for record in golden_records(count, ending=ending):
        check_positions(record)


@pytest.mark.slow
def test_positions_of_all_recorded_games_are_the_referees():
    for game in read_games(str(GOLDEN)):
        check_positions(game.record)


@with_samples
def test_positions_of_games_in_all_formats_are_the_referees(folder):
    """Of all platforms, a few of each file."""
    games = [game for path in list_files([str(folder)]) for game in islice(read_games(path), 3)]
    records = [game.record for game in games if game.error is None and game.record]
    assert len(records) >= 20
    for record in records:
        check_positions(record)


def test_discards_are_marked_as_drawn():
    """By the judge's display: a discard is as drawn when the request before drew that tile for that seat."""
    for record in golden_records(10):
        expected = [[] for _ in range(4)]
        drawn = None
        for step in record.steps:
            action, seat, tile = (step.display.get(key) for key in ("action", "player", "tile"))
            if action == "DRAW":
                drawn = tile
            elif action in ("PLAY", "CHI", "PENG"):
                expected[seat].append(action == "PLAY" and tile == drawn)
        story = build_story(record.transcripts(), record.closing, record.scores)
        *_, position = play_frames(story.frames)
        assert [[discard["drawn"] for discard in seat["river"]] for seat in position["seats"]] == expected


class TestEnding:
    @pytest.mark.parametrize("is_told", [True, False])
    def test_a_win_right_after_the_deal_is_no_game(self, is_told):
        """The review of all games ended with a traceback."""
        record, = golden_records(1)
        transcripts = [transcript._replace(requests=transcript.requests[:2],
                                           responses=["PASS", "PASS" if is_told else "HU"])
                       for transcript in record.transcripts()]
        story = build_story(transcripts, record.closing if is_told else None, None)
        assert str(story.error).startswith("expected a tile that was drawn or discarded")

    @pytest.mark.parametrize("ending", ["HU", "HUANG", "WA", "WH"])
    def test_the_judges_verdict_and_scores(self, ending):
        for record in golden_records(4, ending=ending):
            end = build_story(record.transcripts(), record.closing, record.scores).frames[-1]["event"]
            assert (end["kind"], end["verdict"], end["scores"]) == ("END", ending, record.scores)
            assert end["seat"] == record.closing.get("player")
            if ending == "HU":
                assert end["counted"] == "judge"
                assert end["fans"] == [[fan["value"], fan["cnt"], fan["name"]] for fan in record.closing["fan"]]

    def test_without_a_judge_the_fans_are_counted_and_the_scores_follow(self):
        for record in golden_records(8):
            end = build_story(record.transcripts()).frames[-1]["event"]
            assert (end["verdict"], end["seat"], end["counted"]) == ("HU", record.closing["player"], "here")
            assert sorted(end["fans"]) == sorted(
                [fan["value"], fan["cnt"], fan["name"]] for fan in record.closing["fan"])
            assert end["scores"] == record.scores

    def test_a_game_that_its_record_does_not_end(self):
        record = golden_records(1)[0]
        del record.steps[-3:]
        story = build_story(record.transcripts())
        assert story.error is None and story.frames[-1]["event"]["kind"] != "END"


class TestOneSeat:
    def test_other_hands_are_hidden(self):
        record = golden_records(1, "stacked")[0]
        story = build_story([record.transcripts()[2]])
        assert story.seats == [2]
        for position, expected in zip(play_frames(story.frames), lay_out(record)):
            for seat, shown in enumerate(position["seats"]):
                assert shown["hand"] == (expected["hands"][2] if seat == 2 else None)
                assert shown["hand_size"] == len(expected["hands"][seat])

    def test_answers_may_stop_early(self):
        transcript = golden_records(1)[0].transcripts()[1]
        story = build_story([transcript._replace(responses=transcript.responses[:4])])
        assert story.error is None and len(story.frames) == len(transcript.requests)


class TestBreaks:
    @pytest.fixture
    def game(self):
        return json.loads(golden_lines(1, "stacked")[0])

    @staticmethod
    def build(game):
        record = parse_golden(game)
        return build_story(record.transcripts(), record.closing, record.scores)

    def test_seats_that_are_told_different_things(self, game):
        index = next(place for place, step in enumerate(game["steps"]) if place > 20 and " PLAY " in step[0][0])
        requests = game["steps"][index][0]
        seat = (int(requests[0].split()[1]) + 1) % 4
        words = requests[seat].split()
        # A tile that this seat may believe was discarded.
        requests[seat] = "3 %s PLAY %s" % (words[1], "J1" if words[3] != "J1" else "J2")
        story = self.build(game)
        assert len(story.frames) == index and "expected seat" in str(story.error)

    def test_a_fifth_copy_that_no_seat_can_see(self):
        """Each seat sees four copies at most; only side by side are they five."""
        requests = [["0 %d 0" % seat, "1 0 0 0 0 " + tiles] for seat, tiles in enumerate([
            "W1 W1 W1 W2 W2 W2 W3 W3 W3 W4 W4 W4 W5", "W1 W1 T2 T2 T2 T3 T3 T3 T4 T4 T4 T5 T5",
            "B1 B1 B1 B2 B2 B2 B3 B3 B3 B4 B4 B4 B5", "F1 F1 F1 F2 F2 F2 F3 F3 F3 F4 F4 F4 J1"])]
        story = build_story([Transcript(told, ["PASS", "PASS"]) for told in requests])
        assert len(story.frames) == 1 and "5 W1" in str(story.error)

    def test_requests_that_run_out(self):
        transcripts = golden_records(1)[0].transcripts()
        transcripts[3] = transcripts[3]._replace(requests=transcripts[3].requests[:10])
        story = build_story(transcripts)
        assert len(story.frames) == 10 and "expected one for every seat" in str(story.error)

    def test_an_answer_that_the_rules_do_not_allow_is_noted(self, game):
        game["steps"][30][2][1] = "PLAY W0"
        story = self.build(game)
        assert story.notes[0]["frame"] == 30 and story.notes[0]["seat"] == 1 and "W0" in str(story.notes[0]["text"])

    def test_a_closing_that_names_no_winner(self):
        record = golden_records(1)[0]
        story = build_story(record.transcripts(), {"action": "HU"}, record.scores)
        assert len(story.frames) == len(record.steps) and "closing display" in str(story.error)
