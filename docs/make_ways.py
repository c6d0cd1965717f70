"""Counts by which fans games are won, for docs/game.md and the table's page for newcomers.

    mj-bot dataset -o build/sets/ways --players cnn --games 1000 --seed 1
    python docs/make_ways.py build/sets/ways

Writes data/results/ways.json, and from it the table in docs/game.md and mj_bot/lab/play/guide/guide_ways.js. Without a
folder it writes the last two again. The main fan of a win is the one of most points.
"""

import argparse
import re
from collections import Counter

from mj_bot.sources import PACKAGE_FOLDER
from mj_bot.lab.hand.answer import answer_texts
from mj_bot.lab.hand.fan_rows import format_hand_tiles
from mj_bot.lab.records.source import read_games
from mj_bot.lab.run.files import format_json, read_json, write_json, write_whole
from mj_bot.lab.table.fan_names import ENGLISH_FANS

TOP = PACKAGE_FOLDER.parent
RESULT = TOP / "data" / "results" / "ways.json"
GUIDE = PACKAGE_FOLDER / "lab" / "play" / "guide" / "guide_ways.js"
PAGE = TOP / "docs" / "game.md"
# A hand for each way that the page explains.
HANDS = {
    "三色三步高": "[345m][456s]56799p78s6s", "五门齐": "[CCC][234m]34p567sEE5p", "三色三同顺": "[345m]678m34p34599s5p",
    "花龙": "[123m]99m78p234456s9p", "混一色": "[FFF][234p]55678pNN5p", "清龙": "[123s]345m66p45678s9s",
    "碰碰和": "[222m][555s][777p]44m88s4m", "七对": "1133m5577s2288pEE"}
_TABLE = re.compile(r"(?<=<!-- ways -->\n).*?(?=\n\n)", re.DOTALL)
_HEAD = "| main fan | fan | share of wins | a hand |\n|---|---|---|---|\n"


def count_ways(folder: str) -> dict:
    """Returns {"wins", "ways": {main fan: wins}} of a folder of games, the most frequent fans first."""
    ways = Counter()
    for game in read_games(folder):
        fans = game.record.closing.get("fan") or []
        if fans:
            ways[max(fans, key=lambda fan: fan["value"] * fan["cnt"])["name"]] += 1
    return {"wins": sum(ways.values()), "ways": dict(ways.most_common())}


def list_ways(result: dict) -> list[dict]:
    """Returns {"fan", "share" in percent of the wins, "hand"} of each way of HANDS, the most frequent first."""
    shares = {fan: round(100 * result["ways"].get(fan, 0) / result["wins"]) for fan in HANDS}
    fans = sorted(HANDS, key=lambda fan: -shares[fan])
    return [{"fan": fan, "share": shares[fan], "hand": HANDS[fan]} for fan in fans]


def make_texts(result: dict) -> dict:
    """Returns {path: text} of the files with these shares."""
    ways = list_ways(result)
    shown = [dict(way, hand=format_hand_tiles(way["hand"])) for way in ways]
    script = ("// Written by docs/make_ways.py: the usual ways to eight fan, with percent of the wins by each.\n"
              "const GUIDE_WAYS = [\n%s\n];\n" % ",\n".join(map(format_json, shown)))
    rows = "\n".join("| %s %s | %d | %d%% | `%s` |" % (
        way["fan"], ENGLISH_FANS[way["fan"]], answer_texts(way["hand"])["win"]["fans"][0][0], way["share"], way["hand"])
        for way in ways)
    return {GUIDE: script, PAGE: _TABLE.sub(lambda _: _HEAD + rows, PAGE.read_text(encoding="utf-8"))}


def main() -> None:
    """Writes the files."""
    parser = argparse.ArgumentParser(description="Counts by which fans games are won, for docs/game.md.")
    parser.add_argument("folder", nargs="?", help="of a set of games; without it the texts alone are written")
    folder = parser.parse_args().folder
    if folder:
        card = read_json("%s/card.json" % folder)
        write_json(RESULT, dict({key: card[key] for key in ("command", "hash", "games")}, **count_ways(folder)))
    for path, text in make_texts(read_json(RESULT)).items():
        write_whole(path, text)


if __name__ == "__main__":
    main()
