"""The tiles that a hand needs most."""

from .value import BASE_PAY, value_draws

_MOST = 6
# Of what the best tile adds, the share that a tile must add to be listed.
_LEAST_SHARE = 0.5


def list_needs(hand, worth, waits, parameters):
    """Tiles 0..33 whose draw raises the worth of a hand most, the best first; at most six.

    hand: value.Hand of 13 tiles less 3 a meld. worth: its worth in points.
    waits: its waits as ready.Waits.list_waits tells them. parameters: parameters.Parameters.
    """
    draws = [tile for tile, left in enumerate(hand.unseen) if left]
    if not draws:
        return []
    sharpness = parameters.sharpness
    wins = {tile: parameters.ready * (BASE_PAY + fan) ** sharpness for tile, fan, _ in waits}
    totals = value_draws(hand, draws, parameters).sum(axis=1)
    gains = [(total + wins.get(tile, 0.0)) ** (1 / sharpness) - worth for tile, total in zip(draws, totals)]
    least = max(0.0, _LEAST_SHARE * max(gains))
    # Rounded, so that equal ones stand in tile order.
    ranked = sorted(zip(gains, draws), key=lambda entry: -round(entry[0], 6))
    return [tile for gain, tile in ranked[:_MOST] if gain > least]
