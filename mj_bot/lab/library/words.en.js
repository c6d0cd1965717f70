// What the pages of the library say in English; words.zh.js says the same in Chinese.
"use strict";

Object.assign(WORDS.en, {
  // A player's page, of library/player.js.
  player: {
    library: "Library", apply: "Show", all: "all",
    filters: "Choose games",
    choice: {platform: "Platform", after: "From", before: "To", last: "Last games"},
    platforms: {here: "played here", tziakcha: "tziakcha"}, counted: n => `${n} ${n === 1 ? "hand" : "hands"}.`,
    result: points => `${points} points a hand`,
    joined: names => `Also under the names ${names}.`, waiting: n =>
      `${n} more ${n === 1 ? "game waits" : "games wait"} for a review.`,
    note: (judge, hands) => "Small figures: the interval of 95%, for shares Wilson's, for losses that of the mean's " +
      "logarithm; fewer than three events have none. Others: the players at the same tables. " +
      (judge ? `${judge}: what four ${judge} made of your seats when they played the walls of ${hands} hands again. ` :
        "cnn is compared from 100 hands on whose walls are known. ") +
      "Points lost by mistakes are those of the review.",
    needsMore: "More hands are needed to say what you do otherwise than others: no figure differs beyond chance, and " +
      "no mistake came three times.",
    told: (what, own, low, high, others) => `Your ${what}: ${own} (${low} to ${high}), the others' ${others}.`,
    dangers: (own, others, isLuck) => `A discard of yours carried ${own}, one of theirs ${others}` +
      (isLuck ? ": mostly luck." : "."),
    sentence: (what, points, count, distance,
      others) => `You ${what}: ${points} points a session of 16 hands, ${count} times` +
      (distance ? `, mostly ${distance}` : "") +
      (others === null ? "." : `; the others at your tables lose ${others}.`),
    distances: ["when ready", "one from ready", "two from ready", "three from ready", "four or more from ready"],
    resultsTitle: "Results", own: "you", others: "others", judge: "%s, same walls",
    results: {score: "points a hand", wins: "wins", deal_ins: "deal-ins", paid: "paid to a self-draw",
      draws: "drawn hands", claimed: "hands with claims", ready: "hands that became ready", fan_won: "fan of a win",
      fan_paid: "fan of a deal-in", ready_turn: "turn of ready", win_turn: "turn of a win",
      lost: "points lost to deal-ins a hand", place: "mean place in a session",
      placing: "standard points a session", loss: "points lost by mistakes a hand"},
    fanCounts: "Fan of your wins", placeCounts: "Places in sessions", placeNames: ["1st", "2nd", "3rd", "4th"],
    fanGroup: (first, next) => next === undefined ? `${first} and more` : next - first === 1 ? `${first}` :
      `${first}–${next - 1}`,
    curve: "Points over time", leaksTitle: "Leaks, in points a session of 16 hands", leak: "", count: "times",
    groupsNote: "Points lost in 100 decisions",
    axes: {turn: "By turn", distance: "By distance"}, decisions: "decisions",
    group: (axis, group) => axis === "turn" ? (group === 16 ? "16 and later" : `${group}–${group + 2}`) :
      WORDS.en.states[group],
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
    hand: n => `hand ${n}`,
  },
});
