// The dialog of a new match, and the language of the page.
"use strict";

const Setup = (() => {
  const {byId, offer} = Panels, PLAYERS = [0, 1, 2];
  const TEACHER = "rule_based", LIMIT = 1.5;  // whom newcomers play against, and points at which the coach stops them

  function open() {
    const {game, say, words} = Play;
    for (const player of PLAYERS) {
      byId(`opponent-label-${player}`).textContent = say.opponents[player];
      const offered = game.offered.map(name => [name, say.about[name] || name]);
      offer(`setup-opponent-${player}`, offered, game.match.opponents[player]);
    }
    const {seat, seed} = game.proposed || {seat: -1, seed: ""};
    offer("setup-seat", [["-1", say.rotating], ...words.seats.map((name, index) => [String(index), name])], seat);
    const counts = [...new Set([1, 4, 8, 16, game.match.games])].sort((least, most) => least - most);
    offer("setup-games", counts.map(count => [count, count]), game.match.games);
    offer("setup-rules", game.offered_rules.map(name => [name, say.rulesAbout[name]]), game.match.rules);
    byId("setup-rules-label").hidden = game.offered_rules.length < 2;
    byId("setup-counts").checked = game.match.counts_fans;
    byId("setup-teach").parentElement.hidden = !game.offered.includes(TEACHER);
    byId("setup-open").hidden = !game.is_standard || Play.isGuest;
    byId("setup-seed").value = seed;
    byId("setup-practice").checked = game.practice;
    showRules();
    byId("setup").returnValue = "";
    if (!byId("setup").open) byId("setup").showModal();
  }

  // Who plays by the rules with false wins may count the fan.
  function showRules() {
    byId("setup-counts-label").hidden = byId("setup-rules").value !== "tziakcha";
  }

  // The words of the dialog change too, its choices stay.
  function changeLanguage() {
    Play.keep({language: turnLanguage(Play.settings.language)});
    if (!byId("setup").open) return;
    const fields = [...byId("setup").querySelectorAll("select, input")];
    const chosen = fields.map(field => [field.value, field.checked]);
    open();
    fields.forEach((field, index) => { [field.value, field.checked] = chosen[index]; });
    showRules();
  }

  // Asks for the match of the dialog. isTaught: with what suits newcomers.
  function deal(isTaught) {
    Requests.send("game/new", {
      seed: byId("setup-seed").value, seat: Number(byId("setup-seat").value),
      practice: isTaught || byId("setup-practice").checked, games: Number(byId("setup-games").value),
      rules: byId("setup-rules").value, counts_fans: !isTaught && byId("setup-counts").checked,
      opponents: PLAYERS.map(player => isTaught ? TEACHER : byId(`setup-opponent-${player}`).value),
    });
  }

  // Follows what the person does in the dialog.
  function listen() {
    byId("setup-rules").addEventListener("change", event => {
      showRules();
      byId("setup-games").value = event.target.value === "tziakcha" ? "16" : "1";
    });
    byId("setup").addEventListener("close", () => {
      if (byId("setup").returnValue === "open") {
        byId("open").open = true;
        byId("open").scrollIntoView();
        byId("link").focus();
      }
      const isTaught = byId("setup").returnValue === "teach";
      if (isTaught) Play.keep({hints: true, coach: LIMIT});
      if (isTaught || byId("setup").returnValue === "deal") deal(isTaught);
    });
    for (const id of ["language", "setup-language"]) byId(id).addEventListener("click", changeLanguage);
    document.querySelector("#links [href=fans]").addEventListener("click", event => {
      event.preventDefault();
      FanTable.open();
    });
  }

  return {open, changeLanguage, listen};
})();
