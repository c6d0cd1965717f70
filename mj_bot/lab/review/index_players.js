// The players of several games: their figures, a session's figures, and the curve of their totals.
"use strict";

const IndexPlayers = (() => {
  const {make, byId, button, signed, percent} = Panels, {element} = MjTable;
  const {turnTo, nameOf, addressOf, formatLoss, named} = IndexState;
  const CURVE = {height: 210, left: 44, right: 14, top: 8, bottom: 20, mostDots: 40, labelWidth: 32};

  // A mean with its interval below, where it has one. tell: a function that formats a figure.
  const interval = (figures, tell) => !figures ? "–" : make("span", "", tell(figures[0]),
    figures.length > 1 ? make("small", "", `${tell(figures[1])} … ${tell(figures[2])}`) : null);

  function renderPlayers(view, words) {
    const {data, session} = view, {index} = words, isShown = data.players.length > 0 && !session;
    byId("players").hidden = !isShown;
    document.querySelector("main").className = session ? "session" : "";
    if (!isShown) return;
    const heads = [words.player, index.games, index.winRate, index.dealInRate, index.points, index.lossRate];
    const rows = data.players.map(player => [[named(view, player.name, words), String(player.games),
      interval(player.wins, percent), interval(player.deal_ins, percent),
      interval(player.score, score => signed(Number(score.toFixed(2)))), interval(player.loss, formatLoss)],
    player.name === Me.name() ? "mine" : ""]);
    byId("players").replaceChildren(...drawCurve(view, addUp(data), words), make("h2", "", index.players),
      make("div", "wide", Panels.table(heads, rows)),
      Panels.note(index.intervals));
  }

  // The running totals of all players, the reader and those with the most games first.
  function addUp(data) {
    const isMe = player => player.name === Me.name();
    const order = data.players.slice().sort((a, b) => isMe(b) - isMe(a) || b.games - a.games);
    const names = order.map(player => player.name), games = data.games.filter(game => game.scores);
    const totals = [names.map(() => 0)];
    for (const game of games) {
      const scoreOf = name => game.players.reduce(
        (sum, player, seat) => sum + (player === name ? game.scores[seat] : 0), 0);
      totals.push(totals.at(-1).map((total, index) => total + scoreOf(names[index])));
    }
    return {names, totals, games};
  }

  // The colour of a player's line: those of the seats, then hues far from each other.
  function colour(node, index) {
    if (index < 4) node.classList.add(`seat-${index}`);
    else node.style.setProperty("--seat", `hsl(${Math.round(137.5 * index) % 360} 55% 52%)`);
    return node;
  }

  function makeScale({totals, games}, width) {
    const {height, left, right, top, bottom} = CURVE, ground = height - bottom;
    const low = Math.min(...totals.flat()), high = Math.max(...totals.flat(), low + 1);
    const size = 10 ** Math.floor(Math.log10(high - low)), count = (high - low) / size;
    return {width, low, high, step: size * (count > 4 ? 2 : count > 2 ? 1 : .5),
      x: number => left + (width - left - right) * number / games.length,
      y: total => ground - (ground - top) * (total - low) / (high - low)};
  }

  const label = (x, y, anchor, content) => element("text", {x, y, "text-anchor": anchor}, String(content));

  // The lines of equal totals with their numbers, and the numbers of the games.
  function drawGrid(view, {games}, scale) {
    const {height, left, right, labelWidth} = CURVE, nodes = [];
    const every = Math.ceil(games.length / (scale.width / labelWidth));
    for (let total = Math.ceil(scale.low / scale.step) * scale.step; total <= scale.high; total += scale.step) {
      const y = scale.y(total);
      const className = total ? "grid" : "grid zero";
      nodes.push(element("line", {class: className, x1: left, x2: scale.width - right, y1: y, y2: y}),
        label(left - 6, y + 4, "end", signed(total)));
    }
    games.forEach((game, index) => {
      const number = view.session ? game.session.hand + 1 : index + 1;
      if (number % every === 0) nodes.push(label(scale.x(index + .5), height - 5, "middle", number));
    });
    return nodes;
  }

  // The line of a player, from the first to the last game that he or she played.
  function drawLine({names, totals, games}, index, scale) {
    const name = names[index], played = games.flatMap((game, number) => game.players.includes(name) ? [number] : []);
    const numbers = played.length ? [played[0], ...played.map(number => number + 1)] : [];
    const points = numbers.map(number => [scale.x(number), scale.y(totals[number][index])]);
    const line = element("polyline", {points: points.join(" ")});
    if (name && name === Me.name()) line.classList.add("mine");
    const dots = games.length <= CURVE.mostDots ? points.map(([cx, cy]) => element("circle", {cx, cy, r: 3})) : [];
    return [line, ...dots].map(node => colour(node, index));
  }

  // A game as a band that leads to its page and tells the totals after it.
  function drawBand(view, {names, totals, games}, number, scale, words) {
    const game = games[number], band = element("a", {href: addressOf(view, game)}, element("rect", {
      x: scale.x(number), y: 0, width: scale.x(1) - CURVE.left, height: CURVE.height}));
    const list = names.flatMap((name, index) =>
      game.players.includes(name) ? [`${name} ${signed(totals[number + 1][index])}`] : []);
    band.append(element("title", {}, `${nameOf(view, game, words)}: ${list.join(", ")}`));
    return band;
  }

  // The totals of players before the first game and after each, as lines. curve: {names, totals, games}.
  function drawCurve(view, curve, words) {
    const {names, games} = curve, {height} = CURVE;
    if (!names.length || !games.length) return [];
    const width = Math.max(280, byId(view.session ? "session" : "players").clientWidth - 30);
    const scale = makeScale(curve, width);
    const graph = element("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": words.index.curve}, ...drawGrid(view, curve, scale),
    ...names.flatMap((name, index) => drawLine(curve, index, scale)),
    ...games.map((game, number) => drawBand(view, curve, number, scale, words)));
    const legend = names.map((name, index) =>
      make("span", "action", colour(make("span", "dot"), index), named(view, name, words)));
    return [make("h2", "", words.index.curve), make("div", "small legend", ...legend), make("div", "curve", graph)];
  }

  // The rows of a session's table: [title, function of a player, class].
  function listFigures(view, words) {
    const {data, session} = view, {index} = words, count = (share, player) => String(Math.round(share * player.games));
    const total = player => session.totals.at(-1)[session.players.indexOf(player)];
    const rows = [
      [index.totals, player => signed(total(player)), "total"],
      [index.places, player => player.places === null ? "–" : String(Number(player.places.toFixed(2)))],
      [index.winRate, player => count(player.wins[0], player)],
      [index.dealInRate, player => count(player.deal_ins[0], player)],
      ...index.sources.map((source, kind) => [source, player => signed(player.sources[kind])]),
    ];
    if (data.unit) rows.push([fill(words.lost, Panels.unitName(data.unit, words)), player => formatLoss(player.lost)]);
    if (data.tactic) rows.push([index.mistakes, player => player.mistakes === null ? "–" : String(player.mistakes)]);
    return {rows, total};
  }

  // A session: its running totals, and each player's figures, the first player first.
  function renderSession(view, words) {
    const {data, session} = view, {index} = words;
    byId("session").hidden = !session;
    if (!session) return;
    const {rows, total} = listFigures(view, words);
    const players = session.players.slice().sort((a, b) => total(b) - total(a));
    const heads = players.map(player =>
      make("span", "", make("span", `dot seat-${session.players.indexOf(player)}`), " ", player.name));
    const curve = {names: session.names, totals: session.totals,
      games: session.games.map(number => data.games[number])};
    byId("session").replaceChildren(...drawCurve(view, curve, words),
      Panels.table(["", ...heads], rows.map(([title, tell, className = ""]) =>
        [[title, ...players.map(tell)], className])),
      Panels.note(players.some(player => player.places !== null) ? index.placing : ""));
  }

  // A session in the list: its title and its players' totals.
  function sessionLine(view, session, words) {
    const {index} = words, totals = session.names.map((name, player) => {
      const {places} = session.players[player] || {}, text = `${name} ${signed(session.totals.at(-1)[player])}`;
      return typeof places === "number" ?
        text + fill(words.aside, `${Number(places.toFixed(2))} ${index.places}`) : text;
    });
    return button("link", () => turnTo(view, session), make("b", "", session.title || index.session),
      make("span", "soft", index.title(session.games.length)), make("span", "", totals.join(" · ")));
  }

  // Several sessions, each with its players' totals.
  function renderSessions(view, words) {
    const {sessions} = view.data, {index} = words;
    byId("sessions").hidden = sessions.length < 2 || Boolean(view.session);
    byId("sessions").replaceChildren(make("h2", "", index.sessions),
      ...sessions.map(session => sessionLine(view, session, words)));
    byId("whole").hidden = sessions.length < 2 || !view.session;
    byId("whole").textContent = "← " + index.whole;
  }

  return {renderPlayers, renderSession, renderSessions};
})();
