"""Fits the weights of taught.py so that a teacher's choices in its own games get the highest sums.

    python examples/teach.py --games 200 -o build/taught.npz

The chance of an action is softmax(weights x figures). Newton's method finds the weights of the highest likelihood.
"""

import argparse

import numpy as np
from tqdm import tqdm

from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.players import TacticPlayer
from mj_bot.lab.table.walls import wall_from_seed, wind_from_seed
from mj_bot.tactic import load_tactic
from mj_bot.tactic.rule_based import RuleBasedTactic
from taught import FIGURES, compute_figures

STEPS = 30
# Walls that no match of the arena plays.
FIRST_SEED = 10 ** 9


class Teacher(object):
    """Plays as its tactic does and writes down the figures of all actions and the place of the chosen one.

    lessons: list of (float[A, F], int).
    """

    def __init__(self, spec):
        self._tactic, self._rules, self.lessons = load_tactic(spec), RuleBasedTactic(), []

    def __call__(self, game_state):
        action = self._tactic(game_state)
        if action[0] != "HU":
            actions = game_state.action_space()
            self.lessons.append((compute_figures(self._rules, game_state, actions), actions.index(action)))
        return action


def fit(lessons):
    """Weights float[F] under which the lessons are most likely."""
    weights = np.zeros(len(FIGURES))
    for _ in range(STEPS):
        gradient, curvature = np.zeros(len(weights)), 1e-3 * np.eye(len(weights))
        for figures, chosen in lessons:
            chances = np.exp(figures @ weights - (figures @ weights).max())
            chances /= chances.sum()
            mean = chances @ figures
            gradient += figures[chosen] - mean
            curvature += (figures.T * chances) @ figures - np.outer(mean, mean)
        step = np.linalg.solve(curvature, gradient)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teacher", default="search", help="a tactic (%(default)s)")
    parser.add_argument("--games", type=int, default=200, help="games to watch (%(default)s)")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="weight file to write, .npz")
    options = parser.parse_args()
    teachers = [Teacher(options.teacher) for _ in range(4)]
    for seed in tqdm(range(FIRST_SEED, FIRST_SEED + options.games), unit=" games"):
        players = [TacticPlayer(teacher, options.teacher) for teacher in teachers]
        play_game(players, wall_from_seed(seed), wind_from_seed(seed))
    lessons = [lesson for teacher in teachers for lesson in teacher.lessons]
    weights = fit(lessons)
    agreed = np.mean([(figures @ weights).argmax() == chosen for figures, chosen in lessons])
    print("%d decisions, %.1f%% as %s" % (len(lessons), 100 * agreed, options.teacher))
    for name, weight in zip(FIGURES, weights):
        print("%-14s%8.3f" % (name, weight))
    np.savez(options.output, weights=weights)


if __name__ == "__main__":
    main()
