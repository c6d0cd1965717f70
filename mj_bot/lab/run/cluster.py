"""Carries out tasks on a Ray cluster. Ray is optional, the extra `ray` of pyproject.toml."""

import contextlib
import socket
from itertools import islice

from ...mahjong.errors import MahjongError
from ...sources import PACKAGE

_AHEAD = 2
_CONNECT_SECONDS = 10


def run_tasks(play, tasks, address):
    """As workers.run_tasks, on the cluster at `address` ("auto" finds the one of this machine).

    The programs of outside bots must be on the nodes. Tasks of a node that dies are played again on another.
    Raises MahjongError: as join_cluster.
    """
    with join_cluster(address) as ray:
        yield from _hand_out(ray, play, iter(tasks))


@contextlib.contextmanager
def join_cluster(address):
    """The module ray, connected to the cluster at `address` for as long as it is open.

    The package travels to the nodes; the libraries it needs must be there.
    Raises ModuleNotFoundError: Ray is not installed. MahjongError: no cluster answers.
    """
    import ray  # optional, and slow

    is_own = not ray.is_initialized()
    if is_own:
        _check_address(address)
        try:
            ray.init(address, runtime_env={"py_modules": [str(PACKAGE)]}, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise MahjongError("expected a Ray cluster at %r: %s" % (address, error)) from None
    try:
        yield ray
    finally:
        if is_own:
            ray.shutdown()


def _check_address(address):
    """Refuses an address where nobody listens; Ray itself takes minutes to say so."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdigit():
        return  # a name that Ray knows
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except OSError as error:
        raise MahjongError("expected a Ray cluster at %r: %s" % (address, error)) from None


def _hand_out(ray, play, tasks):
    remote = ray.remote(num_cpus=1, max_retries=-1)(_run)
    play = ray.put(play)
    window = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
    pending = [remote.remote(play, task) for task in islice(tasks, window)]
    while pending:
        done, pending = ray.wait(pending)
        pending += [remote.remote(play, task) for task in islice(tasks, len(done))]
        for result in ray.get(done):
            yield result


def _run(play, task):
    return play(*task)
