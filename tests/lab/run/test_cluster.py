"""The same match on a Ray cluster of two nodes on this machine, one of which is killed in the middle."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mj_bot.lab.arena.run_match import BY_REFEREE, PlayedWalls, Scoreboard
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.arena.stopping import Until
from mj_bot.lab.run.cluster import run_tasks
from mj_bot.mahjong.errors import MahjongError

ray = pytest.importorskip("ray", reason="Ray is optional and not installed; `make ray` installs it")
pytestmark = pytest.mark.slow


def play(match, rule=None, ray_address=None):
    """The tallies of the walls without what the clock says."""
    with PlayedWalls(match, ray_address=ray_address, runner=BY_REFEREE) as walls:
        board = Scoreboard(walls, 40, rule)
        list(board.play())
    return [[dict(tally.as_dict(), times=None) for tally in wall] for wall in board.walls]


def test_both_nodes_play_and_the_tasks_of_the_one_that_is_killed_are_played_again(cluster):
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


@pytest.fixture
def guarded(tmp_path):
    """The environment and the address of a cluster that admits who has its token."""
    ray_command = str(Path(sys.executable).with_name("ray"))
    environment = dict(os.environ, HOME=str(tmp_path), RAY_AUTH_MODE="token")
    subprocess.run([ray_command, "get-auth-token", "--generate"], env=environment, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    head = subprocess.Popen([ray_command, "start", "--head", "--block", "--port=%d" % port, "--num-cpus=1",
                             "--include-dashboard=false", "--disable-usage-stats"], env=environment,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        for _ in range(600):
            with socket.socket() as asking:
                if asking.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield environment, "127.0.0.1:%d" % port
    finally:
        head.send_signal(signal.SIGTERM)
        head.wait(60)


def test_who_has_no_token_does_not_join(guarded):
    """Ray listens on all interfaces, and runs the code of whoever connects."""
    environment, address = guarded
    words = [sys.executable, "-m", "mj_bot.lab", "arena", "random", "random:seed=1", "--walls", "1", "--rotations", "4",
             "--referee", "--ray", address]
    for changes, code in (({"RAY_AUTH_MODE": "disabled"}, 2), ({"RAY_AUTH_TOKEN": "0" * 64}, 2),
                          ({"RAY_AUTH_TOKEN_PATH": "/no/token"}, 2), ({}, 0)):
        done = subprocess.run(words, env=dict(environment, **changes), capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr and ("docs/ray.md" in done.stderr) == (code == 2)


def test_a_rule_ends_the_match_where_it_does_here(cluster):
    match = make_match(["random", "random:seed=1"])
    assert play(match, ray_address=cluster.address, rule=Until(2)) == play(match, rule=Until(2))


def test_no_cluster():
    with pytest.raises(MahjongError, match="expected a Ray cluster at 'localhost:1'"):
        play(make_match(["random", "random:seed=1"]), ray_address="localhost:1")
