"""Makes a position for tactics from a hand and from what is known of the rest of the table."""

from collections.abc import Sequence

from ...mahjong.errors import InvalidHandError
from ...mahjong.player import Player
from ...mahjong.rules import SEATS, WALL_DRAWS
from ...mahjong.state import GameState
from ...mahjong.tile import COPIES, TILE_NAMES
from .letters import name_tile, normalise_letters
from .notation import WrittenHand, parse_tiles


def make_hand_state(
        hand: WrittenHand, rivers: Sequence[list[int]] = (), melds: Sequence[list] = (), *,
        unseen: dict[int, int] | None = None) -> GameState:
    """Returns the state of a hand of 13 tiles, before a draw, or of 14 tiles, after a draw.

    rivers: list of tiles 0..33 for each of up to 4 seats, the hand's owner first: discards that nobody claimed.
    melds: list of Meld for each of these seats. The owner's own melds are in `hand`.
    unseen: {tile 0..33: copies that the owner does not see}. Every other tile has all copies unseen that are not in
        hand, melds and rivers. If a number is smaller than that, the missing copies count as shown.
    The walls are as short as if each seat had drawn one tile in every turn. The number of turns is the length of the
    longest river, or the greatest number of chows, pungs and added kongs of one seat, if that is more.
    Raises InvalidHandError: there are too many copies of a tile.
    """
    me, players = hand.seat_wind, [Player(seat) for seat in range(SEATS)]
    for offset, player in enumerate(players[me:] + players[:me]):
        player.melds = list(hand.melds if offset == 0 else melds[offset] if offset < len(melds) else [])
        player.hand_size = 13 - 3 * len(player.melds) if offset else len(hand.tiles)
        player.played_tiles = [TILE_NAMES[tile] for tile in (rivers[offset] if offset < len(rivers) else [])]
        player.claimed_by = [None] * len(player.played_tiles)
    history, turns = _list_history(players)
    walls = [max(1, WALL_DRAWS - turns)] * SEATS
    drawn_tile = TILE_NAMES[hand.tiles[-1]] if hand.size > 13 else None
    if drawn_tile:
        walls[me] = max(1, walls[me] - 1)
        history.append((me, ("DRAW", drawn_tile)))
    if hand.is_last_tile:
        walls[(me + 1) % SEATS] = 0
    state = GameState.at_turn(me, players, counts=hand.counts, walls=walls, drawn_tile=drawn_tile)
    state.prevalent_wind, state.is_after_kong = hand.prevalent_wind, hand.is_about_kong and hand.is_self_drawn
    for seat, action in history:
        state.history.append((seat, action))
        players[seat].history.append(action)
    _hide_tiles(state, unseen or {})
    return state


def _list_history(players):
    """Returns (list of (seat, action) for the claims and discards of the seats turn by turn, number of turns)."""
    history, claims = [], [[] for _ in players]
    for seat, meld in [(seat, meld) for seat, player in enumerate(players) for meld in player.melds]:
        if meld.type == "GANG" and not meld.is_added:
            history.append((seat, ("GANG",)))
        else:
            claims[seat].append(("PENG",) if meld.type != "CHI" else ("CHI", TILE_NAMES[meld.tile]))
    turns = max(map(len, claims + [player.played_tiles for player in players]))
    for turn in range(turns):
        for seat, player in enumerate(players):
            words = claims[seat][turn] if turn < len(claims[seat]) else ("PLAY",)
            discard = tuple(player.played_tiles[turn:turn + 1])
            if discard or words != ("PLAY",):
                history.append((seat, words + discard))
    return history, turns


def _hide_tiles(state, unseen):
    """Sets the unseen tiles to given numbers. unseen: {tile: copies that the seat does not see}."""
    for tile, left in enumerate(state.unseen):
        if left < 0:
            raise InvalidHandError("expected at most 4 copies of a tile, got %d of %s in hand and %d in melds and "
                                   "rivers", COPIES - left - state.shown[tile], name_tile(tile), state.shown[tile])
        state.unseen[tile] = unseen.get(tile, left)
        if not 0 <= state.unseen[tile] <= left:
            raise InvalidHandError("expected 0 to %d copies of %s unseen, as the tiles in sight leave, got %d", left,
                                   name_tile(tile), state.unseen[tile])
        state.shown[tile] += left - state.unseen[tile]


def parse_rivers(text: str, owner: int = 0) -> tuple[list, list]:
    """Returns (rivers, melds) of up to four seats, the arguments of make_hand_state.

    text: discards and open melds of each seat, with "/" between seats. In "19mE/5p[EEE,1]" the second seat has one
        discard, and a pung of the tile that the seat before it, `owner`, discarded.
    owner: seat 0..3 that comes first in the text.
    Raises InvalidHandError: the text has more than four seats, melds of the owner, or concealed kongs, or a piece of it
        is wrong.

    >>> parse_rivers("19mE/5p")
    ([[0, 8, 27], [22]], [[], []])
    """
    seats = [parse_tiles(river, (owner + offset) % SEATS)
             for offset, river in enumerate(normalise_letters(text).split("/"))]
    rivers, melds = map(list, zip(*seats))
    if len(rivers) > SEATS:
        raise InvalidHandError("expected at most 4 rivers, divided by /, got %d", len(rivers))
    if melds[0] or any(meld.is_concealed for seat in melds for meld in seat):
        raise InvalidHandError("expected open melds of the other players after their discards, yours in the hand, "
                               "got %r", text)
    if max(map(len, rivers)) > WALL_DRAWS or max(map(len, melds)) > 4:
        raise InvalidHandError("expected at most %d tiles and 4 melds in a river, got %r", WALL_DRAWS, text)
    return rivers, melds


def parse_unseen(text: str) -> dict[int, int]:
    """Returns {tile 0..33: copies} of a text such as "5p=0 E=1".

    Raises InvalidHandError: a word is wrong, and the message has it.

    >>> parse_unseen("5p=0, E=1")
    {22: 0, 27: 1}
    """
    unseen = {}
    for word in normalise_letters(text).replace(",", " ").split():
        name, _, copies = word.partition("=")
        tiles, melds = parse_tiles(name)
        if melds or len(tiles) != 1 or copies not in ("0", "1", "2", "3", "4"):
            raise InvalidHandError("expected a tile with its copies unseen, as 5p=0, got %.80r", word)
        unseen[tiles[0]] = int(copies)
    return unseen
