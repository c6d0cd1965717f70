"""Makes mj_bot.pyz, the one file to upload to Botzone.

    python3 handin.py --tactic rule_based

It contains the shipped rooms of mj_bot and at most one weight file with its card; the same files give the same bytes.
Before writing, handin.py tests the file on sample requests, with .venv's Python if this one misses a library of the
bot. Exit code 0: the file is written; 2: it is not, and stderr says why.
"""

import argparse
import ast
import hashlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

from mj_bot.botzone import BLIND, BUDGET, JSON, KEEP_RUNNING, parse_reply
from mj_bot.deadline import BudgetExceeded
from mj_bot.mahjong.action import format_action
from mj_bot.mahjong.errors import MahjongError
from mj_bot.mahjong.state import GameState
from mj_bot.trouble import describe

try:
    from mj_bot.tactic import DEFAULT_TACTIC, TACTICS, default_weights, parse_spec
except (SyntaxError, NameError) as error:  # in a line of the registry
    print("handin: %s" % describe(error), file=sys.stderr)
    sys.exit(2)

REPOSITORY = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "mj_bot"
WORKSHOP = "lab"
# The libraries of the bot, see requirements.txt, and the target of make that installs them.
LIBRARIES = ("numpy", "MahjongGB")
READY = ".venv/play.ready"
# A tactic opens its file there with mj_bot.tactic.read_weight_file, and the card with read_weight_card.
WEIGHTS_FOLDER = "weights"
SAMPLE_FOLDER = os.path.join(REPOSITORY, "data", "samples")
# The sample requests. The answers to the last two must be a win: by an own draw, and on the tile of another's kong.
SAMPLES = ("draw.json", "claim.json", "kong.json")
WINS = ("win.json", "rob.json")
MAX_BYTES = 4000000
MAX_MB = 256
PROOF_SECONDS = 30
PROOF_TRIES = 3

_OWN_ERRORS = MahjongError.__module__ + "."
_MAIN = '''"""What Botzone starts; made by handin.py."""

import os
import sys
import zipimport


class Importer(zipimport.zipimporter):
    """Python's own compiles a module twice, once only to tell the name of its file. This saves 20 ms a turn."""

    def get_filename(self, name):
        end = os.sep + "__init__.py" if self.is_package(name) else ".py"
        return self.archive + os.sep + self.prefix + name.rpartition(".")[2] + end


sys.path_hooks[:] = [Importer if hook is zipimport.zipimporter else hook for hook in sys.path_hooks]
sys.path_importer_cache.clear()

from mj_bot.botzone import run

run(%r, keep_running=%r)
'''


# Starts the file as Botzone does: without the repository's modules, and in a folder without its files.
_START = """import os, runpy, sys
sys.path[:] = [path for path in sys.path if path != sys.argv[2]]
runpy.run_path(sys.argv[1], run_name="__main__")
if os.path.exists("/proc/self/status"):
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) >> 10 for line in status if line.startswith("VmHWM:"))
    if peak > %d:
        sys.exit("expected at most %d MB of memory, got %%d" %% peak)""" % (MAX_MB, MAX_MB)


class HandinError(Exception):
    """Why there is no file to hand in."""


def list_sources(suffix=".py"):
    """Returns the paths of the shipped files with this suffix, relative to the repository, sorted."""
    paths = []
    for folder, folders, names in os.walk(os.path.join(REPOSITORY, PACKAGE)):
        folders[:] = [name for name in folders if not name.startswith((".", "__")) and name != WORKSHOP]
        paths += [os.path.join(folder, name) for name in names if name.endswith(suffix)]
    return sorted(os.path.relpath(path, REPOSITORY).replace(os.sep, "/") for path in paths)


def build(tactic=DEFAULT_TACTIC, weights=None, keep_running=False):
    """The bytes of the .pyz.

    tactic: spec as mj_bot.tactic.parse_spec takes it. weights: path of a weight file, instead of the spec's option
    `weights`.
    keep_running: whether the bot stays for the requests after the first; also a setting of the bot on Botzone.
    Raises UnknownTacticError: a tactic that is not registered.
    Raises HandinError: a tactic outside mj_bot, no such weight file, or 4 MB and more.
    """
    contents = {path: _read(os.path.join(REPOSITORY, path)) for path in list_sources() + list_sources(".json")}
    name, options = parse_spec(tactic)
    if sys.version_info >= (3, 8):
        for path in list_sources():
            _check_syntax(path, contents[path])
    place = str(TACTICS[name])
    if not place.startswith(PACKAGE + "."):
        raise HandinError("expected a tactic as 'mj_bot.tactic.MODULE:CLASS', as the file contains only mj_bot, got %s"
                          % place)
    weights = weights or options.get("weights") or default_weights(name)
    if weights:
        name = os.path.basename(str(weights))
        tactic += ("," if ":" in tactic else ":") + "weights=" + name
        if parse_spec(tactic)[1]["weights"] != name:
            raise HandinError("expected a weight file whose name is no number and has no comma, got %r" % name)
        contents["%s/%s/%s" % (PACKAGE, WEIGHTS_FOLDER, name)] = _read(weights)
        card = os.path.splitext(str(weights))[0] + ".json"
        if os.path.isfile(card):
            contents["%s/%s/%s" % (PACKAGE, WEIGHTS_FOLDER, os.path.basename(card))] = _read(card)
    contents["__main__.py"] = (_MAIN % (tactic, keep_running)).encode()
    archive = _zip(contents)
    if len(archive) >= MAX_BYTES:
        raise HandinError("expected a file under %d bytes, got %d; weights in half precision may fit"
                          % (MAX_BYTES, len(archive)))
    return archive


def _check_syntax(path, source):
    """Raises HandinError: what Botzone's Python 3.6 does not know, as far as the syntax tells."""
    try:
        source.decode()
    except UnicodeDecodeError as error:
        raise HandinError("expected a file in UTF-8, got byte 0x%02x (line %d of %s)" % (
            source[error.start], source[:error.start].count(b"\n") + 1, path)) from None
    for wanted, version in (("", None), ("expected Python 3.6, got ", (3, 6))):
        try:
            tree = ast.parse(source, path, feature_version=version)
        except SyntaxError as error:
            raise HandinError(wanted + describe(error, path)) from None
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__" and any(
                name.name == "annotations" for name in node.names):
            raise HandinError("expected Python 3.6, got from __future__ import annotations (line %d of %s)" % (
                node.lineno, path))


def _read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise HandinError("expected a readable file, got %r: %s" % (path, error.strerror)) from None


def _zip(contents):
    """A zip of {path: bytes}, always with the same bytes."""
    buffer = io.BytesIO()
    # Stored, not deflated: every zlib packs differently, and modules are imported from here at each turn.
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(contents):
            entry = zipfile.ZipInfo(path, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, contents[path])
    return buffer.getvalue()


def read_tactic(path):
    """The spec of the tactic in a file that handin.py made, "" of another file, None where there is none."""
    if not os.path.exists(path):
        return None
    try:
        with zipfile.ZipFile(path) as archive:
            return re.search(r"run\('([^']*)'", archive.read("__main__.py").decode()).group(1)
    except (OSError, KeyError, ValueError, AttributeError, zipfile.BadZipFile):
        return ""


def choose_python():
    """The Python that tests the file: this one if it has the libraries of the bot, else that of .venv.

    Raises HandinError: make cannot set up .venv.
    """
    if all(importlib.util.find_spec(name) for name in LIBRARIES):
        return sys.executable
    if not os.path.exists(os.path.join(REPOSITORY, READY)):
        print("handin: setting up .venv to test the file there, once ...", file=sys.stderr)
    try:
        subprocess.run(["make", "--silent", "--directory", REPOSITORY, READY], check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        raise HandinError("expected `make %s` to install the libraries of the bot: %s" % (READY, error)) from None
    return os.path.join(REPOSITORY, ".venv", "bin", "python")


def try_file(path, keep_running=False, python=sys.executable):
    """The file's answers to the sample requests, {name of the sample: answer}.

    keep_running: as the file was built.
    Raises HandinError: no answer, an illegal one, one that is not the tactic's own, or a missed win.
    """
    answers = {}
    for name in SAMPLES + WINS:
        text = _read(os.path.join(SAMPLE_FOLDER, name)).decode()
        output = _ask(path, text, name, python=python)
        output, marker, _ = output.partition(KEEP_RUNNING)
        if bool(marker) != keep_running:
            raise HandinError("expected %s line %s after the answer to %s"
                              % ("the" if keep_running else "no", KEEP_RUNNING, name))
        answers[name] = parse_reply(output, JSON).response
        legal = [format_action(action) for action in GameState().load_json(json.loads(text)).action_space()]
        if name in WINS:
            legal = ["HU"]
        if answers[name] not in legal:
            raise HandinError("expected %s to data/samples/%s, got %r" % (
                "the win HU" if name in WINS else "one of " + ", ".join(legal), name, answers[name]))
    return answers


def _ask(path, text, name, *, python):
    """The output of the file at `path` for the input `text` of the sample `name`."""
    for _ in range(PROOF_TRIES):
        try:
            with tempfile.TemporaryDirectory() as elsewhere:
                result = subprocess.run(
                    [python, "-c", _START, os.path.abspath(path), REPOSITORY], input=text, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, encoding="utf-8", errors="replace", timeout=PROOF_SECONDS,
                    cwd=elsewhere,
                )
        except subprocess.TimeoutExpired:
            raise HandinError("expected an answer to %s and the end of the process, got none in %d s" % (
                name, PROOF_SECONDS)) from None
        said = result.stderr.strip()
        last = said.splitlines()[-1] if said else ""
        if BudgetExceeded.__name__ not in said:
            break
    else:
        raise HandinError("expected the tactic's answer to %s within %g s, it was cut short %d times: the tactic "
                          "is too slow, or this machine is busy; the last time: %s"
                          % (name, BUDGET, PROOF_TRIES, last.partition(": ")[2]))
    missing = any("No module named '%s'" % library in said for library in LIBRARIES) or BLIND in said
    if last.startswith(_OWN_ERRORS) and not missing:
        # The project's own errors are complete: a wrong option, a file that is no weights.
        raise HandinError(last.partition(": ")[2])
    if missing or "No module named" in said:
        raise HandinError("expected %s to have the libraries of the bot: %s -m pip install -r requirements.txt; it "
                          "says %s" % (python, python, last))
    if last.startswith("expected at most"):  # by _START
        raise HandinError("%s, at %s" % (last, name))
    if result.returncode or "Traceback (most recent call last)" in said:
        raise HandinError("expected a clean answer to %s, got exit code %d and\n%s" % (
            name, result.returncode, said or "nothing on stderr"))
    if said and name in SAMPLES:
        print("The bot says on stderr, at %s:\n%s" % (name, said), file=sys.stderr)
    return result.stdout


def main(argv=None):
    """Exit code of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tactic", default=DEFAULT_TACTIC, help="a tactic with its options (%(default)s)")
    parser.add_argument("--weights", metavar="FILE", help="weights that the tactic loads")
    parser.add_argument("--keep-running", action="store_true",
                        help="for a bot version with the long-running setting on Botzone, and for no other")
    parser.add_argument("--output", default="mj_bot.pyz", metavar="FILE", help="the file to make (%(default)s)")
    options = parser.parse_args(argv)
    unfinished = options.output + ".tmp"
    try:
        if os.path.lexists(options.output):
            os.stat(options.output)  # a loop of links is an error, not replaced
        archive = build(options.tactic, options.weights, options.keep_running)
        os.makedirs(os.path.dirname(unfinished) or ".", exist_ok=True)
        try:
            with open(unfinished, "wb") as file:
                file.write(archive)
            answers = try_file(unfinished, options.keep_running, choose_python())
            tactic, former = read_tactic(unfinished), read_tactic(options.output)
            os.replace(unfinished, options.output)
        finally:
            if os.path.exists(unfinished):
                os.remove(unfinished)
    except (HandinError, MahjongError) as error:
        print("handin: %s" % error, file=sys.stderr)
        return 2
    except OSError as error:
        print("handin: expected to write %r: %s" % (options.output, error.strerror or error), file=sys.stderr)
        return 2
    print("%s: %s, %d bytes, sha256 %s" % (options.output, options.tactic, len(archive),
                                           hashlib.sha256(archive).hexdigest()))
    if former not in (None, tactic):
        print("Before, %s had %s." % (options.output, "the tactic " + former if former else "something else in it"))
    print("It answers %s." % ", ".join("%s to %s" % (answers[name], name) for name in SAMPLES + WINS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
