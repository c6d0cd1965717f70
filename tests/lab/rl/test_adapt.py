import json

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: learning is not tested; 3rdparty/requirements-train.txt")

from mj_bot.lab.__main__ import main
from mj_bot.lab.engine import Engine
from mj_bot.lab.engine.sources import Source
from mj_bot.lab.rl import adapt
from mj_bot.lab.rl.adapt import Adapter, deal_walls
from mj_bot.lab.rl.config import parse_config
from mj_bot.lab.train.network import TileNetwork
from tests.lab.rl.runs import write_start

HAND = [0, 0, 1, 2, 9, 13, 18, 18, 18, 27, 31, 33, 33]


def make_config(**adapt):
    return parse_config({
        "run": {"games_an_iteration": 8, "width": 8, "precision": "float32", "device": "cpu"},
        "signal": {"kind": "duplicate", "rotations": 2},
        "adapt": dict({"games": 16, "iterations": 2, "trials": 8, "rate": 1e-2}, **adapt)})


@pytest.mark.parametrize("seat", range(4))
def test_the_seat_is_dealt_its_hand_and_the_rest_is_random(seat):
    walls = deal_walls(HAND, seat, 5, np.random.default_rng(7))
    assert all(np.array_equal(np.bincount(wall, minlength=34), [4] * 34) for wall in walls)
    assert len({wall.tobytes() for wall in walls}) == 5
    engine = Engine(5, Source(walls, np.zeros(5, np.uint8), np.array([0, 5, 1, 0], np.int64)))
    engine.reset()
    hands = engine.games["hand"][:, seat].copy()
    drawn = engine.games["last_tile"][engine.games["turn"] == seat]
    if seat == 0:
        hands[np.arange(5), drawn] -= 1
    assert (hands == np.bincount(HAND, minlength=34)).all()


def test_adaptation_changes_a_copy_the_same_way_each_time():
    torch.manual_seed(0)
    network = TileNetwork(4, 1, is_folded=True).eval()
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    adapter = Adapter(network, make_config())
    first, again = adapter.adapt(HAND, 1, 0, 3), adapter.adapt(HAND, 1, 0, 3)
    assert all(torch.equal(tensor, again.state_dict()[name]) for name, tensor in first.state_dict().items())
    assert any(not torch.equal(tensor, before[name]) for name, tensor in first.state_dict().items())
    assert all(torch.equal(tensor, before[name]) for name, tensor in network.state_dict().items())
    assert adapter.judge(adapter._network, HAND, 1, 0, 3) == 0


@pytest.fixture
def command(tmp_path):
    write_start(str(tmp_path / "start.npz"))
    (tmp_path / "adapt.toml").write_text("""
        [run]
        games_an_iteration = 8
        width = 8
        precision = "float32"
        device = "cpu"
        [signal]
        kind = "duplicate"
        rotations = 2
        [adapt]
        games = 8
        iterations = 1
        trials = 8
        rate = 1e-2
        """)
    return ["rl", "adapt", str(tmp_path / "adapt.toml"), "--weights", str(tmp_path / "start.npz"),
            "--output", str(tmp_path / "run"), "--json", str(tmp_path / "adapt.json")]


def test_the_command_goes_on_where_it_was_broken_off(command, tmp_path, capsys, monkeypatch):
    # By their best actions such small networks win no game.
    monkeypatch.setattr(adapt, "_IN_EARNEST", 1.0)
    assert main(command + ["--hands", "3"]) == 0
    hands = tmp_path / "run" / "hands.jsonl"
    whole, result = hands.read_text(), (tmp_path / "adapt.json").read_text()
    gains = [json.loads(line)["gain"] for line in whole.splitlines()]
    assert len(gains) == 3 and any(gains)
    assert json.loads(result)["points"] == pytest.approx(np.mean(gains), abs=1e-3)
    assert "3 hands: %+.2f (" % np.mean(gains) in capsys.readouterr().out
    # A kill in the middle of a line, and the keyboard in the middle of a hand.
    hands.write_text(whole[:whole.index("\n") + 5])
    with monkeypatch.context() as patched:
        patched.setattr(adapt.Adapter, "judge", interrupt)
        assert main(command + ["--hands", "3"]) == 130
    assert hands.read_text() == whole[:whole.index("\n") + 1]
    assert main(command + ["--hands", "3"]) == 0
    assert hands.read_text() == whole and (tmp_path / "adapt.json").read_text() == result
    assert main(command + ["--hands", "2"]) == 0
    assert hands.read_text() == whole and json.loads((tmp_path / "adapt.json").read_text())["hands"] == 2


def interrupt(*_):
    raise KeyboardInterrupt


def test_hands_of_another_run_are_refused(command, tmp_path, capsys):
    assert main(command + ["--hands", "2"]) == 0
    settings = tmp_path / "adapt.toml"
    settings.write_text(settings.read_text().replace("1e-2", "1e-3"))
    assert main(command + ["--hands", "2"]) == 2
    assert "expected a new folder or one of the same settings" in capsys.readouterr().err
    settings.write_text(settings.read_text().replace("1e-3", "1e-2"))
    (tmp_path / "run" / "hands.jsonl").write_text('{"hand": 1, "gain": 2.0}\n')
    assert main(command + ["--hands", "2"]) == 2
    assert "hands.jsonl" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stopped:
        main(command + ["--hands", "1"])
    assert stopped.value.code == 2
