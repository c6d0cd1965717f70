"""Two processes learn together on the processor, as torchrun starts them."""

import json
import multiprocessing
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from mj_bot.lab.rl.learner import DivergedError
from mj_bot.lab.rl.self_play_loop import Learning
from mj_bot.lab.rl.policy import load_start
from mj_bot.lab.run.ranks import join_ranks, leave_ranks
from mj_bot.lab.train.checkpoint import load_checkpoint, pack
from mj_bot.mahjong.errors import ModelMismatchError
from tests.lab.rl.runs import PARTS, make_config, write_settings, write_start
from tests.lab.train.batches import check_alike

pytestmark = pytest.mark.slow

_COUNT = 2
# One folder a thread, where the system is Linux.
_THREADS = Path("/proc/self/task")


def learn(rank, port, folder):
    """What each process does; it saves its learner in FOLDER/RUN/learner-RANK.pt."""
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(_COUNT), MASTER_ADDR="127.0.0.1",
                      MASTER_PORT=str(port))
    ranks = join_ranks()
    config = make_config(folder / "start.npz", **dict(PARTS, run={"games": 16}))
    learning = Learning(config, folder / "whole", ranks)
    learning.run()
    save_learner(learning, folder / "whole" / ("learner-%d.pt" % rank))
    for _ in range(2):
        learning = Learning(config, folder / "broken", ranks)
        # One of them is late.
        learning.run(0 if ranks.is_first else 1e9)
    save_learner(learning, folder / "broken" / ("learner-%d.pt" % rank))
    diverge(make_config(folder / "start.npz"), folder / "diverged", ranks)
    # A folder that only the first process sees.
    with pytest.raises(ModelMismatchError, match=r"one folder for all processes, got checkpoints after \[16, 0\]"):
        Learning(config, folder / ("whole" if ranks.is_first else "elsewhere"), ranks)
    assert list_gloo_threads() or not _THREADS.exists()
    leave_ranks()
    assert not list_gloo_threads()


def list_gloo_threads():
    """Names of this process's threads that work for its group."""
    names = [path.read_text().strip() for path in _THREADS.glob("*/comm")]
    return [name for name in names if "gloo" in name or "tcpstore" in name]


def save_learner(learning, path):
    learner = learning.learner
    tensors = {"entropy": torch.tensor(learner.entropy_weight), "steps": torch.tensor(learner.steps)}
    for part in learner.list_networks():
        tensors.update(pack(*part))
    torch.save(tensors, path)


def diverge(config, folder, ranks):
    learning = Learning(config, folder, ranks)
    learning.run(minutes=0)
    if not ranks.is_first:
        compute_losses = learning.learner._compute_losses
        learning.learner._compute_losses = lambda *words: {
            name: loss * torch.nan for name, loss in compute_losses(*words).items()}
    with pytest.raises(DivergedError, match="others in another process" if ranks.is_first else "nan"):
        learning.run()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where both processes learnt with PARTS."""
    folder = tmp_path_factory.mktemp("ranks")
    write_start(folder / "start.npz")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    context = multiprocessing.get_context("forkserver")  # which imports for both
    context.set_forkserver_preload([__name__, "torch._dynamo", "torch.utils.tensorboard"])
    processes = [context.Process(target=learn, args=(rank, port, folder)) for rank in range(_COUNT)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
        process.kill()  # one that waits for the other would do so for long
    assert [process.exitcode for process in processes] == [0, 0]
    return folder


def test_all_processes_have_the_same_weights_also_after_a_run_was_broken_off(folder):
    learners = [torch.load(folder / run / ("learner-%d.pt" % rank))
                for run in ("whole", "broken") for rank in range(_COUNT)]
    start = load_start(str(folder / "start.npz")).state_dict()
    assert not torch.equal(learners[0]["network.policy_suits.weight"], start["policy_suits.weight"])
    state, tensors = load_checkpoint(folder / "whole")
    assert state["games"] == 16 and len(learners[0]) > 40
    for learner in learners:
        for name, tensor in learners[0].items():
            assert torch.equal(learner[name], tensor) and torch.equal(tensors.get(name, tensor), tensor), name


@pytest.mark.parametrize("run", ["whole", "broken"])
def test_the_first_writes_for_all(folder, run):
    lines = [json.loads(line) for line in (folder / run / "log.jsonl").read_text().splitlines()]
    assert [line["games"] for line in lines] == [8, 16]
    assert len(list((folder / run / "events").iterdir())) == (1 if run == "whole" else 2)
    assert sorted(path.name for path in (folder / run / "weights").glob("*.npz")) == [
        "%09d.npz" % games for games in (0, 16)]


def test_a_loss_that_is_not_finite_in_one_stops_all_and_keeps_its_batch(folder):
    assert [path.name for path in (folder / "diverged").glob("broken*")] == ["broken-1.pt"]
    broken = torch.load(folder / "diverged" / "broken-1.pt")
    assert len(broken["observation"]) == len(broken["action"]) > 0
    assert load_checkpoint(folder / "diverged")[0]["games"] == 8


def test_the_command_under_torchrun(tmp_path):
    write_start(tmp_path / "start.npz")
    write_settings(tmp_path / "a.toml", tmp_path / "start.npz")
    words = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2",
             "-m", "mj_bot.lab", "rl", str(tmp_path / "a.toml"), "--output"]

    def run(folder, *options):
        return subprocess.run(words + [str(tmp_path / folder), *options], check=True, stdout=subprocess.PIPE, text=True,
                              cwd=Path(__file__).parents[3]).stdout

    assert run("parts", "--minutes", "0").count("8 games, ") == 1
    assert run("parts").count("24 games, ") == 1
    run("whole")
    check_alike(tmp_path / "parts", tmp_path / "whole")
