"""A file for Botzone that the tests of this folder share."""

import pytest

from mj_bot.lab.upload.pyz import build


@pytest.fixture(scope="session")
def pyz(tmp_path_factory):
    """Path of a bot that plays at random."""
    path = tmp_path_factory.mktemp("handin") / "mj_bot.pyz"
    path.write_bytes(build("random"))
    return str(path)
