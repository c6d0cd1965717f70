"""Every command of the READMEs, pages, examples and settings runs from a clean copy, makers of files before readers."""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from mj_bot.lab.upload.pyz import PROJECT_FOLDER as REPOSITORY
from mj_bot.lab.run.examples import list_examples
from mj_bot.lab.train.recipes import RECIPES
from tests.test_examples import add_examples
from tests.test_readme import list_written_commands

# What a command gets in addition, so that it takes seconds: of an option that is given twice, the last one counts.
SIZES = {
    "arena ratings": "", "arena": "--walls 2", "bench": "--seconds 0.01", "dataset export": "", "dataset": "--games 64",
    "fit calibrate": "--games 256",
    "fit verdict": "--games 256", "fit books": "--games 256",
    "fit correction": "--games 4096 --rounds 1", "guangdong selfplay": "--records 3000",
    "guangdong train": "--samples 5e3", "train evaluate": "--decisions 200",
    "examples/ppo.py": "--updates 2 --walls 20", "examples/teach.py": "--games 4",
    **{"train " + name: "--samples 256 --set schedule.batch_size=64" for name in RECIPES},
    "rl": "--set run.games=256 --set run.games_per_iteration=64 --set run.groups=1 --set run.width=64 "
    "--set run.save_games=64 --set league.past_games=64 --set critic.warmup_games=0",
}
SAVED = 64  # games of self-play after which weights are saved
# `play` and `live` do not end by themselves; `make` sets up what these tests need; sb3-contrib is not installed by it.
SKIPPED = {"make", "play", "live", "examples/maskable_ppo.py"}
MADE = re.compile(r"build/[\w./-]+|examples/ppo.py|mj_bot.pyz|library")  # what commands make for others


def list_commands():
    """Words of each command, the makers of records before those that read them, runs before the reports on them."""
    # The settings of self_play.md are written by hand.
    found = [words for name, words in list_written_commands() if not name.endswith("self_play.md")]
    found += [["mj-bot", *shlex.split(example, comments=True)] for example in list_examples()]
    made = {word for words in found for option, word in zip(words, words[1:]) if option == "--output"}
    for words in [words for words in found if words[1:3] == ["train", "report"]]:
        found[found.index(words):found.index(words)] = [
            [words[0], "train", Path(run).name, "--data", "build/sets/search-20k", "--output", run]
            for run in words[3:] if Path(run).name in RECIPES and run not in made]
    return sorted(dict.fromkeys(map(tuple, found)), key=lambda words: "selfplay" not in words and not (
        words[1] == "dataset" and sum("build/" in word for word in words) == 1))


def list_chains():
    """Lists of the commands that make and read the same files, in their order; most commands are alone."""
    commands = [words for words in list_commands() if not SKIPPED.intersection(words[:3])]
    chains = []
    for words in commands:
        line = " ".join(words) + " mj_bot.pyz" * (words[1] == "handin" and not {"-o", "--output"} & {*words})
        names = {"/".join(name.split("/")[:3]) for name in MADE.findall(line)} - {"build/game.json", "build/played"}
        tied = [chain for chain in chains if chain[0] & names]
        chains = [chain for chain in chains if chain not in tied]
        chains.append((names.union(*(chain[0] for chain in tied)), sum((chain[1] for chain in tied), [words])))
    return [sorted(chain, key=commands.index) for _, chain in chains]


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A clean copy of the project, with the examples registered, whose commands are found first."""
    if not Path(REPOSITORY, ".venv/bin/torchrun").exists():
        pytest.skip("no .venv with torch: `make train` makes it")
    for name in subprocess.check_output(["git", "ls-files"], cwd=REPOSITORY, text=True).splitlines():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(Path(REPOSITORY, name), tmp_path / name)
    add_examples(tmp_path)
    (tmp_path / ".venv").symlink_to(Path(REPOSITORY, ".venv").resolve())
    (tmp_path / "build/played").mkdir(parents=True)
    for name in ("build/game.json", "build/played/game.json", "match.json"):  # of `make play`, `play` and Botzone
        shutil.copy(tmp_path / "data/results/game.json", tmp_path / name)
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path / ".venv/bin"), os.environ["PATH"])))
    return tmp_path


def shorten(words):
    """Returns the words of a command with options of SIZES, and with the network that a short run saves."""
    start = max([0, *(index for index, word in enumerate(words) if word == "mj_bot.lab")])
    name = " ".join(words[start + 1:][:2]) + " "
    words = [re.sub(r"(weights|averages)/\d{9}.npz", r"\1/%09d.npz" % SAVED, word) for word in words]
    return [*words, *next((sizes.split() for key, sizes in SIZES.items() if name.startswith(key + " ")), ())]


@pytest.mark.slow
@pytest.mark.parametrize("chain", [pytest.param(chain, id=" ".join(chain[0])) for chain in list_chains()])
def test_commands_run(chain, copy):
    """One test ran them all for half an hour, in one share of the slow tests."""
    for words in chain:
        if words[1:3] == ("dataset", "export") and not importlib.util.find_spec("pyarrow"):
            continue
        # Compared matches have the same walls.
        line = re.sub(r" --compare \S+", "", shlex.join(shorten(words)).replace("'<'", "<"))
        done = subprocess.run(line, shell=True, cwd=copy, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, "%s\n%s" % (line, done.stderr[-600:])
