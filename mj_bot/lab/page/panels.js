// The panels next to the table. Each makes elements from the game's data; all text goes in as text.
"use strict";

const Panels = (() => {
  function make(kind, className, ...children) {
    const made = document.createElement(kind);
    if (className) made.className = className;
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
  }

  const byId = id => document.getElementById(id);

  // The page's data, of page/__init__.py; older browsers cannot read packed data.
  async function readData() {
    const source = byId("data");
    if (source.dataset.packed === undefined) return JSON.parse(source.textContent);
    const bytes = Uint8Array.from(atob(source.textContent), letter => letter.charCodeAt(0));
    const data = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
    delete source.dataset.packed;
    return data;
  }

  function button(className, run, ...children) {
    const made = make("button", className, ...children);
    made.type = "button";
    made.addEventListener("click", run);
    return made;
  }

  // Fills a card, or hides it for null.
  function fillCard(id, children) {
    byId(id).hidden = !children;
    byId(id).replaceChildren(...(children || []).filter(child => child !== null));
  }

  // Draws parts of the page again. What the keyboard had reached there keeps the focus.
  function redraw(draw) {
    const focused = document.activeElement, home = focused?.matches(":focus-visible") && focused.parentElement.closest("[id]");
    const list = () => [...home.querySelectorAll("button, a, input, select, summary")], place = home ? list().indexOf(focused) : -1;
    draw();
    if (place >= 0 && document.activeElement === document.body) list()[place]?.focus({preventScroll: true});
  }

  // A part that stays folded or open when it is drawn again.
  const unfolded = new Set();
  function fold(name, title, ...parts) {
    const made = make("details", `${name} small`, make("summary", "soft", title), ...parts);
    made.open = unfolded.has(name);
    made.addEventListener("toggle", () => unfolded[made.open ? "add" : "delete"](name));
    return made;
  }

  // A player's name; a person who played here is called "you".
  const player = (name, words) => name === "person" ? words.play.you : name;

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

  // An action of Botzone's text, e.g. "CHI W5 T3", in words and tiles. claimed: the tile that is up for a claim, or null.
  function action(text, words, claimed, width = 20) {
    if (!text) return make("span", "action soft", words.unknown);
    const [kind, ...tiles] = text.split(" ");
    const made = make("span", "action", make("span", "", words.actions[kind] || kind)), laid = claimTiles(kind, tiles, claimed).filter(Boolean);
    if (kind === "CHI" && claimed && words.ofGiver) {  // Chinese players say: 4, 6 chow 5
      made.prepend(...icons(laid.filter(name => name !== claimed), width));
      made.append(MjTable.icon(claimed, width));
    } else {
      made.append(...icons(laid, width));
    }
    if (isOpening(kind, tiles)) return made;
    if (kind === "CHI" || kind === "PENG") made.append(make("span", "", words.actions.PLAY));
    if (tiles.length) made.append(...icons(tiles.slice(-1), width));
    return made;
  }

  // An event of position.py in words and tiles, as a list of nodes.
  function event(seen, words, width = 22) {
    if (seen.seat === undefined || seen.seat === null) {
      return [make("span", "", seen.kind === "END" ? words.HUANG : words[seen.kind])];
    }
    const named = seat => make("b", "", words.seats[seat]);
    const nodes = [named(seen.seat)];
    const add = (...parts) => nodes.push(...parts.map(part => typeof part === "string" ? make("span", "", part) : part));
    if (seen.kind === "END") {
      if (seen.verdict === "HU") {
        const tile = seen.tile && MjTable.icon(seen.tile, width), giver = seen.from === null ? null : named(seen.from);
        add(...words.won(nodes.pop(), tile, giver).filter(Boolean));
        if (seen.fans.length) add(`· ${seen.fan} ${words.fan}`);
      } else if (seen.verdict === "WH") {
        add(words.WH);
      } else {
        const why = words.verdicts[seen.verdict];
        add(`${words.erred}: ${seen.verdict}${why ? words.aside.replace("%s", why) : ""}`);
        if (seen.scores) add(`· ${words.plate.score.replace("%s", seen.scores[seen.seat])}`);
      }
      return nodes;
    }
    const isConcealed = seen.kind === "GANG" && !seen.claimed;
    add(isConcealed ? words.concealed : words[seen.kind]);
    if (seen.claimed && words.ofGiver) add(named(seen.from), words.ofGiver);
    if (seen.kind === "CHI") {
      add(...icons(chow(seen.middle), width));
    } else if (seen.claimed) {
      add(MjTable.icon(seen.claimed, width));
    }
    if (seen.claimed && !words.ofGiver) add(words.from, named(seen.from));
    if (seen.kind === "CHI" || seen.kind === "PENG") add(words.then);
    if (seen.tile && !/^H/.test(seen.tile)) add(MjTable.icon(seen.tile, width));
    return nodes;
  }

  // Flowers are no fan of the judge: `names` are without them.
  const fanName = (name, names, words) => words === WORDS.en ? (names[name] || (name === "花牌" ? "Flower tiles" : name)) : name;
  const fanInText = (...of) => { const name = fanName(...of); return name.charAt(0).toLowerCase() + name.slice(1); };

  // Fans as [points, text], and a table of such rows.
  const listFans = (fans, names, words) => fans.map(([points, copies, name]) =>
    [points * copies, fanName(name, names, words) + (copies > 1 ? ` ×${copies}` : "")]);
  const fanTable = rows => make("table", "fans", ...rows.map(([points, text]) =>
    make("tr", "", make("td", "", String(points)), make("td", "", text))));

  // The end of a game: how it ended, the winning hand, its fans. fanNames: {Chinese: English}.
  function ending(end, position, fanNames, words) {
    const card = [make("h2", "", words.result), make("p", "told", ...event(end, words))];
    if (end.fans && end.seat !== null && position.seats[end.seat].hand) {
      const seat = position.seats[end.seat], hand = seat.hand.slice(), row = make("div", "hand");
      if (end.from === null && end.tile) hand.splice(hand.lastIndexOf(end.tile), 1);
      row.append(...icons(hand, 26));
      if (end.tile) row.append(make("span", "gap"), MjTable.icon(end.tile, 26));
      for (const meld of seat.melds) row.append(make("span", "gap"), ...icons(meld.tiles, 26));
      card.push(row);
    }
    if (end.fans && end.fans.length) {
      card.push(fanTable(listFans(end.fans, fanNames, words)), make("p", "soft small", words.countedBy[end.counted]));
    }
    return card;
  }

  const signed = score => (score > 0 ? "+" : "") + score;

  // A table: heads as texts, rows as [cells as texts or nodes, class of the row].
  function table(heads, rows) {
    const cells = (kind, contents) => contents.map(content => make(kind, "", content));
    return make("table", "", make("tr", "", ...cells("th", heads)),
      ...rows.map(([contents, kind]) => make("tr", kind, ...cells("td", contents))));
  }

  const format = value => value.toFixed(2);
  const percent = chance => `${(100 * chance).toFixed(1)}%`;
  // Smaller losses count as none, as in review/decisions.py.
  const LEAST_LOSS = 0.005;
  const isEqual = loss => loss !== null && loss < LEAST_LOSS;

  // Fans of this distance at most are named, as in review/facts.py; a win needs so many fan.
  const NAMED = 3, LEAST_FAN = 8;
  const MARKS = {inaccuracy: "?!", mistake: "?", blunder: "??"};

  // What a decision was, as a badge. Colours are for classes.
  function verdictBadge(decision, words) {
    const {same, equal, good, kind, otherAction} = words.review, grade = decision.class;
    const told = decision.disputed ? [words.judges.disputed, "unknown"] : decision.agreement === null ? [words.unknown, "unknown"] : decision.agreement === "same" ? [same, ""] :
      MARKS[grade] ? [`${MARKS[grade]} ${words.review.classes[grade]}`, grade] : isEqual(decision.loss) ? [equal, ""] :
      grade === "good" ? [good, ""] :
      [decision.agreement === "kind" ? kind : otherAction, "unknown"];
    return make("span", "badge " + told[1], told[0]);
  }

  function lossText(decision, unit, words) {
    if (decision.agreement === null || decision.agreement === "same") return "";
    const missed = decision.chosen === "HU" ? words.review.missed + " " : "";
    return missed + (decision.loss === null || isEqual(decision.loss) ? "" : `−${format(decision.loss)} ${words.units[unit] || unit}`);
  }

  const speaker = made => made.judges.at(-1);
  const told = (judge, unit, words) => judge.loss === null || isEqual(judge.loss) ? "" : `−${format(judge.loss)}` +
    (judge.uncertainty ? ` ±${format(judge.uncertainty)}` : "") + (unit ? ` ${words.units[unit] || unit}` : "");

  // What each of several judges would do and sees lost, what counts of it, and where they contradict each other.
  function judges(made, names, unit, words) {
    if (made.judges.length < 2) return [];
    const said = words.judges, lines = made.judges.map((judge, place) => make("div", "judge small",
      make("b", "", names[place]), action(judge.chosen, words, made.claimed),
      make("span", judge.class && judge.class !== "good" ? judge.class : "soft",
        [MARKS[judge.class], told(judge, "", words) || (judge.agreement === "same" ? words.review.same : "")].filter(Boolean).join(" "))));
    const counted = made.disputed ? said.notCounted : made.class && made.class !== "good" ? fill(said.counted, format(made.loss), words.units[unit] || unit) :
      made.judges.every(judge => MARKS[judge.class]) ? said.small : "";
    const best = speaker(made).chosen, against = made.judges.slice(0, -1).flatMap((judge, place) => {
      const values = new Map(judge.ranked), played = values.get(made.logged), praised = values.get(best);
      return made.logged !== best && played !== undefined && praised !== undefined && played - praised >= LEAST_LOSS ?
        [fill(said.contradicts, names[place], format(played - praised), names.at(-1))] : [];
    });
    if (made.repeats !== null) against.push(fill(said.repeats, made.repeats));
    return [...lines, counted || against.length ? make("p", "soft small note-line", [counted, ...against].filter(Boolean).join(" ")) : null];
  }

  // Why the loss: the greatest causes as a sentence, then all in a table with their sum.
  function causes(made, words) {
    if (!made.causes || !made.causes.length) return [];
    const {loss} = speaker(made);
    const said = words.causes, number = points => (points < 0 ? "−" : "+") + Math.abs(points).toFixed(2);
    const figure = (cause, place) => {
      const value = cause[2 + place];
      return value === undefined ? "" : cause[0] === "fan" ? value.toFixed(1) :
        percent(value) + (cause[0] === "other" ? ` × ${cause[4 + place].toFixed(1)}` : "");
    };
    const label = ([name]) => said[name];
    const hint = ([name, , , , ...more]) => fill(said.hints[name], ...more.map(value => String(Number(value.toFixed(1)))));
    // Where no cause makes half of the loss, the smaller ones are told too.
    const isSmall = !made.causes.some(cause => cause[1] >= loss / 2), least = (isSmall ? .1 : .15) * loss;
    const main = made.causes.filter(cause => Math.abs(cause[1]) >= least).sort((a, b) => b[1] - a[1]);
    const reasons = main.flatMap((cause, place) => {
      const text = make("span", "hint", said.compared(label(cause), number(cause[1]), figure(cause, 0), figure(cause, 1)));
      text.title = hint(cause);
      return place ? [said.comma, text] : [text];
    });
    const rows = made.causes.filter(cause => cause[0] === "nobody" || Math.abs(cause[1]) >= LEAST_LOSS).map(cause => [[titled(label(cause), hint(cause)),
      figure(cause, 0), figure(cause, 1), cause[0] === "nobody" ? "" : number(cause[1])], ""]);
    const [before, after] = fill(isSmall ? said.small : said.why, loss.toFixed(2), "\n").split("\n");
    return [make("p", "remarks", before, ...reasons, after), fold("causes", said.all, table(["", "★", "●", words.units.points],
        [...rows, [[said.sum, "", "", number(loss)], "total"]]))];
  }

  function titled(text, title) {
    const made = make("span", "hint", text);
    made.title = title;
    return made;
  }

  // The full length of a bar, by the unit of values; the same at every decision.
  const FULL = {points: 4, tiles: 2};
  const RANKED = 5;

  // The moves with a bar each: their distance to the best value.
  function ranking(decision, unit, words) {
    const best = Math.max(...decision.ranked.map(entry => entry[1]));
    const full = FULL[unit] || FULL.points;
    const list = make("div", "ranked");
    const listed = decision.ranked.filter((entry, place) => place < RANKED || entry[0] === decision.logged);
    for (const [text, value] of listed) {
      const isLogged = text === decision.logged, isChosen = text === decision.chosen;
      const share = (best - value) / full;
      const bar = make("span", "bar" + (share > 1 ? " over" : ""), make("i", isChosen ? "first" : isLogged ? "logged" : ""));
      bar.firstChild.style.width = `${100 * Math.min(1, share)}%`;
      list.append(make("span", "", isChosen ? "★" : isLogged ? "●" : ""), action(text, words, decision.claimed), bar,
        make("span", "number small", best - value < LEAST_LOSS ? "" : `−${format(best - value)}`),
        make("span", "number small soft", format(value)));
    }
    const title = words.review.ranking[unit] || words.review.ranking[""];
    return [make("div", "soft small", fill(title, full)), list];
  }

  // The marks of a decision between discards for MjTable.draw, or null. A full bar is the best value.
  function tableMarks(made, unit, seat, hasDangers) {
    if (!made || !made.tiles.length) return null;
    const best = Math.max(...made.ranked.map(entry => entry[1])), opponents = [1, 2, 3].map(offset => (seat + offset) % 4);
    const discard = text => text && text.startsWith("PLAY ") ? text.slice(5) : null;
    const shares = made.ranked.filter(([text]) => discard(text)).map(([text, value]) => [discard(text),
      Math.max(0, 1 - (best - value) / (FULL[unit] || FULL.points))]);
    const listDangers = () => made.tiles.map(([name, , , , , chances]) => [name, opponents.map(opponent => chances[opponent])]);
    return {shares: Object.fromEntries(shares), best: discard(made.chosen), played: discard(made.logged), opponents,
      dangers: hasDangers && made.tiles[0][5] ? Object.fromEntries(listDangers()) : null};
  }

  // The distance from ready to eight fan, and the plain one where it differs.
  function distances(facts, words) {
    const plain = facts.distance_to_8_fan === facts.shanten ? null : facts.shanten === 0 ? words.noWin :
      fill(words.plain, words.distance(facts.shanten));
    return [words.distance(facts.distance_to_8_fan), plain && make("span", "soft small", fill(words.aside, plain))];
  }

  // The fans of a win on a discard and by self-draw, and what it hangs on. ways: of review/facts.py.
  const fanSum = fans => fans.reduce((sum, [points, copies]) => sum + points * copies, 0);
  const joinFans = (fans, fanNames, words) => listFans(fans, fanNames, words).map(([points, text]) => `${text} ${points}`).join(words.causes.plus);
  function winFans([onDiscard, selfDrawn], fanNames, words) {
    const shown = onDiscard || selfDrawn, last = shown.find(([, , name]) => name === "和绝张");
    const hangs = [!onDiscard && words.selfDrawOnly, last && fanSum(shown) - last[0] * last[1] < LEAST_FAN && words.lastCopy];
    return [joinFans(shown, fanNames, words), ...hangs].filter(Boolean).join(" · ");
  }

  // The hand after a move: the distance, then the tiles that win, or else those that help and the fans that are near.
  function factsLine(mark, facts, fanNames, words) {
    const line = make("div", "small useful", make("span", "", `${mark} `, ...distances(facts, words)));
    const add = (name, ...notes) => line.append(make("span", "", MjTable.icon(name, 17), notes.filter(Boolean).join(" ")));
    if (facts.wins.length) {
      line.append(` · ${words.winsOn}`);
      for (const [place, [name, copies, onDiscard, selfDrawn]] of facts.wins.entries()) {
        add(name, `×${copies}`, selfDrawn === undefined ? "" : onDiscard === null ? `${selfDrawn} ${words.fan} ${words.selfDrawOnly}` : `${onDiscard} ${words.fan}`,
          onDiscard && selfDrawn !== onDiscard && fill(words.aside, `${words.selfDrawn} ${selfDrawn}`).trim());
        if (facts.win_ways) line.append(make("span", "soft", winFans(facts.win_ways[place], fanNames, words)));
      }
      return line;
    }
    const left = facts.improving.filter(entry => entry[1]);
    if (left.length && facts.distance_to_8_fan > 0) {
      line.append(" · " + fill(words.useful, left.reduce((sum, entry) => sum + entry[1], 0)));
      for (const [name, copies] of left) add(name, `×${copies}`);
    }
    const near = facts.targets.filter(([, missing]) => missing <= NAMED);
    if (near.length) {
      line.append(make("span", "", "· " + words.aims(near.slice(0, 4).map(([fan, tiles]) =>
        [fanInText(fan, fanNames, words), tiles]))));
    }
    return line;
  }

  // The sentences of a decision; fanNames: {Chinese: English}, tactic: whose they are.
  function remarks(made, tactic, unit, fanNames, words) {
    const {doing} = words.remarks;
    const discards = text => text && /^(PLAY|CHI|PENG) /.test(text);
    // Two ends of one claim differ by their discards alone.
    const isOneOpening = discards(made.chosen) && discards(made.logged) && opening(made.chosen) === opening(made.logged);
    const describe = (text, onDiscard) => {
      const [kind, ...tiles] = text.split(" ");
      if (kind === "PLAY" || isOneOpening || onDiscard) {
        return make("span", "action", doing.PLAY, MjTable.icon(tiles.at(-1), 20));
      }
      const shown = kind === "BUGANG" || (kind === "GANG" && tiles.length) ? [tiles[0]] :
        claimTiles(kind, tiles, made.claimed);
      return make("span", "action", doing[kind], ...icons(shown, 20));
    };
    const isAlone = made.logged_facts === null || made.logged === made.chosen || made.logged === "HU";
    const say = ([kind, ...figures], isAgainst = false) => {
      if (kind === "against") return words.remarks.against(say(figures, true));
      const changesOver = isAgainst && ["keeps", "risk"].includes(kind);
      const [first, second] = changesOver ? [made.logged, made.chosen] : [made.chosen, made.logged];
      const onDiscard = kind === "danger" || kind === "risk";
      const a = describe(first, kind === "danger"), b = isAlone ? null : describe(second, onDiscard);
      if (["aim", "keeps", "distance"].includes(kind)) figures = figures.map(figure => Array.isArray(figure) ?
        joinFans(figure, fanNames, words) : typeof figure === "string" ? fanInText(figure, fanNames, words) : figure);
      if (kind === "way") figures = [patternName(figures[0], fanNames, words), ...figures.slice(1).map(percent)];
      if (kind === "pays") figures = figures.map(wins => wins.flatMap(([name, copies, onDiscard, selfDrawn], place) => [place ? " " : "", make("span", "action",
        MjTable.icon(name, 17), `×${copies}${words.aside.replace("%s", `${onDiscard ?? selfDrawn} ${words.fan}${onDiscard === null ? ` ${words.selfDrawOnly}` : ""}`)}`)]));
      if (kind === "draw") {
        const waits = wins => wins.length ? wins.flatMap(([name, copies], place) => [place ? " " : "", make("span", "action", MjTable.icon(name, 17), `×${copies}`)]) : null;
        figures = [MjTable.icon(figures[0], 17), figures[1], ...figures.slice(2).map(waits)];
      }
      if (onDiscard) figures = [words.seats[figures[0]], ...figures.slice(1).map(
        figure => Array.isArray(figure) ? figure.map(([sign, count]) => words.remarks.signs[sign](count)).join(words.remarks.signs.comma) : percent(figure))];
      if (kind === "only") figures = [tactic, lossText(made, unit, words).slice(1)];
      return words.remarks[kind](a, b, ...figures);
    };
    // A sentence begins with a capital letter, be it in an element.
    const begin = parts => {
      const first = typeof parts[0] === "string" ? null : parts[0].firstChild;
      if (first && first.nodeType === Node.TEXT_NODE) first.data = first.data.charAt(0).toUpperCase() + first.data.slice(1);
      else if (!first) parts[0] = parts[0].charAt(0).toUpperCase() + parts[0].slice(1);
      return parts;
    };
    return make("p", "remarks", ...made.remarks.flatMap(remark => [...begin(say(remark)), " "]));
  }

  function handTiles(decision) {
    const row = make("div", "tiles"), nearest = decision.distance_to_8_fan;
    for (const [name, danger, far, copies, plain] of decision.tiles) {
      const worse = far === null || far > nearest, isPlain = plain !== far;
      const figure = make("figure", "", MjTable.icon(name, 28), risk(danger),
        make("figcaption", "", ...(danger === null ? [] : [percent(danger), make("br")]),
          worse ? make("span", "worse", far === null ? "–" : `+${far - nearest}`) : make("b", "", String(copies)),
          isPlain ? make("small", "soft", ` ${Math.max(0, plain)}`) : null));
      figure.dataset.tile = name;
      if (decision.chosen === "PLAY " + name) figure.classList.add("chosen");
      if (decision.logged === "PLAY " + name) figure.classList.add("logged");
      row.append(figure);
    }
    return row;
  }

  // A bar that is full at a chance of a quarter; none for null.
  function risk(danger) {
    if (danger === null) return "";
    const bar = make("span", "risk", make("i", ""));
    bar.firstChild.style.width = `${Math.min(100, 400 * danger)}%`;
    return bar;
  }

  // The moves, the hands after them, the tiles in hand, and the tactic's reasons, folded.
  function moves(made, tactic, unit, fanNames, words) {
    const card = made.ranked.length ? ranking(made, unit, words) : [];
    card.push(factsLine("★", made.chosen_facts, fanNames, words));
    if (made.logged_facts && made.logged !== made.chosen) card.push(factsLine("●", made.logged_facts, fanNames, words));
    if (made.tiles.length) card.push(make("div", "soft small", words.review.tiles[made.tiles[0][1] === null ? "other" : "mcr"]), handTiles(made));
    const told = made.explanation ? words.explain(made.explanation, name => patternName(name, fanNames, words)) :
      made.reasons;
    if (told) {
      const parts = told instanceof Array ? told.map(part => part.tiles ? make("span", "action", ...icons(part.tiles, 17)) : part) : [told];
      card.push(fold("own", fill(words.review.itself, tactic), make("p", "reasons", ...parts)));
    }
    return card;
  }

  // What CHAGA would do, and what it would discard after a claim, with its shares.
  function chaga(made, words) {
    const lines = [["CHAGA:", made.chaga], [words.then, made.chaga_discard]].filter(([, moves]) => moves && moves.length);
    return lines.map(([title, moves]) => make("div", "small useful", `${title} `, ...moves.map(([text, share]) => {
      const [kind, ...tiles] = text.split(" ");
      const shown = kind === "CHI" ? chow(tiles[0]) : tiles;
      return make("span", "", title === words.then ? "" : words.actions[kind], ...icons(shown, 17), percent(share));
    })));
  }

  // A pattern of a tactic: by its own word, or as the fan of this English name.
  function patternName(name, fanNames, words) {
    return words.pattern(name) || (Object.entries(fanNames).find(([, english]) => english.toLowerCase() === name) || [name])[0];
  }

  // label: who played the action that is compared with the best one; that of the game unless another is named.
  function decision(made, names, unit, fanNames, words, label = words.review.played) {
    const loss = lossText(made, unit, words), tactic = names.at(-1);
    return [
      make("h2", "", `${words.review.decision} · `, ...distances(made, words)),
      make("div", "verdict", verdictBadge(made, words),
        make("span", "", make("span", "soft", label + " "), action(made.logged, words, made.claimed, 24)),
        make("span", "", make("span", "soft", tactic + " "), action(made.chosen, words, made.claimed, 24)),
        loss ? make("span", `loss ${made.class || ""}`, loss + (made.uncertainty ? fill(words.aside, "±" + format(made.uncertainty)) : "")) : null),
      ...judges(made, names, unit, words), ...causes(made, words), remarks(made, tactic, unit, fanNames, words), ...chaga(made, words),
      ...moves(made, tactic, unit, fanNames, words),
      made.forecast && made.judges.length > 1 ? make("p", "soft small note-line", fill(words.judges.forecast, names[0],
        percent(made.forecast.win), percent(made.forecast.pay))) : null,
    ];
  }

  // What a judge forecast and what happened, as a chart: a point for each bin of forecasts.py, larger for more decisions.
  function forecasts(tallies, name, words) {
    if (!tallies) return [];
    const {element} = MjTable, said = words.judges, size = 150, left = 38, top = 6;
    const charts = Object.entries(tallies).map(([kind, bins]) => {
      const chart = element("svg", {viewBox: `0 0 ${size + 58} ${size + 26}`, width: size + 58, height: size + 26, role: "img", "aria-label": said[kind]});
      const x = chance => left + size * chance, y = chance => top + size * (1 - chance);
      for (const mark of [0, .5, 1]) {
        chart.append(element("line", {class: "grid", x1: x(0), x2: x(1), y1: y(mark), y2: y(mark)}),
          element("text", {x: left - 4, y: y(mark) + 4, "text-anchor": "end"}, `${100 * mark}%`),
          element("text", {x: x(mark), y: top + size + 16, "text-anchor": "middle"}, `${100 * mark}%`));
      }
      chart.append(element("line", {class: "even", x1: x(0), y1: y(0), x2: x(1), y2: y(1)}));
      for (const [count, chances, happened] of bins.filter(bin => bin[0])) {
        const point = element("circle", {cx: x(chances / count), cy: y(happened / count), r: Math.min(9, 2 + Math.log2(count))});
        point.append(element("title", {}, said.bin(percent(chances / count), percent(happened / count), count)));
        chart.append(point);
      }
      return make("figure", "", make("figcaption", "small", said[kind]), chart);
    });
    return [fold("forecasts", fill(said.chart, name), make("div", "forecasts", ...charts), make("p", "soft small", said.chartNote))];
  }

  // The parts of a line of a list of mistakes. place: where it was, as text.
  function mistake(made, place, words) {
    const losses = made.losses || made.judges.map(judge => [judge.loss, judge.uncertainty]);
    const both = losses.map(([value]) => value === null ? "?" : value < LEAST_LOSS ? "0" : `−${format(value)}`).join(" / ");
    const loss = made.disputed ? both : [MARKS[made.class], lossText(made, "", words)].filter(Boolean).join(" ");
    return [make("span", "at", place), action(made.logged, words, made.claimed), make("span", "soft", "→"),
      action(made.chosen, words, made.claimed), make("span", `loss ${made.class || ""}`, loss)];
  }

  function summary(review, tactic, words) {
    const heads = words.review.columns.slice(), hasLoss = review.unit !== "";
    if (hasLoss) heads[4] = fill(words.lost, words.units[review.unit] || review.unit);
    const rows = Object.entries(review.summary).map(([kind, counts]) => {
      const share = part => `${Math.round(100 * part / counts.decisions)}%`;
      return [[kind === "all" ? words.all : words.actions[kind], String(counts.decisions), share(counts.kind),
        share(counts.same),
        hasLoss ? format(counts.loss) + (counts.missed ? ` + ${counts.missed}?` : "") : "–"],
      kind === "all" ? "total" : ""];
    });
    return [make("h2", "", `${words.review.summary} · ${tactic}`), table(heads, rows)];
  }

  // The accuracy of a summary's counts as text, and the number of each class; without losses in points "–".
  function grades(review) {
    const counts = review && review.summary.all;
    const classes = make("span", "grades");
    for (const [name, mark] of Object.entries(MARKS)) {
      if (counts && counts[name]) classes.append(make("b", name, `${counts[name]} ${mark}`), " ");
    }
    return [review && review.accuracy !== null ? `${(100 * review.accuracy).toFixed(0)}%` : "–", classes.firstChild ? classes : "–"];
  }

  // Learning goes through several games: the score so far, the filters, and the address of the first of some places, null
  // for none. A place is the address of a game's page, a point and a seat.
  const linkScore = score => `&learn=${score.map(number => Number(number.toFixed(2))).join("_")}`;
  const linkFilters = wanted => Object.values(wanted).some(Boolean) ? `&only=${["leak", "grade", "state", "judge"].map(name => wanted[name] || "").join("-")}` : "";
  function linkRun([next, ...rest], language, score, wanted) {
    if (!next) return null;
    return `${next.slice(0, -2)}#language=${language}${Me.link()}&seat=${next.slice(-1)}${linkScore(score)}${linkFilters(wanted)}&run=${rest.join("_")}`;
  }

  return {make, byId, readData, button, fillCard, redraw, fold, linkRun, linkScore, linkFilters, player, grades, tableMarks, isEqual, distances, action, chow, event, listFans, fanTable, fanName, fanInText, ending, table, signed, format, percent, decision, moves, forecasts,
    leads: factsLine, remarks, mistake, risk, summary, FULL};
})();

// Puts values in the places of a text's %s.
function fill(text, ...values) {
  return text.split("%s").map((part, index) => (index ? values[index - 1] : "") + part).join("");
}

// The language of a page before its reader has chosen one: of the address, or else the one kept, or else of the browser.
function findLanguage(kept) {
  const asked = new URLSearchParams(location.hash.slice(1)).get("language");
  return [asked, kept].find((language) => Object.hasOwn(WORDS, language))
    ?? ((navigator.language || "").startsWith("zh") ? "zh" : "en");
}

// What the browser keeps for the pages; some browsers keep nothing.
const Kept = {
  read(key) { try { return localStorage.getItem(key); } catch { return null; } },
  write(key, text) { try { localStorage.setItem(key, text); } catch { /* not kept */ } },
  readSettings() { try { return {...JSON.parse(Kept.read("play"))}; } catch { return {}; } },
};

// The name of the person who reads the pages, "" for none. The browser keeps it, and it is read anew each time, as another
// page may change it; links carry it too, as some browsers keep nothing for a page that is a file.
const Me = (() => {
  const KEY = "mj_bot.me";
  let unkept = new URLSearchParams(location.hash.slice(1)).get("me") || "";
  if (unkept) choose(unkept);

  function choose(name) {
    unkept = name;
    Kept.write(KEY, name);
  }

  const name = () => Kept.read(KEY) ?? unkept;

  // A button that names the reader. render: called after a change.
  function button(player, words, render) {
    const isMe = player === name();
    const made = Panels.button("me", () => { choose(isMe ? "" : player); render(); }, isMe ? "★" : "☆");
    made.title = isMe ? words.me.is : words.me.choose;
    made.setAttribute("aria-pressed", isMe);
    return made;
  }

  // Calls render when another page may have changed the name.
  function watch(render) {
    for (const kind of ["storage", "pageshow"]) window.addEventListener(kind, render);
  }

  return {name, button, watch, link: () => name() ? `&me=${encodeURIComponent(name())}` : ""};
})();

// Words of riichi mahjong next to the English ones, on request; the browser keeps the choice.
const Riichi = (() => {
  const KEY = "mj_bot.riichi";
  Terms.isRiichi = Kept.read(KEY) === "1";

  // Draws the switch of a page; Chinese pages have none.
  function draw(made, words) {
    made.hidden = words !== WORDS.en;
    [made.textContent = "", made.title = ""] = words.riichi;
    made.setAttribute("aria-pressed", Terms.isRiichi);
  }

  function toggle() {
    Terms.isRiichi = !Terms.isRiichi;
    Kept.write(KEY, Terms.isRiichi ? "1" : "");
  }

  return {draw, toggle};
})();
