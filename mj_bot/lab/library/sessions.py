"""Orders games by their sessions, and joins hands whose records name none."""

from collections.abc import Iterable, Iterator

from ...mahjong.errors import ProtocolError
from ...mahjong.rules import SEATS
from ..records.source import ReadGame
from .game_content import digest_requests, digest_text, is_hand, make_key, read_session

# Placing points of a session's first to last player; players with equal scores share them.
PLACING_POINTS = (3.0, 1.5, 0.5, 0.0)
_MOST_WAITING = 1 << 11  # hands, of some 50 KB each


def share_places(total: float, totals: list[float]) -> float:
    """Returns the placing points of a player with a total, among the totals of all four.

    >>> share_places(10, [30, 10, 10, -50])
    1.0
    """
    above, equal = sum(other > total for other in totals), totals.count(total)
    return sum(PLACING_POINTS[above:above + equal]) / equal


def order_sessions(games: Iterable[ReadGame]) -> Iterator[ReadGame]:
    """Yields games with the hands of a session one after another, by their numbers.

    Of several copies of a hand it yields one, if possible a whole one. Hands whose records name no session come last.
    They form a session where the same four continue with the same totals, or in the same file. Where two different
    hands have the same session and number, the second one loses its session; a ReadGame without a record follows it,
    and the error of that ReadGame says so. At most _MOST_WAITING hands of all sessions wait at a time. When there are
    more, the function yields all of them at once; later hands of their sessions then follow apart.
    """
    waiting = {}  # {session: {hand: game}}
    digests = {}  # {(session, hand): digest_requests of the whole game}
    nameless = []  # hands that name no session
    for game in games:
        session = read_session(game)
        if session:
            order = game.record.origin["hand"]
            digest, known = None if game.error else digest_requests(game), digests.get((session, order))
            if known:
                if digest not in (None, known):
                    yield from _set_apart(game, order)
                continue
            hands = waiting.setdefault(session, {})
            if digest:
                digests[session, order], hands[order] = digest, game
            else:
                hands.setdefault(order, game)
            if len(hands) == game.record.origin.get("hands"):
                yield from _sort_hands(waiting.pop(session))
        elif is_hand(game):
            nameless.append(game)
        else:
            yield game
        if sum(map(len, waiting.values())) + len(nameless) > _MOST_WAITING:
            yield from _hand_over(waiting, nameless)
            waiting, nameless = {}, []
    yield from _hand_over(waiting, nameless)


def _sort_hands(hands: dict[int, ReadGame]) -> list[ReadGame]:
    return [hands[order] for order in sorted(hands)]


def _hand_over(waiting: dict[tuple, dict], nameless: list[ReadGame]) -> Iterator[ReadGame]:
    """Yields the hands of each session, then the others, those that continue one another with a session made here."""
    for hands in waiting.values():
        yield from _sort_hands(hands)
    for hands in _join_hands(nameless):
        # No platform has such an id. A path would tell of the user's folders, and change with the file's place.
        session = "joined " + digest_text(" ".join(map(make_key, hands))) if len(hands) > 1 else ""
        for game in hands:
            game.record.origin["session"] = session
            yield game


def _set_apart(game: ReadGame, order: int) -> Iterator[ReadGame]:
    """Yields a hand without its session, and what is told about it. order: of the hand in its session, from 0 on."""
    origin = game.record.origin
    origin.pop("session")
    origin.pop("id", None)  # the library knows a game by it
    yield game
    yield ReadGame(game.where, None, [], ProtocolError(
        "expected one hand %d of a session, got two that differ: the one of %s stands alone",
            order + 1, game.where))


def _join_hands(games: list[ReadGame]) -> list[list[ReadGame]]:
    """Returns lists of hands; hands that continue one another are in one list."""
    joined = []
    for game in sorted(games, key=lambda game: game.record.origin["hand"]):
        before = next((hands for hands in joined if _continues(hands[-1], game)), None)
        if before is None:
            joined.append([game])
        else:
            before.append(game)
    return joined


def _continues(game: ReadGame, following: ReadGame) -> bool:
    """Checks whether a hand continues the session of another one."""
    one, two = game.record.origin, following.record.origin
    if one["hand"] + 1 != two["hand"] or any(one.get(key) != two.get(key) for key in ("platform", "names", "rules")):
        return False
    if "before" not in two:
        return "#" in game.where and game.where.rpartition("#")[0] == following.where.rpartition("#")[0]
    return game.record.scores is not None and [
        one["before"][seat] + game.record.scores[seat] for seat in map(one["seats"].index, range(SEATS))] == [
        two["before"][seat] for seat in map(two["seats"].index, range(SEATS))]
