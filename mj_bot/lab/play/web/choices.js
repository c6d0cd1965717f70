// What the person may do: the buttons, and the tiles of the own hand.
"use strict";

const Choices = (() => {
  const choicesOf = prefix => Play.game.legal.filter(text => text.startsWith(prefix + " "));

  // Calls the chosen claim off.
  function cancel() {
    Play.opening = Play.touched = null;
    Show.render();
  }

  // Buttons for all but discards: [text that is shown, tiles, what a click does, class, action].
  function listActions() {
    const {say, game, frame} = Play, {buttons} = say;
    if (!frame) return [[say.new, [], Setup.open, "main", "new"]];
    if (Play.isOver) return listEndings();
    if (Play.opening) return [[say.cancel, [], cancel, "pass", "cancel"]];
    const listed = [], claimed = frame.position.focus && frame.position.focus.tile, act = Requests.actChecked;
    if (game.legal.includes("PASS")) listed.push([buttons.PASS, [], () => act("PASS"), "pass", "PASS"]);
    const middles = new Set(choicesOf("CHI").map(text => text.split(" ")[1]));
    const open = text => () => { Play.opening = text; Show.render(); };
    for (const middle of middles) {
      listed.push([buttons.CHI, Panels.chow(middle), open("CHI " + middle), "chow", "CHI " + middle]);
    }
    if (choicesOf("PENG").length) listed.push([buttons.PENG, [claimed], open("PENG"), "pung", "PENG"]);
    for (const text of game.legal) {
      const [kind, tile] = text.split(" ");
      if (kind === "GANG" || kind === "BUGANG") {
        listed.push([buttons[kind], [tile || claimed], () => act(text), "kong", text]);
      }
    }
    if (game.legal.includes("HU")) {
      const fan = game.win_fan === null ? "" : ` · ${game.win_fan} ${Play.words.fan}`;
      listed.push([buttons.HU + fan, [], () => act("HU"), "win", "HU"]);
    }
    return listed;
  }

  // The buttons after a game.
  function listEndings() {
    const {say, game} = Play, {number, games} = game.match;
    const listed = number < games ? [[say.next, [], () => Requests.send("game/next"), "main", "next"]] : [];
    const show = name => () => { location.href = Past.addressOf(name); };
    if (game.saved) listed.push([say.review, [], show(Past.nameOf(game.saved)), "", "review"]);
    if (game.match.is_kept && game.is_standard && games > 1 && number === games) {
      listed.push([say.wholeMatch, [], show(`match-${game.match.id}`), "", "match"]);
    }
    return listed.concat([[say.new, [], Setup.open, number < games ? "" : "main", "new"]]);
  }

  // The own tiles: [name, whether just drawn, the action that discards it or null].
  function listHand() {
    const {own, opening, frame} = Play;
    if (!own.hand) return [];
    const names = own.hand.slice();
    let drawn = null;
    if (typeof own.drawn === "string") [drawn] = names.splice(names.lastIndexOf(own.drawn), 1);
    if (opening) {
      const claimed = frame.position.focus.tile;
      const [kind, middle] = opening.split(" ");
      const used = kind === "PENG" ? [claimed, claimed] : Panels.chow(middle).filter(name => name !== claimed);
      for (const name of used) names.splice(names.indexOf(name), 1);
    }
    const prefix = opening || "PLAY";
    const entry = (name, isDrawn) => {
      const text = `${prefix} ${name}`;
      return [name, isDrawn, !Play.isBusy && Play.game.legal.includes(text) ? text : null];
    };
    return names.map(name => entry(name, false)).concat(drawn ? [entry(drawn, true)] : []);
  }

  return {listActions, listHand};
})();
