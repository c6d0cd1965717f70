"""The same run with actors on a Ray cluster of two nodes on this machine, where an actor dies."""

import contextlib
import os
import signal
from functools import partial

import numpy as np
import pytest

ray = pytest.importorskip("ray", reason="Ray is optional and not installed; `make ray` installs it")
pytest.importorskip("torch")

from mj_bot.lab.engine import seed_source
from mj_bot.lab.rl.actor import Group, PlayingNetworks, play_groups
from mj_bot.lab.rl.self_play_loop import Learning
from mj_bot.lab.rl.policy import Device, load_start
from mj_bot.lab.rl.remote import open_actors
from mj_bot.mahjong.errors import MahjongError
from tests.lab.rl.runs import PARTS, make_config
from tests.lab.train.batches import check_alike

pytestmark = pytest.mark.slow


@pytest.fixture
def cluster(cluster):
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    return cluster


@pytest.mark.parametrize("parts", [PARTS, {}])
def test_a_run_with_actors_comes_to_the_same_network(cluster, start, tmp_path, parts):
    plain, config = (make_config(start, **parts, run={"groups": 2, "actors": count}) for count in (0, 2))
    Learning(plain, tmp_path / "here").run()
    # What is begun with actors goes on without, and the other way round.
    Learning(config, tmp_path / "there", ray_address=cluster.address).run(minutes=0)
    Learning(plain, tmp_path / "there").run(minutes=0)
    Learning(config, tmp_path / "there", ray_address=cluster.address).run()
    check_alike(tmp_path / "here", tmp_path / "there")


def make_source(folder, parent, first, rows):
    """The Source of a group's games; in an actor it leaves the first row in a file, and the first actor of all dies."""
    if os.getpid() != parent:
        (folder / ("%d of %d" % (first, os.getpid()))).touch()
        with contextlib.suppress(FileExistsError):
            (folder / "killed").touch(exist_ok=False)
            os.kill(os.getpid(), signal.SIGKILL)
    return seed_source(100 + first, rows)


def test_the_share_of_an_actor_that_dies_is_played_again(cluster, start, tmp_path):
    run = make_config(start, run={"actors": 2, "groups": 2}).run
    lineups, networks = np.zeros((8, 4), np.int8), PlayingNetworks(load_start(start), [], Device("cpu", "float32"), 1.0)
    source = partial(make_source, tmp_path, os.getpid())
    with open_actors(run, 0, cluster.address) as play:
        played = play(networks, lineups, make_source=source, seeds=(0,))
    firsts = [int(path.name.split()[0]) for path in tmp_path.glob("* of *")]
    assert sorted(firsts) in ([0, 0, 4], [0, 4, 4]) and (tmp_path / "killed").exists()
    groups = [Group(run.width) for _ in range(run.groups)]
    others = play_groups(groups, networks, lineups, make_source=source, seeds=(0,))
    assert all(np.array_equal(one, other, equal_nan=True)
               for part, its in zip(played, others) for one, other in zip(part, its))


def test_a_cluster_that_is_too_small(cluster, start, tmp_path):
    config = make_config(start, run={"actors": 4, "groups": 4})
    with pytest.raises(MahjongError, match="a processor for each of 4 groups, got 2"):
        Learning(config, tmp_path, ray_address=cluster.address).run()
