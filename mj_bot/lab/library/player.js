// A player's page: what player_summary.py puts into the element #data.
"use strict";

(() => {
  const {byId} = Panels;
  const view = PlayerState.begin(JSON.parse(byId("data").textContent));

  function renderHeader(words) {
    const {data, language} = view, all = WORDS[language], [name] = data.names;
    document.documentElement.lang = language;
    byId("title").textContent = document.title = words.title(Panels.player(name, all));
    byId("language").textContent = all.other;
    byId("picture").textContent = words.picture;
    byId("back").hidden = byId("learn").hidden = data.base === null;
    byId("learn").textContent = all.play.learn;
    byId("learn").href = `${data.base}learn#${Address.format({language, player: name})}`;
    byId("back").textContent = "← " + words.library;
    byId("back").href = `${data.base}library#${Address.format({language})}`;
  }

  function render() {
    const words = PlayerState.findWords(view);
    renderHeader(words);
    PlayerFigures.renderFilters(view, words);
    PlayerLeaks.renderSummary(view, words);
    PlayerFigures.renderResults(view, words);
    PlayerFigures.renderCurve(view, words);
    PlayerFigures.renderPictures(view, words);
    PlayerLeaks.renderLeaks(view, words);
    PlayerLeaks.renderGroups(view, words);
    PlayerFigures.renderSessions(view, words);
    PlayerFigures.renderFans(view, words);
    // Before the first review there is nothing to tell.
    for (const id of ["summary", "results", "curve", "leaks", "groups"]) byId(id).hidden = !view.data.games;
    Address.write({language: view.language});
  }

  byId("picture").addEventListener("click", () => PlayerExport.savePicture(view, PlayerState.findWords(view)));
  byId("language").addEventListener("click", () => {
    view.language = view.language === "en" ? "zh" : "en";
    render();
  });
  window.addEventListener("resize", () => PlayerFigures.renderCurve(view, WORDS[view.language].player));
  render();
})();
