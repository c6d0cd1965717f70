// What the page of the table knows: the game as the server sent it, and what the person is choosing.
"use strict";

const Play = (() => {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const settings = {
    hints: false, figures: false, confirm: true, clock: 0, coach: 0, pace: 400, sound: true, motion: !isStill,
    ...Kept.readSettings()};
  settings.language = findLanguage(settings.language);

  return {
    // What the page may show: all, "network" also with the switch of the network, or the "table" alone.
    access: document.querySelector("meta[name=access]").content,
    settings,
    game: null,         // as the server sent it last
    frame: null,        // the one that is shown
    isBusy: true,       // while frames are shown or an answer is awaited
    opening: null,      // the claim that is chosen, while its discard is not: "PENG", "CHI W5"
    touched: null,      // index in the hand of the tile that was tapped once
    hint: null,
    stopped: null,      // what the coach says of a move that it has stopped: the decision
    isExplained: false,
    asked: null,        // whether to win at eight fan: the hint, while the page asks
    get isGuest() { return this.access === "table"; },
    // The choices that the page makes for the person.
    auto: {win: false, claims: false, pass: false},

    get words() { return WORDS[settings.language]; },
    get say() { return this.words.play; },
    get isOver() { return this.frame !== null && this.frame.event.kind === "END"; },
    // The person's seat, and the names of all seats.
    get own() { return this.frame.position.seats[this.game.seat]; },
    get names() { return this.game.players.map((name, seat) => seat === this.game.seat ? this.say.you : name); },

    // Changes settings, and keeps them in the browser.
    keep(changes) {
      Object.assign(settings, changes);
      Kept.write("play", JSON.stringify(settings));
      Show.render();
    },
  };
})();
