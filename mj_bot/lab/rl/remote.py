"""Actors on more machines, through Ray: they get the networks of each iteration and send back what they played.

How a group of games goes depends only on the settings, the networks and the group's number. On the same kind of device
a run therefore gives the same network with actors as without. Where an actor dies, Ray starts another, which plays the
same share again.
"""

import contextlib

from ...mahjong.errors import MahjongError
from ..run.cluster import join_cluster
from .actor import Group, join_played, play_groups
from .policy import Device, clone


@contextlib.contextmanager
def open_actors(run, first, address):
    """A function that plays as actor.play_groups does with all groups of config.Run `run`, but on a Ray cluster.

    first: number of the first group. address: of the cluster.
    Raises MahjongError: no cluster answers, or it is too small.
    """
    with join_cluster(address) as ray:
        processors = ray.cluster_resources().get("CPU", 0)
        if processors < run.groups:
            raise MahjongError("expected a Ray cluster with a processor for each of %d groups, got %d at %r" % (
                run.groups, processors, address))
        share = run.groups // run.actors
        remote = ray.remote(num_cpus=share, num_gpus=int(run.actor_device == "cuda"), max_restarts=-1,
                            max_task_retries=-1)(Actor)
        actors = [remote.remote(run) for _ in range(run.actors)]

        def play(networks, names, lineups, make_source, numbers):
            packed = ray.put(move_networks(networks, Device("cpu"))._replace(device=None))
            rows = len(lineups) // run.actors
            return join_played(ray.get([
                actor.play.remote(packed, names, lineups[place * rows:(place + 1) * rows], make_source, numbers,
                                  first + place * share)
                for place, actor in enumerate(actors)]), rows)

        yield play


class Actor(object):
    """A process of the cluster that plays its share of config.Run's groups."""

    def __init__(self, run):
        self._device = Device(run.actor_device, run.precision)
        self._groups = [Group(run.width) for _ in range(run.groups // run.actors)]

    def play(self, networks, *others):
        """As play_groups with its own groups. others: what play_groups takes after the networks."""
        return play_groups(self._groups, move_networks(networks, self._device), *others)


def move_networks(networks, device):
    """Copies of actor.PlayingNetworks on a policy.Device."""
    policy, *past = (clone(network).to(device.name) for network in [networks.policy, *networks.past])
    return networks._replace(policy=policy, past=past, device=device)
