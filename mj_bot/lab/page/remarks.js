// The sentences of a decision: the remarks of review/facts.py, with words, tiles and figures.
"use strict";

Object.assign(Panels, (() => {
  const {make, icons, percent, opening, claimTiles, fanInText} = Panels;
  const isDiscard = text => text && /^(PLAY|CHI|PENG) /.test(text);

  // An action as a noun of a sentence: the claim or kong, or the discard alone.
  function describeAction(text, isDiscardNamed, decision, words) {
    const [kind, ...tiles] = text.split(" "), {doing} = words.remarks;
    if (kind === "PLAY" || isDiscardNamed) return make("span", "action", doing.PLAY, MjTable.icon(tiles.at(-1), 20));
    const named = kind === "BUGANG" || (kind === "GANG" && tiles.length) ? [tiles[0]] :
      claimTiles(kind, tiles, decision.claimed);
    return make("span", "action", doing[kind], ...icons(named, 20));
  }

  // Tiles that win, each with a text, apart by spaces.
  const listTiles = (wins, tell) => wins.flatMap((win, index) =>
    [index ? " " : "", make("span", "action", MjTable.icon(win[0], 17), tell(win))]);

  function tellWin([, copies, onDiscard, selfDrawn], words) {
    const fan = `${onDiscard ?? selfDrawn} ${words.fan}`;
    return `×${copies}` + fill(words.aside, onDiscard === null ? `${fan} ${words.selfDrawOnly}` : fan);
  }

  // The chances of seats, the first with the signs of its danger.
  function tellSeats(seats, signs, words) {
    const [first, ...others] = seats.map(([seat, chance]) => `${words.seats[seat]} ${percent(chance)}`);
    return [signs ? first + words.remarks.signs.comma + signs : first, ...others].join(words.causes.comma);
  }

  // The figures of a remark as texts and nodes, by its kind. context: decision, tactic, unit, fanNames, words.
  function tellFigures(kind, figures, {decision, tactic, unit, fanNames, words}) {
    const fanFigure = figure => Array.isArray(figure) ? Panels.joinFans(figure, fanNames, words) :
      typeof figure === "string" ? fanInText(figure, fanNames, words) : figure;
    const {signs} = words.remarks;
    const signText = list => list.map(([sign, count]) => signs[sign](count)).join(signs.comma);
    const draws = wins => wins && wins.length ? listTiles(wins, ([, copies]) => `×${copies}`) : null;
    const tell = {
      aim: () => figures.map(fanFigure), keeps: () => figures.map(fanFigure), distance: () => figures.map(fanFigure),
      way: ([name, ...chances]) =>
        [name === "waits" ? null : Panels.patternName(name, fanNames, words), ...chances.map(percent)],
      pays: () => figures.map(wins => listTiles(wins, win => tellWin(win, words))),
      draw: ([tile, copies, ...wins]) => [MjTable.icon(tile, 17), copies, ...wins.map(draws)],
      only: () => [tactic, Panels.lossText(decision, unit, words).slice(1)],
      needless: ([tile, ...chances]) => [make("span", "action", MjTable.icon(tile, 20)), ...chances.map(percent),
        decision.chosen.endsWith(" " + tile)],
      danger: ([best, played, seats, signed]) => [
        ...[best, played].sort((p, q) => q - p).map(chance => chance === null ? null : percent(chance)),
        tellSeats(seats, signed && signText(signed), words)],
    };
    return tell[kind] ? tell[kind](figures) : figures;
  }

  // A remark as the parts of a sentence.
  function tellRemark([kind, ...figures], isAgainst, context) {
    const {decision, words} = context, {chosen, logged} = decision;
    if (kind === "against") return words.remarks.against(tellRemark(figures, true, context));
    // The sentence about danger names the more dangerous discard first, and "keeps" the move that keeps.
    const isTurned = isAgainst ? kind === "keeps" : kind === "danger";
    const [first, second] = isTurned ? [logged, chosen] : [chosen, logged];
    // Two ends of one claim differ by their discards alone.
    const isOneOpening = isDiscard(chosen) && isDiscard(logged) && opening(chosen) === opening(logged);
    const isAlone = decision.logged_facts === null || logged === chosen || logged === "HU";
    const a = describeAction(first, isOneOpening || kind === "danger" && isDiscard(first), decision, words);
    const isDiscardB = isOneOpening || ["danger", "needless"].includes(kind) && isDiscard(second);
    const b = isAlone ? null : describeAction(second, isDiscardB, decision, words);
    return words.remarks[kind](a, b, ...tellFigures(kind, figures, context));
  }

  // A sentence begins with a capital letter, be it in an element.
  function capitalize(parts) {
    const raise = text => text.charAt(0).toUpperCase() + text.slice(1);
    const first = typeof parts[0] === "string" ? null : parts[0].firstChild;
    if (first && first.nodeType === Node.TEXT_NODE) first.data = raise(first.data);
    else if (!first) parts[0] = raise(parts[0]);
    return parts;
  }

  // The sentences of a decision; fanNames: {Chinese: English}, tactic: whose they are.
  function remarks(decision, tactic, unit, fanNames, words) {
    const context = {decision, tactic, unit, fanNames, words};
    return make("p", "remarks", ...decision.remarks.flatMap(remark =>
      [...capitalize(tellRemark(remark, false, context)), " "]));
  }

  return {remarks};
})());
