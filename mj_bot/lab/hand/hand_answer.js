// What the server says of a hand: a win with its fans, the way to one, and the moves with what they bring.
"use strict";

const HandAnswer = (() => {
  const {make, byId, button} = Panels, {wordsOf, countTiles} = HandState;
  const LEAST_DANGER = 0.005;  // a smaller danger is not shown
  const small = text => make("p", "soft small", text);

  const listFans = ({answer}, fans, words) => Panels.listFans(fans, answer.fan_names, words);
  const leads = ({answer}, facts, words) => Panels.leads("", facts, answer.fan_names, words);

  function showWin(view, words) {
    const {win} = view.answer, {flowers, is_self_drawn: isSelfDrawn} = view.hand, {hand: texts} = words;
    const rows = listFans(view, win.fans, words), way = texts.way[isSelfDrawn ? 1 : 0];
    if (flowers) rows.push([flowers, texts.flowers]);
    const other = win.other_way >= CONSTANTS.leastFan ? texts.otherWay(way, win.other_way + flowers) :
      texts.otherShort(way, win.other_way);
    return [make("h2", "", win.legal ? texts.wins(win.total) : texts.short(win.fan)), Panels.fanTable(rows),
      small(other),
      ...win.others.map(([reason, fan]) => small(texts.others[reason](fan + flowers)))];
  }

  // The fans of a wait, and whether they are enough.
  function showFans(view, fans, words) {
    const {flowers} = view.hand, {hand: texts} = words;
    const sum = fans.reduce((total, [points, copies]) => total + points * copies, 0);
    const isLegal = sum >= CONSTANTS.leastFan, rows = listFans(view, fans, words);
    if (flowers) rows.push([flowers, texts.flowers]);
    const lines = [...(isLegal ? [] : [texts.noWin]), ...rows.map(([points, name]) => `${name} ${points}`)];
    return make("span", isLegal ? "" : "soft", make("b", "", String(sum + flowers)),
      make("small", "", lines.join(words.causes.comma)));
  }

  // Rows of a table: waits of equal fans share one.
  function listBlocks(view, waits, words) {
    const blocks = new Map();
    for (const [name, copies, ...ways] of waits) {
      const key = JSON.stringify(ways);
      blocks.set(key, [...(blocks.get(key) || []), [name, copies, ways]]);
    }
    return [...blocks.values()].map(block => [[
      make("span", "block", ...block.map(([name]) => MjTable.icon(name, 30))),
      String(block.reduce((sum, [, copies]) => sum + copies, 0)),
      ...block[0][2].map(fans => showFans(view, fans, words))]]);
  }

  function showImprovements(view, improvements, words) {
    if (!improvements.length) return [];
    const {hand: texts} = words;
    return [make("h3", "", texts.improvements), ...improvements.map(({draw, copies, action, gain, wins}) => make(
      "p", "row improvement", texts.draws, MjTable.icon(draw, 24), make("span", "soft small", `×${copies}`),
      Panels.action(action, words, null, 24), make("b", "number", Panels.signed(gain.toFixed(2))),
      leads(view, {distance_to_8_fan: 0, shanten: 0, wins, improving: [], targets: []}, words)))];
  }

  function showLeads(view, words) {
    const {leads: facts} = view.answer, {hand: texts} = words, shown = [];
    // The waits of a ready hand are told below.
    if (!facts.wins.length) shown.push(leads(view, facts, words));
    if (facts.waits.length) {
      shown.push(Panels.table([words.winsOn, words.left, ...texts.way], listBlocks(view, facts.waits, words)));
    }
    shown.push(...facts.others.map(reason => small(texts.others[reason](null))));
    if (typeof facts.value === "number") shown.push(make("p", "value",
      texts.value(Panels.signed(facts.value.toFixed(2)))));
    return [...shown, ...showImprovements(view, facts.improvements || [], words)];
  }

  // A move with what it brings; a click makes the discard.
  function showMove(view, move, words) {
    const [kind, name] = move.action.split(" "), {tiles} = view.hand;
    const danger = (move.danger || []).reduce((sum, chance) => sum + chance, 0);
    const discard = () => {
      if (kind !== "PLAY") return;
      tiles.splice(tiles.lastIndexOf(name), 1);
      Hand.change(view);
    };
    const line = make("span", "row", Panels.action(move.action, words, null, 28),
      danger < LEAST_DANGER ? null :
        make("span", "soft small", fill(words.play.dangerous, Panels.percent(danger))),
      make("b", "number", Panels.signed(move.points.toFixed(2))));
    const element = button("move", discard, line, leads(view, move, words));
    element.dataset.action = move.action;
    return element;
  }

  function renderAnswer(view) {
    const {answer, hand} = view, words = wordsOf(view), {hand: texts} = words, count = countTiles(view);
    if (!answer || answer.shanten === undefined) {
      byId("answer").replaceChildren(make("p", "soft", count ? texts.few(count) : texts.hint));
      return;
    }
    const {win, moves} = answer, note = text => make("p", "note", text);
    byId("answer").replaceChildren(...hand.notes.map(key => note(texts.notes[key])),
      answer.rules === "botzone" ? "" : note(fill(texts.rules, answer.rules)),
      ...(win ? showWin(view, words) : [make("h2", "", words.distance(answer.shanten))]),
      ...(answer.leads ? showLeads(view, words) : []),
      ...(moves.length ? [small(texts.moves), ...moves.map(move => showMove(view, move, words))] : []));
    Fans.mark(byId("answer"), answer.fan_names, words);
  }

  return {renderAnswer};
})();
