import pytest


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """A weight file of a very small network."""
    from tests.lab.rl.runs import write_start

    path = str(tmp_path_factory.mktemp("start") / "start.npz")
    write_start(path)
    return path
