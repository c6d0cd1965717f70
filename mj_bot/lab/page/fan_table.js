// The 81 fans with an example each, in one language: in a dialog that every page opens, or on a page of their own.
"use strict";

const FanTable = (() => {
  const {make, byId, button} = Panels;
  const names = new Map(FAN_ROWS.map(([name, english]) => [name, english]));

  // A fan's name in the language of the page, with the card of its example.
  function nameFan(name, words) {
    const english = words === WORDS.en ? names.get(name) : "", element = Fans.nameFan(name, english || name, english);
    element.tabIndex = 0;
    return element;
  }

  const lines = lists => lists.map(nodes => make("div", "", ...nodes));

  function buildRow([name, english, points, tiles, counted, excluded], words) {
    const yaku = Terms.isRiichi && words.yaku[name], heads = words.fanHeads;
    const cells = [
      [String(points)],
      [make("b", "", words === WORDS.en ? english : name), words === WORDS.en ? make("div", "soft small", name) : null,
        yaku ? make("div", "small yaku", yaku) : null],
      Fans.handTiles(tiles, 24),
      lines(counted.map(([other, worth]) => [nameFan(other, words), ` ${worth}`])),
      lines(excluded.map(other => [nameFan(other, words)]))];
    const row = make("tr", "", ...cells.map((nodes, index) => {
      const cell = make("td", "", ...nodes);
      cell.dataset.head = heads[index];
      return cell;
    }));
    row.dataset.points = points;
    row.dataset.text = `${name} ${english} ${yaku || ""}`.toLowerCase();
    return row;
  }

  // A field that leaves the fans with a text in their names, and buttons that go to the fans of some points.
  function buildTools(rows, words) {
    const search = make("input", "");
    search.type = "search";
    search.placeholder = search.ariaLabel = words.fanSearch;
    search.addEventListener("input", () => {
      const text = search.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !row.dataset.text.includes(text);
    });
    const jumps = [...new Set(FAN_ROWS.map(row => row[2]))].sort((least, most) => most - least).map(points =>
      button("", () => {
        search.value = "";
        for (const row of rows) row.hidden = false;
        rows.find(row => row.dataset.points === String(points)).scrollIntoView();
      }, String(points)));
    return make("div", "fan-tools", search, ...jumps);
  }

  function fill(element, words) {
    const rows = [...FAN_ROWS].sort((least, most) => most[2] - least[2]).map(row => buildRow(row, words));
    const head = make("tr", "", ...words.fanHeads.map(text => make("th", "", text)));
    const table = make("table", "all-fans", make("thead", "", head), make("tbody", "", ...rows));
    element.replaceChildren(...words.allFans.map(text => make("p", "", text)), buildTools(rows, words), table);
  }

  function open() {
    const words = WORDS[document.documentElement.lang] || WORDS.en, body = make("div", "");
    const dialog = make("dialog", "card", button("", () => dialog.close(), words.review.close), body);
    dialog.addEventListener("close", () => dialog.remove());
    // The keys of the page below move its table.
    dialog.addEventListener("keydown", event => event.stopPropagation());
    fill(body, words);
    document.body.append(dialog);
    dialog.showModal();
  }

  // The page of the fans, which keeps its language as the table does.
  function fillPage(element) {
    const view = {language: findLanguage(Kept.readSettings().language)};
    function render() {
      fill(element, Head.draw(view, ({play}) => play.fanTable, ({play}) => play));
    }
    Head.listen(view, render);
    render();
  }

  document.addEventListener("DOMContentLoaded", () => {
    const own = byId("all-fans"), switches = document.querySelector("header .switches");
    if (own) fillPage(own);
    if (own || !switches || document.querySelector('a[href="fans"]')) return;
    const opener = button("", open, "81 番");
    opener.id = "open-fans";
    switches.prepend(opener);
  });

  return {open};
})();
