// Questions from the mistakes of all games: the server has the positions, keeps the answers, and knows what comes back.
// In the other mode hands are scored.
"use strict";

(async () => {
  const {make, byId, button, note, fillCard} = Panels, address = Address.read();
  const SCORES = ["row", "best", "today", "days", "due"];
  // The names of the reader: the one of the table, and the one that the browser keeps.
  const OWN = [...new Set(["person", Me.name()])].filter(Boolean);
  // set: of the server, the positions and their players. questions: of Learning, one for each position. asked: of
  // Scoring, null in the mode of positions.
  const view = {
    language: findLanguage(Kept.readSettings().language), index: 0, score: null, isLoaded: false,
    set: {positions: [], players: [], player: "", is_sample: false}, questions: [],
    asked: null, wanted: {player: address.player ?? OWN.join("\n"), leak: "", grade: "", state: "", sureness: ""},
  };

  async function ask(path, options = {}) {
    try {
      const response = await fetch(path, {...options, headers: {"Accept-Language": view.language, ...options.headers}});
      const answer = await response.json();
      byId("notice").hidden = response.ok;
      if (response.ok) return answer;
      byId("notice").textContent = answer.message;
    } catch {
      byId("notice").hidden = false;
      byId("notice").textContent = WORDS[view.language].play.silent;
    }
    return null;
  }

  async function load() {
    const answer = await ask("learn/set?" + new URLSearchParams(view.wanted));
    if (!answer) return;
    Object.assign(view, {set: answer, isLoaded: true, score: answer.score, index: 0,
      questions: answer.positions.map(() => Learning.begin())});
    view.wanted.player = answer.player;
    render();
  }

  const current = () => view.set.positions[view.index];
  const question = () => view.questions[view.index];

  function renderAndFocus() {
    render();
    Questions.moveFocus(byId("quiz"), 0);
  }

  // The answer is kept when it is over; the score comes back.
  async function keep() {
    const {key, seat, frame, decision} = current();
    renderAndFocus();
    const answer = await ask("learn/answer", {method: "POST", headers: {"Content-Type": "application/json"},
      body: JSON.stringify({key, seat, frame, right: Learning.isRight(decision, question())})});
    if (answer) view.score = answer.score;
    renderScore(WORDS[view.language]);
  }

  function choose(text) {
    if (!current() || !Learning.answer(current().decision, question(), text)) return;
    if (question().isOver) keep(); else renderAndFocus();
  }

  function goOn() {
    view.index += 1;
    renderAndFocus();
  }

  function renderQuiz(words) {
    const {learn} = words, {positions, is_sample: isSample} = view.set, position = current();
    if (!position) {
      return positions.length ? [make("h2", "", learn.setOver), button("main next", load, learn.another)] :
        [make("h2", "", learn.empty)];
    }
    const title = [fill(learn.place, view.index + 1, positions.length), position.is_due ? learn.back : "",
      isSample ? learn.sample : ""];
    const act = {choose, give: () => { question().isOver = true; keep(); },
      compare: text => { question().compared = text; render(); }};
    return [note(title.filter(Boolean).join(" · ")),
      ...Questions.card(position.decision, question(), position.unit, act, words),
      question().isOver ? button("main next", goOn, learn.next) : null];
  }

  function renderScore(words) {
    const {scores, all} = words.learn, {score} = view;
    fillCard("score", score && [
      ...SCORES.map(name => make("span", "", make("b", "", String(score[name])), scores[name])),
      note(all(score.right, score.answered))]);
  }

  function renderFilters(words) {
    const {set, wanted} = view, own = OWN.filter(name => set.players.includes(name));
    const names = set.players.map(name => [name, Panels.player(name, words)]);
    if (own.length > 1) names.unshift([own.join("\n"), words.learn.own]);
    const choices = {player: names, ...Questions.options(words)};
    const filters = Object.entries(choices).filter(([name, values]) => values.length > 1 || wanted[name]);
    byId("filters").hidden = !view.isLoaded;
    byId("filters").replaceChildren(make("div", "filters", ...filters.map(([name, values]) =>
      Questions.filter(name, values, wanted[name], value => {
        wanted[name] = value;
        load();
      }, words))));
  }

  function renderLinks(words) {
    byId("back").textContent = "← " + words.review.back.table;
    byId("back").href = `./#${Address.format({language: view.language})}`;
    byId("daily").textContent = words.learn.daily;
    byId("daily").href = `learn/daily#${Address.format({language: view.language})}`;
    byId("mode").textContent = words.learn.scoring[view.asked ? "stop" : "start"];
  }

  // The next hand to score, that of a seed or any.
  async function askWin(seed = Math.floor(Math.random() * 2 ** 31)) {
    const win = await ask(`learn/score?seed=${seed}`);
    if (win) view.asked = Scoring.begin(seed, win);
    render();
    byId("scoring").querySelector("input")?.focus();
  }

  function turnMode() {
    if (!view.asked) return askWin();
    view.asked = null;
    render();
    return view.isLoaded ? null : load();
  }

  function renderScoring(words) {
    document.querySelector("main").hidden = Boolean(view.asked);
    fillCard("scoring", view.asked && Scoring.card(view.asked, {on: askWin, render: () => {
      render();
      byId("scoring").querySelector(".next").focus();
    }}, words));
  }

  // The table of a position, and when its question is over the panel of its decision.
  function renderPosition(words) {
    const position = current(), isOver = Boolean(position) && question().isOver;
    byId("stage").hidden = !position;
    byId("game").hidden = !isOver || view.set.is_sample;
    byId("game").textContent = words.learn.whole;
    if (!position) return fillCard("decision", null);
    const {decision, unit, seat, frame, key} = position;
    const page = Panels.link("button", `learn/page?${new URLSearchParams({key, seat, frame})}`, words.learn.page);
    page.download = "position.html";
    const judged = isOver ? Learning.suppose(decision, Learning.compared(decision, question())) : decision;
    MjTable.draw(byId("table"), position.position, {seat, open: false, names: ["", "", "", ""], words,
      marks: isOver ? Panels.tableMarks(judged, unit, seat, false) : null});
    byId("event").replaceChildren(...Panels.event(position.event, words));
    byId("game").href = `past/${key}#${Address.format({language: view.language, seat, frame})}`;
    const label = judged === decision ? words.review.played : words.learn.you;
    const share = () => make("div", "share", make("span", "soft small", words.learn.share),
      button("", () => Questions.savePicture(position.position, seat, words), words.learn.picture), page);
    fillCard("decision", isOver ?
      [...Panels.decision(judged, position.judges, unit, view.set.fan_names, words, label), share()] : null);
    return Fans.mark(byId("decision"), view.set.fan_names, words);
  }

  const render = () => Panels.redraw(() => {
    const words = Head.draw(view, ({learn}) => view.asked ? learn.scoring.start : learn.start);
    renderLinks(words);
    renderPosition(words);
    fillCard("quiz", view.isLoaded ? renderQuiz(words) : null);
    renderScore(words);
    renderFilters(words);
    renderScoring(words);
    Address.write(view.asked ? {language: view.language, win: view.asked.seed} :
      {language: view.language, player: view.wanted.player});
  });

  const KEYS = {arrowdown: () => Questions.moveFocus(byId("quiz"), 1),
    arrowup: () => Questions.moveFocus(byId("quiz"), -1),
    l: () => byId("language").click()};
  Head.listen(view, render);
  byId("mode").addEventListener("click", turnMode);
  byId("table").addEventListener("click", event => {
    const tile = event.target.closest(".mj-hand .mj-tile[data-tile]");
    if (tile && current() && Number(tile.dataset.seat) === current().seat) choose("PLAY " + tile.dataset.tile);
  });
  document.addEventListener("keydown", event => {
    if (event.target.closest("input, select") || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (!Object.hasOwn(KEYS, key)) return;
    KEYS[key]();
    event.preventDefault();
  });
  render();
  await (address.win === null ? load() : askWin(address.win));
})();
