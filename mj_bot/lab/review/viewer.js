// Steps through a game: what pages.py puts into the element #data.
"use strict";

(async () => {
  const game = await Panels.readData();
  const {make, byId, fillCard} = Panels;
  MjTable.mark(game.marked || []);

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
  // The frame before the end has the discard or added kong that was won on.
  const dealIns = end && end.verdict === "HU" && end.from !== null ? [lastFrame - 1] : [];

  const shown = {frame: game.frame, seat: game.seat, open: true, steps: false, command: false, danger: false, speed: 1, language: findLanguage()};
  // An error of the record in the language of the page.
  const told = error => (game.said[shown.language] || {})[error] || error;
  const hash = new URLSearchParams(location.hash.slice(1));
  if (hash.has("frame")) shown.frame = Number(hash.get("frame"));

  const review = () => game.reviews[shown.seat];
  const decisionAt = frame => review() && review().decisions.find(decision => decision.frame === frame);
  const mistakesOf = seat => game.reviews[seat] ? game.reviews[seat].mistakes.map(index =>
    game.reviews[seat].decisions[index]) : [];
  const disputedOf = seat => game.reviews[seat] ? (game.reviews[seat].disputed || []).map(index => game.reviews[seat].decisions[index]) : [];
  const names = game.judges || [game.tactic];
  const unit = Object.values(game.reviews).map(one => one.unit).find(Boolean) || "";
  const hasLoss = unit !== "", hasPoints = unit === "points";
  const places = {
    decision: () => game.decisions[shown.seat],
    claim: () => claims,
    dealIn: () => dealIns,
    mistake: () => mistakesOf(shown.seat).map(decision => decision.frame).sort((a, b) => a - b),
  };

  function show(frame) {
    shown.frame = Math.max(0, Math.min(limit(), Math.round(frame) || 0));
    render();
  }

  // A seat at its worst mistake, else at its last decision.
  function openSeat(seat) {
    shown.seat = seat;
    const [worst] = mistakesOf(seat);
    shown.frame = worst ? worst.frame : review() && game.decisions[seat].length ? game.decisions[seat].at(-1) : 0;
  }

  function openFirst() {
    if (/^[0-3]$/.test(hash.get("seat"))) {
      shown.seat = Number(hash.get("seat"));
      return;
    }
    const player = hash.get("player") || (game.player ? "" : Me.name()), seat = game.players.indexOf(player);
    if (player && seat >= 0) openSeat(seat);
  }

  function jump(kind, direction) {
    const found = places[kind]();
    const next = direction > 0 ? found.find(frame => frame > shown.frame) : found.findLast(frame => frame < shown.frame);
    if (next !== undefined) show(next);
  }

  // Learning: until a mistake's answer is found or shown, nothing gives it away: result, curve, marks, losses, the events
  // after it. questions: of each seat {frame: question of Learning}. The address brings the filters, the score of the games
  // before, as Learning.score has it, and of a run that the index began the games to come, see Panels.linkRun. A link
  // with "ask", and a page of one position, ask for the decision of their frame alone.
  const earlier = (hash.get("learn") || "").split("_").map(Number), questions = [{}, {}, {}, {}];
  const run = hash.has("run") ? hash.get("run").split("_").filter(place => /^(game-\d+\.html|open-\d+-\d+)\.[0-3]$/.test(place)) : null;
  const wanted = Object.fromEntries(["leak", "grade", "state", "judge"].map((name, place) => [name, (hash.get("only") || "---agreed").split("-")[place] || ""]));
  const isAsked = Boolean(game.ask) || hash.has("ask"), asked = shown.frame;
  let isLearning = hash.has("learn") || isAsked;
  const questionOf = made => questions[shown.seat][made.frame] ||= Learning.begin();

  // The decisions of a seat that are asked for, in their order.
  function listAsked(seat) {
    if (isAsked) return (game.reviews[seat] ? game.reviews[seat].decisions : []).filter(made => made.frame === asked);
    return [...mistakesOf(seat), ...disputedOf(seat).filter(made => made.chosen !== made.logged)]
      .filter(made => Learning.fits(made, wanted)).sort((a, b) => a.frame - b.frame);
  }

  // The frame of the first open question, null where there is none: nothing after it is shown.
  function findOpen() {
    const open = isLearning ? listAsked(shown.seat).find(made => !questionOf(made).isOver) : undefined;
    return open ? open.frame : null;
  }

  const limit = () => findOpen() ?? lastFrame;
  const isHidden = decision => Boolean(decision) && isLearning && decision.frame === findOpen();
  const countScore = seat => Learning.score(listAsked(seat).map(made => [made, questions[seat][made.frame]]));
  // The last number goes on from the games before where all answers here were right at once.
  const scoreBefore = () => countScore(shown.seat).map((number, place, own) =>
    number + ((place < 5 || own[5] === own[0]) && earlier[place] || 0));
  const learnLink = () => isLearning && !isAsked ? Panels.linkScore(scoreBefore()) + Panels.linkFilters(wanted) : "";

  function learn() {
    if (isAsked) return;
    isLearning = !isLearning;
    shown.open = !isLearning;
    if (timer) stop();
    show(isLearning ? findOpen() ?? shown.frame : shown.frame);
  }

  function choose(action) {
    const decision = decisionAt(shown.frame);
    if (!isHidden(decision) || !Learning.answer(decision, questionOf(decision), action)) return;
    render();
    Learning.moveFocus(byId("quiz"), 0);
  }

  function renderQuiz(decision, words) {
    if (!isLearning) return null;
    const said = words.learn, open = findOpen(), made = decision && listAsked(shown.seat).includes(decision) ? decision : null;
    const act = {
      choose, give: () => { questionOf(made).isOver = true; render(); Learning.moveFocus(byId("quiz"), 0); },
      compare: choice => { questionOf(made).compared = choice; render(); },
    };
    const card = made ? Learning.card(made, questionOf(made), unit, act, words) : [];
    if (open === null && !isAsked) card.push(make("h2", "", said.over));
    if (!isAsked) {
      card.push(make("p", "soft small note-line", listAsked(shown.seat).length ? Learning.tell(countScore(shown.seat), unit, words) : said.none));
      if (earlier[1]) card.push(make("p", "soft small note-line", `${said.before} ${Learning.tell(scoreBefore(), unit, words)}`));
    }
    if (open !== null && !isHidden(decision)) card.push(Panels.button("next", () => { show(open); Learning.moveFocus(byId("quiz"), 0); }, said.next));
    const address = run ? Panels.linkRun(run, shown.language, scoreBefore(), wanted) : game.next && byId("next").href;
    if (open === null && address && !isAsked) {
      const link = make("a", "button next", said.game);
      link.href = address;
      card.push(link);
    }
    if (!isAsked) card.push(Panels.fold("which", said.which, renderFilters(words)));
    return card;
  }

  // The filters that leave a choice between the mistakes of this seat.
  function renderFilters(words) {
    const all = [...mistakesOf(shown.seat), ...disputedOf(shown.seat)];
    return make("div", "filters", ...Object.entries(Learning.options(words)).map(([name, values]) => {
      const fitting = values.filter(([value]) => value === wanted[name] || all.some(made => Learning.FITS[name](made, value)));
      return fitting.length < 2 && !wanted[name] ? null : Learning.filter(name, fitting, wanted[name], value => {
        wanted[name] = value;
        show(findOpen() ?? shown.frame);
      }, words);
    }));
  }

  // A decision can be shown to others, without its answer: as a picture, as a page that folds the answer, as a link where
  // this page has an address that others can open.
  function renderShare(decision, words) {
    const said = words.learn, row = make("div", "share", make("span", "soft small", said.share),
      button(said.picture, "", () => Learning.savePicture(positions[shown.frame], shown.seat, words)),
      button(said.page, "", () => Learning.save("position.html", "data:text/html;charset=utf-8," + encodeURIComponent(buildPosition(decision)))));
    if (location.protocol.startsWith("http") && !["localhost", "127.0.0.1"].includes(location.hostname)) {
      const link = button(said.link, "", async () => {
        await navigator.clipboard.writeText(`${location.href.split("#")[0]}#ask=1&seat=${shown.seat}&frame=${shown.frame}`);
        link.textContent = words.review.copied;
      });
      row.append(link);
    }
    return row;
  }

  // This page with one decision alone, without names, and with its answer folded.
  function buildPosition(decision) {
    const one = {...review(), decisions: [{...decision, frame: 0, repeats: null}], mistakes: [0], disputed: [], error: null};
    const data = {...game, ask: true, name: "", where: "", players: ["", "", "", ""], player: "", session: null, back: null, previous: null, next: null,
      resume: null, scores: null, verdict: null, forecasts: null, pending: false, error: null, notes: [], distances: [[], [], [], []],
      seats: [shown.seat], seat: shown.seat, frame: 0, frames: [{event: events[shown.frame], set: [[[], positions[shown.frame]]]}], decisions: [0, 1, 2, 3].map(seat => seat === shown.seat ? [0] : []), reviews: {[shown.seat]: one}};
    const page = document.documentElement.cloneNode(true);
    page.querySelector("title").textContent = "mj_bot";
    page.querySelector("#data").textContent = JSON.stringify(data).replaceAll("<", "\\u003c");
    // What is drawn now tells the answer.
    for (const drawn of page.querySelectorAll("h1, #table, #event, #graph, #steps, #log, .card:not(#log-card)")) drawn.replaceChildren();
    return "<!doctype html>\n" + page.outerHTML;
  }

  // Steps on by itself, up to the end.
  let timer = null;
  function stepByItself() {
    if (shown.frame < limit()) {
      timer = setTimeout(stepByItself, 1000 / shown.speed);
      show(shown.frame + 1);
    } else {
      stop();
    }
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    render();
  }

  function button(text, title, run) {
    const made = Panels.button("", run, text);
    made.title = title;
    return made;
  }

  // A button of the head that is pressed or not.
  function renderSwitch(id, text, isPressed, isShown) {
    byId(id).textContent = text;
    byId(id).setAttribute("aria-pressed", isPressed);
    byId(id).hidden = !isShown;
  }

  function renderHeader(words) {
    const wind = positions.length ? positions.at(-1).wind : null;
    const {session} = game;
    byId("title").textContent = game.ask ? words.learn.ask : [session ? words.index.hand(session.hand + 1, session.hands) : game.name,
      wind === null ? "" : fill(words.round, words.seats[wind].replace("家", "")), session ? session.title : ""].filter(Boolean).join(" · ");
    renderSwitch("open", shown.open ? words.review.open : words.review.one, shown.open, game.seats.length > 1 && findOpen() === null);
    renderSwitch("learn", words.learn[isLearning ? "stop" : "start"], isLearning, Object.keys(game.reviews).length && !isAsked);
    renderSwitch("danger", words.review.danger, shown.danger, Object.values(game.reviews).some(
      one => one.decisions.some(made => made.tiles.some(tile => tile[5]))) && findOpen() === null);
    byId("curve").textContent = words.review.curve[shown.steps ? "points" : "steps"];
    byId("curve").hidden = !hasPoints || findOpen() !== null || Boolean(game.ask);
    byId("language").textContent = words.other;
    Riichi.draw(byId("riichi"), words);
    byId("back").hidden = !game.back;
    if (game.back) {
      byId("back").textContent = "← " + words.review.back[game.back.to];
      byId("back").href = `${game.back.address}#language=${shown.language}${Me.link()}` +
        (game.back.session ? `&session=${game.back.session}` : "");
    }
    for (const turn of ["previous", "next"]) {
      byId(turn).hidden = !game[turn];
      byId(turn).title = `${words.review[turn]}: ${words.index.game}`;
      byId(turn).href = `${game[turn]}#language=${shown.language}${Me.link()}` +
        (game.players[shown.seat] ? `&player=${encodeURIComponent(game.players[shown.seat])}` : "") + learnLink();
    }
    document.documentElement.lang = shown.language;
  }

  // A seat that plays so many decisions as the judges may be the same player; fewer happen to anybody.
  const LEAST_ALIKE = 100;
  // How the game ended, and who lost how much where.
  function renderHead(words) {
    const heads = ["", words.player, words.score];
    if (hasLoss) heads.push(fill(words.lost, words.units[unit] || unit));
    if (hasPoints) heads.push(words.review.accuracy);
    if (game.tactic) heads.push(hasLoss || !unit ? words.mistakeCount : words.differenceCount);
    const rows = words.seats.map((name, seat) => {
      const choose = button("", words.review.choose, () => { openSeat(seat); render(); });
      choose.append(make("span", `dot seat-${seat}`), name);
      choose.setAttribute("aria-pressed", seat === shown.seat);
      const player = make("span", "named", Panels.player(game.players[seat], words) || "–");
      if (game.players[seat]) player.append(Me.button(game.players[seat], words, renderAll));
      const cells = [choose, player, end && end.scores ? Panels.signed(end.scores[seat]) : "–"];
      const one = game.reviews[seat];
      const counts = one && one.summary.all, [accuracy, classes] = Panels.grades(one);
      if (hasLoss) cells.push(counts ? Panels.format(counts.loss) : "–");
      if (hasPoints) cells.push(accuracy, classes);
      else if (game.tactic) cells.push(one ? String(one.mistakes.length) : "–");
      return [cells, seat === shown.seat ? "current" : ""];
    });
    const note = text => make("p", "soft small note-line", text), notes = [];
    if (game.tactic) {
      const compared = note(names.length > 1 ? fill(words.judges.rule, names.join(words.judges.comma), names.at(-1)) :
        fill(words.review.compared, game.tactic)), limits = game.limits.map(limit => limit[1]).reverse();
      notes.push(hasPoints ? Panels.fold("limits", fill(words.review.limits, ...limits),
        note(fill(words.review.scale, game.half)), compared) : compared);
    }
    if (String(names) === "cnn,search") notes.unshift(note(words.judges.strength));
    const alike = words.seats.filter((name, seat) => game.reviews[seat] && game.reviews[seat].summary.all &&
      game.reviews[seat].summary.all.same === game.reviews[seat].summary.all.decisions);
    const many = alike.filter(name => game.reviews[words.seats.indexOf(name)].summary.all.decisions >= LEAST_ALIKE);
    for (const [kind, told] of [["sameAs", many], ["allSame", alike.filter(name => !many.includes(name))]]) {
      if (told.length) notes.push(note(fill(words.review[kind], told.join(words.judges.comma), names.join(words.judges.or))));
    }
    if (game.pending) notes.unshift(note(words.judges.pending));
    notes.push(...Panels.forecasts(game.forecasts, names[0], words));
    fillCard("head", [make("p", "told", ...(end ? Panels.event(end, words) : [words.unfinished])),
      Panels.table(heads, rows), ...notes]);
  }

  function renderControls(words) {
    const said = words.review;
    const controls = [
      button("|◀", said.first, () => show(0)), button("◀", said.previous, () => show(shown.frame - 1)),
      button("▶", said.next, () => show(shown.frame + 1)), button("▶|", said.last, () => show(lastFrame)),
    ];
    for (const kind of findOpen() === null ? ["decision", "claim", "dealIn", "mistake"] : ["decision"]) {
      const found = places[kind]();
      if (!found.length) continue;
      const back = button("‹", `${said.previous}: ${said.steps[kind]}`, () => jump(kind, -1));
      const on = button(`${said.steps[kind]} ›`, `${said.next}: ${said.steps[kind]}`, () => jump(kind, 1));
      back.disabled = found[0] >= shown.frame;
      on.disabled = found.at(-1) <= shown.frame || shown.frame >= limit();
      controls.push(make("span", "jump", back, on));
    }
    byId("steps").replaceChildren(...controls);
    byId("auto").textContent = timer ? "❚❚" : "▶▶";
    byId("auto").title = timer ? said.stop : said.auto;
    byId("speed").textContent = `${shown.speed}×`;
    byId("speed").title = said.speed;
    byId("slider").max = limit();
    byId("slider").value = shown.frame;
  }

  // The whole game: of each seat the points that the reviewer expects, or the distance from ready, as a line, and what
  // its decisions lost as bars.
  const GRAPH = {height: 148, top: 20, left: 52, right: 46, bottom: 24};
  let cursor = null, at = null;

  // [frame, value] where the value changes: the reviewer's of the action that was played, and the score at the end.
  function listChanges(seat, isSteps) {
    const decisions = game.reviews[seat] ? game.reviews[seat].decisions : [];
    const distances = game.distances[seat] || decisions.map(made => [made.frame, made.distance_to_8_fan, made.shanten]);
    if (isSteps) return distances.map(([frame, far, plain]) => [frame, far === null ? plain + 1 : far]);
    const values = decisions.flatMap(made => {
      const found = made.ranked.find(entry => entry[0] === (made.logged || made.chosen));
      return found ? [[made.frame, found[1]]] : [];
    });
    return end && end.scores && values.length ? values.concat([[lastFrame, end.scores[seat]]]) : values;
  }

  function renderGraph(words) {
    const {element} = MjTable, {height, top, left, right, bottom} = GRAPH;
    const width = byId("graph").clientWidth, ground = height - bottom, room = ground - top;
    at = frame => left + (width - left - right) * frame / Math.max(1, lastFrame);
    const isSteps = shown.steps || !hasPoints, changes = [0, 1, 2, 3].map(seat => listChanges(seat, isSteps));
    // The scores of the end may be far off the scale; an arrow says so.
    const values = changes.flatMap(line => line.filter(([frame]) => isSteps || frame < lastFrame).map(([, value]) => value));
    const high = isSteps ? 0 : 10 * Math.ceil(Math.max(10, ...values) / 10);
    const low = isSteps ? Math.max(1, ...values) : 10 * Math.floor(Math.min(-10, ...values) / 10);
    const heightOf = value => top + room * Math.min(1, Math.max(0, (high - value) / (high - low)));
    const lost = [0, 1, 2, 3].flatMap(seat => mistakesOf(seat).map(made => made.loss || 0));
    const full = hasLoss ? Math.min(10, Math.max(Panels.FULL[unit] || Panels.FULL.points, ...lost.map(Math.ceil))) : 1;
    const graph = element("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img"});
    const text = (x, y, anchor, content, turn) => graph.append(element("text", {x, y, "text-anchor": anchor,
      transform: turn ? `rotate(${turn} ${x} ${y})` : null}, String(content)));
    const marks = isSteps ? Array.from({length: low + 1}, (_, far) => far) :
      Array.from({length: (high - low) / 10 + 1}, (_, place) => low + 10 * place);
    for (const [place, mark] of marks.entries()) {
      graph.append(element("line", {class: "grid", x1: left, x2: width - right, y1: heightOf(mark), y2: heightOf(mark)}));
      if (marks.length < 6 || (isSteps ? place : mark / 10) % 2 === 0) {
        text(left - 5, heightOf(mark) + 4, "end", isSteps ? mark || words.distance(0) : Panels.signed(mark));
      }
    }
    text(11, top + room / 2, "middle", words.review.axes[isSteps ? "distance" : "points"], -90);
    for (let frame = 0; at(frame) < width - right - 48; frame += lastFrame > 60 ? 20 : 10) text(at(frame), ground + 17, "middle", frame);
    text(width - right, ground + 17, "end", words.review.axes.event);
    if (hasLoss) {
      for (const share of [0, .5, 1]) text(width - right + 5, ground - room * share + 4, "start", full * share);
      text(width - 6, top + room / 2, "middle", fill(words.lost, words.units[unit] || unit), -90);
    }
    const told = [], inFront = [0, 1, 2, 3].sort((a, b) => (a === shown.seat) - (b === shown.seat));
    for (const seat of inFront) {
      const kind = `seat-${seat}` + (seat === shown.seat ? " current" : "");
      for (const decision of mistakesOf(seat)) {
        const share = decision.loss === null ? 1 : decision.loss / full;
        const size = Math.max(3, room * Math.min(1, share)), x = at(decision.frame);
        graph.append(element("rect", {class: kind, x: x - 2, y: ground - size, width: 4, height: size}));
        if (share > 1) {
          graph.append(element("path", {class: kind, d: `M${x - 5} ${top}h10l-5 -7z`}));
          // Numbers that would lie over each other are left out.
          if (seat === shown.seat && !told.some(other => Math.abs(other - x) < 18)) {
            text(x, top - 9, "middle", decision.loss.toFixed(0));
            told.push(x);
          }
        }
      }
    }
    for (const seat of inFront) {
      if (!changes[seat].length) continue;
      const points = changes[seat].flatMap(([frame, value], index) =>
        (index ? [[frame, changes[seat][index - 1][1]]] : []).concat([[frame, value]]));
      points.push([lastFrame, changes[seat].at(-1)[1]]);
      const kind = `seat-${seat}` + (seat === shown.seat ? " current" : ""), score = points.at(-1)[1];
      graph.append(element("polyline", {class: kind,
        points: points.map(([frame, value]) => `${at(frame)},${heightOf(value)}`).join(" ")}));
      if (!isSteps && (score > high || score < low)) {
        const up = score > high ? -1 : 1, y = heightOf(score);
        graph.append(element("path", {class: kind, d: `M${at(lastFrame) - 5} ${y}h10l-5 ${7 * up}z`}));
      }
    }
    cursor = element("rect", {class: "cursor", y: top - 4, width: 2, height: room + 8});
    graph.append(cursor);
    graph.addEventListener("click", event => {
      const frame = (event.clientX - graph.getBoundingClientRect().left - left) / (width - left - right) * lastFrame;
      const near = mistakesOf(shown.seat).reduce((best, decision) =>
        Math.abs(decision.frame - frame) < Math.abs(best - frame) ? decision.frame : best, Infinity);
      show(Math.abs(near - frame) < lastFrame / 60 ? near : frame);
    });
    byId("graph").replaceChildren(graph);
    byId("controls").style.setProperty("--left", `${left - 8}px`);
    byId("controls").style.setProperty("--right", `${right - 8}px`);
  }

  function renderLog(words) {
    byId("log-title").textContent = words.events;
    byId("log").replaceChildren(...events.slice(0, limit() + 1).map((event, frame) => {
      return make("li", "", Panels.button("link", () => show(frame), make("span", "at", "#" + frame),
        ...Panels.event(event, words, 16)));
    }));
  }

  let scroll = 0;
  function markLog() {
    const log = byId("log");
    log.querySelector(".current")?.classList.remove("current");
    const link = log.children[shown.frame].firstChild;
    link.classList.add("current");
    // Scrolls once a painted frame, however many events pass in between.
    cancelAnimationFrame(scroll);
    scroll = requestAnimationFrame(() => {
      log.scrollTop = link.offsetTop - log.offsetTop - log.clientHeight / 2;
    });
  }

  function renderMistakes(words) {
    if (!review()) return null;
    const title = hasLoss ? `${words.review.mistakes} · ${fill(words.lost, words.units[unit] || unit)}` : words.review.differences;
    const card = [make("h2", "", `${title} · ${words.seats[shown.seat]}`)];
    for (const made of mistakesOf(shown.seat)) {
      card.push(Panels.button("link", () => show(made.frame), ...Panels.mistake(made, "#" + made.frame, words)));
    }
    const list = disputedOf(shown.seat).map(made => Panels.button("link disputed", () => show(made.frame), ...Panels.mistake(made, "#" + made.frame, words)));
    if (card.length < 2) card.push(make("p", "soft small", hasLoss ? words.review.noMistakes : words.review.noDifferences));
    if (list.length) card.push(Panels.fold("disputes", `${words.judges.list(list.length)} · ${names.join(" / ")}`, ...list));
    if (review().error) card.push(make("p", "note small", `${words.review.unread}: ${told(review().error)}`));
    return card;
  }

  // Parts that are the same at every event are drawn again only for another seat or language.
  let drawn = "";
  function renderFrame(words) {
    const key = `${shown.seat} ${shown.language} ${shown.open} ${shown.steps} ${shown.danger} ${isLearning} ${findOpen()} ${JSON.stringify(wanted)}`;
    if (key === drawn) return;
    drawn = key;
    renderHeader(words);
    byId("own-rules").hidden = !game.own_rules;
    if (game.own_rules) byId("own-rules").textContent = words.review.ownRules(game.own_rules);
    byId("error").hidden = !game.error;
    if (game.error) byId("error").textContent = `${words.review.breaks}: ${told(game.error)}`;
    byId("stage").hidden = byId("log-card").hidden = !positions.length;
    if (!positions.length) return;
    const isOpen = findOpen() !== null;
    byId("controls").hidden = byId("keys").hidden = Boolean(game.ask);
    byId("graph").hidden = isOpen || Boolean(game.ask);
    if (!byId("graph").hidden) renderGraph(words);
    byId("log-card").hidden ||= Boolean(game.ask);
    renderLog(words);
    if (isOpen || game.ask) fillCard("head", null); else renderHead(words);
    fillCard("mistakes", isLearning ? null : renderMistakes(words));
    fillCard("summary", review() && !isOpen && !game.ask ? Panels.summary(review(), game.tactic, words) : null);
    const keys = ["← →", "Home End", "D", "C", "X", "M", "1-4", "O", "L", "P N", "R", "A", "G", "↑ ↓ Enter"];
    byId("keys").replaceChildren(...words.review.keys.split("%s").flatMap((part, index) =>
      index ? [make("kbd", "", keys[index - 1]), part] : [part]));
  }

  const render = () => Panels.redraw(() => {
    const words = WORDS[shown.language];
    // Another seat may have an open question before this event.
    shown.frame = Math.min(shown.frame, limit());
    renderFrame(words);
    const position = positions[shown.frame];
    if (!position) return;
    const event = events[shown.frame], decision = decisionAt(shown.frame), question = decision && isLearning ? questions[shown.seat][shown.frame] : null;
    // The answer compares what the person chose, where that is another move than the game's.
    const compared = question && question.isOver ? Learning.compared(decision, question) : null;
    const judged = compared === null ? decision : Learning.suppose(decision, compared);
    MjTable.draw(byId("table"), position, {
      seat: shown.seat, open: shown.open, names: game.players.map(name => Panels.player(name, words)), words,
      marks: isHidden(decision) ? null : Panels.tableMarks(judged, unit, shown.seat, shown.danger), below: shown.danger && !isHidden(decision),
      scores: event.kind === "END" ? event.scores : null,
      reveal: event.kind === "END" && event.verdict === "HU" ? event.seat : null,
    });
    const notes = game.notes.filter(note => note.frame === shown.frame)
      .map(note => make("span", "note small", `${words.seats[note.seat]}: ${words.review.note}: ${told(note.text)}`));
    byId("event").replaceChildren(...Panels.event(event, words), ...notes,
      make("span", "count", findOpen() === null ? fill(words.review.frame, shown.frame, lastFrame) : game.ask ? "" : `#${shown.frame}`));
    renderControls(words);
    if (!byId("graph").hidden) cursor.setAttribute("x", at(shown.frame) - 1);
    fillCard("ending", event.kind === "END" ? Panels.ending(event, position, game.fan_names, words) : null);
    fillCard("command", shown.command ? renderCommand(words) : null);
    fillCard("quiz", renderQuiz(decision, words));
    fillCard("decision", decision && !isHidden(decision) ? [...Panels.decision(judged, names, unit, game.fan_names, words,
      judged === decision ? words.review.played : words.learn.you), renderShare(decision, words)] : null);
    const canResume = game.resume ? [null, shown.seat].includes(game.resume.seat) :
      game.where && !game.error && game.seats.length === 4 && !game.where.startsWith("stdin");
    // The button keeps its place between the decisions, so that the table does not move while its reader steps on.
    byId("resume").hidden = !canResume || isLearning;
    byId("resume").textContent = words.review.resume;
    byId("resume").href = game.resume ? `${game.resume.address}&frame=${shown.frame}&seat=${shown.seat}&language=${shown.language}` : "#";
    if (!game.decisions[shown.seat].includes(shown.frame)) byId("resume").removeAttribute("href");
    for (const id of ["ending", "decision"]) Fans.mark(byId(id), game.fan_names, words);
    markLog();
    rememberPlace();
  });

  // The address leads back to this event, and to no answer while its reader learns; browsers refuse to be asked too often.
  let remember = 0;
  function rememberPlace() {
    clearTimeout(remember);
    const learning = isAsked ? "&ask=1" : isLearning ? Panels.linkScore(earlier) + Panels.linkFilters(wanted) + (run ? `&run=${run.join("_")}` : "") : "";
    remember = setTimeout(() => history.replaceState(null, "",
      `#seat=${shown.seat}&frame=${shown.frame}&language=${shown.language}${learning}`), 250);
  }

  const toggles = {
    learn,
    auto: () => { if (timer) stop(); else stepByItself(); },
    danger: () => { shown.danger = !shown.danger; render(); },
    speed: () => { shown.speed = shown.speed < 8 ? 2 * shown.speed : .5; render(); },
    open: () => { shown.open = !shown.open; render(); },
    language: () => { shown.language = shown.language === "en" ? "zh" : "en"; render(); },
    riichi: () => { Riichi.toggle(); drawn = ""; render(); },
    curve: () => { shown.steps = !shown.steps; render(); },
  };
  // A page without its server says how to play on.
  function renderCommand(words) {
    const said = words.review, text = `mj-bot play --open --record '${game.where.replaceAll("'", "'\\''")}' --frame ${shown.frame} --seat ${shown.seat}`;
    const command = make("input", "command");
    command.value = text;
    command.readOnly = true;
    const copy = button(said.copy, "", async () => {
      command.select();
      await navigator.clipboard?.writeText(text).catch(() => document.execCommand("copy"));
      copy.textContent = said.copied;
    });
    return [make("p", "", said.command), command, make("div", "switches", copy, button(said.close, "", () => { shown.command = false; render(); })),
      make("p", "soft small note-line", said.other)];
  }

  byId("resume").addEventListener("click", event => {
    if (game.resume || !byId("resume").hasAttribute("href")) return;
    event.preventDefault();
    shown.command = !shown.command;
    render();
    if (shown.command) byId("command").scrollIntoView({block: "nearest"});
  });
  for (const [id, toggle] of Object.entries(toggles)) byId(id).addEventListener("click", toggle);
  byId("slider").addEventListener("input", event => show(Number(event.target.value)));
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("select, #command input")) return;
    const direction = event.shiftKey ? -1 : 1;
    const keys = {
      ArrowLeft: () => show(shown.frame - 1), ArrowRight: () => show(shown.frame + 1), Home: () => show(0),
      End: () => show(lastFrame), d: () => jump("decision", direction), c: () => jump("claim", direction),
      x: () => jump("dealIn", direction), m: () => jump("mistake", direction), o: toggles.open, l: toggles.language, g: learn, r: toggles.danger, a: toggles.auto,
      n: () => { if (game.next) byId("next").click(); }, p: () => { if (game.previous) byId("previous").click(); },
    };
    if (isLearning) {
      keys.ArrowDown = () => Learning.moveFocus(byId("quiz"), 1);
      keys.ArrowUp = () => Learning.moveFocus(byId("quiz"), -1);
    }
    if (findOpen() !== null) delete keys.o;
    if (/^[1-4]$/.test(event.key) && findOpen() === null) {
      shown.seat = Number(event.key) - 1;
      render();
    } else {
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      act();
    }
    event.preventDefault();
  });
  byId("table").addEventListener("click", event => {
    const tile = event.target.closest(".mj-hand .mj-tile[data-tile]");
    if (tile && Number(tile.dataset.seat) === shown.seat) choose("PLAY " + tile.dataset.tile);
  });
  const renderAll = () => { drawn = ""; render(); };
  // Another place in this page's address.
  window.addEventListener("hashchange", () => location.reload());
  window.addEventListener("resize", renderAll);
  Me.watch(renderAll);
  openFirst();
  if (isLearning) {
    shown.open = false;
    shown.frame = findOpen() ?? shown.frame;
  }
  show(shown.frame);
  // The server has asked one judge so far; this page stays until the answer of all of them comes.
  if (game.pending) location.reload();
})();
