"""Plays many games at once with the policy, and keeps the learner's decisions.

The course of a group's games depends only on the settings, the networks and the number of the group. So groups can play
at the same time in threads: the engine runs without the interpreter's lock.
"""

import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch

from ...mahjong.action import WIN_INDEX
from ...mahjong.rules import SEATS
from ...mahjong.tile import TILE_COUNT
from ...network.ahead import AHEAD_ROWS, compute_ahead_rows
from ...observation.layout import FULL_SIZE
from ..engine import Engine
from ..engine.game_rows import count_claims
from ..engine.wall_sources import Source
from .advantages import list_latest
from .league import LEARNER, GameEnds
from .policy import Device, query_policy, sample, unpack_mask_tensor


class LearnerDecisions(NamedTuple):
    """Keeps M decisions of the learner that had more than one legal action, in the order of time."""

    observation: np.ndarray  # uint8[M, FULL_SIZE]
    ahead: np.ndarray  # uint8[M, AHEAD_ROWS, 34], what network.ahead.look_ahead returns for the observations
    mask: np.ndarray  # uint8[M, 32], bit a of a row is set where action a is legal
    action: np.ndarray  # int16[M], action that was played
    log_prob: np.ndarray  # float32[M], logarithm of its probability under the policy that played
    top_prob: np.ndarray  # float32[M], probability of the most probable action
    # float32[M, 4], score in SCORE_UNIT points that the policy expected for each seat at that seat's latest decision,
    # the deciding seat first; NaN where a seat had no decision yet.
    forecasts: np.ndarray
    game: np.ndarray  # int32[M], index of the game
    seat: np.ndarray  # int8[M], deciding seat 0..3


# While games are played, `forecasts` is float32[M]: what the policy expected for the deciding seat alone.
_NO_DECISIONS = LearnerDecisions(
    np.zeros((0, FULL_SIZE), np.uint8), np.zeros((0, AHEAD_ROWS, TILE_COUNT), np.uint8), np.zeros((0, 32), np.uint8),
    *(np.zeros(0, dtype) for dtype in (np.int16, np.float32, np.float32, np.float32, np.int32, np.int8)))


class PlayingNetworks(NamedTuple):
    """Keeps the networks that play an iteration."""

    policy: torch.nn.Module  # TileNetwork that learns
    past: list[torch.nn.Module]  # earlier versions of it, the oldest first
    device: Device  # where they compute
    temperature: float  # all logits are divided by it


class Group(object):
    """Plays games for one thread. width: number of games that it plays side by side."""

    def __init__(self, width: int):
        self._engine = Engine(width, memo_size=1 << 16)

    def play(self, networks: PlayingNetworks, lineups: np.ndarray, *, source: Source, generator: torch.Generator,
             stop: threading.Event) -> tuple[LearnerDecisions, GameEnds]:
        """Plays one game for each row of `lineups`, and returns the learner's decisions and how the games ended.

        lineups: int8[G, 4], player of each seat: LEARNER, or p for the p-th earlier self.
        source: gives the walls of G games.
        generator: random numbers by which the networks' actions are drawn.
        stop: when it is set, the games are broken off, and the result is not whole.
        """
        self._engine.reset(source)
        count = len(lineups)
        ends = GameEnds(lineups, np.zeros((count, SEATS), np.int16), np.full(count, -1, np.int8),
                    np.full(count, -1, np.int8), np.zeros(count, np.int16), np.zeros((count, SEATS), np.int8))
        # Without this block there would be nothing to join where the learner never had a choice.
        blocks = [_NO_DECISIONS]
        while len(self._engine.pending) and not stop.is_set():
            self._engine.step(self._decide(networks, lineups, generator=generator, blocks=blocks))
            finished = self._engine.finished
            for name in ("score", "winner", "giver", "fan"):
                getattr(ends, name)[finished["game_id"]] = finished[name]
            for result in finished:
                ends.claim[result["game_id"]] = count_claims(result)
        decisions = LearnerDecisions(*map(np.concatenate, zip(*blocks)))
        return decisions._replace(forecasts=list_latest(decisions.forecasts, decisions.game, decisions.seat)), ends

    def _decide(self, networks, lineups, *, generator, blocks):
        """Returns int16[M] for the pending decisions of the engine, and adds those of the learner to `blocks`."""
        engine = self._engine
        games, seats = engine.games["game_id"][engine.pending["game"]], engine.pending["seat"].astype(np.int64)
        observations, masks = engine.observations(full=True), engine.mask()
        players = lineups[games, seats].astype(np.int64)
        # A win is always taken. Elsewhere this is the first legal action, which stays where there is no other one.
        actions = np.where(masks[:, WIN_INDEX], WIN_INDEX, masks.argmax(1)).astype(np.int16)
        has_choice = ~masks[:, WIN_INDEX] & (masks.sum(1) > 1)
        # The random numbers that draw an action depend on its row, and the order of the engine depends on what it
        # played before. So the rows are sorted.
        order = np.lexsort((seats, games))
        for player in np.unique(players).tolist():
            rows = order[((players == player) & has_choice)[order]]
            if len(rows):
                network = networks.policy if player == LEARNER else networks.past[player - 1]
                packed, ahead = engine.pending["mask"][rows].view(np.uint8), compute_ahead_rows(observations[rows])
                columns = _choose(network, observations[rows], ahead, packed=packed, device=networks.device,
                                  temperature=networks.temperature, generator=generator)
                actions[rows] = columns[0]
                if player == LEARNER:
                    blocks.append(LearnerDecisions(observations[rows], ahead, packed, *columns,
                                                   games[rows].astype(np.int32), seats[rows].astype(np.int8)))
        return actions


def play_groups(groups: Sequence[Group], networks: PlayingNetworks, lineups: np.ndarray, *,
                make_source: Callable[[int, int], Source], seeds: Sequence[int],
                first: int = 0) -> tuple[LearnerDecisions, GameEnds]:
    """Plays one game for each row of `lineups`, and returns the learner's decisions and how the games ended.

    Each group plays an equal share of the games in a thread. The results follow the order of the lineups.
    lineups: int8[G, 4], player of each seat: LEARNER, or p for the p-th earlier self.
    make_source: function(first game, number of games) that returns the walls of a group's games. The first game counts
        from the first group of all processes.
    seeds: numbers that determine, with the number of a group, the random numbers by which its actions are drawn.
    first: number of the first group here, where other processes have the groups before it.
    """
    share = len(lineups) // len(groups)
    freeze = networks.device.freeze
    networks = networks._replace(policy=freeze(networks.policy), past=list(map(freeze, networks.past)))
    stop = threading.Event()

    def play(index: int) -> tuple[LearnerDecisions, GameEnds]:
        """Plays the share of a group in this thread."""
        networks.device.enter_thread()
        group = first + index
        return groups[index].play(networks, lineups[index * share:(index + 1) * share],
                                  source=make_source(group * share, share),
                                  generator=networks.device.generator(group, *seeds), stop=stop)

    # The executor waits for its threads. Without `stop` they would play all their games after Ctrl-C or an error.
    with ThreadPoolExecutor(len(groups)) as executor, contextlib.ExitStack() as stack:
        stack.callback(stop.set)
        return join_played(list(executor.map(play, range(len(groups)))), share)


def join_played(played: Sequence[tuple[LearnerDecisions, GameEnds]], share: int) -> tuple[LearnerDecisions, GameEnds]:
    """Returns the decisions and ends of groups of `share` games each, joined; game indices then count all groups."""
    blocks = [block._replace(game=block.game + index * share) for index, (block, _) in enumerate(played)]
    ends = GameEnds(*map(np.concatenate, zip(*(ends for _, ends in played))))
    return LearnerDecisions(*map(np.concatenate, zip(*blocks))), ends


@torch.inference_mode()
def _choose(network, observations, ahead, *, packed, device, temperature, generator):
    """Draws actions: returns int16[M], and as float32[M] their log probabilities, the highest ones, and the scores."""
    # packed: uint8[M, 32], bit a of a row is set where action a is legal.
    log_probs, answer = query_policy(
        network, torch.from_numpy(observations), torch.from_numpy(ahead),
        masks=unpack_mask_tensor(device.move(packed)), device=device, temperature=temperature)
    actions = sample(log_probs, generator)
    columns = torch.stack([log_probs.gather(1, actions[:, None])[:, 0], log_probs.max(1).values.exp(),
                           answer.score.float()]).cpu().numpy()
    return (actions.to(torch.int16).cpu().numpy(), *columns)
