// Any hand: tiles are clicked or written, the server says what the hand is worth, the address carries it.
"use strict";

(() => {
  const {make, byId, button} = Panels;
  const SUITS = {W: "m", T: "s", B: "p"}, HONOURS = {F: "ESWN", J: "CFP"}, WINDS = "ESWN";
  const NAMES = ["W", "T", "B", "F", "J"].flatMap(
    kind => [...Array(SUITS[kind] ? 9 : HONOURS[kind].length).keys()].map(rank => kind + (rank + 1)));
  const FLAGS = ["is_self_drawn", "is_fourth_tile", "is_last_tile", "is_about_kong"];
  const MELDS = {chow: 3, pung: 3, kong: 4, concealed: 4};
  const LEAST_DANGER = 0.005;  // A smaller danger is not shown.
  const LEAST_FAN = 8;
  const makeEmpty = () => ({tiles: [], melds: [], prevalent_wind: 0, seat_wind: 0, flowers: 0});

  const settings = Kept.readSettings();
  settings.language = findLanguage(settings.language);

  let hand = makeEmpty();  // as the server describes it; each meld is its text and its tiles
  let rivers = [[], [], [], []];
  let melds = [];       // of each seat, as those of the hand
  let unseen = "", rules = "";
  let into = "hand";    // where a clicked tile goes: "hand", one of MELDS, or "0" .. "3", a river
  let answer = null;
  let error = null;
  let asked = 0;        // Number of the latest question. Answers to earlier questions are not shown.

  const words = () => WORDS[settings.language];
  const say = () => words().hand;
  const size = () => hand.tiles.length + 3 * hand.melds.length;
  const left = name => 4 - [...hand.tiles, ...rivers.flat(),
    ...[...hand.melds, ...melds.flat()].flatMap(meld => meld.slice(1))].filter(other => other === name).length;

  const write = name => SUITS[name[0]] ? name[1] + SUITS[name[0]] : HONOURS[name[0]][name[1] - 1];

  function writeHand() {
    // The fourteenth tile stays last: it was drawn or won on.
    const last = size() === 14 ? hand.tiles.slice(-1) : [];
    const sorted = hand.tiles.slice(0, hand.tiles.length - last.length)
      .sort((one, other) => NAMES.indexOf(one) - NAMES.indexOf(other));
    hand.tiles = [...sorted, ...last];
    return hand.melds.map(meld => meld[0]).join("") + hand.tiles.map(write).join("") + "|" + WINDS[hand.prevalent_wind] +
      WINDS[hand.seat_wind] + FLAGS.map(flag => Number(hand[flag] || false)).join("") + "|" + hand.flowers;
  }

  // -- what a click does

  function canTake(name) {
    const copies = MELDS[into] || 1;
    if (into === "chow") {
      const middle = name[0] + (Number(name[1]) + 1);
      return SUITS[name[0]] && name[1] < 8 && size() + 3 <= 14 && Panels.chow(middle).every(other => left(other));
    }
    return left(name) >= copies && (into in rivers ? rivers[into].length < 21 : size() + Math.min(copies, 3) <= 14);
  }

  function take(name) {
    if (into === "hand") hand.tiles.push(name);
    else if (into in rivers) rivers[into].push(name);
    else {
      const tiles = into === "chow" ? Panels.chow(name[0] + (Number(name[1]) + 1)) : Array(MELDS[into]).fill(name);
      hand.melds.push([`[${tiles.map(write).join("")}${into === "concealed" ? "" : ",1"}]`, ...tiles]);
    }
    change();
  }

  function change() {
    byId("text").value = writeHand();
    render();
    // The clicked tiles stay in the notation in which the hand was written.
    ask(undefined, hand.notation);
  }

  const writeSeat = (river, seat) => [...river.map(write), ...(melds[seat] || []).map(meld => meld[0])].join("");

  async function ask(river = rivers.map(writeSeat).join("/"), notation = "") {
    const number = ++asked;
    const query = {hand: byId("text").value.trim(), river: river.replace(/\/+$/, ""), unseen, rules, notation};
    const known = new URLSearchParams(Object.entries(query).filter(([, text]) => text));
    let found;
    try {
      const reply = await fetch("hand/answer?" + known, {headers: {"Accept-Language": settings.language}});
      found = await reply.json();
    } catch {
      found = {error: words().play.silent};
    }
    if (number !== asked) return;
    error = found.message || found.error || null;
    answer = error ? null : found;
    if (answer) {
      hand = answer.hand;
      rivers = [0, 1, 2, 3].map(offset => answer.rivers[offset] || []);
      melds = answer.melds;
      if (document.activeElement !== byId("text")) byId("text").value = size() ? hand.text : "";
      known.set("hand", hand.text);
      known.delete("notation");
    }
    history.replaceState(null, "", location.pathname + "#" + known);
    render();
  }

  // -- showing it

  const render = () => Panels.redraw(() => {
    document.documentElement.lang = settings.language;
    document.title = say().title;
    document.querySelector("main").toggleAttribute("data-ready", Boolean(answer || error));
    for (const element of document.querySelectorAll("[data-say]")) element.textContent = say()[element.dataset.say];
    byId("language").textContent = words().other;
    Riichi.draw(byId("riichi"), words());
    byId("text").placeholder = byId("text").ariaLabel = say().hint;
    byId("notice").hidden = !error;
    byId("notice").textContent = error || "";
    byId("answer").hidden = Boolean(error);
    renderHand();
    renderPicker();
    renderFacts();
    renderAnswer();
  });

  function showTile(name, width, run) {
    const tile = button("tile", run, MjTable.icon(name, width));
    tile.dataset.tile = name;
    return tile;
  }

  function renderHand() {
    const remove = (list, place) => () => { list.splice(place, 1); change(); };
    const showTiles = (list, width) => list.map((name, place) => showTile(name, width, remove(list, place)));
    const showMelds = (list, width) => list.map(([text, ...tiles], place) => button(
      "tile meld", remove(list, place),
      ...tiles.map((name, at) => MjTable.icon(text.includes(",") || at % 3 ? name : null, width))));
    const tiles = showTiles(hand.tiles, 42);
    if (size() === 14) tiles.at(-1)?.classList.add("last");
    byId("hand").replaceChildren(...tiles, ...showMelds(hand.melds, 34));
    byId("rivers").replaceChildren(...rivers.map((river, offset) => river.length + (melds[offset] || []).length ? make(
      "p", "row river", make("span", "soft small", say().rivers[offset]),
      ...showTiles(river, 24), ...showMelds(melds[offset] || [], 24)) : null).filter(Boolean));
  }

  function renderPicker() {
    const choice = (key, text) => {
      const made = button("", () => { into = key; render(); }, text);
      made.dataset.into = key;
      made.setAttribute("aria-pressed", String(key === into));
      return made;
    };
    byId("into").replaceChildren(
      ...Object.entries(say().into).map(([key, text]) => choice(key, text)),
      ...say().rivers.map((text, offset) => choice(String(offset), text)));
    byId("kinds").replaceChildren(...NAMES.map(name => {
      const tile = showTile(name, 46, () => take(name));
      tile.disabled = !canTake(name);
      return tile;
    }));
  }

  function renderFacts() {
    const offer = (id, texts) => {
      byId(id).replaceChildren(...texts.map((text, value) => new Option(text, value)));
      byId(id).value = String(hand[id]);
    };
    offer("prevalent_wind", words().seats.map(name => name.replace("家", "")));
    offer("seat_wind", words().seats);
    offer("flowers", [...Array(9).keys()]);
    byId("rules").replaceChildren(...Object.entries(say().ruleSets).map(([name, text]) => new Option(text, name)));
    byId("rules").value = rules || "botzone";
    byId("flags").replaceChildren(...FLAGS.map((flag, place) => {
      const box = make("input", "");
      box.type = "checkbox";
      box.id = flag;
      box.checked = Boolean(hand[flag]);
      box.addEventListener("change", () => { hand[flag] = box.checked; change(); });
      return make("label", "", box, say().flags[place]);
    }));
  }

  function renderAnswer() {
    if (!answer || answer.shanten === undefined) {
      return byId("answer").replaceChildren(make("p", "soft", size() ? say().few(size()) : say().hint));
    }
    const {win, leads, moves} = answer;
    byId("answer").replaceChildren(...hand.notes.map(note => make("p", "note", say().notes[note])),
      answer.rules === "botzone" ? "" : make("p", "note", fill(say().rules, answer.rules)),
      ...(win ? showWin(win) : [make("h2", "", words().distance(answer.shanten))]),
      ...(leads ? showLeads(leads) : []), ...(moves.length ? showMoves(moves) : []));
    Fans.mark(byId("answer"), answer.fan_names, words());
  }

  const listFans = fans => Panels.listFans(fans, answer.fan_names, words());

  function showWin(win) {
    const rows = listFans(win.fans), way = say().way[hand.is_self_drawn ? 1 : 0], isOtherLegal = win.other_way >= LEAST_FAN;
    if (hand.flowers) rows.push([hand.flowers, say().flowers]);
    return [make("h2", "", win.legal ? say().wins(win.total) : say().short(win.fan)), Panels.fanTable(rows),
      make("p", "soft small", isOtherLegal ? say().otherWay(way, win.other_way + hand.flowers) : say().otherShort(way, win.other_way)),
      ...win.others.map(([reason, fan]) => make("p", "soft small", say().others[reason](fan + hand.flowers)))];
  }

  function showLeads(leads) {
    const shown = [make("p", "", say().eightFan(leads.eight_fan))];
    // The waits of a ready hand are told below.
    if (!leads.wins.length) shown.push(Panels.leads("", leads, answer.fan_names, words()));
    if (leads.waits.length) shown.push(Panels.table([words().winsOn, words().left, ...say().way], listBlocks(leads.waits)));
    shown.push(...leads.others.map(reason => make("p", "soft small", say().others[reason](null))));
    if (typeof leads.value === "number") shown.push(make("p", "value", say().value(Panels.signed(leads.value.toFixed(2)))));
    return shown.concat(showImprovements(leads.improvements || []));
  }

  // Rows of a table: waits of equal fans share one.
  function listBlocks(waits) {
    const blocks = new Map();
    for (const [name, copies, ...ways] of waits) {
      const key = JSON.stringify(ways);
      blocks.set(key, [...(blocks.get(key) || []), [name, copies, ways]]);
    }
    const count = fans => {
      const sum = fans.reduce((total, [points, copies]) => total + points * copies, 0), isLegal = sum >= LEAST_FAN;
      const told = [...listFans(fans), ...(hand.flowers ? [[hand.flowers, say().flowers]] : [])];
      return make("span", isLegal ? "" : "soft", make("b", "", String(sum + hand.flowers)),
        make("small", "", [...(isLegal ? [] : [say().noWin]), ...told.map(([points, name]) => `${name} ${points}`)].join(words().causes.comma)));
    };
    return [...blocks.values()].map(block => [[
      make("span", "block", ...block.map(([name]) => MjTable.icon(name, 30))),
      String(block.reduce((sum, [, copies]) => sum + copies, 0)), ...block[0][2].map(count)]]);
  }

  function showImprovements(improvements) {
    return [improvements.length ? make("h3", "", say().improvements) : "", ...improvements.map(({draw, copies, action, gain, wins}) => make(
      "p", "row improvement", say().draws, MjTable.icon(draw, 24), make("span", "soft small", `×${copies}`),
      Panels.action(action, words(), null, 24), make("b", "number", Panels.signed(gain.toFixed(2))),
      Panels.leads("", {distance_to_8_fan: 0, shanten: 0, wins, improving: [], targets: []}, answer.fan_names, words())))];
  }

  function showMoves(moves) {
    return [make("p", "soft small", say().moves), ...moves.map(move => {
      const [kind, name] = move.action.split(" ");
      const danger = (move.danger || []).reduce((sum, chance) => sum + chance, 0);
      // A click makes the discard.
      const made = button("move", () => {
        if (kind !== "PLAY") return;
        hand.tiles.splice(hand.tiles.lastIndexOf(name), 1);
        change();
      }, make("span", "row", Panels.action(move.action, words(), null, 28),
        danger < LEAST_DANGER ? null : make("span", "soft small", fill(words().play.dangerous, Panels.percent(danger))),
        make("b", "number", Panels.signed(move.points.toFixed(2)))),
      Panels.leads("", move, answer.fan_names, words()));
      made.dataset.action = move.action;
      return made;
    })];
  }

  // -- the controls

  for (const kind of ["input", "change"]) byId("text").addEventListener(kind, () => ask());
  for (const id of ["prevalent_wind", "seat_wind", "flowers"]) {
    byId(id).addEventListener("change", event => { hand[id] = Number(event.target.value); change(); });
  }
  byId("rules").addEventListener("change", event => {
    rules = event.target.value === "botzone" ? "" : event.target.value;
    ask();
  });
  byId("clear").addEventListener("click", () => {
    hand = makeEmpty();
    rivers = [[], [], [], []];
    melds = [];
    unseen = "";
    change();
  });
  byId("language").addEventListener("click", () => {
    settings.language = settings.language === "en" ? "zh" : "en";
    Kept.write("play", JSON.stringify(settings));
    render();
  });
  byId("riichi").addEventListener("click", () => {
    Riichi.toggle();
    render();
  });
  function open() {
    const known = new URLSearchParams(location.hash.slice(1));
    byId("text").value = known.get("hand") || "";
    unseen = known.get("unseen") || "";
    rules = known.get("rules") || "";
    ask(known.get("river") || "");
  }
  window.addEventListener("hashchange", open);
  open();
})();
