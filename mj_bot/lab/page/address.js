// The state of a page in its address, after the "#". This file alone reads and writes it.
"use strict";

const Address = (() => {
  // The filters of mistakes, in the order in which the field `only` has their values.
  const FILTERS = ["leak", "grade", "state", "sureness"];
  const isPlace = text => /^(game-\d+\.html|open-\d+-\d+)\.[0-3]$/.test(text);
  const asText = text => text;
  // How each field is read; a field that is not in the address is null.
  const READERS = {
    language: asText, me: asText, player: asText,
    session: Number,                                            // number of a session on its page, from 1
    seat: text => /^[0-3]$/.test(text) ? Number(text) : null,
    frame: Number,
    learn: text => text.split("_").map(Number),                 // the score of the games before, of Learning.score
    only: text => Object.fromEntries(FILTERS.map((name, index) => [name, text.split("-")[index] || ""])),
    run: text => text.split("_").filter(isPlace),               // the places of a run that are to come
    win: Number,                                                // seed of a hand to score
    hand: asText, river: asText, unseen: asText, rules: asText,
  };
  const WRITERS = {
    learn: score => score.map(number => Number(number.toFixed(2))).join("_"),
    only: wanted => FILTERS.map(name => wanted[name] || "").join("-"),
    run: places => places.join("_"),
  };

  function read() {
    const known = new URLSearchParams(location.hash.slice(1));
    return Object.fromEntries(Object.entries(READERS).map(([name, reader]) =>
      [name, known.has(name) ? reader(known.get(name)) : null]));
  }

  // Fields as text, without those that are null or "".
  function format(fields) {
    const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== "");
    const written = known.map(([name, value]) => [name, WRITERS[name] ? WRITERS[name](value) : value]);
    return new URLSearchParams(written).toString();
  }

  // Another page with its fields, and the reader's name, as some browsers keep nothing for a page that is a file.
  const link = (page, fields) => `${page}#${format({...fields, me: Me.name()})}`;

  // Writes the fields of this page.
  const write = fields => history.replaceState(null, "", `#${format(fields)}`);

  // The address of the first place of a run through mistakes, null for none. A place is the address of a game's page, a
  // point and a seat. fields: language, learn, only.
  function linkRun([next, ...run], fields) {
    return next ? link(next.slice(0, -2), {...fields, seat: next.slice(-1), run}) : null;
  }

  return {read, format, link, write, linkRun};
})();
