"""Plays the games of a match by the referee, and tries players before a match."""

import contextlib
import io
import sys
from collections.abc import Iterable, Sequence
from functools import partial

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS, can_claim, can_pung, chow_middles
from ..run.workers import run_in_order
from ..table.bot_process import read_memory_mb
from ..table.match import play_fast
from ..table.one_wall import TABLE_RULES
from ..table.players import Answer, make_player
from ..table.game_referee import DISCARDED, DRAWN, Referee
from ..table.walls import wall_from_seed
from .schedule import Match
from .tally import Tally, count_game, read_referee

_TRIAL_TURNS = 3  # requests of a trial: the seat, the deal and the first draw


def play_walls_by_referee(match: Match, first: int, stop: int, *, rules: str = "botzone") -> list[list[Tally]]:
    """Plays walls first .. stop - 1 of a match in all seatings, and returns a Tally per player for each wall.

    Every game has new players, as on Botzone. A false win that does not end its game is counted as a failure "WH".
    rules: key of table.one_wall.TABLE_RULES.
    """
    tables = []
    for index in range(first, stop):
        wall, prevalent_wind = match.wall(index)
        flowers = TABLE_RULES[rules](match.first_wall_seed + index)
        tables.append([Tally() for _ in match.names])
        for seating in match.seatings:
            players = [make_player(match.specs[player], match.time_limit, match.memory_limit) for player in seating]
            listen = partial(_listen, [tables[-1][player] for player in seating])
            referee = play_fast(players, wall, prevalent_wind, flowers=flowers, listen=listen)
            count_game(tables[-1], seating, read_referee(referee))
            for player, count in zip(seating, referee.false_wins):
                if count:
                    tables[-1][player].failures["WH"] += count
    return tables


def _listen(tallies: list[Tally], referee: Referee, answers: Sequence[Answer]) -> None:
    """Adds the time and the memory of the four seats' answers to their tallies."""
    for seat, (tally, answer) in enumerate(zip(tallies, answers)):
        if is_decision(referee, seat) or answer.response == "HU":
            tally.add_time(answer.milliseconds)
        tally.memory_mb = max(tally.memory_mb, answer.memory_mb)


def is_decision(referee: Referee, seat: int) -> bool:
    """Checks whether a seat may answer something else than PASS.

    Wins on discards are left out, because each would cost a fan count.
    """
    if referee.phase == DRAWN:
        return seat == referee.turn
    if referee.phase != DISCARDED or seat == referee.turn or not can_claim(referee.walls_left, referee.turn):
        return False
    hand, tile = referee.hands[seat], referee.last_tile
    return can_pung(hand, tile) or (seat == (referee.turn + 1) % SEATS and bool(chow_middles(hand, tile)))


def probe_players(specs: Iterable[str], time_limit: float, memory_limit: int | None = None) -> list[int]:
    """Tries each player in a process of its own, and returns their peak memory in MB; 0 where the system hides it.

    Equal specs are tried once. time_limit: seconds per turn. memory_limit: MB that an outside bot may use.
    Raises UnknownTacticError: there is no such tactic, option or command. MahjongError: a player does not answer its
        first request, or its answers do not fit its evaluation.
    """
    for spec in specs:
        make_player(spec, time_limit)  # This refuses unknown names at once.
    # With 2 workers the task runs in another process. Only one of the two starts.
    memories = {}
    for spec in dict.fromkeys(specs):
        memories[spec], = run_in_order(_probe, [(spec, time_limit, memory_limit)], 2)
    return [memories[spec] for spec in specs]


def _probe(spec, time_limit, memory_limit):
    """Tries a player, and returns the peak memory in MB of this process, or of the outside bot."""
    from ..table.tactic_check import try_player  # This loads numba, which processes of the referee do not need.

    player = make_player(spec, time_limit, memory_limit)
    referee = Referee(wall_from_seed(0), 0)
    memory_mb = 0
    player.begin()
    try:
        for turn in range(_TRIAL_TURNS):
            # Errors of later turns are not printed here: the games will report them.
            with contextlib.redirect_stderr(io.StringIO() if turn else sys.stderr):
                answer = player.respond(referee.requests[0])
            memory_mb = max(memory_mb, answer.memory_mb)
            if answer.verdict != "OK" and turn == 0:
                raise MahjongError("expected a player that starts, got the verdict %s on the first request to %r",
                                   answer.verdict, spec)
            if answer.verdict != "OK":
                break
            referee.step(["PASS"] * 4)
    finally:
        player.end()
    memory_mb = memory_mb or read_memory_mb("self")
    try_player(spec, time_limit)
    return memory_mb
