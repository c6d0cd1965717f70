// Steps through a game: what pages.py puts into the element #data.
"use strict";

const Viewer = (() => {
  const {byId, make, fillCard, redraw} = Panels;
  const {reviewOf, decisionAt, tellError} = ViewerState, {findOpen, lastShown, isHidden} = ViewerLearning;
  const REMEMBER_MS = 250;  // browsers refuse to be asked too often

  function show(view, frame) {
    view.frame = Math.max(0, Math.min(lastShown(view), Math.round(frame) || 0));
    render(view);
  }

  // Notes and errors of the record.
  function renderErrors(view, words) {
    const {game} = view;
    byId("own-rules").hidden = !game.own_rules;
    if (game.own_rules) byId("own-rules").textContent = words.review.ownRules(game.own_rules);
    byId("error").hidden = !game.error;
    if (game.error) byId("error").textContent = `${words.review.breaks}: ${tellError(view, game.error)}`;
  }

  // Parts that are the same at every event are drawn again only for another seat, language or question.
  function renderFrame(view, words) {
    const {game, seat, language, isOpen, hasSteps, hasDangers, learning} = view, open = findOpen(view);
    const drawn = JSON.stringify([seat, language, isOpen, hasSteps, hasDangers, learning.isOn, open, learning.wanted]);
    if (drawn === view.drawn) return;
    view.drawn = drawn;
    ViewerHead.renderHeader(view, words);
    renderErrors(view, words);
    const {isAsk} = view, hasEvents = view.positions.length > 0;
    byId("stage").hidden = !hasEvents;
    byId("log-card").hidden = !hasEvents || isAsk;
    if (!hasEvents) return;
    byId("controls").hidden = byId("keys").hidden = isAsk;
    byId("graph").hidden = open !== null || isAsk;
    if (!byId("graph").hidden) ViewerTimeline.renderGraph(view, words);
    ViewerControls.renderLog(view, words);
    if (open !== null || isAsk) fillCard("head", null); else ViewerHead.renderHead(view, words);
    fillCard("mistakes", learning.isOn ? null : ViewerControls.renderMistakes(view, words));
    const hasSummary = reviewOf(view) && open === null && !isAsk;
    fillCard("summary", hasSummary ? Panels.summary(reviewOf(view), game.tactic, words) : null);
    ViewerKeys.renderKeys(words);
  }

  // The decision as its panel shows it: with what the person chose, where that is another move than the game's.
  function judgeChoice(view, decision) {
    const question = decision && view.learning.isOn ? view.learning.questions[view.seat][decision.frame] : null;
    return question && question.isOver ? Learning.suppose(decision, Learning.compared(decision, question)) : decision;
  }

  function renderTable(view, decision, words) {
    const {game, seat} = view, event = view.events[view.frame], isEnd = event.kind === "END";
    MjTable.draw(byId("table"), view.positions[view.frame], {
      seat, open: view.isOpen, names: game.players.map(name => Panels.player(name, words)), words,
      marks: decision ? Panels.tableMarks(decision, view.unit, seat, view.hasDangers) : null,
      below: view.hasDangers && findOpen(view) !== view.frame,
      scores: isEnd ? event.scores : null,
      reveal: isEnd && event.verdict === "HU" ? event.seat : null,
    });
  }

  function renderEvent(view, words) {
    const {game, frame} = view, isClosed = findOpen(view) === null;
    const notes = game.notes.filter(note => note.frame === frame).map(note => make("span", "note small",
      `${words.seats[note.seat]}: ${words.review.note}: ${tellError(view, note.text)}`));
    const count = isClosed ? fill(words.review.frame, frame, view.lastFrame) : view.isAsk ? "" : `#${frame}`;
    byId("event").replaceChildren(...Panels.event(view.events[frame], words), ...notes, make("span", "count", count));
  }

  const dealInsAt = (view, {frame}) => (reviewOf(view).deal_ins || []).filter(dealIn => dealIn.frame === frame);

  function renderCards(view, decision, words) {
    const {game, unit} = view, event = view.events[view.frame], judged = judgeChoice(view, decision);
    const isEnd = event.kind === "END", label = judged === decision ? words.review.played : words.learn.you;
    fillCard("ending", isEnd ? Panels.ending(event, view.positions[view.frame], game.fan_names, words) : null);
    fillCard("command", view.hasCommand ? ViewerKeys.renderCommand(view, words) : null);
    fillCard("quiz", ViewerLearning.renderQuiz(view, decision, words));
    fillCard("decision", decision && !isHidden(view, decision) ? [
      ...Panels.decision(judged, view.judges, unit, game.fan_names, words, label),
      ...dealInsAt(view, decision).map(dealIn => Panels.dealInNote(dealIn, decision.claimed, words)),
      ViewerLearning.renderShare(view, decision, words)] : null);
    for (const id of ["ending", "decision"]) Fans.mark(byId(id), game.fan_names, words);
  }

  const render = view => redraw(() => {
    const words = WORDS[view.language];
    // Another seat may have an open question before this event.
    view.frame = Math.min(view.frame, lastShown(view));
    renderFrame(view, words);
    if (!view.positions[view.frame]) return;
    const decision = decisionAt(view);
    renderTable(view, isHidden(view, decision) ? null : judgeChoice(view, decision), words);
    renderEvent(view, words);
    ViewerControls.renderControls(view, words);
    if (!byId("graph").hidden) ViewerTimeline.moveCursor(view);
    renderCards(view, decision, words);
    ViewerKeys.renderResume(view, words);
    ViewerControls.markLog(view);
    rememberAddress(view);
  });

  function renderAll(view) {
    view.drawn = "";
    render(view);
  }

  // The address leads back to this event, and to no answer while its reader learns.
  function rememberAddress(view) {
    const {seat, frame, language} = view, {isOn, earlier, wanted, run} = view.learning;
    const fields = isOn && !view.isAsk ? {learn: earlier, only: wanted, run} : {};
    clearTimeout(view.remembering);
    view.remembering = setTimeout(() => Address.write({seat, frame, language, ...fields}), REMEMBER_MS);
  }

  function begin(view, address) {
    ViewerKeys.listen(view);
    // Another place in this page's address.
    window.addEventListener("hashchange", () => location.reload());
    window.addEventListener("resize", () => renderAll(view));
    Me.watch(() => renderAll(view));
    ViewerState.openFirst(view, address);
    if (view.learning.isOn) {
      view.isOpen = false;
      view.frame = findOpen(view) ?? view.frame;
    }
    show(view, view.frame);
    // The server has asked one judge so far; this page stays until the answer of all of them comes.
    if (view.game.pending) location.reload();
  }

  return {show, render, renderAll, begin};
})();

(async () => {
  const game = await Panels.readData(), address = Address.read();
  MjTable.mark(game.marked || []);
  Viewer.begin(ViewerState.make(game, address), address);
})();
