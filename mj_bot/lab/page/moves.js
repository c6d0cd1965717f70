// The panel of a decision: the ranked moves, the hands after them, the dangers of the tiles in hand, the own reasons.
"use strict";

Object.assign(Panels, (() => {
  const {make, icons, percent, format, note, action, leads} = Panels;
  // The full length of a bar, by the unit of values; the same at every decision.
  const FULL = {points: 4, tiles: 2};
  const RANKED = 5;
  const fullOf = unit => FULL[unit] || FULL.points;
  const bestOf = decision => Math.max(...decision.ranked.map(([, value]) => value));

  // The moves with a bar each: their distance to the best value.
  function ranking(decision, unit, words) {
    const best = bestOf(decision), full = fullOf(unit), list = make("div", "ranked");
    const shown = decision.ranked.filter(([text], index) => index < RANKED || text === decision.logged);
    for (const [text, value] of shown) {
      const isLogged = text === decision.logged, isChosen = text === decision.chosen, share = (best - value) / full;
      const fillClass = isChosen ? "first" : isLogged ? "logged" : "";
      const bar = make("span", "bar" + (share > 1 ? " over" : ""), make("i", fillClass));
      bar.firstChild.style.width = `${100 * Math.min(1, share)}%`;
      list.append(make("span", "", isChosen ? "★" : isLogged ? "●" : ""), action(text, words, decision.claimed), bar,
        make("span", "number small", Panels.isEqual(best - value) ? "" : `−${format(best - value)}`),
        make("span", "number small soft", format(value)));
    }
    return [make("div", "soft small", fill(words.review.ranking[unit] || words.review.ranking[""], full)), list];
  }

  // The marks of a decision between discards for MjTable.draw, or null. A full bar is the best value.
  function tableMarks(decision, unit, seat, hasDangers) {
    if (!decision || !decision.tiles.length) return null;
    const best = bestOf(decision), opponents = [1, 2, 3].map(offset => (seat + offset) % 4);
    const discard = text => text && text.startsWith("PLAY ") ? text.slice(5) : null;
    const shares = decision.ranked.filter(([text]) => discard(text)).map(([text, value]) =>
      [discard(text), Math.max(0, 1 - (best - value) / fullOf(unit))]);
    const listDangers = () => decision.tiles.map(([name, , , , , chances]) =>
      [name, opponents.map(opponent => chances[opponent])]);
    return {shares: Object.fromEntries(shares), best: discard(decision.chosen), played: discard(decision.logged),
      opponents,
      dangers: hasDangers && decision.tiles[0][5] ? Object.fromEntries(listDangers()) : null};
  }

  // A bar that is full at a chance of a quarter; none for null.
  function risk(danger) {
    if (danger === null) return "";
    const bar = make("span", "risk", make("i", ""));
    bar.firstChild.style.width = `${Math.min(100, 400 * danger)}%`;
    return bar;
  }

  // The tiles in hand, each with its danger and what its discard does to the hand.
  function handTiles(decision) {
    const row = make("div", "tiles"), nearest = decision.distance_to_8_fan;
    for (const [name, danger, distance, copies, plain] of decision.tiles) {
      const isWorse = distance === null || distance > nearest;
      const figure = make("figure", "", MjTable.icon(name, 28), risk(danger),
        make("figcaption", "", ...(danger === null ? [] : [percent(danger), make("br")]),
          isWorse ? make("span", "worse", distance === null ? "–" : `+${distance - nearest}`) :
            make("b", "", String(copies)),
          plain === distance ? null : make("small", "soft", ` ${Math.max(0, plain)}`)));
      figure.dataset.tile = name;
      if (decision.chosen === "PLAY " + name) figure.classList.add("chosen");
      if (decision.logged === "PLAY " + name) figure.classList.add("logged");
      row.append(figure);
    }
    return row;
  }

  // A tactic's own reasons, folded.
  function ownReasons(decision, tactic, fanNames, words) {
    const reasons = decision.explanation ?
      words.explain(decision.explanation, name => Panels.patternName(name, fanNames, words)) : decision.reasons;
    if (!reasons) return null;
    const parts = [reasons].flat().map(part => part.tiles ? make("span", "action", ...icons(part.tiles, 17)) : part);
    return Panels.fold("own", fill(words.review.itself, tactic), make("p", "reasons", ...parts));
  }

  // The moves, the hands after them, the tiles in hand, and the tactic's reasons.
  function moves(decision, tactic, unit, fanNames, words) {
    const hasOther = decision.logged_facts && decision.logged !== decision.chosen;
    const tilesTitle = () => words.review.tiles[decision.tiles[0][1] === null ? "other" : "mcr"];
    return [
      ...(decision.ranked.length ? ranking(decision, unit, words) : []),
      leads("★", decision.chosen_facts, fanNames, words),
      hasOther ? leads("●", decision.logged_facts, fanNames, words) : null,
      ...(decision.tiles.length ? [make("div", "soft small", tilesTitle()), handTiles(decision)] : []),
      ownReasons(decision, tactic, fanNames, words),
    ].filter(Boolean);
  }

  // What CHAGA would do, and what it would discard after a claim, with its shares.
  function chaga(decision, words) {
    const lines = [["CHAGA:", decision.chaga], [words.then, decision.chaga_discard]];
    const describe = (title, [text, share]) => {
      const [kind, ...tiles] = text.split(" ");
      return make("span", "", title === words.then ? "" : words.actions[kind],
        ...icons(kind === "CHI" ? Panels.chow(tiles[0]) : tiles, 17), percent(share));
    };
    return lines.filter(([, list]) => list && list.length).map(([title, list]) =>
      make("div", "small useful", `${title} `, ...list.map(entry => describe(title, entry))));
  }

  function verdict(decision, unit, words, label) {
    const loss = Panels.lossText(decision, unit, words);
    return make("div", "verdict", Panels.verdictBadge(decision, words),
      make("span", "", make("span", "soft", label + " "), action(decision.logged, words, decision.claimed, 24)),
      make("span", "", make("span", "soft", words.review.best + " "),
        action(decision.chosen, words, decision.claimed, 24)),
      loss ? make("span", `loss ${decision.class || ""}`, loss) : null,
      loss ? Panels.titled(Panels.sureness(decision, words), words.judges.sureness) : null);
  }

  // The panel of a decision. names: of the judges. label: who played the action that is compared with the best one; the
  // game's unless another is given.
  function showDecision(decision, names, unit, fanNames, words, label = words.review.played) {
    const tactic = names.at(-1), {forecast} = decision;
    return [
      make("h2", "", `${words.review.decision} · `, ...Panels.distances(decision, words)),
      verdict(decision, unit, words, label),
      ...Panels.judges(decision, words), ...Panels.causes(decision, words),
      Panels.remarks(decision, tactic, unit, fanNames, words), ...chaga(decision, words),
      ...moves(decision, tactic, unit, fanNames, words),
      forecast && decision.judges.length > 1 ?
        note(fill(words.judges.forecast, names[0], percent(forecast.win), percent(forecast.pay))) : null,
    ];
  }

  return {fullOf, tableMarks, risk, moves, decision: showDecision};
})());
