"""Plays the arena's matches of Guangdong mahjong."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ..arena.fingerprint import compute_fingerprint
from ..arena.run_match import Runner
from ..arena.schedule import Match
from ..arena.tally import Outcome, Tally, count_game
from .engine import Table
from .guangdong_players import GUANGDONG_PLAYERS, load_player
from .guangdong_rules import LAID_CONCEALED_KONG, format_settings, parse_settings

_WALLS = 32  # walls whose games are played next to each other


def prepare(match: Match, settings: str) -> tuple[dict, Runner, Callable]:
    """Returns (fingerprint, runner, probe) of a match, as arena.run_match.prepare_match does; memory is not measured.

    settings: text of the rules, name=value,name=value. Raises MahjongError: unknown settings.
    """
    settings = parse_settings(settings)
    fingerprint = dict(compute_fingerprint(match, "lab/guangdong", players=GUANGDONG_PLAYERS),
                       settings=format_settings(settings))
    return fingerprint, (partial(_play_walls, settings), _WALLS), lambda: [0] * len(match.names)


def _play_walls(settings, match, first, stop):
    """Plays walls first .. stop - 1 of a match in all their seatings; returns a list of a Tally per player for each."""
    seatings = np.array(match.seatings)
    table = Table(match.first_wall_seed + np.repeat(np.arange(first, stop), len(seatings)), settings)
    players = [load_player(spec) for spec in match.specs]
    tallies = [[Tally() for _ in match.names] for _ in range(first, stop)]
    lineups = np.tile(seatings, (stop - first, 1))
    while len(table.rows):
        owners = lineups[table.rows, table.games["seat"][table.rows]]
        actions = np.zeros(len(table.rows), np.int16)
        for player_index, player in enumerate(players):
            chosen = np.flatnonzero(owners == player_index)
            if len(chosen):
                actions[chosen] = player(table, table.rows[chosen])
        table.step(actions)
    for index, game in enumerate(table.games):
        count_game(tallies[index // len(seatings)], lineups[index].tolist(), _read_outcome(game))
    return tallies


def _read_outcome(game):
    """Returns the Outcome of a game that is over. game: one row of TABLE_STATE."""
    winner, giver = int(game["winner"]), int(game["giver"])
    claims = [int((game["meld_kind"][seat, :game["meld_count"][seat]] != LAID_CONCEALED_KONG).sum())
              for seat in range(4)]
    scores = game["score"].tolist()
    if winner < 0:
        return Outcome(scores, claims, "HUANG", winner=None, giver=None, culprit=None, fans=[])
    # The tally counts wins on a discard and on an added kong under one name.
    name, giver = ("自摸", None) if winner == giver else ("抢杠和", giver)
    return Outcome(scores, claims, "HU", winner=winner, giver=giver, culprit=None, fans=[(1, 1, name)])
