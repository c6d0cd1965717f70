"""Applies the judge's rules to four seats in plain Python: requests out, responses in, scores at the end.

Responses are read in the judge's own order, because a response that the judge does not read cannot be an error.
"""

from collections.abc import Sequence

from ...mahjong.action import parse_action
from ...mahjong.errors import IllegalActionError
from ...mahjong.fan import MIN_FAN, WinFacts, list_win_fans, sum_fans
from ...mahjong.legal import claim_actions, turn_actions
from ...mahjong.meld import make_added_kong, make_meld
from ...mahjong.rules import HAND_TILES, SEATS, is_fourth_tile, is_last_tile, penalty_scores, win_scores
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_INDEX, TILE_NAMES, count_tiles
from .walls import SLICE_SIZE, check_wall

# The phase of a game is the event that the next responses answer. All seats must pass after the announcement of the
# seat, of the deal, or of a concealed or open kong. The seat that drew answers a draw. A discard may be claimed, an
# added kong may be robbed.
ANNOUNCED_SEAT, ANNOUNCED_DEAL, DRAWN, DISCARDED, ANNOUNCED_KONG, ADDED, OVER = range(7)

# The judge displays one of these for a seat that has no fan to show.
NOT_ASKED, NO_WIN = -4, -3


class Referee(object):
    """Referees one game of four seats under the official judge's rules, without flowers.

    wall: list of 136 tile names. Seat i owns names 34 i .. 34 i + 33 and draws from the end of them. prevalent_wind:
    0..3.
    requests: 4 texts, the present request to each seat; None when the game is over.
    phase: the event that the next responses answer, ANNOUNCED_SEAT .. ADDED; OVER when the game is over.
    hands: uint8[34] of each seat, its concealed tiles. melds: list of Meld of each seat.
    walls: the tiles left in each seat's wall, as names. walls_left: how many tiles each of these has.
    rivers: names of each seat's discards that nobody claimed.
    shown: list[34], open copies of each tile as the judge counts them for the fan of the fourth copy.
    turn: seat that drew, claimed or discarded last. last_tile: the tile 0..33 just drawn, discarded or added.
    event: the words of the latest action. is_after_kong: whether the draw replaces a tile of a kong.
    scores: 4 ints when the game is over, else None.
    verdict: "HU", "HUANG" (drawn), "WA" (an illegal response), "WH" (a win of fewer than 8 fan), or the verdict on a
        process that failed (TLE, RE, NJ ...).
    culprit: the seat that won or erred; None for a drawn game. giver: the seat that gave the winning tile, None
    otherwise.
    fans: list of (points, copies, name) of the winning hand.
    flower_counts: flowers of each seat, None in a game without flowers. false_wins: how many each seat has declared; ()
        where the first one ends the game.
    Raises InvalidTileError, InvalidHandError: an invalid wall. IllegalActionError: an invalid prevalent wind.
    Source: the recorded games in tests/golden.
    """

    flower_counts, false_wins = None, ()

    def __init__(self, wall: list[str], prevalent_wind: int):
        check_wall(wall)
        if prevalent_wind not in range(SEATS):
            raise IllegalActionError("expected a prevalent wind 0..3, got %r", prevalent_wind)
        self.prevalent_wind = prevalent_wind
        self.walls = [list(wall[SLICE_SIZE * seat:SLICE_SIZE * (seat + 1)]) for seat in range(SEATS)]
        self.dealt = [[tiles.pop() for _ in range(HAND_TILES)] for tiles in self.walls]
        self.hands = [count_tiles(tiles) for tiles in self.dealt]
        self.walls_left = [len(tiles) for tiles in self.walls]
        self.melds = [[] for _ in range(SEATS)]
        self._packs = [()] * SEATS  # melds as MahjongGB takes them
        self.rivers = [[] for _ in range(SEATS)]  # discards that nobody claimed, for display
        self.shown = [0] * TILE_COUNT
        self.turn = 0
        self.last_tile = None  # index of the tile just drawn, discarded or added
        self.event = None  # words of the latest action, for display()
        self.is_after_kong = False
        self.scores = self.verdict = self.culprit = self.giver = None
        self.fans = []
        self.phase = ANNOUNCED_SEAT
        self.requests = ["0 %d %d" % (seat, prevalent_wind) for seat in range(SEATS)]

    @property
    def is_over(self) -> bool:
        """Checks whether the game is over."""
        return self.phase == OVER

    def step(self, responses: Sequence[str], verdicts: Sequence[str] = ("OK",) * SEATS) -> None:
        """Plays the four responses to `requests`.

        responses: texts of the seats 0..3. verdicts: "OK" for each seat, or the verdict on its process. The response of
        a seat with another verdict than "OK" counts as illegal.
        """
        assert not self.is_over, "the game is over"
        texts = [text if verdict == "OK" else None for text, verdict in zip(responses, verdicts)]
        self._verdicts = verdicts
        if self.phase == DRAWN:
            self._judge_turn(texts)
        elif self.phase == DISCARDED:
            self._judge_claims(texts)
        elif self.phase == ADDED:
            if not self._judge_wins(texts, may_claim=False):
                self._draw(self.turn)
        elif texts != ["PASS"] * SEATS:
            self._punish(next(seat for seat in range(SEATS) if texts[seat] != "PASS"))
        elif self.phase == ANNOUNCED_SEAT:
            self._deal()
        else:
            self._draw(self.turn)

    def settle_false_wins(self, responses: Sequence[str]) -> list[str]:
        """Returns the responses unchanged: by these rules a false win ends the game. A subclass may let it go on."""
        return list(responses)

    def _judge_turn(self, texts):
        """Judges the responses to a draw."""
        for seat in range(SEATS):
            is_turn = seat == self.turn
            if is_turn and texts[seat] == "HU":
                self._win(seat, None)
                return
            if not (self._take_turn(seat, texts[seat]) if is_turn else texts[seat] == "PASS"):
                self._punish(seat)
                return
        self._announce()

    def _take_turn(self, seat, text):
        """Carries out a discard or a kong of a seat after its draw. Returns False if it is illegal."""
        action, hand, melds = _parse(text), self.hands[seat], self.melds[seat]
        if action not in turn_actions(hand, melds, self.walls_left, seat=seat):
            return False
        action_type, tile = action[0], TILE_INDEX[action[1]]
        if action_type == "PLAY":
            hand[tile] -= 1
            self._next_phase = DISCARDED
        elif action_type == "GANG":
            hand[tile] = 0
            melds.append(make_meld(action, seat))
            self._next_phase = ANNOUNCED_KONG
        else:
            hand[tile] -= 1
            pung = next(meld for meld in melds if meld.type == "PENG" and meld.tile == tile)
            melds[melds.index(pung)] = make_added_kong(pung)
            self.shown[tile] = COPIES
            self._next_phase = ADDED
        self.last_tile = tile
        self.event = action
        return True

    def _judge_wins(self, texts, may_claim):
        """Ends the game at the first win or error, in turn from the giver on, and returns whether there was one."""
        for offset in range(SEATS):
            seat = (self.turn + offset) % SEATS
            text = texts[seat]
            if offset and text == "HU":
                self._win(seat, self.turn)
                return True
            if text is None or (text != "PASS" and not (offset and may_claim)):
                self._punish(seat)
                return True
        return False

    def _judge_claims(self, texts):
        """Judges the responses to a discard."""
        if self._judge_wins(texts, may_claim=True):
            return
        # The judge splits at every space and sorts claims by their number of words. First those with one or two, a
        # pung, a kong or an error, in seat order; then those with three, a chow or an error.
        claimers = [seat for seat in range(SEATS) if seat != self.turn and texts[seat] != "PASS"]
        if claimers:
            seat = min(claimers, key=lambda seat: texts[seat].count(" ") >= 2)
            if not self._take_claim(seat, _parse(texts[seat])):
                self._punish(seat)
            return
        self.rivers[self.turn].append(TILE_NAMES[self.last_tile])
        self.shown[self.last_tile] += 1
        self.is_after_kong = False
        self._draw((self.turn + 1) % SEATS)

    def _take_claim(self, seat, action):
        """Carries out a chow, pung or kong of a seat with the last discard. Returns False if it is illegal."""
        if action not in self._claim_actions(seat):
            return False
        meld = make_meld(action, seat, self.last_tile, giver=self.turn)
        leaving = meld.from_hand
        if action[0] != "GANG":
            self.last_tile = TILE_INDEX[action[-1]]
            leaving.append(self.last_tile)
        for tile in leaving:
            self.hands[seat][tile] -= 1
        for tile in meld.tiles:
            self.shown[tile] += 1
        self.melds[seat].append(meld)
        self.turn = seat
        self._next_phase = ANNOUNCED_KONG if action[0] == "GANG" else DISCARDED
        self.event = action
        self._announce()
        return True

    def _deal(self):
        """Sends each seat its 13 tiles."""
        self.requests = ["1 0 0 0 0 " + " ".join(tiles) for tiles in self.dealt]
        self.phase = ANNOUNCED_DEAL

    def can_draw(self, seat: int) -> bool:
        """Checks whether the wall of a seat has a tile left."""
        return self.walls_left[seat] > 0

    def _draw(self, seat):
        """Lets a seat draw a tile; the game ends as a draw if its wall is empty."""
        if not self.walls_left[seat]:
            self._end("HUANG", None, [0] * SEATS)
            return
        name = self.walls[seat].pop()
        self.walls_left[seat] -= 1
        self.last_tile = TILE_INDEX[name]
        self.hands[seat][self.last_tile] += 1
        self.turn = seat
        self.event = ("DRAW",)
        self.requests = ["3 %d DRAW" % seat] * SEATS
        self.requests[seat] = "2 " + name
        self.phase = DRAWN

    def _announce(self):
        """Writes the requests that tell all seats the action of the seat whose turn it is."""
        self.phase = self._next_phase
        self._packs[self.turn] = tuple([meld.as_pack(self.turn) for meld in self.melds[self.turn]])
        self.is_after_kong = self.phase in (ANNOUNCED_KONG, ADDED)
        # The others do not see the tile of a concealed kong.
        words = self.event[:1] if self.phase == ANNOUNCED_KONG else self.event
        self.requests = ["3 %d %s" % (self.turn, " ".join(words))] * SEATS

    def win_fans(self, seat: int) -> list[tuple[int, int, str]]:
        """Returns the fans of a win of a seat on the tile just drawn, discarded or added.

        Each fan is (points, copies, name); [] means that the hand is not complete.
        """
        is_self_drawn = self.phase == DRAWN
        facts = WinFacts(
            is_self_drawn=is_self_drawn, is_fourth_tile=is_fourth_tile(self.shown, self.last_tile),
            is_about_kong=self.phase == ADDED or (is_self_drawn and self.is_after_kong),
            is_last_tile=is_last_tile(self.walls_left, self.turn), seat_wind=seat, prevalent_wind=self.prevalent_wind)
        return list_win_fans(self._packs[seat], self.hands[seat], self.last_tile, facts)

    def legal_actions(self, seat: int) -> list[tuple]:
        """Returns the legal actions of a seat as tuples, in the order of GameState.action_space()."""
        is_turn = self.phase == DRAWN and seat == self.turn
        if not is_turn and (self.phase not in (DISCARDED, ADDED) or seat == self.turn):
            return [("PASS",)]
        fan = sum_fans(self.win_fans(seat))
        win = [("HU", fan)] if fan >= MIN_FAN else []
        if is_turn:
            return win + turn_actions(self.hands[seat], self.melds[seat], self.walls_left, seat=seat)
        return [("PASS",)] + win + (self._claim_actions(seat) if self.phase == DISCARDED else [])

    def _claim_actions(self, seat):
        return claim_actions(self.hands[seat], self.walls_left, seat, giver=self.turn,
                             tile_name=TILE_NAMES[self.last_tile])

    def _win(self, seat, giver):
        """Ends the game with a win of a seat, or with its error if the hand has too few fan."""
        self.fans = self.win_fans(seat)
        fan = sum_fans(self.fans)
        if fan < MIN_FAN:
            self._end("WH", seat, penalty_scores(seat))
        else:
            flowers = self.flower_counts[seat] if self.flower_counts else 0
            self._end("HU", seat, win_scores(seat, fan + flowers, giver))
            self.giver = giver

    def _punish(self, seat):
        """Ends the game by an error of a seat."""
        verdict = self._verdicts[seat]
        self._end("WA" if verdict == "OK" else verdict, seat, penalty_scores(seat))

    def _end(self, verdict, culprit, scores):
        """Ends the game with a verdict."""
        self.verdict, self.culprit, self.scores = verdict, culprit, scores
        self.phase = OVER
        self.requests = None

    def display(self) -> dict:
        """Returns the judge's display object as in Botzone's logs, without the seed and the log's length."""
        if self.phase == ANNOUNCED_SEAT:
            return {"action": "INIT", "canHu": [0] * SEATS, "quan": self.prevalent_wind,
                    "tileCnt": list(self.walls_left)}
        if self.phase == OVER:
            return self._closing_display()
        shown = {"action": "DEAL", "canHu": self._can_win(), "tileCnt": list(self.walls_left)}
        if self.phase == ANNOUNCED_DEAL:
            shown["hand"] = [list(tiles) for tiles in self.dealt]
            return shown
        shown.update(action=self.event[0], player=self.turn, tile=TILE_NAMES[self.last_tile])
        if self.event[0] == "CHI":
            shown["tileCHI"] = self.event[1]
        return shown

    def _can_win(self):
        """Returns for each seat the fan with which it could win now, NO_WIN or NOT_ASKED, as the judge displays it."""
        asked = [self.phase == DRAWN if seat == self.turn else self.phase in (DISCARDED, ADDED)
                 for seat in range(SEATS)]
        return [sum_fans(self.win_fans(seat)) or NO_WIN if asked[seat] else NOT_ASKED for seat in range(SEATS)]

    def _closing_display(self):
        """Returns the judge's display object of the end of the game."""
        shown = {"action": self.verdict, "canHu": [NOT_ASKED] * SEATS}
        if self.verdict in ("HU", "HUANG"):
            shown["tileCnt"] = list(self.walls_left)
        if self.verdict == "HUANG":
            return shown
        shown.update(player=self.culprit, score=list(self.scores))
        if self.verdict in ("HU", "WH"):
            shown["fanCnt"] = sum_fans(self.fans) or NO_WIN
        if self.verdict == "HU":
            shown["fan"] = [{"cnt": copies, "name": name, "value": points} for points, copies, name in self.fans]
        return shown


def _parse(text):
    """Returns the action of a response; None for an unreadable one."""
    try:
        return None if text is None else parse_action(text)
    except IllegalActionError:
        return None
