"""Counts by which fans games are won, for docs/game.md and the table's page for newcomers.

    mj-bot dataset -o build/sets/ways --players cnn --games 1000 --seed 1
    python docs/make_ways.py build/sets/ways

Writes data/results/ways.json, and from it the tables in docs/game.md and docs/game.zh-CN.md, the pictures of their
hands in docs/hands, and mj_bot/lab/play/guide/guide_ways.js. Without a folder it writes all but the result again. The
main fan of a win is the one of most points.
"""

import argparse
import re
from collections import Counter

from mj_bot.sources import PACKAGE_FOLDER
from mj_bot.lab.hand.answer import answer_texts
from mj_bot.lab.hand.fan_rows import format_hand_tiles
from mj_bot.lab.page import SPRITE, read_asset
from mj_bot.lab.records.source import read_games
from mj_bot.lab.run.files import format_json, read_json, write_json, write_whole
from mj_bot.lab.table.fan_names import ENGLISH_FANS

TOP = PACKAGE_FOLDER.parent
RESULT = TOP / "data" / "results" / "ways.json"
GUIDE = PACKAGE_FOLDER / "lab" / "play" / "guide" / "guide_ways.js"
# The pages with the heads of their tables.
PAGES = {"game.md": "| main fan | fan | share of wins | a hand |", "game.zh-CN.md": "| 主番 | 番 | 占和牌 | 一副牌 |"}
DOCS, PICTURES = TOP / "docs", TOP / "docs" / "hands"
_WIDTH, _HEIGHT, _GAP = 30, 40, 10  # of a tile in a picture, and between melds
_SYMBOL = re.compile(r'<symbol id="mj-(\w+)".*?</symbol>', re.DOTALL)
# A hand for each way that the page explains.
HANDS = {
    "三色三步高": "[345m][456s]56799p78s6s", "五门齐": "[CCC][234m]34p567sEE5p", "三色三同顺": "[345m]678m34p34599s5p",
    "花龙": "[123m]99m78p234456s9p", "混一色": "[FFF][234p]55678pNN5p", "清龙": "[123s]345m66p45678s9s",
    "碰碰和": "[222m][555s][777p]44m88s4m", "七对": "1133m5577s2288pEE"}
_TABLE = re.compile(r"(?<=<!-- ways -->\n).*?(?=\n\n)", re.DOTALL)


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


def draw_hand(hand: str) -> str:
    """Returns a picture of a hand as SVG: its melds, the other tiles, the winning tile. hand: in hand/notation.py."""
    symbols = {match.group(1): match.group() for match in _SYMBOL.finditer(read_asset(SPRITE))}
    groups = [re.findall("..", group) for group in format_hand_tiles(hand).split(" ")]
    groups.append([groups[-1].pop()])
    left, uses = 0, []
    for group in groups:
        for tile in group:
            uses.append('<use href="#mj-%s" x="%d" width="%d" height="%d"/>' % (tile, left, _WIDTH, _HEIGHT))
            left += _WIDTH
        left += _GAP
    drawn = [symbols[name] for name in ("blank", *sorted({tile for group in groups for tile in group}))]
    return '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">\n%s\n%s\n</svg>\n' % (
        left - _GAP, _HEIGHT, "\n".join(drawn), "\n".join(uses))


def make_texts(result: dict) -> dict:
    """Returns {path: text} of the files with these shares."""
    ways = list_ways(result)
    shown = [dict(way, hand=format_hand_tiles(way["hand"])) for way in ways]
    script = ("// Written by docs/make_ways.py: the usual ways to eight fan, with percent of the wins by each.\n"
              "const GUIDE_WAYS = [\n%s\n];\n" % ",\n".join(map(format_json, shown)))
    texts, names = {GUIDE: script}, {fan: ENGLISH_FANS[fan] for fan in HANDS}
    pictures = {fan: PICTURES / ("%s.svg" % name.lower().replace(" ", "_")) for fan, name in names.items()}
    texts.update((path, draw_hand(HANDS[fan])) for fan, path in pictures.items())
    for page, head in PAGES.items():
        rows = ["| %s | %d | %d%% | ![%s](hands/%s) |" % (
            way["fan"] if "zh" in page else "%s %s" % (way["fan"], names[way["fan"]]),
            answer_texts(way["hand"])["win"]["fans"][0][0], way["share"],
            way["hand"].replace("[", "").replace("]", " "), pictures[way["fan"]].name) for way in ways]
        table = "\n".join([head, "|---|---|---|---|", *rows])
        texts[DOCS / page] = _TABLE.sub(lambda _, table=table: table, (DOCS / page).read_text(encoding="utf-8"))
    return texts


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
