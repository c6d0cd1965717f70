"""Plays games with the policy batched, and notes the learner's decisions.

What a group of games comes to depends on the settings, the networks and the group's numbers alone, so that groups play
side by side in threads: the engine and the tactics' batch forms run without the interpreter's lock.
"""

from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from ...mahjong.action import WIN_INDEX
from ...mahjong.rules import SEATS
from ...network.advice import ADVICE_TYPE
from ...observation.layout import FULL_SIZE, TURN, OBSERVATION_SIZE, field
from ..batch import load_batch
from ..batch.search import Advisor
from ..engine import Engine
from ..engine.games import CHOW_MADE, OPEN_KONG_MADE, PUNG_MADE
from ..engine.shanten import least_batch
from .league import LEARNER, PAST
from .oracle import SEEN_SIZE, draw_seen
from .policy import ask, pack_masks, sample, unpack_masks

# What the learner did where it had a choice, in the order of time. observation: uint8[M, OBSERVATION_SIZE or
# FULL_SIZE]. mask:
# uint8[M, 30], pack_masks. seen: uint8[M, SEEN_SIZE], see oracle.py. advice: ADVICE_TYPE[M, ADVICE_SIZE] for an advised
# policy, else [M, 0]. action: int16[M]. log_prob: float32[M], of the action, as the policy had it that played. value:
# float32[M], its score head. surest: float32[M], probability of the most probable action. game: int32[M]. seat:
# int8[M].
Notes = namedtuple("Notes", "observation mask seen advice action log_prob value surest game seat")

# How games ended. lineup: int8[G, 4], see league.py. score: int16[G, 4]. winner, giver: int8[G], -1 for none. fan:
# int16[G]. claim: int8[G, 4], chows, pungs and open kongs. late: bool[G], the learner began in mid-game.
Ends = namedtuple("Ends", "lineup score winner giver fan claim late")

# Who plays. policy, start: networks; past: list of them; device: policy.Device; temperature: of all networks.
# seen_share: probability that the policy sees a hidden plane.
Networks = namedtuple("Networks", "policy start past device temperature seen_share")

_CLAIMS = (CHOW_MADE, PUNG_MADE, OPEN_KONG_MADE)
_LATE_STARTER = -1


class Group(object):
    """One of the threads that play. width: games side by side. has_hidden: notes have full observations."""

    def __init__(self, width, has_hidden):
        self._engine = Engine(width, memo_size=1 << 16)
        self._has_hidden = has_hidden
        self._choosers = {}
        self._advise = None

    def play(self, networks, names, lineups, source, generator, shanten=None):
        """(Notes, Ends) of a game for each row of lineups, int8[G, 4].

        names: of the players in lineups, see league.draw_lineups. source: engine.sources.Source of as many games.
        generator: torch.Generator. shanten: if given, `networks.start` plays the learner's seats until somebody is so
        near to ready.
        """
        engine = self._engine
        count = len(lineups)
        engine.reset(source)
        ends = Ends(lineups, np.zeros((count, SEATS), np.int16), *(
            np.full(count, -1, np.int8), np.full(count, -1, np.int8), np.zeros(count, np.int16),
            np.zeros((count, SEATS), np.int8), np.full(count, shanten is not None)))
        waits = ends.late.copy()
        notes = []
        while len(engine.owed):
            numbers, seats = engine.games["game_id"][engine.owed["game"]], engine.owed["seat"].astype(np.int64)
            observations, masks = engine.observations(self._has_hidden), engine.mask()
            if shanten is not None:
                _end_waits(waits, observations, numbers, shanten)
            players = lineups[numbers, seats].astype(np.int64)
            players[waits[numbers] & (players == LEARNER)] = _LATE_STARTER
            # Where nothing is to be chosen the only action; a win is always taken.
            actions = np.where(masks[:, WIN_INDEX], WIN_INDEX, masks.argmax(1)).astype(np.int16)
            has_choice = ~masks[:, WIN_INDEX] & (masks.sum(1) > 1)
            for player in np.unique(players).tolist():
                rows = np.flatnonzero((players == player) & has_choice)
                if player > 0 and names[player - 1][0] != PAST:
                    rows = np.flatnonzero(players == player)
                    actions[rows] = self._load(names[player - 1][0])(
                        observations[rows, :OBSERVATION_SIZE], masks[rows], numbers[rows], seats[rows])
                elif len(rows):
                    network = _find_network(networks, names, player)
                    packed = pack_masks(masks[rows])
                    advice = self._find_advice(network, observations[rows], masks[rows])
                    share = networks.seen_share if player == LEARNER else 0.0
                    found = _choose(network, observations[rows], packed, advice, networks.device,
                                    networks.temperature, share, generator)
                    actions[rows] = found[2]
                    if player == LEARNER:
                        notes.append(Notes(observations[rows], packed, *found, numbers[rows].astype(np.int32),
                                           seats[rows].astype(np.int8)))
            engine.step(actions)
            _note_ends(engine.finished, ends)
        return _join(notes, FULL_SIZE if self._has_hidden else OBSERVATION_SIZE), ends

    def _find_advice(self, network, observations, masks):
        if not network.is_advised:
            return np.zeros((len(observations), 0), ADVICE_TYPE)
        if self._advise is None:
            self._advise = Advisor()
        return self._advise(np.ascontiguousarray(observations[:, :OBSERVATION_SIZE]), masks)

    def _load(self, spec):
        if spec not in self._choosers:
            self._choosers[spec] = load_batch(spec)
        return self._choosers[spec]


def play_groups(groups, networks, names, lineups, make_source, numbers, shanten=None, first=0):
    """(Notes, Ends) of all groups' games, one after another; each group plays an equal share of the rows of lineups.

    groups: list of Group. make_source: function(first row, rows) that gives the Source of a group's games. numbers:
    that name these games to the random generators. first: number of the first group, where others play in other
    processes; the rows that make_source is asked for are counted from group 0. The rest as of Group.play.
    """
    share = len(lineups) // len(groups)

    def play(place):
        networks.device.enter_thread()
        number = first + place
        return groups[place].play(networks, names, lineups[place * share:(place + 1) * share],
                                  make_source(number * share, share), networks.device.generator(number, *numbers),
                                  shanten)

    with ThreadPoolExecutor(len(groups)) as executor:
        return join_played(list(executor.map(play, range(len(groups)))), share)


def join_played(played, share):
    """(Notes, Ends) of several, one after another; each has `share` games."""
    notes = [part._replace(game=part.game + place * share) for place, (part, _) in enumerate(played)]
    return (Notes(*(np.concatenate(column) for column in zip(*notes))),
            Ends(*(np.concatenate(column) for column in zip(*(ends for _, ends in played)))))


def _find_network(networks, names, player):
    if player == _LATE_STARTER:
        return networks.start
    return networks.policy if player == LEARNER else networks.past[names[player - 1][1]]


@torch.inference_mode()
def _choose(network, observations, packed, advice, device, temperature, seen_share, generator):
    """(seen, advice, action int16, log probability, value, highest probability float32) of each row."""
    seen = None
    if seen_share:
        seen = draw_seen(len(observations), seen_share, device, generator)
    else:
        observations = observations[:, :OBSERVATION_SIZE]
    log_probs, answer = ask(network, device.move(observations), unpack_masks(device.move(packed)), device,
                            temperature, seen,
                           device.move(advice))
    actions = sample(log_probs, generator)
    columns = torch.stack([log_probs.gather(1, actions[:, None])[:, 0], answer.score.float(),
                           log_probs.max(1).values.exp()]).cpu().numpy()
    seen = np.zeros((len(observations), SEEN_SIZE), np.uint8) if seen is None else seen.cpu().numpy()
    return (seen, advice, actions.to(torch.int16).cpu().numpy()) + tuple(columns)


def _end_waits(waits, observations, numbers, shanten):
    """Ends the waiting of the games in which somebody to move is near enough to ready."""
    rows = np.flatnonzero(waits[numbers] & (field(observations, "task")[:, 0] == TURN))
    if len(rows):
        melds = (field(observations[rows], "meld_kind")[:, 0] > 0).sum(1)
        least, _ = least_batch(np.ascontiguousarray(field(observations[rows], "hand")), melds.astype(np.uint8))
        waits[numbers[rows[least <= shanten]]] = False


def _note_ends(finished, ends):
    numbers = finished["game_id"]
    for name in ("score", "winner", "giver", "fan"):
        getattr(ends, name)[numbers] = finished[name]
    for result in finished:
        codes = result["log"][:result["log_count"], 0]
        claims = codes[np.isin(codes // SEATS, _CLAIMS)] % SEATS
        ends.claim[result["game_id"]] = np.bincount(claims, minlength=SEATS)


def _join(notes, view_size):
    if not notes:
        return Notes(np.zeros((0, view_size), np.uint8), np.zeros((0, 30), np.uint8),
                     np.zeros((0, SEEN_SIZE), np.uint8), np.zeros((0, 0), ADVICE_TYPE), np.zeros(0, np.int16),
                     *(np.zeros(0, np.float32) for _ in range(3)), np.zeros(0, np.int32), np.zeros(0, np.int8))
    return Notes(*(np.concatenate(column) for column in zip(*notes)))
