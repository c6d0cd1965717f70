"""Results of tuning and ablation as JSON files."""

import json
import os

from ...mahjong.errors import MahjongError


def write_run(path, run):
    """Writes a run as a JSON file, whole or not at all; the entries of lists take a line each.

    Raises MahjongError: it cannot be written.
    """
    parts = []
    for key, value in run.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n  %s\n ]" % ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value)
        parts.append(" %s: %s" % (json.dumps(key), text))
    try:
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            file.write("{\n%s\n}\n" % ",\n".join(parts))
        os.replace(path + ".tmp", path)
    except OSError as error:
        raise MahjongError("expected a file that can be written, got %r: %s" % (path, error)) from None
