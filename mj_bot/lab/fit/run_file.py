"""Results of tuning and ablation as JSON files."""

import json

from ..run.files import write_whole


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
    write_whole(path, "{\n%s\n}\n" % ",\n".join(parts))
