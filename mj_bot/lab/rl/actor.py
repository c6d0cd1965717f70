"""Plays games with the policy for many games at once, and keeps the learner's decisions.

How a group of games goes depends only on the settings, the networks and the group's numbers. Groups can therefore play
side by side in threads: the engine and most tactics' `choose` run without the interpreter's lock.
"""

import functools
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch

from ...mahjong.action import WIN_INDEX
from ...mahjong.rules import SEATS
from ...mahjong.tile import TILE_COUNT
from ...network.ahead import AHEAD_ROWS, look_ahead
from ...observation.layout import FULL_SIZE, OBSERVATION_SIZE
from ..engine import Engine
from ..engine.game_rows import count_claims
from .advantages import list_latest
from ..table.choosers import load_chooser
from .league import LEARNER, PAST
from .policy import Device, ask, sample, unpack_masks


class LearnerDecisions(NamedTuple):
    """The learner's decisions with a choice, in the order of time."""

    observation: np.ndarray  # uint8[M, FULL_SIZE]
    ahead: np.ndarray  # uint8[M, ROWS, 34], of network/ahead.py
    mask: np.ndarray  # uint8[M, 32], the legal actions as bits
    action: np.ndarray  # int16[M]
    log_prob: np.ndarray  # float32[M], of the action by the policy that played
    top_prob: np.ndarray  # float32[M], probability of the most probable action
    forecasts: np.ndarray  # float32[M, 4], what the policy expected at the seats' last decisions, of list_latest
    game: np.ndarray  # int32[M]
    seat: np.ndarray  # int8[M]


# forecasts: so far what the policy expected at this decision.
_NO_DECISIONS = LearnerDecisions(np.zeros((0, FULL_SIZE), np.uint8), np.zeros((0, AHEAD_ROWS, TILE_COUNT), np.uint8),
                          np.zeros((0, 32), np.uint8), *(np.zeros(0, dtype) for dtype in (
                              np.int16, np.float32, np.float32, np.float32, np.int32, np.int8)))


class Ends(NamedTuple):
    """How games ended."""

    lineup: np.ndarray  # int8[G, 4], see league.py
    score: np.ndarray  # int16[G, 4]
    winner: np.ndarray  # int8[G], -1 for none
    giver: np.ndarray  # int8[G], -1 for none
    fan: np.ndarray  # int16[G]
    claim: np.ndarray  # int8[G, 4], chows, pungs and open kongs


class PlayingNetworks(NamedTuple):
    """Who plays."""

    policy: torch.nn.Module
    past: list  # of networks
    device: Device
    temperature: float  # of all networks


class Group(object):
    """One of the threads that play. width: games side by side."""

    def __init__(self, width):
        self._engine = Engine(width, memo_size=1 << 16)
        self._load = functools.cache(load_chooser)

    def play(self, networks, names, lineups, source, generator):
        """(Decisions, Ends) of a game for each row of lineups, int8[G, 4].

        names: of the players in lineups, see league.draw_lineups. source: engine.wall_sources.Source of as many games.
        generator: torch.Generator.
        """
        engine = self._engine
        count = len(lineups)
        engine.reset(source)
        ends = Ends(lineups, np.zeros((count, SEATS), np.int16), np.full(count, -1, np.int8),
                    np.full(count, -1, np.int8), np.zeros(count, np.int16), np.zeros((count, SEATS), np.int8))
        # Some groups have no decision of the learner with a choice.
        parts = [_NO_DECISIONS]
        while len(engine.pending):
            numbers, seats = engine.games["game_id"][engine.pending["game"]], engine.pending["seat"].astype(np.int64)
            observations, masks = engine.observations(full=True), engine.mask()
            players = lineups[numbers, seats].astype(np.int64)
            # The only action where there is no choice; a win is always taken.
            actions = np.where(masks[:, WIN_INDEX], WIN_INDEX, masks.argmax(1)).astype(np.int16)
            has_choice = ~masks[:, WIN_INDEX] & (masks.sum(1) > 1)
            # The engine's order depends on what it played before, and the noise that draws an action on the order.
            order = np.lexsort((seats, numbers))
            for player in np.unique(players).tolist():
                rows = order[((players == player) & has_choice)[order]]
                if player > 0 and names[player - 1][0] != PAST:
                    rows = np.flatnonzero(players == player)
                    actions[rows] = self._load(names[player - 1][0])(observations[rows, :OBSERVATION_SIZE], masks[rows])
                elif len(rows):
                    network = networks.policy if player == LEARNER else networks.past[names[player - 1][1]]
                    packed, ahead = engine.pending["mask"][rows].view(np.uint8), look_ahead(observations[rows])
                    found = _choose(network, observations[rows], ahead, packed=packed, device=networks.device,
                                    temperature=networks.temperature, generator=generator)
                    actions[rows] = found[0]
                    if player == LEARNER:
                        parts.append(LearnerDecisions(observations[rows], ahead, packed, *found,
                                               numbers[rows].astype(np.int32), seats[rows].astype(np.int8)))
            engine.step(actions)
            ended = engine.finished["game_id"]
            for name in ("score", "winner", "giver", "fan"):
                getattr(ends, name)[ended] = engine.finished[name]
            for result in engine.finished:
                ends.claim[result["game_id"]] = count_claims(result)
        decisions = LearnerDecisions(*map(np.concatenate, zip(*parts)))
        return decisions._replace(forecasts=list_latest(decisions.forecasts, decisions.game, decisions.seat)), ends


def play_groups(groups, networks, names, lineups, make_source, numbers, first=0):
    """(Decisions, Ends) of all groups' games, one after another; each group plays an equal share of the lineups.

    groups: list of Group. make_source: function(first row, rows) that gives the Source of a group's games. numbers: the
    seeds of these games' random generators. first: number of the first group here, where other processes play those
    before it; make_source counts rows from group 0. The rest as of Group.play.
    """
    share = len(lineups) // len(groups)
    freeze = networks.device.freeze
    networks = networks._replace(policy=freeze(networks.policy), past=list(map(freeze, networks.past)))

    def play(place):
        networks.device.enter_thread()
        number = first + place
        return groups[place].play(networks, names, lineups[place * share:(place + 1) * share],
                                  make_source(number * share, share), networks.device.generator(number, *numbers))

    with ThreadPoolExecutor(len(groups)) as executor:
        return join_played(list(executor.map(play, range(len(groups)))), share)


def join_played(played, share):
    """(Decisions, Ends) of several, one after another; each has `share` games."""
    parts = [part._replace(game=part.game + place * share) for place, (part, _) in enumerate(played)]
    ends = Ends(*map(np.concatenate, zip(*(ends for _, ends in played))))
    return LearnerDecisions(*map(np.concatenate, zip(*parts))), ends


@torch.inference_mode()
def _choose(network, observations, ahead, *, packed, device, temperature, generator):
    """(action int16, log probability, highest probability, score expected float32) of each row."""
    log_probs, answer = ask(network, torch.from_numpy(observations), torch.from_numpy(ahead),
                            masks=unpack_masks(device.move(packed)), device=device, temperature=temperature)
    actions = sample(log_probs, generator)
    columns = torch.stack([log_probs.gather(1, actions[:, None])[:, 0], log_probs.max(1).values.exp(),
                           answer.score.float()]).cpu().numpy()
    return (actions.to(torch.int16).cpu().numpy(), *columns)
