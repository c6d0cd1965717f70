// Any hand: tiles are clicked or written, the server says what the hand is worth, the address carries it.
"use strict";

const Hand = (() => {
  const {make, byId, button, offer} = Panels, {NAMES, FLAGS, WHOLE, wordsOf, countTiles} = HandState;
  const SELECTS = ["prevalent_wind", "seat_wind", "flowers"];

  // After a click: the hand as text, and what it is worth. The clicked tiles stay in the notation of the hand.
  function change(view) {
    byId("text").value = HandState.writeHand(view);
    render(view);
    ask(view, {notation: view.hand.notation});
  }

  async function fetchAnswer(view, query) {
    try {
      const reply = await fetch("hand/answer?" + Address.format(query),
        {headers: {"Accept-Language": view.language}});
      return await reply.json();
    } catch {
      return {error: wordsOf(view).play.silent};
    }
  }

  async function ask(view, {river = HandState.writeRivers(view), notation = ""} = {}) {
    const {unseen, rules} = view, number = ++view.asked;
    const query = {hand: byId("text").value.trim(), river, unseen, rules};
    const answer = await fetchAnswer(view, {...query, notation});
    if (number !== view.asked) return;
    view.error = answer.message || answer.error || null;
    view.answer = view.error ? null : answer;
    if (view.answer) {
      const {hand, melds, rivers} = answer;
      Object.assign(view, {hand, melds, rivers: [0, 1, 2, 3].map(offset => rivers[offset] || [])});
      if (document.activeElement !== byId("text")) byId("text").value = countTiles(view) ? hand.text : "";
      query.hand = hand.text;
    }
    Address.write(query);
    render(view);
  }

  function tileButton(name, width, run) {
    const element = button("tile", run, MjTable.icon(name, width));
    element.dataset.tile = name;
    return element;
  }

  // Tiles and melds that a click takes away.
  function renderHand(view) {
    const {hand, rivers, melds} = view, {rivers: names} = wordsOf(view).hand;
    const remove = (list, index) => () => { list.splice(index, 1); change(view); };
    const showTiles = (list, width) => list.map((name, index) => tileButton(name, width, remove(list, index)));
    const meldTile = (text, name, index, width) => MjTable.icon(text.includes(",") || index % 3 ? name : null, width);
    const showMelds = (list, width) => list.map(([text, ...tiles], index) => button("tile meld", remove(list, index),
      ...tiles.map((name, order) => meldTile(text, name, order, width))));
    const tiles = showTiles(hand.tiles, 42);
    if (countTiles(view) === WHOLE) tiles.at(-1)?.classList.add("last");
    byId("hand").replaceChildren(...tiles, ...showMelds(hand.melds, 34));
    byId("rivers").replaceChildren(...rivers.flatMap((river, offset) => {
      const laid = melds[offset] || [];
      return river.length + laid.length ? [make("p", "row river", make("span", "soft small", names[offset]),
        ...showTiles(river, 24), ...showMelds(laid, 24))] : [];
    }));
  }

  function renderPicker(view) {
    const {hand: texts} = wordsOf(view);
    const targets = [...Object.entries(texts.into), ...texts.rivers.map((text, offset) => [String(offset), text])];
    byId("into").replaceChildren(...targets.map(([into, text]) => {
      const choice = button("", () => { view.into = into; render(view); }, text);
      choice.dataset.into = into;
      choice.setAttribute("aria-pressed", String(into === view.into));
      return choice;
    }));
    byId("kinds").replaceChildren(...NAMES.map(name => {
      const tile = tileButton(name, 46, () => { HandState.take(view, name); change(view); });
      tile.disabled = !HandState.canTake(view, name);
      return tile;
    }));
  }

  function renderFacts(view) {
    const {hand} = view, words = wordsOf(view);
    const number = texts => texts.map((text, index) => [index, text]);
    offer("prevalent_wind", number(words.seats.map(name => name.replace("家", ""))), hand.prevalent_wind);
    offer("seat_wind", number(words.seats), hand.seat_wind);
    offer("flowers", number([...Array(9).keys()]), hand.flowers);
    offer("rules", Object.entries(words.hand.ruleSets), view.rules || "botzone");
    byId("flags").replaceChildren(...FLAGS.map((flag, index) => {
      const box = Object.assign(make("input", ""), {type: "checkbox", id: flag, checked: Boolean(hand[flag])});
      box.addEventListener("change", () => { hand[flag] = box.checked; change(view); });
      return make("label", "", box, words.hand.flags[index]);
    }));
  }

  const render = view => Panels.redraw(() => {
    const words = Head.draw(view, ({hand}) => hand.title, ({hand}) => hand), {error, answer} = view;
    document.querySelector("main").toggleAttribute("data-ready", Boolean(answer || error));
    byId("text").placeholder = byId("text").ariaLabel = words.hand.hint;
    byId("notice").hidden = !error;
    byId("notice").textContent = error || "";
    byId("answer").hidden = Boolean(error);
    renderHand(view);
    renderPicker(view);
    renderFacts(view);
    HandAnswer.renderAnswer(view);
  });

  function listen(view) {
    for (const kind of ["input", "change"]) byId("text").addEventListener(kind, () => ask(view));
    for (const id of SELECTS) {
      byId(id).addEventListener("change", event => { view.hand[id] = Number(event.target.value); change(view); });
    }
    byId("rules").addEventListener("change", event => {
      view.rules = event.target.value === "botzone" ? "" : event.target.value;
      ask(view);
    });
    byId("clear").addEventListener("click", () => { HandState.clear(view); change(view); });
    Head.listen(view, () => render(view));
  }

  // Reads the hand of the address.
  function open(view) {
    const {hand, river, unseen, rules} = Address.read();
    byId("text").value = hand || "";
    Object.assign(view, {unseen: unseen || "", rules: rules || ""});
    ask(view, {river: (river || "").replace(/\/+$/, "")});
  }

  function begin(view) {
    listen(view);
    window.addEventListener("hashchange", () => open(view));
    open(view);
  }

  return {change, begin};
})();

Hand.begin(HandState.make());
