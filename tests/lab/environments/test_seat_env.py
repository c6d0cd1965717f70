"""The environment of one seat: Gymnasium's own check, the engine's games, errors of the player."""

import pickle
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from mj_bot.lab.engine import Engine, seed_source
from mj_bot.lab.table.choosers import load_chooser
from mj_bot.lab.upload.pyz import PROJECT_FOLDER as REPOSITORY
from mj_bot.mahjong.errors import IllegalActionError, MahjongError
from mj_bot.tactic.rand import RandomTactic

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")

ID = "mj_bot.lab.environments:mj_bot/Mahjong-v1"
GAMES = 24
choose = RandomTactic(seed=0).choose  # what the opponent "random" does


def make_vec(num_envs=GAMES, **options):
    return gymnasium.make_vec(ID, num_envs=num_envs, **options)


@pytest.fixture(scope="module")
def scores():
    """{number of a game from seed 11 on: scores of the four seats}, all of them random."""
    engine, scores = Engine(GAMES, seed_source(11, 4 * GAMES)), {}
    engine.reset()
    while len(engine.pending):
        engine.step(choose(engine.observations(), engine.mask()))
        scores.update((int(result["game_id"]), result["score"].tolist()) for result in engine.finished)
    return scores


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("observation", ["bytes", "planes"])
def test_gymnasium_accepts_it(observation):
    from gymnasium.utils.env_checker import check_env

    check_env(gymnasium.make(ID, observation=observation).unwrapped)


@pytest.mark.parametrize("seat", [None, 2])
def test_many_games_are_those_of_the_engine(scores, seat):
    """A random seat among random opponents has the scores of random games, and statistics count its decisions."""
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(make_vec(seat=seat, opponents=["random", choose, "random"]))
    observations, infos = env.reset(seed=11)
    seen, decisions = {}, np.zeros(GAMES, int)
    while len(seen) < 3 * GAMES:
        assert env.observation_space.contains(observations) and infos["action_mask"].any(1).all()
        assert (infos["seat"] == (2 if seat == 2 else (11 + infos["game_id"]) % 4)).all()
        before, decisions = infos, decisions + 1
        observations, rewards, ended, truncated, infos = env.step(choose(observations, infos["action_mask"]))
        assert rewards.dtype == np.float32 and not rewards[~ended].any() and not truncated.any()
        for game in np.flatnonzero(ended):
            seen[int(before["game_id"][game])] = int(before["seat"][game]), rewards[game]
            assert infos["episode"]["r"][game] == rewards[game] and infos["episode"]["l"][game] == decisions[game]
        decisions[ended] = 0
        assert not infos["is_illegal"].any()
    assert all(reward == scores[game][seat] for game, (seat, reward) in seen.items() if game in scores)


def test_one_game_is_that_of_the_engine(scores):
    """reset(seed=s) deals the wall of s, and the games after it depend on s alone."""
    seen = []
    for _ in range(2):
        env = gymnasium.make(ID, seat=1, render_mode="ansi").unwrapped
        observation, infos = env.reset(seed=13)
        rewards = []
        while len(rewards) < 3:
            assert (env.action_masks() == infos["action_mask"]).all() and "seat South" in env.render()
            action = choose(observation[None], infos["action_mask"][None])[0]
            observation, reward, ended, truncated, infos = env.step(action)
            if ended:
                assert "nothing to decide" in env.render() and not infos["action_mask"].any()
                rewards.append((infos["wall_seed"], reward))
                with pytest.raises(gymnasium.error.ResetNeeded):
                    env.step(action)
                observation, infos = env.reset()
            else:
                assert reward == 0 and not truncated
        seen.append(rewards)
    assert seen[0] == seen[1] and rewards[0] == (13, scores[2][1]) and len({seed for seed, _ in rewards}) == 3


def test_an_illegal_action_costs_its_game():
    """The judge takes 30 points. The other games go on."""
    env, other = make_vec(3), make_vec(3)
    (observations, infos), _ = env.reset(seed=7), other.reset(seed=7)
    actions = choose(observations, infos["action_mask"])
    wrong = actions.copy()
    wrong[1] = 0 if not infos["action_mask"][1, 0] else 234
    expected, (observations, rewards, ended, _, infos) = other.step(actions), env.step(wrong)
    assert rewards.tolist() == [0, -30, 0] and ended.tolist() == infos["is_illegal"].tolist() == [False, True, False]
    assert infos["game_id"].tolist() == [0, 3, 2] and infos["action_mask"].any(1).all()
    assert (observations[[0, 2]] == expected[0][[0, 2]]).all()
    single = gymnasium.make(ID).unwrapped
    single.reset(seed=1)
    assert single.step(234)[1:3] == (-30.0, True)


@pytest.mark.parametrize("action", [999, 235, -1, 2.5, None])
def test_what_is_no_action_is_an_error(action):
    """step(999) cost the game 30 points, as an illegal move of a player does."""
    env, many = gymnasium.make(ID), make_vec(2)
    observation, infos = env.reset(seed=1)
    many.reset(seed=1)
    with pytest.raises(IllegalActionError, match="expected"):
        env.step(action)
    with pytest.raises(IllegalActionError, match="expected"):
        many.step(np.array([2, action]))
    assert not env.step(int(infos["action_mask"].argmax()))[4]["is_illegal"]


def test_gymnasium_draws_legal_actions():
    """Discrete.sample refused the masks, which were bool."""
    env, many = gymnasium.make(ID), make_vec(2)
    (_, infos), (_, many_infos) = env.reset(seed=1), many.reset(seed=1)
    env.action_space.seed(0), many.action_space.seed(0)
    for _ in range(10):
        infos = env.step(env.action_space.sample(infos["action_mask"]))[4]
        many_infos = many.step(many.action_space.sample(tuple(many_infos["action_mask"])))[4]
        assert not infos["is_illegal"] and not many_infos["is_illegal"].any()


@pytest.mark.parametrize("make", [lambda: gymnasium.make(ID), lambda: make_vec(3)])
def test_a_pickle_goes_on_with_the_game(make):
    env = make()
    _, infos = env.reset(seed=1)
    env.step(infos["action_mask"].argmax(-1))
    copy = pickle.loads(pickle.dumps(env))
    masks = env.unwrapped.action_masks()
    for _ in range(60):
        (observations, *_, infos), (others, *_, other_infos) = (
            each.step(masks.argmax(-1)) for each in (env, copy))
        assert (observations == others).all() and (infos["action_mask"] == other_infos["action_mask"]).all()
        masks = infos["action_mask"]
        if not masks.any():
            break


@pytest.mark.parametrize("name", ["rule_based", "search"])
def test_threads_share_the_decisions_of_opponents(name):
    """The number of threads changes no choice."""
    engine = Engine(GAMES, seed_source(11))
    engine.reset()
    alone, shared = load_chooser(name), load_chooser(name, threads=3)
    for _ in range(4):
        questions = engine.observations(), engine.mask()
        actions = shared(*questions)
        assert (actions == alone(*questions)).all()
        engine.step(actions)


@pytest.mark.parametrize("options, error", [
    ({"seat": 4}, "seat=None or 0..3, got 4"), ({"opponents": ["random"] * 2}, "or a list of three, .*random'.$"),
    ({"opponents": 5}, "a tactic or a function, got 5"), ({"opponents": ["random", None, "cnn"]}, "got .*None"),
    ({"num_envs": "4"}, "num_envs as an integer 1 .. 1048576, got '4'"), ({"num_envs": 0}, "num_envs .* got 0"),
    ({"num_envs": True}, "num_envs .* got True"),
    ({"threads": 1.5}, "threads as an integer 1 .. 1024, got 1.5"),
    ({"opponents": "randem"}, "'randem'; did you mean 'random'"),
    ({"observation": "picture"}, "'bytes' or 'planes', got 'picture'"),
    ({"render_mode": "human"}, "None or 'ansi', got 'human'")])
def test_wrong_options(options, error):
    with pytest.raises(MahjongError, match=error):
        make_vec(**options)


@pytest.mark.filterwarnings("ignore:.*rgb_array")
def test_pictures_are_refused():
    """Another mode made an environment that showed nothing.

    Stable-Baselines3 asks for pictures, and after a TypeError it asks without.
    """
    for error in (MahjongError, TypeError):
        with pytest.raises(error, match="None or 'ansi', got 'rgb_array'"):
            gymnasium.make(ID, render_mode="rgb_array")


@pytest.mark.parametrize("choose", [lambda _, masks: masks.argmax(1)[:1], lambda _, masks: masks.argmax(1) + 0.5])
def test_a_function_answers_each_decision_with_an_index(choose):
    """One action was taken for the decisions of all games, and fractions were cut off."""
    with pytest.raises(IllegalActionError, match="expected .* integers as actions, got an array of shape"):
        make_vec(opponents=choose).reset(seed=1)


def test_a_step_that_an_opponent_breaks_off_needs_a_reset():
    """The next step went on with answers that nobody had given."""
    calls = iter(range(10 ** 6))

    def choose(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return masks.argmax(1) if next(calls) != 20 else 1 / 0

    env = make_vec(4, opponents=choose)
    infos = env.reset(seed=1)[1]
    with pytest.raises(ZeroDivisionError):
        while True:
            infos = env.step(infos["action_mask"].argmax(1))[4]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(infos["action_mask"].argmax(1))
    env.reset(seed=1)


def test_wrong_calls():
    env = make_vec(2, render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(2, int))
    env.reset(seed=1)
    for actions in ([1], [0.5, 1.0], [True, False]):
        with pytest.raises(IllegalActionError, match="2 integers"):
            env.step(actions)
    assert len(env.render()) == 2 and make_vec(2).render() is None


def test_maskable_ppo_learns(tmp_path, monkeypatch, capsys):
    """examples/maskable_ppo.py."""
    pytest.importorskip("sb3_contrib", reason="no sb3-contrib: `pip install sb3-contrib` installs it")
    words = ["--steps", "64", "--games", "4", "--output", str(tmp_path / "x.zip")]
    monkeypatch.setattr(sys, "argv", ["maskable_ppo.py", *words])
    runpy.run_path(str(Path(REPOSITORY, "examples/maskable_ppo.py")), run_name="__main__")
    assert "after 64 decisions: " in capsys.readouterr().out and (tmp_path / "x.zip").exists()


def test_no_action_is_legal_before_the_first_reset():
    """The masks were an AttributeError."""
    assert not gymnasium.make(ID).unwrapped.action_masks().any()
