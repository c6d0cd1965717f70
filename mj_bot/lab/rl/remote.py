"""Lets actors on more machines play, through Ray: they get the networks of an iteration and send back their decisions.

The course of a group's games depends only on the settings, the networks and the number of the group. So a run gives the
same network with actors as without, on devices of the same kind. If an actor dies, Ray starts another one, which plays
the same games again.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ...mahjong.errors import MahjongError
from ..engine.wall_sources import Source
from ..run.cluster import join_cluster
from .actor import Group, LearnerDecisions, PlayingNetworks, join_played, play_groups
from .config import Run
from .league import GameEnds
from .policy import Device, clone


@contextlib.contextmanager
def open_actors(run: Run, first: int, address: str) -> Iterator[Callable[..., tuple[LearnerDecisions, GameEnds]]]:
    """Returns a context with a function that plays an iteration on a Ray cluster.

    The function is play(networks, lineups, *, make_source, seeds). It returns (LearnerDecisions, GameEnds) of all
    games, as actor.play_groups does for groups in this process.
    first: number of the first group of this process. address: address of the cluster, "auto" for the one of this
        machine.
    Raises MahjongError: no cluster answers, or the cluster has too few processors.
    """
    with join_cluster(address) as ray:
        processors = ray.cluster_resources().get("CPU", 0)
        if processors < run.groups:
            raise MahjongError("expected a Ray cluster with a processor for each of %d groups, got %d at %r",
                               run.groups, processors, address)
        share = run.groups // run.actors
        remote = ray.remote(num_cpus=share, num_gpus=int(run.actor_device == "cuda"), max_restarts=-1,
                            max_task_retries=-1)(Actor)
        actors = [remote.remote(run) for _ in range(run.actors)]

        def play(networks: PlayingNetworks, lineups: np.ndarray, *, make_source: Callable[[int, int], Source],
                 seeds: Sequence[int]) -> tuple[LearnerDecisions, GameEnds]:
            """Plays the games of an iteration: each actor plays an equal share of the lineups."""
            packed = ray.put(move_networks(networks, Device("cpu"))._replace(device=None))
            rows = len(lineups) // run.actors
            return join_played(ray.get([
                actor.play.remote(packed, lineups[index * rows:(index + 1) * rows], make_source=make_source,
                                  seeds=seeds, first=first + index * share)
                for index, actor in enumerate(actors)]), rows)

        yield play


class Actor(object):
    """Plays with its share of a run's groups, in a process of the cluster.

    run: settings, of which each of run.actors processes has run.groups / run.actors groups.
    """

    def __init__(self, run: Run):
        self._device = Device(run.actor_device, run.precision)
        self._groups = [Group(run.width) for _ in range(run.groups // run.actors)]

    def play(self, networks: PlayingNetworks, *games: Any, **options: Any) -> tuple[LearnerDecisions, GameEnds]:
        """Returns what play_groups returns for the groups of this process. games, options: its other arguments."""
        return play_groups(self._groups, move_networks(networks, self._device), *games, **options)


def move_networks(networks: PlayingNetworks, device: Device) -> PlayingNetworks:
    """Returns copies of networks on a device."""
    policy, *past = (clone(network).to(device.name) for network in [networks.policy, *networks.past])
    return networks._replace(policy=policy, past=past, device=device)
