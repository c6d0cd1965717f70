// A player's page: what player_summary.py puts into the element #data.
"use strict";

(async () => {
  const {byId} = Panels;
  const view = PlayerState.begin(await Panels.readData());

  function renderLinks(words) {
    const {data, language} = view, all = Head.draw(view, each => Panels.player(data.names[0], each));
    byId("me").replaceChildren(Me.button(data.names[0], all, render));
    byId("back").hidden = byId("learn").hidden = data.base === null;
    byId("learn").textContent = all.play.learn;
    byId("learn").href = `${data.base}learn#${Address.format({language, player: data.names[0]})}`;
    byId("back").textContent = "← " + words.library;
    byId("back").href = `${data.base}library#${Address.format({language})}`;
  }

  function render() {
    const words = PlayerState.findWords(view);
    renderLinks(words);
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

  Head.listen(view, render);
  window.addEventListener("resize", () => PlayerFigures.renderCurve(view, WORDS[view.language].player));
  render();
})();
