"""A player that aims at hands of eight fan: each action is worth what the winning hands in its reach are worth.

See mj_bot/reach for how a hand is valued. What a discard may cost is weighed against that in points. A claim is valued
with its best discard, against passing.
"""

from collections import namedtuple

import numpy as np

from ..mahjong.action import ACTION_COUNT, DISCARD_BASE, encode_action, format_action
from ..mahjong.opening import group_by_opening, hold_after, split_discard
from ..mahjong.shanten import shanten
from ..mahjong.tile import TILE_COUNT, TILE_NAMES
from ..observation.encoder import encode_observation
from ..worth.constants import DANGER_WEIGHTS
from ..worth.correction import correct_points
from ..worth.danger import deal_in_chances
from ..worth.distances import find_distances, measure_discards
from ..worth.needs import list_needs
from ..worth.next_draw import add_next_draws, find_near
from ..worth.parameters import PARAMETERS
from ..worth.points import FORCE, POINTS_ROUNDING, expect_points, weigh_risk
from ..worth.value import CHOW_MELD, PATTERNS, PUNG_MELD, Hand, list_unseen, value_discards
from ..worth.waits import Waits

_DRAGONS = {4, 5, 6}
_PARTS = PATTERNS + ("waits",)
_PARTS_SHOWN = 4
_ACTIONS_SHOWN = 3
_CLAIMS = ("CHI", "PENG", "GANG")

# What an action comes to. points: expected of the game. plain_points: before reach.correction corrects them. worth: of
# the
# hand. chance: that the discard is won on. parts: of the worth, sharpened, by _PARTS. hand: value.Hand after it. pack:
# its melds as MahjongGB takes them.
Choice = namedtuple("Choice", "points plain_points action worth chance parts hand pack")


class SearchTactic(object):
    """Wins when it can, else takes the action of the greatest worth; the same position gets the same answer.

    parameters: named as in reach.parameters.Parameters, to replace the tuned ones.
    Raises TypeError: a name that is none of them.
    """

    value_unit = "points"

    def __init__(self, **parameters):
        unknown = sorted(set(parameters) - set(PARAMETERS._fields))
        if unknown:
            raise TypeError("expected parameters out of %s, got %s" % (" ".join(PARAMETERS._fields), " ".join(unknown)))
        self._parameters = PARAMETERS._replace(**parameters)
        self.reasons = ""
        self.ranked = []

    def __call__(self, game_state):
        self.ranked = []
        actions = game_state.action_space()
        for action in actions:
            if action[0] == "HU":
                self.reasons = "wins with %d fan" % action[1]
                return action
        if len(actions) == 1:
            self.reasons = "nothing to choose"
            return actions[0]
        waits = Waits(game_state, self._parameters)
        ranked = self._value_actions(game_state, waits, actions)
        chosen = find_best(ranked)
        ranked.sort(key=lambda choice: (choice is not chosen, -choice.points))
        self.ranked = [(choice.action, choice.points) for choice in ranked]
        needs = list_needs(chosen.hand, chosen.worth, waits.list_waits(chosen.hand.counts, chosen.pack),
                           self._parameters)
        self.reasons = _format_reasons(ranked, needs)
        return chosen.action

    def value_actions(self, game_state, actions):
        """What each of some actions comes to, wins apart: list of Choice in their order."""
        return self._value_actions(game_state, Waits(game_state, self._parameters), actions)

    def _value_actions(self, state, waits, actions):
        chances = deal_in_chances(encode_observation(state), DANGER_WEIGHTS)
        choices = []
        for opening, discards in group_by_opening(actions):
            choices += self._value_opening(state, waits, chances, opening, discards)
        if not self._parameters.correction:
            return choices
        return _correct(state, waits if self._parameters.next_draw else None, choices)

    def _value_opening(self, state, waits, chances, opening, discards):
        """The Choice of each action that begins so."""
        counts, melds = hold_after(state, opening)
        hand = Hand(
            counts, [(CHOW_MELD if meld.type == "CHI" else PUNG_MELD, meld.tile) for meld in melds],
            list_unseen(state, self._parameters), max(1, state.walls[state.my_pid]),
            _DRAGONS | {state.my_pid, state.prevalent_wind},
            not any(not meld.is_concealed for meld in melds),
        )
        by_pattern = value_discards(hand, discards, self._parameters)
        pack = tuple(meld.as_pack(state.my_pid) for meld in melds)
        valued = []
        for tile, patterns in zip(discards, by_pattern):
            left = list(counts)
            action = opening
            chance = 0.0
            if tile is not None:
                left[tile] -= 1
                action = opening + (TILE_NAMES[tile],)
                chance = chances[tile]
            ready = self._parameters.ready * waits.worth(left, pack)
            worth = (patterns.sum() + ready) ** (1 / self._parameters.sharpness)
            points = weigh_risk(expect_points(worth, sum(state.walls)), min(1.0, self._parameters.danger * chance))
            if not self._parameters.claims_by_value and opening[0] in _CLAIMS and state.last_tile is not None:
                points += FORCE if shanten(counts, len(melds)) < _shanten_now(state) else -FORCE
            valued.append(Choice(
                points, points, action, worth, chance, patterns.tolist() + [ready], hand._replace(counts=left), pack))
        return valued


def find_best(choices):
    """The Choice of most points, the first of equals in the order of action_space()."""
    least = max(choice.points for choice in choices) - POINTS_ROUNDING
    return next(choice for choice in choices if choice.points >= least)


def find_plain_best(choices):
    """The same before reach.correction corrects the points."""
    return find_best([choice._replace(points=choice.plain_points) for choice in choices])


def _correct(state, waits, choices):
    """The choices with their points corrected by reach.correction, and by reach.next_draw unless waits is None."""
    indices = [encode_action(choice.action, state.last_tile)[0] for choice in choices]
    found = _correct_points(encode_observation(state), find_distances(state), waits, indices, choices)
    corrected = [choice._replace(points=found[index]) for index, choice in zip(indices, choices)]
    for opening, discards in group_by_opening([choice.action for choice in choices]):
        if len(discards) > 1 and opening != ("PLAY",):
            _correct_discards(state, waits, corrected, opening)
    return corrected


def _correct_discards(state, waits, choices, opening):
    """Takes off the points of each claim that so begins what its discard brings less than the best one."""
    places = [place for place, choice in enumerate(choices) if split_discard(choice.action)[0] == opening]
    parts = [choices[place] for place in places]
    indices = [encode_action(choice.action, state.last_tile)[1] for choice in parts]
    counts, melds = hold_after(state, opening)
    found = _correct_points(encode_observation(state, opening), measure_discards(counts, len(melds)), waits, indices,
                            parts)
    for place, choice, index in zip(places, parts, indices):
        choices[place] = choice._replace(points=choice.points + found[index] - found.max())


def _correct_points(observation, distances, waits, indices, choices):
    """Corrected points of the choices, float[235] by their indices, of several at one index the best."""
    points = np.full((1, ACTION_COUNT), -np.inf)
    for index, choice in zip(indices, choices):
        points[0, index] = max(points[0, index], choice.plain_points)
    points = correct_points(points, observation[None], distances, np.array([find_plain_best(choices).worth]))
    if waits is not None:
        next_draws = np.zeros((1, TILE_COUNT))
        for tile in np.flatnonzero(find_near(points, distances)[0]):
            choice = choices[indices.index(DISCARD_BASE + tile)]
            next_draws[0, tile] = waits.next_draw(choice.hand.counts, choice.pack)
        add_next_draws(points, next_draws)
    return points[0]


def _shanten_now(state):
    return shanten(state.hand_counts, len(state.players[state.my_pid].melds))


def _format_reasons(ranked, needs):
    """The best actions with their points, the best one's danger, what its worth comes from, the tiles that it needs."""
    parts = ranked[0].parts
    shares = sorted(((share, name) for share, name in zip(parts, _PARTS)), reverse=True)[:_PARTS_SHOWN]
    aims = ["%s %d%%" % (name, round(100 * share / sum(parts))) for share, name in shares if share > 0.01 * sum(parts)]
    actions = ["%s %.2f" % (format_action(choice.action), choice.points) for choice in ranked[:_ACTIONS_SHOWN]]
    return "%s; danger %.1f%%; aims at %s; needs %s" % (
        ", ".join(actions), 100 * ranked[0].chance, ", ".join(aims) or "nothing in reach",
        " ".join(TILE_NAMES[tile] for tile in needs) or "no tile")
