"""The parameters of the search: few and named.

They were fitted by matches against a field of players, and checked on walls that the fit had not seen:
data/results/tune_1.json has the command, the candidates and the check. danger alone stands higher than chosen there:
over 1,500 walls against itself that costs 0.00 +- 0.20 a game, and 16.4% of the games are dealt in to instead of 17.9%.
With 4.4 it is a third less often than rule_based does, at a point a game: data/results/search_careful.json.
"""

from collections import namedtuple
from numbers import Real

Parameters = namedtuple("Parameters", (
    "horizon", "chow_claims", "pair_claims", "pung_claims", "concealed_claims", "win_claims", "sharpness",
    "least_chance", "short_concealed", "short_open", "half_concealed", "half_open", "pungs_short", "types_guest_wind",
    "types_honour_pair", "knitted_rest", "ready", "danger", "correction", "next_draw", "pattern_weights"))
Parameters.__doc__ = """horizon: share of the own wall that is drawn before somebody wins.

*_claims: share of the discards that a hand can use: of the seat before it for a chow, of all seats for the last of a
    pung, for a pair or a chow that wins, for a hand that must stay concealed, and for the last tile of all.
sharpness: the power that targets are summed with; the higher, the more the best one counts.
least_chance: below it a row of a suit is left out.
short_*: share of the targets that count six fan and lack two, in concealed and open hands.
half_*: the same of half flushes without a set of two fan; pungs_short: of all pungs.
types_*: of all types by a guest wind or an honour pair.
knitted_rest: part of the pairs of a set and a pair beside a knitted straight that do not clash.
ready: weight of the waits that really count eight fan.
danger: weight of the chance that a discard is won on.
correction, next_draw: 1, or 0 to do without correction.py, and without next_draw.py, which needs the other.
pattern_weights: by value.PATTERNS.
"""

PARAMETERS = Parameters(
    horizon=0.5188, chow_claims=0.5511, pair_claims=0.1, pung_claims=0.6763, concealed_claims=0.05, win_claims=0.7,
    sharpness=2.606, least_chance=1e-6, short_concealed=0.4, short_open=0.2097, half_concealed=0.7, half_open=0.4,
    pungs_short=0.5, types_guest_wind=0.6, types_honour_pair=0.9, knitted_rest=0.8, ready=1.123, danger=2.0,
    correction=1, next_draw=1, pattern_weights=(1.0,) * 13,
)


def replace_parameters(values):
    """PARAMETERS with some values, {name: value}, instead of its own.

    Raises TypeError: a name that is none of them, or a value that is no number.
    """
    unknown = sorted(set(values) - set(PARAMETERS._fields))
    if unknown:
        raise TypeError("expected parameters out of %s, got %s" % (" ".join(PARAMETERS._fields), " ".join(unknown)))
    for name, value in sorted(values.items()):
        kind = tuple if name == "pattern_weights" else Real
        if not isinstance(value, kind):
            raise TypeError("expected %s to be of type %s, got %r" % (name, kind.__name__, value))
    return PARAMETERS._replace(**values)
