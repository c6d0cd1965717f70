// 牌谱库网页的中文；words.en.js 是对应的英文。
"use strict";

Object.assign(WORDS.zh, {
  player: {
    library: "牌谱库", apply: "显示", all: "全部",
    filters: "选择对局",
    choice: {platform: "平台", after: "从", before: "到", last: "最近盘数"},
    platforms: {here: "本机对局", tziakcha: "雀渣"}, counted: n => `共 ${n} 盘。`, result: points => `每盘 ${points} 分`,
    joined: names => `包括以下名字的对局：${names}。`, waiting: n => `还有 ${n} 盘等待复盘。`,
    note: (judge, hands) => "小字是 95% 区间：比率用 Wilson 区间，失分用均值对数的区间；不到三次的没有区间。其他人：同桌的选手。" +
      (judge ? `${judge}：四个 ${judge} 用 ${hands} 盘的牌墙重打，在你的座位上的结果。` : "有 100 盘牌墙已知的对局时才与 cnn 比较。") +
      "失误失分是复盘给出的。",
    needsMore: "盘数还不够：没有哪项数据与其他人的差别超出偶然，也没有出现过三次的失误。",
    told: (what, own, low, high, others) => `${what}：你 ${own}（${low} 到 ${high}），其他人 ${others}。`,
    dangers: (own, others, isLuck) => `你每张打牌的点炮率 ${own}，其他人 ${others}${isLuck ? "：多半是运气。" : "。"}`,
    sentence: (what, points, count, distance,
      others) => `${what}：每 16 盘损失 ${points} 分，共 ${count} 次${distance ? `，多在${distance}` : ""}` +
      (others === null ? "。" : `；同桌其他人损失 ${others} 分。`),
    distances: ["听牌时", "一向听时", "两向听时", "三向听时", "四向听以上时"],
    resultsTitle: "成绩", own: "你", others: "其他人", judge: "%s，同样牌墙",
    results: {score: "每盘得分", wins: "和牌率", deal_ins: "点炮率", paid: "被自摸率", draws: "荒庄率", claimed: "副露率",
      ready: "听牌率", fan_won: "平均和牌番数", fan_paid: "平均点炮番数", ready_turn: "听牌巡目", win_turn: "和牌巡目",
      lost: "每盘点炮失分", place: "平均顺位", placing: "每场标准分", loss: "每盘失误失分"},
    fanCounts: "和牌番数", placeCounts: "比赛名次", placeNames: ["第一", "第二", "第三", "第四"],
    fanGroup: (first, next) => next === undefined ? `${first} 番以上` : next - first === 1 ? `${first} 番` :
      `${first}–${next - 1} 番`,
    curve: "得分曲线", leaksTitle: "漏洞（每 16 盘损失的分）", leak: "", count: "次数",
    groupsNote: "每 100 次选择损失的分", axes: {turn: "按巡目", distance: "按向听"},
    decisions: "选择",
    group: (axis, group) => axis === "turn" ? (group === 16 ? "16 巡以后" : `${group}–${group + 2} 巡`) :
      WORDS.zh.states[group],
    sessions: "比赛", session: "比赛", day: "日期", points: "得分", places: "标准分", fans: "和牌番种",
  },

  library: {
    title: "牌谱库", table: "牌桌", games: n => `${n} 盘`, players: "选手", day: "日期", file: "文件", platform: "平台",
    result: "结果", waiting: "尚未复盘", broken: "不完整",
    earlier: "更早", later: "更晚", drawn: "荒庄", won: (name, fan) => `${name} ${fan ? `${fan} 番` : ""}`,
    empty: "牌谱库是空的。在牌桌页面打开牌谱，或运行：mj-bot library import 文件夹",
    gone: "没有这个页面：这一盘或这位选手不在牌谱库里，或已被删除。", hand: n => `第 ${n} 盘`,
  },
});
