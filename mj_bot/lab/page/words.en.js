// What the pages say in English; words.zh.js says the same in Chinese. Names of fans come with the data.
"use strict";

const WORDS = {};
// Whether words of riichi mahjong stand next to the English ones.
const Terms = {isRiichi: false};

const ENGLISH = (() => {
  const NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const inRiichi = term => Terms.isRiichi ? ` (${term})` : "";
  const tiles = n => `${n} tile${n === 1 ? "" : "s"}`;

  // A distance from ready: null for no hand of eight fan in reach, -1 for a complete one.
  function distance(n) {
    if (n === null) return "no hand of eight fan in reach";
    if (n < 0) return "complete";
    return n < 1 ? `ready${inRiichi("tenpai")}` : `${NUMBERS[n]} from ready${inRiichi(`${n}-shanten`)}`;
  }

  // What a move does to the distance from ready.
  function moves(n, before) {
    if (n === null) return "leaves no hand of eight fan in reach";
    if (before === null) return `leaves you ${distance(n)}`;
    if (n === before) return `keeps you ${distance(n)}`;
    return n < before ? `brings you ${n < 1 ? "to " : ""}${distance(n)}` : `takes you back to ${distance(n)}`;
  }

  return {inRiichi, tiles, distance, moves};
})();

WORDS.en = {
  // A tile for those who do not see it.
  tile: name => ({W: `${name[1]} of characters`, T: `${name[1]} of bamboos`, B: `${name[1]} of dots`,
    H: `flower ${name[1]}`,
    F: `${["East", "South", "West", "North"][name[1] - 1]} wind`,
    J: `${["red", "green", "white"][name[1] - 1]} dragon`})[name[0]],
  riichi: ["Riichi", "For riichi players: tenpai, shanten and ukeire next to the English words"],
  fanExample: "An example; the last tile is the winning one.",
  other: "中文", seats: ["East", "South", "West", "North"], winds: ["E", "S", "W", "N"], round: "%s round",
  plate: {wall: "wall %s", flowers: "flowers %s", score: "%s points", left: "%s left"}, wonBy: "% to %s",
  noDangers: "The danger of each tile stands here when this seat discards.",
  barTitle: "A full bar is the best move; the panel has the scale.",
  left: "left", claimedBy: "claimed by", asDrawn: "as drawn",
  SEAT: "The seats are given", DEAL: "The tiles are dealt", DRAW: "draws", BUHUA: "replaces a flower",
  PLAY: "discards", CHI: "chows", PENG: "pungs", GANG: "kongs", concealed: "lays a concealed kong",
  BUGANG: "adds to a pung", from: "from", then: "and discards", wins: "wins", selfDrawn: "by self-draw",
  // How a hand was won, as parts in order. tile, giver: null where unknown, or self-drawn.
  won: (winner, tile, giver) => giver ? [winner, "wins", tile, "on a tile of", giver] : [winner, "wins", tile,
    "by self-draw"],
  verdicts: {WA: "an action that is not legal", TLE: "out of time", MLE: "too much memory", OLE: "too much output",
    RE: "the program crashed", NJ: "the answer is not JSON", ERR: "the program failed"},
  HUANG: "Drawn: no tile left", erred: "makes an error", WH: "declares a win of fewer than 8 fan",
  unfinished: "The record ends before the game does",
  actions: {PLAY: "discard", CHI: "chow", PENG: "pung", GANG: "kong", BUGANG: "add to pung", HU: "win", PASS: "pass"},
  fan: "fan", countedBy: {judge: "as the judge counted", here: "counted here"}, result: "The end",
  player: "player", score: "score", mistakeCount: "mistakes", differenceCount: "other moves", all: "all",
  units: {tiles: "tiles", points: "points", steps: "steps"}, lost: "%s lost",
  distance: ENGLISH.distance, aside: " (%s)", plain: "without counting fan: %s",
  get useful() { return `%s useful${ENGLISH.inRiichi("ukeire")}:`; }, winsOn: "wins on",
  onDiscardOnly: "not by self-draw",
  selfDrawOnly: "by self-draw only",
  noWin: "ready, but no tile wins with eight fan",
  lastCopy: "only by the last copy", ofGiver: "",
  aims: fans => "near to " + fans.map(([fan, away]) => `${fan} (${ENGLISH.distance(away - 1)})`).join(", "),
  events: "Events", unknown: "not recorded",

  review: {
    ownRules: own => own.sub_rule ?
      `Played by the sub rule ${own.sub_rule} of ${own.platform}: the scores are the platform's, ` +
        "the fans here are those of the standard rules." :
      `${own.platform} counts one fan more here, a wait inside a knitted straight, and its scores have it; ` +
        "the judge of Botzone does not count it.",
    open: "All hands", one: "One seat",
    back: {games: "All games", table: "Back to the table"}, resume: "Play on from here",
    command:
      "This page is a file, and playing on needs the table on a computer with mj_bot. Run this command there, " +
      "in the folder of the record:",
    other: "Or run `mj-bot play --open`, drop the record onto the table, and press the same button there.",
    copy: "Copy", copied: "Copied", close: "Close",
    steps: {decision: "Decision", claim: "Claim", dealIn: "Deal-in", mistake: "Mistake"},
    previous: "Previous", next: "Next", first: "First", last: "Last", frame: "%s of %s",
    choose: "Go to the worst mistake of this seat",
    decision: "Decision", played: "Played", best: "Best", danger: "Danger", auto: "Play by itself", stop: "Stop",
    speed: "Speed",
    same: "same", equal: "as good", good: "good enough", kind: "other tile",
    otherAction: "another action", missed: "missed win",
    ranking: {points: "Bar: points below the best move, full at %s",
      tiles: "Bar: tiles below the best move, full at %s", "": "Moves"},
    classes: {inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder"},
    limits: "?! inaccuracy from %s points lost, ? mistake from %s, ?? blunder from %s",
    scale: "A loss is what the move costs on average, in points. " +
      "Accuracy: 100%, halved for each loss of %s a decision.",
    accuracy: "accuracy", curve: {points: "Expected points", steps: "Distance from ready"},
    tiles: {mcr:
      "If discarded: chance to deal in (full bar: 25%), then copies left that bring eight fan nearer or steps " +
      "lost; " +
      "small: plain distance where it differs", other: "If discarded: useful copies left, or steps lost"},
    itself: "The reasons of %s", mistakes: "Largest mistakes", noMistakes: "This seat made no mistake.",
    differences: "Largest differences",
    noDifferences: "This seat played as the reviewer would.",
    compared: "Compares the moves of the game with the moves of %s.",
    sameAs: "%s played every move as %s would: perhaps it is the same player.",
    allSame: "%s played every move as %s would.",
    summary: "Summary", columns: ["played", "decisions", "same action", "loss"],
    breaks: "The record breaks here", note: "not allowed by the rules", unread: "The review of this seat ends early",
    axes: {get distance() { return `from ready${ENGLISH.inRiichi("shanten")}`; }, points: "expected points",
      event: "event"},
    keys:
      "%s step, %s first, last, %s decision, %s claim, %s deal-in, %s mistake (shift: back), %s seat, %s hands, " +
      "%s language, %s previous, next game, %s danger of each opponent below the hand, %s play by itself, stop, " +
      "%s learn from the mistakes (%s: choose)",
  },

  // Several judges of one decision, see review/judges.py, and what a judge forecasts.
  judges: {
    comma: ", ", or: " or ", clear: "clear", unsure: "unsure",
    sureness: "The chance that this move is really worse than the best one; clear from 80%.",
    split: "The judges differ: ", sees: " (the move played: %s)",
    repeats: "The same mistake as at #%s, which counts for all its turns.",
    rule: "The value of a move is the weighted mean of what the judges expect in points: %s. Words and causes are " +
      "those of %s.",
    pending: "The other judge is still at work; the page is completed by itself.",
    forecast: "Forecast of %s: wins %s, pays for a win %s.",
  },

  // Kinds of mistakes, of library/leaks.py: a name, and what a sentence says of the player who makes them.
  leaks: {
    win: ["Wins passed by", "pass wins by, or take them too early"], chow: ["Should have chowed", "let chows go"],
    pung: ["Should have punged", "let pungs go"],
    kong: ["Should have konged", "let kongs go"], pass_chow: ["Chows to leave", "chow too much"],
    pass_pung: ["Pungs to leave", "pung too much"],
    pass_kong: ["Kongs to leave", "kong too much"],
    claim: ["Another claim", "make the wrong one of several claims"],
    wait: ["Which wait", "choose the weaker wait"],
    needless: ["Needless danger", "discard a dangerous tile for nothing"],
    push: ["Pushed", "push dangerous tiles"], fold: ["Folded too early", "fold too early"],
    plan: ["Which plan", "discard for the weaker plan"], tile: ["Which tile", "discard the less useful tile"],
  },

  states: ["ready", "1 from ready", "2 from ready", "3 from ready", "4 or more"],

  me: {choose: "This is me: open the games at my seat", is: "You are this player; click to forget it"},

  index: {
    title: n => n === 1 ? "1 game" : `${n} games`, hand: (n, of) => of ? `hand ${n} of ${of}` : `hand ${n}`,
    sessions: "Sessions", session: "A session", whole: "All games", curve: "Points after each game", totals: "total",
    places: "placing points", mistakes: "mistakes",
    sources: ["won on discards", "self-drawn", "dealt in", "paid to self-draws", "paid to other wins",
      "errors, penalties"],
    placing: "Placing points: 3, 1.5, 0.5 and 0; players with equal scores share them.",
    own: "In each player's column: score, loss, seat.", game: "game", round: "round", end: "end", total: "all seats",
    players: "Players", games: "games", winRate: "wins", dealInRate: "deal-ins", points: "points a game",
    lossRate: "loss a game", broken: "breaks",
    cut: n => `The record breaks off in ${n === 1 ? "one game" : `${n} games`}; its result is missing in all totals.`,
    missing: (n, hands) => `Only ${n} of ${hands} hands of this session are here.`, drawn: "drawn",
    mistakeList: n => n === 1 ? "1 mistake" : `${n} mistakes`, showAll: "Show all %s", kinds: "Totals by kind",
    everybody: "all players", smaller: "smaller losses",
    kindsNote:
      "Points lost, then how often. A kind chooses what the list of mistakes shows; the other filters count " +
      "here too.",
    filters: {all: "all", player: "Player", leak: "Kind", grade: "Severity", state: "Hand",
      sureness: "Sureness"},
    sort: "Click a column's head to sort.", seatNote: "In each seat: score, loss, player.",
    intervals: "Intervals are of 95%.",
    reviewer: "Loss: %s, by %s.", none: "No mistakes.",
  },
};
