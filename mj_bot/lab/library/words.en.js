// What the pages of the library say in English; words.zh.js says the same in Chinese.
"use strict";

Object.assign(WORDS.en, {
  // A player's page, of library/player.js.
  player: {
    title: name => `${name}: results and leaks`, library: "Library", picture: "Picture", csv: "CSV", apply: "Show",
    all: "all",
    choice: {platform: "Platform", after: "From", before: "To", last: "Last games", against: "Against"},
    platforms: {here: "played here", tziakcha: "tziakcha"}, counted: n => `${n} ${n === 1 ? "hand" : "hands"}.`,
    joined: names => `Joined with ${names}.`, waiting: n =>
      `${n} more ${n === 1 ? "game waits" : "games wait"} for a review.`,
    note: "Intervals are of 95%.",
    summary: "The largest leaks", noLeaks: "No mistake.",
    sentence: (what, points, count, most, distance,
      others) => `You ${what}: ${points} points a session of 16 hands, ${most} of ${count} times ${distance}` +
      (others === null ? "." : `; the others at your tables lose ${others}.`),
    distances: ["when ready", "one from ready", "two from ready", "three from ready", "four or more from ready"],
    resultsTitle: "Results", own: "you", others: "others", judge: "%s at your seats", judgeOfOthers: "%s at theirs",
    replayed: (judge, games, whose) =>
      `Four ${judge} played the same walls; this is what ${judge} made at ${whose ? "the others'" : "your"} seats, ` +
        `over ${games} ${games === 1 ? "hand" : "hands"}.`,
    kinds: {replay: () => "same walls", forecast: mean => `forecast; all decisions ${mean}`,
      choice: () => "its choices"},
    results: {score: "points a hand", wins: "wins", self_draws: "self-drawn, of wins", deal_ins: "deal-ins",
      paid: "paid the fan of a win", draws: "drawn hands", fan_won: "fan of a win", fan_paid: "fan of a deal-in",
      ready_turn: "turn of ready", win_turn: "turn of a win", claims: "claims called a hand",
      danger: "chance to deal in with a discard", pushes: "pushes a hand", folds: "folds a hand",
      concealed: "concealed, of wins", chased: "ready after another player", gave_up: "gave up behind a ready player",
      loss: "points lost a hand", mistakes: "mistakes a hand", clear: "clear mistakes a hand",
      seconds: "seconds for a decision"},
    judgeNote: (judge, replays, games) =>
      "Others: the players at the same tables. " + (replays ?
        `"Same walls": what four ${judge} made at these seats when they played ` +
        `${replays === games ? "all walls" : `the walls of ${replays} of ${games} hands`} again. ` :
        `No wall was played again by ${judge}. `) +
      `"Forecast": what ${judge} expects at the first decision of each hand, then the mean over all decisions. ` +
      '"Its choices": what it would do at the same decisions. ' +
      "Who pays the fan of a win has dealt in, or another player has drawn the tile. " +
      "A push: every discard that keeps the hand nearest to a win is at least 2% more dangerous than another tile, " +
      "and one of them is discarded. A fold: a safer tile is discarded instead.",
    curve: "Points over time", leaksTitle: "Leaks, in points a session of 16 hands", leak: "", count: "times",
    trend: "first half → second half",
    leaksNote: "The trend is coloured where the halves differ beyond chance.",
    groupsNote: "Points lost in 100 decisions.",
    axes: {turn: "By turn", distance: "By distance", standing: "By place in the session",
      seconds: "By thinking time"}, decisions: "decisions",
    group: (axis, group) => axis === "turn" ? (group === 16 ? "16 and later" : `${group}–${group + 2}`) :
      axis === "distance" ? WORDS.en.states[group] :
      axis === "standing" ? (group === "none" ? "first hand or single hands" : ["", "first", "second", "third",
        "fourth"][group]) :
      {0: "below 1 s", 1: "1–3 s", 3: "3–6 s", 6: "6–12 s", 12: "12 s and more"}[group],
    sessions: "Sessions", session: "session", day: "day", points: "points", places: "placing points",
    fans: "Fans of your wins",
  },

  // The list of the library, and the page for an address that is no more.
  library: {
    title: "Library", table: "Table", games: n => `${n} ${n === 1 ? "game" : "games"}`, players: "Players",
    day: "day", file: "file", platform: "platform", result: "result", waiting: "no review yet", broken: "cut off",
    earlier: "Earlier", later: "Later", drawn: "drawn", won: (name, fan) => `${name} ${fan ? `${fan} fan` : ""}`,
    empty: "The library is empty. Open a record at the table, or run: mj-bot library import FOLDER",
    gone: "There is no such page: the game or the player is not in the library, or was forgotten.",
    hand: n => `hand ${n}`, judge: "the judge",
  },
});
