"""Follows a game as one seat sees it, from Botzone's requests."""

from typing import List, Tuple, Union

from .action import format_action, parse_action
from .errors import IllegalActionError, InvalidTileError, Message, ProtocolError
from .fan import MIN_FAN, WinFacts, list_win_fans, sum_fans
from .legal import claim_actions, turn_actions
from .meld import make_added_kong, make_concealed_kong, make_meld
from .request import parse_request, read_requests
from .rules import HAND_TILES, SEATS, can_claim, can_declare_kong, is_chow, is_fourth_tile, is_last_tile
from .seat_view import AWAITS_ACT, AWAITS_CLAIM, AWAITS_DEAL, AWAITS_DRAW, AWAITS_SEAT, SeatView
from .tile import COPIES, TILE_INDEX, TILE_NAMES, count_tiles

_PASS_ONLY = (("PASS",),)


class GameState(SeatView):
    """Keeps the game as one seat sees it, request by request; SeatView lists what it knows."""

    def after(self, action: Tuple) -> "GameState":
        """Returns a copy of the state after an own action, as the game goes on if no other seat overrules the action.

        Raises IllegalActionError: the action is none of action_space(), or HU, which ends the game.

        >>> state = GameState()
        >>> for request in "0 0 0", "1 0 0 0 0 W1 W1 W1 W1 B2 B2 B2 B2 T3 T3 T3 T3 F1", "2 F2":
        ...     state.apply(request)
        >>> state.after(("PLAY", "F1")).my_hand[-2:]
        ['B2', 'F2']
        """
        if action not in self.action_space() or action[0] == "HU":
            raise IllegalActionError("expected one of the legal actions but HU, %.300r, got %.80r", self.action_space(),
                                     action)
        state = self.copy()
        response = format_action(action)
        state.answer(response)
        if action[0] != "PASS":
            # The echo of a concealed kong does not name its tile.
            state.apply("3 %d %s" % (self.my_pid, "GANG" if action[0] == "GANG" else response))
        return state

    def load_json(self, input: Union[dict, str, bytes]) -> "GameState":
        """Applies a whole Botzone input to a new state: all requests, the responses to all but the last. Returns self.

        input: dict with "requests" and "responses" as lists of texts, or its JSON text.
        Raises ProtocolError, InvalidTileError: a request or response does not fit; the state is then as it was before.

        >>> GameState().load_json('{"requests": ["0 2 1"], "responses": []}').my_pid
        2
        """
        requests, responses = read_requests(input)
        fresh = GameState()
        for index, request in enumerate(requests):
            fresh.apply(request)
            if index < len(responses):
                fresh.answer(responses[index])
        self.__dict__.update(fresh.__dict__)
        return self

    def apply(self, request: str) -> None:
        """Applies one more request.

        request: text, such as "3 1 PLAY W5".
        Raises ProtocolError, InvalidTileError: the request does not fit; the message has its index. The state is then
            as it was before.
        """
        request_type, *facts = parse_request(request, self.requests)
        if request_type == "EVENT":
            seat, action = facts
            self._require(self._awaits not in (AWAITS_SEAT, AWAITS_DEAL), request, "%s first", self._awaits)
            self._check_own_answer(seat, action, request)
            _EVENTS[action[0]](self, seat, action, request)
        else:
            _OWN_REQUESTS[request_type](self, *facts, request)
        self.requests += 1
        self._actions = None
        self._answer = None

    def answer(self, response: str) -> None:
        """Stores the own response to the latest request.

        The response is needed where Botzone's echo does not tell all: the echo of a concealed kong does not name its
        tile.
        response: Botzone's text, such as "GANG W1".
        Raises ProtocolError: the response does not fit the request.
        """
        if response == "PASS" and not self.is_my_turn:
            self._answer = ("PASS",)
            return
        try:
            action = parse_action(response)
        except IllegalActionError as error:
            raise ProtocolError("response %d: %s", self.requests - 1, error) from None
        legal = self.action_space()
        # The judge decides which wins count enough.
        can_win = self.is_my_turn or (self.last_tile is not None and self.last_pid != self.my_pid)
        if action not in legal and not (action[0] == "HU" and can_win):
            raise ProtocolError("response %d: expected one of the %d legal answers (%s), got %.40r", self.requests - 1,
                                len(legal), " ".join(sorted({known[0] for known in legal})), response)
        self._answer = action

    def _require(self, is_met, request, template, *values):
        """Raises ProtocolError if a request is not what the template says."""
        if not is_met:
            expected = Message(template, *values)
            raise ProtocolError("request %d: expected %s, got %.80r", self.requests, expected, request)

    def _check_own_answer(self, seat, action, request):
        """Checks that the echo of an own action is the answer. There is none where another seat overruled it."""
        if seat != self.my_pid or self._answer is None or action[0] in ("DRAW", "BUHUA"):
            return
        echo = ("GANG",) if self._answer[0] == "GANG" else self._answer
        self._require(action == echo, request, "the echo of my answer %r", format_action(self._answer))

    def _take_seat(self, seat, wind, request):
        self._require(self._awaits == AWAITS_SEAT, request, self._awaits)
        self.my_pid = seat
        self.prevalent_wind = wind
        self._awaits = AWAITS_DEAL

    def _deal(self, n_flowers, tiles, request):
        self._require(self._awaits == AWAITS_DEAL, request, self._awaits)
        self.hand_counts = count_tiles(tiles)
        self.unseen = [COPIES - count for count in self.hand_counts]
        for player, count in zip(self.players, n_flowers):
            player.n_flowers = count
            player.hand_size = HAND_TILES
        if any(n_flowers):
            self._begin_shared_wall()
        self._awaits = AWAITS_DRAW
        self._turn = 0

    def _draw_own(self, tile_name, request):
        self._check_drawer(self.my_pid, request)
        tile = TILE_INDEX[tile_name]
        if not self.unseen[tile]:
            raise InvalidTileError("request %d: expected at most 4 copies of a tile, got a fifth %s", self.requests,
                                   tile_name)
        self._begin_turn(self.my_pid)
        self.hand_counts[tile] += 1
        self.unseen[tile] -= 1
        self.drawn_tile = tile_name
        self._record(self.my_pid, ("DRAW", tile_name))

    def _check_drawer(self, seat, request):
        expected = self._drawer()
        self._require(expected is not None, request, "no draw")
        self._require(seat == expected, request, "a draw of seat %d", expected)
        self._require(self.walls[seat], request, "no draw from the empty wall of seat %d", seat)

    def _drawer(self):
        """Returns the seat that is to draw next, None if no draw is due."""
        if self._awaits == AWAITS_DRAW:
            return self._turn
        return (self._turn + 1) % SEATS if self._awaits == AWAITS_CLAIM else None

    def _see_draw(self, seat, action, request):
        self._require(seat != self.my_pid, request, "'2 tile' for an own draw")
        self._check_drawer(seat, request)
        self._begin_turn(seat)
        self._record(seat, action)

    def _see_flower(self, seat, action, request):
        drawer = self._turn if self._awaits == AWAITS_ACT else self._drawer()
        # An own draw names its tile, so it was no flower.
        self._require(seat == drawer and not self.is_my_turn, request, "no flower of seat %d here", seat)
        if self.shared_wall is None:
            self._begin_shared_wall()
        if self._awaits == AWAITS_ACT:
            # The flower had been announced as a plain draw; its replacement is drawn next.
            self.players[seat].hand_size -= 1
        else:
            self._settle_discard()
            self._take_from_wall(seat)
        # The next draw replaces a flower, not a kong's tile. A win that counts a kong fan too many costs 30 points.
        self.is_after_kong = False
        self._turn = seat
        self._awaits = AWAITS_DRAW
        self.players[seat].n_flowers += 1
        self._record(seat, action)

    def _see_play(self, seat, action, request):
        tile = TILE_INDEX[action[1]]
        self._require(self._awaits == AWAITS_ACT and seat == self._turn, request, "no discard of seat %d here", seat)
        self._check_held(seat, [tile], request)
        self._drop(seat, tile)
        self._record(seat, action)

    def _see_claim(self, seat, action, request):
        """Applies a chow or pung with the discard after it, or an open kong."""
        self._require(self._awaits == AWAITS_CLAIM and seat != self.last_pid, request, "no claim of seat %d here", seat)
        self._require(can_claim(self.walls, self.last_pid), request, "no claim of the last discard")
        claimed = TILE_INDEX[self.last_tile]
        if action[0] == "CHI":
            next_seat = (self.last_pid + 1) % SEATS
            self._require(seat == next_seat, request, "a chow by seat %d alone", next_seat)
            self._require(is_chow(TILE_INDEX[action[1]], claimed), request, "a chow that takes %s", self.last_tile)
        meld = make_meld(action, seat, claimed, giver=self.last_pid)
        discard = None if action[0] == "GANG" else TILE_INDEX[action[-1]]
        self._check_held(seat, meld.from_hand + ([] if discard is None else [discard]), request)
        self._lay(seat, meld)
        if discard is None:
            self._await_replacement(seat)
        else:
            self._drop(seat, discard)
        self._record(seat, action)

    def _see_kong(self, seat, action, request):
        if self._awaits == AWAITS_CLAIM:
            self._see_claim(seat, action, request)
            return
        tile = self._check_concealed_kong(seat, request)
        self._lay(seat, make_concealed_kong(seat, tile))
        self._await_replacement(seat)
        self._record(seat, ("GANG",) if tile is None else ("GANG", TILE_NAMES[tile]))

    def _check_concealed_kong(self, seat, request):
        """Returns the tile of a concealed kong that `seat` lays now, None for the unseen kong of another seat."""
        self._check_kong_declared(seat, request)
        if seat != self.my_pid:
            self._require(COPIES in self.unseen, request, "a concealed kong of four unseen tiles")
            return None
        if self._answer is not None:
            return TILE_INDEX[self._answer[1]]
        quads = [tile for tile, count in enumerate(self.hand_counts) if count == COPIES]
        self._require(len(quads) == 1, request, "my answer first: %d kongs are possible", len(quads))
        return quads[0]

    def _see_added_kong(self, seat, action, request):
        tile = TILE_INDEX[action[1]]
        self._check_kong_declared(seat, request)
        melds = self.players[seat].melds
        slots = [slot for slot, meld in enumerate(melds) if meld.type == "PENG" and meld.tile == tile]
        self._require(slots, request, "an added kong on a pung of seat %d", seat)
        self._check_held(seat, [tile], request)
        self._lay(seat, make_added_kong(melds[slots[0]]), slots[0])
        self._await_replacement(seat)
        self.last_tile, self.last_pid = action[1], seat
        self._record(seat, action)

    def _check_kong_declared(self, seat, request):
        """Checks that `seat` may lay a concealed or added kong now."""
        self._require(self._awaits == AWAITS_ACT and seat == self._turn, request, "no kong of seat %d here", seat)
        self._require(can_declare_kong(self.walls, seat), request, "no kong at an empty wall")

    def _check_held(self, seat, tiles, request):
        """Refuses tiles that are not in my hand, or more copies in another hand than are unseen."""
        held = self.hand_counts if seat == self.my_pid else self.unseen
        for tile in tiles:
            if held[tile] < tiles.count(tile):
                owner = "my hand" if seat == self.my_pid else "the unseen tiles"
                raise InvalidTileError("request %d: expected %d %s in %s, got %r", self.requests, tiles.count(tile),
                                       TILE_NAMES[tile], owner, request)

    def action_space(self) -> List[Tuple]:
        """Returns the legal answers to the latest request in a fixed order; HU needs 8 fan without flowers."""
        if self._actions is None:
            self._actions = self._list_actions()
        return list(self._actions)

    def win_fan(self) -> int:
        """Returns the fan of the hand if it wins now on the tile just drawn, discarded or added, else 0."""
        return sum_fans(self.win_fans())

    def win_fans(self) -> List[Tuple[int, int, str]]:
        """Returns the fans of the hand if it wins now, a list of (points of one, copies, Chinese name), else []."""
        win_tile = self.drawn_tile or self.last_tile
        if win_tile is None:
            return []
        me, is_self_drawn = self.players[self.my_pid], self.is_my_turn
        tile = TILE_INDEX[win_tile]
        facts = WinFacts(
            n_flowers=me.n_flowers, is_self_drawn=is_self_drawn, is_fourth_tile=is_fourth_tile(self.shown, tile),
            is_about_kong=self.may_rob or (is_self_drawn and self.is_after_kong),
            is_last_tile=is_last_tile(self.walls, self._turn), seat_wind=self.my_pid,
            prevalent_wind=self.prevalent_wind)
        pack = tuple([meld.as_pack(self.my_pid) for meld in me.melds])
        return list_win_fans(pack, self.hand_counts, tile, facts)

    def _list_actions(self):
        """Returns the legal answers to the latest request, a new list or a constant tuple."""
        if self.is_my_turn:
            return self._win_actions() + turn_actions(
                self.hand_counts, self.players[self.my_pid].melds, self.walls, seat=self.my_pid)
        if self.last_tile is None or self.last_pid == self.my_pid:
            return _PASS_ONLY
        actions = [("PASS",)] + self._win_actions()
        if not self.may_rob:
            actions += claim_actions(self.hand_counts, self.walls, self.my_pid, giver=self.last_pid,
                                     tile_name=self.last_tile)
        return actions

    def _win_actions(self):
        fan = self.win_fan()
        return [("HU", fan)] if fan >= MIN_FAN + self.players[self.my_pid].n_flowers else []


_OWN_REQUESTS = {"SEAT": GameState._take_seat, "DEAL": GameState._deal, "DRAW": GameState._draw_own}
# Each method checks its event completely before it changes anything.
_EVENTS = {
    "DRAW": GameState._see_draw, "PLAY": GameState._see_play, "CHI": GameState._see_claim,
    "PENG": GameState._see_claim, "GANG": GameState._see_kong, "BUGANG": GameState._see_added_kong,
    "BUHUA": GameState._see_flower,
}
