// Elements of a page and numbers as text. All text goes in as text, never as HTML. Other files add to Panels.
"use strict";

const Panels = (() => {
  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children.filter(child => child !== null && child !== undefined));
    return element;
  }

  const byId = id => document.getElementById(id);

  // The page's data, of page/__init__.py; a position that a page of review saves for others is not packed.
  async function readData() {
    const source = byId("data");
    if (source.dataset.packed === undefined) return JSON.parse(source.textContent);
    const bytes = Uint8Array.from(atob(source.textContent), letter => letter.charCodeAt(0));
    const data = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
    delete source.dataset.packed;
    return data;
  }

  function button(className, run, ...children) {
    const element = make("button", className, ...children);
    element.type = "button";
    element.addEventListener("click", run);
    return element;
  }

  function link(className, address, ...children) {
    const element = make("a", className, ...children);
    element.href = address;
    return element;
  }

  // A choice of one of some [value, text]. choose: called with the value.
  function select(options, value, choose) {
    const element = make("select", "", ...options.map(([key, text]) => new Option(text, key)));
    element.value = value;
    element.addEventListener("change", () => choose(element.value));
    return element;
  }

  // Offers some [value, text] in a select that the page has.
  function offer(id, options, value) {
    byId(id).replaceChildren(...options.map(([key, text]) => new Option(text, key)));
    byId(id).value = String(value);
  }

  // Fills a card, or hides it for null.
  function fillCard(id, children) {
    byId(id).hidden = !children;
    byId(id).replaceChildren(...(children || []).filter(child => child !== null));
  }

  // Draws parts of the page again. What the keyboard had reached there keeps the focus.
  function redraw(draw) {
    const focused = document.activeElement;
    const home = focused?.matches(":focus-visible") && focused.parentElement.closest("[id]");
    const list = () => [...home.querySelectorAll("button, a, input, select, summary")];
    const index = home ? list().indexOf(focused) : -1;
    draw();
    if (index >= 0 && document.activeElement === document.body) list()[index]?.focus({preventScroll: true});
  }

  // A part that stays folded or open when it is drawn again.
  const unfolded = new Set();
  function fold(name, title, ...children) {
    const element = make("details", `${name} small`, make("summary", "soft", title), ...children);
    element.open = unfolded.has(name);
    element.addEventListener("toggle", () => unfolded[element.open ? "add" : "delete"](name));
    return element;
  }

  // A table: heads as texts, rows as [cells as texts or nodes, class of the row].
  function table(heads, rows) {
    const cells = (tag, contents) => contents.map(content => make(tag, "", content));
    return make("table", "", make("tr", "", ...cells("th", heads)),
      ...rows.map(([contents, className]) => make("tr", className, ...cells("td", contents))));
  }

  // A text that says more when it is pointed at.
  function titled(text, title) {
    const element = make("span", "hint", text);
    element.title = title;
    return element;
  }

  const note = (...parts) => make("p", "soft small note-line", ...parts);

  // Gives a file to the reader.
  function save(name, address) {
    const element = link("", address);
    element.download = name;
    element.click();
  }

  const signed = score => (score > 0 ? "+" : "") + score;
  const format = value => value.toFixed(2);
  const percent = chance => `${(100 * chance).toFixed(1)}%`;
  const unitName = (unit, words) => words.units[unit] || unit;

  // A time as a day of the reader's calendar.
  const day = (seconds, language) => new Date(seconds * 1000).toLocaleDateString(language === "zh" ? "zh-CN" : "en-CA");

  // A player's name; a person who played here is called "you".
  const player = (name, words) => name === "person" ? words.play.you : name;

  return {make, byId, readData, button, link, select, offer, fillCard, redraw, fold, table, titled, note, save, signed,
    format, percent, unitName, day, player};
})();
