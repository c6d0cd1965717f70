"""The command `rl ablate`: what each part of learning by self-play is worth.

Every run learns from the same number of games, from the same start; then its network plays duplicate matches on the
walls of [strength]. A part's worth is the difference from the base at the same walls. Its interval is that of the
walls: what other random numbers of learning would have made of the same settings is not in it. So a list of parts does
well to have one that changes run.seed alone, and no part has earned its place whose interval is not beyond that one's
difference.

    FOLDER/base            the run of the base's settings
    FOLDER/NAME            that of a part, as of loop.py and strength.py
    FOLDER/ablation.json   what came of it
"""

import argparse
import re
import shlex
import sys
import time
import tomllib
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from ...mahjong.errors import MahjongError, ModelMismatchError
from ...network.weights import find_weights, read_stored
from ..batch import load_batch
from ..arena.columns import describe_interval, format_interval
from ..run.files import write_dict
from ..run.provenance import find_commit
from .config import parse_config, read_config
from .loop import WEIGHTS, Learning
from .strength import START, find_match, list_networks, measure_networks, read_strength

FORMAT = "mj_bot self-play ablation"
VERSION = 1
BASE = "base"
RESULT = "ablation.json"
_INTERRUPTED = 130
_NAMES = {"base": str, "games": int, "part": list}
# What all runs share, or their differences would be those of other things than learning: [table] and name.
_SHARED = {("run", "start"), ("run", "advice"), ("run", "games")}
_SHARED_TABLES = ("adapt", "strength")
_RATES = ("wins", "deal_ins", "draws", "claims", "fan")

# A part as its file has it. folder: of its run. is_in_base: the base has it, and the run is without it. settings: those
# that differ from the base's. config: all settings of the run.
Part = namedtuple("Part", "name folder is_in_base settings config")


def main(argv):
    """The command `rl ablate`; returns its exit code, 130 where the keyboard interrupted it."""
    options = _parse_arguments(argv)
    if options.threads:
        torch.set_num_threads(options.threads)
    base, parts = read_ablation(options.ablation)
    if Path(options.output).exists() and not Path(options.output).is_dir():
        raise MahjongError("expected a folder for the runs, got %r" % options.output)
    start = time.monotonic()
    try:
        is_done = run_ablation(base, parts, options.output, options.minutes)
    except KeyboardInterrupt:
        print("rl ablate: interrupted; the same command goes on from there", file=sys.stderr)
        return _INTERRUPTED
    rows = describe_rows(base, parts, options.output)
    path = str(Path(options.output) / RESULT)
    write_dict(path, {
        "format": FORMAT, "version": VERSION, "commits": find_commit(), "command": shlex.join(
            ["python3", "-m", "mj_bot.lab", "rl", "ablate", options.ablation, "--output", options.output]),
        "is_done": is_done, "seconds": round(time.monotonic() - start, 1), "base": base.as_dict(), "rows": rows,
    })
    print(format_table(rows), end="")
    print("The table is saved as %s%s" % (path, "" if is_done else "; the same command goes on"), file=sys.stderr)
    return 0


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab rl ablate",
        description="Learns by self-play with each part of learning switched, plays the networks that come of it, and "
                    "prints a table of what each part is worth.",
        epilog="The same command goes on where it was broken off, also after a kill.")
    parser.add_argument("ablation", metavar="ABLATION", help="a TOML file, such as data/runs/ablation_cpu.toml")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="where the runs live, and the table")
    parser.add_argument("--minutes", type=float, metavar="M",
                        help="break off after the iteration or the match that passes so many")
    parser.add_argument("--threads", type=int, metavar="N", help="of the processor, for the learner")
    return parser.parse_args(argv)


def read_ablation(path):
    """(config.Config of the base, list of Part) of a TOML file.

    base: a file of settings; games: that each run learns from; part: tables with a name, is_in_base (false) and the
    tables of config.py with what differs from the base.
    Raises MahjongError: no such file, or what it has cannot be.
    """
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise MahjongError("expected a file of parts, got %r: %s" % (str(path), error)) from None
    if {name: type(value) for name, value in data.items()} != _NAMES:
        raise MahjongError("expected base = a file, games = a number and tables [[part]], got %s in %s" % (
            ", ".join("%s = %r" % item for item in data.items() if item[0] != "part") or "none of them", path))
    base = read_config(data["base"])
    opponents = tuple(dict.fromkeys((START,) + base.strength.opponents))
    base = replace(base, run=replace(base.run, games=data["games"]), strength=replace(
        base.strength, opponents=opponents))
    _check_games(base, data["base"])
    for opponent in opponents:
        if not opponent.endswith(START):
            load_batch(opponent.removeprefix("3 "))
    parts = [_parse_part(part, base, path) for part in data["part"]]
    folders = [part.folder for part in parts]
    for part in parts:
        if folders.count(part.folder) > 1 or part.folder in (BASE, START):
            raise MahjongError("expected a name that no other run has, got %r in %s" % (part.name, path))
    return base, parts


def _parse_part(data, base, path):
    if not isinstance(data, dict) or not isinstance(data.get("name"), str) or not data["name"].strip():
        raise MahjongError("expected a part with a name, got %r in %s" % (data, path))
    where = "part %r of %s" % (data["name"], path)
    is_in_base = data.get("is_in_base", False)
    settings = {name: table for name, table in data.items() if name not in ("name", "is_in_base")}
    if type(is_in_base) is not bool or not all(isinstance(table, dict) for table in settings.values()):
        raise MahjongError("expected is_in_base = true or false and tables of settings, got %r in %s" % (data, where))
    for name, table in settings.items():
        shared = [name] if name in _SHARED_TABLES else [key for key in table if (name, key) in _SHARED]
        if shared:
            raise MahjongError("expected parts that begin and are measured as the base is, got %s in [%s] of %s" % (
                shared[0], name, where))
    whole = base.as_dict()
    for name, table in settings.items():
        whole[name] = dict(whole.get(name, {}), **table)
    config = parse_config(whole, where)
    if config == base:
        raise MahjongError("expected settings that differ from the base's, got %r in %s" % (settings, where))
    _check_games(config, where)
    return Part(data["name"], re.sub(r"\W+", "_", data["name"]), is_in_base, settings, config)


def _check_games(config, where):
    run = config.run
    if run.games <= 0 or run.games % run.games_an_iteration:
        raise MahjongError("expected games = whole iterations of %d, got %r for %s" % (
            run.games_an_iteration, run.games, where))


def run_ablation(base, parts, folder, minutes=None, show=True):
    """Learns and plays what is not done yet; whether it came to the end.

    minutes: after which nothing new is begun; None for no limit.
    Raises ModelMismatchError: the folder of a run holds another one. MahjongError: it learnt from more games.
    """
    stop = time.monotonic() + 60 * minutes if minutes is not None else np.inf
    runs = [(Path(folder) / BASE, base)] + [(Path(folder) / part.folder, part.config) for part in parts]
    # Matches come last, since a machine that is lent for learning is not needed for them.
    return (all(_learn(config, place, stop, show) for place, config in runs)
            and all(_play(config, place, stop, show) for place, config in runs))


def _learn(config, folder, stop, show):
    if show:
        print("rl ablate: learning, %s" % folder, file=sys.stderr)
    path = _find_weights(folder, config.run.games)
    if path.exists():
        _check_settings(config, path)
        return True
    learning = Learning(config, folder)
    left = (stop - time.monotonic()) / 60
    if learning.games < config.run.games and left > 0:
        learning.run(left, show)
    if learning.games > config.run.games:
        raise MahjongError("expected a run of at most %d games in %s, got %d; give it another folder" % (
            config.run.games, folder, learning.games))
    return learning.games == config.run.games


def _check_settings(config, path):
    """Refuses a network that learnt by others; its card, unlike the checkpoint, is small enough to take anywhere."""
    card, _ = read_stored(find_weights(str(path)), str(path))
    whole = config.as_dict()
    for name, table in card["config"].items():
        if whole[name] != dict(whole[name], **table):
            raise ModelMismatchError("expected a run of [%s] %r, got %r in %s; give it another folder" % (
                name, whole[name], table, path))


def _play(config, folder, stop, show):
    if show:
        print("rl ablate: matches, %s" % folder, file=sys.stderr)
    # The start is the same for all.
    paths = ([list_networks(folder)[0]] if folder.name == BASE else []) + [_find_weights(folder, config.run.games)]
    for opponent in tqdm(config.strength.opponents, unit="match", disable=not show):
        if time.monotonic() > stop:
            return False
        measure_networks(folder, paths, replace(config.strength, opponents=(opponent,)), show=False)
    return True


def _find_weights(folder, games):
    return Path(folder) / WEIGHTS / ("%09d.npz" % games)


def describe_rows(base, parts, folder):
    """The rows of the table as dicts for JSON: the start, the base, and each part that has played all its matches.

    difference: points a game less the base's at the same walls, against an opponent or the mean over all; is_earned:
    whether the part does more good than another seed can; None where there is no part, or it is the seed.
    """
    folder = Path(folder)
    whole = _read_matches(base, folder / BASE, base.run.games)
    start = _read_matches(base, folder / BASE, 0)
    if whole is None or start is None:
        return []
    rows = [_describe(START, base, start, whole), _describe("+ learning", base, whole, {})]
    for part in parts:
        matches = _read_matches(part.config, folder / part.folder, part.config.run.games)
        if matches is not None:
            label = "%s %s" % ("without" if part.is_in_base else "with", part.name)
            rows.append(dict(_describe(label, part.config, matches, whole), part=part.name, folder=part.folder,
                             is_in_base=part.is_in_base, settings=part.settings))
    by_chance = max((abs(row["difference"]["mean"]) for row in rows if _is_other_seed(row)), default=0.0)
    for row in rows:
        if "part" in row and not _is_other_seed(row):
            gain = row["difference"]
            least = -(gain["high"] or 0) if row["is_in_base"] else gain["low"] or 0
            row["is_earned"] = least > by_chance
    return rows


def _is_other_seed(row):
    return {name: list(table) for name, table in row.get("settings", {}).items()} == {"run": ["seed"]}


def _read_matches(config, folder, games):
    """{opponent: match of strength.py} of a run's network after so many games; None where one is missing."""
    measured = read_strength(folder)
    path = _find_weights(folder, games)
    matches = {opponent: find_match(measured, path, opponent, config.strength)
               for opponent in config.strength.opponents if games or not opponent.endswith(START)}
    return None if None in matches.values() else matches


def _describe(label, config, matches, whole):
    """A row; whole: the base's matches, {} for its own row."""
    # The start, which does not meet itself, would have 0 at every wall.
    level = {"scores": config.strength.walls * [0.0]}
    scores = {opponent: np.array(matches.get(opponent, level)["scores"]) for opponent in config.strength.opponents}
    gains = {opponent: own - np.array(whole[opponent]["scores"]) for opponent, own in scores.items() if whole}
    return {
        "run": label, "games": max((match["games"] for match in matches.values()), default=0),
        "minutes": max((match["minutes"] for match in matches.values()), default=0.0),
        "matches": [dict({"opponent": opponent, "points": describe_interval(scores[opponent]),
                          "difference": describe_interval(gains[opponent]) if gains else None},
                         **{name: match[name] for name in _RATES}) for opponent, match in matches.items()],
        "points": _describe_mean(scores), "difference": _describe_mean(gains) if gains else None, "is_earned": None,
    }


def _describe_mean(by_opponent):
    """The mean over the opponents, who all met the same walls."""
    return describe_interval(np.mean(list(by_opponent.values()), axis=0))


def format_table(rows):
    """The rows as a Markdown table, with a column for each opponent; rates are means over the matches."""
    opponents = list(dict.fromkeys(match["opponent"] for row in rows for match in row["matches"]))
    lines = ["| run | %s | less the base | wins | deal-ins | draws | claims | fan | games | minutes | by default |"
             % " | ".join("against " + opponent for opponent in opponents), "|" + (len(opponents) + 10) * "---|"]
    for row in rows:
        points = {match["opponent"]: format_interval(match["points"]) for match in row["matches"]}
        rates = {name: np.mean([match[name] for match in row["matches"]]) for name in _RATES}
        verdict = {None: "", True: "on", False: "off"}[row["is_earned"]]
        lines.append("| %s |" % " | ".join(
            [row["run"]] + [points.get(opponent, "") for opponent in opponents] + [
                format_interval(row["difference"]) if row["difference"] else ""] + [
                "%.1f%%" % (100 * rates[name]) for name in ("wins", "deal_ins", "draws")] + [
                "%.2f" % rates["claims"], "%.1f" % rates["fan"], format(row["games"], ","), "%.1f" % row["minutes"],
                verdict]))
    return "\n".join(lines) + "\n"
