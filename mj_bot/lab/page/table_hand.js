// The hand of a seat with its marks and melds, as the lower side of the table has it.
"use strict";

Object.assign(MjTable, (() => {
  const {TILE_RATIO, element, tile, lyingTile, ring} = MjTable;
  const HAND = {width: 44, top: 338, left: -394, right: 330, gap: 12};
  const BOTTOM = HAND.top + HAND.width * TILE_RATIO;
  const MELD = {width: 36, gap: 7};
  const BAR = {height: 20, bottom: 328}, DANGER = {row: 23, high: .05};

  // A bar for the value of a discard.
  function drawBar(name, x, marks, words) {
    const {width} = HAND, size = Math.max(1, BAR.height * marks.shares[name]), y = BAR.bottom - BAR.height;
    const className = name === marks.best ? " mj-best" : name === marks.played ? " mj-played" : "";
    return element("g", {class: "mj-bar" + className},
      element("rect", {class: "mj-bar-back", x: x + 12, y, width: width - 24, height: BAR.height, rx: 3}),
      element("rect", {x: x + 12, y: BAR.bottom - size, width: width - 24, height: size, rx: 3}),
      element("title", {}, words.barTitle));
  }

  // The star of the best tile on the left, or the dot of the played one on the right.
  function drawMark(kind, x, isBestToo) {
    const {width, top} = HAND, isRight = kind === "played", inset = isRight && isBestToo ? 4.5 : 1.5;
    const size = {width: width - 2 * inset, height: BOTTOM - top - 2 * inset};
    return element("g", {class: "mj-mark mj-" + kind},
      element("rect", {x: x + inset, y: top + inset, ...size, rx: 6}),
      element("text", {x: isRight ? x + width - 11 : x + 11, y: BOTTOM - 6}, isRight ? "●" : "★"));
  }

  // The chance in percent that each opponent wins on a tile, one below the other.
  function drawDangers(x, chances) {
    return chances.map((chance, row) => element("text", {
      class: "mj-danger" + (chance >= DANGER.high ? " mj-high" : ""), x: x + HAND.width / 2,
      y: BOTTOM + DANGER.row * (row + 1)}, (100 * chance).toFixed(chance < .0995 ? 1 : 0)));
  }

  // Over the tiles of a hand a bar for the value of each discard, star and dot; below them the dangers. tiles: [name,
  // x] from left to right. marks: of draw.
  function drawMarks(group, tiles, marks, words) {
    const names = tiles.map(([name]) => name);
    for (const [index, [name, x]] of tiles.entries()) {
      if (marks.shares[name] !== undefined) group.append(drawBar(name, x, marks, words));
      for (const kind of ["best", "played"]) {
        const isMarked = marks[kind] === name && names.lastIndexOf(name) === index;
        if (isMarked) group.append(drawMark(kind, x, marks.best === name));
      }
      group.append(...drawDangers(x, marks.dangers && marks.dangers[name] || []));
    }
    if (!marks.dangers) return;
    const x = tiles.at(-1)[1] + HAND.width + 12;
    marks.opponents.forEach((opponent, row) => group.append(element("text", {class: "mj-danger mj-danger-of", x,
      y: BOTTOM + DANGER.row * (row + 1)}, fill(words.wonBy, words.seats[opponent]))));
  }

  // state: of the seat in the position.
  function drawHand(state, seat, {isOpen, marks, words}) {
    const group = element("g", {class: "mj-hand"}), {width, top, left, gap} = HAND;
    const hasDrawn = state.drawn !== null, isKnown = isOpen && state.hand;
    const names = isKnown ? state.hand.slice() : Array(state.hand_size - hasDrawn).fill(null);
    if (isKnown && hasDrawn) names.splice(names.lastIndexOf(state.drawn), 1);
    const tiles = names.map((name, index) => [name, left + index * width]);
    for (const [name, x] of tiles) group.append(tile(name, x, top, width, {seat}));
    if (hasDrawn) {
      const name = isKnown ? state.drawn : null, x = left + names.length * width + gap;
      group.append(tile(name, x, top, width, {seat, drawn: 1}));
      group.append(element("rect", {class: "mj-drawn", x: x + 1, y: top - 9, width: width - 2, height: 4, rx: 2}));
      tiles.push([name, x]);
    }
    if (marks) drawMarks(group, tiles, marks, words);
    group.dataset.width = names.length * width + (hasDrawn ? gap + width : 0);
    return group;
  }

  // A concealed kong: its outer tiles show their backs.
  function drawConcealed(meld, isOpen) {
    const names = meld.tiles.length && isOpen ? meld.tiles : [null, null, null, null], {width} = MELD;
    return [names.map((name, index) =>
      tile(index % 3 ? name : null, index * width, BOTTOM - width * TILE_RATIO, width)), names.length * width];
  }

  // A claimed meld: its nodes and its width. The claimed tile lies: left when the seat before gave it, in the middle
  // from across, right from the next seat.
  function drawClaimed(meld, seat, focus) {
    const {width} = MELD, height = width * TILE_RATIO, others = meld.tiles.slice(), nodes = [];
    others.splice(others.indexOf(meld.claimed), 1);
    if (meld.added) others.pop();
    const offset = (meld.from - seat + 4) % 4, turned = offset === 3 ? 0 : offset === 2 ? 1 : others.length;
    let x = 0;
    for (let index = 0; index <= others.length; index++) {
      if (index === turned) {
        nodes.push(lyingTile(meld.claimed, x, BOTTOM, width));
        if (meld.added) {
          const added = lyingTile(meld.claimed, x, BOTTOM - width, width);
          if (focus && focus.added && focus.seat === seat && focus.tile === meld.claimed) ring(added, width);
          nodes.push(added);
        }
        x += height;
      }
      if (index === others.length) break;
      nodes.push(tile(others[index], x, BOTTOM - height, width));
      x += width;
    }
    return [nodes, x];
  }

  function drawMeld(meld, seat, isOpen, focus) {
    const [nodes, width] = meld.claimed === null ? drawConcealed(meld, isOpen) : drawClaimed(meld, seat, focus);
    const group = element("g", {class: "mj-meld"}, ...nodes);
    group.dataset.width = width;
    return group;
  }

  // The hand and the melds of a seat. options: isOpen, focus, marks, words; right: where the row ends at the latest.
  function drawRow(state, seat, options) {
    const row = element("g", {class: "mj-row"}), {right, focus, isOpen} = options;
    const hand = drawHand(state, seat, options);
    const melds = state.melds.map(meld => drawMeld(meld, seat, isOpen, focus));
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
      row.setAttribute("transform", `translate(${HAND.left * (1 - scale)} ${BOTTOM * (1 - scale)}) scale(${scale})`);
    }
    return row;
  }

  return {HAND, BAR, DANGER, drawRow};
})());
