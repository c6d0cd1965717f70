import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: learning is not tested; 3rdparty/requirements-train.txt")

from mj_bot.lab.engine import Engine  # noqa: E402
from mj_bot.lab.engine.sources import Source  # noqa: E402
from mj_bot.lab.rl.adapt import Adapter, deal_walls, judge_hands  # noqa: E402
from mj_bot.lab.rl.config import parse_config  # noqa: E402
from mj_bot.lab.train.network import TileNetwork  # noqa: E402

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


def test_hands_are_judged_one_by_one():
    torch.manual_seed(0)
    gains = list(judge_hands(TileNetwork(4, 1, is_folded=True).eval(), make_config(games=8, iterations=1), 2))
    assert len(gains) == 2 and np.isfinite(gains).all()
