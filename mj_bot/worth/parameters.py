"""Lists the parameters of the search. A new parameter is a line of _TABLE.

They were fitted by matches against a field of players, and checked on walls that the fit had not seen:
data/results/tune_1.json has the command, the candidates and the check. Only danger is higher than there, which costs
nothing that the matches could show and lowers the deal-ins: docs/studies/parameters.md has the figures.
"""

from collections import namedtuple

from ..trouble import check_number


class Range(namedtuple("Range", "low high is_log")):
    """Bounds for `fit tune` of a parameter. is_log: steps are taken in the logarithm; low is above 0."""


_TABLE = (
    # name, value, the least and the highest value that is accepted, what `fit tune` may change, if anything

    # Share of the own wall that is drawn before somebody wins.
    ("horizon", 0.5188, (0, 1), Range(0.2, 1.0, True)),

    # Share of the discards that a hand can use: of the seat before it for a chow, of all seats for the last of a pung,
    # for a pair or a chow that wins, for a hand that must stay concealed, and for the last tile of all.
    ("chow_claims", 0.5511, (0, 2), Range(0.1, 1.5, False)),
    ("pair_claims", 0.1, (0, 1), Range(0.01, 0.5, True)),
    ("pung_claims", 0.6763, (0, 2), Range(0.2, 1.4, False)),
    ("concealed_claims", 0.05, (0, 1), Range(0.005, 0.5, True)),
    ("win_claims", 0.7, (0, 2), Range(0.2, 1.5, False)),

    # The power that targets are summed with; the higher, the more the best one counts.
    ("sharpness", 2.606, (0.5, 10), Range(0.7, 6.0, True)),
    # Rows of lower chance are left out.
    ("least_chance", 1e-6, (1e-12, 1), None),

    # Share of the targets of six fan that reach eight, in concealed and open hands; the same of half flushes
    # without a set of two fan, and of all pungs.
    ("short_concealed", 0.4, (0, 1), Range(0.0, 1.0, False)),
    ("short_open", 0.2097, (0, 1), Range(0.0, 1.0, False)),
    ("half_concealed", 0.7, (0, 1), Range(0.0, 1.0, False)),
    ("half_open", 0.4, (0, 1), Range(0.0, 1.0, False)),
    ("pungs_short", 0.5, (0, 1), Range(0.0, 1.0, False)),
    # Factors of all types by a guest wind or an honour pair.
    ("types_guest_wind", 0.6, (0, 1), Range(0.0, 1.0, False)),
    ("types_honour_pair", 0.9, (0, 1), Range(0.0, 1.0, False)),
    # Share of sets and pairs next to a knitted straight that do not clash.
    ("knitted_rest", 0.8, (0, 2), Range(0.0, 1.5, False)),

    # Weight of the waits that really count eight fan, and of the chance that a discard is won on.
    ("ready", 1.123, (0, 10), Range(0.2, 10.0, True)),
    ("danger", 2.0, (0, 20), Range(0.1, 8.0, True)),

    # 1, or 0 to switch off correction.py, and next_draw.py, which needs correction.py.
    ("correction", 1, (0, 1), None),
    ("next_draw", 1, (0, 1), None),
)

Parameters = namedtuple("Parameters", [name for name, _, _, _ in _TABLE])
PARAMETERS = Parameters(*[value for _, value, _, _ in _TABLE])
PARAMETER_LIMITS = {name: limits for name, _, limits, _ in _TABLE}
RANGES = {name: bounds for name, _, _, bounds in _TABLE if bounds}


def replace_parameters(values):
    """Returns PARAMETERS with some values, {name: value}, instead of its own.

    Raises TypeError: a name that is none of them, or a value that is no number. UnknownTacticError: a value outside
        PARAMETER_LIMITS, or a fraction for a switch.
    """
    unknown = sorted(set(values) - set(PARAMETERS._fields))
    if unknown:
        raise TypeError("expected parameters out of %s, got %s" % (" ".join(PARAMETERS._fields), " ".join(unknown)))
    for name, value in sorted(values.items()):
        check_number(name, value, *PARAMETER_LIMITS[name], is_whole=isinstance(getattr(PARAMETERS, name), int))
    return PARAMETERS._replace(**values)
