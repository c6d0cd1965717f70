// The list of the library, or the page for an address that is no more: what library_pages.py puts into the element #data.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const {make, byId, signed, player} = Panels;
  const shown = {language: findLanguage()};
  const link = (address, ...children) => Object.assign(make("a", "", ...children), {href: `${data.base}${address}#language=${shown.language}`});
  const day = seconds => new Date(seconds * 1000).toLocaleDateString(shown.language === "zh" ? "zh-CN" : "en-CA");

  // A long id of a platform by its end.
  const shorten = title => title.length > 20 ? `…${title.slice(-8)}` : title;

  function tellResult(game, all, words) {
    if (game.error) return make("span", "bad", words.broken);
    const won = game.winner === null ? game.verdict === "HUANG" ? words.drawn : "" : words.won(all.seats[game.winner], game.fan);
    return make("span", "", won, game.tactic === null ? make("small", "soft", ` ${words.waiting}`) : null);
  }

  function render() {
    const all = WORDS[shown.language], words = all.library, {games, players} = data;
    document.documentElement.lang = shown.language;
    byId("title").textContent = document.title = data.isGone ? words.title : `${words.title} · ${words.games(data.count)}`;
    byId("language").textContent = all.other;
    byId("back").textContent = "← " + words.table;
    byId("back").href = data.base || "./";
    byId("learn").textContent = all.play.learn;
    byId("learn").href = `${data.base}learn#language=${shown.language}`;
    byId("gone").hidden = data.count > 0;
    byId("gone").replaceChildren(make("p", "", data.isGone ? words.gone : words.empty), make("p", "soft small", data.reason), data.isGone ? link("library", words.title) : "");
    byId("players").hidden = !players.length;
    byId("players").replaceChildren(make("h2", "", words.players), ...players.map(({name, others, games: count}) =>
      link(`player/${encodeURIComponent(name)}`, [player(name, all), ...others].join(", "), make("small", "soft", ` ${words.games(count)}`))));
    byId("games").hidden = !games.length;
    const turn = data.after, pages = make("div", "pages", turn ? link(`library?after=${Math.max(0, turn - data.most)}`, "← " + words.later) : "",
      turn + games.length < data.count ? link(`library?after=${turn + data.most}`, words.earlier + " →") : "");
    byId("games").replaceChildren(make("div", "wide", Panels.table([words.day, words.file, words.platform, words.players.toLowerCase(), words.result], games.map(game => [[
      day(game.time), link(`past/${game.key}`, [game.file, game.hand === null ? shorten(game.title) : words.hand(game.hand + 1)].filter(Boolean).join(" · ")),
      all.player.platforms[game.platform] || game.platform || "–",
      game.players.map((name, seat) => `${player(name, all) || all.winds[seat]}${game.scores ? ` ${signed(game.scores[seat])}` : ""}`).join(" · "), tellResult(game, all, words)], ""]))), pages);
    byId("forecasts").hidden = !data.forecasts;
    byId("forecasts").replaceChildren(...Panels.forecasts(data.forecasts, words.judge, all));
    history.replaceState(null, "", `${location.search}#language=${shown.language}`);
  }

  byId("language").addEventListener("click", () => {
    shown.language = shown.language === "en" ? "zh" : "en";
    render();
  });
  render();
})();
