// A person's seat: shows what the server sends, sends what the person chooses. The rules are the server's.
"use strict";

(() => {
  const {byId} = Panels;
  const hash = new URLSearchParams(location.hash.slice(1));

  Setup.listen();
  Past.listen();
  Network.listen();

  // -- the settings

  byId("coach-limit").addEventListener("change", event => Play.keep({coach: Number(event.target.value)}));
  byId("clock").addEventListener("change", event => {
    Play.keep({clock: Number(event.target.value)});
    Clock.refill();
    Clock.start();
  });
  byId("pace").addEventListener("change", event => Play.keep({pace: Number(event.target.value)}));
  for (const key of ["figures", "confirm", "sound", "motion"]) {
    byId(key).addEventListener("change", event => Play.keep({[key]: event.target.checked}));
  }
  byId("hints").addEventListener("change", event => {
    Play.hint = null;
    Play.keep({hints: event.target.checked});
    Requests.takeHint();
  });
  for (const key of Object.keys(Play.auto)) {
    byId(`auto-${key}`).addEventListener("change", event => {
      Play.auto[key] = event.target.checked;
      Requests.chooseAlone();
    });
  }

  document.addEventListener("pointerdown", event => {
    if (!byId("settings").contains(event.target)) byId("settings").open = false;
  });

  // -- the table

  byId("undo").addEventListener("click", () => Requests.send("game/undo"));
  byId("new").addEventListener("click", Setup.open);
  byId("table").addEventListener("click", Requests.hurry);
  byId("notice").addEventListener("click", () => Show.notice(null));
  document.addEventListener("visibilitychange", Requests.look);
  window.addEventListener("focus", Requests.look);

  // The pages open without the server too.
  navigator.serviceWorker?.register("/sw.js").then(async () => {
    (await navigator.serviceWorker.ready).active.postMessage(location.origin + location.pathname);
  }, () => { /* some browsers have none here */ });
  // A review's page leads back to here with the event to play on from.
  history.replaceState(null, "", location.pathname);
  Requests.ask("game").then(async answer => {
    if (!answer) return;
    await Requests.take(answer, true);
    await Past.list();
    const number = key => Number(hash.get(key) ?? -1);
    if (hash.has("resume")) Past.playOn(hash.get("resume"), number("frame"), number("seat"));
    else if (!Play.frame && !Past.hasMatches) Setup.open();
  });
})();
