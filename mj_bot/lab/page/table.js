// Draws a position of mj_bot/lab/page/position.py as SVG. All text goes in as text, never as markup.
"use strict";

const MjTable = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  // The board is 800 wide, its centre the origin; a side is drawn as the lower one and turned.
  const HALF = 400, PANEL = 124, TILE_RATIO = 80 / 60;
  const HAND = {width: 44, top: 338, left: -394, right: 330, gap: 12};
  const MELD = {width: 36, gap: 7};
  const RIVER = {width: 36, left: -129.5, top: 131, step: 37, row: 45, columns: 7};
  const NAME_WIDTH = 18, NAME_ROOM = 166;
  const BAR = {height: 20, bottom: 328}, DANGER = {row: 23};

  function element(kind, attributes, ...children) {
    const made = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children.filter(child => child !== null));
    return made;
  }

  // A tile of the sprite; name null is its back. data: for pages that listen to clicks.
  function tile(name, x, y, width, data = {}) {
    const made = element("g", {class: "mj-tile", transform: `translate(${x} ${y})`},
      element("use", {href: "#mj-" + (name || "back"), width, height: width * TILE_RATIO}));
    if (name) made.dataset.tile = name;
    Object.assign(made.dataset, data);
    return made;
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

  function lying(name, x, bottom, width) {
    const made = tile(name, 0, 0, width);
    made.setAttribute("transform", `translate(${x} ${bottom}) rotate(-90)`);
    return made;
  }

  // Text cut to a number of columns; a wide character takes two.
  function shorten(text, columns) {
    let width = 0, cut = "";
    for (const letter of String(text)) {
      width += letter.codePointAt(0) > 0x2e7f ? 2 : 1;
      if (width > columns) return cut + "…";
      cut += letter;
    }
    return cut;
  }

  // Over the tiles of a hand, from left to right: a bar for the value of each discard, star and dot for the best and the
  // played tile; below them the chance in percent that each opponent wins on the tile. marks: as in draw.
  function drawMarks(group, places, marks, words) {
    const {width, top} = HAND, names = places.map(([name]) => name), bottom = top + width * TILE_RATIO;
    for (const [index, [name, x]] of places.entries()) {
      const share = marks.shares[name];
      if (share !== undefined) {
        const size = Math.max(1, BAR.height * share), y = BAR.bottom - BAR.height;
        const kind = name === marks.best ? " mj-best" : name === marks.played ? " mj-played" : "";
        group.append(element("g", {class: "mj-bar" + kind},
          element("rect", {class: "mj-bar-back", x: x + 12, y, width: width - 24, height: BAR.height, rx: 3}),
          element("rect", {x: x + 12, y: BAR.bottom - size, width: width - 24, height: size, rx: 3}),
          element("title", {}, words.barTitle)));
      }
      for (const [kind, text, right] of [["best", "★", 0], ["played", "●", 1]]) {
        if (marks[kind] !== name || names.lastIndexOf(name) !== index) continue;
        const inset = right && marks.best === name ? 4.5 : 1.5;
        group.append(element("g", {class: "mj-mark mj-" + kind},
          element("rect", {x: x + inset, y: top + inset, width: width - 2 * inset, height: bottom - top - 2 * inset, rx: 6}),
          element("text", {x: right ? x + width - 11 : x + 11, y: bottom - 6}, text)));
      }
      (marks.dangers && marks.dangers[name] || []).forEach((chance, row) => group.append(element("text", {
        class: "mj-danger" + (chance >= .05 ? " mj-high" : ""), x: x + width / 2, y: bottom + DANGER.row * (row + 1)},
      (100 * chance).toFixed(chance < .0995 ? 1 : 0))));
    }
    if (marks.dangers) {
      const x = places.at(-1)[1] + width + 12;
      marks.opponents.forEach((opponent, row) => group.append(element("text", {class: "mj-danger mj-danger-of", x,
        y: bottom + DANGER.row * (row + 1)}, fill(words.wonBy, words.seats[opponent]))));
    }
  }

  function drawHand(seat, place, open, marks, words) {
    const group = element("g", {class: "mj-hand"});
    const {width, top, left, gap} = HAND;
    const drawnLies = seat.drawn !== null;
    let tiles = Array(seat.hand_size - drawnLies).fill(null);
    if (open && seat.hand) {
      tiles = seat.hand.slice();
      if (drawnLies) tiles.splice(tiles.lastIndexOf(seat.drawn), 1);
    }
    const places = tiles.map((name, index) => [name, left + index * width]);
    for (const [name, x] of places) group.append(tile(name, x, top, width, {seat: place}));
    if (drawnLies) {
      const name = open && seat.hand ? seat.drawn : null;
      const x = left + tiles.length * width + gap;
      group.append(tile(name, x, top, width, {seat: place, drawn: 1}));
      group.append(element("rect", {class: "mj-drawn", x: x + 1, y: top - 9, width: width - 2, height: 4, rx: 2}));
      places.push([name, x]);
    }
    if (marks) drawMarks(group, places, marks, words);
    group.dataset.width = tiles.length * width + (drawnLies ? gap + width : 0);
    return group;
  }

  // Marks a tile as the one that may be claimed or won on now.
  function ring(made, width) {
    made.classList.add("mj-focus");
    made.append(element("rect", {class: "mj-ring", x: -1.5, y: -1.5, width: width + 3, height: width * TILE_RATIO + 3,
      rx: 6}));
  }

  // The claimed tile lies: left when the seat before gave it, in the middle from across, right from the next seat.
  function drawMeld(meld, place, open, focus) {
    const group = element("g", {class: "mj-meld"});
    const {width} = MELD, height = width * TILE_RATIO, bottom = HAND.top + HAND.width * TILE_RATIO;
    let x = 0;
    const addUpright = name => { group.append(tile(name, x, bottom - height, width)); x += width; };
    if (meld.claimed === null) {
      const names = meld.tiles.length && open ? meld.tiles : [null, null, null, null];
      names.forEach((name, index) => addUpright(index % 3 ? name : null));
    } else {
      const others = meld.tiles.slice();
      others.splice(others.indexOf(meld.claimed), 1);
      if (meld.added) others.pop();
      const offset = (meld.from - place + 4) % 4;
      const turned = offset === 3 ? 0 : offset === 2 ? 1 : others.length;
      for (let index = 0; index <= others.length; index++) {
        if (index === turned) {
          group.append(lying(meld.claimed, x, bottom, width));
          if (meld.added) {
            const added = lying(meld.claimed, x, bottom - width, width);
            if (focus && focus.added && focus.seat === place && focus.tile === meld.claimed) ring(added, width);
            group.append(added);
          }
          x += height;
        }
        if (index < others.length) addUpright(others[index]);
      }
    }
    group.dataset.width = x;
    return group;
  }

  // right: where the row ends at the latest.
  function drawRow(seat, place, open, focus, {marks, words, right}) {
    const row = element("g", {class: "mj-row"});
    const hand = drawHand(seat, place, open, marks, words);
    const melds = seat.melds.map(meld => drawMeld(meld, place, open, focus));
    const meldsWidth = melds.reduce((sum, meld) => sum + Number(meld.dataset.width) + MELD.gap, 0);
    row.append(hand);
    let x = Math.max(right - meldsWidth, HAND.left + Number(hand.dataset.width) + HAND.gap);
    for (const meld of melds) {
      meld.setAttribute("transform", `translate(${x} 0)`);
      x += Number(meld.dataset.width) + MELD.gap;
      row.append(meld);
    }
    const room = right - HAND.left;
    if (x - HAND.left > room + MELD.gap) {
      // Four kongs are wider than a side: the row shrinks towards its left end.
      const scale = room / (x - HAND.left);
      const bottom = HAND.top + HAND.width * TILE_RATIO;
      row.setAttribute("transform",
        `translate(${HAND.left * (1 - scale)} ${bottom * (1 - scale)}) scale(${scale})`);
    }
    return row;
  }

  function drawRiver(seat, place, offset, focus, words) {
    const group = element("g", {class: "mj-river"});
    const {width, left, top, step, row, columns} = RIVER;
    seat.river.forEach((discard, index) => {
      const x = left + index % columns * step, y = top + Math.floor(index / columns) * row;
      const made = tile(discard.tile, x, y, width);
      const notes = [];
      if (discard.drawn) {
        made.classList.add("mj-as-drawn");
        made.append(element("rect", {class: "mj-shade", width, height: width * 74 / 60, rx: 4}));
        notes.push(words.asDrawn);
      }
      if (discard.claimed_by !== null) {
        made.classList.add("mj-claimed");
        const wind = words.winds[discard.claimed_by];
        made.append(
          element("circle", {class: "mj-badge", cx: width - 9, cy: 9, r: 9}),
          element("text", {class: "mj-badge-text", x: width - 9, y: 9,
            transform: `rotate(${90 * offset} ${width - 9} 9)`}, wind));
        notes.push(words.claimedBy + " " + wind);
      }
      if (focus && !focus.added && focus.seat === place && index === seat.river.length - 1 && discard.claimed_by === null) {
        ring(made, width);
      }
      if (notes.length) made.append(element("title", {}, notes.join(", ")));
      group.append(made);
    });
    return group;
  }

  // Name, wall and score of a seat, along its side of the panel; the far side's text is not upside down.
  function drawPlate(seat, place, offset, position, options) {
    const {words, names, scores} = options;
    const upright = offset === 2;
    const group = element("g", {class: "mj-plate" + (position.turn === place ? " mj-turn" : "")});
    const turn = upright ? 0 : -90 * offset;
    const y = upright ? -PANEL : PANEL - 52;
    group.setAttribute("transform", `rotate(${turn})`);
    group.append(element("rect", {class: "mj-turn-bar", x: -PANEL + 14, y: upright ? -PANEL + 3 : PANEL - 7,
      width: 2 * PANEL - 28, height: 4, rx: 2}));
    const name = names ? names[place] : "";
    const label = element("text", {class: "mj-name", x: 0, y: y + 38},
      element("tspan", {class: "mj-wind"}, words.winds[place]), " " + shorten(name, NAME_WIDTH));
    label.append(element("title", {}, name));
    const facts = scores ? [fill(words.plate.score, Panels.signed(scores[place]))] :
      position.walls.slice(place, place + 1).map(left => fill(words.plate.wall, left));
    if (seat.flowers && !scores) facts.push(fill(words.plate.flowers, seat.flowers));
    group.append(label, element("text", {class: "mj-facts", x: 0, y: upright ? y + 64 : y + 6}, facts.join(" · ")));
    return group;
  }

  function drawPanel(position, options) {
    const {words} = options;
    const panel = element("g", {class: "mj-panel"},
      element("rect", {class: "mj-panel-back", x: -PANEL, y: -PANEL, width: 2 * PANEL, height: 2 * PANEL, rx: 14}));
    if (position.wind !== null) {
      panel.append(tile("F" + (position.wind + 1), -17, -52, 34),
        element("text", {class: "mj-left mj-round", x: 0, y: 18}, fill(words.round, words.seats[position.wind].replace("家", ""))));
    }
    panel.append(element("text", {class: "mj-left", x: 0, y: 42}, fill(words.plate.left, position.left)));
    return panel;
  }

  // Draws into an element and replaces its content.
  // options: seat at the lower side; open: whether the other hands are shown too; reveal: a seat whose hand is
  // always shown; names, scores: of the four seats; words: one of WORDS; marks: over the lower hand, {shares: {tile: 0..1},
  // best, played: tiles, opponents: three seats, dangers: {tile: the chance of each of these}, or null}; below: room for
  // the dangers, or for a line that says where there are some.
  // Hand tiles carry data-seat, data-tile, data-drawn.
  function draw(container, position, options) {
    const height = 2 * HALF + (options.below ? 3 * DANGER.row + 8 : 0);
    const board = element("svg", {class: "mj-table", viewBox: `${-HALF} ${-HALF} ${2 * HALF} ${height}`, role: "img"});
    board.append(element("rect", {class: "mj-felt", x: -HALF, y: -HALF, width: 2 * HALF, height, rx: 22}));
    board.append(drawPanel(position, options));
    for (let offset = 0; offset < 4; offset++) {
      const place = (options.seat + offset) % 4, seat = position.seats[place];
      const isOpen = options.open || offset === 0 || place === options.reveal;
      const side = element("g", {class: "mj-side", transform: `rotate(${-90 * offset})`},
        drawRiver(seat, place, offset, position.focus, options.words), drawRow(seat, place, isOpen, position.focus,
          {marks: offset ? null : options.marks, words: options.words,
            right: offset === 3 ? BAR.bottom - BAR.height - 2 : HAND.right}));  // the bars of the lower hand begin there
      side.dataset.seat = place;
      board.append(side, drawPlate(seat, place, offset, position, options));
    }
    board.append(board.querySelector(".mj-side"));  // the lower hand, so that its marks lie on top
    if (options.below && !(options.marks && options.marks.dangers)) {
      board.append(element("text", {class: "mj-no-danger", x: 0, y: HALF + 2 * DANGER.row}, options.words.noDangers));
    }
    container.replaceChildren(board);
    // A long name would lie over that of the next side.
    for (const label of board.querySelectorAll(".mj-name")) {
      if (label.getComputedTextLength() > NAME_ROOM) label.setAttribute("textLength", NAME_ROOM);
      label.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
    return board;
  }

  // A single tile as an <svg> of the given width in pixels, for lists and texts.
  function icon(name, width = 24) {
    const words = WORDS[document.documentElement.lang] || WORDS.en;
    return element("svg", {class: "mj-icon", viewBox: "0 0 60 80", width, height: width * TILE_RATIO, role: "img",
      "aria-label": name ? words.tile(name) : "?"}, element("use", {href: "#mj-" + (name || "back"), width: 60, height: 80}));
  }

  // All tiles of a kind light up when one is pointed at.
  document.addEventListener("pointerover", event => {
    const pointed = event.target.closest(".mj-tile[data-tile], figure[data-tile]");
    for (const same of document.querySelectorAll(".mj-same")) same.classList.remove("mj-same");
    if (!pointed) return;
    for (const same of document.querySelectorAll(`.mj-tile[data-tile="${pointed.dataset.tile}"]`)) same.classList.add("mj-same");
  });

  return {draw, mark, icon, element};
})();
