// The list of the library, or the page for an address that is no more: what library_pages.py puts into the element
// #data.
"use strict";

(async () => {
  const {make, byId, signed, player} = Panels;
  const data = await Panels.readData(), view = {language: findLanguage()};
  const MOST_TITLE = 20, TITLE_END = 8;
  const address = path => `${data.base}${path}#${Address.format({language: view.language})}`;
  const link = (path, ...children) => Panels.link("", address(path), ...children);

  // A long id of a platform by its end.
  const shorten = title => title.length > MOST_TITLE ? `…${title.slice(-TITLE_END)}` : title;

  function tellResult(game, words) {
    const {library} = words;
    if (game.error) return make("span", "bad", library.broken);
    const isDrawn = game.verdict === "HUANG";
    const result = game.winner === null ? isDrawn && library.drawn : library.won(words.seats[game.winner], game.fan);
    return make("span", "", result || "", game.tactic === null ? make("small", "soft", ` ${library.waiting}`) : null);
  }

  const isGone = data.count === null;
  const tellTitle = ({library}) => isGone ? library.title : `${library.title} · ${library.games(data.count)}`;

  function renderLinks({library, play}) {
    byId("back").textContent = "← " + library.table;
    byId("back").href = data.base || "./";
    byId("learn").textContent = play.learn;
    byId("learn").href = address("learn");
  }

  function renderGone({library}) {
    byId("gone").hidden = data.count > 0;
    byId("gone").replaceChildren(make("p", "", isGone ? library.gone : library.empty),
      make("p", "soft small", data.reason), isGone ? link("library", library.title) : "");
  }

  function renderPlayers(words) {
    const {library} = words;
    byId("players").hidden = !data.players.length;
    byId("players").replaceChildren(make("h2", "", library.players), ...data.players.map(({name, others, games}) =>
      link(`player/${encodeURIComponent(name)}`, [player(name, words), ...others].join(", "),
        make("small", "soft", ` ${library.games(games)}`))));
  }

  function gameRow(game, words) {
    const {library} = words, day = Panels.day(game.time, view.language);
    const title = [game.file, game.hand === null ? shorten(game.title) : library.hand(game.hand + 1)];
    const players = game.players.map((name, seat) =>
      (player(name, words) || words.winds[seat]) + (game.scores ? ` ${signed(game.scores[seat])}` : ""));
    return [[day, link(`past/${game.key}`, title.filter(Boolean).join(" · ")),
      words.player.platforms[game.platform] || game.platform || "–", players.join(" · "), tellResult(game, words)], ""];
  }

  function renderGames(words) {
    const {library} = words, {games, after, most, count} = data;
    const turns = make("div", "pages",
      after ? link(`library?after=${Math.max(0, after - most)}`, "← " + library.later) : "",
      after + games.length < count ? link(`library?after=${after + most}`, library.earlier + " →") : "");
    const heads = [library.day, library.file, library.platform, library.players.toLowerCase(), library.result];
    byId("games").hidden = !games.length;
    byId("games").replaceChildren(
      make("div", "wide", Panels.table(heads, games.map(game => gameRow(game, words)))), turns);
  }

  function render() {
    const words = Head.draw(view, tellTitle);
    renderLinks(words);
    renderGone(words);
    renderPlayers(words);
    renderGames(words);
    Address.write({language: view.language});
  }

  Head.listen(view, render);
  render();
})();
