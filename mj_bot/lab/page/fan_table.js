// The 81 fans in a dialog that every page opens, or on a page of their own, in Chinese and English side by side.
"use strict";

const FanTable = (() => {
  const TEXTS = [
    "会日本麻将的读者：国标没有立直、没有振听、没有宝牌，有役也不够，要满 8 番（花牌不算）才能和。点炮者付 8 + 番数，另外两家各付 8；自摸时三家各付 8 + 番数。",
    "If you play riichi mahjong: there is no riichi, no furiten and no dora. One yaku is not enough: a win needs 8 fan, flowers not counted. Who deals in pays 8 plus the fan, and the other two pay 8 each; after a self-drawn win each of the three pays 8 plus the fan.",
    "最后一张是和的牌。“同时计”是裁判在例子里另外算的番。“不另计”的番在有这个番时从不计。箭刻、风刻的刻子不再计幺九刻。",
    "The last tile is the winning one. \"Also counted\" are the other fans that the judge counts in the example. \"Never with it\" are the fans that are not counted where this fan is. A pung that counts as dragons or a wind is no pung of terminals or honours.",
  ];
  const HEADS = ["番 · fan", "", "例子 · example", "同时计 · also counted", "不另计 · never with it"];
  const names = new Map(FAN_ROWS.map(([name, english]) => [name, english]));
  const make = (kind, ...children) => Panels.make(kind, "", ...children);
  const lines = nodes => nodes.map(each => make("div", ...each));
  // A fan's two names, each with the card of its example.
  const bilingual = name => {
    const chinese = Fans.nameFan(name, name), english = Fans.nameFan(name, names.get(name), names.get(name));
    chinese.tabIndex = 0;
    return [chinese, " ", english];
  };

  function fill(element) {
    const rows = FAN_ROWS.map(([name, english, points, counted, excluded]) => make("tr", ...[
      [String(points)], lines([[name], [english]]), Fans.readTiles(FAN_EXAMPLES[name]).flat().map(tile => MjTable.icon(tile, 24)),
      lines(counted.map(([other, worth]) => [...bilingual(other), ` ${worth}`])),
      lines(excluded.map(bilingual)),
    ].map(content => make("td", ...content))));
    const table = make("table", make("tr", ...HEADS.map(head => make("th", head))), ...rows);
    table.className = "all-fans";
    element.append(...TEXTS.map(text => make("p", text)), table);
  }

  function open() {
    const dialog = make("dialog", Panels.button("", () => dialog.close(), "关闭 · close"));
    dialog.className = "card";
    dialog.addEventListener("close", () => dialog.remove());
    // The keys of the page below move its table.
    dialog.addEventListener("keydown", event => event.stopPropagation());
    fill(dialog);
    document.body.append(dialog);
    dialog.showModal();
  }

  document.addEventListener("DOMContentLoaded", () => {
    const own = document.getElementById("all-fans"), place = document.querySelector("header .switches");
    if (own) fill(own);
    if (own || !place || document.querySelector('a[href="fans"]')) return;
    const button = Panels.button("", open, "81 番");
    button.id = "open-fans";
    place.prepend(button);
  });
})();
