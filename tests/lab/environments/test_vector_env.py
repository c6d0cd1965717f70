"""The vector environment: Gymnasium's form, the engine's games, the same seed the same games."""

import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from mj_bot.lab.upload.pyz import PROJECT_FOLDER as REPOSITORY
from mj_bot.lab.engine import Engine, seed_source
from mj_bot.mahjong.errors import IllegalActionError, MahjongError
from mj_bot.network.ahead import compute_ahead_rows
from mj_bot.network.planes import encode_inputs
from mj_bot.tactic.rand import RandomTactic

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")

from mj_bot.lab.environments import core

GAMES = 24


def make_env(num_envs=GAMES, **options):
    return gymnasium.make_vec("mj_bot.lab.environments:mj_bot/MahjongSelfPlay-v1", num_envs=num_envs, **options)


@pytest.fixture(params=[GAMES, 5])
def block_size(request, monkeypatch):
    """Games in one block, and in five blocks of 5 or 4, which three threads step."""
    monkeypatch.setattr(core, "BLOCK_SIZE", request.param)


def test_shapes_spaces_and_rewards():
    """Scores of a game add up to zero, and are there only in the step that ended it."""
    env, choose, finished = make_env(), RandomTactic(seed=3).choose, np.zeros(GAMES, int)
    observations, infos = env.reset(seed=5)
    for _ in range(300):
        observations, rewards, terminations, truncations, infos = env.step(choose(observations, infos["action_mask"]))
        assert env.observation_space.contains(observations) and env.num_envs == GAMES
        assert rewards.shape == (GAMES, 4) and rewards.dtype == np.float32 and not rewards.sum(1).any()
        assert not rewards[~terminations].any() and not truncations.any()
        assert infos["action_mask"].shape == (GAMES, 235) and infos["action_mask"].any(1).all()
        assert env.action_space.contains(infos["action_mask"].argmax(1))
        assert (0 <= infos["seat"]).all() and (infos["seat"] < 4).all()
        finished += terminations
    assert finished.min() >= 1 and infos["game_id"].max() == GAMES + finished.sum() - 1


def test_games_are_those_of_the_engine(block_size):
    """Every decision's seat, mask and observation, and the scores, of each of the first games."""
    choose = RandomTactic(seed=3).choose
    engine, decisions, scores = Engine(GAMES, seed_source(11, GAMES)), {}, {}
    engine.reset()
    while len(engine.pending):
        observations, masks = engine.observations(), engine.mask()
        for row, game in enumerate(engine.games["game_id"][engine.pending["game"]].tolist()):
            decisions.setdefault(game, []).append(
                (int(engine.pending["seat"][row]), masks[row].tobytes(), observations[row].tobytes()))
        engine.step(choose(observations, masks))
        scores.update((int(result["game_id"]), result["score"].tolist()) for result in engine.finished)
    env = make_env(threads=3)
    seen, ended = {}, {}
    observations, infos = env.reset(seed=11)
    while len(ended) < GAMES:
        for place, game in enumerate(infos["game_id"].tolist()):
            if game < GAMES:
                seen.setdefault(game, []).append((int(infos["seat"][place]), infos["action_mask"][place].tobytes(),
                                                  observations[place].tobytes()))
        before = infos["game_id"]
        observations, rewards, terminations, _, infos = env.step(choose(observations, infos["action_mask"]))
        ended.update((int(before[place]), rewards[place].tolist()) for place in np.flatnonzero(terminations)
                     if before[place] < GAMES)
    assert seen == decisions and ended == scores


def test_arrays_of_the_caller(block_size):
    """They are written to and returned."""
    env, other, choose = make_env(), make_env(), RandomTactic(seed=3).choose
    (observations, infos), _ = env.reset(seed=2), other.reset(seed=2)
    out = observations, infos["action_mask"]
    for _ in range(120):
        actions = choose(*out)
        expected, got = other.step(actions), env.step(actions, out)
        assert got[0] is out[0] and got[4]["action_mask"] is out[1]
        assert (expected[0] == out[0]).all() and (expected[1] == got[1]).all() and (expected[2] == got[2]).all()
        assert all((expected[4][name] == got[4][name]).all() for name in got[4])
    for wrong in ((out[0][:5], out[1]), (out[0], out[1].astype(bool)), (out[0][:, ::-1], out[1])):
        with pytest.raises(MahjongError, match="expected out="):
            env.step(out[1].argmax(1), wrong)


def test_planes_text_and_a_missing_reset(block_size):
    env = make_env(observation="planes", render_mode="ansi")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(GAMES, int))
    planes, infos = env.reset(seed=5)
    observations, _ = make_env().reset(seed=5)
    assert (planes == encode_inputs(observations, compute_ahead_rows(observations))).all()
    assert [text.split(",")[1] for text in env.render()] == [" seat East"] * GAMES
    assert env.observation_space.contains(env.step(infos["action_mask"].argmax(1))[0])
    env.close()


@pytest.mark.parametrize("action", [234, -1, 235])
def test_illegal_actions_change_nothing(action):
    env = make_env(2)
    observations, infos = env.reset(seed=1)
    legal = infos["action_mask"].argmax(1)
    with pytest.raises(IllegalActionError, match="for seat %d of game 1, got" % infos["seat"][1]):
        env.step(np.array([legal[0], action]))
    for array in (legal[:1], legal.astype(float), ["a", "b"], legal > 0):
        with pytest.raises(IllegalActionError, match="shape"):
            env.step(array)
    other = make_env(2)
    other.reset(seed=1)
    assert (env.step(legal)[0] == other.step(legal)[0]).all()


def test_the_page_runs(capsys):
    """docs/engine.md."""
    page = Path(REPOSITORY, "docs/engine.md").read_text(encoding="utf-8")
    for source in re.findall("```python\n(.*?)```", page, re.S):
        exec(source, {})
    told = capsys.readouterr().out
    assert "scores [" in told and "nothing to decide" in told


def test_ppo_learns_and_plays(tmp_path, monkeypatch, capsys):
    """The example did not compile, and it found its own tactic from the clone's folder alone."""
    pytest.importorskip("torch", reason="no torch: `make train` installs it")
    example, weights = tmp_path / "own_ppo.py", tmp_path / "new/ppo.pt"
    example.write_bytes(Path(REPOSITORY, "examples/ppo.py").read_bytes())
    monkeypatch.chdir(tmp_path)
    # The match plays the players; trials in processes of their own would load torch again.
    monkeypatch.setattr("mj_bot.lab.arena.referee_runner.probe_players", lambda specs, *limits: [0] * len(specs))
    monkeypatch.setattr(sys, "argv", [
        str(example), "--updates", "1", "--games", "8", "--walls", "1", "--output", str(weights)])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(example), run_name="__main__")
    assert ended.value.code == 0 and "\nrule_based wins " in capsys.readouterr().out and weights.exists()
