"""Reads the list of the 81 fans, fans.json; flowers are not among them.

It has a row for each fan, from 88 points down to 1: the judge's name, the English name of PyMahjongGB, an example as
hand/notation.py reads it, and the fans that are not counted together with it, because it includes or excludes them.
"""

import json
import pathlib

_ROWS = json.loads((pathlib.Path(__file__).parent / "fans.json").read_text(encoding="utf-8"))
ENGLISH_FANS = {name: english for name, (english, _, _) in _ROWS.items()}
FAN_EXAMPLES = {name: hand for name, (_, hand, _) in _ROWS.items()}
EXCLUDED_FANS = {name: names.split() for name, (_, _, names) in _ROWS.items()}
