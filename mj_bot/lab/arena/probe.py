"""Tries every player before a match: whether it starts, and how much memory it takes."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from ...mahjong.errors import MahjongError
from ..table.players import make_player
from ..table.referee import Referee
from ..table.walls import wall_from_seed

_TURNS = 3


def probe_players(specs, time_limit):
    """Peak memory in MB of a process that plays the first turn, for each spec; 0 where the system does not tell.

    Every player gets a process of its own and is asked the seat, the deal and its first draw.
    Raises UnknownTacticError: no such tactic or option, a command that is not there. MahjongError: a player that does
    not answer the first of these.
    """
    for spec in specs:
        make_player(spec, time_limit)  # the plain mistakes of all of them first
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, max_tasks_per_child=1) as executor:
        try:
            return [executor.submit(_probe, spec, time_limit).result() for spec in specs]
        except BrokenProcessPool:
            raise MahjongError("expected players that start, one of %r ended its process" % (specs,)) from None


def _probe(spec, time_limit):
    player = make_player(spec, time_limit)
    referee = Referee(wall_from_seed(0), 0)
    memory_mb = 0
    player.begin()
    try:
        for turn in range(_TURNS):
            answer = player.respond(referee.requests[0])
            memory_mb = max(memory_mb, answer.memory_mb)
            if answer.verdict != "OK" and turn == 0:
                raise MahjongError("expected a player that starts, got the verdict %s on the first request to %r"
                                   % (answer.verdict, spec))
            if answer.verdict != "OK":
                break
            referee.step(["PASS"] * 4)
    except OSError as error:
        raise MahjongError("expected a command that starts, got %r: %s" % (spec, error)) from None
    finally:
        player.end()
    return memory_mb or _own_memory_mb()


def _own_memory_mb():
    try:
        with open("/proc/self/status") as status:
            return next((int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0
