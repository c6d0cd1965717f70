// Learning on a game's page: which decisions are asked for, the card of the question, and what can be shown to others.
"use strict";

const ViewerLearning = (() => {
  const {make, button, note, byId} = Panels;
  const {reviewOf, decisionAt, mistakesOf} = ViewerState;

  // The decisions of a seat that are asked for, in their order.
  function listAsked(view, seat = view.seat) {
    const {wanted} = view.learning;
    return mistakesOf(view, seat).filter(decision => Learning.fits(decision, wanted)).sort((a, b) => a.frame - b.frame);
  }

  const questionOf = (view, decision) => view.learning.questions[view.seat][decision.frame] ||= Learning.begin();

  // The frame of the first open question, null where there is none: nothing after it is shown.
  function findOpen(view) {
    const open = view.learning.isOn ? listAsked(view).find(decision => !questionOf(view, decision).isOver) : undefined;
    return open ? open.frame : null;
  }

  const lastShown = view => findOpen(view) ?? view.lastFrame;
  const isHidden = (view, decision) => Boolean(decision) && view.learning.isOn && decision.frame === findOpen(view);

  const countScore = view => Learning.score(listAsked(view).map(decision =>
    [decision, view.learning.questions[view.seat][decision.frame]]));
  // The score with that of the games before. Its last number goes on from there where all answers here were right at
  // once.
  function sumScore(view) {
    const own = countScore(view), isRowWhole = own[5] === own[0];
    return own.map((number, index) => number + ((index < 5 || isRowWhole) && view.learning.earlier[index] || 0));
  }

  // The fields of an address that go on learning in another game.
  const fieldsOf = view => ({language: view.language, learn: sumScore(view), only: view.learning.wanted});

  function toggle(view) {
    const {learning} = view;
    if (view.isAsk) return;
    learning.isOn = !learning.isOn;
    view.isOpen = !learning.isOn;
    ViewerControls.stop(view);
    Viewer.show(view, learning.isOn ? findOpen(view) ?? view.frame : view.frame);
  }

  const focusQuiz = step => Questions.moveFocus(byId("quiz"), step);

  function choose(view, action) {
    const decision = decisionAt(view);
    if (!isHidden(view, decision) || !Learning.answer(decision, questionOf(view, decision), action)) return;
    Viewer.render(view);
    focusQuiz(0);
  }

  // The card of the question of a decision, [] where none is asked.
  function questionCard(view, decision, words) {
    if (!decision || !listAsked(view).includes(decision)) return [];
    const question = questionOf(view, decision);
    return Questions.card(decision, question, view.unit, {
      choose: action => choose(view, action),
      give: () => { question.isOver = true; Viewer.render(view); focusQuiz(0); },
      compare: action => { question.compared = action; Viewer.render(view); },
    }, words);
  }

  // The link to the next game of the run, or else of the session, null where there is none.
  function nextGame(view, words) {
    const {run} = view.learning;
    const address = run ? Address.linkRun(run, fieldsOf(view)) : view.game.next && byId("next").href;
    return address ? Panels.link("button next", address, words.learn.game) : null;
  }

  // The score here and with the games before.
  function scoreNotes(view, words) {
    const {learn} = words, notes = [
      note(listAsked(view).length ? Learning.tellScore(countScore(view), view.unit, words) : learn.none)];
    if (view.learning.earlier[1]) {
      notes.push(note(`${learn.before} ${Learning.tellScore(sumScore(view), view.unit, words)}`));
    }
    return notes;
  }

  // The card of learning, null where the reader does not learn.
  function renderQuiz(view, decision, words) {
    if (!view.learning.isOn) return null;
    const {learn} = words, open = findOpen(view), card = questionCard(view, decision, words);
    if (open === null && !view.isAsk) card.push(make("h2", "", learn.over));
    if (!view.isAsk) card.push(...scoreNotes(view, words));
    if (open !== null && !isHidden(view, decision)) {
      card.push(button("next", () => { Viewer.show(view, open); focusQuiz(0); }, learn.next));
    }
    if (view.isAsk) return card;
    if (open === null) card.push(nextGame(view, words));
    const hasAny = (name, value) => mistakesOf(view).some(decision => Learning.FITS[name](decision, value));
    const change = () => Viewer.show(view, findOpen(view) ?? view.frame);
    card.push(Panels.fold("which", learn.which,
      Questions.filters(Questions.options(words), view.learning.wanted, hasAny, change, words)));
    return card;
  }

  // A decision can be shown to others, without its answer as a picture, or as a page that folds it.
  function renderShare(view, decision, words) {
    const {learn} = words, {seat, frame} = view;
    return make("div", "share", make("span", "soft small", learn.share),
      button("", () => Questions.savePicture(view.positions[frame], seat, words), learn.picture),
      button("", () => Panels.save("position.html",
        "data:text/html;charset=utf-8," + encodeURIComponent(buildPosition(view, decision))), learn.page));
  }

  // The game's data with one decision alone, without names.
  function cutPosition(view, decision) {
    const {game, seat, frame} = view;
    const review = {...reviewOf(view), decisions: [{...decision, frame: 0, repeats: null}], mistakes: [0],
      error: null};
    return {...game, ask: true, name: "", where: "", players: ["", "", "", ""], player: "", session: null, back: null,
      previous: null, next: null, resume: null, scores: null, verdict: null, pending: false,
      error: null,
      notes: [], distances: [[], [], [], []], seats: [seat], seat, frame: 0,
      frames: [{event: view.events[frame], set: [[[], view.positions[frame]]]}],
      decisions: [0, 1, 2, 3].map(other => other === seat ? [0] : []), reviews: {[seat]: review}};
  }

  // This page with one decision alone, and with its answer folded.
  function buildPosition(view, decision) {
    const page = document.documentElement.cloneNode(true);
    page.querySelector("title").textContent = "mj_bot";
    page.querySelector("#data").textContent = JSON.stringify(cutPosition(view, decision)).replaceAll("<", "\\u003c");
    // What is drawn now tells the answer.
    const drawn = page.querySelectorAll("h1, #table, #event, #graph, #steps, #log, .card:not(#log-card)");
    for (const element of drawn) element.replaceChildren();
    return "<!doctype html>\n" + page.outerHTML;
  }

  return {findOpen, lastShown, isHidden, fieldsOf, toggle, choose, focusQuiz, renderQuiz, renderShare};
})();
