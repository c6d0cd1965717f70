"""The encoders of the published systems at positions written out, and what all recipes must do."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: recipes are not tested; `make train` installs it")

from mj_bot.lab.dataset.reader import Batch
from mj_bot.lab.train.recipe import TrainBatch, encode_outcomes, load_recipe, mask_logits, policy_loss
from mj_bot.lab.train.recipes import RECIPES
from mj_bot.lab.train.recipes import fox_thinker, haibara, parts, res600, rl_final, suphx
from mj_bot.lab.train.recipes.look_ahead import FAR, compute_shapes, compute_useful, compute_worths
from mj_bot.lab.train.stream import move_batch
from mj_bot.mahjong.action import ACTION_COUNT, DISCARD_BASE, PASS_INDEX, encode_action
from mj_bot.mahjong.shanten import shanten, useful_tiles
from mj_bot.mahjong.shanten_tables import shanten_batch
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.network.planes import PLANE_COUNT
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import field
from mj_bot.tactic.search import SearchTactic
from tests.lab.train.batches import make_batch, tensors
from tests.lab.dataset.sets import play_observations
from tests.tactic.positions import discard_of, state_of

# Seat 1 took W4 for a pung, discarded T1 and drew W9; the others discarded W4 and F4, J3, F4.
DEALT = "W1244 T159 B159 F1 J12"
STATE = state_of(1, DEALT, "; ".join([
    discard_of(0, "W4"), "3 1 PENG T1", discard_of(2, "J3"), discard_of(3, "F4"), discard_of(0, "F4"), "2 W9"]))
HAND = "W1 W2 W9 T5 T9 B1 B5 B9 F1 J1 J2"


@pytest.fixture(scope="module")
def observation():
    return encode_observation(STATE)[None]


def names(plane):
    """Names of the tiles where a plane is set."""
    return " ".join(np.array(TILE_NAMES)[np.asarray(plane) != 0])


def encode(recipe, observation):
    """What the recipe's network is asked."""
    return recipe.encode(torch.from_numpy(observation), tensors(recipe.compute_extras(observation)))


def test_planes_of_rl_final(observation):
    planes = encode(rl_final.RlFinal(), observation)[0]
    assert planes.shape == (63, 34, 4)
    now = planes[:9]
    assert names(now[0, :, 0]) == HAND and not now[0, :, 1].any()
    assert names(now[1, :, 0]) == names(now[1, :, 2]) == "W4" and not now[1, :, 3].any()
    assert not now[2:5].any()
    assert [names(now[place, :, 0]) for place in range(5, 9)] == ["T1", "J3", "F4", "W4 F4"]
    # At the discard of T1: the pung lay there, T1 was in the hand, one discard was made.
    before = planes[9:18]
    assert names(before[0, :, 0]) == "W1 W2 W9 T1 T5 T9 B1 B5 B9 F1 J1 J2"
    assert names(before[1, :, 2]) == "W4"
    assert [names(before[place, :, 0]) for place in range(5, 9)] == ["", "", "", "W4"]
    # There were no earlier turns.
    assert not planes[18:].any()


@pytest.fixture(scope="module")
def encoded(observation):
    planes, numbers = encode(haibara.Haibara(), observation)
    assert planes.shape == (1, 60, 34) and numbers.shape == (1, 117)
    return planes[0].numpy(), numbers[0].numpy()


class TestHaibara:
    def test_planes(self, encoded, observation):
        planes, _ = encoded
        assert names(planes[0]) == "W4" and not planes[1:16].any()
        assert [names(planes[place]) for place in range(16, 20)] == ["T1", "J3", "F4", "W4 F4"]
        # Fades at each further discard of the player.
        assert planes[19, 3] == pytest.approx(0.9) and planes[19, 30] == 1
        assert names(planes[20]) == "W9"
        assert planes[21].tolist() == field(observation, "unseen")[0].tolist()
        assert names(planes[22]) == HAND
        assert names(planes[23]) == "F1" and names(planes[24]) == "F2"
        assert not planes[25].any()

    def test_tiles_that_help_after_each_discard(self, encoded, observation):
        planes, numbers = encoded
        hand = field(observation, "hand")[0].tolist()
        unseen = field(observation, "unseen")[0]
        for tile in range(34):
            if not hand[tile]:
                assert not planes[26 + tile].any()
                assert numbers[12 + 35 + 1 + tile] == numbers[12 + 70 + 1 + tile] == FAR
                continue
            left = list(hand)
            left[tile] -= 1
            useful = sorted(useful_tiles(left, 1)[1])
            assert np.flatnonzero(planes[26 + tile]).tolist() == useful
            chance = unseen[useful].sum() / unseen.sum()
            assert numbers[12 + 35 + 1 + tile] == pytest.approx(shanten(left, 1) - chance, abs=1e-5)
            assert numbers[12 + 70 + 1 + tile] == shanten(left, 1)

    def test_numbers(self, encoded, observation):
        numbers = encoded[1]
        assert numbers[:12].tolist() == [11, 13, 13, 13, field(observation, "unseen").sum(), 0, 1, 20, 20, 20, 19, 5]
        # No pass, so 10; not ready, so no chance to win.
        assert numbers[12 + 35] == numbers[12 + 70] == FAR
        assert not numbers[12:47].any()


class TestFox:
    def test_numbers(self, observation):
        numbers = encode(fox_thinker.Fox(), observation)[0]
        assert numbers.shape == (68,)
        assert names(numbers[:34]) == HAND and names(numbers[34:]) == "F1 F2 J1 J2 J3"

    def test_waits(self):
        """W123 T456 B789 B55 J1 J1 and F1: without F1 it waits for B5 and J1, and without J1 for F1 or nothing."""
        state = state_of(0, "W123 T456 B55789 J11", "2 F1")
        observations = np.repeat(encode_observation(state)[None], 2, axis=0)
        actions = torch.tensor([DISCARD_BASE + 27, DISCARD_BASE + 0])
        extras = tensors(fox_thinker.Fox().compute_extras(observations))
        batch = TrainBatch(None, None, actions, None, None, None, None, None, extras)
        assert fox_thinker.count_waits(batch).tolist() == [2, 0]


@pytest.fixture(scope="module")
def planes(observation):
    planes = encode(res600.Res600(), observation)
    assert planes.shape == (1, 600, 34)
    return planes[0].numpy()


class TestRes600:
    def test_what_is_seen(self, planes):
        assert names(planes[0]) == HAND and not planes[1:4].any()
        operation = planes[4:16]
        assert [names(plane) for plane in operation[:8]] == ["W9", "", "", "", "W9", "", "", ""]
        assert operation[8].all() and not operation[9:].any()
        melds = planes[16:48].reshape(4, 8, 34)
        assert [names(plane) for plane in melds[0]] == ["W4", "W4", "W4", "", "", "", "", "W4"]
        assert not melds[1:].any()
        assert planes[48:56].all(1).tolist() == [False, True, False, False, True, False, False, False]

    def test_discards(self, planes):
        rivers = planes[56:520].reshape(4, 29, 4, 34).transpose(0, 2, 1, 3)  # a discard is one layer of the network
        assert [names(rivers[player, 0, 0]) for player in range(4)] == ["T1", "J3", "F4", "W4"]
        assert names(rivers[3, 0, 1]) == "F4" and not rivers[:, :, 2:].any()
        assert names(rivers[3, 1, 0]) == "W4" and rivers[:, 1].sum() == 1
        assert names(rivers[0, 2, 0]) == "T1" and rivers[:, 2].sum() == 1
        assert [names(rivers[player, 3].any(0)) for player in range(4)] == ["T1", "J3", "F4", "F4"]

    def test_look_ahead(self, planes, observation):
        planes = planes[520:]
        hand, unseen = field(observation, "hand")[0].tolist(), field(observation, "unseen")[0]
        assert [plane.tolist() for plane in planes[:4]] == [(4 - unseen > copies).tolist() for copies in range(4)]
        found = compute_shapes(observation)[0]
        for tile in np.flatnonzero(hand):
            left = list(hand)
            left[tile] -= 1
            expected = np.minimum(shanten_batch([left], [1])[0][0], FAR).tolist()
            assert found[tile].tolist() == expected
            assert planes[32 + 1 + expected[0], tile] == 1 and planes[32:44, tile].sum() == 1
        least = found[:34, 0].min()
        assert np.flatnonzero(planes[4]).tolist() == np.flatnonzero(found[:34, 0] == least).tolist()
        worths = compute_worths(observation)[0]
        assert (np.isnan(worths[:34]) == (np.array(hand) == 0)).all() and np.isnan(worths[34])
        shares = np.nan_to_num(worths[:34]) / np.nanmax(worths)
        assert (planes[12:22].sum(0) == np.floor(10 * shares + 1e-5)).all()


def test_planes_of_suphx(observation):
    planes = encode(suphx.Suphx(), observation)[0].numpy()
    assert planes.shape == (suphx.SUPHX_INPUT_COUNT, 34) == (PLANE_COUNT + 100, 34)
    shapes = planes[PLANE_COUNT:PLANE_COUNT + 60].reshape(5, 12, 34)
    assert (shapes.sum(1) == 1).all()
    levels = shapes.argmax(1) - 1
    assert (levels == compute_shapes(observation)[0, :34].T).all()
    worths = compute_worths(observation)[0, :34]
    best = np.nanargmax(worths)
    assert planes[-20:, best].all() and planes[-40:-20, best].sum() == np.floor(
        2 * np.log2(worths[best] / 32) + 1e-5) + 20


def test_each_discard_has_its_own_worth(observation):
    """As the tactic values it: each had that of the best discard."""
    choices = SearchTactic().value_actions(STATE, [action for action in STATE.action_space() if action[0] == "PLAY"])
    worths = compute_worths(observation)[0]
    found = [worths[TILE_NAMES.index(choice.action[1])] for choice in choices]
    assert found == pytest.approx([choice.worth for choice in choices], rel=1e-5) and len(set(found)) > 5


def test_look_ahead_where_a_claim_is_asked_for():
    """The hand without a discard is in place 34."""
    state = state_of(1, DEALT, discard_of(0, "W4"))
    observation = encode_observation(state)[None]
    found, useful = compute_useful(observation).values()
    assert (found[0, :34] == FAR).all() and found[0, 34] == shanten(state.hand_counts)
    assert [tile for tile in range(34) if useful[0, 34] >> tile & 1] == sorted(useful_tiles(state.hand_counts)[1])
    assert (compute_shapes(observation)[0, 34] == np.minimum(shanten_batch([state.hand_counts], [0])[0][0], FAR)).all()
    assert not np.isnan(compute_worths(observation)[0, 34])


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_recipe_learns(name):
    """Losses are numbers and fall on the batch that is trained on; every legal action has a probability."""
    torch.manual_seed(0)
    recipe = load_recipe(name)
    observations, batch = make_batch(12)
    batch = batch._replace(extras=tensors(recipe.compute_extras(observations)))
    network = recipe.make_network()
    inputs = recipe.encode(batch.observation, batch.extras)
    optimiser = torch.optim.Adam(network.parameters(), 1e-3)
    totals = []
    for _ in range(6):
        total = sum(recipe.losses(network(inputs), batch).values())
        optimiser.zero_grad()
        total.backward()
        optimiser.step()
        totals.append(total.item())
    assert np.isfinite(totals).all() and min(totals[1:]) < totals[0]
    policy = mask_logits(recipe.policy(network.eval()(inputs), batch.mask), batch.mask)
    assert torch.isfinite(policy[batch.mask]).all()


class TestComposedPolicies:
    def test_probabilities_of_a_claim(self):
        """A pung is decided first, then the chow; what is left is the pass."""
        masks = torch.zeros(1, 235, dtype=torch.bool)
        chow = encode_action(("CHI", "W3", "W9"), "W4")[0]
        pung = encode_action(("PENG", "W9"), "W4")[0]
        masks[0, [0, chow, pung]] = True
        half = torch.log(torch.tensor([[0.25, 0.75]]))
        chows = torch.log(torch.tensor([[0.3, 0.1, 0.2, 0.3]]))
        policy = parts.compose_policy(masks, torch.zeros(1, 34), half, chow=chows)
        chances = torch.softmax(mask_logits(policy, masks), 1)
        # The other chows are not legal: 0.3 and 0.3 remain.
        assert chances[0, pung] == pytest.approx(0.75)
        assert chances[0, chow] == chances[0, 0] == pytest.approx(0.125)

    def test_rules(self):
        masks = torch.zeros(2, 235, dtype=torch.bool)
        masks[0, [0, 1, 36]] = True
        masks[1, [2, 3, 70]] = True
        policy = mask_logits(parts.compose_policy(masks, torch.zeros(2, 34)), masks)
        assert policy.argmax(1).tolist() == [1, 70]


def test_random_actions_teach_no_policy():
    _, batch = make_batch()
    logits = torch.randn(len(batch.action), 235)
    loss = policy_loss(logits, batch)
    other = torch.where(batch.is_random, batch.mask.float().argmax(1), batch.action)
    assert torch.equal(policy_loss(logits, batch._replace(action=other)), loss)
    assert policy_loss(logits, batch._replace(is_random=torch.ones_like(batch.is_random))) == 0


def test_a_policy_like_the_teachers_mixture_has_the_least_loss():
    """Half a point of regret is e times less of the mixture."""
    _, batch = make_batch()
    regret = torch.from_numpy(np.random.default_rng(1).integers(0, 256, batch.mask.shape).astype(np.uint8))
    logits = (-regret.float() / 32 / 0.5).requires_grad_()
    policy_loss(logits, batch._replace(regret=regret)).backward()
    assert abs(logits.grad).max() < 1e-6


def test_the_teachers_best_action_is_learnt():
    """Also where a student or chance played another."""
    observations, masks, actions = play_observations(40, games=8, seed=5)
    rows, none = np.arange(40), np.zeros(40, np.uint8)
    wanted = np.where(masks[rows, PASS_INDEX], PASS_INDEX, ACTION_COUNT - 1 - masks[:, ::-1].argmax(1))
    regret = np.full(masks.shape, 255, np.uint8)
    regret[rows, wanted] = 0
    batch = Batch(observations, masks, actions, none, none, none, np.ones(40, bool), regret, regret)
    learnt = [move_batch(load_recipe("rl-final"), batch._replace(regret=some), "cpu")
              for some in (regret, regret[:, :0])]
    assert (wanted != actions).sum() > 10
    assert learnt[0].action.tolist() == wanted.tolist() and not learnt[0].is_random.any()
    assert learnt[1].action.tolist() == actions.tolist() and learnt[1].is_random.all()


def test_outcomes():
    batch = make_batch(4)[1]._replace(winner=torch.tensor([-1, 0, 2, 3]), score=torch.tensor([0.0, 32.0, -8.0, -16.0]))
    assert encode_outcomes(batch).tolist() == [3, 0, 2, 1]
