// A hand in words and tiles: its distance from ready, its wins, its fans, the end of a game.
"use strict";

Object.assign(Panels, (() => {
  const {make, icons} = Panels;
  const MOST_NAMED = 4;  // fans of a line

  // Flowers are no fan of the judge: `names` are without them.
  const fanName = (name, names, words) =>
    words === WORDS.en ? (names[name] || (name === "花牌" ? "Flower tiles" : name)) : name;

  function fanInText(name, names, words) {
    const text = fanName(name, names, words);
    return text.charAt(0).toLowerCase() + text.slice(1);
  }

  // A pattern of a tactic: by its own word, or as the fan of this English name.
  function patternName(name, fanNames, words) {
    const fan = Object.entries(fanNames).find(([, english]) => english.toLowerCase() === name);
    return words.pattern(name) || (fan || [name])[0];
  }

  // Fans as [points, text], and a table of such rows.
  const listFans = (fans, names, words) => fans.map(([points, copies, name]) =>
    [points * copies, fanName(name, names, words) + (copies > 1 ? ` ×${copies}` : "")]);
  const fanTable = rows => make("table", "fans", ...rows.map(([points, text]) =>
    make("tr", "", make("td", "", String(points)), make("td", "", text))));
  const joinFans = (fans, names, words) =>
    listFans(fans, names, words).map(([points, text]) => `${text} ${points}`).join(words.causes.plus);

  // The distance from ready to eight fan, and the plain one where it differs.
  function distances(facts, words) {
    const plain = facts.distance_to_8_fan === facts.shanten ? null : facts.shanten === 0 ? words.noWin :
      fill(words.plain, words.distance(facts.shanten));
    return [words.distance(facts.distance_to_8_fan), plain && make("span", "soft small", fill(words.aside, plain))];
  }

  // The fans of a win on a discard and by self-draw, and what it hangs on. ways: of review/facts.py.
  const fanSum = fans => fans.reduce((sum, [points, copies]) => sum + points * copies, 0);
  function winFans([onDiscard, selfDrawn], names, words) {
    const fans = onDiscard || selfDrawn, last = fans.find(([, , name]) => name === "和绝张");
    const hangs = [!onDiscard && words.selfDrawOnly,
      last && fanSum(fans) - last[0] * last[1] < CONSTANTS.leastFan && words.lastCopy];
    return [joinFans(fans, names, words), ...hangs].filter(Boolean).join(" · ");
  }

  // A winning tile with its copies and the fan of both kinds of wins.
  function winTile([name, copies, onDiscard, selfDrawn], words) {
    const fan = selfDrawn === undefined ? "" :
      onDiscard === null ? `${selfDrawn} ${words.fan} ${words.selfDrawOnly}` : `${onDiscard} ${words.fan}`;
    const drawn = selfDrawn === null ? words.onDiscardOnly : `${words.selfDrawn} ${selfDrawn}`;
    const other = onDiscard && selfDrawn !== onDiscard && selfDrawn !== undefined && fill(words.aside, drawn).trim();
    return make("span", "", MjTable.icon(name, 17), [`×${copies}`, fan, other].filter(Boolean).join(" "));
  }

  // The hand after a move: the distance, then the tiles that win, or else those that help and the fans that are near.
  function leads(mark, facts, names, words) {
    const line = make("div", "small useful", make("span", "", `${mark} `, ...distances(facts, words)));
    if (facts.wins.length) {
      line.append(` · ${words.winsOn}`);
      for (const [index, win] of facts.wins.entries()) {
        line.append(winTile(win, words));
        if (facts.win_ways) line.append(make("span", "soft", winFans(facts.win_ways[index], names, words)));
      }
      return line;
    }
    const left = facts.improving.filter(([, copies]) => copies);
    if (left.length && facts.distance_to_8_fan > 0) {
      line.append(" · " + fill(words.useful, left.reduce((sum, [, copies]) => sum + copies, 0)));
      for (const [name, copies] of left) line.append(make("span", "", MjTable.icon(name, 17), `×${copies}`));
    }
    const near = facts.targets.filter(([, missing]) => missing <= CONSTANTS.named).slice(0, MOST_NAMED);
    if (near.length) {
      const fans = near.map(([fan, missing]) => [fanInText(fan, names, words), missing]);
      line.append(make("span", "", "· " + words.aims(fans)));
    }
    return line;
  }

  // The end of a game: how it ended, the winning hand, its fans. names: {Chinese: English} of fans.
  function ending(end, position, names, words) {
    const card = [make("h2", "", words.result), make("p", "event-line", ...Panels.event(end, words))];
    if (end.fans && end.seat !== null && position.seats[end.seat].hand) {
      const seat = position.seats[end.seat], hand = seat.hand.slice(), row = make("div", "hand");
      if (end.from === null && end.tile) hand.splice(hand.lastIndexOf(end.tile), 1);
      row.append(...icons(hand, 26));
      if (end.tile) row.append(make("span", "gap"), MjTable.icon(end.tile, 26));
      for (const meld of seat.melds) row.append(make("span", "gap"), ...icons(meld.tiles, 26));
      card.push(row);
    }
    if (end.fans && end.fans.length) {
      card.push(fanTable(listFans(end.fans, names, words)), make("p", "soft small", words.countedBy[end.counted]));
    }
    return card;
  }

  return {fanName, fanInText, patternName, listFans, fanTable, joinFans, distances, leads, ending};
})());
