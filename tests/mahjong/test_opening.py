"""Openings of actions, against the hand after the recorded judge's echo."""


from mj_bot.mahjong.action import parse_action
from mj_bot.mahjong.opening import hand_after, split_discard
from tests.golden_games import is_odd, name_of, read_games, walk


def answered_actions():
    """Yields (where, action, counts and melds after its opening, state), for answers that were not overruled.

    The state is the seat's after the echo.
    """
    for game in read_games():
        foreseen = {}
        for step, requests, _display, answers, states in walk(game):
            for seat, (action, held) in foreseen.items():
                if is_echo(requests[seat].split(), seat, action):
                    yield (name_of(game), step, seat), action, held, states[seat]
            foreseen = {}
            for seat, (state, answer) in enumerate(zip(states, answers)):
                if answer.startswith(("PASS", "HU")) or is_odd(game, step, seat):
                    continue
                action = parse_action(answer)
                foreseen[seat] = action, hand_after(state, split_discard(action)[0])


def is_echo(request, seat, action):
    """Whether the request tells that the seat's action happened."""
    return request[:3] == ["3", str(seat), action[0]]


def test_the_hand_is_that_of_the_state_after_the_echo():
    seen = dict.fromkeys(("PLAY", "CHI", "PENG", "GANG", "concealed GANG", "BUGANG"), 0)
    for where, action, (counts, melds), state in answered_actions():
        discard = split_discard(action)[1]
        if discard is not None:
            counts[discard] -= 1
        assert counts == state.hand_counts, where
        assert melds == state.players[state.my_pid].melds, where
        seen["concealed GANG" if action[0] == "GANG" and len(action) == 2 else action[0]] += 1
    assert all(seen.values()), seen
