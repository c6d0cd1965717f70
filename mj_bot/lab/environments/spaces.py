"""Defines what the environments show of a decision: an observation as bytes, as the network's planes, or as text."""

import textwrap
from typing import Any

import numpy as np
from gymnasium import spaces

from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.tile import TILE_COUNT, TILE_NAMES, list_tiles
from ...network.ahead import compute_ahead_rows
from ...network.planes import INPUT_COUNT, encode_inputs
from ...observation.layout import CHOW, CONCEALED_KONG, NONE, OBSERVATION_SIZE, field
from ..table.board import WINDS

AS_BYTES, AS_PLANES = "bytes", "planes"
_PLAYERS = ("own", "next", "across", "before")
_TASKS = ("own turn", "discard after a claim", "claim", "robbing of a kong", "nothing to decide")
# The largest number of a plane: a byte of compute_ahead_rows, 0..255, divided by 8.
_MOST = 32
_WIDTH = 80


def check_integer(name: str, value: Any, low: int, high: int) -> int:
    """Returns an argument of an environment. Raises MahjongError: it is no integer low .. high."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise MahjongError("expected %s as an integer %d .. %d, got %r", name, low, high, value)
    return int(value)


def take_actions(actions: Any, count: int) -> np.ndarray:
    """Returns actions as int64[count]. Raises IllegalActionError: they are no array of `count` integers."""
    actions = np.asarray(actions)
    if actions.shape != (count,) or actions.dtype.kind not in "iu":
        raise IllegalActionError("expected %d integers as actions, got an array of shape %r and type %s",
                                 count, actions.shape, actions.dtype)
    return np.ascontiguousarray(actions, np.int64)


def make_observation_space(form: str) -> spaces.Box:
    """Returns the space of one observation.

    form: "bytes" for uint8[OBSERVATION_SIZE], "planes" for float32[INPUT_COUNT, 34], the input of the network.
    Raises MahjongError: another form.
    """
    if form == AS_BYTES:
        return spaces.Box(0, 255, (OBSERVATION_SIZE,), np.uint8)
    if form == AS_PLANES:
        return spaces.Box(0, _MOST, (INPUT_COUNT, TILE_COUNT), np.float32)
    raise MahjongError("expected observation='bytes' or 'planes', got %r", form)


class RenderModeError(MahjongError, TypeError):
    """Reports a render_mode that an environment does not support.

    Stable-Baselines3 asks every environment for pictures. After a TypeError it makes the environment without them.
    """


def check_render_mode(render_mode: str | None, metadata: dict) -> str | None:
    """Returns `render_mode` if it is None or one of metadata["render_modes"], the modes of an environment.

    Raises RenderModeError: another value.
    """
    modes = metadata["render_modes"]
    if render_mode is not None and render_mode not in modes:
        raise RenderModeError("expected render_mode=None or %s, got %r", " or ".join(map(repr, modes)), render_mode)
    return render_mode


def encode(observations: np.ndarray) -> np.ndarray:
    """Returns observations, uint8[B, OBSERVATION_SIZE], as planes, float32[B, INPUT_COUNT, 34]."""
    return encode_inputs(observations, compute_ahead_rows(observations))


def format_observation(observation: np.ndarray) -> str:
    """Returns what a seat sees as lines of text, for render_mode="ansi". observation: uint8[OBSERVATION_SIZE]."""
    task, seat, wind, tile = (int(field(observation, name)[0]) for name in (
        "task", "seat_wind", "prevalent_wind", "last_tile"))
    lines = ["%s round, seat %s, %s%s" % (
        WINDS[wind], WINDS[seat], _TASKS[task], "" if tile == NONE else ", last tile " + TILE_NAMES[tile])]
    walls = field(observation, "walls")
    for player, name in enumerate(_PLAYERS):
        lines.append("%-6s wall %2d" % (name, walls[player]))
        if player == 0:
            lines[-1] += "  hand " + " ".join(list_tiles(field(observation, "hand")))
        melds = [_format_meld(*pair) for pair in zip(
            field(observation, "meld_kind")[player].tolist(), field(observation, "meld_tile")[player].tolist())]
        if any(melds):
            lines.append("       melds " + " ".join(filter(None, melds)))
        river = [TILE_NAMES[tile] for tile in field(observation, "river_tile")[player] if tile != NONE]
        lines += textwrap.wrap(" ".join(river), _WIDTH, initial_indent="       river ", subsequent_indent=" " * 13)
    return "\n".join(lines) + "\n"


def _format_meld(meld_type, tile):
    """Returns a meld as text, a concealed kong in round brackets; "" for no meld."""
    if not meld_type:
        return ""
    if meld_type == CHOW:
        names = TILE_NAMES[tile - 1:tile + 2]
    else:
        names = ["??" if tile == NONE else TILE_NAMES[tile]] * (3 + (meld_type > CHOW + 1))
    return ("(%s)" if meld_type == CONCEALED_KONG else "[%s]") % " ".join(names)
