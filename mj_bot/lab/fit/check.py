"""The last word on tuned values: walls that the tuner never saw, against the present ones."""

import math

from ..arena.verdict import mean_interval


def check(scores, tuned, present, field, first, stop):
    """Whether tuned values are better than the present ones against a field, as a dict for JSON.

    scores: function(list of specs, list of opponents, first wall, stop) -> float[P, W], see matches.Matches.scores.
    tuned, present: specs. The gain is the tuned one's score a game less the present one's at the same walls; with its
    95% interval above 0 the values are to change.
    """
    by_opponent = [scores([tuned, present], [opponent], first, stop) for opponent in field]
    total = sum(by_opponent) / len(field)
    gain = describe_interval(total[0] - total[1])
    return {
        "first_wall": first, "walls": stop - first, "gain": gain,
        "is_better": gain["low"] is not None and gain["low"] > 0,
        "field": [{
            "opponent": opponent, "tuned": describe_interval(tuned_scores),
            "present": describe_interval(present_scores), "gain": describe_interval(tuned_scores - present_scores),
        } for opponent, (tuned_scores, present_scores) in zip(field, by_opponent)],
    }


def describe_interval(values):
    """Mean and 95% interval of independent values, float[W], as a dict for JSON; None where there are too few."""
    return {name: None if math.isnan(value) else round(float(value), 4)
            for name, value in mean_interval(values)._asdict().items()}


def format_interval(interval):
    """A describe_interval as text.

    >>> format_interval({"mean": 1.0, "low": 0.5, "high": 1.5})
    '+1.00 (+0.50 .. +1.50)'
    """
    if interval["low"] is None:
        return "%+.2f" % interval["mean"]
    return "%+.2f (%+.2f .. %+.2f)" % (interval["mean"], interval["low"], interval["high"])
