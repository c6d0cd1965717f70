// 牌谱库网页的中文；words.en.js 是对应的英文。
"use strict";

Object.assign(WORDS.zh, {
  player: {
    title: name => `${name}：成绩与失误`, library: "牌谱库", picture: "图片", csv: "CSV", apply: "显示", all: "全部",
    choice: {platform: "平台", after: "从", before: "到", last: "最近盘数", against: "对手"},
    platforms: {here: "本机对局", tziakcha: "雀渣"}, counted: n => `共 ${n} 盘。`,
    joined: names => `与 ${names} 合并。`, waiting: n => `还有 ${n} 盘等待复盘。`, note: "区间为 95%。",
    summary: "最大的漏洞", noLeaks: "没有失误。",
    sentence: (what, points, count, most, distance,
      others) => `${what}：每 16 盘损失 ${points} 分，${count} 次中 ${most} 次在${distance}` +
      (others === null ? "。" : `；同桌其他人损失 ${others} 分。`),
    distances: ["听牌时", "一向听时", "两向听时", "三向听时", "四向听以上时"],
    resultsTitle: "成绩", own: "你", others: "其他人", judge: "%s 在你的座位", judgeOfOthers: "%s 在其他人的座位",
    replayed: (judge, games, whose) => `四个 ${judge} 用同样的牌墙重打；这是 ${judge} 在${whose ? "其他人的" : "你的"}座位上 ${games} 盘的结果。`,
    kinds: {replay: () => "同样牌墙", forecast: mean => `预测；全部选择 ${mean}`, choice: () => "它的选择"},
    results: {score: "每盘得分", wins: "和牌率", self_draws: "自摸占和牌", deal_ins: "点炮率", paid: "点炮或被自摸率", draws: "荒庄率",
      fan_won: "平均和牌番数", fan_paid: "平均点炮番数",
      ready_turn: "听牌巡目", win_turn: "和牌巡目", claims: "每盘吃碰杠次数", danger: "每张打牌的点炮率", pushes: "每盘对攻次数", folds: "每盘弃和次数",
      concealed: "门清占和牌", chased: "后于他家听牌", gave_up: "他家听牌后弃和",
      loss: "每盘损失", mistakes: "每盘失误", clear: "每盘明显失误", seconds: "每次选择的秒数"},
    judgeNote: (judge, replays, games) =>
      "其他人：同桌的选手。" + (replays ? `“同样牌墙”：四个 ${judge} 用` +
        `${replays === games ? "全部牌墙" : ` ${games} 盘中 ${replays} 盘的牌墙`}重打，在这些座位上的结果。` :
        `${judge} 没有重打任何牌墙。`) +
      `“预测”：${judge} 在每盘第一次选择时的预测，然后是全部选择的平均。“它的选择”：在同样的选择处它会怎么做。` +
      "对攻：保持最近向听的每张牌都比别的牌至少危险 2%，仍打这样的牌；弃和：这时改打更安全、离和牌更远的牌。",
    curve: "得分曲线", leaksTitle: "漏洞（每 16 盘损失的分）", leak: "", count: "次数", trend: "前半 → 后半",
    leaksNote: "前后两半的差别超出偶然时用颜色标出。",
    groupsNote: "每 100 次选择损失的分。", axes: {turn: "按巡目", distance: "按向听", standing: "按比赛名次", seconds: "按思考时间"},
    decisions: "选择",
    group: (axis, group) => axis === "turn" ? (group === 16 ? "16 巡以后" : `${group}–${group + 2} 巡`) :
      axis === "distance" ? WORDS.zh.states[group] :
      axis === "standing" ? (group === "none" ? "第一盘或单盘" : ["", "第一", "第二", "第三", "第四"][group]) :
      {0: "不到 1 秒", 1: "1–3 秒", 3: "3–6 秒", 6: "6–12 秒", 12: "12 秒以上"}[group],
    sessions: "比赛", session: "比赛", day: "日期", points: "得分", places: "标准分", fans: "和牌番种",
  },

  library: {
    title: "牌谱库", table: "牌桌", games: n => `${n} 盘`, players: "选手", day: "日期", file: "文件", platform: "平台",
    result: "结果", waiting: "尚未复盘", broken: "不完整",
    earlier: "更早", later: "更晚", drawn: "荒庄", won: (name, fan) => `${name} ${fan ? `${fan} 番` : ""}`,
    empty: "牌谱库是空的。在牌桌页面打开牌谱，或运行：mj-bot library import 文件夹",
    gone: "没有这个页面：这一盘或这位选手不在牌谱库里，或已被删除。", hand: n => `第 ${n} 盘`, judge: "评判",
  },
});
