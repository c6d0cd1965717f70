"""A player that aims at hands of eight fan: each action is worth what the winning hands that it leads to are worth.

See mj_bot/worth for how a hand is valued. What a discard may cost is weighed against that in points. A claim is valued
with its best discard, against passing.
"""

from collections import namedtuple

import numpy as np

from ..mahjong.action import ACTION_COUNT, WIN_INDEX, encode_action, format_action
from ..mahjong.opening import hold_after, split_discard
from ..mahjong.tile import TILE_NAMES
from ..observation.encoder import encode_observation, meld_kind
from ..worth.parameters import replace_parameters
from ..worth.patterns import PATTERNS
from ..worth.points import POINTS_ROUNDING
from ..worth.stages import DANGER, POINTS, WORTH
from ..worth.valuer import Hand, Valuer, find_best
from ..worth.waits import list_waits
from .forced import forced_action

_DRAGONS = {4, 5, 6}
_PARTS = PATTERNS + ("waits",)
_PARTS_SHOWN = 4
_ACTIONS_SHOWN = 3

Choice = namedtuple("Choice", "action points worth danger")
Choice.__doc__ = """What an action comes to.

points: expected of the game. worth: of the hand. danger: the chance that the discard is won on.
"""


class SearchTactic(object):
    """Wins when it can, else takes the action of most points; the same position gets the same answer.

    parameters: named as in worth.parameters.Parameters, to replace the tuned ones.
    worths: float64[M], after choose(): what the hands are worth after the chosen actions; NaN for a win.
    Raises TypeError: a name that is none of them.
    """

    value_unit = "points"

    def __init__(self, **parameters):
        self._valuer = Valuer(replace_parameters(parameters))
        self.reasons = ""
        self.ranked = []
        self.worths = np.zeros(0)

    def __call__(self, game_state):
        self.ranked = []
        actions = game_state.action_space()
        forced = forced_action(actions)
        if forced:
            action, self.reasons = forced
            return action
        ranked = self.value_actions(game_state)
        chosen = find_best_choice(ranked)
        ranked.sort(key=lambda choice: (choice is not chosen, -choice.points))
        self.ranked = [(choice.action, choice.points) for choice in ranked]
        self.reasons = self._explain(game_state, ranked)
        return chosen.action

    def choose(self, observations, masks, points=None):
        """Actions int16[M] for observations uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235].

        A claim is chosen by its best discard, and its discard when its turn comes.
        points: if given, float[M, 235] that takes what each legal action is expected to bring, a claim with its best
        discard; rows with a win stay as they are.
        """
        actions = np.full(len(masks), WIN_INDEX, np.int16)
        self.worths = np.full(len(masks), np.nan)
        rows = np.flatnonzero(~masks[:, WIN_INDEX])
        if len(rows):
            observations, masks = observations[rows], masks[rows]
            found, worths, _ = self._valuer.value_actions(observations, masks)
            found = self._valuer.correct(observations, masks, found, worths)
            actions[rows] = find_best(found)
            self.worths[rows] = worths[np.arange(len(rows)), actions[rows]]
            if points is not None:
                points[rows] = found
        return actions

    def compute_worths(self, observations, masks):
        """What the hands are worth after each legal action, float64[M, 235]; 0 for wins and all others."""
        return self._valuer.value_actions(observations, masks)[1]

    def value_actions(self, game_state):
        """What each action comes to, wins apart: list of Choice in the order of action_space()."""
        actions = [action for action in game_state.action_space() if action[0] != "HU"]
        indices = [encode_action(action, game_state.last_tile) for action in actions]
        observation = encode_observation(game_state)[None]
        points, worths, valued = self._valuer.value_actions(observation, _mask(index[0] for index in indices)[None])
        valued = valued[0, :len(actions)]
        points = self._correct(game_state, actions, indices, observation, (points, worths, valued))
        return [Choice(action, *entry) for action, entry in zip(
            actions, zip(points, valued[:, WORTH].tolist(), valued[:, DANGER].tolist()))]

    def _correct(self, game_state, actions, indices, observation, found):
        """Corrected points of the actions, list of float; found: as Valuer.value_actions gives it, for these alone.

        A claim has the points of its best discard, and the others bring less: they are corrected as discards of the
        position after the claim.
        """
        points, worths, valued = found
        claims = sorted({index[0] for index in indices if len(index) > 1})
        observations, masks = [observation[0]], [_mask(index[0] for index in indices)]
        points, worths = [points[0]], [worths[0]]
        for claim in claims:
            places = [place for place, index in enumerate(indices) if index[0] == claim]
            discards = [indices[place][1] for place in places]
            observations.append(encode_observation(game_state, actions[places[0]]))
            masks.append(_mask(discards))
            points.append(np.full(ACTION_COUNT, -np.inf))
            worths.append(np.zeros(ACTION_COUNT))
            points[-1][discards], worths[-1][discards] = valued[places, POINTS], valued[places, WORTH]
        points = self._valuer.correct(*map(np.array, (observations, masks, points, worths)))
        corrected = []
        for index in indices:
            value = points[0, index[0]]
            if len(index) > 1:
                of_claim = points[1 + claims.index(index[0])]
                value += of_claim[index[1]] - of_claim.max()
            corrected.append(float(value))
        return corrected

    def _explain(self, state, ranked):
        """The best actions with their points, the best one's danger, what its worth comes from, the tiles it needs."""
        best = ranked[0]
        hand, pack = _read_hand(state, best.action)
        parts, needs = self._valuer.explain(hand, best.worth, list_waits(state, hand.counts, pack))
        total = sum(parts)
        shares = sorted(((share, name) for share, name in zip(parts, _PARTS)), reverse=True)[:_PARTS_SHOWN]
        aims = ["%s %d%%" % (name, round(100 * share / total)) for share, name in shares if share > 0.01 * total]
        actions = ["%s %.2f" % (format_action(choice.action), choice.points) for choice in ranked[:_ACTIONS_SHOWN]]
        return "%s; danger %.1f%%; aims at %s; needs %s" % (
            ", ".join(actions), 100 * best.danger, ", ".join(aims) or "nothing in reach",
            " ".join(TILE_NAMES[tile] for tile in needs) or "no tile")


def find_best_choice(choices):
    """The Choice of most points, the first of equals in the order of action_space()."""
    least = max(choice.points for choice in choices) - POINTS_ROUNDING
    return next(choice for choice in choices if choice.points >= least)


def _mask(indices):
    mask = np.zeros(ACTION_COUNT, bool)
    mask[list(indices)] = True
    return mask


def _read_hand(state, action):
    """(valuer.Hand, melds as MahjongGB takes them) after an action."""
    opening, discard = split_discard(action)
    counts, melds = hold_after(state, opening)
    if discard is not None:
        counts[discard] -= 1
    hand = Hand(counts, [(meld_kind(meld), meld.tile) for meld in melds], state.unseen, state.walls[state.my_pid],
                _DRAGONS | {state.my_pid, state.prevalent_wind})
    return hand, tuple(meld.as_pack(state.my_pid) for meld in melds)
