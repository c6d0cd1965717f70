"""Reviews a recorded game: its frames, the reviews of its seats, and its wall played again, as one JSON object."""

import os
from typing import Any, Optional, TypedDict

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ...mahjong.shanten import shanten
from ..library.figures import COMPARED
from ..library.game_content import name_players, read_session
from ..page.position import describe_ending, describe_event
from ..records.source import ReadGame
from ..run.progress import Progress
from ..table.match import play_fast
from ..table.players import TIME_LIMIT, TacticPlayer
from ..table.record import Record
from ..words import translate
from .dangers import list_deal_ins
from .decisions import rank_mistake, review_seat
from .frames import Story, add_distances, build_story
from .judges import is_reusable, make_judges, split_judges

_OF_SESSION = ("title", "hand", "hands", "seats", "names", "before", "penalties")


class WallReplay(TypedDict):
    """Keeps a wall that was played once more."""

    events: list  # The event of each request, as in frames.Story; the last one is END.
    # By seat: list of [index of an event, null or -1, shanten] at each change. The distance to eight fan, which takes
    # most time, is left out.
    distances: list


class ReviewedGame(TypedDict):
    """Keeps a reviewed game, the JSON that a page shows."""

    name: str
    where: str  # The path or link of the record.
    players: list  # 4 names, "" where the record has none.
    wind: Optional[int]  # The prevalent wind, 0..3.
    seat: int  # The seat that a viewer shows first.
    frame: int  # The frame that a viewer shows first.
    player: str  # Name of the player at this seat if the caller chose the seat, else "".
    session: Optional[dict]  # The keys _OF_SESSION of the record's origin, if the game is a hand of a session.
    tactic: str  # The judges as the user typed them, "" for none.
    judges: list  # The spec of each judge.
    scores: Optional[list]  # 4 ints.
    # {"platform", "sub_rule" or null, "knitted_wait" 0 or 1}, if the platform counts fans by rules of its own.
    own_rules: Optional[dict]
    verdict: Optional[str]  # How the game ended.
    frames: list  # The fields of frames.Story: frames, decisions, notes and distances.
    decisions: list
    notes: list
    distances: list
    seats: list  # The seats whose hands and answers the record has.
    error: Any  # A Message that says where and why the record breaks, or None.
    said: dict  # {language: {text of an error: its translation}} of `error`, the notes and the reviews.
    reviews: dict  # {seat: result of decisions.review_seat, with the key "deal_ins" of DealIn}.
    # The WallReplay of four `cnn`, if `cnn` is a judge, all seats are reviewed, and the record has the wall and the end
    # of a game by the judge's rules.
    replay: Optional[dict]


def review_game(
        source: ReadGame, tactic: str, seat: Optional[int] = None, *, bar: Optional[Progress] = None,
        first: Optional[int] = None, time_limit: Optional[float] = TIME_LIMIT) -> ReviewedGame:
    """Returns the review of a recorded game.

    tactic: specs of the judges, separated by commas; "" to review nothing. seat: whose decisions, None for all seats
    of the record. bar: counts the decisions. first: the seat that a viewer shows first, None for any.
    time_limit: seconds for an answer of a judge.
    Raises TacticError, UnknownTacticError: a judge fails. MahjongError: there is no such seat.
    """
    if seat not in (None, *range(SEATS)) or isinstance(seat, float):
        raise MahjongError("expected seat=None or 0..3, got %r", seat)
    record = source.record
    players = name_players(record)
    folder = os.path.join(os.path.dirname(source.where), "")
    name, scores = str(record.name if record else source.where).removeprefix(folder), record and record.scores
    session = {key: record.origin[key] for key in _OF_SESSION if key in record.origin} if read_session(source) else None
    story, reviews, replay = Story(distances=[]), {}, None
    if any(transcript.requests for transcript in source.transcripts):
        story = build_story(source.transcripts, record and record.closing, scores)
        chosen = [each for each in story.seats if seat is None or each == seat]
        # A record that breaks at its first request has no seats.
        if tactic and chosen:
            if bar is not None:
                bar.reset(sum(len(story.decisions[each]) for each in chosen))
            by_seat = {transcript.seat: transcript for transcript in source.transcripts}
            judges = None
            for each in chosen:
                if not (judges and all(is_reusable(player.tactic) for player in judges)):
                    judges = make_judges(tactic, time_limit)
                reviews[each] = review_seat(by_seat[each], judges, bar)
            judge = next((player for player in judges if player.name.partition(":")[0] == COMPARED), None)
            if seat is None and not (source.error or story.error) and _can_replay(record, story, judge):
                replay = replay_wall(record, judge)
    story.error = source.error or story.error
    first = seat if first is None else first
    return dict(describe_game(name, players, scores, story=story, tactic=tactic, reviews=reviews, first=first),
                where=source.where, session=session, own_rules=_read_own_rules(record), replay=replay)


def replay_wall(record: Record, judge: TacticPlayer) -> Optional[WallReplay]:
    """Returns the replay of a record's game, or None if the game cannot be played again.

    record: with its wall. The flowers are those of the record; after the deal each goes to the seat that draws then.
    judge: its tactic plays all four seats, without a time limit; judges.is_reusable must hold for it.
    """
    players = [TacticPlayer(judge.tactic, judge.name) for _ in range(SEATS)]
    events, distances = [], [[] for _ in range(SEATS)]

    def note(*_):
        states = [player.state for player in players]
        add_distances(distances, states, len(events),
                      measure=lambda state, counts, melds: [None, shanten(counts, len(melds))])
        events.append(describe_event(states, len(events)))

    try:
        referee = play_fast(players, record.wall, record.prevalent_wind, flowers=record.list_free_flowers(),
                            listen=note)
    except MahjongError:  # the record's wall is none
        return None
    if referee.verdict not in ("HU", "HUANG"):
        return None
    states = [player.state for player in players]
    return {"events": [*events, describe_ending(states, [], referee.display(), scores=referee.scores)],
            "distances": distances}


def _can_replay(record: Optional[Record], story: Story, judge: TacticPlayer) -> bool:
    """Checks whether a judge may play the wall of a game anew, so that its result compares with that of the game."""
    return (record is not None and record.wall is not None and not record.origin.get("sub_rule")
            and story.frames[-1]["event"]["kind"] == "END" and judge is not None and is_reusable(judge.tactic))


def _read_own_rules(record: Optional[Record]) -> Optional[dict]:
    """Returns "own_rules" of a game, None for the judge's rules."""
    origin = record.origin if record else {}
    own = {"platform": origin.get("platform"), "sub_rule": origin.get("sub_rule"),
           "knitted_wait": origin.get("rules", {}).get("knitted_wait", 0)}
    return own if own["sub_rule"] or own["knitted_wait"] else None


def describe_game(
        name: str, players: list[str], scores: Optional[list[int]], *, story: Story, tactic: str,
        reviews: dict[int, dict], first: Optional[int] = None) -> ReviewedGame:
    """Returns a reviewed game by any rules.

    tactic: specs of the judges. reviews: {seat: value of decisions.describe_review}. first: the seat that a viewer
    shows first, None for any.
    """
    end = story.frames[-1]["event"] if story.frames else {}
    reviews = {seat: dict(review, deal_ins=list_deal_ins(review["decisions"], seat, end))
               for seat, review in reviews.items()}
    translations = _write_errors(story, reviews)
    game = {
        "name": name, "where": "", "players": players, "wind": story.position and story.position["wind"],
        "tactic": tactic, "judges": split_judges(tactic), "seat": first or 0, "frame": 0,
        "player": "" if first is None else players[first], "session": None, "own_rules": None,
        "scores": scores, "verdict": end.get("verdict"),
        "frames": story.frames, "decisions": story.decisions, "notes": story.notes, "distances": story.distances,
        "seats": story.seats, "error": story.error, "said": translations, "reviews": reviews,
        "replay": None,
    }
    if story.frames and story.seats:
        game["seat"], game["frame"] = _choose_opening(game, story.seats if first is None else [first])
    return game


def _write_errors(story: Story, reviews: dict[int, dict]) -> dict[str, dict[str, str]]:
    """Replaces the errors of a game by their texts. Returns "said" of the game."""
    errors = [story.error, *(note["text"] for note in story.notes), *(review["error"] for review in reviews.values())]
    story.error = story.error and str(story.error)
    for note in story.notes:
        note["text"] = str(note["text"])
    for review in reviews.values():
        review["error"] = review["error"] and str(review["error"])
    return {"zh": {str(error): translate(error) for error in errors if error}}


def _choose_opening(game: dict[str, Any], seats: list[int]) -> tuple[int, int]:
    """Returns (seat, frame) to show first: the worst mistake, else the last decision of the seat that paid most."""
    worst = {seat: game["reviews"][seat]["decisions"][game["reviews"][seat]["mistakes"][0]]
             for seat in seats if seat in game["reviews"] and game["reviews"][seat]["mistakes"]}
    if worst:
        seat = min(worst, key=lambda seat: rank_mistake(worst[seat]))
        return seat, worst[seat]["frame"]
    scores = game["frames"][-1]["event"].get("scores") or [0] * SEATS
    seat = min(seats, key=lambda seat: scores[seat])
    return seat, game["decisions"][seat][-1] if game["reviews"] and game["decisions"][seat] else 0
