// What the page says, in English and Chinese. Names of fans come with the game.
"use strict";

const WORDS = {
  en: {
    other: "中文", seats: ["East", "South", "West", "North"], round: "%s round", open: "All hands", one: "One seat",
    steps: {decision: "Decision", claim: "Claim", dealIn: "Deal-in", mistake: "Mistake"},
    previous: "Previous", next: "Next", first: "First", last: "Last",
    SEAT: "The seats are given", DEAL: "The tiles are dealt", DRAW: "draws", BUHUA: "replaces a flower", PLAY: "discards",
    CHI: "chows", PENG: "pungs", GANG: "kongs", concealed: "lays a concealed kong", BUGANG: "adds to a pung", from: "from",
    then: "and discards", wins: "wins", selfDrawn: "by self-draw", on: "on a tile of",
    HUANG: "Drawn: no tile left", erred: "errs", WH: "declares a win of fewer than 8 fan",
    actions: {PLAY: "discard", CHI: "chow", PENG: "pung", GANG: "kong", BUGANG: "add to pung", HU: "win", PASS: "pass"},
    fan: "fan", fans: "Fans", scores: "Scores", countedBy: {judge: "as the judge counted", here: "counted here"},
    result: "The end", decisionTitle: "Decision", played: "Played", would: "%s", danger: "danger", useful: "useful",
    shanten: ["complete", "ready", "%s from ready"], same: "same", kind: "other tile", other_action: "another action",
    unknown: "not recorded", loss: "loss", leads: "leaves", copies: "copies", aims: "Aims at", away: "%s tiles",
    tilesTitle: "If discarded: danger; useful copies left, or steps lost", missed: "missed win",
    mistakes: "Largest mistakes", noMistakes: "No decision of this seat was made otherwise.", summary: "Summary",
    columns: ["logged", "decisions", "same kind", "same action", "loss"], all: "all", log: "Events",
    keys: "%s step, %s first, last, %s decision, %s claim, %s deal-in, %s mistake (shift: back), %s seat, %s hands, %s language",
    units: {tiles: "tiles", points: "points", probability: "probability"}, breaks: "The record breaks here",
    note: "not allowed by the rules", unread: "The review of this seat ends early", frame: "%s of %s", patterns: {},
    graph: "Height: loss of a decision; line: shanten",
  },
  zh: {
    other: "English", seats: ["东家", "南家", "西家", "北家"], round: "%s风圈", open: "明牌", one: "单家",
    steps: {decision: "决策", claim: "鸣牌", dealIn: "点炮", mistake: "失误"},
    previous: "上一个", next: "下一个", first: "开始", last: "结束",
    SEAT: "告知座位", DEAL: "配牌", DRAW: "摸", BUHUA: "补花", PLAY: "打", CHI: "吃", PENG: "碰", GANG: "杠",
    concealed: "暗杠", BUGANG: "补杠", from: "←", then: "打", wins: "和牌", selfDrawn: "自摸", on: "点炮者",
    HUANG: "荒庄", erred: "犯规", WH: "错和（不足八番）",
    actions: {PLAY: "打", CHI: "吃", PENG: "碰", GANG: "杠", BUGANG: "补杠", HU: "和", PASS: "过"},
    fan: "番", fans: "番种", scores: "得分", countedBy: {judge: "裁判计番", here: "本程序计番"},
    result: "终局", decisionTitle: "决策", played: "实战", would: "%s", danger: "放铳率", useful: "进张",
    shanten: ["和牌", "听牌", "%s 向听"], same: "一致", kind: "同类不同牌", other_action: "不同动作",
    unknown: "未知", loss: "损失", leads: "之后", copies: "张", aims: "目标", away: "差 %s 张",
    tilesTitle: "若打出：放铳率；其后进张数，或退几向听", missed: "漏和",
    mistakes: "最大失误", noMistakes: "该家没有不同的决策。", summary: "统计",
    columns: ["实战动作", "决策数", "同类", "完全一致", "损失"], all: "合计", log: "过程",
    keys: "%s 逐步，%s 首尾，%s 决策，%s 鸣牌，%s 点炮，%s 失误（Shift 向前），%s 座位，%s 明暗，%s 语言",
    units: {tiles: "张", points: "分", probability: "概率"}, breaks: "牌谱在此中断",
    note: "不合规则", unread: "该家的分析提前结束", frame: "%s / %s",
    graph: "柱高：决策损失；折线：向听数",
    patterns: {
      "mixed triple chow steps": "三色三步高", "mixed triple chow": "三色三同顺", "mixed straight": "花龙",
      "pure straight": "清龙", "pure triple chow steps": "一色三步高", "pure triple chow": "一色三同顺",
      "knitted straight": "组合龙", "all types": "五门齐", "half flush": "混一色", "full flush": "清一色",
      "upper four": "大于五", "lower four": "小于五", "all pungs": "碰碰和", "three concealed pungs": "三暗刻",
      "seven pairs": "七对", "thirteen orphans": "十三幺", "honours and knitted": "全不靠", "melded hand": "全求人",
    },
  },
};

// Puts values in the places of a text's %s.
function fill(text, ...values) {
  return text.split("%s").map((part, index) => (index ? values[index - 1] : "") + part).join("");
}
