// Questions from the mistakes of all games: the server has the positions, keeps the answers, and knows what comes back.
"use strict";

(async () => {
  const {make, byId, button, fillCard} = Panels;
  const shown = {language: findLanguage(Kept.readSettings().language), place: 0, score: null, isLoaded: false};
  const hash = new URLSearchParams(location.hash.slice(1));
  const wanted = {player: hash.get("player") ?? Me.name(), leak: "", grade: "", state: "", judge: "agreed"};
  let set = {positions: [], players: [], player: "", is_sample: false}, questions = [];

  async function ask(address, options = {}) {
    try {
      const response = await fetch(address, {...options, headers: {"Accept-Language": shown.language, ...options.headers}});
      const answer = await response.json();
      byId("notice").hidden = response.ok;
      if (response.ok) return answer;
      byId("notice").textContent = answer.message;
    } catch {
      byId("notice").hidden = false;
      byId("notice").textContent = WORDS[shown.language].play.silent;
    }
    return null;
  }

  async function load() {
    const answer = await ask("learn/set?" + new URLSearchParams(wanted));
    if (!answer) return;
    set = answer;
    shown.isLoaded = true;
    shown.score = answer.score;
    shown.place = 0;
    wanted.player = set.player;
    questions = set.positions.map(() => Learning.begin());
    render();
  }

  const current = () => set.positions[shown.place];
  const question = () => questions[shown.place];

  // The answer is kept when it is over; the score comes back.
  async function keep() {
    const {key, seat, frame, decision} = current();
    render();
    Learning.moveFocus(byId("quiz"), 0);
    const answer = await ask("learn/answer", {method: "POST", headers: {"Content-Type": "application/json"},
      body: JSON.stringify({key, seat, frame, right: Learning.isRight(decision, question())})});
    if (answer) shown.score = answer.score;
    renderScore(WORDS[shown.language]);
  }

  function choose(text) {
    if (!current() || !Learning.answer(current().decision, question(), text)) return;
    if (question().isOver) {
      keep();
    } else {
      render();
      Learning.moveFocus(byId("quiz"), 0);
    }
  }

  function go() {
    shown.place += 1;
    render();
    Learning.moveFocus(byId("quiz"), 0);
  }

  function renderQuiz(words) {
    const made = current() && current().decision, said = words.learn;
    if (!made) {
      const text = !set.positions.length ? said.empty : said.setOver;
      return [make("h2", "", text), set.positions.length ? button("main next", load, said.another) : null].filter(Boolean);
    }
    const act = {choose, give: () => { question().isOver = true; keep(); }, compare: text => { question().compared = text; render(); }};
    const card = [make("p", "soft small note-line", [fill(said.place, shown.place + 1, set.positions.length), current().is_due ? said.back : "",
      set.is_sample ? said.sample : ""].filter(Boolean).join(" · ")), ...Learning.card(made, question(), current().unit, act, words)];
    if (question().isOver) card.push(button("main next", go, said.next));
    return card;
  }

  function renderScore(words) {
    const said = words.learn.scores, {score} = shown;
    fillCard("score", score && ["row", "best", "today", "days", "due"].map(name => make("span", "", make("b", "", String(score[name])), said[name]))
      .concat(make("p", "soft small note-line", words.learn.all(score.right, score.answered))));
  }

  function renderFilters(words) {
    const choices = {player: set.players.map(name => [name, Panels.player(name, words)]), ...Learning.options(words)};
    // The sample games have mistakes alone on which the judges agree; a disputed one has no severity.
    if (set.is_sample) delete choices.judge;
    const isDisputed = !set.is_sample && wanted.judge === "disputed";
    if (isDisputed) delete choices.grade;
    byId("filters").replaceChildren(make("div", "filters", ...Object.entries(choices).map(([name, values]) => values.length > 1 || wanted[name] ?
      Learning.filter(name, values, wanted[name], value => {
        wanted[name] = value;
        if (name === "judge" && value === "disputed") wanted.grade = "";
        load();
      }, words) : null)), isDisputed ? make("p", "soft small", words.learn.noGrade) : "");
    byId("filters").querySelector("[name=player] option[value='']")?.remove();
  }

  const render = () => Panels.redraw(() => {
    const words = WORDS[shown.language], one = current(), isOver = one && question().isOver;
    document.documentElement.lang = shown.language;
    byId("title").textContent = document.title = words.learn.start;
    byId("language").textContent = words.other;
    byId("back").textContent = "← " + words.review.back.table;
    byId("back").href = `./#language=${shown.language}`;
    byId("stage").hidden = !one;
    byId("game").hidden = !isOver || set.is_sample;
    byId("game").textContent = words.learn.whole;
    if (one) {
      const compared = isOver ? Learning.compared(one.decision, question()) : null;
      const judged = compared === null ? one.decision : Learning.suppose(one.decision, compared);
      MjTable.draw(byId("table"), one.position, {seat: one.seat, open: false, names: ["", "", "", ""], words,
        marks: isOver ? Panels.tableMarks(judged, one.unit, one.seat, false) : null});
      byId("event").replaceChildren(...Panels.event(one.event, words));
      byId("game").href = `past/${one.key}#language=${shown.language}&seat=${one.seat}&frame=${one.frame}`;
      const share = make("div", "share", make("span", "soft small", words.learn.share), button("", () => Learning.savePicture(one.position, one.seat, words), words.learn.picture));
      fillCard("decision", isOver ? [...Panels.decision(judged, one.judges, one.unit, set.fan_names, words,
        judged === one.decision ? words.review.played : words.learn.you), share] : null);
    } else {
      fillCard("decision", null);
    }
    if (one) Fans.mark(byId("decision"), set.fan_names, words);
    fillCard("quiz", shown.isLoaded ? renderQuiz(words) : null);
    renderScore(words);
    byId("filters").hidden = !shown.isLoaded;
    renderFilters(words);
    history.replaceState(null, "", `#language=${shown.language}${wanted.player ? `&player=${encodeURIComponent(wanted.player)}` : ""}`);
  });

  function turnLanguage() {
    shown.language = shown.language === "en" ? "zh" : "en";
    Kept.write("play", JSON.stringify({...Kept.readSettings(), language: shown.language}));
    render();
  }

  byId("language").addEventListener("click", turnLanguage);
  byId("table").addEventListener("click", event => {
    const tile = event.target.closest(".mj-hand .mj-tile[data-tile]");
    if (tile && current() && Number(tile.dataset.seat) === current().seat) choose("PLAY " + tile.dataset.tile);
  });
  document.addEventListener("keydown", event => {
    if (event.target.closest("input, select") || event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = {ArrowDown: () => Learning.moveFocus(byId("quiz"), 1), ArrowUp: () => Learning.moveFocus(byId("quiz"), -1), l: turnLanguage};
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });
  render();
  await load();
})();
