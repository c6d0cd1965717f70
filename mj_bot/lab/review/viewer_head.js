// The head of a game's page: title, switches, links to other pages, and who lost how much.
"use strict";

const ViewerHead = (() => {
  const {make, byId, button, note} = Panels;
  const {reviewOf, openSeat} = ViewerState, {findOpen} = ViewerLearning;
  // A seat that plays so many decisions as the judges may be the same player; fewer happen to anybody.
  const LEAST_ALIKE = 100;

  // A button of the head that is pressed or not.
  function renderSwitch(id, text, isPressed, isShown) {
    byId(id).textContent = text;
    byId(id).setAttribute("aria-pressed", isPressed);
    byId(id).hidden = !isShown;
  }

  function tellTitle(view, words) {
    const {game, positions} = view, {session} = game, wind = positions.length ? positions.at(-1).wind : null;
    if (view.isAsk) return [game.name, words.learn.ask].filter(Boolean).join(" · ");
    return [session ? words.index.hand(session.hand + 1, session.hands) : game.name,
      wind === null ? "" : fill(words.round, words.seats[wind].replace("家", "")), session ? session.title : ""]
      .filter(Boolean).join(" · ");
  }

  function renderSwitches(view, words) {
    const {game, learning} = view, isClosed = findOpen(view) === null, reviews = Object.values(game.reviews);
    const hasDangers = reviews.some(review => review.decisions.some(({tiles}) => tiles.some(tile => tile[5])));
    renderSwitch("open", view.isOpen ? words.review.open : words.review.one, view.isOpen,
      game.seats.length > 1 && isClosed);
    renderSwitch("learn", words.learn[learning.isOn ? "stop" : "start"], learning.isOn,
      reviews.length && !view.isAsk);
    renderSwitch("danger", words.review.danger, view.hasDangers, hasDangers && isClosed);
    byId("curve").textContent = words.review.curve[view.hasSteps ? "points" : "steps"];
    byId("curve").hidden = !view.hasPoints || !isClosed || view.isAsk;
    byId("language").textContent = words.other;
    Riichi.draw(byId("riichi"), words);
  }

  function renderLinks(view, words) {
    const {game, language, learning} = view;
    byId("back").hidden = !game.back;
    if (game.back) {
      byId("back").textContent = "← " + words.review.back[game.back.to];
      byId("back").href = Address.link(game.back.address, {language, session: game.back.session});
    }
    const run = learning.isOn && !view.isAsk ? ViewerLearning.fieldsOf(view) : {};
    for (const turn of ["previous", "next"]) {
      byId(turn).hidden = !game[turn];
      byId(turn).title = `${words.review[turn]}: ${words.index.game}`;
      byId(turn).href = Address.link(game[turn], {language, player: game.players[view.seat], ...run});
    }
  }

  function renderHeader(view, words) {
    document.documentElement.lang = view.language;
    byId("title").textContent = tellTitle(view, words);
    renderSwitches(view, words);
    renderLinks(view, words);
  }

  // The cells of a seat: wind, player, score, and what it lost.
  function seatRow(view, seat, words) {
    const {game, end} = view, player = game.players[seat], review = reviewOf(view, seat);
    const choose = button("", () => { openSeat(view, seat); Viewer.render(view); }, make("span", `dot seat-${seat}`),
      words.seats[seat]);
    choose.title = words.review.choose;
    choose.setAttribute("aria-pressed", seat === view.seat);
    const named = make("span", "named", Panels.player(player, words) || "–",
      player ? Me.button(player, words, () => Viewer.renderAll(view)) : null);
    const cells = [choose, named, end && end.scores ? Panels.signed(end.scores[seat]) : "–"];
    const counts = review && review.summary.all;
    if (view.hasLoss) cells.push(counts ? Panels.format(counts.loss) : "–");
    if (view.hasPoints) cells.push(...Panels.grades(review));
    else if (game.tactic) cells.push(review ? String(review.mistakes.length) : "–");
    return [cells, seat === view.seat ? "current" : ""];
  }

  // What the figures mean.
  function scaleNotes(view, words) {
    const {game, judges} = view;
    if (!game.tactic) return [];
    const compared = note(judges.length > 1 ? fill(words.judges.rule, judges.join(words.judges.comma), judges.at(-1)) :
      fill(words.review.compared, game.tactic));
    if (!view.hasPoints) return [compared];
    const limits = game.limits.map(([, limit]) => limit).reverse();
    return [Panels.fold("limits", fill(words.review.limits, ...limits), note(fill(words.review.scale, game.half)),
      compared)];
  }

  // Sentences about seats that played every move as the judges would.
  function alikeNotes(view, words) {
    const countsOf = seat => reviewOf(view, seat) && reviewOf(view, seat).summary.all;
    const alike = [0, 1, 2, 3].filter(seat => countsOf(seat) && countsOf(seat).same === countsOf(seat).decisions);
    const isLong = seat => countsOf(seat).decisions >= LEAST_ALIKE;
    const groups = [["sameAs", alike.filter(isLong)], ["allSame", alike.filter(seat => !isLong(seat))]];
    return groups.filter(([, seats]) => seats.length).map(([key, seats]) => note(fill(words.review[key],
      seats.map(seat => words.seats[seat]).join(words.judges.comma), view.judges.join(words.judges.or))));
  }

  // How the game ended, and who lost how much where.
  function renderHead(view, words) {
    const {game, end} = view, heads = ["", words.player, words.score];
    if (view.hasLoss) heads.push(fill(words.lost, Panels.unitName(view.unit, words)));
    if (view.hasPoints) heads.push(Panels.titled(words.review.accuracy, fill(words.review.scale, game.half)));
    if (game.tactic) heads.push(view.hasLoss || !view.unit ? words.mistakeCount : words.differenceCount);
    Panels.fillCard("head", [
      make("p", "event-line", ...(end ? Panels.event(end, words) : [words.unfinished])),
      Panels.table(heads, [0, 1, 2, 3].map(seat => seatRow(view, seat, words))),
      game.pending ? note(words.judges.pending) : null,
      ...scaleNotes(view, words), ...alikeNotes(view, words)]);
  }

  return {renderHeader, renderHead};
})();
