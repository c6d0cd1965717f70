// All that the pages say in English; words.zh.js says the same in Chinese. Names of fans come with the data.
"use strict";

const WORDS = {};
// Whether words of riichi mahjong stand next to the English ones.
const Terms = {isRiichi: false};

WORDS.en = (() => {
  const NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const inRiichi = term => Terms.isRiichi ? ` (${term})` : "";
  const distance = n => n === null ? "no hand of eight fan in reach" : n < 0 ? "complete" : n < 1 ? `ready${inRiichi("tenpai")}` : `${NUMBERS[n]} from ready${inRiichi(`${n}-shanten`)}`;
  const tiles = n => `${n} tile${n === 1 ? "" : "s"}`;
  // What a move does to the distance from ready.
  const moves = (n, before) =>
    n === null ? "leaves no hand of eight fan in reach" : before === null ? `leaves you ${distance(n)}` : n === before ? `keeps you ${distance(n)}` : n < before ? `brings you ${n < 1 ? "to " : ""}${distance(n)}` :
    `takes you back to ${distance(n)}`;

  return {
    // A tile for those who do not see it.
    tile: name => ({W: `${name[1]} of characters`, T: `${name[1]} of bamboos`, B: `${name[1]} of dots`, H: `flower ${name[1]}`,
      F: `${["East", "South", "West", "North"][name[1] - 1]} wind`, J: `${["red", "green", "white"][name[1] - 1]} dragon`})[name[0]],
    riichi: ["Riichi", "For riichi players: tenpai, shanten and ukeire next to the English words"], fanExample: "An example; the last tile is the winning one.",
    other: "中文", seats: ["East", "South", "West", "North"], winds: ["E", "S", "W", "N"], round: "%s round",
    plate: {wall: "wall %s", flowers: "flowers %s", score: "%s points", left: "%s left"}, wonBy: "% to %s",
    noDangers: "The danger of each tile stands here when this seat discards.",
    barTitle: "A full bar is the best move; the panel has the scale.",
    left: "left", claimedBy: "claimed by", asDrawn: "as drawn",
    SEAT: "The seats are given", DEAL: "The tiles are dealt", DRAW: "draws", BUHUA: "replaces a flower",
    PLAY: "discards", CHI: "chows", PENG: "pungs", GANG: "kongs", concealed: "lays a concealed kong",
    BUGANG: "adds to a pung", from: "from", then: "and discards", wins: "wins", selfDrawn: "by self-draw",
    // How a hand was won, as parts in order. tile, giver: null where unknown, or self-drawn.
    won: (winner, tile, giver) => giver ? [winner, "wins", tile, "on a tile of", giver] : [winner, "wins", tile, "by self-draw"],
    verdicts: {WA: "an action that is not legal", TLE: "out of time", MLE: "too much memory", OLE: "too much output",
      RE: "the program crashed", NJ: "the answer is not JSON", ERR: "the program failed"},
    HUANG: "Drawn: no tile left", erred: "makes an error", WH: "declares a win of fewer than 8 fan",
    unfinished: "The record ends before the game does",
    actions: {PLAY: "discard", CHI: "chow", PENG: "pung", GANG: "kong", BUGANG: "add to pung", HU: "win", PASS: "pass"},
    fan: "fan", countedBy: {judge: "as the judge counted", here: "counted here"}, result: "The end",
    player: "player", score: "score", mistakeCount: "mistakes", differenceCount: "other moves", all: "all",
    units: {tiles: "tiles", points: "points", steps: "steps"}, lost: "%s lost",
    distance, aside: " (%s)", plain: "without counting fan: %s", get useful() { return `%s useful${inRiichi("ukeire")}:`; }, winsOn: "wins on", selfDrawOnly: "by self-draw only",
    noWin: "ready, but no tile wins with eight fan",
    lastCopy: "only by the last copy", ofGiver: "",
    aims: fans => "near to " + fans.map(([fan, away]) => `${fan} (${tiles(away)})`).join(", "), events: "Events", unknown: "not recorded",

    review: {
      ownRules: own => own.sub_rule ?
        `Played by the sub rule ${own.sub_rule} of ${own.platform}: the scores are the platform's, the fans here are those of the standard rules.` :
        `${own.platform} counts one fan more here, a wait inside a knitted straight, and its scores have it; the judge of Botzone does not count it.`,
      open: "All hands", one: "One seat",
      back: {games: "All games", table: "Back to the table"}, resume: "Play on from here",
      command: "This page is a file, and playing on needs the table on a computer with mj_bot. Run this command there, in the folder of the record:",
      other: "Or run `mj-bot play --open`, drop the record onto the table, and press the same button there.", copy: "Copy", copied: "Copied", close: "Close",
      steps: {decision: "Decision", claim: "Claim", dealIn: "Deal-in", mistake: "Mistake"},
      previous: "Previous", next: "Next", first: "First", last: "Last", frame: "%s of %s", choose: "Go to the worst mistake of this seat",
      decision: "Decision", played: "Played", danger: "Danger", auto: "Play by itself", stop: "Stop", speed: "Speed", same: "same", equal: "as good", good: "good enough", kind: "other tile",
      otherAction: "another action", missed: "missed win",
      ranking: {points: "Bar: points below the best move, full at %s", tiles: "Bar: tiles below the best move, full at %s", "": "Moves"},
      classes: {inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder"},
      limits: "?! inaccuracy from %s points lost, ? mistake from %s, ?? blunder from %s",
      scale: "A loss is what the move costs on average, in points. Accuracy: 100%, halved for each loss of %s a decision.",
      accuracy: "accuracy", curve: {points: "Expected points", steps: "Distance from ready"},
      tiles: {mcr: "If discarded: chance to deal in (full bar: 25%), then copies left that bring eight fan nearer or steps lost; " +
        "small: plain distance where it differs", other: "If discarded: useful copies left, or steps lost"},
      itself: "The reasons of %s", mistakes: "Largest mistakes", noMistakes: "This seat made no mistake.", differences: "Largest differences",
      noDifferences: "This seat played as the reviewer would.",
      compared: "Compares the moves of the game with the moves of %s.",
      sameAs: "%s played every move as %s would: perhaps it is the same player.", allSame: "%s played every move as %s would.",
      summary: "Summary", columns: ["played", "decisions", "same kind", "same action", "loss"],
      breaks: "The record breaks here", note: "not allowed by the rules", unread: "The review of this seat ends early",
      axes: {get distance() { return `from ready${inRiichi("shanten")}`; }, points: "expected points", event: "event"},
      keys: "%s step, %s first, last, %s decision, %s claim, %s deal-in, %s mistake (shift: back), %s seat, %s hands, " +
        "%s language, %s previous, next game, %s danger of each opponent below the hand, %s play by itself, stop, %s learn from the mistakes (%s: choose)",
    },

    // Several judges of one decision, see review/judges.py, and what a judge forecasts.
    judges: {
      comma: ", ", or: " or ", disputed: "disputed", notCounted: "Disputed: only one judge sees a mistake, so it does not count.",
      counted: "Both see a mistake. Counted: the smaller loss less its error, %s %s.",
      small: "Both see a loss, but the smaller one less its error is below the limit.",
      contradicts: "%s sees it the other way round: to it the move of the game is worth %s more than that of %s.",
      repeats: "The same mistake as at #%s, which counts for all its turns.",
      strength: "cnn is the stronger judge: it wins 0.41 ± 0.12 points a game from search, over 48,000 games. search gives the words and causes.",
      rule: "A mistake counts where all judges see one: %s. The counted loss is the smallest of their losses, each less its error. Words and causes are those of %s.",
      pending: "The other judge is still at work; the page is completed by itself.",
      list: n => `Disputed: ${n}`, forecast: "Forecast of %s: wins %s, pays for a win %s.",
      chart: "Forecast of %s against what happened", win: "wins", pay: "pays for a win",
      bin: (said, happened, count) => `said ${said}, happened ${happened}, ${count} decisions`,
      chartNote: "Across: the forecast chance. Upwards: how often it happened. A point for each tenth, on the line where both agree. The decisions of one game share one end, so a few games scatter widely.",
    },

    // Sentences of review/facts.py's remarks. a, b: what the reviewer and the game did; parts of a sentence in order.
    remarks: {
      doing: {PASS: "passing", CHI: "the chow", PENG: "the pung", GANG: "the kong", BUGANG: "the added kong",
              HU: "winning", PLAY: ""},
      win: (a, b, fan) => [`The hand wins with ${fan} fan.`],
      alone: (a, b, s, n) => [a, ` ${moves(n, s)}.`],
      both: (a, b, s, n) => [a, " and ", b, ` both ${n === null ? "leave" : s === null ? "leave you" : n === s ? "keep you" : n < s ? "bring you to" :
        "take you back to"} ${distance(n)}.`],
      distance: (a, b, s, n, m, fan, other) => [a, ` ${moves(n, s)}${fan ? ` (${fan})` : ""}; `, b,
        ` ${moves(m, s)}${other && other !== fan ? ` (${other})` : ""}.`],
      wins: (a, b, n, m) => m === null ? [n ? `${tiles(n)} left ${n === 1 ? "wins" : "win"} with eight fan or more.` :
        "But no tile wins with eight fan."] :
        ["after ", a, ` ${n ? tiles(n) : "no tile"} left can win with eight fan, after `, b, ` ${m || "none"}.`],
      pays: (a, b, waits, others) => ["after ", a, " it wins on ", ...waits, "; after ", b, " on ", ...others, "."],
      kong: a => [a, " draws another tile from the wall."],
      aim: (a, b, fan, n) => [`The nearest hand of eight fan (${fan}) is ${tiles(n)} away.`],
      nearer: (a, b, n, m) => m === null ? [`${tiles(n)} left ${n === 1 ? "brings" : "bring"} a hand of eight fan nearer.`] :
        ["towards eight fan, ", `${tiles(n)} left${inRiichi("ukeire")} ${n === 1 ? "helps" : "help"} after `, a, `, ${m} after `, b, "."],
      draw: (a, b, tile, n, waits, others) => ["Drawing ", tile, ` (${n} left) makes a ready hand after `, a, ": wins on ", ...waits,
        ...(others ? ["; after ", b, " on ", ...others, "."] : ["; after ", b, " none of eight fan."])],
      way: (a, b, name, p, q) => [`The hand wins with ${name} with a chance of ${p} after `, a, `, of ${q} after `, b, "."],
      signs: {comma: ", ", melds: n => `it has ${n} melds`, suit: () => "all its melds are of this suit or honours", discarded: () => "it discarded this tile",
        passed: () => "it let this tile pass", unseen: n => n ? `${n} more unseen` : "no other copy is unseen"},
      keeps: (a, b, fan, n) => [a, ` keeps ${fan} in reach (${tiles(n)}); `, b, " gives it up."],
      danger: (a, b, seat, p, q, signs) => [`${seat} wins on `, a, ` with a chance of ${p}, on `, b, ` with ${q}${signs ? ` (${signs})` : ""}.`],
      risk: (a, b, seat, q, signs) => [`${seat} wins on `, b, ` with a chance of ${q}${signs ? ` (${signs})` : ""}; `, a, " discards nothing."],
      against: parts => ["Against it: ", ...parts],
      only: (a, b, tactic, loss) => ["None of these counts explains ", a, loss ? `; ${tactic} values it higher by ${loss}.` : "."],
    },

    // Kinds of mistakes, of library/leaks.py: a name, and what a sentence says of the player who makes them.
    leaks: {
      win: ["Wins passed by", "pass wins by, or take them too early"], chow: ["Should have chowed", "let chows go"], pung: ["Should have punged", "let pungs go"],
      kong: ["Should have konged", "let kongs go"], pass_chow: ["Chows to leave", "chow too much"], pass_pung: ["Pungs to leave", "pung too much"],
      pass_kong: ["Kongs to leave", "kong too much"], claim: ["Another claim", "make the wrong one of several claims"], wait: ["Which wait", "choose the weaker wait"],
      push: ["Pushed", "push dangerous tiles"], fold: ["Folded too early", "fold too early"], plan: ["Which plan", "discard for the weaker plan"], tile: ["Which tile", "discard the less useful tile"],
    },
    states: ["ready", "1 from ready", "2 from ready", "3 from ready", "4 or more"],

    me: {choose: "This is me: open the games at my seat", is: "You are this player; click to forget it"},

    learn: {
      start: "Learn from the mistakes", stop: "Leave the questions", question: "What do you play? Choose here, or a tile on the table.",
      you: "You", solved: "Solution", inGame: "the game", wrong: "not this", again: "Try again, or see the solution.", solution: "Show the solution",
      right: "Right.", found: "Found.", shown: "The solution", grades: {best: "the best move", good: "good enough", wrong: "a mistake"},
      compare: "Below, the marked choice is compared with the best move. Choose another line to compare it.",
      place: "Position %s of %s", back: "comes back after a miss", sample: "of the sample games: your library has no mistakes of this player yet",
      noGrade: "A disputed mistake has no severity: one judge alone sees it.", empty: "No position fits. Failed ones come back after 1, 3, 7 and 21 days.", setOver: "This set is done.", another: "Another set", whole: "The whole game",
      scores: {row: "in a row", best: "longest row", today: "today", days: "day streak", due: "come back today"},
      all: (right, answered) => `${right} of ${answered} right at once. Failed positions come back after 1, 3, 7 and 21 days.`,
      which: "Which positions", row: n => `${n} in a row.`, ask: "What do you play?", share: "Ask others",
      picture: "Picture", page: "Page with the answer folded", link: "Copy the link",
      next: "Next mistake ›", game: "Next game ›", none: "This seat made no mistake.",
      score: (answered, all, best) => `${answered} of ${all} answered, ${best} right at once.`,
      lost: (you, game, of) => `Lost: you ${you}, the game ${game} ${of}.`, over: "Your score", before: "With the games before:",
    },

    // Why an action is worth less: of review/causes.py. compared: a cause, its points, its figures after both actions.
    causes: {
      why: "Where the %s points come from: %s.", small: "The %s points come from several small reasons: %s.", plus: " + ", all: "All causes", sum: "sum", comma: "; ",
      compared: (name, points, here, there) => here ? `${name} ${here} instead of ${there} (${points})` : `${name} (${points})`,
      win: "chance to win", fan: "average fan of a win", other: "another seat wins", nobody: "nobody wins",
      deal_in: "deal-in by this discard", next_draw: "ready hands after the next draw",
      opening: "opening the concealed hand", nearer: "speed of the hand", claim: "experience with such claims",
      usual: "experience with such moves",
      hints: {
        win: "How often the hand wins, by its tiles that are left: more wins, more points.",
        fan: "The average fan of the wins that the hand may lead to; each fan is paid by one or three players.",
        other: "How often another seat wins, times what that costs on average: eight points and a share of the fan.",
        nobody: "How often the wall ends without a win, which brings no points.",
        deal_in: "The chance that this discard is won on. It costs %s points, and counts %s times: the factor with which the search wins most in games against itself.",
        next_draw: "Of hands that are one tile from ready: how good the ready hands are that the next draw makes.",
        opening: "How much less hands brought in games of the search against itself once they were opened, beyond the other reasons.",
        nearer: "How much more hands with fewer steps and more useful tiles brought in games of the search against itself, beyond the other reasons.",
        claim: "How much more or less such claims and kongs brought in games of the search against itself, beyond the other reasons.",
        usual: "How much more or less such moves brought in games of the search against itself, beyond the other reasons.",
      },
    },

    // What a tactic weighed: its `explanation`. name: gives the name of a pattern in this language.
    explain: ({danger, aims, needs, value, patterns, score, outcomes}, name) => outcomes ?
      [`Expects ${score.toFixed(1)} points: ` + outcomes.map(([kind, chance]) => `${{win: "wins", pay: "pays the fan of a win",
        spared: "another seat pays it", draw: "nobody wins"}[kind]} ${(100 * chance).toFixed(0)}%`).join(", ") + "."] :
      patterns ? [`${value.toFixed(2)} tiles from the patterns: ` + (patterns.map(([pattern, far]) =>
        `${name(pattern)} ${far.toFixed(2)}`).join(", ") || "none in reach") + "."] :
      [`Chance to deal in: ${(100 * danger).toFixed(1)}%. The hand's value comes from ` + (aims.map(([pattern, share]) =>
        `${name(pattern)} ${(100 * share).toFixed(0)}%`).join(", ") || "nothing in reach") + (needs.length ? "; it needs " : "."),
       ...(needs.length ? [{tiles: needs}] : [])],
    pattern: name => name,

    index: {
      title: n => n === 1 ? "1 game" : `${n} games`, hand: (n, of) => of ? `hand ${n} of ${of}` : `hand ${n}`,
      sessions: "Sessions", session: "A session", whole: "All games", curve: "Points after each game", totals: "total",
      places: "placing points", mistakes: "mistakes",
      sources: ["won on discards", "self-drawn", "dealt in", "paid to self-draws", "paid to other wins", "errors, penalties"],
      placing: "Placing points: 3, 1.5, 0.5 and 0; players with equal scores share them.",
      own: "In each player's column: score, loss, seat.", game: "game", round: "round", end: "end", total: "all seats",
      players: "Players", games: "games", winRate: "wins", dealInRate: "deal-ins", points: "points a game",
      lossRate: "loss a game", rating: "rating (95% interval)", broken: "breaks", drawn: "drawn",
      mistakeList: n => n === 1 ? "1 mistake" : `${n} mistakes`, showAll: "Show all %s", kinds: "Totals by kind", everybody: "all players",
      kindsNote: "Points lost, then how often. A kind chooses what the list of mistakes shows; the other filters count here too.",
      filters: {all: "all", player: "Player", leak: "Kind", grade: "Severity", state: "Hand", judge: "Judges", agreed: "agreed", alone: "%s alone"},
      sort: "Click a column's head to sort.", seatNote: "In each seat: score, loss, player.",
      intervals: "Intervals are of 95%.", noRating: "Ratings need the packages of the workshop: make workshop.", reviewer: "Loss: %s, by %s.", none: "No mistakes.",
    },

    hand: {
      title: "Any hand", table: "Play", clear: "Clear", round: "Round", seat: "Seat", flowers: "Flowers",
      hint: "Click tiles, or write: 123m456s789pEE55p", few: n => `${tiles(n)} of 13 or 14`,
      into: {hand: "Hand", chow: "Chow from", pung: "Pung", kong: "Kong", concealed: "Concealed kong"},
      rivers: ["Your discards", "Next player's", "Player's across", "Player's before you"],
      flags: ["Self-drawn", "Last of its kind", "Last of the wall", "Kong draw or robbed kong"],
      wins: n => `A winning hand of ${n} fan`, short: n => `No legal win: ${n} fan, 8 are needed without flowers.`,
      way: ["self-drawn", "on a discard"], eightFan: n => n === null ? "No hand of eight fan in reach." :
        `${tiles(n)} from a hand of eight fan.`,
      otherWay: (way, n) => `${way}: ${n} fan`, otherShort: (way, n) => `${way}: ${n} fan, no legal win`, noWin: "no legal win",
      value: n => `Value: ${n} points, as search expects them if the next tile changes nothing.`,
      improvements: "Draws that make a better wait", draws: "draw", rules: "Counted by the rules of %s.", countedBy: "Fans by",
      ruleSets: {botzone: "Botzone's judge", mil: "MIL, salasasa", "green-book": "the Green Book"},
      notes: {z_order: "5z, 6z and 7z were read as white, green and red, the order of riichi mahjong.",
        flags: "The four digits are about a win: they count when the hand has 14 tiles."},
      others: {
        knitted_wait: n => "A wait inside a knitted straight: MIL, salasasa and newer calculators count it (1 fan), the judge of Botzone does not" + (n ? `: ${n} fan.` : "."),
        mixed_kongs: n => "One concealed and one melded kong: the Green Book counts 6 fan, others 5" + (n ? `: ${n} fan in all.` : "."),
        exhausted_wait: n => "The hand has all copies of the second tile that would win: some count the wait on the other tile as the only one (1 fan)" + (n ? `: ${n} fan.` : "."),
      },
      moves: "Moves, with the points that search expects. Click a discard to make it.",
    },

    // Settings of other rules, where they are told.
    rules: {
      flowers: n => `one wall with ${n} flowers; each pays a point to a winner, and none counts for the eight fan`,
      wild: kind => kind === "none" ? "no wild tiles" : kind === "turned" ? "the turned tile is wild" :
        kind === "turned_and_next" ? "the turned tile and the next one are wild" : `wild: ${kind.replaceAll("_", " ")} dragon`,
      characters: n => n ? "" : "without characters", winds: n => n ? "" : "without winds", claim_wild: n => n && "wild tiles may be claimed",
      win_by_discard: n => n ? "win by own draw or on a discard" : "win by own draw, or by robbing a kong",
      seven_pairs: n => n && "seven pairs win", thirteen_orphans: n => n && "thirteen orphans win", four_reds: n => n && "four red dragons win",
      reserve: n => n && `${n} tiles stay in the wall`, pay: n => `each loser pays ${n}`, horses: n => n && `${n} horses`,
      no_wild_times: n => n > 1 && `without a wild tile ×${n}`, kong_draw_times: n => n > 1 && `on a kong's tile ×${n}`,
      last_tile_times: n => n > 1 && `on the last tile ×${n}`, flush_times: n => n > 1 && `one suit ×${n}`,
      half_flush_times: n => n > 1 && `one suit and honours ×${n}`, pungs_times: n => n > 1 && `all pungs ×${n}`,
      seven_pairs_times: n => n > 1 && `seven pairs ×${n}`, dealer_times: n => n > 1 && `dealer ×${n}`,
      open_kong_pay: n => n && `kong of a discard: its giver pays ${n}`, concealed_kong_pay: n => n && `concealed kong: each pays ${n}`,
      added_kong_pay: n => n && `added kong: each pays ${n}`, void_kongs: n => n && "kongs pay nothing in a drawn game",
    },

    play: {
      kept: "Matches to continue", goOn: "Continue", forget: "Forget", forgetMatch: "Forget this match? Its finished games stay.",
      wholeMatch: "Review the match", hands: n => `Match: ${n} ${n === 1 ? "hand" : "hands"}`,
      restarted: "The server was started again. The table shows its present state.",
      otherMatch: "The server was started again and plays another match, which the table shows. Yours is among the matches to continue.",
      matchLost: "The server was started again and has not kept this match. Its finished games are among the past games.",
      anyHand: "Any hand", library: "Library", learn: "Learn", dealing: "The tiles are dealt… The first game takes a while.", drawnTile: "drawn",
      figures: "Points lost and danger on each move", confirm: "A second tap confirms a discard",
      plan: (fan, n) => `Plan: ${fan}, ${tiles(n)} to go.`, wanted: "Wanted:", keep: "Keep:",
      described: (who, hand, melds, river) => `${who}. ` + (hand ? `Hand: ${hand}. ` : "") + (melds ? `Melds: ${melds}. ` : "") + `Discards: ${river}.`,
      keys: "Keys", keyList: [["← →  1 … 9  0", "go to a tile"], ["Enter", "discard it"], ["X", "pass"], ["C", "chow; of several it goes to the next, Enter takes it"],
        ["P", "pung"], ["K", "kong; of several it goes to the next"], ["W", "win"], ["Esc", "cancel; take back a stopped move"], ["S", "let a stopped move stand"],
        ["E", "explain a stopped move"], ["N", "next game"], ["U", "undo"], ["H", "hints"], ["F", "table of fans"], ["L", "language"], ["?", "this list"]],
      fanTable: "The 81 fans", fansPage: "Fan examples",
      welcome: "Sit down with three programs. The table gives hints and takes moves back, if you like; afterwards it reviews the game.",
      inLibrary: "in the library", against: "against %s", recorded: "as recorded",
      totals: (n, wins, points) => `${n} ${n === 1 ? "game" : "games"}, ${wins} won, ${points} points`,
      eightFan: "Eight fan: a win now brings %s points. Wait for more?", valued: "%s values: ", winNow: "Win now", wait: "Wait",
      coach: "Coach: stop a move that loses more points than", coachOff: "off", waiting: "One moment… The first time takes longer.", stopped: "The coach: this move loses %s points", better: "The better move",
      takeBack: "Take it back", letStand: "Let it stand", explain: "Explain",
      coached: ({stops, kept, lost, saved}) => `The coach stopped ${stops} ${stops === 1 ? "move" : "moves"}: ${stops - kept} taken back (${saved.toFixed(1)} points), ` +
        `${kept} let stand (${lost.toFixed(1)} points).`,
      rulesOf: "Rules", rulesAbout: {botzone: "Botzone: four walls, no flowers", tziakcha: "雀渣 tziakcha: flowers, 16 hands", guangdong: "Guangdong"},
      countsFans: "I count the fan: any complete hand can be declared, a false win costs 30", falseWin: "A false win: fewer than eight fan. You pay 10 to each other player, and the hand goes on.",
      standard: "standard points", standardNow: "standard points now", clock: "Clock, seconds a move + reserve a hand", clockOff: "none", hurry: "%s s left",
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
      past: "Past games", review: "Review", resume: "Play on", resumeTitle: "Take your last choice again; undo goes back further",
      total: "Score of the match", leave: "The game on the table is not over. Leave it?", none: "None yet.",
      leaveMatch: n => `${n} more ${n === 1 ? "game" : "games"} of this match to come. Leave the match?`, places: ["next", "across", "before"],
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
      odd: "The site sent no record. (%s)", link: "Only links to matches of Botzone and to hands and sessions of tziakcha.net can be opened.",
      stale: "The game has moved on in another tab. The table shows its present state.",
      illegal: "That is not possible: %s", silent: "The server does not answer; is it still running?",
      refused: "The server refused: %s",
    },
  };
})();
