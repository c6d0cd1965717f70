"""A recorded game with its story and the reviews of its seats, as one JSON object.

    name, where         of the record, and where it came from
    players             4 names, empty where the record has none
    wind                prevalent wind 0..3, or null
    seat, frame         that a viewer sees first: the largest mistake of the seat that was asked for or paid the most
    tactic              spec of the reviewing tactic, "" for none
    scores              4 ints, or null
    verdict             how it ended, see page/position.py, or null
    frames, decisions, notes, distances     see frames.Story
    seats               whose hands and answers the record has
    error               text, where and why the record breaks, or null
    reviews             {seat: review}: decisions.review_seat with "summary" and "mistakes"
"""

import os

from ...mahjong.rules import SEATS
from ...tactic import load_tactic
from ..table.record import Record
from .decisions import list_mistakes, rank_mistake, review_seat, summarise
from .frames import build_story

_NAMELESS = Record(None, None).players


def review_game(source, tactic, seat=None, notify=None, first=None):
    """The object above.

    source: records.source.ReadGame. tactic: spec, "" to review nothing.
    seat: whose decisions, None for those of all seats in the record.
    notify: function(done, total) called after each decision. first: seat that a viewer sees first, whoever paid.
    """
    record = source.record
    players = [str(name) for name in record.players] if record else _NAMELESS
    game = {
        "name": _shorten_name(str(record.name) if record else source.where, source.where), "where": source.where,
        "players": [""] * SEATS if players == _NAMELESS else players, "wind": None, "tactic": tactic,
        "seat": seat or 0, "frame": 0, "scores": record and record.scores, "verdict": None, "frames": [],
        "decisions": [[] for _ in range(SEATS)], "notes": [], "distances": [], "seats": [],
        "error": source.error and str(source.error), "reviews": {},
    }
    if any(transcript.requests for transcript in source.transcripts):
        story = build_story(source.transcripts, record and record.closing, game["scores"])
        game.update(frames=story.frames, decisions=story.decisions, notes=story.notes, seats=story.seats,
                    distances=story.distances, error=game["error"] or story.error,
                    wind=story.position and story.position["wind"])
        if story.frames and story.frames[-1]["event"]["kind"] == "END":
            game["verdict"] = story.frames[-1]["event"]["verdict"]
        if tactic:
            chosen = [place for place in story.seats if seat is None or place == seat]
            game["reviews"] = _review_seats(story, source.transcripts, tactic, chosen, notify)
        if story.frames and story.seats:
            asked = seat if first is None else first
            game["seat"], game["frame"] = _find_opening(game, story.seats if asked is None else [asked])
    return game


def _find_opening(game, seats):
    """(seat, frame) that a viewer sees first: the largest mistake of a seat that paid most, else its last decision."""
    scores = game["frames"][-1]["event"].get("scores") or [0] * SEATS
    paid = [seat for seat in seats if scores[seat] == min(scores[other] for other in seats)]
    found = {seat: game["reviews"][seat]["decisions"][game["reviews"][seat]["mistakes"][0]]
             for seat in paid if seat in game["reviews"] and game["reviews"][seat]["mistakes"]}
    if found:
        seat = min(found, key=lambda seat: rank_mistake(found[seat]))
        return seat, found[seat]["frame"]
    return paid[0], game["decisions"][paid[0]][-1] if game["reviews"] and game["decisions"][paid[0]] else 0


def _shorten_name(name, where):
    """A name without the folders of the file."""
    folder = os.path.join(os.path.dirname(where), "")
    return name[len(folder):] if name.startswith(folder) else name


def _review_seats(story, transcripts, tactic, chosen, notify):
    reviews = {}
    total = sum(len(story.decisions[seat]) for seat in chosen)
    done = 0

    def count():
        nonlocal done
        done += 1
        if notify:
            notify(done, total)

    by_seat = {int(transcript.requests[0].split()[1]): transcript for transcript in transcripts}
    for seat in chosen:
        review = review_seat(by_seat[seat], load_tactic(tactic), count)
        review["summary"] = summarise(review["decisions"])
        review["mistakes"] = list_mistakes(review["decisions"])
        reviews[seat] = review
    return reviews
