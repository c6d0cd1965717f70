"""Runs `mj-bot hand`, which counts the fans of a hand, or says what it waits for."""

from ..run.options import STDOUT, PlayerParser, add_json


def main(argv: list[str]) -> int:
    """Prints the answer about a hand, or opens its page. Returns the exit code."""
    options = _parse_arguments(argv)
    from ..hand.answer import answer_texts

    answer = options.hand and answer_texts(options.hand, options.river, options.unseen, winds=options.winds,
                                           rules=options.rules)
    if options.open:
        return _open_page(options, answer)
    from ..hand.text import format_answer
    from ..run.files import check_output, write_json

    check_output(options.json)
    if options.json != STDOUT:
        print(format_answer(answer))
    write_json(options.json, answer, indent=None)
    return 0


def _parse_arguments(argv):
    """Returns the options of a command line."""
    from ..hand.rule_sets import RULE_SETS

    parser = PlayerParser(
        prog="mj-bot hand", description="Says what a hand is worth.", epilog="HAND has 13 or 14 tiles, as "
        "123m456s789pEE55p, W123 T456 B789 F11 B55 or 123万456条789饼东东55饼, or emoji: m characters, s bamboos, "
        "p dots, winds E S W N, dragons red C, green F, white P; 1z to 4z are the winds, 5z 6z 7z white, green, red. "
        "Melds are in brackets: [123m,1] a chow whose first tile was claimed, [EEE,1] a pung from the previous player, "
        "2 the opposite one, 3 the next one, [SSSS,1] an open kong, [SSSS] a concealed one. The last tile is the one "
        "drawn or won on. After a bar come the prevalent and the seat wind and four digits 0 or 1: self-drawn, last of "
        "its kind, last of the wall, kong draw or robbed kong; after another bar the flowers: ...|EE1000|2.")
    parser.add_argument("hand", metavar="HAND", nargs="?", help="the tiles, or the link of tziakcha.net's calculator")
    parser.add_argument("--winds", default="", metavar="TILES", help="prevalent wind and seat wind, if HAND names none")
    parser.add_argument("--river", default="", metavar="TILES",
                        help="discards of each seat, yours first, others with their open melds: 19mE/5p[EEE,1]/1s/P")
    parser.add_argument("--unseen", default="", metavar="TILES", help="copies that you do not see: '5p=0 E=1'")
    parser.add_argument("--rules", default=RULE_SETS[0], choices=RULE_SETS,
                        help="who counts the fans: the judge of Botzone, the Mahjong International League, or the "
                        "Green Book (default: %(default)s)")
    add_json(parser, "write the answer to this file as JSON; without FILE print it so")
    parser.add_argument("--open", action="store_true", help="open the page for hands in a browser")
    options = parser.parse_args(argv)
    if not options.hand and not options.open:
        parser.error("expected HAND, or --open")
    return options


def _open_page(options, answer):
    """Serves the page for hands and opens it in a browser until an interrupt. Returns the exit code."""
    # These need packages of the workshop, which the answer in the terminal does without.
    from ...tactic import REVIEWER
    from ..hand.rule_sets import RULE_SETS
    from ..play.serve import serve
    from ..play.session import Session
    from .play import PLAYED_FOLDER

    fragment = {"hand": answer and answer["hand"]["text"], "river": options.river, "unseen": options.unseen,
                "rules": options.rules if options.rules != RULE_SETS[0] else ""}
    session = Session([REVIEWER] * 3, REVIEWER, PLAYED_FOLDER)
    return serve(session, 0, True, page="hand", fragment=fragment)
