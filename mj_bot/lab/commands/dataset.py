"""Runs `mj-bot dataset`, which makes a set of games to learn from, and `mj-bot dataset export`."""

from functools import partial
from pathlib import Path

from ..run.command import format_command
from ..run.installation import format_install
from ..run.options import Parser, add_output, add_seed, add_workers, parse_count, parse_share


def main(argv: list[str]) -> int:
    """Runs `dataset` or `dataset export`. Returns the exit code."""
    return _export(argv[1:]) if argv[:1] == ["export"] else _make(argv)


def _make(argv):
    """Makes a set of games, from self-play or from records. Returns exit code 0."""
    options = _parse_arguments(argv)
    from ...tactic import parse_spec
    from ..dataset.build import make_set
    from ..dataset.reader import CARD
    from ..records.compact import GAMES_KIND, GAMES_VERSION
    from ..records.convert import complete_conversion, describe_conversion
    from ..records.source import list_files
    from ..run.files import check_output
    from ..run.run_folder import RunFolder
    from ..table.choosers import load_chooser, load_valuer

    check_output(options.card)
    folder = Path(options.output)
    # This refuses wrong players before any game is played.
    for spec in options.players or ():
        parse_spec(spec)
        load_chooser(spec)
    if options.teacher:
        load_valuer(options.teacher)
    files = list_files(options.records or ())
    settings = {"kind": "self-play", "players": options.players, "seed": options.seed,
                "random_share": options.random_share} if options.players else describe_conversion(files)
    with RunFolder(folder, GAMES_KIND, GAMES_VERSION, settings=settings,
                   complete=partial(complete_conversion, settings)) as run:
        card = make_set(run, files, options, command=format_command("dataset", *argv))
    print("%d games, %d decisions (%d of them random), %.1f bytes a game, %s" % (
        card["games"], card["decisions"], card["random_actions"], card["bytes_per_game"], folder / CARD))
    return 0


def _parse_arguments(argv):
    """Returns the options of a command line."""
    parser = Parser(
        prog="mj-bot dataset", description="Makes a set of games to learn from.",
        epilog="The same command goes on with an interrupted set. The same seed gives the same games. `dataset export` "
        "writes the decisions of a set as Parquet.")
    add_output(parser, "folder of the set")
    origin = parser.add_mutually_exclusive_group(required=True)
    origin.add_argument("--players", nargs="+", metavar="TACTIC",
                        help="players of the games; each seat of a game draws one of them")
    origin.add_argument("--records", nargs="+", metavar="PATH",
                        help="files and folders of game records instead; illegal games are left out")
    parser.add_argument("--games", type=parse_count, default=20_000, metavar="N",
                        help="number of games to play (%(default)s)")
    add_seed(parser, "of walls, seats and random moves (%(default)s)")
    parser.add_argument("--random-share", type=parse_share, default=0.0, metavar="SHARE",
                        help="share of the decisions made at random, and marked as such (%(default)s)")
    parser.add_argument("--teacher", metavar="TACTIC",
                        help="store the points that a tactic such as search gives to all actions")
    add_workers(parser)
    parser.add_argument("--card", metavar="FILE", help="write a copy of the card to this file")
    return parser.parse_args(argv)


def _export(argv):
    """Writes the decisions of a set as a Parquet file. Returns exit code 0."""
    parser = Parser(
        prog="mj-bot dataset export", description="Writes the decisions of a set of games as a Parquet file, and its "
        "card, which describes the columns, the bytes of an observation and the actions. It needs pyarrow: %s"
        % format_install("parquet"))
    parser.add_argument("folder", metavar="FOLDER", help="folder of the set")
    add_output(parser, "the file to write, .parquet", "FILE")
    options = parser.parse_args(argv)
    from ..dataset import open_dataset
    from ..dataset.dataset_export import export_decisions
    from ..run.progress import Progress

    dataset = open_dataset(options.folder)
    with Progress(len(dataset.games.heads), name="dataset export", hint="nothing is written") as bar:
        count = export_decisions(dataset, options.output, bar.update)
    print("%s: %d decisions of %d games" % (options.output, count, len(dataset.games.heads)))
    return 0
