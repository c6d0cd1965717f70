"""Plays games by the referee, and tries players before a match."""

import contextlib
import io
import sys
from collections.abc import Callable, Iterable

from ...mahjong.errors import MahjongError
from ...mahjong.rules import SEATS, can_claim, can_pung, chow_middles
from ..run.workers import run_in_order
from ..table.bot_process import read_memory_mb
from ..table.match import play_fast
from ..table.one_wall import TABLE_RULES
from ..table.players import make_player
from ..table.referee import DISCARDED, DRAWN, Referee
from ..table.walls import wall_from_seed
from .schedule import Match
from .tally import Tally, count_game, read_referee

# Requests of a trial: the seat, the deal and the first draw.
_TRIAL_TURNS = 3


def play_walls(match: Match, first: int, stop: int, rules: str = "botzone") -> list[list[Tally]]:
    """Plays walls first ..

    stop - 1 of a match in all their seatings. Returns for each wall a list of Tally, one a player.

    Every game has new players, as on Botzone.
    rules: a name of table.one_wall.TABLE_RULES. A false win that does not end its game is a failure WH of its player.
    """
    tables = []
    for number in range(first, stop):
        wall, prevalent_wind = match.wall(number)
        flowers = TABLE_RULES[rules](match.first_wall_seed + number)
        tables.append([Tally() for _ in match.names])
        for seating in match.seatings:
            players = [make_player(match.specs[player], match.time_limit, match.memory_limit) for player in seating]
            listen = _listen([tables[-1][player] for player in seating])
            referee = play_fast(players, wall, prevalent_wind, flowers=flowers, listen=listen)
            count_game(tables[-1], seating, read_referee(referee))
            for player, count in zip(seating, getattr(referee, "false_wins", ())):
                if count:
                    tables[-1][player].failures["WH"] += count
    return tables


def _listen(tallies: list[Tally]) -> Callable:
    """Returns a listener of play_fast that adds time and memory to the four seats' tallies."""
    def listen(referee, answers):
        for seat, (tally, answer) in enumerate(zip(tallies, answers)):
            if is_decision(referee, seat) or answer.response == "HU":
                tally.add_time(answer.milliseconds)
            if answer.memory_mb > tally.memory_mb:
                tally.memory_mb = answer.memory_mb
    return listen


def is_decision(referee: Referee, seat: int) -> bool:
    """Checks whether `seat` has more answers than PASS.

    Wins on discards are left out: each would cost a fan count.
    """
    if referee.phase == DRAWN:
        return seat == referee.turn
    if referee.phase != DISCARDED or seat == referee.turn or not can_claim(referee.wall_sizes, referee.turn):
        return False
    hand, tile = referee.hands[seat], referee.last_tile
    return can_pung(hand, tile) or (seat == (referee.turn + 1) % SEATS and bool(chow_middles(hand, tile)))


def probe_players(specs: Iterable[str], time_limit: float, memory_limit: int | None = None) -> list[int]:
    """Returns for each spec the peak memory in MB of a process that plays the first turns, one for each different spec.

    The figure is 0 where the system hides it. time_limit: seconds a turn. memory_limit: MB of an outside bot.
    Raises UnknownTacticError: no such tactic, option or command. MahjongError: no answer to the first request, or a
        tactic whose answers try_player refuses.
    """
    for spec in specs:
        make_player(spec, time_limit)  # refuses unknown names at once
    # With 2 workers the task runs in another process; of the two only one starts.
    memories = {}
    for spec in dict.fromkeys(specs):
        memories[spec], = run_in_order(_probe, [(spec, time_limit, memory_limit)], 2)
    return [memories[spec] for spec in specs]


def _probe(spec, time_limit, memory_limit):
    from ..table.tactic_check import try_player  # it loads numba, which processes that play by the referee do not need

    player = make_player(spec, time_limit, memory_limit)
    referee = Referee(wall_from_seed(0), 0)
    memory_mb = 0
    player.begin()
    try:
        for turn in range(_TRIAL_TURNS):
            # What fails later is told by the games.
            with contextlib.redirect_stderr(io.StringIO() if turn else sys.stderr):
                answer = player.respond(referee.requests[0])
            memory_mb = max(memory_mb, answer.memory_mb)
            if answer.verdict != "OK" and turn == 0:
                raise MahjongError("expected a player that starts, got the verdict %s on the first request to %r"
                                   % (answer.verdict, spec))
            if answer.verdict != "OK":
                break
            referee.step(["PASS"] * 4)
    finally:
        player.end()
    memory_mb = memory_mb or read_memory_mb("self")
    try_player(spec, time_limit)
    return memory_mb
