import pytest

from tests.lab.review.games import golden_lines


@pytest.fixture
def game_file(tmp_path):
    """A file with a recorded game."""
    path = tmp_path / "game.json"
    path.write_text(golden_lines(1, "stacked")[0], encoding="utf-8")
    return path
