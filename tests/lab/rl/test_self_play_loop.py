import json
import threading
import time

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mj_bot.lab.__main__ import main
from mj_bot.lab.engine import seed_source
from mj_bot.lab.rl.actor import Group, PlayingNetworks, play_groups
from mj_bot.lab.rl.self_play_loop import Learning
from mj_bot.lab.rl.policy import Device, load_start
from mj_bot.lab.train.checkpoint import load_checkpoint
from mj_bot.mahjong.errors import MahjongError, ProtocolError
from mj_bot.observation.layout import FULL_SIZE
from tests.lab.rl.runs import PARTS, make_config
from tests.lab.train.batches import check_alike


def make_source(first, rows):
    return seed_source(100 + first, rows)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_a_gpu_that_is_not_there_is_refused():
    """The traceback said that torch was not compiled for it."""
    with pytest.raises(MahjongError, match="cpu or auto, as torch finds no GPU"):
        Device("cuda")


@pytest.mark.slow
def test_a_run_that_was_broken_off_comes_to_the_same_network(start, tmp_path):
    config = make_config(start, **PARTS)
    Learning(config, tmp_path / "whole").run()
    for _ in range(3):
        Learning(config, tmp_path / "parts").run(minutes=0)
    state, tensors = check_alike(tmp_path / "whole", tmp_path / "parts")
    other_state, _ = load_checkpoint(tmp_path / "parts")
    assert state["games"] == 24
    for name in ("games", "iteration", "entropy_weight", "steps", "past"):
        assert state[name] == other_state[name]
    changed = load_start(start).state_dict()
    assert any(not torch.equal(tensors["network." + name], tensor) for name, tensor in changed.items())
    lines = (tmp_path / "whole" / "log.jsonl").read_text().splitlines()
    assert len(lines) == 3 and {
        "play/draws", "play/wins", "play/deal_ins", "play/claims", "learn/entropy"} <= json.loads(lines[0]).keys()
    assert sorted(path.name for path in (tmp_path / "parts" / "weights").glob("*.npz")) == [
        "%09d.npz" % games for games in (0, 16, 24)]
    Learning(config, tmp_path / "whole").run()
    assert (tmp_path / "whole" / "log.jsonl").read_text().splitlines() == lines
    with pytest.raises(ProtocolError, match=r"\(there -> now\): run.seed 0 -> 5, .*league.shares.past 0.5 -> no"):
        Learning(make_config(start, run={"seed": 5}), tmp_path / "whole")
    # Settings that did not exist when the run began have their defaults. A former one is no difference.
    path = tmp_path / "whole" / "run.json"
    run = json.loads(path.read_text())
    del run["settings"]["critic"]["warmup_games"]
    run["settings"]["ppo"]["validation_share"] = 0.0
    path.write_text(json.dumps(run))
    Learning(config, tmp_path / "whole")
    run["settings"]["ppo"]["sure"] = run["settings"]["ppo"].pop("skip_above")
    path.write_text(json.dumps(run))
    with pytest.raises(MahjongError, match="got 'sure' in \\[ppo\\] of the settings of the run"):
        Learning(config, tmp_path / "whole")


@pytest.mark.slow
def test_a_run_that_was_broken_off_before_its_first_checkpoint(start, tmp_path):
    """What the full disk left of the log stayed there, and its first iteration stood there twice."""
    for _ in range(2):
        (tmp_path / "checkpoint.pt").unlink(missing_ok=True)
        Learning(make_config(start), tmp_path).run(minutes=0)
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["games"] for line in lines] == [8]


def test_an_interrupt_before_the_first_checkpoint_says_so(start, tmp_path, monkeypatch, capsys):
    """It said that the same command goes on from there, and there was nothing to go on from."""
    def stop(learning, play, writer):
        raise KeyboardInterrupt

    monkeypatch.setattr(Learning, "_iterate", stop)
    path = tmp_path / "short.toml"
    path.write_text("[run]\nstart = %s\ngames = 24\n" % json.dumps(str(start)))
    words = ["rl", str(path), "-o", str(tmp_path / "a run"), "--set", "run.games_per_iteration=8", "--set",
             "run.width=8", "--set", "run.groups=1"]
    assert main(words) == 130
    told = capsys.readouterr().err
    assert "rl: begins after 0 games; a checkpoint every 8 games" in told
    assert "tensorboard --logdir '%s'" % (tmp_path / "a run") in told
    assert told.endswith("rl: interrupted; the same command goes on from the last checkpoint, if there is one\n")


@pytest.mark.slow
def test_the_average_of_the_weights_and_the_games_of_each_stretch(start, tmp_path):
    learning = Learning(make_config(start, run={"games": 16, "average_games": 8}), tmp_path)
    began = [parameter.clone() for parameter in learning.average.parameters()]
    learning.run(minutes=0)
    for mean, before, now in zip(learning.average.parameters(), began, learning.learner.network.parameters()):
        torch.testing.assert_close(mean, before / np.e + (1 - 1 / np.e) * now.detach())
    # Other times to save networks were another run.
    resumed = Learning(make_config(start, run={"games": 16, "average_games": 8, "save_games": 5}), tmp_path)
    assert all(map(torch.equal, resumed.average.parameters(), learning.average.parameters()))
    resumed.run()
    assert [json.loads(line)["stretch"] for line in (tmp_path / "log.jsonl").read_text().splitlines()] == [8, 8]
    assert sorted(int(path.stem) for path in (tmp_path / "averages").glob("*.npz")) == [0, 16]


def test_what_a_group_played_before_changes_nothing():
    """Hands that MahjongGB had counted before came to the network in another order, and so got other noise."""
    device = Device("cpu", "float32")
    networks = PlayingNetworks(load_start("data/weights/cnn.npz"), [], device, 0.5)
    group, lineups = Group(24), np.zeros((24, 4), np.int8)
    first, again = (group.play(networks, lineups, source=make_source(0, 24), generator=device.generator(5),
                               stop=threading.Event()) for _ in range(2))
    assert np.count_nonzero(first[1].winner >= 0) > 12
    for one, other in zip(first[0] + first[1], again[0] + again[1]):
        np.testing.assert_array_equal(one, other)


def test_the_groups_end_with_the_first_that_fails(start, monkeypatch):
    """After Ctrl-C the groups played all games of the iteration before the command ended, for minutes."""
    groups, networks = [Group(4), Group(4)], PlayingNetworks(load_start(start), [], Device("cpu", "float32"), 1.0)
    decide, steps = Group._decide, []

    def fail_or_play(group, *args, **options):
        if group is groups[0]:
            raise KeyboardInterrupt
        steps.append(None)
        time.sleep(0.02)
        return decide(group, *args, **options)

    monkeypatch.setattr(Group, "_decide", fail_or_play)
    with pytest.raises(KeyboardInterrupt):
        play_groups(groups, networks, np.zeros((8, 4), np.int8), make_source=make_source, seeds=(0,))
    assert len(steps) < 20  # A whole game has more.


def test_legal_decisions_of_the_learner_are_kept_with_their_probabilities(start):
    lineups = np.array([[0, 0, 0, 0], [0, 1, 0, 1]] * 4, np.int8)
    network = load_start(start)
    groups, networks = [Group(2), Group(2)], PlayingNetworks(network, [network], Device("cpu", "float32"), 1.0)
    decisions, ends = play_groups(groups, networks, lineups, make_source=make_source, seeds=(0,))
    assert decisions.observation.shape == (len(decisions.action), FULL_SIZE)
    masks = np.unpackbits(decisions.mask, axis=1, bitorder="little").astype(bool)
    assert masks[np.arange(len(masks)), decisions.action].all() and (masks.sum(1) > 1).all()
    assert (lineups[decisions.game, decisions.seat] == 0).all() and set(decisions.game) == set(range(8))
    assert (decisions.log_prob <= np.log(decisions.top_prob) + 1e-5).all()
    assert (ends.score.sum(1) == 0).all() and (ends.winner >= -1).all()
    again, other_ends = play_groups(groups[::-1], networks, lineups, make_source=make_source, seeds=(0,))
    assert all(np.array_equal(one, other, equal_nan=True) for one, other in zip(decisions + ends, again + other_ends))


@pytest.mark.slow
def test_groups_play_the_same_games_in_other_processes(start):
    lineups, networks = np.zeros((6, 4), np.int8), PlayingNetworks(load_start(start), [], Device("cpu", "float32"), 1.0)
    # Another process has groups of its own: the order of an engine's decisions depends on the fans that it has counted.
    decisions, ends = play_groups([Group(2) for _ in range(3)], networks, lineups, make_source=make_source, seeds=(0,))
    parts = [play_groups([Group(2) for _ in range(3 - first)], networks, lineups[2 * first:],
                         make_source=make_source, seeds=(0,), first=first) for first in (1, 2)]
    for first, (part, part_ends) in zip((1, 2), parts):
        rows = decisions.game >= 2 * first
        assert np.array_equal(decisions.observation[rows], part.observation)
        assert np.array_equal(decisions.game[rows], part.game + 2 * first)
        assert np.array_equal(ends.score[2 * first:], part_ends.score)
