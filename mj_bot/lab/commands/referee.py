"""Runs `mj-bot referee`, which plays one game in the terminal."""

from functools import partial

from ..run.options import PlayerParser, add_memory_limit, add_seed, add_time_limit, parse_wall_seed, parse_whole
from ..table.players import TIME_LIMIT
from ..words import say


def main(argv: list[str]) -> int:
    """Plays a game and prints it.

    Returns the exit code: 0, or 1 if the game ended with a player's crash, late answer or illegal action.
    """
    options = _parse_arguments(argv)
    from ...mahjong.errors import MahjongError
    from ..play.terminal import print_step, summarise
    from ..records.botzone.match_log import LOG_START, format_log
    from ..run.files import check_output, expect_readable, read_text, write_whole
    from ..table.board import NAME_WIDTH
    from ..table.match import play_game
    from ..table.one_wall import TABLE_RULES
    from ..table.players import make_player, shorten
    from ..table.walls import check_wall, wall_from_seed, wind_from_seed

    check_output(options.log, (LOG_START + '",',))
    wall = wall_from_seed(options.seed)
    if options.wall:
        with expect_readable("a file with a wall, got %r", options.wall, error_class=MahjongError):
            wall = read_text(options.wall).split()
        check_wall(wall, " in " + options.wall)
    wind = wind_from_seed(options.seed) if options.quan is None else options.quan
    players = [make_player(spec, options.time_limit, options.memory_limit) for spec in options.players]
    show = partial(print_step, [shorten(spec, NAME_WIDTH) for spec in options.players], options.board == "full")
    flowers = TABLE_RULES[options.rules](options.seed)
    record = play_game(players, wall, wind, flowers=flowers, watch=None if options.board == "none" else show)
    record.players = [shorten(spec) for spec in options.players]
    print("\n" + summarise(record))
    if options.log:
        write_whole(options.log, format_log(record))
        print(say("The game is saved as %s", options.log))
    return 0 if record.closing["action"] in ("HU", "HUANG") else 1


def _parse_arguments(argv):
    """Returns the options of a command line."""
    from ...mahjong.rules import SEATS

    parser = PlayerParser(
        prog="mj-bot referee", description="Plays one game under the rules of Botzone's judge, or of tziakcha.net.",
        epilog="A player is a tactic (random:seed=3) or an outside bot as PROTOCOL:COMMAND, with PROTOCOL one of json, "
               "json-keep, simplified, simplified-keep (keep: the bot keeps running).")
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="four: seats east, south, west, north")
    parser.add_argument("--rules", choices=("botzone", "tziakcha"), default="botzone",
                        help="tziakcha: one wall with flowers, and the game goes on after a false win (%(default)s)")
    add_seed(parser, "of the wall (%(default)s)", type=parse_wall_seed)
    parser.add_argument("--wall", metavar="FILE", help="file with 136 tiles, in place of those of the seed")
    parser.add_argument("--quan", type=parse_whole, choices=range(4), help="prevalent wind (from the seed)")
    parser.add_argument("--log", metavar="FILE",
                        help="write the game as a Botzone log, in place of an earlier one of this command")
    parser.add_argument("--board", choices=("none", "round", "full"), default="round",
                        help="shows no table, one each round or one each action (%(default)s)")
    add_time_limit(parser, "seconds a turn, twice for the first of an outside bot (%(default)s)", TIME_LIMIT)
    add_memory_limit(parser)
    options = parser.parse_args(argv)
    if len(options.players) != SEATS:
        parser.error(say("expected four players, got %d", len(options.players)))
    return options
