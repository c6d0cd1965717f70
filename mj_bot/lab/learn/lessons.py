"""Keeps what a person has answered, and schedules when a position is asked again.

A failed position comes back after the first of INTERVALS. Each right answer moves it to the next interval; the right
answer after the last interval ends the schedule. A wrong answer starts the intervals again. A position that was right
at once may have been luck: it comes back once, after the last interval.
"""

import time

from ..library.store import Library

# Days until a failed position comes back; each right answer selects the next number.
INTERVALS = (1, 3, 7, 21)
_DAY = 86400


def keep_answer(library: Library, key: str, seat: int, frame: int, *, is_right: bool, now: float) -> None:
    """Keeps an answer, and sets when its position comes back.

    key, seat, frame: game, seat and event of the position. is_right: whether the first choice was right. now: seconds
    since 1970. A right answer is always counted, but before the position is due it leaves the schedule as it is.
    """
    today = begin_day(now)
    with library.open(is_change=True) as db:
        db.execute("INSERT INTO learned (time, key, seat, frame, is_right) VALUES (?, ?, ?, ?, ?)",
                   (now, key, seat, frame, int(is_right)))
        step, due = db.execute("SELECT step, due FROM lessons WHERE key = ? AND seat = ? AND frame = ?",
                               (key, seat, frame)).fetchone() or (
            len(INTERVALS) - 1, _add_days(today, INTERVALS[-1]))
        if not is_right:
            step, due = 0, _add_days(today, INTERVALS[0])
        elif due is not None and due <= now:
            step += 1
            due = _add_days(today, INTERVALS[step]) if step < len(INTERVALS) else None
        db.execute("INSERT OR REPLACE INTO lessons VALUES (?, ?, ?, ?, ?)", (key, seat, frame, step, due))


def begin_day(now: float) -> float:
    """Returns when the local day of a time began. Both times are in seconds since 1970."""
    day = time.localtime(now)
    return time.mktime((day.tm_year, day.tm_mon, day.tm_mday, 0, 0, 0, 0, 0, -1))


def _add_days(day: float, count: int) -> float:
    """Returns the beginning of the day that is `count` days after `day`, in seconds since 1970."""
    return begin_day(day + (count + 0.5) * _DAY)  # a day may have 23 or 25 hours


def describe_score(library: Library, now: float) -> dict:
    """Returns the score of all answers.

    answered, right     number of answers, and of those right at once
    today               number of answers of this day
    row, best           right answers in a row up to the last one, and the longest such row
    days                days in a row with an answer, up to today or yesterday
    due                 positions that come back today or should have come back before
    """
    with library.open() as db:
        answers = db.execute("SELECT time, is_right FROM learned ORDER BY id").fetchall()
        due, = db.execute("SELECT count(*) FROM lessons WHERE due <= ?", (now,)).fetchone()
        days = {begin_day(when) for when, _ in answers}
        row = best = 0
        for _, is_right in answers:
            row = row + 1 if is_right else 0
            best = max(best, row)
        today = begin_day(now)
        day, count = (today if today in days else _add_days(today, -1)), 0
        while day in days:
            day, count = _add_days(day, -1), count + 1
        return {"answered": len(answers), "right": sum(is_right for _, is_right in answers),
                "today": sum(when >= today for when, _ in answers), "row": row, "best": best, "days": count, "due": due}


def read_lessons(library: Library) -> dict:
    """Returns {(key, seat, frame): day on which it comes back, None for never} of all positions that were asked."""
    with library.open() as db:
        return {row[:3]: row[3] for row in db.execute("SELECT key, seat, frame, due FROM lessons")}
