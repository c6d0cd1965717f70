// The clock: each choice has its seconds, then those in reserve; at the end the page makes the choice.
"use strict";

const Clock = (() => {
  const {byId} = Panels;
  const SPARE = 10, WARNING = 5;  // seconds in reserve for a game, and before the end of a choice

  let late = null;     // time in ms at which the clock makes the choice
  let spare = SPARE;   // seconds that are left in reserve in this game

  function start() {
    stop();
    if (Play.settings.clock && Play.frame && Play.game.legal.length && !Play.isBusy && !Play.stopped && !Play.asked) {
      late = Date.now() + 1000 * (Play.settings.clock + spare);
    }
    show();
  }

  function stop() {
    if (late !== null) spare = Math.max(0, Math.min(spare, (late - Date.now()) / 1000));
    late = null;
    show();
  }

  function refill() { spare = SPARE; }

  // The seconds of the choice, and those in reserve.
  function tell(left) {
    const reserve = Math.ceil(spare);
    return left <= spare ? String(left) : spare > 0 ? `${left - reserve} + ${reserve}` : String(left - reserve);
  }

  function show() {
    const left = late === null ? 0 : Math.max(0, Math.ceil((late - Date.now()) / 1000));
    const isLate = late !== null && left <= WARNING, time = byId("time");
    time.hidden = late === null;
    const text = late === null ? "" : isLate ? fill(Play.say.hurry, left) : tell(left);
    if (isLate && Play.settings.sound && text !== time.textContent) playSound("turn");
    if (text !== time.textContent) time.textContent = text;
    time.classList.toggle("late", isLate);
    time.setAttribute("aria-live", isLate ? "assertive" : "off");
  }

  // Passes, or discards the tile just drawn, after a claim the last one.
  function runOut() {
    if (late === null || Play.isBusy || Date.now() < late) return;
    late = null;
    spare = 0;
    const discards = Choices.listHand().filter(([, , text]) => text), drawn = discards.find(([, isDrawn]) => isDrawn);
    const text = !Play.opening && Play.game.legal.includes("PASS") ? "PASS" : (drawn || discards.at(-1))[2];
    Requests.act(text).then(() => Show.notice("timeOut"));
  }

  setInterval(() => {
    if (late === null) return;
    show();
    runOut();
  }, 200);

  return {start, stop, refill};
})();
