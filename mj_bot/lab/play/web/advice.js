// What the adviser and the coach say: marks on tiles and buttons, the hint, a stopped move, the question at eight fan.
"use strict";

const Advice = (() => {
  const {make, byId, button, fillCard} = Panels;

  // Whether the hint is this action; a claim comes without its discard.
  const isChosen = text => Play.hint !== null && `${Play.hint.chosen} `.startsWith(`${text} `);

  // What the adviser thinks that an action loses, where the person wants to see it: "", "−0.42".
  function figureOf(text) {
    const {hint} = Play;
    if (!hint || !Play.settings.figures) return "";
    const values = hint.ranked.filter(([ranked]) => `${ranked} `.startsWith(`${text} `)).map(entry => entry[1]);
    const loss = Math.max(...hint.ranked.map(entry => entry[1])) - Math.max(...values);
    return values.length && loss ? `−${Panels.format(loss)}` : "";
  }

  // Marks a tile of the hand with what the hint says of its discard, an action.
  function markTile(tile, name, text) {
    const {hint, say, words} = Play;
    if (isChosen(text)) tile.classList.add("best");
    const marks = hint.tiles.find(entry => entry[0] === name);
    if (!marks) return;
    const [, danger, far, copies] = marks, nearest = hint.distance_to_8_fan;
    const worse = far === null ? "–" : far > nearest ? `+${far - nearest}` : "";
    tile.append(Panels.risk(danger), make("small", worse ? "worse" : "", worse || String(copies)));
    if (Play.settings.figures) {
      tile.append(make("small", "figure", figureOf(text) || "0"));
      if (danger !== null) tile.append(make("small", "figure", Panels.percent(danger)));
    }
    tile.title = [danger === null ? "" : fill(say.dangerous, Panels.percent(danger)), words.distance(far),
      fill(say.live, copies)].filter(Boolean).join(", ");
  }

  function renderHint() {
    const {hint, stopped, game, words} = Play, {adviser, judges, unit} = hint || {};
    const isExplained = stopped && Play.isExplained;
    if (isExplained) fillCard("hint", Panels.decision(stopped, ["cnn", "search"], "points", game.fan_names, words));
    else fillCard("hint", hint && [
      make("h2", "", `${adviser} · `, ...Panels.distances(hint, words)),
      make("div", "verdict", make("span", "soft", Play.say.best), Panels.action(hint.chosen, words, hint.claimed, 26)),
      plan(),
      Panels.remarks(hint, adviser, unit, game.fan_names, words),
      ...Panels.moves({...hint, tiles: []}, judges.at(-1).name, unit, game.fan_names, words)]);
    Fans.mark(byId("hint"), game.fan_names, words);
  }

  // The hand to aim for, the tiles that it needs, and those whose discard takes it farther away.
  function plan() {
    const {hint, say} = Play, {targets, improving} = hint.chosen_facts;
    if (!targets.length) return null;
    const [fan, missing] = targets[0], isFarther = far => far === null || far > hint.distance_to_8_fan;
    const line = (text, entries) => entries.length ?
      [make("span", "", text), ...entries.map(([name]) => MjTable.icon(name, 20))] : [];
    const target = Panels.fanInText(fan, Play.game.fan_names, Play.words);
    return make("p", "plan useful", make("span", "", say.plan(target, missing)),
      ...line(say.wanted, improving.filter(entry => entry[1])),
      ...line(say.keep, hint.tiles.filter(([, , far]) => isFarther(far))));
  }

  // The move that the coach stopped, the better one folded, and what the person may do.
  function renderCoach() {
    const {asked, stopped, say, words} = Play;
    if (asked) return renderQuestion();
    const isNew = stopped && byId("coach").hidden;
    fillCard("coach", stopped && [
      make("h2", "", fill(say.stopped, Panels.format(stopped.loss))),
      make("div", "verdict", Panels.action(stopped.logged, words, stopped.claimed, 26),
        make("details", "", make("summary", "soft", say.better),
          Panels.action(stopped.chosen, words, stopped.claimed, 26))),
      make("p", "coach-buttons", button("main", takeBack, say.takeBack, make("kbd", "", "Esc")),
        button("", letStand, say.letStand, make("kbd", "", "S")),
        button("", explain, say.explain, make("kbd", "", "E")))]);
    if (isNew) byId("coach").querySelector("button").focus();
  }

  // Winning now and the best other move, with what each brings.
  function renderQuestion() {
    const {asked, say, words, frame, game} = Play, isNew = byId("coach").hidden, {ranked, adviser, unit} = asked;
    const isSelfDrawn = frame.event.kind === "DRAW" && frame.event.seat === game.seat;
    const paid = 3 * CONSTANTS.leastFan + game.win_fan * (isSelfDrawn ? 3 : 1);
    const [other] = ranked.filter(([text]) => text !== "HU"), now = ranked.find(([text]) => text === "HU");
    const value = entry => entry ? `${Panels.format(entry[1])} ${words.units[unit] || unit}` : "–";
    fillCard("coach", [
      make("h2", "", fill(say.eightFan, paid)),
      make("p", "useful", fill(say.valued, adviser), `${say.buttons.HU} ${value(now)}${words.causes.comma.trim()}`,
        other ? Panels.action(other[0], words, asked.claimed, 22) : "", value(other)),
      make("p", "coach-buttons", button("main", winNow, say.winNow, make("kbd", "", "W")),
        button("", wait, say.wait, make("kbd", "", "Esc")))]);
    if (isNew) byId("coach").querySelector("button").focus();
  }

  function winNow() {
    Play.asked = null;
    Requests.act("HU");
  }

  function wait() {
    Play.asked = null;
    Play.auto.win = false;
    Show.render();
    Clock.start();
  }

  function takeBack() {
    Play.stopped = null;
    Show.render();
    Clock.start();
  }

  function letStand() {
    const text = Play.stopped.logged;
    Play.stopped = null;
    Requests.act(text);
  }

  function explain() {
    Play.isExplained = !Play.isExplained;
    Show.render();
    byId("coach").querySelectorAll("button")[2].focus();
    if (Play.isExplained) byId("hint").scrollIntoView({block: "nearest"});
  }

  return {isChosen, figureOf, markTile, renderHint, renderCoach, winNow, wait, takeBack, letStand, explain};
})();
