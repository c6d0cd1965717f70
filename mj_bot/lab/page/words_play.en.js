// What the table, the page of any hand and rules say in English; words_play.zh.js says the same in Chinese.
"use strict";

Object.assign(WORDS.en, (() => {
  const {tiles} = ENGLISH;

  return {
    // The table of all fans.
    fanHeads: ["fan", "", "example", "also counted", "never with it"], fanSearch: "Find a fan",
    // The relatives of fans in riichi mahjong, with what differs.
    yaku: {
      "清龙": "ittsu: 16 fan, open or closed", "三色三同顺": "sanshoku doujun: 8 fan, open or closed",
      "三同刻": "sanshoku doukou", "混一色": "honitsu: 6 fan, so 2 more are needed", "清一色": "chinitsu: enough alone",
      "断幺": "tanyao: 2 fan, open or closed", "碰碰和": "toitoi: 6 fan, so 2 more are needed",
      "平和": "pinfu: any wait, may be open; the pair is of a suit", "七对": "chiitoitsu: four alike may be two pairs",
      "全带幺": "chanta, also junchan", "混幺九": "honroutou", "清幺九": "chinroutou", "三暗刻": "sanankou",
      "四暗刻": "suuankou: on a discard too, with a single wait", "大三元": "daisangen", "小三元": "shousangen: 64 fan",
      "大四喜": "daisuushii", "小四喜": "shousuushii", "字一色": "tsuuiisou",
      "绿一色": "ryuuiisou: the green dragon may be missing", "九莲宝灯": "chuuren poutou: with nine waits only",
      "十三幺": "kokushi musou", "一般高": "iipeikou: 1 fan, may be open", "四杠": "suukantsu", "三杠": "sankantsu",
      "箭刻": "yakuhai of a dragon: 2 fan", "圈风刻": "yakuhai of the round's wind: 2 fan",
      "门风刻": "yakuhai of your wind: 2 fan", "不求人": "menzen tsumo: 4 fan", "自摸": "tsumo: 1 fan, open hands too",
      "门前清": "a closed hand that wins on a discard: 2 fan; there is no riichi", "妙手回春": "haitei",
      "海底捞月": "houtei", "杠上开花": "rinshan kaihou", "抢杠和": "chankan",
    },
    allFans: [
      "If you play riichi mahjong: there is no riichi, no furiten and no dora. One yaku is not enough: " +
      "a win needs 8 fan, flowers not counted. Who deals in pays 8 plus the fan, and the other two pay 8 each; " +
      "after a self-drawn win each of the three pays 8 plus the fan.",
      'The last tile is the winning one. "Also counted" are the other fans that the judge counts in the example. ' +
      '"Never with it" are the fans that are not counted where this fan is. ' +
      "A pung that counts as dragons or a wind is no pung of terminals or honours.",
    ],

    hand: {
      title: "Any hand", table: "Play", clear: "Clear", round: "Round", seat: "Seat", flowers: "Flowers",
      hint: "Click tiles, or write: 123m456s789pEE55p", few: n => `${tiles(n)} of 13 or 14`,
      into: {hand: "Hand", chow: "Chow from", pung: "Pung", kong: "Kong", concealed: "Concealed kong"},
      rivers: ["Your discards", "Next player's", "Player's across", "Player's before you"],
      flags: ["Self-drawn", "Last of its kind", "Last of the wall", "Kong draw or robbed kong"],
      wins: n => `A winning hand of ${n} fan`, short: n => `No legal win: ${n} fan, 8 are needed without flowers.`,
      way: ["self-drawn", "on a discard"],
      otherWay: (way, n) => `${way}: ${n} fan`, otherShort: (way, n) => `${way}: ${n} fan, no legal win`,
      noWin: "no legal win",
      value: n => `Value: ${n} points, as search expects them if the next tile changes nothing.`,
      improvements: "Draws that make a better wait", draws: "draw", rules: "Counted by the rules of %s.",
      countedBy: "Fans by",
      ruleSets: {botzone: "Botzone's judge", mil: "MIL, salasasa", "green-book": "the Green Book"},
      notes: {red_five: "0 was read as a five: this game has no red fives.",
        z_order: "5z, 6z and 7z were read as white, green and red, the order of riichi mahjong.",
        flags: "The four digits are about a win: they count when the hand has 14 tiles."},
      others: {
        knitted_wait: n =>
          "A wait inside a knitted straight: MIL, salasasa and newer calculators count it (1 fan), the judge of " +
          "Botzone does not" + (n ? `: ${n} fan.` : "."),
        mixed_kongs: n => "One concealed and one melded kong: the Green Book counts 6 fan, others 5" +
          (n ? `: ${n} fan in all.` : "."),
        exhausted_wait: n =>
          "The hand has all copies of the second tile that would win: some count the wait on the other tile as " +
          "the only one (1 fan)" + (n ? `: ${n} fan.` : "."),
      },
      moves: "Moves, with the points that search expects. Click a discard to make it.",
    },

    // Settings of other rules, where they are told.
    rules: {
      flowers: n => `one wall with ${n} flowers; each pays a point to a winner, and none counts for the eight fan`,
      wild: kind => kind === "none" ? "no wild tiles" : kind === "turned" ? "the turned tile is wild" :
        kind === "turned_and_next" ? "the turned tile and the next one are wild" :
          `wild: ${kind.replaceAll("_", " ")} dragon`,
      characters: n => n ? "" : "without characters", winds: n => n ? "" : "without winds",
      claim_wild: n => n && "wild tiles may be claimed",
      win_by_discard: n => n ? "win by own draw or on a discard" : "win by own draw, or by robbing a kong",
      seven_pairs: n => n && "seven pairs win", thirteen_orphans: n => n && "thirteen orphans win",
      four_reds: n => n && "four red dragons win",
      reserve: n => n && `${n} tiles stay in the wall`, pay: n => `each loser pays ${n}`,
      horses: n => n && `${n} horses`,
      no_wild_times: n => n > 1 && `without a wild tile ×${n}`, kong_draw_times: n => n > 1 && `on a kong's tile ×${n}`,
      last_tile_times: n => n > 1 && `on the last tile ×${n}`, flush_times: n => n > 1 && `one suit ×${n}`,
      half_flush_times: n => n > 1 && `one suit and honours ×${n}`, pungs_times: n => n > 1 && `all pungs ×${n}`,
      seven_pairs_times: n => n > 1 && `seven pairs ×${n}`, dealer_times: n => n > 1 && `dealer ×${n}`,
      open_kong_pay: n => n && `kong of a discard: its giver pays ${n}`,
      concealed_kong_pay: n => n && `concealed kong: each pays ${n}`,
      added_kong_pay: n => n && `added kong: each pays ${n}`, void_kongs: n => n && "kongs pay nothing in a drawn game",
    },

    play: {
      teach: "Teach me", teachText: "easy opponents, hints, undo, and a coach that stops mistakes",
      table: "Play", guidePage: "How to reach eight fan",
      network: "Devices in the local network", networkOff: "none", networkTable: "may play here",
      networkLibrary: "also see the library", networkShow: "Show the address",
      networkTitle: "Play on another device", close: "Close",
      networkText: {
        table: "Every device in your local network with this address can play at this table, unencrypted; your " +
          "library is not shown.",
        library: "Every device in your local network with this address can play at this table and sees your " +
          "library, unencrypted."},
      private: "Only games of this sitting are shown here. (%s)",
      kept: "Matches to continue", goOn: "Continue", forget: "Forget",
      forgetMatch: "Forget this match? Its finished games stay.",
      wholeMatch: "Review the match", hands: n => `Match: ${n} ${n === 1 ? "hand" : "hands"}`,
      unkept: "The library cannot be written now: what was played since is not kept yet. Each move tries again.",
      restarted: "The server was started again. The table shows its present state.",
      otherMatch:
        "The server was started again and plays another match, which the table shows. Yours is among the matches " +
        "to continue.",
      matchLost:
        "The server was started again and has not kept this match. Its finished games are among the past games.",
      anyHand: "Any hand", library: "Library", learn: "Learn",
      dealing: "The tiles are dealt… The first game takes a while.", drawnTile: "drawn",
      figures: "Points lost and danger on each move", confirm: "A second tap confirms a discard",
      plan: (fan, n) => `Plan: ${fan}, ${tiles(n)} to go.`, wanted: "Wanted:", keep: "Keep:",
      described: (who, hand, melds, river) => `${who}. ` + (hand ? `Hand: ${hand}. ` : "") +
        (melds ? `Melds: ${melds}. ` : "") + `Discards: ${river}.`,
      keys: "Keys", keyList: [["← →  1 … 9  0", "go to a tile"], ["Enter", "discard it"], ["X", "pass"],
        ["C", "chow; of several it goes to the next, Enter takes it"],
        ["P", "pung"], ["K", "kong; of several it goes to the next"], ["W", "win"],
        ["Esc", "cancel; take back a stopped move"], ["S", "let a stopped move stand"],
        ["E", "explain a stopped move"], ["N", "next game"], ["U", "undo"], ["H", "hints"], ["F", "table of fans"],
        ["L", "language"], ["?", "this list"]],
      fanTable: "The 81 fans", fansPage: "Fan examples",
      welcome:
        "Sit down with three programs. The table gives hints and takes moves back, if you like; afterwards it " +
        "reviews the game.",
      inLibrary: "in the library", against: "against %s", recorded: "as recorded",
      totals: (n, wins, points) => `${n} ${n === 1 ? "game" : "games"}, ${wins} won, ${points} points`,
      eightFan: "Eight fan: a win now brings %s points. Wait for more?", valued: "%s values: ", winNow: "Win now",
      wait: "Wait",
      coach: "Coach: stop a move that loses more points than", coachOff: "off",
      waiting: "One moment… The first time takes longer.", stopped: "The coach: this move loses %s points",
      better: "The better move",
      takeBack: "Take it back", letStand: "Let it stand", explain: "Explain",
      coached: ({stops, kept, lost, saved}) =>
        `The coach stopped ${stops} ${stops === 1 ? "move" : "moves"}: ` +
          `${stops - kept} taken back (${saved.toFixed(1)} points), ` +
        `${kept} let stand (${lost.toFixed(1)} points).`,
      rulesOf: "Rules", rulesAbout: {botzone: "Botzone: four walls, no flowers",
        tziakcha: "雀渣 tziakcha: flowers, 16 hands", guangdong: "Guangdong"},
      countsFans: "I count the fan: any complete hand can be declared, a false win costs 30",
      falseWin: "A false win: fewer than eight fan. You pay 10 to each other player, and the hand goes on.",
      standard: "standard points", standardNow: "standard points now",
      clock: "Clock, seconds a move + reserve a hand", clockOff: "none", hurry: "%s s left",
      timeOut: "The time was up: the clock has made the move.",
      title: "game %s of %s", wall: "wall %s", hints: "Hints", pace: "Pace", slow: "slow", normal: "normal",
      instant: "at once", settings: "Settings", sound: "Sounds", motion: "Animations", undo: "Undo", new: "New match",
      next: "Next game", seat: "Your seat", rotating: "new each game", games: "Games",
      opponents: ["Player after you", "Player across", "Player before you"],
      about: {cnn: "cnn: network, the strongest", search: "search: seeks eight fan",
              rule_based: "rule_based: plays by rule", random: "random: any legal move",
              shanten: "shanten: the fewest steps to a win", ours: "ours: as shanten, but sees its own hand alone"},
      seed: "Wall number of the first game, empty for any",
      practice: "Practice: moves can be taken back", deal: "Deal", cancel: "Cancel", you: "You",
      discard: "Your turn: which tile do you discard?", claim: "Do you claim this tile?", rob: "Rob the kong?",
      then: "Which tile do you discard then?", tap: "Tap the tile again to discard it.", best: "best move",
      buttons: {PASS: "Pass", HU: "Win", CHI: "Chow", PENG: "Pung", GANG: "Kong", BUGANG: "Add to pung"},
      callouts: {CHI: "Chow!", PENG: "Pung!", GANG: "Kong!", BUGANG: "Kong!", HU: "Mahjong!"},
      dangerous: "chance to deal in: %s", live: "%s useful",
      saved: "The record is saved: %s", lost: "The record could not be saved.",
      past: "Past games", review: "Review", resume: "Play on",
      resumeTitle: "Take your last choice again; undo goes back further",
      total: "Score of the match", leave: "The game on the table is not over. Leave it?", none: "None yet.",
      leaveMatch: n => `${n} more ${n === 1 ? "game" : "games"} of this match to come. Leave the match?`,
      places: ["next", "across", "before"],
      waits: "wins on", after: "after", autoWin: "Win when I can", noClaims: "No claims", alwaysPass: "Always pass",
      drawn: "Drawn", outcome: (winner, fan, giver, isOwn) => `${winner} won ${fan} fan ` +
        (giver === null ? "by self-draw" : isOwn ? "on your tile" : `on a tile of ${giver}`),
      rules: "Rules of this table", wild: "wild",
      open: "Review a game", openLink: "Open", drop: "Drop a record here, or choose a file",
      paste: "Link of Botzone or tziakcha.net", reading: "Reading the games…", pasted: "pasted text",
      large: "The file is too large: at most 16 MB.", empty: "No game can be read in it: %s",
      login: "The site wants a login or refuses. Save the record in your browser and open the file. (%s)",
      gone: "There is no such record: the link is wrong, or the record is gone. (%s)",
      busy: "The site is busy. Try again later. (%s)", unreachable: "The site does not answer. Try again later. (%s)",
      odd: "The site sent no record. (%s)", link:
        "Only links to matches of Botzone and to hands and sessions of tziakcha.net can be opened.",
      stale: "The game has moved on in another tab. The table shows its present state.",
      illegal: "That is not possible: %s", silent: "The server does not answer; is it still running?",
      refused: "The server refused: %s",
    },
  };
})());
