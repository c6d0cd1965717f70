// What steps through a game: buttons, the list of events, the lists of mistakes, and playing by itself.
"use strict";

const ViewerControls = (() => {
  const {make, byId, button} = Panels;
  const {reviewOf, mistakesOf, repeatsOf, listFrames, tellError} = ViewerState, {findOpen, lastShown} = ViewerLearning;
  const STEPS = ["decision", "claim", "dealIn", "mistake"];

  function jump(view, kind, direction) {
    const frames = listFrames(view, kind);
    const next = direction > 0 ? frames.find(frame => frame > view.frame) :
      frames.findLast(frame => frame < view.frame);
    if (next === undefined) return;
    if (kind === "dealIn" && findOpen(view) === null) {
      view.seat = view.end.from;
      view.hasDangers = true;
    }
    Viewer.show(view, next);
  }

  // Steps on by itself, up to the end.
  function stepByItself(view) {
    if (view.frame < lastShown(view)) {
      view.timer = setTimeout(stepByItself, 1000 / view.speed, view);
      Viewer.show(view, view.frame + 1);
    } else {
      stop(view);
    }
  }

  function stop(view) {
    if (!view.timer) return;
    clearTimeout(view.timer);
    view.timer = null;
    Viewer.render(view);
  }

  function titledButton(text, title, run) {
    const element = button("", run, text);
    element.title = title;
    return element;
  }

  // The buttons to the decisions, claims, deal-ins and mistakes.
  function jumpButtons(view, kind, words) {
    const frames = listFrames(view, kind), {steps, previous, next} = words.review;
    if (!frames.length) return [];
    const back = titledButton("‹", `${previous}: ${steps[kind]}`, () => jump(view, kind, -1));
    const on = titledButton(`${steps[kind]} ›`, `${next}: ${steps[kind]}`, () => jump(view, kind, 1));
    back.disabled = frames[0] >= view.frame;
    on.disabled = frames.at(-1) <= view.frame || view.frame >= lastShown(view);
    return [make("span", "jump", back, on)];
  }

  function renderControls(view, words) {
    const {review} = words, kinds = findOpen(view) === null ? STEPS : ["decision"];
    byId("steps").replaceChildren(
      titledButton("|◀", review.first, () => Viewer.show(view, 0)),
      titledButton("◀", review.previous, () => Viewer.show(view, view.frame - 1)),
      titledButton("▶", review.next, () => Viewer.show(view, view.frame + 1)),
      titledButton("▶|", review.last, () => Viewer.show(view, view.lastFrame)),
      ...kinds.flatMap(kind => jumpButtons(view, kind, words)));
    byId("auto").textContent = view.timer ? "❚❚" : "▶▶";
    byId("auto").title = view.timer ? review.stop : review.auto;
    byId("speed").textContent = `${view.speed}×`;
    byId("speed").title = review.speed;
    byId("slider").max = lastShown(view);
    byId("slider").value = view.frame;
  }

  function renderLog(view, words) {
    byId("log-title").textContent = words.events;
    byId("log").replaceChildren(...view.events.slice(0, lastShown(view) + 1).map((event, frame) =>
      make("li", "", button("link", () => Viewer.show(view, frame), make("span", "at", "#" + frame),
        ...Panels.event(event, words, 16)))));
  }

  let scroll = 0;
  function markLog(view) {
    const log = byId("log");
    log.querySelector(".current")?.classList.remove("current");
    const link = log.children[view.frame].firstChild;
    link.classList.add("current");
    // Scrolls once a painted frame, however many events pass in between.
    cancelAnimationFrame(scroll);
    scroll = requestAnimationFrame(() => {
      log.scrollTop = link.offsetTop - log.offsetTop - log.clientHeight / 2;
    });
  }

  // The mistakes of the shown seat, the worst first; null for a seat without a review.
  function renderMistakes(view, words) {
    const review = reviewOf(view);
    if (!review) return null;
    const {mistakes, differences, noMistakes, noDifferences, unread} = words.review;
    const title = view.hasLoss ? `${mistakes} · ${fill(words.lost, Panels.unitName(view.unit, words))}` : differences;
    const line = (decision, className, sign) => button(className, () => Viewer.show(view, decision.frame),
      ...Panels.mistake(decision, `${sign}#${decision.frame}`, words));
    const lines = mistakesOf(view).flatMap(decision => [line(decision, decision.is_clear ? "link" : "link unsure", ""),
      ...repeatsOf(view, decision).map(repeat => line(repeat, "link unsure", "↳ "))]);
    return [make("h2", "", `${title} · ${words.seats[view.seat]}`), ...lines,
      lines.length ? null : make("p", "soft small", view.hasLoss ? noMistakes : noDifferences),
      review.error ? make("p", "note small", `${unread}: ${tellError(view, review.error)}`) : null];
  }

  return {jump, stepByItself, stop, renderControls, renderLog, markLog, renderMistakes};
})();
