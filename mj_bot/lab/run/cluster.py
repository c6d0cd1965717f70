"""Runs tasks on a Ray cluster. Ray is optional, the extra `ray` of pyproject.toml."""

import contextlib
import socket
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import ModuleType

from ...mahjong.errors import MahjongError
from ...sources import PACKAGE_FOLDER

_AHEAD = 2  # tasks per processor that are sent before others are done
_CONNECT_SECONDS = 10
_ABSENT = "expected a Ray cluster at %r: %s; start one as docs/ray.md says, with a token: without, everyone who " \
    "reaches it runs code there"


def run_tasks(play: Callable, tasks: Iterable[tuple], address: str) -> Iterator:
    """Yields play(*task) for every task, in the order of completion, computed on a cluster.

    play: a function that can be pickled. tasks: argument tuples, read as needed. The tasks of a node that dies run
    again on another node. The programs of outside bots must be on all nodes.
    The address and errors are those of join_cluster, and exceptions of play.
    """
    tasks = iter(tasks)
    with join_cluster(address) as ray:
        remote = ray.remote(num_cpus=1, max_retries=-1)(_run)
        play = ray.put(play)
        window = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        pending = [remote.remote(play, task) for task in islice(tasks, window)]
        while pending:
            done, pending = ray.wait(pending)
            pending += [remote.remote(play, task) for task in islice(tasks, len(done))]
            yield from ray.get(done)


@contextlib.contextmanager
def join_cluster(address: str) -> Iterator[ModuleType]:
    """Makes a context with the module ray, connected to a cluster.

    The package is sent to the nodes; the libraries that it imports must be there. Ray listens on all network
    interfaces: docs/ray.md says who can reach it.
    address: "HOST:PORT" of the cluster; "auto" finds a cluster of this machine.
    Raises ModuleNotFoundError: Ray is not installed. MahjongError: no cluster answers.
    """
    import ray  # optional, and slow

    is_new = not ray.is_initialized()
    if is_new:
        _check_address(address)
        try:
            ray.init(address, runtime_env={"py_modules": [str(PACKAGE_FOLDER)]}, log_to_driver=False,
                     logging_level="ERROR")
        except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            raise MahjongError(_ABSENT, address, " ".join(str(error).split())) from None
    try:
        yield ray
    finally:
        if is_new:
            ray.shutdown()


def _check_address(address):
    """Raises MahjongError: nobody listens at the address. Ray itself would wait for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdigit():
        return  # Ray resolves a name such as "auto" itself
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except OSError as error:
        raise MahjongError(_ABSENT, address, error) from None


def _run(play, task):
    return play(*task)
