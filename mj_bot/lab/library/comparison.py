"""Chooses the judge with which a player is compared, where it plays the walls of the player's games anew."""

_COMPARED = "cnn"


def choose_compared(judges: list[str]) -> int:
    """Returns the index of the judge that a player is compared with: `cnn`, the stronger one, or else the first.

    >>> choose_compared(["search", "cnn:weights=mine"]), choose_compared(["search"])
    (1, 0)
    """
    return next((index for index, spec in enumerate(judges) if is_compared(spec)), 0)


def is_compared(spec: str) -> bool:
    """Checks whether a judge is `cnn`, which alone plays walls anew. spec: as "cnn:weights=mine"."""
    return spec.partition(":")[0] == _COMPARED
