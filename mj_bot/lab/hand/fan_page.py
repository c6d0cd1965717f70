"""The page of the 81 fans: what each is worth, a hand that has it, and a word to those who play riichi mahjong."""

import html
import pathlib
from functools import lru_cache

from ..page import STYLES, fill_page, read_asset
from ..table.fan_names import ENGLISH_FANS
from .answer import answer_texts

# A winning hand for each fan, as notation.parse_hand reads it; the last tile is the winning one.
EXAMPLES = {
    "大四喜": "EEESSSWWWNNN11m", "大三元": "CCCFFFPPP123m99s", "绿一色": "223344s666s88sFFF",
    "九莲宝灯": "1112345678999m5m", "四杠": "[1111m,1][2222s,1][3333p,1][EEEE,1]55m",
    "连七对": "11223344556677m", "十三幺": "19m19s19pESWNCFPP", "清幺九": "111999m111999s11p",
    "小四喜": "EEESSSWWWNN123m", "小三元": "CCCFFFPP123456m", "字一色": "EEESSSCCCFFFPP",
    "四暗刻": "222m555m333s777sEE|EE1000", "一色双龙会": "112233778899m55m", "一色四同顺": "111122223333m55s",
    "一色四节高": "222333444555m99s", "一色四步高": "123m234m345m456m99s",
    "三杠": "[2222m,1][5555s,1][8888p,1]345mEE", "混幺九": "111m999m111sEEESS",
    "七对": "1144m2277s3388pEE", "七星不靠": "147m28s36pESWNCFP", "全双刻": "222m444m666s888s22p",
    "清一色": "12334556778999m", "一色三同顺": "[123m,1][123m,1]123m567sEE", "一色三节高": "222m333m444m567sEE",
    "全大": "777m888s999p789m77s", "全中": "444m555s666p456m55p", "全小": "111m222s333p123m22p",
    "清龙": "123456789m456sEE", "三色双龙会": "123789m123789s55p", "一色三步高": "123m234m345m789sEE",
    "全带五": "345m456s567p555m55s", "三同刻": "222m222s222p456mEE", "三暗刻": "222m555s777p456mEE|EE1000",
    "全不靠": "147m258s369pESWNC", "组合龙": "147m258s369p123mEE", "大于五": "666m789s777p678m99p",
    "小于五": "111m234s222p123m44p", "三风刻": "EEESSSWWW234m99s", "花龙": "123m456s789p234mEE",
    "推不倒": "123p234p456s888sPP", "三色三同顺": "345m345s345p789mEE", "三色三节高": "222m333s444p789mEE",
    "无番和": "[234m,1]678m345s56pEE7p", "妙手回春": "[234m,1]678m345s56pEE7p|EE1010",
    "海底捞月": "[234m,1]678m345s56pEE7p|EE0010", "杠上开花": "[2222m]678m345s56pEE7p|EE1001",
    "抢杠和": "[234m,1]678m345s56pEE7p|EE0001", "碰碰和": "[222m,1]555s777p333sEE",
    "混一色": "123m456m678mEEESS", "三色三步高": "123m234s345p789mEE", "五门齐": "123m456s789pEEECC",
    "全求人": "[123m,1][456s,1][234p,1][567p,1]EE", "双暗杠": "[2222m][5555s]678m345pEE",
    "双箭刻": "CCCFFF123m456s99p", "全带幺": "123m789s111pEEE99m", "明暗杠": "[2222m][5555s,1]678m345pEE",
    "不求人": "234m678m345s56pEE7p|EE1000", "双明杠": "[2222m,1][5555s,1]678m345pEE",
    "和绝张": "[234m,1]678m345s56pEE7p|EE0100", "箭刻": "CCC123m456s678p99m",
    "圈风刻": "EEE123m456s678p99m|ES0000", "门风刻": "EEE123m456s678p99m|SE0000",
    "门前清": "234m678m345s56pEE7p", "平和": "234m678m345s56p99m7p", "四归一": "222m234m678s456pEE",
    "双同刻": "222m222s678m456pEE", "双暗刻": "222m555s678m34pEE5p", "暗杠": "[2222m]678m345s56pEE7p",
    "断幺": "234m678m345s56p55m7p", "一般高": "234m234m678s56pEE7p", "喜相逢": "234m234s678m56pEE7p",
    "连六": "234567m345s67pEE8p", "老少副": "123789m345s56pEE7p", "幺九刻": "111m678m345s56pSS7p",
    "明杠": "[2222m,1]678m345s56pEE7p", "缺一门": "234m678m345s56sEE7s",
    "无字": "[222m,1]678m345s56p99s7p", "边张": "456m678m345s12pEE3p", "嵌张": "456m678m345s57pEE6p",
    "单钓将": "234m678m345s567pEE", "自摸": "[234m,1]678m345s56pEE7p|EE1000",
}
_FOLDER = pathlib.Path(__file__).parent
_TILE = '<svg class="fan-tile" viewBox="0 0 60 80"><use href="#mj-%s"/></svg>'
_ROW = "<tr><td>%d</td><td>%s<br>%s</td><td>%s</td><td>%s</td></tr>"


def list_rows():
    """Returns (name, points, tile names, other fans) of each fan's example.

    points: of one copy. tile names: melds first, the winning tile last. other fans: list of (points, copies, name) that
    the judge counts in the example as well; a fan that another one includes is not among them.
    """
    rows = []
    for name, hand in EXAMPLES.items():
        answer = answer_texts(hand)
        fans = answer["win"]["fans"]
        points = next(points for points, _, counted in fans if counted == name)
        melds = [tile for meld in answer["hand"]["melds"] for tile in meld[1:]]
        rows.append((name, points, [*melds, *answer["hand"]["tiles"]], [fan for fan in fans if fan[2] != name]))
    return rows


@lru_cache(maxsize=1)
def build_fan_page():
    """Returns the HTML of the page, in Chinese and English side by side."""
    rows = [_ROW % (points, html.escape(name), html.escape(ENGLISH_FANS[name]),
                    "".join(_TILE % tile for tile in tiles),
                    "<br>".join("%s %s %d" % (other, ENGLISH_FANS[other], worth * copies)
                                for worth, copies, other in others))
            for name, points, tiles, others in list_rows()]
    head = "".join('<link rel="stylesheet" href="%s">' % name for name in STYLES)
    return fill_page("81 番 · 81 fans", '<link rel="icon" href="data:,">' + head,
                     read_asset("fan_page.html", _FOLDER).replace("ROWS", "\n".join(rows)), scripts="")
