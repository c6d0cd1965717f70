// The table of several reviewed games: what overview.py puts into the element #data.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = id => document.getElementById(id);
  const {make, signed} = Panels;
  const shown = {language: findLanguage(), column: "total", isRising: false};

  const format = loss => loss === null ? "–" : Panels.format(loss, data.unit);
  const total = game => game.losses.every(loss => loss === null) ? null : game.losses.reduce((sum, loss) => sum + loss, 0);
  const address = (game, seat, frame) => `${game.link}#language=${shown.language}` +
    (seat === undefined ? "" : `&seat=${seat}&frame=${frame}`);

  function link(game, text, ...place) {
    const made = make("a", "", text);
    made.href = address(game, ...place);
    return made;
  }

  function describeEnd(game, words) {
    if (game.error) return make("span", "bad", `${words.index.broken}: ${game.error}`);
    const {end} = game;
    if (!end) return words.unfinished;
    if (end.verdict === "HUANG") return words.index.drawn;
    if (end.verdict !== "HU") return `${words.seats[end.seat]} ${words.erred}: ${end.verdict}`;
    return `${words.seats[end.seat]} ${end.fan ? `${end.fan} ${words.fan}` : words.wins}` +
      (end.from === null ? ` · ${words.selfDrawn}` : ` ← ${words.seats[end.from]}`);
  }

  // What each column is sorted by; null goes last.
  const sorters = {
    game: (game, index) => -index, round: game => game.wind === null ? null : -game.wind,
    end: game => game.end && game.end.fan || 0, total,
    0: game => game.losses[0], 1: game => game.losses[1], 2: game => game.losses[2], 3: game => game.losses[3],
  };

  function renderGames(words) {
    const columns = [["game", words.index.game], ["round", words.index.round], ["end", words.index.end],
      ...words.seats.map((name, seat) => [String(seat), name]), ["total", words.index.total]];
    const head = make("tr", "", ...columns.map(([column, text]) => {
      const button = make("button", "", text);
      button.type = "button";
      button.addEventListener("click", () => {
        shown.isRising = shown.column === column && !shown.isRising;
        shown.column = column;
        render();
      });
      const made = make("th", column !== shown.column ? "" : shown.isRising ? "sorted rising" : "sorted", button);
      made.dataset.column = column;
      return made;
    }));
    const keyed = data.games.map((game, index) => [sorters[shown.column](game, index), index]);
    const sign = shown.isRising ? 1 : -1;
    keyed.sort(([a, i], [b, j]) => (a === null) - (b === null) || sign * (a - b) || i - j);
    const rows = keyed.map(([, index]) => {
      const game = data.games[index];
      const row = make("tr", "",
        make("td", "", link(game, game.name), game.file === game.name ? null : make("small", "", game.file)),
        make("td", "", game.wind === null ? "–" : words.winds[game.wind]),
        make("td", "", describeEnd(game, words)),
        ...words.seats.map((name, seat) => make("td", "", game.scores ? signed(game.scores[seat]) : "–",
          make("i", "", format(game.losses[seat])), game.players[seat] ? make("small", "", game.players[seat]) : null)),
        make("td", "", format(total(game))));
      row.dataset.game = index;
      return row;
    });
    const unit = words.units[data.unit] || data.unit;
    byId("games").replaceChildren(
      make("p", "soft small told", words.index.seatNote + " " + words.index.sort + " " +
        (unit ? fill(words.index.reviewer, unit, data.tactic) : "")),
      make("div", "wide", make("table", "", head, ...rows)));
  }

  function renderWorst(words) {
    const lines = data.worst.map(made => {
      const game = data.games[made.game];
      const line = Panels.mistake("a", made, `${game.name} · ${words.seats[made.seat]} #${made.frame}`, data.unit, words);
      line.href = address(game, made.seat, made.frame);
      return line;
    });
    byId("worst").hidden = !data.tactic;
    byId("worst").replaceChildren(make("h2", "", words.index.worst), make("div", "list", ...lines),
      lines.length ? "" : make("p", "soft small", words.index.none));
  }

  function renderPlayers(words) {
    const share = value => `${(100 * value).toFixed(1)}%`;
    byId("players").hidden = !data.players.length;
    document.querySelector("main").classList.toggle("nameless", !data.players.length);
    const {index} = words;
    byId("players").replaceChildren(make("h2", "", index.players), make("div", "wide", Panels.table(
      [words.player, index.games, index.winRate, index.dealInRate, index.points, index.lossRate, index.rating],
      data.players.map(player => [[player.name, String(player.games), share(player.wins), share(player.deal_ins),
        signed(Number(player.score.toFixed(2))), format(player.loss),
        player.rating ? signed(player.rating[0]) + (player.rating.length > 1
          ? ` (${signed(player.rating[1])} .. ${signed(player.rating[2])})` : "") : "–"],
      ""]))), data.rated ? "" : make("p", "soft small", index.noRating));
  }

  function render() {
    const words = WORDS[shown.language];
    document.documentElement.lang = shown.language;
    byId("title").textContent = document.title = words.index.title(data.games.length);
    byId("language").textContent = words.other;
    renderWorst(words);
    renderPlayers(words);
    renderGames(words);
    history.replaceState(null, "", `#language=${shown.language}`);
  }

  byId("language").addEventListener("click", () => {
    shown.language = shown.language === "en" ? "zh" : "en";
    render();
  });
  render();
})();
