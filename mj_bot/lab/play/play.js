// A person's seat: shows what the server sends, sends what the person chooses. The rules are the server's.
"use strict";

(() => {
  const {make, byId, button, fillCard} = Panels;
  const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
  const MOST_BYTES = 1 << 24;  // of a file, as in server.py
  const SPARE = 10, WARNING = 5;  // seconds of the clock: in reserve for a game, and before the end of a choice
  const EIGHT = 8;  // the fan that a win needs
  const SLOW = 2000;  // ms without an answer, after which the page says so
  const QUICK = {SEAT: 0, DEAL: 0.6, DRAW: 0.3};  // of the pace; other events take all of it

  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const settings = {hints: false, figures: false, confirm: true, clock: 0, coach: 0, pace: 400, sound: true, motion: !isStill, ...Kept.readSettings()};
  settings.language = findLanguage(settings.language);
  const hash = new URLSearchParams(location.hash.slice(1));

  let game = null;     // as the server sent it last
  let frame = null;    // the one that is shown
  let busy = true;     // while frames are shown or an answer is awaited
  let opening = null;  // the claim that is chosen, while its discard is not: "PENG", "CHI W5"
  let touched = null;  // place in the hand of the tile that was tapped once
  let hint = null;
  let noticed = null;  // what the notice says: its kind and details
  let cursor = null;   // place in the hand of the tile that the keys have reached
  let pointer = "";    // what pressed last: "mouse", "touch", "pen"
  let playing = 0;     // counts the runs of frames, so that a new one ends the one before
  let isHurried = false;
  let lastDrawn = null;  // the frame that was drawn last
  let stopped = null;  // what the coach says of a move that it has stopped: the decision
  let isExplained = false;
  let asked = null;    // whether to win at eight fan: the hint, while the page asks
  let hasAsked = false;  // in this game
  let told = 0;        // false wins of this game that the page has told
  let late = null;     // time in ms at which the clock makes the choice
  let spare = SPARE;   // seconds that the clock gives in this game beyond those of a choice
  const auto = {win: false, claims: false, pass: false};  // the choices that the page makes for the person

  const words = () => WORDS[settings.language];
  const say = () => words().play;
  const isOver = () => frame !== null && frame.event.kind === "END";
  const own = () => frame.position.seats[game.seat];

  // -- talking to the server

  async function ask(path, body) {
    // Errors come in the language of the page.
    const headers = {"Accept-Language": settings.language};
    const options = body === undefined ? {headers} : body instanceof Blob ? {method: "POST", headers, body} :
      {method: "POST", headers: {...headers, "Content-Type": "application/json"}, body: JSON.stringify(body)};
    let reply, answer;
    try {
      reply = await fetch(path, options);
      answer = await reply.json();
    } catch {
      notice("silent");
      return null;
    }
    if (reply.ok) return answer;
    if (answer.error === "hand") {  // the link of a calculator
      location.href = "hand#" + new URLSearchParams({hand: answer.message});
      return null;
    }
    notice(answer.error, answer.message);
    if (answer.game) take(answer.game, true);
    return null;
  }

  async function send(path, body) {
    if (busy) return;
    stopClock();
    if (/new|next|resume/.test(path)) [spare, told, hasAsked] = [SPARE, 0, false];
    if (path !== "game/act") Object.assign(auto, {win: false, claims: false, pass: false});
    const run = playing;
    busy = true;
    notice(/new|next|resume/.test(path) ? "dealing" : null);
    render();
    const waiting = setTimeout(() => notice("slow"), SLOW);
    const answer = await ask(path, Object.assign({sequence: game.sequence}, body));
    clearTimeout(waiting);
    if (answer) notice(null);
    if (answer) take(answer, false); else if (playing === run) { busy = false; render(); }
  }

  // Takes a new state of the game: shows its frames one by one, or at once the last one.
  async function take(state, isAtOnce) {
    const run = ++playing;
    game = state;
    if (!game.frames) {  // no game yet
      busy = false;
      return render();
    }
    MjTable.mark(game.marked);
    opening = touched = hint = null;
    stopped = state.stopped ?? null;
    asked = null;
    isExplained = false;
    busy = true;
    isHurried = isAtOnce || document.hidden;
    for (const next of state.frames.slice(0, -1)) {
      const pace = settings.pace * (QUICK[next.event.kind] ?? 1);
      if (isHurried || !pace) continue;
      frame = next;
      render();
      if (settings.sound) playSound(frame.event.kind);
      await wait(pace);
      if (run !== playing) return;
    }
    frame = state.frames[state.frames.length - 1];
    busy = false;
    render();
    if (settings.sound && !isAtOnce) playSound(isOver() ? frame.event.verdict : "turn");
    if (isOver()) listPast();
    if (game.false_wins > told) notice("falseWin");
    told = game.false_wins;
    startClock();
    if (!chooseAlone()) await takeHint();
  }

  // Makes the choice that the switches make. Returns whether there is one.
  function chooseAlone() {
    const can = kind => game.legal.includes(kind);
    const text = auto.win && can("HU") ? "HU" : can("PASS") && (auto.pass || (auto.claims && !can("HU"))) ? "PASS" : null;
    if (text === "HU" && !busy && !hasAsked && game.win_fan - own().flowers === EIGHT) {
      hasAsked = true;
      askToWait();
    } else if (text && !busy) {
      act(text);
    }
    return text !== null;
  }

  // Once in a game, at exactly eight fan: whether to win now.
  async function askToWait() {
    const sequence = game.sequence, answer = await ask(`game/hint?sequence=${sequence}`);
    if (sequence !== game.sequence || busy) return;
    if (!answer) return act("HU");
    asked = answer.hint;
    render();
  }

  async function takeHint() {
    if (!settings.hints || !frame || !game.legal.length || busy) return;
    const sequence = game.sequence;
    const answer = await ask(`game/hint?sequence=${sequence}`);
    if (answer && sequence === game.sequence && !busy) {
      hint = answer.hint;
      render();
    }
  }

  // Another tab may have played on.
  async function look() {
    if (document.hidden || busy) return;
    const answer = await ask("game");
    if (answer && answer.sequence !== game.sequence && !busy) {
      notice("stale");
      take(answer, true);
    }
  }

  // -- what may be done

  // isChecked: whether the coach looks at the move first.
  const act = (text, isChecked = false) =>
    send("game/act", {action: text, coach: isChecked && settings.coach && game.has_coach ? String(settings.coach) : ""});
  const actChecked = text => act(text, true);

  const choicesOf = prefix => game.legal.filter(text => text.startsWith(prefix + " "));

  // Buttons for all but discards: [text that is shown, tiles, what a click does, class, action].
  function listActions() {
    const buttons = say().buttons, listed = [];
    if (!frame) return [[say().new, [], setUp, "main", "new"]];
    if (isOver()) {
      const {number, games} = game.match;
      const listed = number < games ? [[say().next, [], () => send("game/next"), "main", "next"]] : [];
      if (game.saved) listed.push([say().review, [], () => { location.href = addressOf(nameOf(game.saved)); }, "", "review"]);
      return listed.concat([[say().new, [], setUp, number < games ? "" : "main", "new"]]);
    }
    if (opening) return [[say().cancel, [], () => { opening = touched = null; render(); }, "pass", "cancel"]];
    const claimed = frame.position.focus && frame.position.focus.tile;
    if (game.legal.includes("PASS")) listed.push([buttons.PASS, [], () => actChecked("PASS"), "pass", "PASS"]);
    const middles = new Set(choicesOf("CHI").map(text => text.split(" ")[1]));
    const open = text => () => { opening = text; render(); };
    for (const middle of middles) {
      listed.push([buttons.CHI, Panels.chow(middle), open("CHI " + middle), "chow", "CHI " + middle]);
    }
    if (choicesOf("PENG").length) listed.push([buttons.PENG, [claimed], open("PENG"), "pung", "PENG"]);
    for (const text of game.legal) {
      const [kind, tile] = text.split(" ");
      if (kind === "GANG" || kind === "BUGANG") {
        listed.push([buttons[kind], [tile || claimed], () => actChecked(text), "kong", text]);
      }
    }
    if (game.legal.includes("HU")) {
      listed.push([game.win_fan === null ? buttons.HU : `${buttons.HU} · ${game.win_fan} ${words().fan}`, [], () => actChecked("HU"), "win", "HU"]);
    }
    return listed;
  }

  // The own tiles: [name, whether just drawn, the action that discards it or null].
  function listHand() {
    const seat = own();
    if (!seat.hand) return [];
    const names = seat.hand.slice();
    let drawn = null;
    if (typeof seat.drawn === "string") [drawn] = names.splice(names.lastIndexOf(seat.drawn), 1);
    if (opening) {
      const claimed = frame.position.focus.tile;
      const [kind, middle] = opening.split(" ");
      const used = kind === "PENG" ? [claimed, claimed] : Panels.chow(middle).filter(name => name !== claimed);
      for (const name of used) names.splice(names.indexOf(name), 1);
    }
    const prefix = opening || "PLAY";
    const entry = (name, isDrawn) => {
      const text = `${prefix} ${name}`;
      return [name, isDrawn, !busy && game.legal.includes(text) ? text : null];
    };
    return names.map(name => entry(name, false)).concat(drawn ? [entry(drawn, true)] : []);
  }

  // -- showing it

  // kind: of say(), or another, which is a refusal; null takes the notice away.
  function notice(kind, ...details) {
    noticed = kind && [kind, ...details];
    renderNotice();
  }

  function renderNotice() {
    byId("notice").hidden = !noticed;
    if (noticed) byId("notice").textContent = fill(say()[noticed[0]] || say().refused, ...noticed.slice(1));
  }

  function render() {
    if (!game) return;
    const main = document.querySelector("main");
    main.classList.toggle("empty", !frame);
    main.dataset.sequence = game.sequence;
    main.toggleAttribute("data-ready", !busy);
    document.documentElement.lang = settings.language;
    for (const element of document.querySelectorAll("[data-say]")) element.textContent = say()[element.dataset.say];
    renderNotice();
    renderHeader();
    renderActions();
    renderScores();
    renderPast();
    if (!frame) return;
    renderTable();
    renderMessage();
    renderHand();
    renderText();
    renderWaits();
    renderHint();
    renderCoach();
    renderEnding();
    renderRules();
    renderLog();
    lastDrawn = frame;
  }

  function renderHeader() {
    const {number, games} = game.match, wind = frame && frame.position.wind;
    byId("title").replaceChildren(!frame ? "mj_bot" :
      [wind === null ? "" : fill(words().round, words().seats[wind].replace("家", "")), fill(say().title, number, games),
        game.seed === null ? "" : fill(say().wall, game.seed)].filter(Boolean).join(" · "),
    ...(frame && game.marked.length ? [` · ${say().wild} `, ...game.marked.map(name => MjTable.icon(name, 20))] : []));
    for (const key of Object.keys(auto)) byId(`auto-${key}`).checked = auto[key];
    for (const id of ["language", "setup-language"]) byId(id).textContent = words().other;
    byId("clock").value = String(settings.clock);
    byId("coach-limit").value = String(settings.coach);
    byId("coach-label").hidden = !game.has_coach;
    for (const key of ["hints", "figures", "confirm", "sound", "motion"]) byId(key).checked = settings[key];
    byId("pace").value = String(settings.pace);
    document.body.classList.toggle("still", !settings.motion);
    byId("undo").hidden = !frame || !game.practice;
    byId("undo").disabled = busy || !game.can_undo;
    byId("new").disabled = busy;
  }

  const names = () => game.players.map((name, seat) => seat === game.seat ? say().you : name);

  function renderTable() {
    const {event, position} = frame;
    const board = MjTable.draw(byId("table"), position, {
      seat: game.seat, open: isOver(), names: names(), scores: isOver() ? event.scores : null,
      words: words(),
    });
    byId("table").classList.toggle("fresh", frame !== lastDrawn);
    // The own hand lies below the table, larger.
    if (!isOver()) board.querySelector(`.mj-side[data-seat="${game.seat}"] .mj-hand`).remove();
    board.setAttribute("aria-hidden", "true");  // renderText says it
    const shout = say().callouts[event.kind === "END" ? event.verdict : event.kind];
    const callout = byId("callout");
    callout.textContent = shout || "";
    callout.hidden = !shout;
    callout.className = shout ? "from-" + (event.seat - game.seat + 4) % 4 : "";
  }

  // The table for those who do not see it.
  function renderText() {
    const told = names => names.map(words().tile).join(", ") || "–";
    byId("described").replaceChildren(...frame.position.seats.map((seat, place) => make("p", "", say().described(
      `${words().seats[place]}, ${names()[place]}`, seat.hand && (isOver() || place === game.seat) ? told(seat.hand) : null,
      seat.melds.map(meld => told(meld.tiles)).join("; "), told(seat.river.map(discard => discard.tile))))));
  }

  function renderMessage() {
    const nodes = Panels.event(frame.event, words()).flatMap(node => [node, " "]);
    if (!busy && !isOver()) {
      const {event} = frame;
      const isTurn = event.kind === "DRAW" && event.seat === game.seat;
      const question = opening ? say().then : isTurn ? say().discard : event.kind === "BUGANG" ? say().rob : say().claim;
      if (isTurn) nodes.length = 0;
      nodes.push(make("b", "question", touched === null ? question : say().tap));
    }
    byId("message").replaceChildren(...nodes);
  }

  function renderActions() {
    const buttons = busy ? [] : listActions();
    byId("actions").replaceChildren(...buttons.map(([text, tiles, run, kind, action]) => {
      const isBest = isChosen(action), figure = figureOf(action);
      const made = button(kind + (isBest ? " best" : ""), run, make("span", "", text), ...tiles.map(name => MjTable.icon(name, 22)),
        figure && make("small", "", figure));
      made.dataset.action = action;
      if (isBest) made.title = say().best;
      return made;
    }));
  }

  // Whether the hint is this action; a claim comes without its discard.
  const isChosen = text => hint !== null && `${hint.chosen} `.startsWith(`${text} `);

  // What the adviser thinks that an action loses, where the person wants to see it: "", "−0.42".
  function figureOf(text) {
    if (!hint || !settings.figures) return "";
    const values = hint.ranked.filter(([ranked]) => `${ranked} `.startsWith(`${text} `)).map(entry => entry[1]);
    const loss = Math.max(...hint.ranked.map(entry => entry[1])) - Math.max(...values);
    return values.length && loss ? `−${Panels.format(loss)}` : "";
  }

  function renderHand() {
    const tiles = isOver() ? [] : listHand();
    const melds = isOver() ? [] : own().melds.map(meld =>
      make("span", "meld", ...meld.tiles.map(name => MjTable.icon(name, 60))));
    byId("hand").replaceChildren(...tiles.map(([name, isDrawn, text], place) => {
      const tile = button("tile", event => {
        // A finger may slip: it taps twice. The keyboard's clicks have no detail.
        if (settings.confirm && event.detail && pointer !== "mouse" && touched !== place) {
          touched = place;
          render();
        } else {
          actChecked(text);
        }
      }, MjTable.icon(name, 60));
      tile.dataset.tile = name;
      tile.setAttribute("aria-label", [words().tile(name), isDrawn && say().drawnTile].filter(Boolean).join(", "));
      tile.disabled = !text;
      if (isDrawn) tile.classList.add("drawn");
      if (touched === place) tile.classList.add("touched");
      if (isDrawn && frame !== lastDrawn) tile.classList.add("fresh");
      if (hint && text) markTile(tile, name, text);
      return tile;
    }), ...melds);
    if (cursor !== null && document.activeElement === document.body) reach(cursor);
  }

  function markTile(tile, name, text) {
    if (isChosen(text)) tile.classList.add("best");
    const marks = hint.tiles.find(entry => entry[0] === name);
    if (!marks) return;
    const [, danger, far, copies] = marks, nearest = hint.eight;
    const worse = far === null ? "–" : far > nearest ? `+${far - nearest}` : "";
    tile.append(Panels.risk(danger), make("small", worse ? "worse" : "", worse || String(copies)));
    for (const figure of settings.figures ? [figureOf(text), danger === null ? "" : Panels.percent(danger)] : []) {
      tile.append(make("small", "figure", figure || "0"));
    }
    tile.title = [danger === null ? "" : fill(say().dangerous, Panels.percent(danger)), words().distance(far),
      fill(say().live, copies)].filter(Boolean).join(", ");
  }

  function renderHint() {
    const {adviser, unit} = hint || {};
    if (stopped && isExplained) return fillCard("hint", Panels.decision(stopped, ["cnn", "search"], "points", game.fan_names, words()));
    fillCard("hint", hint && [
      make("h2", "", `${adviser} · `, ...Panels.distances(hint, words())),
      make("div", "verdict", make("span", "soft", say().best), Panels.action(hint.chosen, words(), hint.claimed, 26)),
      plan(),
      Panels.remarks(hint, adviser, unit, game.fan_names, words()),
      ...Panels.moves({...hint, tiles: []}, adviser, unit, game.fan_names, words())]);
    Fans.mark(byId("hint"), game.fan_names, words());
  }

  // The move that the coach stopped, the better one folded, and what the person may do.
  function renderCoach() {
    if (asked) return renderQuestion();
    const isNew = stopped && byId("coach").hidden;
    fillCard("coach", stopped && [
      make("h2", "", fill(say().stopped, Panels.format(stopped.loss))),
      make("div", "verdict", Panels.action(stopped.logged, words(), stopped.claimed, 26),
        make("details", "", make("summary", "soft", say().better), Panels.action(stopped.chosen, words(), stopped.claimed, 26))),
      make("p", "coach-buttons", button("main", takeBack, say().takeBack), button("", letStand, say().letStand),
        button("", explain, say().explain))]);
    if (isNew) byId("coach").querySelector("button").focus();
  }

  // Winning now and the best other move, with what each brings.
  function renderQuestion() {
    const isNew = byId("coach").hidden, {ranked, adviser, unit} = asked;
    const isSelfDrawn = frame.event.kind === "DRAW" && frame.event.seat === game.seat;
    const paid = isSelfDrawn ? 3 * (EIGHT + game.win_fan) : 3 * EIGHT + game.win_fan;
    const [other] = ranked.filter(([text]) => text !== "HU"), now = ranked.find(([text]) => text === "HU");
    const value = entry => entry ? `${Panels.format(entry[1])} ${words().units[unit] || unit}` : "–";
    fillCard("coach", [
      make("h2", "", fill(say().eightFan, paid)),
      make("p", "useful", fill(say().valued, adviser), `${say().buttons.HU} ${value(now)},`, other ? Panels.action(other[0], words(), asked.claimed, 22) : "", value(other)),
      make("p", "coach-buttons", button("main", () => { asked = null; act("HU"); }, say().winNow),
        button("", () => { asked = null; auto.win = false; render(); startClock(); }, say().wait))]);
    if (isNew) byId("coach").querySelector("button").focus();
  }

  function takeBack() { stopped = null; render(); startClock(); }
  function letStand() { const text = stopped.logged; stopped = null; act(text); }
  function explain() { isExplained = !isExplained; render(); byId("coach").querySelectorAll("button")[2].focus(); if (isExplained) byId("hint").scrollIntoView({block: "nearest"}); }

  // The hand to aim for, the tiles that it needs, and those whose discard takes it farther away.
  function plan() {
    const {aims, nearer} = hint.chosen_facts;
    if (!aims.length) return null;
    const [fan, missing] = aims[0], kept = hint.tiles.filter(([, , far]) => far === null || far > hint.eight);
    const line = (text, names) => names.length ? [make("span", "", text), ...names.map(name => MjTable.icon(name, 20))] : [];
    return make("p", "plan useful", make("span", "", say().plan(Panels.fanInText(fan, game.fan_names, words()), missing)),
      ...line(say().wanted, nearer.filter(entry => entry[1]).map(entry => entry[0])), ...line(say().keep, kept.map(entry => entry[0])));
  }

  function renderEnding() {
    fillCard("ending", !isOver() ? null : [...Panels.ending(frame.event, frame.position, game.fan_names, words()),
      Panels.table([words().player, words().score, ...(game.recorded ? [say().recorded] : [])], names().map((name, seat) =>
        [[`${words().seats[seat]} · ${name}`, Panels.signed(frame.event.scores[seat]),
          ...(game.recorded ? [Panels.signed(game.recorded[seat])] : [])], seat === game.seat ? "total" : ""])),
      ...(game.coach.stops ? [make("p", "", say().coached(game.coach))] : []),
      make("p", "soft small", game.saved ? fill(say().saved, game.saved) : say().lost)]);
    Fans.mark(byId("ending"), game.fan_names, words());
  }

  // The waits of the hand now, or after each discard that makes it ready.
  function renderWaits() {
    const shown = Object.entries(busy || game.match.counts_fans ? {} : game.waits).filter(([text]) =>
      opening ? text.startsWith(opening + " ") : /^(PLAY|PASS)/.test(text));
    const count = waits => waits.reduce((sum, wait) => sum + wait[1], 0);
    shown.sort((one, other) => count(other[1]) - count(one[1]));
    byId("waits").replaceChildren(...shown.map(([text, waits]) => {
      const line = make("p", "useful", ...(text === "PASS" ? [] : [say().after, MjTable.icon(text.split(" ").at(-1), 22)]),
        waits.length ? say().waits : words().noWin);
      for (const [name, copies, fan, isSelfDrawn] of waits) {
        line.append(make("span", "", MjTable.icon(name, 22), [`×${copies}`, fan && `${fan} ${words().fan}`,
          isSelfDrawn && words().selfDrawOnly].filter(Boolean).join(" ")));
      }
      return line;
    }));
  }

  // The rules in force, where they are not the same in each match.
  function renderRules() {
    byId("rules").hidden = !game.rules.length;
    const told = game.rules.map(([name, value]) => Object.hasOwn(words().rules, name) && words().rules[name](value));
    byId("rules-list").replaceChildren(...told.filter(Boolean).map(text => make("li", "", text)));
  }

  // The match so far: the person, then the opponents from the next one on; a row a game.
  function renderScores() {
    const {games, rows, opponents, placing} = game.match;
    byId("scores").hidden = games < 2 || !frame;
    const sums = [0, 1, 2, 3].map(place => rows.reduce((sum, scores) => sum + scores[place], 0));
    const line = scores => scores.map(Panels.signed);
    byId("scores").replaceChildren(make("h2", "", say().total), Panels.table(
      ["", say().you, ...opponents.map((name, place) => `${say().places[place]} ${name}`)],
      [...rows.map((scores, number) => [[String(number + 1), ...line(scores)], ""]), [[words().all, ...line(sums)], "total"],
        ...(placing ? [[[rows.length === games ? say().standard : say().standardNow, ...placing.map(String)], "total"]] : [])]));
  }

  // -- past games, and games from files and links

  const nameOf = path => path.replace(/^.*[/\\]/, "").replace(/\.json$/, "");
  const addressOf = name => `past/${name}#language=${settings.language}`;
  let past = [], opened = [];

  async function listPast() {
    const answer = await ask("past");
    if (answer) ({games: past, opened} = answer);
    renderPast();
  }

  // Who won a game, how, and on whose tile.
  function tellOutcome(row) {
    const name = seat => Panels.player(row.players[seat], words());
    const who = seat => seat === row.seat ? say().you : words().seats[seat] + (name(seat) ? ` (${name(seat)})` : "");
    if (row.winner === null) return row.is_drawn ? say().drawn : row.error ? words().review.breaks : "";
    return say().outcome(who(row.winner), row.fan, row.giver === null ? null : who(row.giver), row.giver === row.seat);
  }

  function listRow(row, title, ...buttons) {
    const review = make("a", "button", say().review);
    review.href = addressOf(row.name);
    const own = row.seat !== null && row.scores ? make("b", "", Panels.signed(row.scores[row.seat])) : null;
    const line = make("li", "", make("span", "", title), own, make("span", "soft small", tellOutcome(row)), review, ...buttons);
    line.dataset.name = row.name;
    return line;
  }

  function renderPast() {
    const rows = past.map(row => {
      const resume = button("", () => playOn(row.name, -1), say().resume);
      resume.title = say().resumeTitle;
      const when = new Date(1000 * row.time).toLocaleString(settings.language, {dateStyle: "short", timeStyle: "short"});
      const against = row.players.filter((name, seat) => seat !== row.seat).join(", "), line = listRow(row, when, resume);
      if (row.key) {
        const kept = make("a", "small", say().inLibrary);
        kept.href = addressOf(row.key);
        line.append(kept);
      }
      line.append(make("span", "soft small", fill(say().against, against)));
      return line;
    });
    const total = past.reduce((sum, row) => sum + row.scores[row.seat], 0), wins = past.filter(row => row.winner === row.seat).length;
    byId("past-list").replaceChildren(...(rows.length ? [make("p", "total", say().totals(rows.length, wins, Panels.signed(total))), make("ul", "", ...rows)] :
      [make("p", "soft small", say().none)]));
    byId("open").hidden = !game.opens;
    byId("fan-table").hidden = byId("links").hidden = !game.opens;
    byId("opened").replaceChildren(...opened.map(row => listRow(row, `${row.name.match(/\d+$/)} ${row.title}`)));
    byId("link").placeholder = say().paste;
  }

  // Shows the review of a file's game, or the table of its games and the worst mistakes. body: a file, or a link as a Blob.
  async function openGames(body) {
    if (!game.opens) return;
    byId("open").open = true;
    if (body.size > MOST_BYTES) return notice("large");
    notice("reading");
    const answer = await ask(`past/open?name=${encodeURIComponent(body.name || say().pasted)}`, body);
    if (!answer) return;
    opened = answer.opened;
    location.href = addressOf(opened[0].file);
    byId("link").value = "";
    renderPast();
  }

  // Takes a past or opened game up at a choice of the person's: the index of its request, -1 for the last one.
  function playOn(name, at, seat = -1) {
    const {number, games} = game.match;
    const questions = frame ? [isOver() ? "" : say().leave, number < games ? say().leaveMatch(games - number) : ""] : [];
    const question = questions.filter(Boolean).join(" ");
    if (!question || confirm(question)) send("game/resume", {name, frame: at, seat});
  }

  function renderLog() {
    byId("log-title").textContent = words().events;
    // While frames are shown, the events after the shown one are not shown yet.
    const later = game.frames.length - 1 - game.frames.indexOf(frame);
    const happened = game.events.slice(0, game.events.length - (later < game.frames.length ? later : 0));
    const isTold = event => !["SEAT", "DRAW"].includes(event.kind) || (event.kind === "DRAW" && event.seat === game.seat);
    const log = byId("log");
    log.replaceChildren(...happened.filter(isTold).map(event =>
      make("li", "", ...Panels.event(event, words(), 16).flatMap(node => [node, " "]))));
    log.scrollTop = log.scrollHeight;
  }

  // -- the controls

  function keep(changes) {
    Object.assign(settings, changes);
    Kept.write("play", JSON.stringify(settings));
    render();
  }

  function offer(id, entries, chosen) {
    byId(id).replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
    byId(id).value = String(chosen);
  }

  function setUp() {
    for (const place of [0, 1, 2]) {
      byId(`opponent-label-${place}`).textContent = say().opponents[place];
      offer(`setup-opponent-${place}`, game.offered.map(name => [name, say().about[name] || name]), game.match.opponents[place]);
    }
    const {seat, seed} = game.proposed || {seat: -1, seed: ""};
    offer("setup-seat", [["-1", say().rotating], ...words().seats.map((name, place) => [String(place), name])], seat);
    const counts = [...new Set([1, 4, 8, 16, game.match.games])].sort((one, other) => one - other);
    offer("setup-games", counts.map(count => [count, count]), game.match.games);
    offer("setup-rules", game.offered_rules.map(name => [name, say().rulesAbout[name]]), game.match.rules);
    byId("setup-rules-label").hidden = game.offered_rules.length < 2;
    byId("setup-counts").checked = game.match.counts_fans;
    byId("setup-counts-label").hidden = game.match.rules !== "tziakcha";
    byId("setup-open").hidden = !game.opens;
    byId("setup-seed").value = seed;
    byId("setup-practice").checked = game.practice;
    byId("setup").returnValue = "";
    if (!byId("setup").open) byId("setup").showModal();
  }

  // The words of the dialog change too, its choices stay.
  function changeLanguage() {
    keep({language: settings.language === "en" ? "zh" : "en"});
    listFans();
    if (!byId("setup").open) return;
    const fields = [...byId("setup").querySelectorAll("select, input")], chosen = fields.map(field => [field.value, field.checked]);
    setUp();
    fields.forEach((field, place) => { [field.value, field.checked] = chosen[place]; });
    byId("setup-counts-label").hidden = byId("setup-rules").value !== "tziakcha";
  }

  // -- the clock: each choice has its seconds, then those in reserve; at the end the page makes the choice

  function startClock() {
    stopClock();
    if (settings.clock && frame && game.legal.length && !busy && !stopped && !asked) late = Date.now() + 1000 * (settings.clock + spare);
    showTime();
  }

  function stopClock() {
    if (late !== null) spare = Math.max(0, Math.min(spare, (late - Date.now()) / 1000));
    late = null;
    showTime();
  }

  function showTime() {
    const left = late === null ? 0 : Math.max(0, Math.ceil((late - Date.now()) / 1000)), shown = left > spare ? left - Math.ceil(spare) : left;
    const isLate = late !== null && left <= WARNING, time = byId("time");
    time.hidden = late === null;
    const text = late === null ? "" : isLate ? fill(say().hurry, left) : spare > 0 && left > spare ? `${shown} + ${Math.ceil(spare)}` : String(shown);
    if (isLate && settings.sound && text !== time.textContent) playSound("turn");
    if (text !== time.textContent) time.textContent = text;
    time.classList.toggle("late", isLate);
    time.setAttribute("aria-live", isLate ? "assertive" : "off");
  }

  // Passes, or discards the tile just drawn, after a claim the last one.
  function runOut() {
    if (late === null || busy || Date.now() < late) return;
    late = null;
    spare = 0;
    const discards = listHand().filter(([, , text]) => text), drawn = discards.find(([, isDrawn]) => isDrawn);
    const text = !opening && game.legal.includes("PASS") ? "PASS" : (drawn || discards.at(-1))[2];
    act(text).then(() => notice("timeOut"));
  }

  setInterval(() => { if (late !== null) { showTime(); runOut(); } }, 200);

  // -- the keyboard

  // Moves to the tile nearest to a place in the hand that may be discarded.
  function reach(place) {
    const tiles = [...document.querySelectorAll("#hand .tile")], free = tiles.filter(tile => !tile.disabled);
    if (!free.length) return;
    const far = tile => Math.abs(tiles.indexOf(tile) - place);
    const nearest = free.reduce((one, other) => far(other) < far(one) ? other : one);
    cursor = tiles.indexOf(nearest);
    nearest.focus();
  }

  // The button of an action; of several in turn the one after that which has the focus.
  function press(kinds) {
    const buttons = [...document.querySelectorAll("#actions button")].filter(made => kinds.includes(made.dataset.action.split(" ")[0]));
    if (buttons.length === 1) buttons[0].click();
    else if (buttons.length) buttons[(buttons.indexOf(document.activeElement) + 1) % buttons.length].focus();
  }

  const last = () => document.querySelectorAll("#hand .tile").length - 1;
  const KEYS = {
    ArrowLeft: () => reach(cursor === null ? last() : cursor - 1), ArrowRight: () => reach(cursor === null ? 0 : cursor + 1),
    Home: () => reach(0), End: () => reach(last()),
    x: () => press(["PASS"]), c: () => press(["CHI"]), p: () => press(["PENG"]), k: () => press(["GANG", "BUGANG"]), w: () => press(["HU"]),
    n: () => press(byId("actions").querySelector("[data-action=next]") ? ["next"] : ["new"]),
    Escape: () => stopped ? takeBack() : press(["cancel"]), s: () => stopped && letStand(), e: () => stopped && explain(), u: () => byId("undo").click(), h: () => byId("hints").click(), l: changeLanguage,
    f: () => { byId("fan-table").open = !byId("fan-table").open; if (byId("fan-table").open) byId("fan-table").scrollIntoView({block: "nearest"}); },
    "?": () => { byId("keys").open = !byId("keys").open; if (byId("keys").open) byId("keys").scrollIntoView({block: "nearest"}); },
  };
  document.addEventListener("keydown", event => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, isTyping = event.target.closest("input:not([type=checkbox]), select");
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping || (byId("setup").open && key !== "l")) return;
    const run = /^[0-9]$/.test(key) ? () => reach((Number(key) + 9) % 10) : Object.hasOwn(KEYS, key) && KEYS[key];
    if (!run) return;
    event.preventDefault();
    run();
  });
  document.addEventListener("pointerdown", event => { pointer = event.pointerType; cursor = null; }, true);

  for (const id of ["language", "setup-language"]) byId(id).addEventListener("click", changeLanguage);
  // The fans by points, in the page's language.
  function listFans() {
    const groups = new Map(), isEnglish = settings.language === "en";
    for (const [name, english, points] of FAN_ROWS) groups.set(points, [...groups.get(points) || [], isEnglish ? english : name]);
    byId("fan-table").querySelector("table").replaceChildren(...[...groups].map(([points, names]) =>
      make("tr", "", make("td", "", String(points)), make("td", "", names.join(words().judges.comma)))));
  }
  byId("fan-table").addEventListener("toggle", listFans);

  byId("coach-limit").addEventListener("change", event => keep({coach: Number(event.target.value)}));
  byId("clock").addEventListener("change", event => {
    keep({clock: Number(event.target.value)});
    spare = SPARE;
    startClock();
  });
  byId("setup-rules").addEventListener("change", event => {
    byId("setup-counts-label").hidden = event.target.value !== "tziakcha";
    byId("setup-games").value = event.target.value === "tziakcha" ? "16" : "1";
  });
  byId("pace").addEventListener("change", event => keep({pace: Number(event.target.value)}));
  for (const key of ["figures", "confirm", "sound", "motion"]) {
    byId(key).addEventListener("change", event => keep({[key]: event.target.checked}));
  }
  byId("hints").addEventListener("change", event => {
    hint = null;
    keep({hints: event.target.checked});
    takeHint();
  });
  byId("undo").addEventListener("click", () => send("game/undo"));
  byId("new").addEventListener("click", setUp);
  for (const key of Object.keys(auto)) {
    byId(`auto-${key}`).addEventListener("change", event => {
      auto[key] = event.target.checked;
      chooseAlone();
    });
  }
  byId("open-form").addEventListener("submit", event => {
    event.preventDefault();
    if (byId("link").value.trim()) openGames(new Blob([byId("link").value]));
  });
  byId("file").addEventListener("change", event => {
    if (event.target.files.length) openGames(event.target.files[0]);
    event.target.value = "";
  });
  document.addEventListener("dragover", event => event.preventDefault());
  document.addEventListener("drop", event => {
    event.preventDefault();
    const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text");
    if (file || text) openGames(file || new Blob([text]));
  });
  document.addEventListener("paste", event => {
    const [file] = event.clipboardData.files, text = event.clipboardData.getData("text");
    if (!file && event.target.closest("input")) return;
    if (file || text.trim()) openGames(file || new Blob([text]));
  });
  byId("setup").addEventListener("close", () => {
    if (byId("setup").returnValue === "open") {
      byId("open").open = true;
      byId("open").scrollIntoView();
      byId("link").focus();
    }
    if (byId("setup").returnValue !== "deal") return;
    send("game/new", {
      seed: byId("setup-seed").value, seat: Number(byId("setup-seat").value), practice: byId("setup-practice").checked,
      games: Number(byId("setup-games").value), rules: byId("setup-rules").value, counts_fans: byId("setup-counts").checked, opponents: [0, 1, 2].map(place => byId(`setup-opponent-${place}`).value),
    });
  });
  byId("table").addEventListener("click", () => { isHurried = true; });
  document.addEventListener("visibilitychange", look);
  window.addEventListener("focus", look);

  byId("notice").addEventListener("click", () => notice(null));
  // Pages that were loaded open without the server too. The keepers of earlier addresses go.
  navigator.serviceWorker?.register("sw.js").then(async own => {
    for (const other of await navigator.serviceWorker.getRegistrations()) if (other.scope !== own.scope) other.unregister();
  }, () => { /* some browsers have none here */ });
  // A review's page leads back to here with the place to play on from.
  history.replaceState(null, "", location.pathname);
  ask("game").then(async answer => {
    if (!answer) return;
    await take(answer, true);
    await listPast();
    if (hash.has("resume")) playOn(hash.get("resume"), Number(hash.get("frame") ?? -1), Number(hash.get("seat") ?? -1));
    else if (!frame) setUp();
  });
})();
