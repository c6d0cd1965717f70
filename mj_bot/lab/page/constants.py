"""Keeps what Python and the scripts of the pages both use; each page has it in its element #constants."""

import json
import pathlib

from ...mahjong.fan import MIN_FAN

# Losses below it count as none: actions whose values differ by less are equally good.
LEAST_LOSS = 0.005
# Fans that are so many tiles away at most are named.
NAMED = 3
# The rows of hand/fan_rows.py.
_FAN_ROWS = json.loads((pathlib.Path(__file__).parent / "fan_rows.json").read_text(encoding="utf-8"))
PAGE_CONSTANTS = {"leastLoss": LEAST_LOSS, "named": NAMED, "leastFan": MIN_FAN, "fanRows": _FAN_ROWS}
