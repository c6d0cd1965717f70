// 各网页的中文文字，与 words.en.js 一一对应。番种名随数据而来。
"use strict";

const CHINESE = (() => {
  const NUMBERS = "〇一二三四五六七八九十";

  function distance(n) {
    if (n === null) return "凑不出 8 番";
    if (n < 0) return "和牌";
    return n < 1 ? "听牌" : `${n === 2 ? "两" : NUMBERS[n]}向听`;
  }

  function moves(n, before) {
    if (n === null) return "凑不出 8 番";
    if (before === null) return `成为${distance(n)}`;
    if (n === before) return `保持${distance(n)}`;
    return n < before ? `进到${distance(n)}` : `退到${distance(n)}`;
  }

  return {NUMBERS, distance, moves};
})();

WORDS.zh = {
  // 读给看不见牌的人听。
  tile: name => ({W: `${CHINESE.NUMBERS[name[1]]}万`, T: `${CHINESE.NUMBERS[name[1]]}条`,
    B: `${CHINESE.NUMBERS[name[1]]}饼`, H: `花牌${name[1]}`,
    F: `${"东南西北"[name[1] - 1]}风`, J: ["红中", "发财", "白板"][name[1] - 1]})[name[0]],
  riichi: ["", ""], fanExample: "例子；最后一张是和的牌。",
  other: "English", seats: ["东家", "南家", "西家", "北家"], winds: ["东", "南", "西", "北"], round: "%s风圈",
  plate: {wall: "牌墙 %s", flowers: "花 %s", score: "%s 分", left: "余 %s 张"}, wonBy: "% 点炮给%s",
  noDangers: "轮到该家打牌时，这里显示每张牌点炮的概率。",
  barTitle: "满格为最佳打法，刻度见旁边的说明。",
  left: "余", claimedBy: "吃碰杠者：", asDrawn: "摸切",
  SEAT: "告知座位", DEAL: "发牌", DRAW: "摸", BUHUA: "补花",
  PLAY: "打", CHI: "吃", PENG: "碰", GANG: "杠", concealed: "暗杠",
  BUGANG: "补杠", from: "←", then: "，打", wins: "和牌", selfDrawn: "自摸",
  won: (winner, tile, giver) => giver ? [winner, "和", tile, "，", giver, "点炮"] : [winner, "自摸", tile, "和牌"],
  verdicts: {WA: "操作不合法", TLE: "超时", MLE: "内存超限", OLE: "输出超限", RE: "程序崩溃", NJ: "输出不是 JSON", ERR: "程序出错"},
  HUANG: "荒庄", erred: "犯规", WH: "错和（不足 8 番）",
  unfinished: "牌谱在本盘结束前中断",
  actions: {PLAY: "打", CHI: "吃", PENG: "碰", GANG: "杠", BUGANG: "补杠", HU: "和", PASS: "过"},
  fan: "番", countedBy: {judge: "裁判计番", here: "本程序计番"}, result: "本盘结束",
  player: "选手", score: "得分", mistakeCount: "失误", differenceCount: "不同的打法", all: "合计",
  units: {tiles: "张", points: "分", steps: "步"}, lost: "损失（%s）",
  distance: CHINESE.distance, aside: "（%s）", plain: "不计番数：%s", useful: "有效进张 %s 张：", winsOn: "和",
  onDiscardOnly: "自摸不够番", selfDrawOnly: "仅自摸够 8 番",
  noWin: "听牌，但没有够 8 番的和牌张",
  lastCopy: "靠绝张才够 8 番", ofGiver: "的",
  aims: fans => "接近" + fans.map(([fan, away]) => `${fan}（${CHINESE.distance(away - 1)}）`).join("、"),
  events: "过程", unknown: "未知",

  review: {
    ownRules: own => own.sub_rule ?
      `本盘按 ${own.platform} 的 ${own.sub_rule} 规则进行：得分以平台为准，此处的番种按标准规则计算。` :
      `${own.platform} 在此多计一番（组合龙内的边张、嵌张或单钓），得分以平台为准；Botzone 裁判不计这一番。`,
    open: "明牌", one: "单家", back: {games: "全部对局", table: "回到牌桌"}, resume: "从这里接着打",
    command: "这个网页是一个文件，接着打需要一台装有 mj_bot 的电脑。请在那里牌谱所在的文件夹中运行：",
    other: "或者运行 `mj-bot play --open`，把牌谱拖到牌桌上，再按那里的同一个按钮。", copy: "复制", copied: "已复制", close: "关闭",
    steps: {decision: "决策", claim: "吃碰杠", dealIn: "点炮", mistake: "失误"},
    previous: "上一个", next: "下一个", first: "开始", last: "结束", frame: "%s / %s", choose: "到该家的最大失误",
    decision: "决策", played: "实战", best: "最佳", danger: "点炮率", auto: "自动播放", stop: "停止", speed: "速度", same: "一致",
    equal: "一样好",
    good: "可以", kind: "同类不同牌",
    otherAction: "不同动作", missed: "漏和",
    ranking: {points: "条长：比最佳少的分数，满格 %s 分", tiles: "条长：比最佳差的张数，满格 %s 张", "": "各动作"},
    classes: {inaccuracy: "失准", mistake: "失误", blunder: "大错"},
    limits: "损失满 %s 分为 ?! 失准，满 %s 分为 ? 失误，满 %s 分为 ?? 大错",
    scale: "损失是这一手平均少得的分。准确率：100%，平均每个决策每损失 %s 分减半。",
    accuracy: "准确率", curve: {points: "期望得分", steps: "向听数"},
    tiles: {mcr: "若打出：点炮率（满格 25%）；其后的有效进张，或退几向听；小字：与之不同的普通向听数",
            other: "若打出：其后的有效进张，或退几向听"},
    itself: "%s 的说明", mistakes: "最大失误", noMistakes: "该家没有失误。", differences: "最大的不同", noDifferences: "该家的打法与评判一致。",
    compared: "把实战的打法与 %s 的打法作对照。",
    sameAs: "%s的每一步都与 %s 相同：也许就是同一个选手。", allSame: "%s全部与 %s 一致。",
    summary: "统计", columns: ["实战动作", "决策数", "完全一致", "损失"],
    breaks: "牌谱在此中断", note: "不合规则", unread: "该家的分析提前结束",
    axes: {distance: "向听数", points: "期望得分", event: "步"},
    keys:
      "%s 逐步，%s 首尾，%s 决策，%s 吃碰杠，%s 点炮，%s 失误（按住 Shift 往回），%s 座位，%s 明暗，%s 语言，%s 上一盘、下一盘，%s 手牌下各家的点炮率，%s " +
      "自动播放、停止，%s 从失误中学习（%s 选择）",
  },

  judges: {
    comma: "、", or: " 或 ", clear: "明显", unsure: "存疑",
    sureness: "这一手确实不如最佳打法的概率；满 80% 为明显。",
    split: "评判意见不同：", sees: "（实战 %s）",
    repeats: "与 #%s 是同一个失误，各巡合计一次。",
    rule: "一手的价值是各评判（%s）期望得分的加权平均。说明与原因来自 %s。",
    pending: "另一个评判还在计算，完成后页面自动更新。",
    forecast: "%s 的预测：和牌 %s，点炮或被自摸 %s。",
  },

  leaks: {
    win: ["漏和", "放过和牌，或和得太早"], chow: ["该吃不吃", "该吃不吃"], pung: ["该碰不碰", "该碰不碰"], kong: ["该杠不杠", "该杠不杠"],
    pass_chow: ["不该吃", "不该吃却吃"], pass_pung: ["不该碰", "不该碰却碰"], pass_kong: ["不该杠", "不该杠却杠"], claim: ["吃碰选择", "吃碰选错"],
    wait: ["听牌选择", "选了较差的听"], needless: ["无谓的危险", "打出不必要的危险牌"],
    push: ["该守却攻", "打出危险牌"], fold: ["弃和过早", "弃和过早"], plan: ["牌型路线", "为较差的番种舍牌"],
    tile: ["舍牌选择", "打掉更有用的牌"],
  },

  states: ["听牌", "一向听", "两向听", "三向听", "四向听以上"],

  me: {choose: "这是我：从我的座位打开各盘", is: "这是你；点击取消"},

  index: {
    title: n => `${n} 盘`, hand: (n, of) => of ? `第 ${n} 盘，共 ${of} 盘` : `第 ${n} 盘`,
    sessions: "场次", session: "一场", whole: "全部对局", curve: "各盘后的累计得分", totals: "总分",
    places: "标准分", mistakes: "失误数",
    sources: ["点和得分", "自摸得分", "点炮失分", "他家自摸失分", "他家点和失分", "犯规与罚分"],
    placing: "标准分：3、1.5、0.5、0；同分均分。",
    own: "每位选手：得分、损失、座位。", game: "对局", round: "圈风", end: "结果", total: "四家合计",
    players: "选手", games: "盘数", winRate: "和牌", dealInRate: "点炮", points: "每盘得分",
    lossRate: "每盘损失", broken: "中断",
    cut: n => `牌谱在 ${n} 盘中断，合计里没有其结果。`, missing: (n, hands) => `这一场 ${hands} 盘中只有 ${n} 盘。`, drawn: "荒庄",
    mistakeList: n => `失误 ${n} 处`, showAll: "显示全部 %s 处", kinds: "按类型合计", everybody: "全部选手", smaller: "较小的损失",
    kindsNote: "先是损失的分，后是次数。点类型即筛选失误列表；其他筛选条件在这里同样有效。",
    filters: {all: "全部", player: "选手", leak: "类型", grade: "程度", state: "手牌", sureness: "把握"},
    sort: "点击表头排序。", seatNote: "每家：得分、损失、选手。",
    intervals: "区间为 95%。", reviewer: "损失：单位为%s，由 %s 评判。", none: "没有失误。",
  },
};
