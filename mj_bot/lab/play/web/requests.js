// Talks to the server: sends what the person chooses, and shows the frames of the state that comes back.
"use strict";

const Requests = (() => {
  const SLOW = 800;     // ms without an answer, after which the page says so
  const RETRY = 3000; // ms between questions to a server that does not answer
  const QUICK = {SEAT: 0, DEAL: 0.6, DRAW: 0.3};  // of the pace; other events take all of it
  const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

  let runs = 0;          // counts the runs of frames, so that a new one ends the one before
  let isHurried = false;
  let hasAsked = false;  // in this game, whether to win at eight fan
  let reported = 0;      // false wins of this game that the page has told
  let retry = null;      // the timer of the next question to a server that does not answer

  async function ask(path, body) {
    // Errors come in the language of the page, and with a status that the browser does not write into its console.
    const headers = {"Accept-Language": Play.settings.language, "Prefer": "status=200"};
    const options = body === undefined ? {headers} : body instanceof Blob ? {method: "POST", headers, body} :
      {method: "POST", headers: {...headers, "Content-Type": "application/json"}, body: JSON.stringify(body)};
    let answer;
    try {
      answer = await (await fetch(path, options)).json();
    } catch {
      Show.notice("silent");
      retry ??= setTimeout(() => { retry = null; look(); }, RETRY);
      return null;
    }
    if (Show.isSilent()) Show.notice(null);
    if (!answer.error) return answer;
    if (answer.error === "hand") {  // the link of a calculator
      location.href = "hand#" + new URLSearchParams({hand: answer.message});
      return null;
    }
    if (answer.game && answer.game.table !== Play.game.table) {
      recover(answer.game);
    } else {
      Show.notice(answer.error, answer.message);
      if (answer.game) take(answer.game, true);
    }
    return null;
  }

  async function send(path, body) {
    if (Play.isBusy) return;
    Clock.stop();
    const isDealt = /new|next|resume|continue/.test(path);
    if (isDealt) {
      Clock.refill();
      [reported, hasAsked] = [0, false];
    }
    if (path !== "game/act") Object.assign(Play.auto, {win: false, claims: false, pass: false});
    const run = runs;
    Play.isBusy = true;
    Show.notice(isDealt ? "dealing" : null);
    Show.render();
    const waiting = setTimeout(() => Show.notice("waiting"), SLOW);
    const answer = await ask(path, {sequence: Play.game.sequence, table: Play.game.table, ...body});
    clearTimeout(waiting);
    if (answer) {
      Show.notice(answer.has_unkept ? "unkept" : null);
      take(answer, false);
    } else if (runs === run) {
      Play.isBusy = false;
      Show.render();
    }
  }

  // The server was started again: the match of this page goes on where the server has kept it and has no other match.
  async function recover(state) {
    const id = Play.game.frames ? Play.game.match.id : null, {sequence, table} = state;
    const isKept = id && !state.frames && state.match.is_kept;
    [Play.game, Play.frame] = [state, null];
    const kept = isKept ? await ask("game/continue", {sequence, table, match: id}) : null;
    take(kept || state, true);
    Show.notice(!id || (kept || state).match.id === id ? "restarted" : state.frames ? "otherMatch" : "matchLost");
    Past.list();
  }

  // Takes a new state of the game: shows its frames one by one, or at once the last one.
  async function take(state, isAtOnce) {
    if (Play.game && Play.game.table !== state.table) return recover(state);
    const run = ++runs, {settings} = Play;
    Play.game = state;
    if (!state.frames) {  // no game yet
      Play.frame = null;
      Play.isBusy = false;
      return Show.render();
    }
    MjTable.mark(state.marked);
    Play.opening = Play.touched = Play.hint = Play.asked = null;
    Play.stopped = state.stopped ?? null;
    Play.isExplained = false;
    Play.isBusy = true;
    isHurried = isAtOnce || document.hidden;
    for (const next of state.frames.slice(0, -1)) {
      const pace = settings.pace * (QUICK[next.event.kind] ?? 1);
      if (isHurried || !pace) continue;
      Play.frame = next;
      Show.render();
      if (settings.sound) playSound(next.event.kind);
      await wait(pace);
      if (run !== runs) return;
    }
    Play.frame = state.frames[state.frames.length - 1];
    Play.isBusy = false;
    Show.render();
    if (settings.sound && !isAtOnce) playSound(Play.isOver ? Play.frame.event.verdict : "turn");
    if (Play.isOver) Past.list();
    if (state.false_wins > reported) Show.notice("falseWin");
    reported = state.false_wins;
    Clock.start();
    if (!chooseAlone()) await takeHint();
  }

  // Makes the choice that the switches make. Returns whether there is one.
  function chooseAlone() {
    const {auto, game} = Play, can = kind => game.legal.includes(kind);
    const isPassed = can("PASS") && (auto.pass || (auto.claims && !can("HU")));
    const text = auto.win && can("HU") ? "HU" : isPassed ? "PASS" : null;
    if (text === "HU" && !Play.isBusy && !hasAsked && game.win_fan - Play.own.flowers === CONSTANTS.leastFan) {
      hasAsked = true;
      askToWait();
    } else if (text && !Play.isBusy) {
      act(text);
    }
    return text !== null;
  }

  // The adviser's opinion of the present choice, null where the game has moved on meanwhile or the server refuses.
  async function askForHint() {
    const {sequence, table} = Play.game, answer = await ask(`game/hint?${new URLSearchParams({sequence, table})}`);
    const isStale = sequence !== Play.game.sequence || table !== Play.game.table || Play.isBusy;
    return {hint: answer && answer.hint, isStale};
  }

  // Once in a game, at exactly eight fan: whether to win now.
  async function askToWait() {
    const {hint, isStale} = await askForHint();
    if (isStale) return;
    if (!hint) return act("HU");
    Play.asked = hint;
    Show.render();
  }

  async function takeHint() {
    if (!Play.settings.hints || !Play.frame || !Play.game.legal.length || Play.isBusy) return;
    const {hint, isStale} = await askForHint();
    if (!hint || isStale) return;
    Play.hint = hint;
    Show.render();
  }

  // Another tab may have played on, or another server may answer.
  async function look() {
    const isBusy = () => Play.game !== null && Play.isBusy;
    if (document.hidden || isBusy()) return;
    const answer = await ask("game");
    if (!answer || isBusy()) return;
    const isSame = answer.table === Play.game?.table;
    if (isSame && answer.sequence === Play.game.sequence) return;
    if (isSame) Show.notice("stale");
    take(answer, true);
  }

  // isChecked: whether the coach looks at the move first.
  const act = (text, isChecked = false) => send("game/act", {
    action: text, coach: isChecked && Play.game.is_standard ? Play.settings.coach : 0});

  // Shows the frames that are left at once.
  function hurry() { isHurried = true; }

  return {ask, send, take, act, actChecked: text => act(text, true), chooseAlone, takeHint, look, hurry};
})();
