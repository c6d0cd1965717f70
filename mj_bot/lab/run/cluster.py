"""Runs tasks on a Ray cluster. Ray is optional, the extra `ray` of pyproject.toml."""

import contextlib
import socket
from itertools import islice

from ...mahjong.errors import MahjongError
from ...sources import PACKAGE_FOLDER

_AHEAD = 2
_CONNECT_SECONDS = 10
_ABSENT = "expected a Ray cluster at %r: %s; start one as docs/ray.md says, with a token: without, everyone who " \
    "reaches it runs code there"


def run_tasks(play, tasks, address):
    """As workers.WorkerPool.run_tasks, on the cluster at `address`; raises as join_cluster.

    The programs of outside bots must be on the nodes. Tasks of a node that dies run again on another.
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
def join_cluster(address):
    """A context with the module ray, connected to the cluster at `address`; "auto" finds the one of this machine.

    The package is sent to the nodes; the libraries that it imports must be there. Ray listens on all interfaces:
    docs/ray.md says who can reach it.
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
            raise MahjongError(_ABSENT % (address, " ".join(str(error).split()))) from None
    try:
        yield ray
    finally:
        if is_new:
            ray.shutdown()


def _check_address(address):
    """Refuses an address where nobody listens; Ray itself would take minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdigit():
        return  # a name that Ray knows
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except OSError as error:
        raise MahjongError(_ABSENT % (address, error)) from None


def _run(play, task):
    return play(*task)
