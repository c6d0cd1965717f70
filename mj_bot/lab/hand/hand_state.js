// The state of the page of any hand: the hand as the server describes it, the table around it, the answer. The other
// files take it as `view`.
"use strict";

const HandState = (() => {
  const SUITS = {W: "m", T: "s", B: "p"}, HONOURS = {F: "ESWN", J: "CFP"}, WINDS = "ESWN";
  const NAMES = ["W", "T", "B", "F", "J"].flatMap(
    kind => [...Array(SUITS[kind] ? 9 : HONOURS[kind].length).keys()].map(rank => kind + (rank + 1)));
  const FLAGS = ["is_self_drawn", "is_fourth_tile", "is_last_tile", "is_about_kong"];
  const MELDS = {chow: 3, pung: 3, kong: 4, concealed: 4};
  const MOST_DISCARDS = 21, WHOLE = 14;

  const makeHand = () => ({tiles: [], melds: [], prevalent_wind: 0, seat_wind: 0, flowers: 0});
  const makeTable = () => ({rivers: [[], [], [], []], melds: [], unseen: ""});

  function make() {
    return {
      language: findLanguage(Kept.readSettings().language),
      hand: makeHand(),      // each meld is its text and its tiles
      ...makeTable(),        // rivers, and the melds of each seat, as those of the hand
      rules: "",
      into: "hand",          // where a clicked tile goes: "hand", one of MELDS, or "0" .. "3", a river
      answer: null, error: null,
      asked: 0,              // number of the latest question: answers to earlier ones are not shown
    };
  }

  const clear = view => Object.assign(view, {hand: makeHand(), ...makeTable()});

  const wordsOf = view => WORDS[view.language];
  const countTiles = ({hand}) => hand.tiles.length + 3 * hand.melds.length;

  // How many copies of a tile are not in the hand, a river or a meld.
  function countLeft({hand, rivers, melds}, name) {
    const laid = [...hand.melds, ...melds.flat()].flatMap(meld => meld.slice(1));
    return 4 - [...hand.tiles, ...rivers.flat(), ...laid].filter(other => other === name).length;
  }

  const write = name => SUITS[name[0]] ? name[1] + SUITS[name[0]] : HONOURS[name[0]][name[1] - 1];

  // Sorts the hand and returns its text. The fourteenth tile stays last: it was drawn or won on.
  function writeHand(view) {
    const {hand} = view, last = countTiles(view) === WHOLE ? hand.tiles.slice(-1) : [];
    const sorted = hand.tiles.slice(0, hand.tiles.length - last.length)
      .sort((a, b) => NAMES.indexOf(a) - NAMES.indexOf(b));
    hand.tiles = [...sorted, ...last];
    return hand.melds.map(([text]) => text).join("") + hand.tiles.map(write).join("") + "|" +
      WINDS[hand.prevalent_wind] +
      WINDS[hand.seat_wind] + FLAGS.map(flag => Number(hand[flag] || false)).join("") + "|" + hand.flowers;
  }

  // The rivers and melds of the four seats as text.
  const writeRivers = ({rivers, melds}) => rivers.map((river, seat) =>
    [...river.map(write), ...(melds[seat] || []).map(([text]) => text)].join("")).join("/").replace(/\/+$/, "");

  // The tiles of a chow from its first one.
  const listChow = name => Panels.chow(name[0] + (Number(name[1]) + 1));

  // Whether a tile can go where clicked tiles go.
  function canTake(view, name) {
    const {into, rivers} = view, room = WHOLE - countTiles(view);
    if (into === "chow") {
      return SUITS[name[0]] && name[1] < 8 && room >= 3 && listChow(name).every(other => countLeft(view, other));
    }
    const copies = MELDS[into] || 1;
    return countLeft(view, name) >= copies &&
      (into in rivers ? rivers[into].length < MOST_DISCARDS : room >= Math.min(copies, 3));
  }

  function take({hand, into, rivers}, name) {
    if (into === "hand") {
      hand.tiles.push(name);
    } else if (into in rivers) {
      rivers[into].push(name);
    } else {
      const tiles = into === "chow" ? listChow(name) : Array(MELDS[into]).fill(name);
      hand.melds.push([`[${tiles.map(write).join("")}${into === "concealed" ? "" : ",1"}]`, ...tiles]);
    }
  }

  return {NAMES, FLAGS, WHOLE, make, clear, wordsOf, countTiles, writeHand, writeRivers, canTake, take};
})();
