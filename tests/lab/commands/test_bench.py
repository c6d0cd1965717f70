"""The bench prints and writes its rows; what they say is for people to read, not for a test."""

import json

import pytest

from mj_bot.lab.commands.bench import main


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--environments"]])
def test_rows(options, tmp_path, capsys):
    path = tmp_path / "bench.json"
    assert main([*options, "--seconds", "0.3", "--json", str(path)]) == 0
    rows = json.loads(path.read_text())
    assert all({"name", "value", "unit", "reference", "ratio"} <= set(row) for row in rows)
    assert all(row["value"] >= 0 and row["reference"] > 0 for row in rows)
    assert len({(row["name"], row["against"]) for row in rows}) == len(rows)
    printed = capsys.readouterr().out
    assert all(row["name"] in printed for row in rows)
