// Steps through a game: what pages.py puts into the element #game.
"use strict";

(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const byId = id => document.getElementById(id);
  const {make} = Panels;

  // A copy of a value with one place changed; what is not on the path is shared.
  function setAt(value, path, part) {
    if (!path.length) return part;
    const copy = Array.isArray(value) ? value.slice() : {...value};
    copy[path[0]] = setAt(copy[path[0]], path.slice(1), part);
    return copy;
  }

  const positions = [];
  for (const frame of game.frames) {
    positions.push(frame.set.reduce((position, [path, part]) => setAt(position, path, part), positions.at(-1) || null));
  }
  const events = game.frames.map(frame => frame.event);
  const lastFrame = positions.length - 1;
  const end = events.length && events.at(-1).kind === "END" ? events.at(-1) : null;
  const claims = events.flatMap((event, index) => event.claimed ? [index] : []);
  // The discard or added kong that was won on stands in the frame before the end.
  const dealIns = end && end.verdict === "HU" && end.from !== null ? [lastFrame - 1] : [];

  const shown = {frame: 0, seat: game.seat, open: true, language: "en"};
  if ((navigator.language || "").startsWith("zh")) shown.language = "zh";
  const hash = new URLSearchParams(location.hash.slice(1));
  if (hash.has("seat")) shown.seat = Number(hash.get("seat")) % 4;
  if (hash.has("frame")) shown.frame = Number(hash.get("frame"));
  if (WORDS[hash.get("language")]) shown.language = hash.get("language");

  const review = () => game.reviews[shown.seat];
  const decisionAt = frame => review() && review().decisions.find(decision => decision.frame === frame);
  const places = {
    decision: () => game.decisions[shown.seat],
    claim: () => claims,
    dealIn: () => dealIns,
    mistake: () => review() ? review().decisions.filter(decision => ["kind", "other"].includes(decision.agreement))
      .filter(decision => decision.loss !== 0).map(decision => decision.frame) : [],
  };

  function show(frame) {
    shown.frame = Math.max(0, Math.min(lastFrame, Math.round(frame) || 0));
    render();
  }

  function jump(kind, direction) {
    const found = places[kind]();
    const next = direction > 0 ? found.find(frame => frame > shown.frame) : found.findLast(frame => frame < shown.frame);
    if (next !== undefined) show(next);
  }

  function button(text, title, onClick) {
    const made = make("button", "", text);
    made.type = "button";
    made.title = title;
    made.addEventListener("click", onClick);
    return made;
  }

  function renderHeader(words) {
    const wind = positions.length ? positions.at(-1).wind : null;
    const title = [game.name, wind === null ? "" : fill(words.round, "东南西北"[wind])].filter(Boolean);
    if (shown.language === "en" && wind !== null) title[title.length - 1] = fill(words.round, words.seats[wind]);
    byId("title").textContent = title.join(" · ");
    byId("seats").replaceChildren(...words.seats.map((name, seat) => {
      const made = button(name, game.players[seat], () => { shown.seat = seat; render(); });
      made.setAttribute("aria-pressed", seat === shown.seat);
      return made;
    }));
    byId("open").textContent = shown.open ? words.open : words.one;
    byId("open").setAttribute("aria-pressed", shown.open);
    byId("open").hidden = game.seats.length < 2;
    byId("language").textContent = words.other;
    document.documentElement.lang = shown.language;
  }

  function renderControls(words) {
    const controls = [
      button("|◀", words.first, () => show(0)), button("◀", words.previous, () => show(shown.frame - 1)),
      button("▶", words.next, () => show(shown.frame + 1)), button("▶|", words.last, () => show(lastFrame)),
    ];
    for (const kind of ["decision", "claim", "dealIn", "mistake"]) {
      const found = places[kind]();
      if (!found.length) continue;
      const back = button("‹", `${words.previous}: ${words.steps[kind]}`, () => jump(kind, -1));
      const on = button(`${words.steps[kind]} ›`, `${words.next}: ${words.steps[kind]}`, () => jump(kind, 1));
      back.disabled = found[0] >= shown.frame;
      on.disabled = found.at(-1) <= shown.frame;
      controls.push(make("span", "jump", back, on));
    }
    byId("steps").replaceChildren(...controls);
    byId("slider").max = lastFrame;
    byId("slider").value = shown.frame;
  }

  const GRAPH = {width: 1000, height: 46, ground: 40};
  const at = frame => 8 + (GRAPH.width - 16) * frame / Math.max(1, lastFrame);
  let cursor = null;

  // How good each decision was: the loss as a bar, agreement as a dot on the ground, shanten as a line.
  function renderGraph(words) {
    const decisions = review() ? review().decisions : [];
    byId("graph").hidden = !decisions.length;
    if (!decisions.length) return;
    const {element} = MjTable, {width, height, ground} = GRAPH;
    const most = Math.max(1e-9, ...decisions.map(decision => decision.loss || 0));
    const graph = element("svg", {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none"},
      element("title", {}, words.graph));
    const highest = Math.max(1, ...decisions.map(decision => decision.shanten));
    graph.append(element("polyline", {fill: "none", stroke: "var(--soft)", "stroke-opacity": .55, "stroke-width": 1.2,
      "vector-effect": "non-scaling-stroke", points: decisions.map(decision => `${at(decision.frame)},` +
        `${ground - 30 * Math.max(0, decision.shanten) / highest}`).join(" ")}));
    for (const decision of decisions) {
      const x = at(decision.frame);
      if (decision.agreement === "same" || decision.agreement === null || decision.loss === 0) {
        graph.append(element("rect", {x: x - 2.5, y: ground - 3, width: 5, height: 5, fill: "var(--good)"}));
      } else {
        const size = decision.loss === null ? 1 : Math.sqrt(decision.loss / most);
        graph.append(element("rect", {x: x - 3, y: ground + 2 - 38 * size, width: 6, height: 38 * size + .5,
          fill: size > .6 ? "var(--bad)" : "var(--warn)"}));
      }
    }
    cursor = element("rect", {y: 0, width: 2, height, fill: "var(--ink)"});
    graph.append(cursor);
    graph.addEventListener("click", event => {
      const box = graph.getBoundingClientRect();
      const frame = ((event.clientX - box.left) / box.width * width - 8) / (width - 16) * lastFrame;
      const near = decisions.reduce((best, decision) =>
        Math.abs(decision.frame - frame) < Math.abs(best - frame) ? decision.frame : best, Infinity);
      show(Math.abs(near - frame) < lastFrame / 60 ? near : frame);
    });
    byId("graph").replaceChildren(graph);
  }

  function fillCard(id, children) {
    byId(id).hidden = !children;
    byId(id).replaceChildren(...(children || []));
  }

  function renderLog(words) {
    byId("log-title").textContent = words.log;
    byId("log").replaceChildren(...events.map((event, frame) => {
      const link = button("", "", () => show(frame));
      link.className = "link";
      link.append(make("span", "at", "#" + frame), ...Panels.event(event, words, 16));
      return make("li", "", link);
    }));
  }

  let scroll = 0;
  function markLog() {
    const log = byId("log");
    for (const current of log.querySelectorAll(".current")) current.classList.remove("current");
    const link = log.children[shown.frame].firstChild;
    link.classList.add("current");
    // Where it lies is asked for once a painted frame, however many events pass in between.
    cancelAnimationFrame(scroll);
    scroll = requestAnimationFrame(() => {
      log.scrollTop = link.offsetTop - log.offsetTop - log.clientHeight / 2;
    });
  }

  function renderError(words) {
    byId("error").hidden = !game.error;
    if (game.error) byId("error").textContent = `${words.breaks}: ${game.error}`;
  }

  // What does not change from event to event is made anew only for another seat or language.
  let drawn = "";
  function renderFrame(words) {
    const key = `${shown.seat} ${shown.language} ${shown.open}`;
    if (key === drawn) return;
    drawn = key;
    renderHeader(words);
    byId("error").hidden = !game.error;
    if (game.error) byId("error").textContent = `${words.breaks}: ${game.error}`;
    byId("stage").hidden = byId("log-card").hidden = !positions.length;
    if (!positions.length) return;
    renderGraph(words);
    renderLog(words);
    fillCard("mistakes", review() ? Panels.mistakes(review(), words, show) : null);
    fillCard("summary", review() ? Panels.summary(review(), game.tactic, words) : null);
    const keys = ["← →", "Home End", "D", "C", "X", "M", "1-4", "O", "L"];
    byId("keys").replaceChildren(...words.keys.split("%s").flatMap((part, index) =>
      index ? [make("kbd", "", keys[index - 1]), part] : [part]));
  }

  function render() {
    const words = WORDS[shown.language];
    renderFrame(words);
    const position = positions[shown.frame];
    if (!position) return;
    const event = events[shown.frame];
    MjTable.draw(byId("table"), position, {
      seat: shown.seat, open: shown.open, names: game.players, words: MjTable.WORDS[shown.language],
      scores: event.kind === "END" ? event.scores : null,
      reveal: event.kind === "END" && event.verdict === "HU" ? event.seat : null,
    });
    const notes = game.notes.filter(note => note.frame === shown.frame)
      .map(note => make("span", "note small", `${words.seats[note.seat]}: ${words.note}: ${note.text}`));
    byId("event").replaceChildren(...Panels.event(event, words), ...notes,
      make("span", "count", fill(words.frame, shown.frame, lastFrame)));
    renderControls(words);
    if (cursor) cursor.setAttribute("x", at(shown.frame) - 1);
    fillCard("ending", event.kind === "END" ? Panels.ending(game, event, position, words) : null);
    const decision = decisionAt(shown.frame);
    fillCard("decision", decision ? Panels.decision(decision, review(), game.tactic, words) : null);
    markLog();
    rememberPlace();
  }

  // The address leads back to this event; browsers refuse to be asked too often.
  let remember = 0;
  function rememberPlace() {
    clearTimeout(remember);
    remember = setTimeout(() => history.replaceState(null, "", `#seat=${shown.seat}&frame=${shown.frame}`), 250);
  }

  const toggles = {
    open: () => { shown.open = !shown.open; render(); },
    language: () => { shown.language = shown.language === "en" ? "zh" : "en"; render(); },
  };
  byId("open").addEventListener("click", toggles.open);
  byId("language").addEventListener("click", toggles.language);
  byId("slider").addEventListener("input", event => show(Number(event.target.value)));
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = event.shiftKey ? -1 : 1;
    const keys = {
      ArrowLeft: () => show(shown.frame - 1), ArrowRight: () => show(shown.frame + 1), Home: () => show(0),
      End: () => show(lastFrame), d: () => jump("decision", direction), c: () => jump("claim", direction),
      x: () => jump("dealIn", direction), m: () => jump("mistake", direction), o: toggles.open, l: toggles.language,
    };
    if (/^[1-4]$/.test(event.key)) {
      shown.seat = Number(event.key) - 1;
      render();
    } else {
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      act();
    }
    event.preventDefault();
  });
  show(shown.frame);
})();
