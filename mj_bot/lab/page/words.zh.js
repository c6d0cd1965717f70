// 所有页面的中文文字，与 words.en.js 一一对应。番种名随数据而来。
"use strict";

WORDS.zh = (() => {
  const distance = n => n === null ? "没有可及的8番牌型" : n < 0 ? "和牌" : n < 1 ? "听牌" : `${"零一二三四五六七八九十"[n]}向听`;
  const moves = (n, before) => n === null ? "使8番牌型不可及" : before === null ? `成为${distance(n)}` : n === before ? `保持${distance(n)}` : n < before ? `进到${distance(n)}` : `退到${distance(n)}`;

  return {
    // 读给看不见牌的人听。
    tile: name => ({W: `${"〇一二三四五六七八九"[name[1]]}万`, T: `${"〇一二三四五六七八九"[name[1]]}条`, B: `${"〇一二三四五六七八九"[name[1]]}饼`, H: `花牌${name[1]}`,
      F: `${"东南西北"[name[1] - 1]}风`, J: ["红中", "发财", "白板"][name[1] - 1]})[name[0]],
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
    HUANG: "荒庄", erred: "犯规", WH: "错和（不足8番）",
    unfinished: "牌谱在终局前结束",
    actions: {PLAY: "打", CHI: "吃", PENG: "碰", GANG: "杠", BUGANG: "补杠", HU: "和", PASS: "过"},
    fan: "番", countedBy: {judge: "裁判计番", here: "本程序计番"}, result: "终局",
    player: "选手", score: "得分", mistakeCount: "失误", differenceCount: "不同的打法", all: "合计",
    units: {tiles: "张", points: "分", steps: "步"}, lost: "损失（%s）",
    distance, aside: "（%s）", plain: "不计番数：%s", useful: "有效牌 %s 张：", winsOn: "和", selfDrawOnly: "仅自摸够8番",
    noWin: "听牌，但没有够8番的和牌张",
    lastCopy: "靠绝张才够8番", ofGiver: "的",
    aims: fans => "接近" + fans.map(([fan, away]) => `${fan}（差 ${away} 张）`).join("、"), events: "过程", unknown: "未知",

    review: {
      ownRules: own => own.sub_rule ?
        `本局按 ${own.platform} 的 ${own.sub_rule} 规则进行：得分以平台为准，此处的番种按标准规则计算。` :
        `${own.platform} 在此多计一番（组合龙内的边张、嵌张或单钓），得分以平台为准；Botzone 裁判不计这一番。`,
      open: "明牌", one: "单家", back: {games: "全部对局", table: "回到牌桌"}, resume: "从这里接着打",
      command: "这个网页是一个文件，接着打需要一台装有 mj_bot 的电脑。请在那里牌谱所在的文件夹中运行：",
      other: "或者运行 `mj-bot play --open`，把牌谱拖到牌桌上，再按那里的同一个按钮。", copy: "复制", copied: "已复制", close: "关闭",
      steps: {decision: "决策", claim: "吃碰杠", dealIn: "点炮", mistake: "失误"},
      previous: "上一个", next: "下一个", first: "开始", last: "结束", frame: "%s / %s", choose: "到该家的最大失误",
      decision: "决策", played: "实战", danger: "点炮率", auto: "自动播放", stop: "停止", speed: "速度", same: "一致", equal: "一样好", good: "可以", kind: "同类不同牌",
      otherAction: "不同动作", missed: "漏和",
      ranking: {points: "条长：比最佳少的分数，满格 %s 分", tiles: "条长：比最佳差的张数，满格 %s 张", "": "各动作"},
      classes: {inaccuracy: "失准", mistake: "失误", blunder: "大错"},
      limits: "损失满 %s 分为 ?! 失准，满 %s 分为 ? 失误，满 %s 分为 ?? 大错",
      scale: "损失不超出误差（±，一个标准误）的不算。准确率：每个决策没有失误为 100%，每损失 %s 分减半，取平均。",
      accuracy: "准确率", curve: {points: "期望得分", steps: "向听数"},
      tiles: {mcr: "若打出：点炮率（满格 25%）；其后的有效进张，或退几向听；小字：与之不同的普通向听数",
              other: "若打出：其后的有效牌张数，或退几向听"},
      itself: "%s 的说明", mistakes: "最大失误", noMistakes: "该家没有失误。", differences: "最大的不同", noDifferences: "该家的打法与评估者一致。",
      compared: "把实战的打法与 %s 的打法作对照。",
      sameAs: "%s的每一步都与 %s 相同：也许就是同一个选手。", allSame: "%s全部与 %s 一致。",
      summary: "统计", columns: ["实战动作", "决策数", "同类", "完全一致", "损失"],
      breaks: "牌谱在此中断", note: "不合规则", unread: "该家的分析提前结束",
      axes: {distance: "向听数", points: "期望得分", event: "步"},
      keys: "%s 逐步，%s 首尾，%s 决策，%s 吃碰杠，%s 点炮，%s 失误（按住 Shift 往回），%s 座位，%s 明暗，%s 语言，%s 上一局、下一局，%s 手牌下各家的点炮率，%s 自动播放、停止，%s 从失误中学习（%s 选择）",
    },

    judges: {
      comma: "、", disputed: "有争议", notCounted: "有争议：只有一个评判认为是失误，不计。",
      counted: "两个评判都认为是失误。计入较小的损失减去其误差：%s %s。",
      small: "两个评判都认为有损失，但较小的损失减去误差后不到失误的下限。",
      contradicts: "%s 的看法相反：它认为实战的打法多值 %s 分，胜过 %s 的打法。",
      repeats: "与 #%s 是同一个失误，各巡合计一次。",
      rule: "各评判（%s）都认为是失误的才计。计入的损失取各自损失减误差后的最小者。说明与原因来自 %s。",
      pending: "另一个评判还在计算，完成后页面自动更新。",
      list: n => `有争议：${n}`, forecast: "%s 的预测：和牌 %s，付番（点炮或别家自摸）%s。",
      chart: "%s 的预测与实际结果", win: "和牌", pay: "付番（点炮或别家自摸）",
      bin: (said, happened, count) => `预测 ${said}，实际 ${happened}，${count} 个决策`,
      chartNote: "横轴是预测的概率，纵轴是实际的比例，每一成一个点，在斜线上即相符。同一局的决策只有一个结果，局数少时会偏离较大。",
    },

    remarks: {
      doing: {PASS: "过", CHI: "吃", PENG: "碰", GANG: "杠", BUGANG: "补杠", HU: "和", PLAY: "打"},
      win: (a, b, fan) => [`可以和牌，${fan} 番。`],
      alone: (a, b, s, n) => [a, `${moves(n, s)}。`],
      both: (a, b, s, n) => [a, "与", b, `都${moves(n, s)}。`],
      distance: (a, b, s, n, m, fan, other) => [a, `${moves(n, s)}${fan ? `（${fan}）` : ""}；`, b,
        `${moves(m, s)}${other && other !== fan ? `（${other}）` : ""}。`],
      wins: (a, b, n, m) => m === null ? [n ? `还有 ${n} 张牌能和，够8番。` : "但没有够8番的和牌张。"] :
        [a, `后还有 ${n} 张牌能和且够8番，`, b, `后有 ${m} 张。`],
      aim: (a, b, fan, n) => [`离最近的8番牌型（${fan}）还差 ${n} 张。`],
      nearer: (a, b, n, m) => m === null ? [`有效进张还有 ${n} 张。`] :
        ["有效进张：", a, `后还有 ${n} 张，`, b, `后有 ${m} 张。`],
      draw: (a, b, tile, n, waits, others) => [a, "后若摸到", tile, `（余 ${n} 张），可听`, ...waits,
        ...(others ? ["；", b, "后可听", ...others, "。"] : ["；", b, "后没有够8番的听牌。"])],
      signs: {comma: "，", melds: n => `已有 ${n} 副露`, suit: () => "副露都是这一门或字牌", discarded: () => "自己打过这张",
        passed: () => "放过了这张", unseen: n => n ? `另有 ${n} 张未见` : "其余已全部可见"},
      keeps: (a, b, fan, n) => [a, `保留${fan}（差 ${n} 张）；`, b, "则放弃了它。"],
      danger: (a, b, seat, p, q, signs) => [a, `点炮给${seat}的概率是 ${p}，`, b, `是 ${q}${signs ? `（${signs}）` : ""}。`],
      risk: (a, b, seat, q, signs) => [b, `点炮给${seat}的概率是 ${q}${signs ? `（${signs}）` : ""}；`, a, "则不用打牌。"],
      against: parts => ["不利之处：", ...parts],
      only: (a, b, tactic, loss) => ["这里的数字没有一项支持", a, loss ? `；${tactic} 的估值更高，高 ${loss}。` : "。"],
    },

    leaks: {
      win: ["漏和", "放过和牌，或和得太早"], chow: ["该吃不吃", "该吃不吃"], pung: ["该碰不碰", "该碰不碰"], kong: ["该杠不杠", "该杠不杠"],
      pass_chow: ["不该吃", "不该吃却吃"], pass_pung: ["不该碰", "不该碰却碰"], pass_kong: ["不该杠", "不该杠却杠"], claim: ["吃碰选择", "吃碰选错"],
      wait: ["听牌选择", "选了较差的听"], push: ["该守却攻", "打出危险牌"], fold: ["弃和过早", "弃和过早"], plan: ["牌型路线", "为较差的番种舍牌"], tile: ["舍牌选择", "打掉更有用的牌"],
    },
    states: ["听牌", "一向听", "两向听", "三向听", "四向听以上"],

    me: {choose: "这是我：从我的座位打开各局", is: "这是你；点击取消"},

    learn: {
      start: "从失误中学习", stop: "显示答案", question: "你怎么打？在这里选，或点牌桌上的手牌。",
      you: "你", best: "最佳", better: "比实战好", same: "与实战相同", worse: "比实战差",
      unknown: "其他打法，没有估值", next: "下一个失误 ›", game: "下一局 ›", none: "该家没有失误。",
      score: (answered, all, best) => `已答 ${answered} 题，共 ${all} 题，最佳 ${best} 题。`,
      lost: (you, game, of) => `损失：你 ${you}，实战 ${game} ${of}。`, over: "你的成绩", before: "连同前面各局：",
    },

    causes: {
      why: "相差 %s 分的原因：%s。", small: "相差 %s 分出于几个小原因：%s。", plus: "＋", all: "全部原因", sum: "合计", comma: "；",
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

    explain: ({danger, aims, needs, value, patterns, score, outcomes}, name) => outcomes ?
      [`预计得 ${score.toFixed(1)} 分：` + outcomes.map(([kind, chance]) => `${{win: "和牌", pay: "付番（点炮或别家自摸）",
        spared: "由别家付番", draw: "荒庄"}[kind]} ${(100 * chance).toFixed(0)}%`).join("，") + "。"] :
      patterns ? [`离各牌型共 ${value.toFixed(2)} 张：` + (patterns.map(([pattern, far]) =>
        `${name(pattern)} ${far.toFixed(2)}`).join("，") || "没有可及的") + "。"] :
      [`点炮率 ${(100 * danger).toFixed(1)}%。牌的价值来自：` + (aims.map(([pattern, share]) =>
        `${name(pattern)} ${(100 * share).toFixed(0)}%`).join("，") || "没有可及的") + (needs.length ? "；需要 " : "。"),
       ...(needs.length ? [{tiles: needs}] : [])],
    pattern: name => ({
      "pure straight or shifted chows": "清龙或一色三步高", "pure triple chow or shifted pungs": "一色三同顺或三节高",
      "half flush": "混一色", "full flush": "清一色", "all pungs": "碰碰和", "upper or lower four": "大于五或小于五",
      "all types": "五门齐", "seven pairs": "七对", "honours and knitted": "全不靠", "knitted straight": "组合龙",
      "mixed triple chow": "三色三同顺", "mixed straight": "花龙", "mixed shifted chows": "三色三步高", waits: "听牌",
    })[name],

    index: {
      title: n => `${n} 局`, hand: (n, of) => of ? `第 ${n} 局，共 ${of} 局` : `第 ${n} 局`,
      sessions: "场次", session: "一场", whole: "全部对局", curve: "各局后的累计得分", totals: "总分",
      places: "标准分", mistakes: "失误数",
      sources: ["点和得分", "自摸得分", "点炮失分", "他家自摸失分", "他家点和失分", "犯规与罚分"],
      placing: "标准分：3、1.5、0.5、0；同分均分。",
      own: "一局即一盘。每位选手：得分、损失、座位。", game: "对局", round: "圈风", end: "结果", total: "四家合计",
      players: "选手", games: "局数", winRate: "和牌", dealInRate: "点炮", points: "每局得分",
      lossRate: "每局损失", rating: "等级分（95% 区间）", broken: "中断", drawn: "荒庄",
      mistakeList: n => `失误 ${n} 处`, showAll: "显示全部 %s 处", kinds: "按类型合计", everybody: "全部选手",
      kindsNote: "先是损失的分，后是次数。点类型即筛选失误列表；其他筛选条件在这里同样有效。",
      filters: {all: "全部", player: "选手", leak: "类型", grade: "程度", state: "手牌", judge: "评判", agreed: "一致", alone: "仅 %s"},
      sort: "点击表头排序。", seatNote: "一局即一盘。每家：得分、损失、选手。",
      noRating: "等级分需要安装 workshop：make workshop。", reviewer: "损失：单位为%s，由 %s 评估。", none: "没有失误。",
    },

    hand: {
      title: "任意手牌", table: "对局", clear: "清空", round: "圈风", seat: "门风", flowers: "花牌",
      hint: "点击牌张，或输入手牌：123m456s789pEE55p", few: n => `${n} 张，共需 13 或 14 张`,
      into: {hand: "手牌", chow: "吃（点首张）", pung: "碰", kong: "明杠", concealed: "暗杠"},
      rivers: ["自己的弃牌", "下家的", "对家的", "上家的"],
      flags: ["自摸", "绝张", "牌墙最后一张", "杠上或抢杠"],
      wins: n => `和牌，${n} 番`, short: n => `不能和：${n} 番，不计花牌需要 8 番。`,
      way: ["自摸", "点和"], eightFan: n => n === null ? "没有可及的8番牌型。" : `离8番牌型差 ${n} 张。`,
      otherWay: (way, n) => `${way}：${n} 番`, otherShort: (way, n) => `${way}：${n} 番，不能和`, noWin: "不能和",
      value: n => `价值：下一张摸打不变时，search 估计得 ${n} 分。`,
      improvements: "改良：摸到这些牌能换成更好的听牌", draws: "摸", rules: "按 %s 规则计番。",
      notes: {z_order: "5z、6z、7z 按日麻的顺序读作白、发、中。", flags: "竖线后的四位数字说明和牌的情形，满 14 张才起作用。"},
      others: {
        knitted_wait: n => "组合龙内的边张、嵌张或单钓：MIL、salasasa 和较新的算番器计 1 番，Botzone 裁判不计" + (n ? `：共 ${n} 番。` : "。"),
        mixed_kongs: n => "一明杠一暗杠：绿皮书计 6 番，其他计 5 番" + (n ? `：共 ${n} 番。` : "。"),
        exhausted_wait: n => "另一张和牌张已全在自己手中：有的规则因此把剩下的一张算作独听（1 番）" + (n ? `：共 ${n} 番。` : "。"),
      },
      moves: "各打法及 search 估计的得分，点击要打的牌即打出。",
    },

    rules: {
      flowers: n => `四家共用一副牌墙，有 ${n} 张花牌；和牌时每张花加一分，不计入起和八番`,
      wild: kind => ({none: "无鬼牌", red: "红中为鬼", white: "白板为鬼", red_and_white: "红中、白板为鬼", turned: "翻鬼",
                      turned_and_next: "翻双鬼"})[kind],
      characters: n => n ? "" : "无万子", winds: n => n ? "" : "无风牌", claim_wild: n => n && "打出的鬼牌可碰杠",
      win_by_discard: n => n ? "可自摸，可和点炮" : "只能自摸或抢杠和",
      seven_pairs: n => n && "可和七对", thirteen_orphans: n => n && "可和十三幺", four_reds: n => n && "可和四红中",
      reserve: n => n && `留 ${n} 张不摸`, pay: n => `和牌每家付 ${n}`, horses: n => n && `买马 ${n} 张`,
      no_wild_times: n => n > 1 && `无鬼 ×${n}`, kong_draw_times: n => n > 1 && `杠上开花 ×${n}`,
      last_tile_times: n => n > 1 && `海底捞月 ×${n}`, flush_times: n => n > 1 && `清一色 ×${n}`,
      half_flush_times: n => n > 1 && `混一色 ×${n}`, pungs_times: n => n > 1 && `碰碰和 ×${n}`,
      seven_pairs_times: n => n > 1 && `七对 ×${n}`, dealer_times: n => n > 1 && `庄家 ×${n}`,
      open_kong_pay: n => n && `明杠由放杠者付 ${n}`, concealed_kong_pay: n => n && `暗杠每家付 ${n}`,
      added_kong_pay: n => n && `补杠每家付 ${n}`, void_kongs: n => n && "荒庄不计杠",
    },

    play: {
      anyHand: "任意手牌", library: "牌谱库", dealing: "正在发牌……第一局需要多等一会儿。", drawnTile: "刚摸的牌",
      figures: "在每个选择上显示失分和点炮率", confirm: "再点一次才打出",
      plan: (fan, n) => `思路：做${fan}，还差 ${n} 张。`, wanted: "需要：", keep: "留着：",
      described: (who, hand, melds, river) => `${who}。` + (hand ? `手牌：${hand}。` : "") + (melds ? `副露：${melds}。` : "") + `弃牌：${river}。`,
      keys: "按键", keyList: "← → 或 1 … 9、0：选牌，回车：打出。X：过，C：吃，P：碰，K：杠，W：和（有几种时再按选下一种，回车确定），" +
        "Esc：取消。N：下一局，U：悔牌，H：提示，L：切换语言，?：显示本表。",
      title: "第 %s 局，共 %s 局", wall: "牌墙 %s", hints: "提示", pace: "速度", slow: "慢", normal: "中",
      instant: "立即", settings: "设置", sound: "声音", motion: "动画", undo: "悔牌", new: "新比赛",
      next: "下一局", seat: "你的座位", rotating: "每局换座", games: "局数（一局即一盘）",
      opponents: ["下家", "对家", "上家"],
      about: {cnn: "cnn：训练的网络，最强", search: "search：寻找八番的和牌",
              rule_based: "rule_based：按规则打", random: "random：随机合法动作"},
      seed: "第一局的牌墙编号，留空为随机",
      practice: "练习：可以悔牌", deal: "发牌", cancel: "取消", you: "你",
      discard: "轮到你了，打哪张？", claim: "要这张吗？", rob: "抢杠吗？",
      then: "然后打哪张？", tap: "再点一次，打出这张。", best: "推荐",
      buttons: {PASS: "过", HU: "和", CHI: "吃", PENG: "碰", GANG: "杠", BUGANG: "补杠"},
      callouts: {CHI: "吃", PENG: "碰", GANG: "杠", BUGANG: "杠", HU: "和"},
      dangerous: "点炮率 %s", live: "进张 %s",
      saved: "牌谱已保存：%s", lost: "牌谱未能保存。",
      past: "以往对局", review: "复盘", resume: "接着打", resumeTitle: "从你的最后一次选择接着打，可悔牌到更早",
      total: "比赛得分", leave: "这一局还没打完，要离开吗？", none: "还没有。",
      leaveMatch: n => `这场比赛还有 ${n} 局没打，要离开吗？`, places: ["下家", "对家", "上家"],
      waits: "听", after: "打", autoWin: "能和就和", noClaims: "不吃碰杠", alwaysPass: "一律过",
      drawn: "荒庄", outcome: (winner, fan, giver, isOwn) => `${winner}${giver === null ? "自摸" : "和牌"} ${fan} 番` +
        (giver === null ? "" : `，${isOwn ? "你" : giver}点炮`),
      rules: "本桌规则", wild: "鬼牌",
      open: "复盘一局", openLink: "打开", drop: "把牌谱拖到这里，或选择文件",
      paste: "https://www.botzone.org.cn/match/…、https://tziakcha.net/…", reading: "正在读取……",
      large: "文件太大，最多 16 MB。", empty: "里面没有能读的对局：%s",
      login: "网站要求登录或拒绝访问。请在浏览器里保存牌谱，再打开文件。（%s）",
      gone: "没有这份牌谱：链接有误，或牌谱已删除。（%s）",
      busy: "网站正忙，请稍后再试。（%s）", unreachable: "网站没有应答，请稍后再试。（%s）",
      odd: "网站没有给出牌谱。（%s）", link: "只能打开 Botzone 对局和雀渣牌谱、比赛的链接。",
      stale: "本局已在另一个标签页中继续，现在显示的是最新局面。",
      illegal: "不能这样做：%s", silent: "服务器没有应答，它还在运行吗？",
      refused: "服务器拒绝：%s",
    },
  };
})();
