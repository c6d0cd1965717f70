// Past games, and games from files and links: lists them, opens them, plays them on.
"use strict";

const Past = (() => {
  const {make, byId, button, link} = Panels;
  const MOST_BYTES = 1 << 24;  // of a file, as in server.py

  let past = [], opened = [], matches = [];  // games, games of opened files, and matches that are not over

  const nameOf = path => path.replace(/^.*[/\\]/, "").replace(/\.json$/, "");
  const addressOf = name => `past/${name}#language=${Play.settings.language}`;

  async function list() {
    const answer = Play.isGuest ? null : await Requests.ask("past");
    if (answer) ({games: past, opened, matches} = answer);
    render();
  }

  const tellTime = seconds => new Date(1000 * seconds).toLocaleString(
    Play.settings.language, {dateStyle: "short", timeStyle: "short"});

  // A match that is not over, with the buttons that continue and forget it.
  function listMatch({id, time, games, number, opponents, total}) {
    const {say} = Play, numbers = games > 1 ? `${fill(say.title, number, games)} · ` : "";
    const score = games > 1 ? make("b", "", Panels.signed(total)) : null;
    const against = make("span", "soft small against", fill(say.against, opponents.join(", ")));
    const forget = button("", async () => {
      const answer = confirm(say.forgetMatch) && await Requests.ask("game/forget", {match: id});
      if (answer) ({matches} = answer);
      render();
    }, say.forget);
    const goOn = button("main", () => Requests.send("game/continue", {match: id}), say.goOn);
    const line = make("li", "", make("div", "result", make("span", "", numbers + tellTime(time)), score, against),
      make("div", "row-buttons", goOn, forget));
    line.dataset.match = id;
    return line;
  }

  // The line above the hands of a match, with the button to the page of all of them.
  function listWhole(name) {
    const {say} = Play, hands = past.filter(row => row.match === name);
    const total = hands.reduce((sum, row) => sum + row.scores[row.seat], 0);
    const review = link("button", addressOf(name), say.wholeMatch);
    const result = make("div", "result", make("b", "", say.hands(hands.length)), make("b", "", Panels.signed(total)));
    return make("li", "whole", result, make("div", "row-buttons", review));
  }

  // Who won a game, how, and on whose tile.
  function tellOutcome(row) {
    const {say, words} = Play, name = seat => Panels.player(row.players[seat], words);
    const who = seat => seat === row.seat ? say.you :
      words.seats[seat] + (name(seat) ? fill(words.aside, name(seat)) : "");
    if (row.winner === null) return row.is_drawn ? say.drawn : row.error ? words.review.breaks : "";
    return say.outcome(who(row.winner), row.fan, row.giver === null ? null : who(row.giver), row.giver === row.seat);
  }

  // A game with its result. details: nodes after that; buttons: after that to its review.
  function listRow(row, title, details = [], buttons = []) {
    const review = link("button", addressOf(row.name), Play.say.review);
    const own = row.seat !== null && row.scores ? make("b", "", Panels.signed(row.scores[row.seat])) : null;
    const line = make("li", "",
      make("div", "result", make("span", "", title), own, make("span", "soft small", tellOutcome(row)), ...details),
      make("div", "row-buttons", review, ...buttons));
    line.dataset.name = row.name;
    return line;
  }

  function listPastRow(row) {
    const {say} = Play, resume = button("", () => playOn(row.name, -1), say.resume);
    resume.title = say.resumeTitle;
    const against = row.players.filter((name, seat) => seat !== row.seat).join(", ");
    const kept = row.key ? link("small", addressOf(row.key), say.inLibrary) : null;
    const opponents = make("span", "soft small against", fill(say.against, against));
    return listRow(row, tellTime(row.time), [opponents], [resume, kept]);
  }

  function render() {
    const {say, game} = Play, rows = past.flatMap((row, index) =>
      [...(row.match && row.match !== past[index - 1]?.match ? [listWhole(row.match)] : []), listPastRow(row)]);
    const total = past.reduce((sum, row) => sum + row.scores[row.seat], 0);
    const wins = past.filter(row => row.winner === row.seat).length;
    byId("past-list").replaceChildren(...(rows.length ?
      [make("p", "total", say.totals(past.length, wins, Panels.signed(total))), make("ul", "", ...rows)] :
      [make("p", "soft small", say.none)]));
    byId("kept").hidden = !matches.length;
    byId("kept-list").replaceChildren(...matches.map(listMatch));
    byId("open").hidden = !game.is_standard || Play.isGuest;
    byId("links").hidden = !game.is_standard;
    byId("past").hidden = Play.isGuest;
    for (const own of document.querySelectorAll("#links .own")) own.hidden = Play.isGuest;
    byId("opened").replaceChildren(...opened.map(row => listRow(row, `${row.name.match(/\d+$/)} ${row.title}`)));
    byId("link").placeholder = say.paste;
  }

  // Shows the review of a file's game, or the table of its games and the worst mistakes. body: a file, or a link as
  // a Blob.
  async function open(body) {
    if (!Play.game.is_standard || Play.isGuest) return;
    byId("open").open = true;
    if (body.size > MOST_BYTES) return Show.notice("large");
    Show.notice("reading");
    const answer = await Requests.ask(`past/open?name=${encodeURIComponent(body.name || Play.say.pasted)}`, body);
    if (!answer) return;
    opened = answer.opened;
    location.href = addressOf(opened[0].file);
    byId("link").value = "";
    render();
  }

  // Takes a past or opened game up at a choice of the person's: the index of its request, -1 for the last one.
  function playOn(name, frame, seat = -1) {
    const {say, game} = Play, {number, games} = game.match;
    const questions = Play.frame && !game.match.is_kept ?
      [Play.isOver ? "" : say.leave, number < games ? say.leaveMatch(games - number) : ""] : [];
    const question = questions.filter(Boolean).join(" ");
    if (!question || confirm(question)) Requests.send("game/resume", {name, frame, seat});
  }

  // Takes files and links from the form, and what is dropped or pasted anywhere.
  function listen() {
    byId("open-form").addEventListener("submit", event => {
      event.preventDefault();
      if (byId("link").value.trim()) open(new Blob([byId("link").value]));
    });
    byId("file").addEventListener("change", event => {
      if (event.target.files.length) open(event.target.files[0]);
      event.target.value = "";
    });
    document.addEventListener("dragover", event => event.preventDefault());
    document.addEventListener("drop", event => {
      event.preventDefault();
      const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text");
      if (file || text) open(file || new Blob([text]));
    });
    document.addEventListener("paste", event => {
      const [file] = event.clipboardData.files, text = event.clipboardData.getData("text");
      if (!file && event.target.closest("input")) return;
      if (file || text.trim()) open(file || new Blob([text]));
    });
  }

  return {nameOf, addressOf, list, render, playOn, listen, get hasMatches() { return matches.length > 0; }};
})();
