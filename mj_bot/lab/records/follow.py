"""Plays the moves of a game through the judge's rules, and turns judged records into games and back."""

from collections.abc import Callable

from ...mahjong.action import (ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX,
                               decode_action, encode_action, format_action, parse_action)
from ...mahjong.errors import IllegalActionError, MahjongError, Message, ProtocolError
from ...mahjong.fan import sum_fans
from ...mahjong.opening import split_discard
from ...mahjong.rules import SEATS, penalty_scores, win_scores
from ...mahjong.tile import TILE_INDEX, TILE_NAMES
from ..table.players import Answer
from ..table.one_wall import make_referee
from ..table.record import Record, Step, rebuild_wall
from ..table.game_referee import ADDED, DISCARDED, DRAWN, Referee
from .game_record import (
    ALL_ANSWERS, ANSWER_BASE, FAULT, LAST_ANSWER, MARK, OWN_SUITS, OWN_SUITS_FANS, REAL_WALL, SHARED_WALL,
    BrokenGameError, Game)
from .shapes import name_place

_PASSES = ["PASS"] * SEATS
_KNITTED_STRAIGHT = "组合龙"


def follow_game(game: Game, listen: Callable | None = None) -> Referee:
    """Returns the referee at the end of a game, or at the point where the moves stop.

    listen: function(referee, responses, index), called before each step. `responses` are the four texts that the
        referee is about to judge; `index` is where the moves of this step begin in `game.moves`.
    Raises IllegalActionError: the rules do not allow a move, and the message lists the actions that they allow; or
        moves are left after the end of the game.
    """
    referee = make_referee(game.wall_names(), game.wind, game.flowers if game.facts & SHARED_WALL else None)
    reader = _Reader(game, referee)
    while not referee.is_over:
        begin, responses = reader.index, reader.read()
        if responses is None:
            return referee
        if listen:
            listen(referee, responses, begin)
        referee.step(responses)
    reader.end()
    return referee


def check_game(game: Game) -> Referee:
    """Checks that a game is legal from the deal to the end and that its scores are those of the rules.

    The fans are the judge's. A game whose origin has the rule `knitted_wait` counts one fan more for a wait inside a
    knitted straight. Fans and scores of a game by a platform's sub rule are not compared.

    Returns the referee at the end of the game.
    Raises IllegalActionError: the rules do not allow a move. ProtocolError: the moves stop before the end of the game,
        or the source has other fans or scores.
    """
    referee, culprit = follow_game(game), _read_fault(game)
    has_own_fans = "sub_rule" in game.origin
    if referee.is_over:
        scores = referee.scores
        if referee.culprit is not None:
            fan = sum_fans(referee.fans)
            if game.origin.get("rules", {}).get("knitted_wait") and any(
                    name == _KNITTED_STRAIGHT for _, _, name in referee.fans):
                fan += 1
                scores = win_scores(referee.culprit, fan + game.winner_flowers, referee.giver)
            if game.fan not in (None, fan) and not has_own_fans:
                raise ProtocolError("expected %d fan (%s), got %d in %s", fan, _list_fans(referee), game.fan,
                                    game.where)
    elif culprit is not None:
        scores = penalty_scores(culprit)
    elif game.facts & (SHARED_WALL | REAL_WALL) == SHARED_WALL and not any(game.scores):
        # People may have ended a drawn game before its last tiles were drawn.
        scores = [0] * SEATS
    else:
        raise ProtocolError("expected moves up to the end of the game, got %d of them in %s", len(game.moves),
                            game.where)
    if list(game.scores) != scores and not has_own_fans:
        raise ProtocolError("expected the scores %r (%s), got %r in %s", scores, _list_fans(referee), list(game.scores),
                            game.where)
    return referee


def _list_fans(referee):
    return " ".join("%s %d" % (name, points * copies) for points, copies, name in referee.fans) or "no win"


class _Reader(object):
    """Reads the moves of a game, from game.moves[index] on, as responses to the requests of a referee."""

    def __init__(self, game, referee):
        self._game = game
        self._referee = referee
        self.index = 0

    def read(self) -> list[str] | None:
        """Returns the four responses to the present requests, or None where the moves stop."""
        phase, responses, begin = self._referee.phase, list(_PASSES), self.index
        if phase == DRAWN:
            seat, byte = self._referee.turn, self._byte()
            if byte in (-1, FAULT):
                return None
            self._pass_action()
            # Most moves are discards, and all legal actions take long to list.
            is_held = DISCARD_BASE <= byte < OPEN_KONG_BASE and self._referee.hands[seat][byte - DISCARD_BASE]
            action = decode_action(byte) if is_held else self._list_fitting(seat, byte, begin)[0]
            responses[seat] = format_action(action)
        elif phase in (DISCARDED, ADDED):
            answers = self._read_answers()
            # A win goes before a pung or kong, and this before a chow; of two wins the nearest seat's.
            chosen = min(answers, default=None, key=lambda seat: (
                answers[seat][0] != WIN_INDEX, answers[seat][0] >= CHOW_BASE))
            drawer = (self._referee.turn + 1) % SEATS if phase == DISCARDED else self._referee.turn
            needs_more = self._referee.can_draw(drawer) if chosen is None else answers[chosen][0] >= PUNG_BASE
            breaks_off = self._byte() == FAULT or (self._byte() == -1 and needs_more)
            for seat, answer in answers.items():
                responses[seat] = self._answer(seat, *answer, has_discard=seat == chosen and not breaks_off)
            return None if breaks_off else responses
        return responses

    def end(self):
        """Refuses moves that are left when the game is over."""
        if self.index < len(self._game.moves):
            raise IllegalActionError("expected no move after the end, got byte %d %s", self._byte(),
                                     self._where(self.index))

    def _byte(self):
        """Returns the next byte of the moves, -1 at their end."""
        return self._game.moves[self.index] if self.index < len(self._game.moves) else -1

    def _pass_action(self):
        """Steps over an action and over the mark that may follow it."""
        self.index += 1
        if self._byte() > MARK:
            self.index += 1

    def _read_answers(self):
        """Returns {seat: (action 0..234, its index in the moves)} of the answers to a discard, nearest seat first."""
        answers = {}
        latest = ANSWER_BASE
        while latest < self._byte() <= LAST_ANSWER:
            latest, move_index = self._byte(), self.index
            self.index += 1
            answers[(self._referee.turn + latest - ANSWER_BASE) % SEATS] = self._byte(), move_index
            self.index += 1
        return answers

    def _answer(self, seat, action_index, move_index, *, has_discard):
        """Returns the text of an answer. Without the discard after a chow or pung it names any discard."""
        fitting = self._list_fitting(seat, action_index, move_index)
        if has_discard and action_index >= PUNG_BASE:
            discard = self._byte()
            fitting = [action for action in fitting if DISCARD_BASE + TILE_INDEX[action[-1]] == discard]
            if not fitting:
                text = TILE_NAMES[discard - DISCARD_BASE] if DISCARD_BASE <= discard < OPEN_KONG_BASE else discard
                self._fail(seat, Message("the discard of %s after its claim", text), self.index)
            self._pass_action()
        return format_action(fitting[0])

    def _list_fitting(self, seat, action_index, move_index):
        """Returns the legal actions of a seat that a byte of the moves means; of a claim, one for each discard."""
        claimed = TILE_NAMES[self._referee.last_tile]
        fitting = [action for action in self._referee.legal_actions(seat)
                   if 0 < action_index == encode_action(action, claimed)[0]]
        if not fitting:
            self._fail(seat, _describe(action_index), move_index)
        return fitting

    def _fail(self, seat, came, move_index):
        legal = ", ".join(format_action(action) for action in self._referee.legal_actions(seat))
        raise IllegalActionError("expected one of %s of seat %d, got %s %s", legal, seat, came, self._where(move_index))

    def _where(self, move_index):
        lines = self._game.lines
        unit, position = (self._game.unit, lines[move_index]) if lines else ("move", move_index)
        return name_place(unit, position, self._game.where)


def _describe(index):
    """Returns an action as text, or "byte N" for another byte. A chow or pung is named without the discard after it."""
    if not 0 < index < ACTION_COUNT:
        return "byte %d" % index
    action = decode_action(index, DISCARD_BASE)
    return format_action(split_discard(action)[0] if index >= PUNG_BASE else action)


def game_from_record(record: Record) -> Game:
    """Returns the Game of a judged record. It includes legal answers that the judge did not look at.

    Raises ProtocolError: the record has other requests than the referee asks. InvalidHandError: no wall gives the
    draws.
    """
    wall, flowers = rebuild_wall(record), record.list_flowers()
    # The platforms where people play do not record overruled claims.
    facts = ((0 if "platform" in record.origin else ALL_ANSWERS) | (REAL_WALL if record.wall is not None else 0)
             | (SHARED_WALL if record.has_one_wall else 0))
    referee = make_referee(wall, record.prevalent_wind, flowers if facts & SHARED_WALL else None)
    moves = []
    for step_index, step in enumerate(record.steps):
        if referee.is_over or referee.requests != step.requests:
            raise ProtocolError("expected the requests %r, got %r in step %d of %s", referee.requests, step.requests,
                                step_index, record.name)
        step_moves = _read_step(referee, step)
        referee.step([answer.response for answer in step.answers], [answer.verdict for answer in step.answers])
        if referee.verdict not in (None, "HU", "HUANG"):
            moves += [FAULT, referee.culprit]
            break
        moves += step_moves
        if step_moves and referee.phase == DISCARDED and referee.event[0] in ("CHI", "PENG"):
            moves.append(DISCARD_BASE + referee.last_tile)
    if OWN_SUITS_FANS.intersection(name for _, _, name in referee.fans):
        facts |= OWN_SUITS
    scores = record.scores or referee.scores or [0] * SEATS
    scores = [score - lost for score, lost in zip(scores, record.origin.get("penalties", [0] * SEATS))]
    return Game([TILE_INDEX[name] for name in wall], record.prevalent_wind, moves, scores, facts, flowers,
                players=record.players, name=record.name, origin=record.origin)


def _read_step(referee, step):
    """Returns the moves of a step, without the discard that a claim includes."""
    if referee.phase == DRAWN:
        try:
            return [index for index in encode_action(parse_action(step.answers[referee.turn].response))
                    if index != PASS_INDEX]
        except IllegalActionError:
            return []
    moves = []
    if referee.phase in (DISCARDED, ADDED):
        claimed = TILE_NAMES[referee.last_tile]
        for offset in range(1, SEATS):
            seat = (referee.turn + offset) % SEATS
            response = step.answers[seat].response
            if response != "PASS":
                for action in referee.legal_actions(seat):
                    if format_action(action) == response:
                        moves += [ANSWER_BASE + offset, encode_action(action, claimed)[0]]
    return moves


def _read_fault(game):
    """Returns the seat whose fault ended a game, or None. Raises ProtocolError: there is no such seat."""
    if FAULT not in game.moves[-2:-1]:
        return None
    if game.moves[-1] >= SEATS:
        raise ProtocolError("expected the seat 0..3 of a fault, got %d in %s", game.moves[-1], game.where)
    return game.moves[-1]


def record_from_game(game: Game) -> Record:
    """Returns the record of a game with the requests and displays of the judge's rules.

    A fault becomes the answer "FAULT" to the next request. An overruled chow or pung gets any discard. The record has
    no wall if the source does not tell the whole wall.
    Raises BrokenGameError: the rules do not allow a move. The error keeps the steps before it.
    """
    wall = game.wall_names() if game.facts & REAL_WALL else None
    record = Record(wall, game.wind, [str(player) for player in game.players], game.name, origin=game.origin)

    def listen(referee: Referee, responses: list[str], begin: int) -> None:
        record.steps.append(Step(referee.requests, referee.display(), [
            Answer(text, milliseconds=game.times.get((begin, seat), 0) if referee.phase in (DRAWN, DISCARDED, ADDED)
                   else 0) for seat, text in enumerate(responses)]))

    try:
        referee = follow_game(game, listen)
        culprit = _read_fault(game)
    except MahjongError as error:
        raise BrokenGameError("%s", error, record=record) from error
    if not referee.is_over and culprit is not None:
        responses = list(_PASSES)
        responses[culprit] = "FAULT"
        listen(referee, responses, len(game.moves))
        referee.step(responses)
    if referee.is_over:
        record.closing = referee.display()
    penalties = game.origin.get("penalties", [0] * SEATS)
    record.scores = [score + lost for score, lost in zip(game.scores, penalties)]
    return record
