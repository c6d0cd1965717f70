// The keyboard: a key for everything that a click does.
"use strict";

const Keys = (() => {
  const {make, byId} = Panels;

  let cursor = null;  // index in the hand of the tile that the keys have reached
  let pointer = "";   // what pressed last: "mouse", "touch", "pen"

  const listTiles = () => [...document.querySelectorAll("#hand .tile")];
  const last = () => listTiles().length - 1;

  // Moves to the tile nearest to an index in the hand that may be discarded.
  function reach(index) {
    const tiles = listTiles(), free = tiles.filter(tile => !tile.disabled);
    if (!free.length) return;
    const far = tile => Math.abs(tiles.indexOf(tile) - index);
    const nearest = free.reduce((best, other) => far(other) < far(best) ? other : best);
    cursor = tiles.indexOf(nearest);
    nearest.focus();
  }

  // Goes back to the tile that the keys had reached, once the hand is drawn anew.
  function restore() {
    if (cursor !== null && document.activeElement === document.body) reach(cursor);
  }

  // The button of an action; of several in turn the one after that which has the focus.
  function press(kinds) {
    const buttons = [...document.querySelectorAll("#actions button")].filter(element =>
      kinds.includes(element.dataset.action.split(" ")[0]));
    if (buttons.length === 1) buttons[0].click();
    else if (buttons.length) buttons[(buttons.indexOf(document.activeElement) + 1) % buttons.length].focus();
  }

  // Lists the keys in the page's language.
  function render() {
    byId("key-list").replaceChildren(...Play.say.keyList.map(([keys, text]) =>
      make("div", "", make("dt", "", ...keys.split("  ").map(key => make("kbd", "", key))), make("dd", "", text))));
  }

  // Closes the settings, else answers the question at eight fan or the coach, else calls the chosen claim off.
  function escape() {
    if (byId("settings").open) {
      byId("settings").open = false;
      byId("settings").querySelector("summary").focus();
    } else if (Play.asked) {
      Advice.wait();
    } else if (Play.stopped) {
      Advice.takeBack();
    } else {
      press(["cancel"]);
    }
  }

  // Opens or closes the card of the keys.
  function showKeys() {
    const card = byId("keys");
    card.open = !card.open;
    if (card.open) card.scrollIntoView({block: "nearest"});
  }

  const KEYS = {
    ArrowLeft: () => reach(cursor === null ? last() : cursor - 1),
    ArrowRight: () => reach(cursor === null ? 0 : cursor + 1),
    Home: () => reach(0), End: () => reach(last()),
    x: () => press(["PASS"]), c: () => press(["CHI"]), p: () => press(["PENG"]), k: () => press(["GANG", "BUGANG"]),
    w: () => Play.asked ? Advice.winNow() : press(["HU"]),
    n: () => press(byId("actions").querySelector("[data-action=next]") ? ["next"] : ["new"]),
    Escape: escape, s: () => Play.stopped && Advice.letStand(), e: () => Play.stopped && Advice.explain(),
    u: () => byId("undo").click(), h: () => byId("hints").click(), l: () => Setup.changeLanguage(),
    f: () => Play.game.is_standard && FanTable.open(), "?": showKeys,
  };

  document.addEventListener("keydown", event => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const isTyping = event.target.closest("input:not([type=checkbox]), select");
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping || (byId("setup").open && key !== "l")) return;
    const run = /^[0-9]$/.test(key) ? () => reach((Number(key) + 9) % 10) : Object.hasOwn(KEYS, key) && KEYS[key];
    if (!run) return;
    event.preventDefault();
    run();
  });
  document.addEventListener("pointerdown", event => { pointer = event.pointerType; cursor = null; }, true);

  return {render, restore, get pointer() { return pointer; }};
})();
