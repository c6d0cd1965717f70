// The 81 fans in a dialog that every page opens, or on a page of their own, in Chinese and English side by side.
"use strict";

const FanTable = (() => {
  const names = new Map(FAN_ROWS.map(([name, english]) => [name, english]));
  const make = (kind, ...children) => Panels.make(kind, "", ...children);
  const lines = lists => lists.map(nodes => make("div", ...nodes));
  // A fan's two names, each with the card of its example.
  const bilingual = name => {
    const chinese = Fans.nameFan(name, name), english = Fans.nameFan(name, names.get(name), names.get(name));
    chinese.tabIndex = 0;
    return [chinese, " ", english];
  };

  function fill(element) {
    const rows = FAN_ROWS.map(([name, english, points, , counted, excluded]) => make("tr", ...[
      [String(points)], lines([[name], [english]]),
      Fans.EXAMPLES.get(name).flat().map(tile => MjTable.icon(tile, 24)),
      lines(counted.map(([other, worth]) => [...bilingual(other), ` ${worth}`])),
      lines(excluded.map(bilingual)),
    ].map(content => make("td", ...content))));
    const heads = WORDS.zh.fanHeads.map((head, index) => [head, WORDS.en.fanHeads[index]].filter(Boolean).join(" · "));
    const table = make("table", make("tr", ...heads.map(head => make("th", head))), ...rows);
    table.className = "all-fans";
    const texts = [0, 1].flatMap(index => [WORDS.zh, WORDS.en].map(words => make("p", words.allFans[index])));
    element.append(...texts, table);
  }

  function open() {
    const close = [WORDS.zh, WORDS.en].map(words => words.review.close).join(" · ");
    const dialog = make("dialog", Panels.button("", () => dialog.close(), close));
    dialog.className = "card";
    dialog.addEventListener("close", () => dialog.remove());
    // The keys of the page below move its table.
    dialog.addEventListener("keydown", event => event.stopPropagation());
    fill(dialog);
    document.body.append(dialog);
    dialog.showModal();
  }

  document.addEventListener("DOMContentLoaded", () => {
    const own = document.getElementById("all-fans"), switches = document.querySelector("header .switches");
    if (own) fill(own);
    if (own || !switches || document.querySelector('a[href="fans"]')) return;
    const button = Panels.button("", open, "81 番");
    button.id = "open-fans";
    switches.prepend(button);
  });
})();
