"""A player that aims at hands of eight fan: each action is worth what the winning hands that it leads to are worth.

See mj_bot/worth for how a hand is valued. What a discard may cost is weighed against that in points. A claim is valued
with its best discard, against passing.
"""

from collections import namedtuple

import numpy as np

from ..mahjong.action import ACTION_COUNT, DISCARD_BASE, encode_action, format_action
from ..mahjong.opening import group_by_opening, hold_after
from ..mahjong.tile import TILE_COUNT, TILE_NAMES
from ..observation.encoder import encode_observation
from ..worth.constants import DANGER_WEIGHTS
from ..worth.correction import correct_points, measure_claims, measure_discards
from ..worth.danger import deal_in_chances
from ..worth.next_draw import add_next_draws, find_near
from ..worth.parameters import replace_parameters
from ..worth.points import POINTS_ROUNDING, expect_points, weigh_risk
from ..worth.value import CHOW_MELD, PATTERNS, PUNG_MELD, Hand, list_needs, value_discards
from ..worth.waits import Waits
from .forced import forced_action

_DRAGONS = {4, 5, 6}
_PARTS = PATTERNS + ("waits",)
_PARTS_SHOWN = 4
_ACTIONS_SHOWN = 3

_Opening = namedtuple("_Opening", "action hand pack discards")
_Opening.__doc__ = """How an action begins, and what it leaves.

hand: value.Hand before the discard. pack: its melds as MahjongGB takes them. discards: tiles that may end the action,
or [None].
"""
Choice = namedtuple("Choice", "points plain_points action indices worth chance parts hand pack")
Choice.__doc__ = """What an action comes to.

points: expected of the game. plain_points: before worth.correction corrects them. indices: of the action, see
mahjong.action.encode_action. worth: of the hand. chance: that the discard is won on. parts: of the worth, sharpened, by
_PARTS. hand: value.Hand after it. pack: its melds as MahjongGB takes them.
"""


class SearchTactic(object):
    """Wins when it can, else takes the action of most points; the same position gets the same answer.

    parameters: named as in worth.parameters.Parameters, to replace the tuned ones.
    Raises TypeError: a name that is none of them.
    """

    value_unit = "points"

    def __init__(self, **parameters):
        self._parameters = replace_parameters(parameters)
        self.reasons = ""
        self.ranked = []

    def __call__(self, game_state):
        self.ranked = []
        actions = game_state.action_space()
        forced = forced_action(actions)
        if forced:
            action, self.reasons = forced
            return action
        ranked = self.value_actions(game_state, actions)
        chosen = find_best(ranked)
        ranked.sort(key=lambda choice: (choice is not chosen, -choice.points))
        self.ranked = [(choice.action, choice.points) for choice in ranked]
        self.reasons = self._explain(game_state, ranked)
        return chosen.action

    def value_actions(self, game_state, actions):
        """What each of some actions comes to, wins apart: list of Choice in their order."""
        observation = encode_observation(game_state)
        waits = Waits(game_state, self._parameters)
        chances = deal_in_chances(observation, DANGER_WEIGHTS)
        openings = [_open(game_state, opening, discards) for opening, discards in group_by_opening(actions)]
        choices = [self._value(game_state, waits, chances, opening) for opening in openings]
        if self._parameters.correction:
            choices = self._correct(game_state, observation, waits, openings, choices)
        return sum(choices, [])

    def _value(self, state, waits, chances, opening):
        """The Choice of each action that begins so: the worth of its hand in points, weighed against the risk."""
        parameters = self._parameters
        choices = []
        for tile, patterns in zip(opening.discards, value_discards(opening.hand, opening.discards, parameters)):
            action, chance, left = opening.action, 0.0, list(opening.hand.counts)
            if tile is not None:
                action, chance = action + (TILE_NAMES[tile],), chances[tile]
                left[tile] -= 1
            ready = parameters.ready * waits.worth(left, opening.pack)
            worth = (patterns.sum() + ready) ** (1 / parameters.sharpness)
            points = weigh_risk(expect_points(worth, sum(state.walls)), min(1.0, parameters.danger * chance))
            choices.append(Choice(
                points, points, action, encode_action(action, state.last_tile), worth, chance,
                patterns.tolist() + [ready], opening.hand._replace(counts=left), opening.pack))
        return choices

    def _correct(self, state, observation, waits, openings, choices):
        """The choices of each opening with corrected points."""
        found = self._correct_points(observation, _measure(state, openings, choices), waits, sum(choices, []), 0)
        choices = [[choice._replace(points=found[choice.indices[0]]) for choice in part] for part in choices]
        for place, (opening, part) in enumerate(zip(openings, choices)):
            if len(part) > 1 and opening.action != ("PLAY",):
                # A claim has the points of its best discard; the others bring less.
                found = self._correct_points(
                    encode_observation(state, opening.action), measure_discards(opening.hand.counts, len(opening.pack)),
                    waits, part, 1)
                choices[place] = [choice._replace(points=choice.points + found[choice.indices[1]] - found.max())
                                  for choice in part]
        return choices

    def _correct_points(self, observation, distances, waits, choices, step):
        """Corrected points, float[235] by the choices' indices of a step, of several at one index the best."""
        points = np.full((1, ACTION_COUNT), -np.inf)
        for choice in choices:
            index = choice.indices[step]
            points[0, index] = max(points[0, index], choice.plain_points)
        points = correct_points(points, observation[None], distances, np.array([find_plain_best(choices).worth]))
        if self._parameters.next_draw:
            next_draws = np.zeros((1, TILE_COUNT))
            nears = find_near(points, distances)
            for tile in np.flatnonzero(nears[0]):
                choice = next(choice for choice in choices if choice.indices[step] == DISCARD_BASE + tile)
                next_draws[0, tile] = waits.next_draw(choice.hand.counts, choice.pack)
            add_next_draws(points, nears, next_draws)
        return points[0]

    def _explain(self, state, ranked):
        """The best actions with their points, the best one's danger, what its worth comes from, the tiles it needs."""
        best = ranked[0]
        total = sum(best.parts)
        shares = sorted(((share, name) for share, name in zip(best.parts, _PARTS)), reverse=True)[:_PARTS_SHOWN]
        aims = ["%s %d%%" % (name, round(100 * share / total)) for share, name in shares if share > 0.01 * total]
        actions = ["%s %.2f" % (format_action(choice.action), choice.points) for choice in ranked[:_ACTIONS_SHOWN]]
        waits = Waits(state, self._parameters).list_waits(best.hand.counts, best.pack)
        needs = list_needs(best.hand, best.worth, waits, self._parameters)
        return "%s; danger %.1f%%; aims at %s; needs %s" % (
            ", ".join(actions), 100 * best.chance, ", ".join(aims) or "nothing in reach",
            " ".join(TILE_NAMES[tile] for tile in needs) or "no tile")


def find_best(choices):
    """The Choice of most points, the first of equals in the order of action_space()."""
    least = max(choice.points for choice in choices) - POINTS_ROUNDING
    return next(choice for choice in choices if choice.points >= least)


def find_plain_best(choices):
    """The same before worth.correction corrects the points."""
    return find_best([choice._replace(points=choice.plain_points) for choice in choices])


def _open(state, action, discards):
    counts, melds = hold_after(state, action)
    kinds = [(CHOW_MELD if meld.type == "CHI" else PUNG_MELD, meld.tile) for meld in melds]
    hand = Hand(counts, kinds, state.unseen, max(1, state.walls[state.my_pid]),
                _DRAGONS | {state.my_pid, state.prevalent_wind}, all(meld.is_concealed for meld in melds))
    return _Opening(action, hand, tuple(meld.as_pack(state.my_pid) for meld in melds), discards)


def _measure(state, openings, choices):
    """The Distances of the position."""
    counts, meld_count = state.hand_counts, len(state.players[state.my_pid].melds)
    if sum(counts) + 3 * meld_count == 14:
        return measure_discards(counts, meld_count)
    return measure_claims(counts, meld_count, {
        part[0].indices[0]: opening.hand.counts
        for opening, part in zip(openings, choices) if opening.discards != [None]})
