"""Computes what `cnn` would do and forecasts at the recorded decisions of a seat.

What it makes of a whole game is known where review/wall_replay.py played the wall anew; figures.py counts that.
A forecast is of the chances and points that the judge expects at a decision of the record. A choice is what the judge
would do at such a decision. `_FORECASTS` and `_CHOICES` name the figures; each choice has the player's own figure too.
"""

from typing import Optional

from .leaks import LEAST_DANGER

# Figures of the forecasts, and the outcome of network.forward.OUTCOMES of which each one is the chance.
_FORECASTS = {"score": None, "win": "win", "pay": "pay", "draw": "draw"}
_CHOICES = ("claims", "danger", "pushes", "folds")
_OWN_CLAIMS = ("CHI", "PENG", "GANG")
_COMPARED = "cnn"
# first: at the first decision of the game. mean: over its decisions. judge_x: choices of the judge. own_x: of the
# player, at the same decisions. has_forecast: 1 where the game has forecasts.
COMPARED_FIGURES = (
    "has_forecast", *("%s_%s" % (name, when) for name in _FORECASTS for when in ("first", "mean")),
    "has_discards", *("%s_%s" % (who, name) for name in _CHOICES for who in ("judge", "own")))


def choose_compared(judges: list[str]) -> int:
    """Returns the index of the judge that a player is compared with: `cnn`, the stronger one, or else the first.

    >>> choose_compared(["search", "cnn:weights=mine"]), choose_compared(["search"])
    (1, 0)
    """
    return next((index for index, spec in enumerate(judges) if is_compared(spec)), 0)


def is_compared(spec: str) -> bool:
    """Checks whether a judge is `cnn`, which alone plays walls anew. spec: as "cnn:weights=mine"."""
    return spec.partition(":")[0] == _COMPARED


def compare_seat(decisions: list[dict], compared: int) -> dict[str, float]:
    """Returns {name: value} of all COMPARED_FIGURES for a seat in a game; a figure without a value is 0.

    decisions: of the seat, as review/decisions.py describes them. compared: index of the judge, of choose_compared.
    """
    figures = dict.fromkeys(COMPARED_FIGURES, 0.0)
    made = [decision for decision in decisions if decision["logged"] is not None]
    figures.update(_average_forecasts(made, compared))
    for decision in made:
        actions = {"judge": decision["judges"][compared]["chosen"], "own": decision["logged"]}
        for who, action in actions.items():
            figures[who + "_claims"] += decision["claimed"] is not None and action.split(" ")[0] in _OWN_CLAIMS
    discards = [(decision["tiles"], actions) for decision in made for actions in [_list_discards(decision, compared)]
                if actions]
    figures["has_discards"] = float(bool(discards))
    for tiles, actions in discards:
        for who, tile in actions.items():
            danger, is_push, is_fold = _judge_discard(tiles, tile)
            figures[who + "_danger"] += danger / len(discards)
            figures[who + "_pushes"] += is_push
            figures[who + "_folds"] += is_fold
    return figures


def _average_forecasts(decisions: list[dict], compared: int) -> dict[str, float]:
    """Returns the forecasts at the first decision and their means over all decisions, {} where there are none."""
    rows = []
    for decision in decisions:
        judge = decision["judges"][compared]
        score = dict(map(tuple, judge["ranked"])).get(judge["chosen"])
        if decision["forecast"] and score is not None:
            rows.append({name: decision["forecast"][outcome] if outcome else score
                         for name, outcome in _FORECASTS.items()})
    if not rows:
        return {}
    means = {name: sum(row[name] for row in rows) / len(rows) for name in _FORECASTS}
    return {"has_forecast": 1.0, **{name + "_first": rows[0][name] for name in _FORECASTS},
            **{name + "_mean": mean for name, mean in means.items()}}


def _list_discards(decision: dict, compared: int) -> Optional[dict[str, str]]:
    """Returns the tiles that the judge and the player discard, None for a decision where one of them does not."""
    known = {tile[0] for tile in decision["tiles"] if tile[1] is not None}
    tiles = {}
    for who, action in (("judge", decision["judges"][compared]["chosen"]), ("own", decision["logged"])):
        verb, _, tile = action.partition(" ")
        if verb != "PLAY" or tile not in known:
            return None
        tiles[who] = tile
    return tiles


def _judge_discard(tiles: list[list], discard: str) -> tuple[float, bool, bool]:
    """Returns (chance to deal in, whether the discard pushes, whether it folds).

    A discard can push or fold only where every discard that keeps the hand nearest to a win is more dangerous than some
    other discard, by LEAST_DANGER at least. Then a discard that keeps the hand nearest pushes. Another discard folds if
    it is safer than all of these by LEAST_DANGER at least.

    tiles: of a decision, see Facts.list_discards. discard: name of one of them.

    >>> tiles = [["W1", 0.10, 1, 4, 1, None], ["F1", 0.01, 2, 0, 2, None], ["W9", 0.09, 2, 0, 2, None]]
    >>> [_judge_discard(tiles, name)[1:] for name in ("W1", "F1", "W9")]
    [(True, False), (False, True), (False, False)]
    """
    far = max((tile[2] for tile in tiles if tile[2] is not None), default=0) + 1
    distances = {tile[0]: far if tile[2] is None else tile[2] for tile in tiles}
    dangers = {tile[0]: tile[1] for tile in tiles if tile[1] is not None}
    nearest = [dangers[name] for name in dangers if distances[name] == min(distances.values())]
    if not nearest or min(nearest) - min(dangers.values()) < LEAST_DANGER:
        return dangers[discard], False, False
    is_nearest = distances[discard] == min(distances.values())
    return dangers[discard], is_nearest, not is_nearest and dangers[discard] <= min(nearest) - LEAST_DANGER
