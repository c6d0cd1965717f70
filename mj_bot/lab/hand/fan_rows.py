"""Lists the 81 fans with their points, the fans that an example of each also counts, and the fans that it excludes.

All pages have this list from page/fan_rows.json, which `docs/make_tables.py` writes.
"""

import json
import pathlib

from ...mahjong.tile import TILE_NAMES
from ..run.files import format_json
from ..table.fan_names import ENGLISH_FANS
from .answer import answer_texts
from .notation import parse_hand

# {fan: fans that are not counted together with it, because it includes or excludes them}
EXCLUDED = {
    "大四喜": "三风刻 碰碰和 圈风刻 门风刻 幺九刻", "大三元": "双箭刻 箭刻", "绿一色": "混一色 缺一门",
    "九莲宝灯": "清一色 不求人 门前清 缺一门 无字", "四杠": "三杠 碰碰和 双暗杠 明暗杠 双明杠 暗杠 明杠 单钓将",
    "连七对": "七对 清一色 不求人 门前清 缺一门 无字 单钓将", "十三幺": "混幺九 五门齐 不求人 门前清 单钓将",
    "清幺九": "混幺九 碰碰和 全带幺 双同刻 幺九刻 无字", "小四喜": "三风刻 幺九刻", "小三元": "双箭刻 箭刻",
    "字一色": "混幺九 碰碰和 混一色 全带幺 幺九刻 缺一门", "四暗刻": "三暗刻 碰碰和 不求人 门前清 双暗刻",
    "一色双龙会": "七对 清一色 平和 一般高 老少副 缺一门 无字", "一色四同顺": "一色三同顺 一色三节高 四归一 一般高",
    "一色四节高": "一色三同顺 一色三节高 碰碰和", "一色四步高": "一色三步高 连六 老少副",
    "三杠": "双暗杠 明暗杠 双明杠 暗杠 明杠", "混幺九": "碰碰和 全带幺 幺九刻", "七对": "不求人 门前清 单钓将",
    "七星不靠": "全不靠 五门齐 不求人 门前清 单钓将", "全双刻": "碰碰和 断幺 无字", "清一色": "混一色 缺一门 无字",
    "一色三同顺": "一色三节高 一般高", "一色三节高": "一色三同顺", "全大": "大于五 无字", "全中": "断幺 无字",
    "全小": "小于五 无字", "清龙": "连六 老少副", "三色双龙会": "平和 喜相逢 老少副 无字", "全带五": "断幺 无字",
    "三同刻": "双同刻", "三暗刻": "双暗刻", "全不靠": "五门齐 不求人 门前清 单钓将", "大于五": "无字", "小于五": "无字",
    "推不倒": "缺一门", "三色三同顺": "喜相逢", "妙手回春": "自摸", "杠上开花": "自摸", "抢杠和": "和绝张",
    "混一色": "缺一门", "全求人": "单钓将", "双暗杠": "双暗刻 暗杠", "双箭刻": "箭刻", "明暗杠": "暗杠 明杠",
    "不求人": "门前清 自摸", "双明杠": "明杠", "平和": "无字", "断幺": "无字",
}


def read_fan_examples() -> dict[str, str]:
    """Returns {name of a fan by the judge: a winning hand with it}; notation.py reads these hands."""
    return json.loads((pathlib.Path(__file__).parent / "fan_examples.json").read_text(encoding="utf-8"))


def list_fan_rows() -> list[list]:
    """Returns a row [name, English name, points of one copy, tiles, others, excluded] for each fan.

    tiles: of the example, each meld and then the rest with the winning tile last, apart by spaces, e.g. "W1W2W3 F1F1".
    others: [name, points] of each other fan that the judge counts in the example of the fan.
    excluded: names of fans that are not counted together with the fan.
    """
    rows = []
    for name, hand in read_fan_examples().items():
        fans = answer_texts(hand)["win"]["fans"]
        points = next(points for points, _, counted in fans if counted == name)
        rows.append([name, ENGLISH_FANS[name], points, format_hand_tiles(hand), [
            [other, worth * copies] for worth, copies, other in fans if other != name], EXCLUDED.get(name, "").split()])
    return rows


def format_hand_tiles(text: str) -> str:
    """Returns the tiles of a hand in the notation as scripts have them, e.g. "W1W2W3 F1F1"."""
    hand = parse_hand(text)
    return " ".join("".join(group) for group in [*(meld.cards for meld in hand.melds),
                                                 [TILE_NAMES[tile] for tile in hand.tiles]])


def format_rows() -> str:
    """Returns the text of page/fan_rows.json."""
    return "[\n%s\n]\n" % ",\n".join(map(format_json, list_fan_rows()))
