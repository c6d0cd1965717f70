"""Reads and writes the organisers' text format: games of a strong bot, with empty lines between them.

    Match 61602cb45ddc087351c04358
    Wind 1                                                  prevalent wind 0..3
    Player 0 Deal T8 B7 ...                                 13 tiles of a seat; each seat has such a line
    Player 2 Draw J3
    Player 2 Play J3
    Player 0 Peng W9 Ignore Player 3 Chi W8                 claims that were overruled follow the word Ignore
    Player 3 Gang F2 / AnGang W7 / BuGang J1 / Chi W5 / Hu B7
    Huang                                                   nobody won
    Fan 9 混一色*1+箭刻*1+老少副*1                             a win has this line: the sum, then name * copies of fans
    Score -8 33 -17 -8

The tile of Chi is the middle tile of the chow. The tile of Peng, Gang and Hu is the claimed one. Tiles that nobody drew
are not written. Words after Ignore may stand in capitals.
"""

from functools import partial

from ....mahjong.errors import Message, ProtocolError
from ....mahjong.fan import sum_fans
from ....mahjong.rules import SEATS
from ....mahjong.tile import TILE_NAMES
from ...table.game_referee import ADDED, ANNOUNCED_DEAL, DISCARDED, DRAWN
from ...run.printable import clean_text
from ..builder import build_game
from ..follow import follow_game
from ..game_record import ALL_ANSWERS, OWN_SUITS, OWN_SUITS_FANS, Game
from ..shapes import take_number, take_seat

_CLAIMS = {"HU": 0, "PENG": 1, "GANG": 1, "CHI": 2}  # the claim of the lowest rank is carried out
_OWN_WORDS = {"PLAY": "Play", "GANG": "AnGang", "BUGANG": "BuGang", "HU": "Hu"}


def begins_match(line: str) -> bool:
    """Checks whether a match begins with a line."""
    return line.startswith("Match ")


def parse_official(text: str, first_line: int = 1, where: str = "text") -> Game:
    """Returns the Game in the text of a match. Raises BrokenGameError, which keeps the game before the error."""
    return build_game(_read_match, where, text, first_line)


def _read_match(builder, text, first_line):
    scores = fan = None
    name, facts, wind = "", ALL_ANSWERS, None
    for builder.line, words in enumerate(map(str.split, text.rstrip().split("\n")), first_line):
        if not words:
            continue
        with builder.expect("a line of a match", " ".join(words)):
            if words[0] == "Player":
                _read_event(builder, words)
            elif words[0] == "Huang":
                builder.drawn_out()
            elif words[0] == "Match":
                name = clean_text(words[1])
            elif words[0] == "Wind":
                builder.wind = wind = int(words[1])
            elif words[0] == "Fan":
                fan = take_number(int(words[1]))
                if OWN_SUITS_FANS.intersection(fan_text.split("*")[0] for fan_text in words[2].split("+")):
                    facts |= OWN_SUITS
            elif words[0] == "Score":
                scores = [take_number(int(word)) for word in words[1:]]
            else:
                builder.fail("Match, Wind, Player, Huang, Fan or Score", " ".join(words))
    if wind not in range(SEATS) or scores is None or len(scores) != SEATS or not builder.is_over:
        builder.fail("wind 0..3, four scores and an end", Message(
            "wind %r, scores %r" if builder.is_over else "wind %r, scores %r, no end", wind, scores))
    return builder.finish(scores, facts, name, fan=fan)


def _read_event(builder, words):
    seat, word = take_seat(int(words[1])), words[2].upper()
    if word == "DEAL":
        builder.deal(seat, words[3:])
        return
    if len(words) > 4 and (words[4].upper() != "IGNORE" or word not in _CLAIMS):
        raise ValueError
    # Every overruled claim is "Player SEAT WORD TILE" after "Ignore".
    rest = [other for other in words[4:] if other.upper() != "IGNORE"]
    overruled = []
    for player, player_seat, claim, tile in zip(*[iter(rest)] * 4, strict=True):
        if player.upper() != "PLAYER" or claim.upper() not in _CLAIMS:
            raise ValueError
        overruled.append((take_seat(int(player_seat)), claim.upper(), tile))
    builder.take(word, seat, words[3], overruled)


def format_official(game: Game) -> str:
    """Returns the text of a game, which ends with a newline.

    Raises MahjongError: the game is not legal, or it ended by a fault, or it did not end.
    """
    lines = ["Match %s" % (game.name or "0"), "Wind %d" % game.wind]
    referee = follow_game(game, partial(_write_step, lines))
    if referee.verdict not in ("HU", "HUANG"):
        raise ProtocolError("expected a game that is won or drawn, got one that breaks off: %s", game.where)
    if referee.verdict == "HU":
        fans = "+".join("%s*%d" % (name, copies) for _, copies, name in referee.fans)
        lines.append("Fan %d %s" % (sum_fans(referee.fans), fans))
    else:
        lines.append("Huang")
    lines.append("Score %d %d %d %d" % game.scores)
    return "\n".join(lines) + "\n"


def _write_step(lines, referee, responses, _):
    if referee.phase == ANNOUNCED_DEAL:
        lines.extend("Player %d Deal %s" % (seat, " ".join(tiles)) for seat, tiles in enumerate(referee.dealt))
    elif referee.phase == DRAWN:
        drawn = TILE_NAMES[referee.last_tile]
        lines.append("Player %d Draw %s" % (referee.turn, drawn))
        words = responses[referee.turn].split()
        lines.append("Player %d %s %s" % (referee.turn, _OWN_WORDS[words[0]], words[1] if words[1:] else drawn))
    elif referee.phase in (DISCARDED, ADDED):
        claimed = TILE_NAMES[referee.last_tile]
        answers = [(seat, *text.split()) for seat, text in enumerate(responses) if text != "PASS"]
        chosen = min(answers, default=None, key=lambda answer: (_CLAIMS[answer[1]], (answer[0] - referee.turn) % SEATS))
        if chosen:
            answers.sort(key=lambda answer: answer != chosen)
            lines.append(" Ignore ".join(
                "Player %d %s %s" % (seat, word.capitalize(), tiles[0] if word == "CHI" else claimed)
                for seat, word, *tiles in answers))
            if chosen[1] in ("CHI", "PENG"):
                lines.append("Player %d Play %s" % (chosen[0], chosen[-1]))
