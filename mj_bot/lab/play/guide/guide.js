// The page for newcomers: how a hand reaches eight fan, with tiles, in one language at a time.
"use strict";

(() => {
  const {make, byId} = Panels;
  const WIDTH = 5;  // pixels of a bar for each percent
  const names = Object.fromEntries(FAN_ROWS.map(([name, english]) => [name, english]));
  const view = {language: findLanguage(Kept.readSettings().language)};

  const list = texts => make("ul", "", ...texts.map(text => make("li", "", text)));

  // A way to eight fan: its main fan, how often people win by it, a hand, and what to know.
  function buildWay({fan, hand, share}, words) {
    const bar = make("span", "share");
    bar.style.width = `${WIDTH * share}px`;
    const points = FAN_ROWS.find(([name]) => name === fan)[2], text = fill(words.guide.share, share);
    return make("div", "",
      make("h3", "", make("span", "", words === WORDS.en ? names[fan] : fan),
        make("span", "soft small", `${points} ${words.fan}`), make("span", "soft small", bar, text)),
      make("div", "hand", ...Fans.handTiles(hand, 30)), make("p", "", words.guide.ways[fan]));
  }

  function render() {
    const words = Head.draw(view, each => each.guide.title, each => each.guide.links), {guide} = words;
    const card = (title, ...nodes) => make("section", "card", make("h2", "", title), ...nodes);
    byId("guide").replaceChildren(
      card(guide.goalTitle, ...guide.goal.map(text => make("p", "", text))),
      card(guide.waysTitle, make("p", "soft small", guide.source), ...GUIDE_WAYS.map(way => buildWay(way, words))),
      card(guide.recipesTitle, list(guide.recipes)),
      card(guide.rulesTitle, list(guide.rules)));
    Fans.mark(byId("guide"), names, words);
  }

  Head.listen(view, render);
  render();
})();
