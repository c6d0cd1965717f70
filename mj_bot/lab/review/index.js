// The page of several reviewed games: what overview.py puts into the element #data.
"use strict";

const Index = (() => {
  const {byId} = Panels;

  // What is missing: games that break off, and hands of a session that are not here.
  function renderCut(view, words) {
    const {data, session} = view, {index} = words, games = IndexState.listGames(view).map(number => data.games[number]);
    const broken = games.filter(game => game.error).length, hands = session && games[0].session.hands;
    const missing = hands && games.length < hands ? index.missing(games.length, hands) : "";
    byId("error").hidden = !broken && !missing;
    byId("error").textContent = [broken ? index.cut(broken) : "", missing].filter(Boolean).join(" ");
  }

  const render = view => Panels.redraw(() => {
    const {data, session, language} = view;
    const words = Head.draw(view, ({index}) => [session && (session.title || index.session),
      index.title((session || data).games.length)].filter(Boolean).join(" · "));
    renderCut(view, words);
    IndexPlayers.renderSessions(view, words);
    IndexPlayers.renderSession(view, words);
    IndexMistakes.renderMistakes(view, words);
    IndexMistakes.renderKinds(view, words);
    IndexDealIns.render(view, words);
    IndexPlayers.renderPlayers(view, words);
    IndexGames.renderGames(view, words);
    IndexMistakes.renderLearn(view, words);
    Address.write({language, session: session ? data.sessions.indexOf(session) + 1 : null});
  });

  function begin(view) {
    window.addEventListener("hashchange", () => location.reload());
    window.addEventListener("resize", () => render(view));
    Me.watch(() => render(view));
    byId("whole").addEventListener("click", () => IndexState.turnTo(view, null));
    Head.listen(view, () => render(view));
    render(view);
    if (view.data.pending) location.reload();  // as in viewer.js
  }

  return {render, begin};
})();

(async () => Index.begin(IndexState.make(await Panels.readData(), Address.read())))();
