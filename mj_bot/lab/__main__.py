"""Runs the commands of the workshop: mj-bot COMMAND ..., or python3 -m mj_bot.lab COMMAND ..."""

import difflib
import importlib
import importlib.util
import os
import select
import sys
from typing import NamedTuple, TextIO

from .. import COMPILING, COMPILING_TEXT, __version__
from ..mahjong.errors import MahjongError, Message
from ..project_files import cache_folder
from ..trouble import describe_error
from .run.command import GOES_ON, compute_exit_code, open_closed_streams, unify_stop_signals
from .run.examples import list_examples
from .run.files import NO_ROOM
from .run.installation import adapt_example, describe_missing, format_install
from .run.printable import clean_lines
from .words import find_language, say, speak


class Command(NamedTuple):
    """Describes a command.

    The module commands/NAME.py has the function `main`, which takes the words after NAME and returns an exit code.
    """

    group: str  # heading in `mj-bot --help` under which the command stands
    name: str  # the word that follows mj-bot
    help: str  # what the command does, in one line
    extra: str = ""  # extra of pyproject.toml that the command needs; "" if it works in every installation
    hint: str = ""  # what a user can do after an interrupt


_PLAY, _RECORDS, _STRENGTH, _LEARN, _OTHER = (
    "Upload, play and review", "Records and data", "Strength", "Networks", "Another game")
_COMMANDS = (
    Command(_PLAY, "handin", "make mj_bot.pyz, the file to upload to Botzone"),
    Command(_PLAY, "referee", "play one game in the terminal"),
    Command(_PLAY, "play", "sit down at a table in the browser", extra="play"),
    Command(_PLAY, "live", "seat a tactic at Botzone's live tables", hint=GOES_ON),
    Command(_PLAY, "replay", "print what a tactic would have done in logged games", hint="nothing is written"),
    Command(_PLAY, "review", "make a page of a game with the mistakes in it"),
    Command(_PLAY, "library", "keep every game that you read or play, and its mistakes", hint=GOES_ON),
    Command(_PLAY, "hand", "count a hand's fans, or say what it waits for"),
    Command(_RECORDS, "records", "check game records, or convert them",
            hint="the same command continues a conversion into the compact form"),
    Command(_RECORDS, "dataset", "make a set of games to learn from", extra="arena", hint=GOES_ON),
    Command(_STRENGTH, "check", "check the answers of a tactic, in seconds"),
    Command(_STRENGTH, "arena", "play a duplicate match and say who is better, or rate players of several",
            extra="arena", hint="with --json FILE " + GOES_ON),
    Command(_STRENGTH, "bench", "measure speed and compare it with references", extra="arena"),
    Command(_STRENGTH, "fit", "fit numbers of the tactics by playing", extra="arena",
            hint="the same command goes on from there, but `calibrate` begins anew"),
    Command(_LEARN, "train", "train a network on a set of games", extra="train", hint=GOES_ON),
    Command(_LEARN, "rl", "train a network by self-play", extra="train",
            hint="the same command goes on from the last checkpoint, if there is one"),
    Command(_OTHER, "guangdong", "Guangdong mahjong with wild tiles", extra="arena",
            hint="train and arena --json go on with the same command, the others begin anew"),
)
COMMANDS = {command.name: command for command in _COMMANDS}
# These commands speak the language of the system, and the others speak English.
PLAYER_COMMANDS = ("review", "hand", "play", "records", "referee", "library")
# The engine of the commands with these extras would take minutes for a game without the compiler, and say nothing.
_COMPILED_EXTRAS = ("arena", "train")
_ONE_POSITION = 1 << 11  # bytes; a bot's input is shorter, and a game of four seats longer


def main(argv: list[str] | None = None) -> int:
    """Runs a command line and returns its exit code.

    The exit code is that of the command, 2 for wrong use or input and for a full disk, 1 if nobody reads the output,
    and 128 plus the number of the signal after an interrupt.
    argv: the words after mj-bot, or None for those of this process.
    """
    words = sys.argv[1:] if argv is None else argv
    open_closed_streams()
    # Before numpy is imported: threads of BLAS only wait for each other where another process is busy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if argv is None and _is_short(words):
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    try:
        try:
            return _run(words)
        finally:
            speak("en")
            os.environ.pop(COMPILING, None)
            print(end="", flush=True)
    except OSError as error:
        is_unread = isinstance(error, BrokenPipeError) and _has_lost_its_reader(sys.stdout)
        if not is_unread and error.errno not in NO_ROOM:
            raise
        if not is_unread:
            print("%s: %s" % ("".join(words[:1]) or "mj-bot", say(
                "expected room on the disk, got: %s; make some and give the same command again", error)),
                file=sys.stderr)
        try:
            print(end="", flush=True)
        except OSError:
            # Nobody reads the output, for example after `| head`. At its end, Python would write the rest of the
            # output and report another error, so the rest goes to /dev/null.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1 if is_unread else 2


def _is_short(words: list[str]) -> bool:
    """Checks whether a command ends sooner without the compiler.

    It is one hand, or the review of one position before any command has compiled.
    """
    if words[:1] != ["review"]:
        return words[:1] == ["hand"] and "--open" not in words
    files = [word for word in words[1:] if os.path.isfile(word)]
    return (len(files) == 1 and os.path.getsize(files[0]) < _ONE_POSITION
            and not os.path.isdir(cache_folder("compiled")))


def _has_lost_its_reader(stream: TextIO) -> bool:
    poll = select.poll()
    poll.register(stream.fileno(), 0)  # with 0, the poll reports errors and closed pipes only
    return bool(poll.poll(0))


def _run(argv: list[str]) -> int:
    """Prints help, version or an error, or runs the command; returns the exit code."""
    speak(find_language(argv))
    if not argv or argv[0].startswith(("-h", "--help", "--lang")):
        print(_format_help())
        return 0 if argv else 2
    if argv[0] == "--version":
        print("mj-bot %s" % __version__)
        return 0
    if argv[0] not in COMMANDS:
        near = difflib.get_close_matches(argv[0], COMMANDS, n=1)
        hint = Message("did you mean %r?", near[0]) if near else "--help lists them"
        print(say("expected a command, got %r; %s", argv[0], hint), file=sys.stderr)
        return 2
    unify_stop_signals()
    if argv[0] not in PLAYER_COMMANDS:
        speak("en")
    os.environ[COMPILING] = say(COMPILING_TEXT)
    return _run_command(argv)


def _run_command(argv: list[str]) -> int:
    """Runs a command, prints its errors, and returns the exit code. argv: a name of COMMANDS, then its arguments."""
    wants_help = {"-h", "--help"}.intersection(argv)
    try:
        if not wants_help:
            _check_packages(argv[0])
        return importlib.import_module("mj_bot.lab.commands." + argv[0]).main(argv[1:])
    except SystemExit as ended:
        if wants_help and not ended.code:
            _print_examples(argv)
        raise
    except MahjongError as error:
        # The code of a tactic may import a package that only the workshop has.
        hint = isinstance(error.__cause__, ModuleNotFoundError) and describe_missing(error.__cause__.name)
        text = "%s; %s" % (say(error), say(hint)) if hint else say(error)
        # The text may have a name of a player or words of a tactic, with codes for the terminal in it.
        print("%s: %s" % (argv[0], clean_lines(text)), file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        hint = describe_missing(error.name)
        if not hint:
            raise
        print("%s: %s" % (argv[0], say(hint)), file=sys.stderr)
        return 2
    except (SyntaxError, NameError) as error:  # the user's file of a tactic may have one, or the registry of tactics
        print("%s: %s" % (argv[0], describe_error(error)), file=sys.stderr)
        return 2
    except KeyboardInterrupt as interrupt:
        hint = COMMANDS[argv[0]].hint
        print("%s: %s" % (argv[0], say("interrupted; %s", hint) if hint else say("interrupted")), file=sys.stderr)
        return compute_exit_code(interrupt)


def _check_packages(name: str) -> None:
    """Raises ModuleNotFoundError: a package is missing without which a command would do its work wrongly or slowly."""
    # handin tests its file on another Python, which has MahjongGB.
    for package in ["MahjongGB"] * (name != "handin") + ["numba"] * (COMMANDS[name].extra in _COMPILED_EXTRAS):
        if not importlib.util.find_spec(package):
            raise ModuleNotFoundError(name=package)


def _print_examples(argv: list[str]) -> None:
    """Prints what stands below the help of a command: what to install for it, and examples."""
    examples = list_examples(*argv[:2]) or list_examples(argv[0])
    extra = COMMANDS[argv[0]].extra
    if extra:
        print("\n%s %s" % (say("needs:"), format_install(extra)))
    print("\n" + say("examples:"), *map(_format_example, examples), sep="\n")


def _format_example(example: str) -> str:
    command, mark, comment = adapt_example(example).partition("# ")
    return "  mj-bot " + command + mark + say(comment)


def _format_help() -> str:
    lines = [say("usage: mj-bot COMMAND ..."), "", say(
        "Each command has a --help of its own. [NAME]: it needs the extra NAME, as in %s.", format_install("arena"))]
    for group in dict.fromkeys(command.group for command in _COMMANDS):
        lines += ["", say(group)]
        lines += ["  %-12s%s%s" % (command.name, say(command.help), " [%s]" % command.extra if command.extra else "")
                  for command in _COMMANDS if command.group == group]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
