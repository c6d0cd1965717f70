// The panels beside the table. Each makes elements from the game's data; all text goes in as text.
"use strict";

const Panels = (() => {
  function make(kind, className, ...children) {
    const made = document.createElement(kind);
    if (className) made.className = className;
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
  }

  const icons = (names, width) => names.map(name => MjTable.icon(name, width));

  // An action of Botzone's text, e.g. "CHI W5 T3", in words and tiles.
  function action(text, words, width = 20) {
    if (!text) return make("span", "action soft", words.unknown);
    const [kind, ...tiles] = text.split(" ");
    const made = make("span", "action", make("span", "", words.actions[kind] || kind));
    if (kind === "CHI") {
      const rank = Number(tiles[0][1]);
      made.append(...icons([rank - 1, rank, rank + 1].map(number => tiles[0][0] + number), width));
    }
    if (kind === "CHI" || kind === "PENG") made.append(make("span", "", words.actions.PLAY));
    if (tiles.length) made.append(...icons(tiles.slice(-1), width));
    return made;
  }

  // An event of position.py in words and tiles, as a list of nodes.
  function event(seen, words, width = 22) {
    if (!("seat" in seen) || seen.seat === null) {
      return [make("span", "", seen.kind === "END" ? words.HUANG : words[seen.kind])];
    }
    const who = make("b", "", words.seats[seen.seat]);
    const nodes = [who];
    const add = (...parts) => nodes.push(...parts.map(part => typeof part === "string" ? make("span", "", part) : part));
    if (seen.kind === "END") {
      if (seen.verdict === "HU") {
        add(words.wins);
        if (seen.tile) add(MjTable.icon(seen.tile, width));
        if (seen.from === null) add(words.selfDrawn); else add(words.on, make("b", "", words.seats[seen.from]));
        if (seen.fans.length) add(`· ${seen.fan} ${words.fan}`);
      } else if (seen.verdict === "WH") {
        add(words.WH);
      } else {
        add(`${words.erred}: ${seen.verdict}`);
      }
      return nodes;
    }
    const isConcealed = seen.kind === "GANG" && !seen.claimed;
    add(isConcealed ? words.concealed : words[seen.kind]);
    if (seen.kind === "CHI") {
      const rank = Number(seen.middle[1]);
      add(...icons([rank - 1, rank, rank + 1].map(number => seen.middle[0] + number), width));
    } else if (seen.claimed) {
      add(MjTable.icon(seen.claimed, width));
    }
    if (seen.claimed) add(words.from, make("b", "", words.seats[seen.from]));
    if (seen.kind === "CHI" || seen.kind === "PENG") add(words.then);
    if (seen.tile && !/^H/.test(seen.tile)) add(MjTable.icon(seen.tile, width));
    return nodes;
  }

  function shanten(number, words) {
    return number < 1 ? words.shanten[number + 1] : fill(words.shanten[2], number);
  }

  function ending(game, end, position, words) {
    const card = [make("h2", "", words.result), make("p", "", ...event(end, words).flatMap(node => [node, " "]))];
    card[1].style.margin = "0 0 6px";
    if (end.fans && end.seat !== null && position.seats[end.seat].hand) {
      const seat = position.seats[end.seat], hand = seat.hand.slice(), row = make("div", "hand");
      if (end.from === null && end.tile) hand.splice(hand.lastIndexOf(end.tile), 1);
      row.append(...icons(hand, 26));
      if (end.tile) row.append(make("span", "gap"), MjTable.icon(end.tile, 26));
      for (const meld of seat.melds) row.append(make("span", "gap"), ...icons(meld.tiles, 26));
      card.push(row);
    }
    if (end.fans && end.fans.length) {
      const table = make("table", "fans");
      for (const [points, copies, name] of end.fans) {
        const other = words === WORDS.en ? game.fan_names[name] || name : name;
        table.append(make("tr", "", make("td", "", String(points * copies)),
          make("td", "", other + (copies > 1 ? ` ×${copies}` : ""))));
      }
      card.push(table, make("p", "soft small", words.countedBy[end.counted]));
    }
    if (end.scores) {
      const table = make("table", "");
      end.scores.forEach((score, seat) => table.append(make("tr", seat === end.seat ? "total" : "",
        make("td", "", [words.seats[seat], game.players[seat]].filter(Boolean).join(" · ")), make("td", "", (score > 0 ? "+" : "") + score))));
      card.push(table);
    }
    return card;
  }

  function verdictBadge(decision, words) {
    const kinds = {same: words.same, kind: words.kind, other: words.other_action};
    return make("span", "badge " + (decision.agreement || "unknown"), kinds[decision.agreement] || words.unknown);
  }

  function format(value, unit) {
    return unit === "probability" ? `${(100 * value).toFixed(1)}%` : value.toFixed(unit === "points" ? 2 : 3);
  }

  function lossText(decision, review, words) {
    if (decision.agreement === null || decision.agreement === "same") return "";
    if (decision.loss === null) return decision.chosen === "HU" ? words.missed : "";
    return `−${format(decision.loss, review.unit)} ${words.units[review.unit] || review.unit}`;
  }

  function ranking(decision, review, words) {
    const list = make("div", "ranked");
    const values = decision.ranked.map(entry => entry[1]);
    const best = Math.max(...values), least = Math.min(...values);
    for (const [text, value] of decision.ranked) {
      const isLogged = text === decision.logged, isChosen = text === decision.chosen;
      const bar = make("span", "bar" + (isChosen ? " first" : isLogged ? " logged" : ""));
      const share = review.unit === "probability" ? value : best > least ? 0.06 + 0.94 * (value - least) / (best - least) : 1;
      bar.style.width = `${Math.max(1, 100 * share)}%`;
      list.append(make("span", "", isChosen ? "★" : isLogged ? "●" : ""), action(text, words), bar,
        make("span", "number small", format(value, review.unit)));
    }
    return list;
  }

  function leadsLine(mark, leads, words) {
    const useful = make("span", "useful");
    for (const [name, copies] of leads.useful) {
      if (copies) useful.append(make("span", "", MjTable.icon(name, 17), "×" + copies));
    }
    const total = leads.useful.reduce((sum, entry) => sum + entry[1], 0);
    return make("div", "small", `${mark} ${shanten(leads.shanten, words)}`,
      leads.useful.length ? `, ${words.useful} ${total}: ` : "", useful);
  }

  function handTiles(decision, words) {
    const row = make("div", "tiles");
    for (const [name, danger, shanten, copies] of decision.tiles) {
      const worse = shanten - decision.shanten;
      const risk = make("span", "risk", make("i"));
      risk.firstChild.style.width = `${Math.min(100, 400 * danger)}%`;
      const own = "PLAY " + name;
      const figure = make("figure", "", MjTable.icon(name, 28), risk,
        make("figcaption", "", `${(100 * danger).toFixed(1)}%`, make("br"),
          worse ? make("span", "worse", `+${worse}`) : make("b", "", String(copies))));
      if (decision.chosen === own) figure.classList.add("chosen");
      if (decision.logged === own) figure.classList.add("logged");
      row.append(figure);
    }
    return row;
  }

  function decision(made, review, tactic, words) {
    const loss = lossText(made, review, words);
    const card = [
      make("h2", "", `${words.decisionTitle} · ${shanten(made.shanten, words)}`),
      make("div", "verdict", verdictBadge(made, words),
        make("span", "", make("span", "soft", words.played + " "), action(made.logged, words, 24)),
        make("span", "", make("span", "soft", tactic + " "), action(made.chosen, words, 24)),
        loss ? make("span", "note", loss) : null),
    ];
    if (made.ranked.length) card.push(ranking(made, review, words));
    const leads = make("div", "leads", leadsLine("★", made.chosen_leads, words));
    if (made.logged_leads && made.logged !== made.chosen) leads.append(leadsLine("●", made.logged_leads, words));
    card.push(leads);
    if (made.tiles.length) card.push(make("div", "soft small", words.tilesTitle), handTiles(made, words));
    if (made.aims.length) {
      const aims = made.aims.map(([pattern, away]) =>
        `${words.patterns[pattern] || pattern} (${fill(words.away, away.toFixed(1))})`);
      card.push(make("div", "small", make("span", "soft", words.aims + " "), aims.join(", ")));
    }
    if (made.reasons) card.push(make("p", "reasons", made.reasons));
    return card;
  }

  function mistakes(review, words, show) {
    const card = [make("h2", "", words.mistakes)];
    for (const index of review.mistakes) {
      const made = review.decisions[index];
      const link = make("button", "link", make("span", "at", "#" + made.frame), action(made.logged, words),
        make("span", "soft", "→"), action(made.chosen, words), make("span", "loss", lossText(made, review, words)));
      link.type = "button";
      link.addEventListener("click", () => show(made.frame));
      card.push(link);
    }
    if (!review.mistakes.length) card.push(make("p", "soft small", words.noMistakes));
    if (review.error) card.push(make("p", "note small", `${words.unread}: ${review.error}`));
    return card;
  }

  function summary(review, tactic, words) {
    const table = make("table", ""), head = make("tr");
    words.columns.forEach((column, index) => head.append(make("th", "", column +
      (index === 4 && review.unit ? ` (${words.units[review.unit] || review.unit})` : ""))));
    table.append(head);
    for (const [kind, counts] of Object.entries(review.summary)) {
      const share = part => `${Math.round(100 * part / counts.decisions)}%`;
      table.append(make("tr", kind === "all" ? "total" : "", make("td", "", kind === "all" ? words.all : words.actions[kind]),
        make("td", "", String(counts.decisions)), make("td", "", share(counts.kind)), make("td", "", share(counts.same)),
        make("td", "", review.unit ? format(counts.loss, review.unit) + (counts.missed ? ` + ${counts.missed}?` : "") : "–")));
    }
    return [make("h2", "", `${words.summary} · ${tactic}`), table];
  }

  return {make, action, event, ending, decision, mistakes, summary, ranking, leadsLine, shanten};
})();
