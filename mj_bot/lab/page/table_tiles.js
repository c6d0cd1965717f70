// Tiles of the sprite as SVG: on a table, marked, lying, or alone in a text. All text goes in as text, never as markup.
"use strict";

const MjTable = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const TILE_RATIO = 80 / 60;

  function element(tag, attributes, ...children) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children.filter(child => child !== null));
    return node;
  }

  // A tile of the sprite; name null is its back. data: for pages that listen to clicks.
  function tile(name, x, y, width, data = {}) {
    const node = element("g", {class: "mj-tile", transform: `translate(${x} ${y})`},
      element("use", {href: "#mj-" + (name || "back"), width, height: width * TILE_RATIO}));
    if (name) node.dataset.tile = name;
    Object.assign(node.dataset, data);
    return node;
  }

  // A claimed tile, which lies on its side.
  function lyingTile(name, x, bottom, width) {
    const node = tile(name, 0, 0, width);
    node.setAttribute("transform", `translate(${x} ${bottom}) rotate(-90)`);
    return node;
  }

  // Draws a golden rim around the tiles of these names, such as wild ones, and around no others.
  function mark(names) {
    for (const rim of document.querySelectorAll(".mj-rim")) rim.remove();
    for (const name of names) {
      document.getElementById("mj-" + name).append(element("rect", {
        class: "mj-rim", x: 2.5, y: 2.5, width: 55, height: 69, rx: 6, fill: "none", stroke: "#e0a100",
        "stroke-width": 5}));
    }
  }

  // Marks a tile as the one that may be claimed or won on now.
  function ring(node, width) {
    node.classList.add("mj-focus");
    node.append(element("rect", {class: "mj-ring", x: -1.5, y: -1.5, width: width + 3, height: width * TILE_RATIO + 3,
      rx: 6}));
  }

  // A single tile as an <svg> of the given width in pixels, for lists and texts.
  function icon(name, width = 24) {
    const words = WORDS[document.documentElement.lang] || WORDS.en;
    return element("svg", {class: "mj-icon", viewBox: "0 0 60 80", width, height: width * TILE_RATIO, role: "img",
      "aria-label": name ? words.tile(name) : "?"},
    element("use", {href: "#mj-" + (name || "back"), width: 60, height: 80}));
  }

  // All tiles of a kind light up when one is pointed at.
  document.addEventListener("pointerover", event => {
    const pointed = event.target.closest(".mj-tile[data-tile], figure[data-tile]");
    for (const same of document.querySelectorAll(".mj-same")) same.classList.remove("mj-same");
    if (!pointed) return;
    const selector = `.mj-tile[data-tile="${pointed.dataset.tile}"]`;
    for (const same of document.querySelectorAll(selector)) same.classList.add("mj-same");
  });

  return {TILE_RATIO, element, tile, lyingTile, mark, ring, icon};
})();
