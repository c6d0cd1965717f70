// The table of several reviewed games: what overview.py puts into the element #data.
"use strict";

(async () => {
  const data = await Panels.readData();
  const {make, byId, button, signed, percent} = Panels;
  const asked = Number(new URLSearchParams(location.hash.slice(1)).get("session")) - 1;
  const shown = {language: findLanguage(), session: null, column: "game", isRising: false, isWhole: false};
  // Which mistakes are listed; "" for all.
  const wanted = {player: "", leak: "", grade: "", state: "", judge: "agreed"};
  // An error of the record in the language of the page.
  const told = error => (data.said[shown.language] || {})[error] || error;
  openSession(data.sessions[asked] || (data.sessions.length === 1 ? data.sessions[0] : null));

  // A session by itself, or all games for null.
  function openSession(session) {
    shown.session = session;
    // Hands of sessions stay in their order.
    shown.column = data.sessions.length ? "game" : "total";
    shown.isRising = shown.isWhole = false;
    wanted.player = "";
  }

  // The browser's button leads back from there.
  function turnTo(session) {
    openSession(session);
    history.pushState(null, "", "#");
    render();
  }

  // The seats of a game in the order of the columns: in a session by player.
  const seatsOf = game => shown.session && game.session ?
    shown.session.names.map((name, player) => game.session.seats.indexOf(player)) : [0, 1, 2, 3];
  // A hand of one of several sessions has its session's title too.
  function nameOf(game, words) {
    if (!game.session) return game.name;
    const session = !shown.session && data.sessions.length > 1 && data.sessions.find(({games}) => games.includes(data.games.indexOf(game)));
    return (session ? `${session.title || words.index.session} · ` : "") + words.index.hand(game.session.hand + 1);
  }

  const format = loss => loss === null ? "–" : Panels.format(loss);
  const total = game => game.losses.every(loss => loss === null) ? null : game.losses.reduce((sum, loss) => sum + loss, 0);
  const address = (game, seat, frame) => `${game.link}#language=${shown.language}${Me.link()}` +
    (seat === undefined ? "" : `&seat=${seat}&frame=${frame}`);

  function link(game, text, ...place) {
    const made = make("a", "", text);
    made.href = address(game, ...place);
    return made;
  }

  function describeEnd(game, words) {
    if (game.error) return make("span", "bad", `${words.index.broken}: ${told(game.error)}`);
    const {end} = game;
    if (!end) return words.unfinished;
    if (end.verdict === "HUANG") return words.index.drawn;
    if (end.verdict !== "HU") return `${words.seats[end.seat]} ${words.erred}: ${words.verdicts[end.verdict] || end.verdict}`;
    return `${words.seats[end.seat]} ${end.fan ? `${end.fan} ${words.fan}` : words.wins}` +
      (end.from === null ? ` · ${words.selfDrawn}` : ` ← ${words.seats[end.from]}`);
  }

  // What each column is sorted by; null goes last.
  const sorters = {
    game: (game, index) => -index, round: game => game.wind === null ? null : -game.wind,
    end: game => game.end && game.end.fan || 0, total,
  };

  function renderGames(words) {
    const {session} = shown, heads = session ? session.names : words.seats;
    const columns = [["game", words.index.game], ["round", words.index.round], ["end", words.index.end],
      ...heads.map((name, place) => [String(place), name]), ["total", words.index.total]];
    const head = make("tr", "", ...columns.map(([column, text]) => {
      const sort = () => {
        shown.isRising = shown.column === column && !shown.isRising;
        shown.column = column;
        render();
      };
      const kind = column !== shown.column ? "" : shown.isRising ? "sorted rising" : "sorted";
      const made = make("th", kind, button("", sort, text));
      if (Number(column) >= 0) made.classList.add("pair-head");
      made.dataset.column = column;
      return made;
    }));
    const sorter = sorters[shown.column] || (game => game.losses[seatsOf(game)[shown.column]]);
    const keyed = [...listed()].map(index => [sorter(data.games[index], index), index]);
    const sign = shown.isRising ? 1 : -1;
    keyed.sort(([a, i], [b, j]) => (a === null) - (b === null) || sign * (a - b) || i - j);
    const rows = keyed.map(([, index]) => {
      const game = data.games[index];
      const row = make("tr", "",
        make("td", "", link(game, nameOf(game, words)), game.file === game.name ? null : make("small", "", game.file)),
        make("td", "", game.wind === null ? "–" : words.winds[game.wind]),
        make("td", "", describeEnd(game, words)),
        ...seatsOf(game).map(seat => make("td", game.players[seat] && game.players[seat] === Me.name() ? "mine" : "",
          make("span", "pair", game.scores ? signed(game.scores[seat]) : "–", make("i", "", format(game.losses[seat])),
            make("small", "", session ? words.seats[seat] : Panels.player(game.players[seat], words))))),
        make("td", "", format(total(game))));
      row.dataset.game = index;
      return row;
    });
    const unit = words.units[data.unit] || data.unit;
    byId("games").replaceChildren(
      make("p", "soft small told", (session ? words.index.own : words.index.seatNote) + " " + words.index.sort + " " +
        (unit ? fill(words.index.reviewer, unit, data.judges.join(words.judges.comma)) : "") + (data.pending ? " " + words.judges.pending : "")),
      make("div", "wide", make("table", "", head, ...rows)));
  }

  const listed = () => shown.session ? new Set(shown.session.games) : new Set(data.games.keys());
  const playerOf = made => data.games[made.game].players[made.seat];
  const FITS = {
    ...Learning.FITS, player: (made, name) => playerOf(made) === name,
    judge: (made, judge) => /^\d$/.test(judge) ? made.disputed && made.seen.includes(Number(judge)) : Learning.FITS.judge(made, judge),
  };

  // The mistakes that fit the filters but some; without the judge's those of all judges.
  const select = (...but) => {
    const games = listed();
    return data.mistakes.filter(made => games.has(made.game) &&
      Object.entries(FITS).every(([name, fits]) => but.includes(name) || !wanted[name] || fits(made, wanted[name])));
  };

  // The filters that have a choice here. A choice that fits no mistake is left out.
  function makeFilters(words) {
    const said = words.index.filters, names = shown.session ? shown.session.names : data.players.map(player => player.name);
    const choices = {player: names.map(name => [name, Panels.player(name, words)]), ...Learning.options(words)};
    choices.judge.push(...data.judges.map((judge, place) => [String(place), fill(said.alone, judge)]));
    return make("div", "filters", ...Object.entries(choices).map(([name, options]) => {
      const rest = select(name), fitting = options.filter(([value]) => value === wanted[name] || rest.some(made => FITS[name](made, value)));
      if (fitting.length < 2 && !wanted[name] || (name === "judge" && data.judges.length < 2)) return null;
      return Learning.filter(name, fitting, wanted[name], value => { wanted[name] = value; shown.isWhole = false; render(); }, words);
    }));
  }

  // So many lines are listed before their reader asks for all.
  const LINES = 60;
  function renderWorst(words) {
    const {session} = shown, mistakes = select(), {index} = words;
    const lines = (shown.isWhole ? mistakes : mistakes.slice(0, LINES)).map(made => {
      const game = data.games[made.game], player = playerOf(made);
      const place = `${nameOf(game, words)} · ${player ? Panels.player(player, words) : words.seats[made.seat]} #${made.frame}`;
      const line = make("a", made.disputed ? "link disputed" : "link", ...Panels.mistake(made, place, words));
      if (player && player === Me.name()) line.classList.add("mine");
      line.href = address(game, made.seat, made.frame);
      return line;
    });
    const more = lines.length < mistakes.length ? button("", () => { shown.isWhole = true; render(); }, fill(index.showAll, mistakes.length)) : null;
    byId("worst").hidden = !data.tactic;
    byId("worst").replaceChildren(make("h2", "", `${index.mistakeList(mistakes.length)}` + (data.unit ? ` · ${fill(words.lost, words.units[data.unit] || data.unit)}` : "")),
      ...(data.mistakes.length ? [makeFilters(words)] : []), make("div", "list", ...lines, ...(more ? [more] : [])),
      lines.length ? "" : make("p", "soft small", index.none),
      ...Panels.forecasts(data.forecasts, data.judges[0], words));
    renderKinds(words, session ? session.names : data.players.map(player => player.name));
  }

  // What each kind of mistake lost, of all and of four players: the reader and those with the most games.
  const COLUMNS = 4;
  function renderKinds(words, names) {
    const mistakes = select("leak", "player").filter(made => !made.disputed), {index} = words;
    byId("kinds").hidden = !mistakes.length;
    const chosen = names.slice().sort((a, b) => (b === (wanted.player || Me.name())) - (a === (wanted.player || Me.name()))).slice(0, COLUMNS);
    const sum = some => some.reduce((total, made) => total + (made.loss || 0), 0);
    const tell = some => some.length ? (data.unit ? sum(some).toFixed(1) : "") + fill(words.aside, some.length) : "–";
    const row = some => [tell(some), ...chosen.map(name => tell(some.filter(made => playerOf(made) === name)))];
    const rows = Object.keys(words.leaks).flatMap(leak => {
      const some = mistakes.filter(made => made.leak === leak);
      if (!some.length) return [];
      const choose = button("", () => { wanted.leak = wanted.leak === leak ? "" : leak; render(); }, words.leaks[leak][0]);
      choose.setAttribute("aria-pressed", wanted.leak === leak);
      return [[sum(some), [[choose, ...row(some)], wanted.leak === leak ? "mine" : ""]]];
    });
    rows.sort((a, b) => b[0] - a[0]);
    byId("kinds").replaceChildren(make("h2", "", index.kinds), make("div", "wide", Panels.table(["", index.everybody, ...chosen.map(name => Panels.player(name, words))],
      [...rows.map(([, cells]) => cells), [[index.totals, ...row(mistakes)], "total"]])), make("p", "soft small note-line", index.kindsNote));
  }

  function renderPlayers(words) {
    const isShown = data.players.length > 0 && !shown.session;
    byId("players").hidden = !isShown;
    document.querySelector("main").className = shown.session ? "session" : "";
    if (!isShown) return;
    const {index} = words;
    byId("players").replaceChildren(...drawCurve(...addUp(), words), make("h2", "", index.players),
      make("div", "wide", Panels.table(
        [words.player, index.games, index.winRate, index.dealInRate, index.points, index.lossRate, index.rating],
        data.players.map(player => [[named(player.name, words), String(player.games), interval(player.wins, percent),
          interval(player.deal_ins, percent), interval(player.score, score => signed(Number(score.toFixed(2)))), interval(player.loss, format),
          interval(player.rating, signed)], player.name === Me.name() ? "mine" : ""]))),
      make("p", "soft small", [index.intervals, data.rated ? "" : index.noRating].filter(Boolean).join(" ")));
  }

  // A mean with its interval below, where it has one. tell: a function that formats a figure.
  const interval = (figures, tell) => !figures ? "–" : make("span", "", tell(figures[0]),
    figures.length > 1 ? make("small", "", `${tell(figures[1])} … ${tell(figures[2])}`) : null);
  const named = (name, words) => make("span", "", Panels.player(name, words), name ? Me.button(name, words, render) : null);

  // The running totals of all players, the reader and those with the most games first: [names, totals, games].
  function addUp() {
    const order = data.players.slice().sort((a, b) => (b.name === Me.name()) - (a.name === Me.name()) || b.games - a.games);
    const names = order.map(player => player.name), games = data.games.filter(game => game.scores);
    const totals = [names.map(() => 0)];
    for (const game of games) {
      totals.push(totals.at(-1).map((sum, place) => game.players.reduce(
        (total, player, seat) => total + (player === names[place] ? game.scores[seat] : 0), sum)));
    }
    return [names, totals, games];
  }

  // The colour of a player's line: those of the seats, then hues far from each other.
  const colour = (made, place) => {
    if (place < 4) made.classList.add(`seat-${place}`);
    else made.style.setProperty("--seat", `hsl(${Math.round(137.5 * place) % 360} 55% 52%)`);
    return made;
  };

  // The totals of players before the first game and after each, as lines. Each game leads to its page. The line of a
  // player goes from the first to the last game that he or she played.
  function drawCurve(names, totals, games, words) {
    if (!names.length || !games.length) return [];
    const {element} = MjTable, card = byId(shown.session ? "session" : "players");
    const width = Math.max(280, card.clientWidth - 30), height = 210, left = 44, right = 14, top = 8, ground = height - 20;
    const low = Math.min(...totals.flat()), high = Math.max(...totals.flat(), low + 1);
    const size = 10 ** Math.floor(Math.log10(high - low)), step = size * ((high - low) / size > 4 ? 2 : (high - low) / size > 2 ? 1 : .5);
    const at = number => left + (width - left - right) * number / games.length;
    const heightOf = total => ground - (ground - top) * (total - low) / (high - low);
    const graph = element("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": words.index.curve});
    const text = (x, y, anchor, content) => graph.append(element("text", {x, y, "text-anchor": anchor}, String(content)));
    for (let total = Math.ceil(low / step) * step; total <= high; total += step) {
      graph.append(element("line", {class: total ? "grid" : "grid zero", x1: left, x2: width - right, y1: heightOf(total), y2: heightOf(total)}));
      text(left - 6, heightOf(total) + 4, "end", signed(total));
    }
    const every = Math.ceil(games.length / (width / 32));
    games.forEach((game, index) => {
      const number = shown.session ? game.session.hand + 1 : index + 1;
      if (number % every === 0) text(at(index + .5), height - 5, "middle", number);
    });
    names.forEach((name, place) => {
      const played = games.flatMap((game, index) => game.players.includes(name) ? [index] : []);
      const points = played.length ? [played[0], ...played.map(index => index + 1)] : [];
      const line = element("polyline", {points: points.map(number => `${at(number)},${heightOf(totals[number][place])}`).join(" ")});
      if (name && name === Me.name()) line.classList.add("mine");
      graph.append(colour(line, place));
      if (games.length <= 40) points.forEach(number => graph.append(colour(element("circle", {cx: at(number), cy: heightOf(totals[number][place]), r: 3}), place)));
    });
    games.forEach((game, index) => {
      const band = element("a", {href: address(game)}, element("rect", {x: at(index), y: 0, width: at(1) - left, height}));
      const told = names.flatMap((name, place) => game.players.includes(name) ? [`${name} ${signed(totals[index + 1][place])}`] : []).join(", ");
      band.append(element("title", {}, `${nameOf(game, words)}: ${told}`));
      graph.append(band);
    });
    const legend = names.map((name, place) => make("span", "action", colour(make("span", "dot"), place), named(name, words)));
    return [make("h2", "", words.index.curve), make("div", "small told", ...legend), make("div", "curve", graph)];
  }

  // A session: its running totals, and each player's figures, the first player first.
  function renderSession(words) {
    const {session} = shown, {index} = words;
    byId("session").hidden = !session;
    if (!session) return;
    const total = player => session.totals.at(-1)[session.players.indexOf(player)];
    const players = session.players.slice().sort((a, b) => total(b) - total(a));
    const count = share => player => String(Math.round(share(player) * player.games));
    const rows = [
      [index.totals, player => signed(total(player)), "total"],
      [index.places, player => player.places === null ? "–" : String(Number(player.places.toFixed(2)))],
      [index.winRate, count(player => player.wins[0])], [index.dealInRate, count(player => player.deal_ins[0])],
      ...index.sources.map((source, place) => [source, player => signed(player.sources[place])]),
    ];
    if (data.unit) rows.push([fill(words.lost, words.units[data.unit] || data.unit), player => format(player.lost)]);
    if (data.tactic) rows.push([index.mistakes, player => player.mistakes === null ? "–" : String(player.mistakes)]);
    const heads = players.map(player => make("span", "", make("span", `dot seat-${session.players.indexOf(player)}`), " ",
      player.name));
    byId("session").replaceChildren(
      ...drawCurve(session.names, session.totals, session.games.map(number => data.games[number]), words),
      Panels.table(["", ...heads], rows.map(([title, tell, kind]) => [[title, ...players.map(tell)], kind || ""])),
      make("p", "soft small note-line", players.some(player => player.places !== null) ? index.placing : ""));
  }

  // Several sessions, each with its players' totals.
  function renderSessions(words) {
    byId("sessions").hidden = data.sessions.length < 2 || Boolean(shown.session);
    byId("sessions").replaceChildren(make("h2", "", words.index.sessions), ...data.sessions.map(session => {
      const totals = session.names.map((name, place) => {
        const {places} = session.players[place] || {places: null}, total = `${name} ${signed(session.totals.at(-1)[place])}`;
        return typeof places === "number" ? total + fill(words.aside, `${Number(places.toFixed(2))} ${words.index.places}`) : total;
      });
      return button("link", () => turnTo(session), make("b", "", session.title || words.index.session),
        make("span", "soft", words.index.title(session.games.length)), make("span", "", totals.join(" · ")));
    }));
    byId("whole").hidden = data.sessions.length < 2 || !shown.session;
    byId("whole").textContent = "← " + words.index.whole;
  }

  // A run through the mistakes that fit the filters, of the chosen player, or the reader, or else of each game's seat that
  // its page opens at.
  function renderLearn(words) {
    const games = [...listed()].map(number => data.games[number]), name = wanted.player || Me.name(), mistakes = select("player");
    const run = games.flatMap(game => {
      const own = name ? game.players.indexOf(name) : -1, seat = own < 0 ? game.seat : own;
      return mistakes.some(made => data.games[made.game] === game && made.seat === seat) ? [`${game.link}.${seat}`] : [];
    });
    byId("learn").hidden = !run.length;
    byId("learn").textContent = words.learn.start;
    byId("learn").href = Panels.linkRun(run, shown.language, [0, 0, 0, 0, 0, 0], wanted) || "";
  }

  const render = () => Panels.redraw(() => {
    const words = WORDS[shown.language];
    document.documentElement.lang = shown.language;
    const {session} = shown;
    byId("title").textContent = document.title = [session && (session.title || words.index.session),
      words.index.title((session || data).games.length)].filter(Boolean).join(" · ");
    byId("language").textContent = words.other;
    renderSessions(words);
    renderSession(words);
    renderWorst(words);
    renderPlayers(words);
    renderGames(words);
    renderLearn(words);
    history.replaceState(null, "", `#language=${shown.language}` +
      (session ? `&session=${data.sessions.indexOf(session) + 1}` : ""));
  });

  window.addEventListener("hashchange", () => location.reload());
  window.addEventListener("resize", render);
  Me.watch(render);
  byId("whole").addEventListener("click", () => turnTo(null));
  byId("language").addEventListener("click", () => {
    shown.language = shown.language === "en" ? "zh" : "en";
    render();
  });
  render();
  if (data.pending) location.reload();  // as in viewer.js
})();
