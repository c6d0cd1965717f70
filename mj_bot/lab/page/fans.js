// A card with an example hand for each fan that a page names: it opens under the name by pointer, touch or keyboard.
"use strict";

const Fans = (() => {
  const {make} = Panels, LETTERS = {m: "W", s: "T", p: "B"}, HONOURS = {E: "F1", S: "F2", W: "F3", N: "F4", C: "J1", F: "J2", P: "J3"};
  const CONTROLS = "a, button, summary";
  const card = make("div", "card fan-card");
  card.id = "fan-card";
  card.setAttribute("role", "tooltip");

  // The tiles of an example, of each meld and of the rest a list; the last tile is the winning one.
  function readTiles(example) {
    const [hand] = example.split("|"), groups = hand.replaceAll(/,\d/g, "").split(/[\[\]]/).filter(Boolean);
    return groups.map(group => [...group.matchAll(/(\d+)([msp])|([ESWNCFP])/g)].flatMap(([, ranks, suit, honour]) =>
      honour ? [HONOURS[honour]] : [...ranks].map(rank => LETTERS[suit] + rank)));
  }

  function open(mark) {
    const row = make("div", "hand"), groups = readTiles(FAN_EXAMPLES[mark.dataset.fan]);
    for (const [place, tiles] of groups.entries()) {
      const isRest = place === groups.length - 1, last = isRest ? tiles.pop() : null;
      if (place) row.append(make("span", "gap"));
      row.append(...tiles.map(name => MjTable.icon(name, 20)), ...(last ? [make("span", "gap"), MjTable.icon(last, 20)] : []));
    }
    const words = WORDS[document.documentElement.lang] || WORDS.en;
    card.replaceChildren(make("b", "", mark.dataset.fan, mark.dataset.english ? ` · ${mark.dataset.english}` : ""), row, make("div", "soft small", words.fanExample));
    // A dialog hides what is outside it. The card scrolls with what it explains.
    const dialog = mark.closest("dialog"), frame = dialog && dialog.getBoundingClientRect();
    const [left, top] = dialog ? [dialog.scrollLeft - frame.left - dialog.clientLeft, dialog.scrollTop - frame.top - dialog.clientTop] : [scrollX, scrollY];
    (dialog || document.body).append(card);
    const right = dialog ? frame.left + dialog.clientLeft + dialog.clientWidth : document.documentElement.clientWidth;
    const box = mark.getBoundingClientRect(), room = right - card.offsetWidth - 8;
    card.style.left = `${left + Math.max(8, Math.min(box.left, room))}px`;
    const isBelow = box.bottom + card.offsetHeight + 6 < innerHeight || box.top < card.offsetHeight + 6;
    card.style.top = `${top + (isBelow ? box.bottom + 4 : box.top - card.offsetHeight - 4)}px`;
    mark.setAttribute("aria-describedby", card.id);
  }

  const close = () => card.remove();

  // A fan's name that opens its card. name: the Chinese one. english: its English name where the text is English.
  function nameFan(name, text, english) {
    const made = make("span", "fan-name", text);
    made.dataset.fan = name;
    if (english) made.dataset.english = english;
    return made;
  }

  // Marks the fans that the texts of an element name. names: {Chinese: English}.
  function mark(root, names, words) {
    if (!root) return;
    const isChinese = words !== WORDS.en, byText = new Map(Object.entries(names).filter(([name]) => FAN_EXAMPLES[name]).map(
      ([name, english]) => [isChinese ? name : english.toLowerCase(), name]));
    const texts = [...byText.keys()].sort((one, other) => other.length - one.length);
    if (!texts.length) return;
    const pattern = new RegExp(isChinese ? texts.join("|") : `\\b(?:${texts.join("|")})\\b`, "gi");
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), nodes = [];
    while (walker.nextNode()) if (!walker.currentNode.parentNode.closest("svg, select, .fan-name")) nodes.push(walker.currentNode);
    for (const node of nodes) {
      const parts = [];
      let from = 0;
      for (const found of node.data.matchAll(pattern)) {
        const name = byText.get(found[0].toLowerCase()), made = nameFan(name, found[0], isChinese ? "" : names[name]);
        // Inside a control the name is read with it, and the keyboard stops at the control alone.
        if (!node.parentNode.closest(CONTROLS)) made.tabIndex = 0;
        parts.push(node.data.slice(from, found.index), made);
        from = found.index + found[0].length;
      }
      if (parts.length) node.replaceWith(...parts, node.data.slice(from));
    }
  }

  const at = event => event.target instanceof Element && event.target.closest(".fan-name");
  for (const kind of ["mouseover", "focusin", "click"]) document.addEventListener(kind, event => {
    const found = at(event);
    if (found && !(event.type === "click" && found.closest(CONTROLS))) open(found);
    else if (kind !== "focusin") close();
  });
  document.addEventListener("focusout", close);
  document.addEventListener("keydown", event => { if (event.key === "Escape") close(); });

  return {mark, nameFan, readTiles};
})();
