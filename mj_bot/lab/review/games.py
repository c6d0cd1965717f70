"""A recorded game with its story and the reviews of its seats, as one JSON object.

    name, where         of the record, and where it came from
    players             4 names, empty where the record has none
    wind                prevalent wind 0..3, or null
    seat                that a viewer sits at first
    tactic              spec of the reviewing tactic, "" for none
    scores              4 ints, or null
    verdict             how it ended, see ending.py, or null
    frames, decisions, notes    see frames.Story
    seats               of whom the record tells hand and answers
    error               text, where and why the record breaks, or null
    reviews             {seat: review}: decisions.review_seat with "summary" and "mistakes" of summary.py
"""

import os

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS
from ...tactic import load_tactic
from ..table.record import Record
from .decisions import review_seat
from .frames import build_story
from .summary import list_mistakes, summarise

_NAMELESS = Record(None, None).players


def review_game(where, record, tactic, seat=None, notify=None):
    """The object above.

    where, record: as records.source.read_records yields them, an error too.
    tactic: spec, "" to review nothing. seat: whose decisions, None for all that are told.
    notify: function(done, total) called after each decision.
    """
    error = None
    if isinstance(record, MahjongError):
        error = str(record)
        record = record.record or []
    is_whole = isinstance(record, Record)
    transcripts = record.transcripts() if is_whole else record
    players = [str(name) for name in record.players] if is_whole else [""] * SEATS
    if players == _NAMELESS:
        players = [""] * SEATS
    game = {
        "name": _shorten_name(str(record.name) if is_whole else where, where), "where": where, "players": players,
        "wind": None, "tactic": tactic, "seat": seat or 0, "scores": record.scores if is_whole else None,
        "verdict": None, "frames": [], "decisions": [[] for _ in range(SEATS)], "notes": [], "seats": [],
        "error": error, "reviews": {},
    }
    if transcripts and any(transcript.requests for transcript in transcripts):
        story = build_story(transcripts, record.closing if is_whole else None, game["scores"])
        game.update(frames=story.frames, decisions=story.decisions, notes=story.notes, seats=story.seats,
                    error=error or _format_error(story.error))
        game["wind"] = story.wind
        if story.frames and story.frames[-1]["event"]["kind"] == "END":
            game["verdict"] = story.frames[-1]["event"]["verdict"]
        if seat is None and story.seats:
            game["seat"] = story.seats[0]
        if tactic:
            _add_reviews(game, story, transcripts, tactic, seat, notify)
    return game


def _shorten_name(name, where):
    """A name without the folders of the file."""
    folder = os.path.join(os.path.dirname(where), "")
    return name[len(folder):] if name.startswith(folder) else name


def _format_error(error):
    if error is None:
        return None
    seat = "" if error["seat"] is None else "seat %d, " % error["seat"]
    return seat + error["message"]


def _add_reviews(game, story, transcripts, tactic, seat, notify):
    chosen = [place for place in story.seats if seat is None or place == seat]
    total = sum(len(story.decisions[place]) for place in chosen)
    done = 0

    def count():
        nonlocal done
        done += 1
        if notify:
            notify(done, total)

    seats = {int(transcript.requests[0].split()[1]): transcript for transcript in transcripts}
    for place in chosen:
        review = review_seat(seats[place], load_tactic(tactic), count)
        review["summary"] = summarise(review["decisions"])
        review["mistakes"] = list_mistakes(review["decisions"])
        game["reviews"][place] = review
