// 对决策与题目的说明；words_decision.en.js 是对应的英文。
"use strict";

Object.assign(WORDS.zh, (() => {
  const {moves, distance} = CHINESE;

  return {
    remarks: {
      doing: {PASS: "过", CHI: "吃", PENG: "碰", GANG: "杠", BUGANG: "补杠", HU: "和", PLAY: "打"},
      win: (a, b, fan) => [`可以和牌，${fan} 番。`],
      alone: (a, b, s, n) => [a, `${moves(n, s)}。`],
      both: (a, b, s, n) => [a, "与", b, `都${moves(n, s)}。`],
      distance: (a, b, s, n, m, fan, other) => [a, `${moves(n, s)}${fan ? `（${fan}）` : ""}；`, b,
        `${moves(m, s)}${other && other !== fan ? `（${other}）` : ""}。`],
      wins: (a, b, n, m) => m === null ? [n ? `还有 ${n} 张牌能和，够 8 番。` : "但没有够 8 番的和牌张。"] :
        [a, `后还有 ${n} 张牌能和且够 8 番，`, b, `后有 ${m} 张。`],
      pays: (a, b, waits, others) => [a, "后和", ...waits, "；", b, "后和", ...others, "。"],
      kong: a => [a, "可多摸一张牌。"],
      aim: (a, b, fan, n) => [`离最近的 8 番牌型（${fan}）还差 ${n} 张。`],
      nearer: (a, b, n, m) => m === null ? [`有效进张还有 ${n} 张。`] :
        ["有效进张：", a, `后还有 ${n} 张，`, b, `后有 ${m} 张。`],
      draw: (a, b, tile, n, waits, others) => [a, "后若摸到", tile, `（余 ${n} 张），可听`, ...waits,
        ...(others ? ["；", b, "后可听", ...others, "。"] : ["；", b, "后没有够 8 番的听牌。"])],
      way: (a, b, name, p, q) => [name === null ? "等到和牌张的机会：" : `和出${name}的机会：`, a, `后 ${p}，`, b, `后 ${q}。`],
      signs: {comma: "，", melds: n => `已有 ${n} 副露`, suit: () => "副露都是这一门或字牌", discarded: () => "自己打过这张",
        passed: () => "放过了这张", unseen: n => n ? `另有 ${n} 张未见` : "其余已全部可见"},
      plain: (a, b, s, n, t, m) => ["不计番数：", a, `后${distance(s)}（有效进张 ${n} 张），`, b, `后${distance(t)}（${m} 张）。`],
      no_nearer: (a, b) => [b, "后离和牌并没有更近。"],
      keeps: (a, b, fan, n) => [a, `保留${fan}（差 ${n} 张）；`, b, "则放弃了它。"],
      needless: (a, b, tile, p, q, isChosen) => ["无谓的危险：", ...(isChosen ? [a] : [tile]), `（${p}）的手牌不比`, b,
        `（${q}）差。`],
      danger: (more, less, p, q, seats) => [more, `点炮的概率是 ${p}（${seats}），`, less,
        q === null ? "则不用打牌。" : `是 ${q}。`],
      against: parts => ["不利之处：", ...parts],
      only: (a, b, tactic, loss) => ["进张、番数和危险都分不出高下",
        ...(loss ? [`；${tactic} 认为`, a, `高 ${loss}。`] : ["。"])],
    },

    causes: {
      why: "相差 %s 分的原因：%s。", differs: "这是 %s 看到的合计；损失由全部评判得出。", plus: "＋", all: "全部原因",
      sum: "合计", comma: "；",
      compared: (name, points, here, there) => here ? `${name} ${here} 对 ${there}（${points}）` : `${name}（${points}）`,
      win: "和牌率", fan: "和牌的平均番数", other: "别家和牌", nobody: "荒庄", deal_in: "这一张点炮", next_draw: "再摸一张后的听牌",
      opening: "不再门前清", nearer: "向听数与有效进张", claim: "这类吃碰杠的经验", usual: "这类打法的经验",
      hints: {
        win: "按剩余的牌张估计这手牌能和的概率。", fan: "这手牌可能和出的平均番数，每番由一家或三家付。",
        other: "别家和牌的概率，乘以平均的代价：8 分底分与一部分番分。", nobody: "牌墙摸完无人和牌的概率，不得分。",
        deal_in: "这一张被和的概率。代价 %s 分，按 %s 倍计：search 自我对局时用这个倍数得分最多。",
        next_draw: "一向听的手牌：再摸一张后能有多好的听牌。",
        opening: "search 的自我对局中，失去门前清后比以上各项推算少得的分。",
        nearer: "search 的自我对局中，向听数少、有效进张多的手牌比以上各项推算多得的分。",
        claim: "search 的自我对局中，这类吃碰杠比以上各项推算多得或少得的分。",
        usual: "search 的自我对局中，这类打法比以上各项推算多得或少得的分。",
      },
    },

    dealIns: {
      title: n => `点炮 ${n} 次`, avoidableOf: "其中 %s 次可避免", comma: "，",
      columns: ["选手", "决策", "牌", "概率", "更安全的打法", "可避免", "得分"],
      dealt: "点炮；当时的概率是 %s。更安全的：", robbed: "被抢杠。",
      more: "多值 %s 分", less: "少 %s 分", equal: "价值相同", none: "没有",
      avoidable: "可以避免", unavoidable: "按价值不算失误", yes: "是",
      note: "更安全的打法：点炮率至少低两个百分点的打法中最好的一个。可避免：它至少多值半分，或毫无损失。",
    },

    explain: ({danger, aims, needs, value, patterns, score, outcomes}, name) => outcomes ?
      [`预计得 ${score.toFixed(1)} 分：` + outcomes.map(([kind, chance]) => `${{win: "和牌", pay: "点炮或被自摸",
        spared: "由别家付", draw: "荒庄"}[kind]} ${(100 * chance).toFixed(0)}%`).join("，") + "。"] :
      patterns ? [`离各牌型共 ${value.toFixed(2)} 张：` + (patterns.map(([pattern, far]) =>
        `${name(pattern)} ${far.toFixed(2)}`).join("，") || "凑不出 8 番") + "。"] :
      [`点炮率 ${(100 * danger).toFixed(1)}%。主要路线：` + (aims.map(([pattern, share]) =>
        `${name(pattern)} ${(100 * share).toFixed(0)}%`).join("，") || "凑不出 8 番") + (needs.length ? "；需要 " : "。"),
       ...(needs.length ? [{tiles: needs}] : [])],

    pattern: name => ({
      "pure straight or shifted chows": "清龙或一色三步高", "pure triple chow or shifted pungs": "一色三同顺或三节高",
      "half flush": "混一色", "full flush": "清一色", "all pungs": "碰碰和", "upper or lower four": "大于五或小于五",
      "all types": "五门齐", "seven pairs": "七对", "honours and knitted": "全不靠", "knitted straight": "组合龙",
      "mixed triple chow": "三色三同顺", "mixed straight": "花龙", "mixed shifted chows": "三色三步高", waits: "听牌",
    })[name],

    learn: {
      own: "我的全部名字", daily: "每日何切",
      scoring: {start: "算番练习", stop: "做题", question: "这手牌有哪些番？", sum: "共几番", check: "对答案", next: "下一手 ›",
        selfDrawn: "自摸", onDiscard: "点和", open: n => `${n} 组副露`, closed: "门前清", wrong: "不全对：", missed: "漏了",
        inside: "有%s时不计", absent: "这手牌没有", hint: "先选番种，再写总数。最后一张是和的牌。"},
      start: "从失误中学习", stop: "结束做题", question: "你怎么打？在这里选，或点牌桌上的手牌。",
      you: "你", solved: "答案", inGame: "实战", wrong: "不对", again: "再试一次，或者看答案。", solution: "看答案",
      right: "答对了。", found: "找到了。", shown: "答案", grades: {best: "最佳", good: "可以", wrong: "失误"},
      compare: "下面把选中的打法与最佳打法作比较；点别的一行可换着比较。",
      place: "第 %s 题，共 %s 题", back: "再做一次", sample: "题目来自示例牌谱：牌谱库里还没有这位选手的失误",
      empty: "没有合适的题。答错的题在 1、3、7、21 天后再出，答对的 21 天后再出一次。", setOver: "这一组做完了。", another: "再来一组",
      whole: "看全盘",
      scores: {row: "连对", best: "最长连对", today: "今日", days: "连续天数", due: "今日复习"},
      all: (right, answered) => `共答 ${answered} 题，一次答对 ${right} 题。答错的题在 1、3、7、21 天后再出，答对的 21 天后再出一次。`,
      which: "哪些题", row: n => `连对 ${n} 题。`, ask: "你怎么打？", share: "问问大家",
      picture: "图片", page: "折起答案的网页",
      next: "下一个失误 ›", game: "下一盘 ›", none: "该家没有失误。",
      score: (answered, all, best) => `已答 ${answered} 题，共 ${all} 题，一次答对 ${best} 题。`,
      lost: (you, game, of) => `损失：你 ${you}，实战 ${game} ${of}。`, over: "你的成绩", before: "连同前面各盘：",
    },
  };
})());
