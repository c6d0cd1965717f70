"""Gives the fans English names; flowers are not among them."""

# The judge's names, with the English names of PyMahjongGB. From 88 fan down to 1.
ENGLISH_FANS = {
    "大四喜": "Big four winds", "大三元": "Big three dragons", "绿一色": "All green", "九莲宝灯": "Nine gates",
    "四杠": "Four kongs", "连七对": "Seven shifted pairs", "十三幺": "Thirteen orphans", "清幺九": "All terminals",
    "小四喜": "Little four winds", "小三元": "Little three dragons", "字一色": "All honours",
    "四暗刻": "Four concealed pungs", "一色双龙会": "Pure terminal chows", "一色四同顺": "Quadruple chow",
    "一色四节高": "Four pure shifted pungs", "一色四步高": "Four pure shifted chows", "三杠": "Three kongs",
    "混幺九": "All terminals and honours", "七对": "Seven pairs", "七星不靠": "Greater honours and knitted tiles",
    "全双刻": "All even pungs", "清一色": "Full flush", "一色三同顺": "Pure triple chow",
    "一色三节高": "Pure shifted pungs", "全大": "Upper tiles", "全中": "Middle tiles", "全小": "Lower tiles",
    "清龙": "Pure straight", "三色双龙会": "Three-suited terminal chows", "一色三步高": "Pure shifted chows",
    "全带五": "All five", "三同刻": "Triple pung", "三暗刻": "Three concealed pungs",
    "全不靠": "Lesser honours and knitted tiles", "组合龙": "Knitted straight", "大于五": "Upper four",
    "小于五": "Lower four", "三风刻": "Big three winds", "花龙": "Mixed straight", "推不倒": "Reversible tiles",
    "三色三同顺": "Mixed triple chow", "三色三节高": "Mixed shifted pungs", "无番和": "Chicken hand",
    "妙手回春": "Last tile draw", "海底捞月": "Last tile claim", "杠上开花": "Out with replacement tile",
    "抢杠和": "Robbing the kong", "碰碰和": "All pungs", "混一色": "Half flush", "三色三步高": "Mixed shifted chows",
    "五门齐": "All types", "全求人": "Melded hand", "双暗杠": "Two concealed kongs", "双箭刻": "Two dragons pungs",
    "全带幺": "Outside hand", "明暗杠": "Concealed kong and melded kong", "不求人": "Fully concealed hand",
    "双明杠": "Two melded kongs", "和绝张": "Last tile", "箭刻": "Dragon pung", "圈风刻": "Prevalent wind",
    "门风刻": "Seat wind", "门前清": "Concealed hand", "平和": "All chows", "四归一": "Tile hog",
    "双同刻": "Double pung", "双暗刻": "Two concealed pungs", "暗杠": "Concealed kong", "断幺": "All simples",
    "一般高": "Pure double chow", "喜相逢": "Mixed double chow", "连六": "Short straight",
    "老少副": "Two terminal chows", "幺九刻": "Pung of terminals or honours", "明杠": "Melded kong",
    "缺一门": "One voided suit", "无字": "No honours", "边张": "Edge wait", "嵌张": "Closed wait",
    "单钓将": "Single wait", "自摸": "Self-drawn",
}
