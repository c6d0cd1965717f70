"""Answers without the tactic where its time is up, it fails, or the input is damaged."""

import re
from typing import List, Optional, Sequence, Tuple

from .mahjong.errors import MahjongError
from .mahjong.tile import TILE_INDEX, TILE_NAMES

# This finds requests in any text. A request ends at a quote, a bracket or the end of its line. An own draw may have
# lost its tile.
_WORD = r"[^\"'\\\n,\]}]"
_REQUEST = re.compile(
    r"(?:^|[\"'\[{,])[^\S\n]*((?:[013] +\d|2 +%s)%s*)|(?:^|[\"'])[^\S\n]*(2)\s*(?=[\"']|$)" % (_WORD, _WORD), re.M)
_TILE = re.compile("[WBT][1-9]|F[1-4]|J[1-3]")


def safest_action(legal: List[Tuple], hand_counts: Sequence[int]) -> Tuple:
    """Returns the action to play without a tactic: win, else pass, else discard the tile that fits the others least."""
    by_word = {action[0]: action for action in reversed(legal)}
    discards = [("PLAY", name) for name in rank_discards(hand_counts) if ("PLAY", name) in legal]
    return by_word.get("HU") or by_word.get("PASS") or (discards or legal)[0]


def rank_discards(hand_counts: Sequence[int]) -> List[str]:
    """Returns the names of the tiles of a hand, the tile that fits the others least first. It needs no numpy.

    A tile fits an equal one and a run best, then a neighbour, then a tile two apart. Of tiles that fit equally little,
    honours come first and then terminals. hand_counts: list[34], concealed tiles.

    >>> from .mahjong.tile import parse_counts
    >>> rank_discards(parse_counts("W123 T5579 F1 J22"))[:3]
    ['F1', 'T9', 'T7']
    """
    def fit(tile):
        if tile >= 27:
            return 4 * (hand_counts[tile] - 1), 0
        rank = tile % 9
        near = [0 <= rank + step < 9 and hand_counts[tile + step] > 0 for step in (-2, -1, 1, 2)]
        is_run = any(near[left] and near[left + 1] for left in range(3))
        return 4 * (hand_counts[tile] - 1 + is_run) + sum(near) + near[1] + near[2], min(rank, 8 - rank) + 1

    return [TILE_NAMES[tile] for tile in sorted(filter(hand_counts.__getitem__, range(34)), key=fit)]


def last_resort(text: str, hand_counts: Optional[Sequence[int]] = None) -> Tuple:
    """Returns the action for an input that is no game, perhaps damaged: discard an own draw, else pass.

    hand_counts: list[34] before the last request, for a draw that cannot be read; None takes them from the text.

    >>> last_resort("2 T6"), last_resort('{"requests": ["0 0 0", "2 T6 x"], "resp')
    (('PLAY', 'T6'), ('PLAY', 'T6'))
    """
    requests = [full or cut for full, cut in _REQUEST.findall(text)]
    if not requests or requests[-1][0] != "2":
        return ("PASS",)
    tiles = _TILE.findall(requests[-1].upper())
    if not tiles:
        tiles = rank_discards(hand_counts if hand_counts and any(hand_counts) else _follow_hand(requests[:-1]))
    return ("PLAY", tiles[0]) if tiles else ("PASS",)


def _follow_hand(requests):
    """Returns the own concealed tiles, list[34], after all requests up to the first that does not fit."""
    try:
        from .mahjong.state import GameState
    except Exception:
        # Something is broken in the libraries of the bot.
        return [0] * len(TILE_INDEX)
    state = GameState()
    try:
        for request in requests:
            state.apply(request.strip())
    except MahjongError:
        pass
    return state.hand_counts
