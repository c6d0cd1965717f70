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
    reviews             {seat: review}: of decisions.review_seat
"""

import os

from ...mahjong.rules import SEATS
from ...tactic import load_tactic
from ..table.record import Record
from .decisions import rank_mistake, review_seat
from .frames import Story, build_story

_NAMELESS = Record(None, None).players


def review_game(source, tactic, seat=None, notify=None, first=None):
    """The object above.

    source: records.source.ReadGame. tactic: spec, "" to review nothing.
    seat: whose decisions, None for those of all seats in the record.
    notify: function(done, total) called after each decision. first: seat that a viewer sees first, whoever paid.
    """
    record = source.record
    players = [str(name) for name in record.players] if record else _NAMELESS
    if players == _NAMELESS:
        players = [""] * SEATS
    name, scores = _shorten_name(str(record.name) if record else source.where, source.where), record and record.scores
    story, reviews = Story(distances=[]), {}
    if any(transcript.requests for transcript in source.transcripts):
        story = build_story(source.transcripts, record and record.closing, scores)
        chosen = [place for place in story.seats if seat is None or place == seat]
        # A record that breaks at its first request has no seats.
        if tactic and chosen:
            reviews = _review_seats(story, source.transcripts, tactic, chosen=chosen, notify=notify)
    story.error = source.error and str(source.error) or story.error
    first = seat if first is None else first
    return dict(describe_game(name, players, scores, story=story, tactic=tactic, reviews=reviews, first=first),
                where=source.where)


def describe_game(name, players, scores, *, story, tactic, reviews, first=None):
    """The object above, of a game by any rules.

    story: frames.Story. reviews: {seat: decisions.describe_review}. first: seat that a viewer sees first, None for any.
    """
    end = story.frames[-1]["event"] if story.frames else {}
    game = {
        "name": name, "where": "", "players": players, "wind": story.position and story.position["wind"],
        "tactic": tactic, "seat": first or 0, "frame": 0, "scores": scores, "verdict": end.get("verdict"),
        "frames": story.frames, "decisions": story.decisions, "notes": story.notes, "distances": story.distances,
        "seats": story.seats, "error": story.error, "reviews": reviews,
    }
    if story.frames and story.seats:
        game["seat"], game["frame"] = _find_opening(game, story.seats if first is None else [first])
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


def _review_seats(story, transcripts, tactic, *, chosen, notify):
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
        reviews[seat] = review_seat(by_seat[seat], load_tactic(tactic), count)
    return reviews
