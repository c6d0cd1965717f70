"""GameState, shanten and fans against the recorded judge: what may be answered, what hands count, fields by recount."""

from collections import Counter

import pytest

from mj_bot.mahjong.action import parse_action
from mj_bot.mahjong.errors import IllegalActionError, InvalidTileError, ProtocolError
from mj_bot.mahjong.opening import hand_after, split_discard
from mj_bot.mahjong.shanten import shanten
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import TILE_INDEX, count_tiles, list_tiles
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import field
from tests.golden_games import GOLDEN, is_odd, name_of, read_games, walk, with_recorded
from tests.tactic.positions import read_fields

# MahjongGB divides one recorded hand otherwise than the judge, into fans of the same worth.
DIVIDED_OTHERWISE = {"stacked-1054"}
# In canHu, of a hand without a winning shape.
NO_SHAPE = -3


def read_answer(answer, legal):
    fans = [action[1] for action in legal if action[0] == "HU"]
    try:
        return parse_action(answer, fan=fans[0] if fans else 0)
    except IllegalActionError:
        return None


def check_game(game):
    """Answers, wins, shapes and fans of one recorded game; returns how many canHu figures were compared."""
    compared, last, closing = 0, len(game["steps"]) - 2, game["steps"][-1][1]
    for step, _requests, display, answers, states in walk(game):
        for seat, state in enumerate(states):
            where = (name_of(game), step, seat)
            legal = state.action_space()
            assert len(set(legal)) == len(legal), where
            assert (read_answer(answers[seat], legal) in legal) != is_odd(game, step, seat), (where, answers[seat])
            judged = display.get("canHu", [-4] * 4)[seat]
            if judged == -4:
                continue
            compared += 1
            assert state.win_fan() == max(judged, 0), where
            is_own_discard = display["player"] == seat and display["action"] != "DRAW"
            wins = [("HU", judged)] if judged >= 8 and not is_own_discard else []
            assert [action for action in legal if action[0] == "HU"] == wins, where
            if not is_own_discard and step % 4 == 0:  # it takes the longest
                counts = list(state.hand_counts)
                if display["action"] != "DRAW":
                    counts[TILE_INDEX[display["tile"]]] += 1
                assert (shanten(counts, len(state.players[seat].melds)) == -1) == (judged != NO_SHAPE), where
            if step == last and closing["action"] == "HU" and closing["player"] == seat:
                fans = sorted((fan["value"], fan["cnt"], fan["name"]) for fan in closing["fan"])
                assert sorted(state.win_fans()) == fans or name_of(game) in DIVIDED_OTHERWISE, where
    return compared


def recount(game, step, seat):
    """What the fields must be, counted from the game's requests alone, without the state's own bookkeeping."""
    hand = count_tiles(game["steps"][1][0][seat].split()[5:])
    walls = [21] * 4
    rivers = [[] for _ in range(4)]
    melds = [[] for _ in range(4)]  # (visible tiles, is added)
    sizes = [13] * 4
    pending = None
    for index in range(2, step + 1):
        request = game["steps"][index][0][seat].split()
        if request[0] == "2":
            walls[seat] -= 1
            sizes[seat] += 1
            hand[TILE_INDEX[request[1]]] += 1
            pending = None
            continue
        pid, kind, tiles = int(request[1]), request[2], request[3:]
        if kind == "DRAW":
            walls[pid] -= 1
            sizes[pid] += 1
            pending = None
            continue
        leaving = []
        if kind in ("CHI", "PENG") or (kind == "GANG" and pending is not None):
            claimed = rivers[pending].pop()
            base = TILE_INDEX[tiles[0]] if kind == "CHI" else TILE_INDEX[claimed]
            form = [base - 1, base, base + 1] if kind == "CHI" else [base] * (3 if kind == "PENG" else 4)
            melds[pid].append(form)
            leaving += form
            leaving.remove(TILE_INDEX[claimed])
        elif kind == "GANG":
            own = game["steps"][index - 1][2][pid].split()[1]
            melds[pid].append([TILE_INDEX[own]] * 4 if pid == seat else [])
            leaving += [TILE_INDEX[own]] * 4
        elif kind == "BUGANG":
            added = TILE_INDEX[tiles[0]]
            melds[pid][melds[pid].index([added] * 3)].append(added)
            leaving.append(added)
        pending = None
        if kind in ("PLAY", "CHI", "PENG"):
            leaving.append(TILE_INDEX[tiles[-1]])
            rivers[pid].append(tiles[-1])
            pending = pid
        sizes[pid] -= len(leaving)
        if pid == seat:
            for tile in leaving:
                hand[tile] -= 1
    unseen = [4 - count for count in hand]
    for name in [name for river in rivers for name in river]:
        unseen[TILE_INDEX[name]] -= 1
    for tile in [tile for forms in melds for form in forms for tile in form]:
        unseen[tile] -= 1
    return {"hand_counts": hand, "walls": walls, "rivers": rivers, "melds": melds, "sizes": sizes, "unseen": unseen}


class TestRecordedGames:
    @with_recorded
    def test_answers_and_wins(self, path):
        compared = sum(check_game(game) for game in read_games(path))
        assert compared == 49805 or path != GOLDEN and compared

    def test_fields_equal_a_recount(self):
        for game in list(read_games())[::4]:
            for step, _requests, _display, _answers, states in walk(game):
                if step < 2 or step % 3:
                    continue
                for seat, state in enumerate(states):
                    expected = recount(game, step, seat)
                    got = {
                        "hand_counts": state.hand_counts, "walls": state.walls, "unseen": state.unseen,
                        "rivers": [player.river for player in state.players],
                        "melds": [[meld.tiles for meld in player.melds] for player in state.players],
                        "sizes": [player.hand_size for player in state.players],
                    }
                    assert got == expected, (name_of(game), step, seat)
                    assert state.my_hand == list_tiles(state.hand_counts)

    def test_what_if_equals_what_came(self):
        """After an own action that nobody overruled, and the state itself stays as it was; its opening alone, too."""
        counts = Counter()
        for game in list(read_games())[2::16]:
            foreseen = [None] * 4
            for step, requests, _display, answers, states in walk(game):
                for seat, (state, request) in enumerate(zip(states, requests)):
                    if foreseen[seat] and request.startswith("3 %d %s" % (seat, foreseen[seat][0][0])):
                        action, fields = foreseen[seat]
                        assert fields == dict(read_fields(state), _actions=None), (name_of(game), step, seat, action)
                        counts[action[0], len(action)] += 1
                    legal = state.action_space()
                    action = read_answer(answers[seat], legal)
                    foreseen[seat] = None
                    if len(legal) > 1 and action in legal and action[0] not in ("PASS", "HU"):
                        before = read_fields(state)
                        after = state.after(action)
                        foreseen[seat] = action, read_fields(after)
                        opening, discard = split_discard(action)
                        hand, melds = hand_after(state, opening)
                        if discard is not None:
                            hand[discard] -= 1
                        assert (hand, melds) == (after.hand_counts, after.players[seat].melds)
                        assert read_fields(state) == before
        assert len(counts) == 6 and counts.total() > 500, counts


def test_what_if_is_asked_of_legal_actions_that_the_game_goes_on_after():
    state = state_after("0 0 0", DEAL, "2 J1")
    assert not state.after(("PLAY", "J1")).is_my_turn and state.is_my_turn
    for action in (("PLAY", "B1"), ("PASS",), ("HU", 8)):
        with pytest.raises(IllegalActionError, match="expected one of the legal actions but HU"):
            state.after(action)


DEAL = "1 0 0 0 0 W1 W1 W1 W2 W3 T5 T5 T6 T7 B9 F1 F1 J2"


def state_after(*requests, answers=None):
    """A state that these requests have been applied to, PASS answered to each but where `answers` says otherwise."""
    state = GameState()
    for index, request in enumerate(requests):
        state.apply(request)
        if answers and index in answers:
            state.answer(answers[index])
    return state


def test_no_claim_when_the_next_seat_has_no_tile():
    state = state_after("0 1 0", DEAL, "3 0 DRAW", "3 0 PLAY T5")
    state.walls[1] = 0
    state._actions = None
    assert state.action_space() == [("PASS",)]


class TestFlowers:
    WITH_FLOWERS = "1 1 0 2 0 W1 W1 W1 W2 W3 T5 T5 T6 T7 B9 F1 F1 J2 H1 H5 H6"

    @pytest.mark.parametrize("requests, flowers, shared_wall, walls", [
        ([WITH_FLOWERS], [1, 0, 2, 0], 144 - 52 - 3, [23] * 4),
        ([WITH_FLOWERS, "3 0 BUHUA H2", "2 W9", "3 0 PLAY W9"], [2, 0, 2, 0], 144 - 52 - 3 - 2, [22] * 4),
        ([DEAL, "2 W9", "3 0 PLAY W9", "3 1 BUHUA H2", "3 1 DRAW"], [0, 1, 0, 0], 144 - 52 - 3, [23] * 4),
        ([WITH_FLOWERS, "2 W9", "3 0 PLAY W9", "3 1 BUHUA H2", "3 1 DRAW", "3 1 PLAY W9"], [1, 1, 2, 0],
         144 - 52 - 3 - 3, [22] * 4),
    ], ids=["dealt", "replaced: the shared wall shrinks", "the first in mid-game", "another seat's"])
    def test_flowers(self, requests, flowers, shared_wall, walls):
        state = state_after("0 0 2", *requests)
        assert [player.n_flowers for player in state.players] == flowers
        assert (state.shared_wall, state.walls) == (shared_wall, walls)
        assert state.players[1].hand_size == 13 + (requests[-1] == "3 1 DRAW")
        told = ["DRAW" if request[0] == "2" else request.split()[2] for request in requests[1:]]
        assert [action[0] for _, action in state.history] == told

    def test_the_last_tiles_of_a_shared_wall(self):
        """Rounded up, a seat's part is empty when the wall is, and not before."""
        state = state_after("0 0 2", self.WITH_FLOWERS)
        for tiles in (5, 4, 3, 2, 1):
            state._share_wall(tiles)
            assert all(state.walls) and sum(state.walls) < tiles + 4
        state._share_wall(0)
        assert state.walls == [0] * 4

    def test_a_flower_after_a_kong_is_no_kongs_replacement(self):
        hand = "1 0 0 0 0 W1 W1 W1 W1 W2 W3 W4 B2 B3 B4 T5 T6 F1"
        for flower in ((), ("3 0 BUHUA H1",)):
            state = state_after("0 0 2", hand, "2 F1", "3 0 GANG", *flower, "2 T7", answers={2: "GANG W1"})
            assert ("杠上开花" in [name for _, _, name in state.win_fans()]) == (not flower)
            assert field(encode_observation(state), "after_kong") == (not flower)

    def test_flowers_do_not_help_to_eight(self):
        """Seven fan and three flowers are no win: the judge wants eight without them."""
        hand = "1 3 0 0 0 W1 W2 W3 W4 W5 W6 T2 T3 T4 B5 B6 F1 F1 H1 H2 H3"
        state = state_after("0 0 2", hand, "3 0 BUHUA H4", "2 B7")
        assert 0 < state.win_fan() < 8 + 4
        assert "HU" not in {action[0] for action in state.action_space()}


BEGIN = ("0 1 0", DEAL)
TURN = BEGIN + ("3 0 DRAW",)
DISCARD = TURN + ("3 0 PLAY T5",)
OWN_TURN = ("0 0 2", DEAL, "2 W9")

BROKEN = [
    ("no text", (), 7, ProtocolError),
    ("empty", (), "", ProtocolError),
    ("unknown kind", (), "4 1", ProtocolError),
    ("seat out of range", (), "0 4 0", ProtocolError),
    ("deal before the seat", (), DEAL, ProtocolError),
    ("seat told twice", ("0 1 0",), "0 1 0", ProtocolError),
    ("draw before the deal", ("0 0 0",), "2 W1", ProtocolError),
    ("event before the deal", ("0 0 0",), "3 1 DRAW", ProtocolError),
    ("twelve tiles", ("0 1 0",), "1 0 0 0 0 W1 W1 W1 W2 W3 T5 T5 T6 T7 B9 F1 F1", ProtocolError),
    ("unknown tile dealt", ("0 1 0",), DEAL.replace("J2", "J4"), InvalidTileError),
    ("fifth copy dealt", ("0 1 0",), "1 0 0 0 0 W1 W1 W1 W1 W1 T5 T5 T6 T7 B9 F1 F1 J2", InvalidTileError),
    ("flowers that were not announced", ("0 1 0",), DEAL + " H1", ProtocolError),
    ("dealt twice", BEGIN, DEAL, ProtocolError),
    ("wrong seat draws", BEGIN, "3 1 DRAW", ProtocolError),
    ("own draw out of turn", BEGIN, "2 W1", ProtocolError),
    ("own draw told as another's", ("0 0 0", DEAL), "3 0 DRAW", ProtocolError),
    ("fifth copy drawn", ("0 0 2", "1 0 0 0 0 W1 W1 W1 W1 W3 T5 T5 T6 T7 B9 F1 F1 J2"), "2 W1", InvalidTileError),
    ("malformed tile drawn", ("0 0 2", DEAL), "2 W0", InvalidTileError),
    ("discard without a draw", BEGIN, "3 0 PLAY W9", ProtocolError),
    ("discard of another seat", TURN, "3 1 PLAY W9", ProtocolError),
    ("malformed discard", TURN, "3 0 PLAY X9", InvalidTileError),
    ("a word too many", TURN, "3 0 PLAY W9 W9", ProtocolError),
    ("own discard that is not in the hand", OWN_TURN, "3 0 PLAY B1", InvalidTileError),
    ("second draw", DISCARD, "3 0 DRAW", ProtocolError),
    ("claim of one's own discard", DISCARD, "3 0 PENG W9", ProtocolError),
    ("chow by the wrong seat", DISCARD, "3 2 CHI T6 W9", ProtocolError),
    ("chow that does not take the tile", DISCARD, "3 1 CHI T8 W9", ProtocolError),
    ("chow around an edge", TURN + ("3 0 PLAY T9",), "3 1 CHI T9 W9", ProtocolError),
    ("chow of honours", TURN + ("3 0 PLAY F2",), "3 1 CHI F2 W9", ProtocolError),
    ("pung of unseen tiles that are not there", TURN + ("3 0 PLAY W1",), "3 2 PENG W9", InvalidTileError),
    ("own pung without the pair", TURN + ("3 0 PLAY B9",), "3 1 PENG J2", InvalidTileError),
    ("own pung that discards a used tile", DISCARD, "3 1 PENG T5", InvalidTileError),
    ("added kong without a pung", TURN, "3 0 BUGANG W9", ProtocolError),
    ("own concealed kong without four", OWN_TURN, "3 0 GANG", ProtocolError),
    ("own flower after an own tile", OWN_TURN, "3 0 BUHUA H1", ProtocolError),
    ("flower that is none", BEGIN, "3 0 BUHUA W1", InvalidTileError),
]


class TestBadInput:
    @pytest.mark.parametrize("before, request_text, error", [pytest.param(*case[1:], id=case[0]) for case in BROKEN])
    def test_a_refused_request_leaves_the_state_as_it_was(self, before, request_text, error):
        state = state_after(*before)
        state.action_space()
        was = read_fields(state)
        with pytest.raises(error, match="request %d" % len(before)) as caught:
            state.apply(request_text)
        assert "expected" in str(caught.value) and "got" in str(caught.value)
        assert read_fields(state) == was

    @pytest.mark.parametrize("before, response", [
        (TURN, "PLAY W1"), (OWN_TURN, "PASS"), (OWN_TURN, "PLAY B1"), (OWN_TURN, "PLAY  W1"), (OWN_TURN, "GANG"),
        (DISCARD, "CHI T7 W1"), (DISCARD, "GANG"), (DISCARD, "PENG T5"), (BEGIN, "HU"), (DISCARD, ""), (DISCARD, None),
    ])
    def test_a_response_that_does_not_fit(self, before, response):
        state = state_after(*before)
        with pytest.raises(ProtocolError, match="response %d: expected" % (len(before) - 1)):
            state.answer(response)

    def test_an_echo_that_is_not_the_answer(self):
        state = state_after(*OWN_TURN, answers={2: "PLAY W9"})
        was = read_fields(state)
        with pytest.raises(ProtocolError, match="echo of my answer 'PLAY W9'"):
            state.apply("3 0 PLAY W1")
        assert read_fields(state) == was

    @pytest.mark.parametrize("text", ["", "[]", "{", "{}", "[" * 100_000, '{"requests": 3}',
                                      '{"requests": ["0 0 0"], "responses": 1}',
                                      '{"requests": ["0 0 0"], "responses": ["PASS", "PASS"]}'])
    def test_json_that_is_no_input(self, text):
        with pytest.raises(ProtocolError, match="expected"):
            GameState().load_json(text)

    def test_a_refused_input_leaves_the_state_as_it_was(self):
        state = state_after(*OWN_TURN)
        was = read_fields(state)
        with pytest.raises(ProtocolError, match="request 2"):
            state.load_json({"requests": ["0 0 2", DEAL, "3 2 DRAW"], "responses": ["PASS", "PASS"]})
        assert read_fields(state) == was
