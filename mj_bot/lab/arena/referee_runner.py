"""Games through the referee, with what is counted of them."""

from ...mahjong.rules import SEATS, can_claim, can_pung, chow_middles
from ..table.match import play_fast
from ..table.players import make_player
from ..table.referee import DISCARDED, DRAWN
from .tally import Outcome, Tally, count_game


def play_walls(match, first, stop):
    """Plays walls first .. stop - 1 of a match in all their seatings; a list of Tally (one a player) for each.

    The players are made anew for every game, as Botzone starts them.
    """
    return [_play_wall(match, number) for number in range(first, stop)]


def _play_wall(match, number):
    wall, quan = match.wall(number)
    tallies = [Tally() for _ in match.names]
    for seating in match.seatings:
        players = [make_player(match.specs[player], match.time_limit) for player in seating]
        referee = play_fast(players, wall, quan, _listen([tallies[player] for player in seating]))
        count_game(tallies, seating, read_outcome(referee))
    return tallies


def _listen(tallies):
    """A listener of play_fast that counts time and memory into the four seats' tallies."""
    def listen(referee, answers):
        for seat, (tally, answer) in enumerate(zip(tallies, answers)):
            if is_decision(referee, seat) or answer.response == "HU":
                tally.add_time(answer.milliseconds)
            if answer.memory_mb > tally.memory_mb:
                tally.memory_mb = answer.memory_mb
    return listen


def is_decision(referee, seat):
    """Whether `seat` has more to answer than PASS, wins on others' tiles apart: these would cost a fan count each."""
    if referee.phase == DRAWN:
        return seat == referee.turn
    if referee.phase != DISCARDED or seat == referee.turn or not can_claim(referee.wall_sizes, referee.turn):
        return False
    hand, tile = referee.hands[seat], referee.last_tile
    return can_pung(hand, tile) or (seat == (referee.turn + 1) % SEATS and bool(chow_middles(hand, tile)))


def read_outcome(referee):
    """The Outcome of a Referee whose game is over."""
    is_win = referee.verdict == "HU"
    is_error = referee.verdict not in ("HU", "HUANG")
    claims = [sum(not meld.is_concealed for meld in melds) for melds in referee.melds]
    return Outcome(referee.scores, claims, referee.verdict, referee.culprit if is_win else None, referee.giver,
                   referee.culprit if is_error else None, referee.fans)
