"""The same match on a Ray cluster of two nodes on this machine, one of which is killed in the middle."""

import time

import pytest

from mj_bot.lab.arena.run_match import PlayedWalls, Scoreboard, choose_referee
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.arena.stopping import Until
from mj_bot.lab.run.cluster import run_tasks
from mj_bot.mahjong.errors import MahjongError

ray = pytest.importorskip("ray", reason="Ray is optional and not installed; `make ray` installs it")
pytestmark = pytest.mark.slow


def play(match, rule=None, show=lambda count: None, ray_address=None):
    """The tallies of the walls without what the clock says."""
    with PlayedWalls(match, ray_address=ray_address, choose=choose_referee) as walls:
        board = Scoreboard(walls, 40, rule)
        for count in board.play():
            show(count)
    return [[dict(tally.as_dict(), times=None) for tally in wall] for wall in board.walls]


def test_a_node_killed_in_the_middle_loses_nothing(cluster):
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    match = make_match(["random", "random:seed=1", "random:seed=2", "random:seed=3"])
    done = []

    def kill_in_the_middle(count):
        done.append(count)
        if len(done) == 10:
            cluster.remove_node(node, allow_graceful=False)

    walls = play(match, ray_address=cluster.address, show=kill_in_the_middle)
    assert len(done) == len(walls) == 40
    assert walls == play(match)


def test_both_nodes_play_and_the_tasks_of_the_killed_one_are_played_again(cluster):
    node = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()

    def play_slowly(number):
        time.sleep(0.3)
        return number, ray.get_runtime_context().get_node_id()

    numbers, nodes = [], set()
    for number, node_id in run_tasks(play_slowly, ((number,) for number in range(30)), cluster.address):
        numbers.append(number)
        nodes.add(node_id)
        if len(nodes) == 2 and node is not None:
            cluster.remove_node(node, allow_graceful=False)
            node = None
    assert sorted(numbers) == list(range(30)) and node is None


def test_a_rule_ends_the_match_where_it_does_here(cluster):
    match = make_match(["random", "random:seed=1"])
    assert play(match, ray_address=cluster.address, rule=Until(2)) == play(match, rule=Until(2))


def test_no_cluster():
    with pytest.raises(MahjongError, match="expected a Ray cluster at 'localhost:1'"):
        play(make_match(["random", "random:seed=1"]), ray_address="localhost:1")
