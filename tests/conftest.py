"""One thread for the matrices of numpy and torch, as the bot has it, since tests share the machine; a library apart.

Hypothesis has the same examples in every run, and no limit of time, which a busy machine would not keep.
"""

import gc
import itertools
import os
import zlib

import pytest
from hypothesis import settings

from tests import sharing

settings.register_profile("tests", deadline=None, derandomize=True, database=None)
settings.load_profile("tests")

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")


def pytest_addoption(parser):
    parser.addoption("--share", metavar="K/N", help="run share K mod N of the tests, cut by their names")


def pytest_collection_modifyitems(config, items):
    """Keeps the tests of the share that --share names. A test stays in its share when others come and go."""
    if config.getoption("share"):
        index, count = map(int, config.getoption("share").split("/"))
        left_out = [item for item in items if zlib.crc32(item.nodeid.encode()) % count != index % count]
        items[:] = [item for item in items if item not in set(left_out)]
        config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish():
    """Lets Python search for garbage less often, and not in what is imported: it took a tenth of the time."""
    gc.freeze()
    gc.set_threshold(10_000)


@pytest.fixture(scope="session")
def library_paths(tmp_path_factory):
    """Paths of new libraries. A folder for each would take a search of all folders that are there."""
    folder = tmp_path_factory.mktemp("libraries")
    return (str(folder / ("%d.sqlite" % number)) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_library(monkeypatch, library_paths):
    """Keeps every test, and the commands that it starts, out of the user's library."""
    monkeypatch.setenv("MJ_BOT_LIBRARY", next(library_paths))


@pytest.fixture(scope="session", autouse=True)
def shared_folder(tmp_path_factory):
    """Names the folder in which the processes of this run share what they have made."""
    own = tmp_path_factory.getbasetemp()
    sharing.FOLDER = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
