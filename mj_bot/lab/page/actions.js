// Actions and events in words and tiles.
"use strict";

Object.assign(Panels, (() => {
  const {make} = Panels;
  const icons = (names, width) => names.map(name => MjTable.icon(name, width));

  const chow = middle => [-1, 0, 1].map(step => middle[0] + (Number(middle[1]) + step));

  // The tiles of a claim: CHI from its text, PENG and an open GANG of the claimed tile.
  function claimTiles(kind, tiles, claimed) {
    if (kind === "CHI") return chow(tiles[0]);
    if (kind === "PENG") return Array(3).fill(claimed);
    return kind === "GANG" && !tiles.length ? Array(4).fill(claimed) : [];
  }

  // Whether a claim comes without its discard.
  const isOpening = (kind, tiles) => (kind === "CHI" && tiles.length < 2) || (kind === "PENG" && !tiles.length);

  // A claim's text without its discard.
  const opening = text => text && text.split(" ").slice(0, -1).join(" ");

  // An action of Botzone's text, e.g. "CHI W5 T3", in words and tiles. claimed: the tile that is up for a claim, or
  // null.
  function action(text, words, claimed, width = 20) {
    if (!text) return make("span", "action soft", words.unknown);
    const [kind, ...tiles] = text.split(" "), laid = claimTiles(kind, tiles, claimed).filter(Boolean);
    const element = make("span", "action", make("span", "", words.actions[kind] || kind));
    if (kind === "CHI" && claimed && words.ofGiver) {  // Chinese players say: 4, 6 chow 5
      element.prepend(...icons(laid.filter(name => name !== claimed), width));
      element.append(MjTable.icon(claimed, width));
    } else {
      element.append(...icons(laid, width));
    }
    if (isOpening(kind, tiles)) return element;
    if (kind === "CHI" || kind === "PENG") element.append(make("span", "", words.actions.PLAY));
    if (tiles.length) element.append(...icons(tiles.slice(-1), width));
    return element;
  }

  const seatName = (seat, words) => make("b", "", words.seats[seat]);
  const asNodes = parts => parts.filter(Boolean).map(part => typeof part === "string" ? make("span", "", part) : part);

  // The end of a game by a seat, in words and tiles.
  function endEvent(end, words, width) {
    const winner = seatName(end.seat, words);
    if (end.verdict === "HU") {
      const tile = end.tile && MjTable.icon(end.tile, width);
      const giver = end.from === null ? null : seatName(end.from, words);
      return asNodes([...words.won(winner, tile, giver), end.fans.length ? `· ${end.fan} ${words.fan}` : ""]);
    }
    if (end.verdict === "WH") return asNodes([winner, words.WH]);
    const why = words.verdicts[end.verdict];
    return asNodes([winner, `${words.erred}: ${end.verdict}${why ? fill(words.aside, why) : ""}`,
      end.scores ? `· ${fill(words.plate.score, end.scores[end.seat])}` : ""]);
  }

  // An event of position.py in words and tiles, as a list of nodes.
  function event(seen, words, width = 22) {
    if (seen.seat === undefined || seen.seat === null) {
      return [make("span", "", seen.kind === "END" ? words.HUANG : words[seen.kind])];
    }
    if (seen.kind === "END") return endEvent(seen, words, width);
    const {kind, claimed, tile} = seen, isConcealed = kind === "GANG" && !claimed;
    const parts = [seatName(seen.seat, words), isConcealed ? words.concealed : words[kind]];
    if (claimed && words.ofGiver) parts.push(seatName(seen.from, words), words.ofGiver);
    if (kind === "CHI") parts.push(...icons(chow(seen.middle), width));
    else if (claimed) parts.push(MjTable.icon(claimed, width));
    if (claimed && !words.ofGiver) parts.push(words.from, seatName(seen.from, words));
    if (kind === "CHI" || kind === "PENG") parts.push(words.then);
    if (tile && !tile.startsWith("H")) parts.push(MjTable.icon(tile, width));
    return asNodes(parts);
  }

  return {icons, chow, claimTiles, opening, action, event};
})());
