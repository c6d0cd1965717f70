// The mistakes of several games: filters, the list, totals by kind, and a run of questions through them.
"use strict";

const IndexMistakes = (() => {
  const {make, byId, button, link} = Panels;
  const {listGames, nameOf, listNames, playerOf, addressOf} = IndexState;
  const LINES = 60;   // so many lines are listed before their reader asks for all
  const COLUMNS = 4;  // players in the table of kinds

  // Whether a mistake fits a value of a filter.
  function fits(view, name, mistake, value) {
    if (name === "player") return playerOf(view, mistake) === value;
    return Learning.FITS[name](mistake, value);
  }

  // The mistakes that fit the filters but some.
  function select(view, ...but) {
    const games = new Set(listGames(view));
    const wanted = Object.entries(view.wanted).filter(([name]) => !but.includes(name));
    return view.data.mistakes.filter(mistake => games.has(mistake.game) &&
      wanted.every(([name, value]) => !value || fits(view, name, mistake, value)));
  }

  // The filters that have a choice here. A choice that fits no mistake is left out.
  function makeFilters(view, words) {
    const choices = {player: listNames(view).map(name => [name, Panels.player(name, words)]),
      ...Questions.options(words)};
    const hasAny = (name, value) => select(view, name).some(mistake => fits(view, name, mistake, value));
    return Questions.filters(choices, view.wanted, hasAny, () => {
      view.isWhole = false;
      Index.render(view);
    }, words);
  }

  function mistakeLine(view, mistake, words) {
    const game = view.data.games[mistake.game], player = playerOf(view, mistake);
    const who = player ? Panels.player(player, words) : words.seats[mistake.seat];
    const position = `${nameOf(view, game, words)} · ${who} #${mistake.frame}`;
    const line = link(mistake.is_clear ? "link" : "link unsure",
      addressOf(view, game, {seat: mistake.seat, frame: mistake.frame}), ...Panels.mistake(mistake, position, words));
    if (player && player === Me.name()) line.classList.add("mine");
    return line;
  }

  function renderMistakes(view, words) {
    const {data} = view, mistakes = select(view), {index} = words;
    const shown = view.isWhole ? mistakes : mistakes.slice(0, LINES);
    const lines = shown.map(mistake => mistakeLine(view, mistake, words));
    const showAll = () => { view.isWhole = true; Index.render(view); };
    const more = lines.length < mistakes.length ? button("", showAll, fill(index.showAll, mistakes.length)) : null;
    const unit = data.unit ? ` · ${fill(words.lost, Panels.unitName(data.unit, words))}` : "";
    byId("worst").hidden = !data.tactic;
    byId("worst").replaceChildren(make("h2", "", index.mistakeList(mistakes.length) + unit),
      ...(data.mistakes.length ? [makeFilters(view, words)] : []), make("div", "list", ...lines, more),
      lines.length ? "" : make("p", "soft small", index.none));
  }

  const sumLosses = mistakes => mistakes.reduce((sum, mistake) => sum + (mistake.loss || 0), 0);

  // What some mistakes lost and how many they are.
  function tellTotal(view, mistakes, words) {
    if (!mistakes.length) return "–";
    return (view.data.unit ? sumLosses(mistakes).toFixed(1) : "") + fill(words.aside, mistakes.length);
  }

  // The row of a kind; its name is a button that chooses it.
  function kindRow(view, leak, mistakes, tellRow, words) {
    const isChosen = view.wanted.leak === leak;
    const choose = () => { view.wanted.leak = isChosen ? "" : leak; Index.render(view); };
    const name = button("", choose, words.leaks[leak][0]);
    name.setAttribute("aria-pressed", isChosen);
    return [[name, ...tellRow(mistakes)], isChosen ? "mine" : ""];
  }

  // What the seats of a player lost in all, of all players for no name.
  const sumLost = (view, name) => listGames(view).flatMap(index => {
    const {losses, players} = view.data.games[index];
    return losses.filter((loss, seat) => loss && (!name || players[seat] === name));
  }).reduce((sum, loss) => sum + loss, 0);

  // The last rows of the kinds: losses that are no mistakes, where no filter hides any mistake, and the total.
  function totalRows(view, mistakes, names, tellRow, words) {
    const {index} = words, isFiltered = ["grade", "state", "sureness"].some(name => view.wanted[name]);
    if (isFiltered || !view.data.unit) return [[[words.causes.sum, ...tellRow(mistakes)], "total"]];
    const lost = ["", ...names].map(name => [sumLost(view, name),
      sumLosses(mistakes.filter(mistake => !name || playerOf(view, mistake) === name))]);
    return [[[index.smaller, ...lost.map(([all, listed]) => (all - listed).toFixed(1))], ""],
      [[words.causes.sum, ...lost.map(([all]) => all.toFixed(1))], "total"]];
  }

  // What each kind of mistake lost, of all and of four players: the reader and those with the most games.
  function renderKinds(view, words) {
    const mistakes = select(view, "leak", "player"), {index} = words;
    const mine = view.wanted.player || Me.name();
    const names = listNames(view).slice().sort((a, b) => (b === mine) - (a === mine)).slice(0, COLUMNS);
    const tellRow = list => [tellTotal(view, list, words), ...names.map(name =>
      tellTotal(view, list.filter(mistake => playerOf(view, mistake) === name), words))];
    const kinds = Object.keys(words.leaks).map(leak => [leak, mistakes.filter(mistake => mistake.leak === leak)])
      .filter(([, list]) => list.length).sort((a, b) => sumLosses(b[1]) - sumLosses(a[1]));
    byId("kinds").hidden = !mistakes.length;
    byId("kinds").replaceChildren(make("h2", "", index.kinds), make("div", "wide", Panels.table(
      ["", index.everybody, ...names.map(name => Panels.player(name, words))],
      [...kinds.map(([leak, list]) => kindRow(view, leak, list, tellRow, words)),
        ...totalRows(view, mistakes, names, tellRow, words)])), Panels.note(index.kindsNote));
  }

  // A run through the mistakes that fit the filters, of the chosen player, or the reader, or else of each game's seat
  // that its page opens at.
  function renderLearn(view, words) {
    const {data, language, wanted} = view, name = wanted.player || Me.name(), mistakes = select(view, "player");
    const run = listGames(view).flatMap(index => {
      const game = data.games[index], own = name ? game.players.indexOf(name) : -1, seat = own < 0 ? game.seat : own;
      return mistakes.some(mistake => mistake.game === index && mistake.seat === seat) ? [`${game.link}.${seat}`] : [];
    });
    byId("learn").hidden = !run.length;
    byId("learn").textContent = words.learn.start;
    byId("learn").href = Address.linkRun(run, {language, learn: [0], only: wanted}) || "";
  }

  return {renderMistakes, renderKinds, renderLearn};
})();
