// What the pages say of a decision and of questions in English; words_decision.zh.js says the same in Chinese.
"use strict";

Object.assign(WORDS.en, (() => {
  const {inRiichi, tiles, distance, moves} = ENGLISH;

  return {
    // Sentences of review/facts.py's remarks. a, b: what the reviewer and the game did; parts of a sentence in order.
    remarks: {
      doing: {PASS: "passing", CHI: "the chow", PENG: "the pung", GANG: "the kong", BUGANG: "the added kong",
              HU: "winning", PLAY: ""},
      win: (a, b, fan) => [`The hand wins with ${fan} fan.`],
      alone: (a, b, s, n) => [a, ` ${moves(n, s)}.`],
      both: (a, b, s, n) => [a, " and ", b,
        ` both ${n === null ? "leave" : s === null ? "leave you" : n === s ? "keep you" : n < s ? "bring you to" :
        "take you back to"} ${distance(n)}.`],
      distance: (a, b, s, n, m, fan, other) => [a, ` ${moves(n, s)}${fan ? ` (${fan})` : ""}; `, b,
        ` ${moves(m, s)}${other && other !== fan ? ` (${other})` : ""}.`],
      wins: (a, b, n, m) => m === null ? [n ? `${tiles(n)} left ${n === 1 ? "wins" : "win"} with eight fan or more.` :
        "But no tile wins with eight fan."] :
        ["after ", a, ` ${n ? tiles(n) : "no tile"} left can win with eight fan, after `, b, ` ${m || "none"}.`],
      pays: (a, b, waits, others) => ["after ", a, " it wins on ", ...waits, "; after ", b, " on ", ...others, "."],
      kong: a => [a, " draws another tile from the wall."],
      aim: (a, b, fan, n) => [`The nearest hand of eight fan (${fan}) is ${tiles(n)} away.`],
      nearer: (a, b, n, m) => m === null ?
        [`${tiles(n)} left ${n === 1 ? "brings" : "bring"} a hand of eight fan nearer.`] :
        ["towards eight fan, ", `${tiles(n)} left${inRiichi("ukeire")} ${n === 1 ? "helps" : "help"} after `, a,
          `, ${m} after `, b, "."],
      draw: (a, b, tile, n, waits, others) => ["Drawing ", tile, ` (${n} left) makes a ready hand after `, a,
        ": wins on ", ...waits,
        ...(others ? ["; after ", b, " on ", ...others, "."] : ["; after ", b, " none of eight fan."])],
      way: (a, b, name, p, q) => [`${name === null ? "The tiles that the hand waits for let it win" :
        `The hand wins with ${name}`} with a chance of ${p} after `, a, `, of ${q} after `, b, "."],
      signs: {comma: ", ", melds: n => `it has ${n} melds`, suit: () => "all its melds are of this suit or honours",
        discarded: () => "it discarded this tile",
        passed: () => "it let this tile pass", unseen: n => n ? `${n} more unseen` : "no other copy is unseen"},
      plain: (a, b, s, n, t, m) => ["without counting fan, ", a,
        ` leaves you ${distance(s)} (${tiles(n)} left help), `, b,
        ` ${distance(t)} (${m}).`],
      no_nearer: (a, b) => [b, " brings the hand no nearer to a win."],
      keeps: (a, b, fan, n) => [a, ` keeps ${fan} in reach (${tiles(n)}); `, b, " gives it up."],
      needless: (a, b, tile, p, q, isChosen) => ["A needless danger: ", ...(isChosen ? [a] : [tile]),
        ` (${p}) keeps all that `, b, ` (${q}) keeps.`],
      danger: (more, less, p, q, seats) => [more, ` deals in with a chance of ${p} (${seats}), `, less,
        q === null ? " discards nothing." : ` with ${q}.`],
      against: parts => ["Against it: ", ...parts],
      only: (a, b, tactic, loss) => ["tiles, fan and danger speak for neither",
        ...(loss ? [`; ${tactic} values `, a, ` higher by ${loss}.`] : ["."])],
    },

    // Why an action is worth less: of review/causes.py. compared: a cause, its points, its figures after both actions.
    causes: {
      why: "Where the %s points come from: %s.",
      differs: "This sum is what %s sees; the loss is that of all judges.",
      plus: " + ", all: "All causes", sum: "sum", comma: "; ",
      compared: (name, points, here, there) => here ? `${name} ${here} instead of ${there} (${points})` :
        `${name} (${points})`,
      win: "chance to win", fan: "average fan of a win", other: "another seat wins", nobody: "nobody wins",
      deal_in: "deal-in by this discard", next_draw: "ready hands after the next draw",
      opening: "opening the concealed hand", nearer: "speed of the hand", claim: "experience with such claims",
      usual: "experience with such moves",
      hints: {
        win: "How often the hand wins, by its tiles that are left: more wins, more points.",
        fan: "The average fan of the wins that the hand may lead to; each fan is paid by one or three players.",
        other: "How often another seat wins, times what that costs on average: eight points and a share of the fan.",
        nobody: "How often the wall ends without a win, which brings no points.",
        deal_in:
          "The chance that this discard is won on. It costs %s points, and counts %s times: the factor with which " +
          "the search wins most in games against itself.",
        next_draw: "Of hands that are one tile from ready: how good the ready hands are that the next draw makes.",
        opening:
          "How much less hands brought in games of the search against itself once they were opened, beyond the " +
          "other reasons.",
        nearer:
          "How much more hands with fewer steps and more useful tiles brought in games of the search against " +
          "itself, beyond the other reasons.",
        claim:
          "How much more or less such claims and kongs brought in games of the search against itself, beyond the " +
          "other reasons.",
        usual:
          "How much more or less such moves brought in games of the search against itself, beyond the other reasons.",
      },
    },

    // Discards that another seat won on, of review/dangers.py.
    dealIns: {
      title: n => n === 1 ? "1 deal-in" : `${n} deal-ins`, avoidableOf: "%s avoidable", comma: ", ",
      columns: ["player", "decision", "tile", "chance", "safer", "avoidable", "points"],
      dealt: "dealt in; the chance was %s. Safer:", robbed: "was robbed: the added kong was won on.",
      more: "worth %s points more", less: "worth %s points less", equal: "worth as much", none: "nothing",
      avoidable: "avoidable", unavoidable: "not avoidable by value", yes: "yes",
      note: "Safer: the best move with a chance that is lower by two points or more. Avoidable: it is worth at least " +
        "half a point more, or gives up nothing at all.",
    },

    // What a tactic weighed: its `explanation`. name: gives the name of a pattern in this language.
    explain: ({danger, aims, needs, value, patterns, score, outcomes}, name) => outcomes ?
      [`Expects ${score.toFixed(1)} points: ` + outcomes.map(([kind,
        chance]) => `${{win: "wins", pay: "pays the fan of a win",
        spared: "another seat pays it", draw: "nobody wins"}[kind]} ${(100 * chance).toFixed(0)}%`).join(", ") + "."] :
      patterns ? [`${value.toFixed(2)} tiles from the patterns: ` + (patterns.map(([pattern, far]) =>
        `${name(pattern)} ${far.toFixed(2)}`).join(", ") || "none in reach") + "."] :
      [`Chance to deal in: ${(100 * danger).toFixed(1)}%. The hand's value comes from ` + (aims.map(([pattern,
        share]) =>
        `${name(pattern)} ${(100 * share).toFixed(0)}%`).join(", ") || "nothing in reach") +
          (needs.length ? "; it needs " : "."),
       ...(needs.length ? [{tiles: needs}] : [])],

    pattern: name => name,

    learn: {
      own: "all my names", daily: "Position of the day",
      scoring: {start: "Count the fan", stop: "Positions", question: "Which fans does this hand have?",
        sum: "Fan in all", check: "Check", next: "Next hand ›", selfDrawn: "self-drawn", onDiscard: "won on a discard",
        open: n => n === 1 ? "the set apart is open" : `the ${n} sets apart are open`, closed: "no open set",
        wrong: "Not quite:", missed: "missed", inside: "never counted with %s", absent: "not in this hand",
        hint: "Choose the fans, then write their sum. The last tile is the winning one."},
      start: "Learn from the mistakes", stop: "Leave the questions",
      question: "What do you play? Choose here, or a tile on the table.",
      you: "You", solved: "Solution", inGame: "the game", wrong: "not this", again: "Try again, or see the solution.",
      solution: "Show the solution",
      right: "Right.", found: "Found.", shown: "The solution",
      grades: {best: "the best move", good: "good enough", wrong: "a mistake"},
      compare: "Below, the marked choice is compared with the best move. Choose another line to compare it.",
      place: "Position %s of %s", back: "asked again",
      sample: "of the sample games: your library has no mistakes of this player yet",
      empty: "No position fits. Failed ones come back after 1, 3, 7 and 21 days, others once after 21.",
      setOver: "This set is done.",
      another: "Another set", whole: "The whole game",
      scores: {row: "in a row", best: "longest row", today: "today", days: "day streak", due: "come back today"},
      all: (right, answered) =>
        `${right} of ${answered} right at once. Failed positions come back after 1, 3, 7 and 21 days, ` +
        "others once after 21.",
      which: "Which positions", row: n => `${n} in a row.`, ask: "What do you play?", share: "Ask others",
      picture: "Picture", page: "Page with the answer folded",
      next: "Next mistake ›", game: "Next game ›", none: "This seat made no mistake.",
      score: (answered, all, best) => `${answered} of ${all} answered, ${best} right at once.`,
      lost: (you, game, of) => `Lost: you ${you}, the game ${game} ${of}.`, over: "Your score",
      before: "With the games before:",
    },
  };
})());
