// Shows the state of the page: the table, the own hand, the buttons, and the cards next to them.
"use strict";

const Show = (() => {
  const {make, byId, button, fillCard} = Panels;

  const CALM = ["dealing", "waiting", "reading", "restarted"];  // notices that tell no failure

  const MOST_WAITS = 3, WAIT_HEIGHT = 34;  // discards whose waits are shown, and pixels of a line of them

  let noticed = null;    // what the notice says: its kind and details
  let lastDrawn = null;  // the frame that was drawn last

  // kind: of Play.say, or another, which is a refusal; null takes the notice away.
  function notice(kind, ...details) {
    noticed = kind && [kind, ...details];
    renderNotice();
  }

  // Whether the notice says that the server does not answer.
  const isSilent = () => noticed?.[0] === "silent";

  function renderNotice() {
    byId("notice").hidden = !noticed;
    byId("notice").classList.toggle("error", noticed !== null && !CALM.includes(noticed[0]));
    if (noticed) byId("notice").textContent = fill(Play.say[noticed[0]] || Play.say.refused, ...noticed.slice(1));
  }

  function render() {
    const {game, frame, say} = Play;
    if (!game) return;
    const main = document.querySelector("main");
    main.classList.toggle("empty", !frame);
    main.classList.toggle("over", Play.isOver);
    main.classList.toggle("hinted", Play.settings.hints);
    main.dataset.sequence = game.sequence;
    main.toggleAttribute("data-ready", !Play.isBusy);
    document.documentElement.lang = Play.settings.language;
    for (const element of document.querySelectorAll("[data-say]")) element.textContent = say[element.dataset.say];
    renderNotice();
    renderHeader();
    renderActions();
    renderScores();
    Past.render();
    Keys.render();
    if (!frame) return;
    renderTable();
    renderMessage();
    renderHand();
    renderText();
    renderWaits();
    Advice.renderHint();
    Advice.renderCoach();
    renderEnding();
    renderRules();
    renderLog();
    lastDrawn = frame;
  }

  function renderHeader() {
    const {game, frame, say, words, settings, auto} = Play;
    const {number, games} = game.match, wind = frame && frame.position.wind;
    byId("title").replaceChildren(!frame ? "mj_bot" :
      [wind === null ? "" : fill(words.round, words.seats[wind].replace("家", "")), fill(say.title, number, games)]
        .filter(Boolean).join(" · "),
    ...(frame && game.marked.length ? [` · ${say.wild} `, ...game.marked.map(name => MjTable.icon(name, 20))] : []));
    for (const key of Object.keys(auto)) byId(`auto-${key}`).checked = auto[key];
    for (const id of ["language", "setup-language"]) byId(id).textContent = words.other;
    byId("clock").value = String(settings.clock);
    byId("coach-limit").value = String(settings.coach);
    byId("coach-label").hidden = !game.is_standard;
    for (const key of ["hints", "figures", "confirm", "sound", "motion"]) byId(key).checked = settings[key];
    byId("pace").value = String(settings.pace);
    document.body.classList.toggle("still", !settings.motion);
    byId("undo").hidden = !frame || !game.practice;
    byId("undo").disabled = Play.isBusy || !game.can_undo;
    byId("new").disabled = Play.isBusy;
  }

  function renderTable() {
    const {frame, game, words} = Play, {event, position} = frame;
    const board = MjTable.draw(byId("table"), position, {
      seat: game.seat, open: Play.isOver, names: Play.names, scores: Play.isOver ? event.scores : null, words,
    });
    byId("table").classList.toggle("fresh", frame !== lastDrawn);
    // The own hand lies below the table, larger.
    if (!Play.isOver) board.querySelector(`.mj-side[data-seat="${game.seat}"] .mj-hand`).remove();
    board.setAttribute("aria-hidden", "true");  // renderText says it
    const shout = Play.say.callouts[event.kind === "END" ? event.verdict : event.kind];
    const callout = byId("callout");
    callout.textContent = shout || "";
    callout.hidden = !shout;
    callout.className = shout ? "from-" + (event.seat - game.seat + 4) % 4 : "";
  }

  // The table for those who do not see it.
  function renderText() {
    const {words, names, game} = Play, list = tiles => tiles.map(words.tile).join(", ") || "–";
    const isSeen = index => Play.isOver || index === game.seat;
    const {seats} = Play.frame.position;
    byId("described").replaceChildren(...seats.map((seat, index) => make("p", "", Play.say.described(
      `${words.seats[index]}, ${names[index]}`, seat.hand && isSeen(index) ? list(seat.hand) : null,
      seat.melds.map(meld => list(meld.tiles)).join("; "), list(seat.river.map(discard => discard.tile))))));
  }

  function renderMessage() {
    const {say} = Play, {event} = Play.frame;
    const nodes = Panels.event(event, Play.words).flatMap(node => [node, " "]);
    if (!Play.isBusy && !Play.isOver) {
      const isTurn = event.kind === "DRAW" && event.seat === Play.game.seat;
      const question = Play.opening ? say.then : isTurn ? say.discard : event.kind === "BUGANG" ? say.rob : say.claim;
      if (isTurn) nodes.length = 0;
      nodes.push(make("b", "question", Play.touched === null ? question : say.tap));
    }
    byId("message").replaceChildren(...nodes);
  }

  function renderActions() {
    const buttons = Play.isBusy ? [] : Choices.listActions();
    byId("actions").replaceChildren(...buttons.map(([text, tiles, run, kind, action]) => {
      const isBest = Advice.isChosen(action), figure = Advice.figureOf(action);
      const element = button(kind + (isBest ? " best" : ""), run, make("span", "", text),
        ...tiles.map(name => MjTable.icon(name, 22)), figure && make("small", "", figure));
      element.dataset.action = action;
      if (isBest) element.title = Play.say.best;
      return element;
    }));
  }

  function renderHand() {
    const {words, touched} = Play, tiles = Play.isOver ? [] : Choices.listHand();
    const melds = Play.isOver ? [] : Play.own.melds.map(meld =>
      make("span", "meld", ...meld.tiles.map(name => MjTable.icon(name, 60))));
    byId("hand").replaceChildren(...tiles.map(([name, isDrawn, text], index) => {
      const tile = button("tile", event => {
        // A finger may slip: it taps twice. The keyboard's clicks have no detail.
        if (Play.settings.confirm && event.detail && Keys.pointer !== "mouse" && touched !== index) {
          Play.touched = index;
          render();
        } else {
          Requests.actChecked(text);
        }
      }, MjTable.icon(name, 60));
      tile.dataset.tile = name;
      tile.setAttribute("aria-label", [words.tile(name), isDrawn && Play.say.drawnTile].filter(Boolean).join(", "));
      tile.disabled = !text;
      if (isDrawn) tile.classList.add("drawn");
      if (touched === index) tile.classList.add("touched");
      if (isDrawn && Play.frame !== lastDrawn) tile.classList.add("fresh");
      if (Play.hint && text) Advice.markTile(tile, name, text);
      return tile;
    }), ...melds);
    Keys.restore();
  }

  function renderEnding() {
    const {game, frame, say, words} = Play;
    fillCard("ending", !Play.isOver ? null : [...Panels.ending(frame.event, frame.position, game.fan_names, words),
      Panels.table([words.player, words.score, ...(game.recorded ? [say.recorded] : [])], Play.names.map((name, seat) =>
        [[`${words.seats[seat]} · ${name}`, Panels.signed(frame.event.scores[seat]),
          ...(game.recorded ? [Panels.signed(game.recorded[seat])] : [])], seat === game.seat ? "total" : ""])),
      ...(game.coach.stops ? [make("p", "", say.coached(game.coach))] : []),
      make("p", "soft small", [game.saved ? fill(say.saved, game.saved) : say.lost,
        game.seed === null ? "" : fill(say.wall, game.seed)].join(" "))]);
    Fans.mark(byId("ending"), game.fan_names, words);
  }

  // The waits of the hand now, or after the discards that make it ready with the most tiles.
  function renderWaits() {
    const {game, opening, say, words} = Play;
    const shown = Object.entries(Play.isBusy || game.match.counts_fans ? {} : game.waits).filter(([text]) =>
      opening ? text.startsWith(opening + " ") : /^(PLAY|PASS)/.test(text));
    const count = waits => waits.reduce((sum, wait) => sum + wait[1], 0);
    shown.sort(([, waits], [, others]) => count(others) - count(waits));
    // The table leaves room for the second and third line.
    const lines = Math.min(MOST_WAITS, shown.length);
    document.querySelector("main").style.setProperty("--waits", `${Math.max(0, lines - 1) * WAIT_HEIGHT}px`);
    byId("waits").replaceChildren(...shown.slice(0, MOST_WAITS).map(([text, waits]) => {
      const discard = text === "PASS" ? [] : [say.after, MjTable.icon(text.split(" ").at(-1), 22)];
      const line = make("p", "useful", ...discard, waits.length ? say.waits : words.noWin);
      for (const [name, copies, fan, isSelfDrawn] of waits) {
        line.append(make("span", "", MjTable.icon(name, 22), [`×${copies}`, fan && `${fan} ${words.fan}`,
          isSelfDrawn && words.selfDrawOnly].filter(Boolean).join(" ")));
      }
      return line;
    }));
  }

  // The rules in force, where they are not the same in each match.
  function renderRules() {
    const {game, words} = Play;
    byId("rules").hidden = !game.rules.length;
    const lines = game.rules.map(([name, value]) => Object.hasOwn(words.rules, name) && words.rules[name](value));
    byId("rules-list").replaceChildren(...lines.filter(Boolean).map(text => make("li", "", text)));
  }

  // The match so far: the person, then the opponents from the next one on; a row a game.
  function renderScores() {
    const {say, words} = Play, {games, rows, opponents, placing} = Play.game.match;
    byId("scores").hidden = games < 2 || !Play.frame;
    const sums = [0, 1, 2, 3].map(player => rows.reduce((sum, scores) => sum + scores[player], 0));
    const line = scores => scores.map(Panels.signed);
    const standard = rows.length === games ? say.standard : say.standardNow;
    byId("scores").replaceChildren(make("h2", "", say.total), Panels.table(
      ["", say.you, ...opponents.map((name, index) => `${say.places[index]} ${name}`)],
      [...rows.map((scores, index) => [[String(index + 1), ...line(scores)], ""]),
        [[words.all, ...line(sums)], "total"],
        ...(placing ? [[[standard, ...placing.map(roundPoints)], "total"]] : [])]));
  }

  // Standard points as text: players with equal scores share them.
  const roundPoints = points => String(Math.round(100 * points) / 100);

  function renderLog() {
    const {game, words} = Play;
    byId("log-title").textContent = words.events;
    // While frames are shown, the events after the shown one are not shown yet.
    const later = game.frames.length - 1 - game.frames.indexOf(Play.frame);
    const happened = game.events.slice(0, game.events.length - (later < game.frames.length ? later : 0));
    const isTold = event => !["SEAT", "DRAW"].includes(event.kind) ||
      (event.kind === "DRAW" && event.seat === game.seat);
    const log = byId("log");
    log.replaceChildren(...happened.filter(isTold).map(event =>
      make("li", "", ...Panels.event(event, words, 16).flatMap(node => [node, " "]))));
    log.scrollTop = log.scrollHeight;
  }

  return {notice, isSilent, render};
})();
