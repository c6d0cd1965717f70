// Draws a position of mj_bot/lab/page/position.py as SVG.
"use strict";

Object.assign(MjTable, (() => {
  const {HAND, BAR, DANGER, element, tile, ring, drawRow} = MjTable;
  // The board is 800 wide, its centre the origin; a side is drawn as the lower one and turned.
  const HALF = 400, PANEL = 124;
  const RIVER = {width: 36, left: -129.5, top: 131, step: 37, row: 45, columns: 7};
  const NAME_WIDTH = 18, NAME_ROOM = 166;

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

  // A discard: grey as it was drawn, with the wind of the seat that claimed it.
  function drawDiscard(discard, x, y, offset, words) {
    const {width} = RIVER, node = tile(discard.tile, x, y, width), notes = [];
    if (discard.drawn) {
      node.classList.add("mj-as-drawn");
      node.append(element("rect", {class: "mj-shade", width, height: width * 74 / 60, rx: 4}));
      notes.push(words.asDrawn);
    }
    if (discard.claimed_by !== null) {
      node.classList.add("mj-claimed");
      const wind = words.winds[discard.claimed_by];
      node.append(element("circle", {class: "mj-badge", cx: width - 9, cy: 9, r: 9}),
        element("text", {class: "mj-badge-text", x: width - 9, y: 9,
          transform: `rotate(${90 * offset} ${width - 9} 9)`}, wind));
      notes.push(words.claimedBy + " " + wind);
    }
    if (notes.length) node.append(element("title", {}, notes.join(", ")));
    return node;
  }

  function drawRiver(state, seat, offset, focus, words) {
    const group = element("g", {class: "mj-river"}), {width, left, top, step, row, columns} = RIVER;
    state.river.forEach((discard, index) => {
      const x = left + index % columns * step, y = top + Math.floor(index / columns) * row;
      const node = drawDiscard(discard, x, y, offset, words), isLast = index === state.river.length - 1;
      if (focus && !focus.added && focus.seat === seat && isLast && discard.claimed_by === null) ring(node, width);
      group.append(node);
    });
    return group;
  }

  // Name, wall and score of a seat, along its side of the panel; the far side's text is not upside down.
  function drawPlate(state, seat, offset, position, {words, names, scores}) {
    const isUpright = offset === 2, y = isUpright ? -PANEL : PANEL - 52;
    const group = element("g", {class: "mj-plate" + (position.turn === seat ? " mj-turn" : ""),
      transform: `rotate(${isUpright ? 0 : -90 * offset})`});
    group.append(element("rect", {class: "mj-turn-bar", x: -PANEL + 14, y: isUpright ? -PANEL + 3 : PANEL - 7,
      width: 2 * PANEL - 28, height: 4, rx: 2}));
    const name = names ? names[seat] : "";
    const label = element("text", {class: "mj-name", x: 0, y: y + 38},
      element("tspan", {class: "mj-wind"}, words.winds[seat]), " " + shorten(name, NAME_WIDTH),
      element("title", {}, name));
    const facts = scores ? [fill(words.plate.score, Panels.signed(scores[seat]))] :
      position.walls.slice(seat, seat + 1).map(left => fill(words.plate.wall, left));
    if (state.flowers && !scores) facts.push(fill(words.plate.flowers, state.flowers));
    group.append(label, element("text", {class: "mj-facts", x: 0, y: isUpright ? y + 64 : y + 6}, facts.join(" · ")));
    return group;
  }

  function drawPanel(position, {words}) {
    const panel = element("g", {class: "mj-panel"},
      element("rect", {class: "mj-panel-back", x: -PANEL, y: -PANEL, width: 2 * PANEL, height: 2 * PANEL, rx: 14}));
    if (position.wind !== null) {
      const round = fill(words.round, words.seats[position.wind].replace("家", ""));
      panel.append(tile("F" + (position.wind + 1), -17, -52, 34),
        element("text", {class: "mj-left mj-round", x: 0, y: 18}, round));
    }
    panel.append(element("text", {class: "mj-left", x: 0, y: 42}, fill(words.plate.left, position.left)));
    return panel;
  }

  // The river and the row of a seat, turned to its side.
  function drawSide(seat, offset, position, options) {
    const state = position.seats[seat], {focus} = position, {words} = options;
    const isOpen = options.open || offset === 0 || seat === options.reveal;
    // The bars of the lower hand begin where the row of the last side ends.
    const right = offset === 3 ? BAR.bottom - BAR.height - 2 : HAND.right;
    const side = element("g", {class: "mj-side", transform: `rotate(${-90 * offset})`},
      drawRiver(state, seat, offset, focus, words),
      drawRow(state, seat, {isOpen, focus, marks: offset ? null : options.marks, words, right}));
    side.dataset.seat = seat;
    return side;
  }

  // Draws into an element and replaces its content.
  // options: seat at the lower side; open: whether the other hands are shown too; reveal: a seat whose hand is
  // always shown; names, scores: of the four seats; words: one of WORDS; marks: over the lower hand, {shares: {tile:
  // 0..1}, best, played: tiles, opponents: three seats, dangers: {tile: the chance of each of these}, or null};
  // below: room for the dangers, or for a line that says where there are some. Hand tiles carry data-seat, data-tile,
  // data-drawn.
  function draw(container, position, options) {
    const height = 2 * HALF + (options.below ? 3 * DANGER.row + 8 : 0);
    const board = element("svg", {class: "mj-table", viewBox: `${-HALF} ${-HALF} ${2 * HALF} ${height}`, role: "img"});
    board.append(element("rect", {class: "mj-felt", x: -HALF, y: -HALF, width: 2 * HALF, height, rx: 22}));
    board.append(drawPanel(position, options));
    for (let offset = 0; offset < 4; offset++) {
      const seat = (options.seat + offset) % 4;
      board.append(drawSide(seat, offset, position, options),
        drawPlate(position.seats[seat], seat, offset, position, options));
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

  return {draw};
})());
