// A card with an example hand for each fan that a page names: it opens under the name by pointer, touch or keyboard.
"use strict";

const Fans = (() => {
  const {make} = Panels;
  const CONTROLS = "a, button, summary";
  const card = make("div", "card fan-card");
  card.id = "fan-card";
  card.setAttribute("role", "tooltip");

  // The tiles of each fan's example, as text: of each meld and of the rest; the last tile is the winning one.
  const EXAMPLES = new Map(FAN_ROWS.map(([name, , , tiles]) => [name, tiles]));

  // The tiles of a hand as pictures, with gaps between melds and before the winning tile.
  function handTiles(hand, width = 20) {
    const groups = hand.split(" ").map(group => group.match(/../g)), gap = () => make("span", "gap");
    groups.push([groups.at(-1).pop()]);
    const draw = tiles => tiles.map(tile => MjTable.icon(tile, width));
    return groups.flatMap((tiles, index) => [...(index ? [gap()] : []), ...draw(tiles)]);
  }

  // Puts the card under a mark, or above it where there is no room. A dialog hides what is outside it; the card scrolls
  // with what it explains.
  function placeCard(mark) {
    const dialog = mark.closest("dialog"), frame = dialog && dialog.getBoundingClientRect();
    (dialog || document.body).append(card);
    const left = dialog ? dialog.scrollLeft - frame.left - dialog.clientLeft : scrollX;
    const top = dialog ? dialog.scrollTop - frame.top - dialog.clientTop : scrollY;
    const right = dialog ? frame.left + dialog.clientLeft + dialog.clientWidth : document.documentElement.clientWidth;
    const box = mark.getBoundingClientRect(), room = right - card.offsetWidth - 8;
    card.style.left = `${left + Math.max(8, Math.min(box.left, room))}px`;
    const isBelow = box.bottom + card.offsetHeight + 6 < innerHeight || box.top < card.offsetHeight + 6;
    card.style.top = `${top + (isBelow ? box.bottom + 4 : box.top - card.offsetHeight - 4)}px`;
  }

  function open(mark) {
    const words = WORDS[document.documentElement.lang] || WORDS.en, {fan, english} = mark.dataset;
    card.replaceChildren(make("b", "", fan, english ? ` · ${english}` : ""),
      make("div", "hand", ...handTiles(EXAMPLES.get(fan))), make("div", "soft small", words.fanExample));
    placeCard(mark);
    mark.setAttribute("aria-describedby", card.id);
  }

  const close = () => card.remove();

  // A fan's name that opens its card. name: the Chinese one. english: its English name where the text is English.
  function nameFan(name, text, english) {
    const element = make("span", "fan-name", text);
    element.dataset.fan = name;
    if (english) element.dataset.english = english;
    return element;
  }

  // The text nodes of an element in which fans may be named.
  function listTexts(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), nodes = [];
    while (walker.nextNode()) {
      if (!walker.currentNode.parentNode.closest("svg, select, .fan-name")) nodes.push(walker.currentNode);
    }
    return nodes;
  }

  // Marks the fans in a text node. nameOf: the Chinese name of a text. english: of a Chinese name, or "".
  function markText(node, pattern, nameOf, english) {
    const parts = [];
    let from = 0;
    for (const match of node.data.matchAll(pattern)) {
      const name = nameOf(match[0]), element = nameFan(name, match[0], english(name));
      // Inside a control the name is read with it, and the keyboard stops at the control alone.
      if (!node.parentNode.closest(CONTROLS)) element.tabIndex = 0;
      parts.push(node.data.slice(from, match.index), element);
      from = match.index + match[0].length;
    }
    if (parts.length) node.replaceWith(...parts, node.data.slice(from));
  }

  // Marks the fans that the texts of an element name. names: {Chinese: English}.
  function mark(root, names, words) {
    const isChinese = words !== WORDS.en, known = Object.entries(names).filter(([name]) => EXAMPLES.has(name));
    if (!root || !known.length) return;
    const byText = new Map(known.map(([name, english]) => [isChinese ? name : english.toLowerCase(), name]));
    // A longer name first, as it may contain a shorter one.
    const texts = [...byText.keys()].sort((a, b) => b.length - a.length).join("|");
    const pattern = new RegExp(isChinese ? texts : `\\b(?:${texts})\\b`, "gi");
    const nameOf = text => byText.get(text.toLowerCase()), english = name => isChinese ? "" : names[name];
    for (const node of listTexts(root)) markText(node, pattern, nameOf, english);
  }

  const findMark = event => event.target instanceof Element && event.target.closest(".fan-name");
  function follow(event) {
    const target = findMark(event);
    if (target && !(event.type === "click" && target.closest(CONTROLS))) open(target);
    else if (event.type !== "focusin") close();
  }
  for (const kind of ["mouseover", "focusin", "click"]) document.addEventListener(kind, follow);
  document.addEventListener("focusout", close);
  document.addEventListener("keydown", event => { if (event.key === "Escape") close(); });

  return {handTiles, mark, nameFan};
})();
