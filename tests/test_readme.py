"""What README.md shows works, and README.zh-CN.md shows the same."""

import doctest
import importlib
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from mj_bot.lab.upload.pyz import PROJECT_FOLDER as REPOSITORY
from mj_bot.lab.run.examples import list_examples
from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.players import TacticPlayer
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.tactic import TACTICS, load_tactic
from tests.lab.test_main import check_command

READMES = ("README.md", "README.zh-CN.md")
INSTALLATION = ("docs/install.md", "docs/install.zh-CN.md")


def list_files(pattern):
    return sorted(str(path.relative_to(REPOSITORY)) for path in Path(REPOSITORY).glob(pattern))


PAGES = ("data/results/README.md", "data/samples/README.md", "tests/golden/README.md", *list_files("docs/**/*.md"))
PROGRAMS = ("mj-bot", "python", "torchrun", "make")


def read(name):
    return Path(REPOSITORY, name).read_text(encoding="utf-8")


def list_commands(name):
    """The commands of a README, without comments."""
    lines = re.sub("```.*?```", "", read(name), flags=re.S).splitlines()
    return [line.partition("  #")[0].strip() for line in lines if line.startswith("    ")]


def list_snippets(name):
    return re.findall("```python\n(.*?)```", read(name), re.S)


def list_rows(name):
    """The rows of the tables: of each cell what is in no language, code and numbers."""
    rows = [line.strip("|").split("|") for line in read(name).splitlines() if line.startswith("|")]
    return [[sorted(re.findall(r"`[^`]+`|[-+]?\d[\d.,]*%?", cell)) for cell in row] for row in rows]



@pytest.mark.parametrize("pages", (READMES, INSTALLATION))
def test_both_languages_show_the_same(pages):
    one, other = pages
    assert list_commands(one) == list_commands(other)
    assert list_snippets(one) == list_snippets(other)
    for first, second in zip(list_rows(one), list_rows(other), strict=True):
        assert first == second
    links = [[link.replace(".zh", "").replace("-CN", "") for link in re.findall(r"\]\((.*?)\)", read(name))
              if link[0] != "#" and Path(link).stem.partition(".")[0] != Path(one).stem] for name in pages]
    assert links[0] == links[1]


def list_anchors(page):
    """Returns the anchors of the headings of a page, as GitHub names them."""
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall("^#+ (.*)", page.read_text(encoding="utf-8"), re.M)}


@pytest.mark.parametrize("name", (*READMES, *PAGES))
def test_links_lead_somewhere(name):
    for link in re.findall(r"\]\((.*?)\)", read(name)):
        if not link.startswith("https://"):
            path, _, anchor = link.partition("#")
            page = Path(REPOSITORY, name).parent / path if path else Path(REPOSITORY, name)
            assert page.exists(), link
            assert not anchor or anchor in list_anchors(page), link



def test_the_hand_that_is_worked_through_has_these_numbers():
    failed, count = doctest.testfile(os.path.join(REPOSITORY, "docs/search.md"), module_relative=False)
    assert failed == 0 and count > 20


def test_places_are_there():
    """Every folder and file that the README and docs/architecture.md name in their tables."""
    names = re.findall(r"`([\w.]+/[\w./]*|\w+\.py)`", "".join(
        line for page in ("README.md", "docs/architecture.md") for line in read(page).splitlines()
        if line.startswith("|") and "NAME" not in line))
    assert len(names) > 30
    for place in names:
        assert any(Path(REPOSITORY, top, place).exists() for top in ("", "mj_bot", "mj_bot/lab")), place


def test_a_command_is_an_example_of_its_help():
    """Examples are checked in lab/test_main.py. The commands of the measured table are those of the results."""
    examples = {example.partition("  #")[0].strip() for example in list_examples()}
    shown = [shlex.split(command) for command in list_commands("README.md") if "mj-bot " in command]
    for program, *words in shown:
        command = shlex.join(words)
        assert program == "mj-bot"
        assert any(shlex.split(example) == words for example in examples) or " --rotations 4" in command, command


def list_written_commands():
    """(file, words) of commands in the README, pages, examples and settings, without those that a study has removed."""
    for name in (READMES[0], *PAGES, *list_files("examples/*.py"), *list_files("data/runs/*.toml")):
        text = re.sub(r"\*\*Command\.\*\*(?:[^\n]|\n(?!\n))*? removed in .*?(?=\n#|\Z)", "", read(name), flags=re.S)
        for line in re.findall(r"^[# ]* {3}((?:%s) .*)" % "|".join(PROGRAMS), text, re.M):
            line = re.sub(r"\$\(.*?\)", "build/a.npz", line)
            yield name, shlex.split(line.replace("NAME", "small").replace(" N ", " 1 "), comments=True)


@pytest.mark.parametrize("name", (*READMES, *PAGES, *list_files("examples/*.py"), *list_files("data/runs/*.toml")))
def test_commands_read_the_same_in_a_clone_and_installed(name):
    """They began with .venv/bin/, which an installed package does not have."""
    assert ".venv/bin/" not in read(name).replace("source .venv/bin/activate", "")


@pytest.mark.parametrize("name, words", [
    pytest.param(*found, id=" ".join(found[1])) for found in dict.fromkeys(
        (name, tuple(words)) for name, words in list_written_commands())])
def test_a_written_command_is_understood(name, words, monkeypatch):
    """By the parser of its program; data/ and tests/ have its files, and the tactics their options."""
    assert all(Path(REPOSITORY, word.partition(":")[0]).exists()
               for word in words if re.match(r"(data|tests|examples)/[^{]*\.", word))
    for word in words:
        if re.fullmatch("(%s):[a-z_]+=.*" % "|".join(TACTICS), word) and "build/" not in word:
            load_tactic(word)
    program, *words = words
    if program == "make":
        assert re.search("^([a-z ]* )?%s[: ]" % words[0], read("Makefile"), re.M)
    elif words[:2] == ["-m", "pytest"] or words[0] == "mj_bot.pyz":
        pass  # in other tests
    elif program == "python":
        check_command(words, monkeypatch, run_script)
    else:
        check_command(words[words.index("mj_bot.lab") + 1 if "mj_bot.lab" in words else 0:], monkeypatch)


def run_script(words):
    if words[0].endswith("ppo.py"):
        pytest.importorskip("torch", reason="no torch: `make train` installs it")
    if words[0].endswith("maskable_ppo.py"):
        pytest.importorskip("sb3_contrib", reason="no sb3-contrib: `pip install sb3-contrib` installs it")
    with pytest.MonkeyPatch.context() as patch:
        if words[0] == "-m":
            patch.setattr(sys, "argv", words[1:])
            importlib.import_module(words[1]).main()
            return
        patch.setattr(sys, "argv", words)
        patch.syspath_prepend(os.path.join(REPOSITORY, os.path.dirname(words[0])))
        runpy.run_path(os.path.join(REPOSITORY, words[0]), run_name="__main__")


def test_the_tactic_in_ten_lines_plays():
    source = next(source for source in list_snippets("README.md") if source.startswith("class "))
    assert len(re.findall(r"\n +(?!\"\"\")\S", source)) <= 10
    names = {}
    exec(source, names)
    record = play_game([TacticPlayer(names["SimpleTactic"](), "simple") for _ in range(4)], wall_from_seed(1), 0)
    assert record.closing["action"] in ("HU", "HUANG")


def test_pettingzoo_in_ten_lines_runs(capsys):
    source = next(source for source in list_snippets("docs/engine.md") if "pettingzoo_env" in source)
    assert len([line for line in source.splitlines() if line]) <= 10
    exec(source, {})
    agents = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert sorted(agents) == ["seat_%d" % seat for seat in range(4)]
    assert sum(map(float, agents.values())) == 0 < max(map(float, agents.values()))


WITHOUT_THE_WORKSHOP = """
import sys
sys.modules.update(dict.fromkeys(sys.argv[1].split(), None))
from mj_bot.lab.__main__ import main
sys.exit(any(main(words.split()) for words in sys.argv[2:]))
"""


def test_after_make_play_a_game_can_be_played_replayed_and_reviewed(tmp_path):
    requirements = "".join(read("3rdparty/requirements-%s.txt" % name) for name in ("workshop", "train", "test"))
    missing = re.findall(r"^([\w-]+)==", requirements, re.M)
    assert "numba" in missing
    # The game of this seed is short.
    commands = ("referee%s --seed 8 --log game.json" % (4 * " rule_based"), "replay game.json --tactic random",
                "review game.json --tactic random --seat west -o game.html", "hand 123m456s789pEE55p")
    done = subprocess.run([sys.executable, "-c", WITHOUT_THE_WORKSHOP, " ".join(missing), *commands], cwd=tmp_path,
                          env=dict(os.environ, PYTHONPATH=REPOSITORY), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "game.html").stat().st_size > 10000
