// Practice in scoring: a won hand of scoring.py, whose fans a person chooses and whose sum a person writes.
"use strict";

const Scoring = (() => {
  const {make, button, note} = Panels;
  // All fans of at most two points are offered, and so many greater ones that the hand does not have.
  const SMALL = 2, GREATER = 6;
  const rows = new Map(FAN_ROWS.map(row => [row[0], row]));
  const begin = (seed, win) => ({seed, win, chosen: new Set(), sum: "", isOver: false});
  const excludedBy = name => rows.get(name)[5];

  // The names of the fans to choose from, the greatest first.
  function listOffered({seed, win}) {
    const names = win.fans.map(([, , name]) => name), greater = FAN_ROWS.filter(([, , points]) => points > SMALL);
    const others = Array.from({length: GREATER}, (_, index) => greater[(seed + 17 * index) % greater.length][0]);
    const small = FAN_ROWS.filter(([, , points]) => points <= SMALL).map(([name]) => name);
    return [...new Set([...names, ...names.flatMap(excludedBy), ...others, ...small])].sort((name, other) =>
      rows.get(other)[2] - rows.get(name)[2]);
  }

  const nameOf = (name, words) => words === WORDS.en ? rows.get(name)[1] : name;

  // Why a fan counts or not: [a sign, text].
  function explain(name, {win, chosen}, words) {
    const {scoring} = words.learn, isCounted = win.fans.some(fan => fan[2] === name);
    if (isCounted) return chosen.has(name) ? ["✓", ""] : ["–", scoring.missed];
    const reason = win.fans.find(fan => excludedBy(fan[2]).includes(name));
    return ["✗", reason ? fill(scoring.inside, nameOf(reason[2], words)) : scoring.absent];
  }

  // A table of the fans that the hand has or that were chosen.
  function answerTable(asked, words) {
    const {win, chosen} = asked, worth = new Map(win.fans.map(([points, copies, name]) => [name, [points, copies]]));
    const names = [...new Set([...worth.keys(), ...chosen])];
    return Panels.table(["", words.fan, "", ""], names.map(name => {
      const [sign, why] = explain(name, asked, words), [points, copies] = worth.get(name) || [0, 0];
      return [[Fans.nameFan(name, nameOf(name, words)), points ? `${points}${copies > 1 ? ` ×${copies}` : ""}` : "",
        sign, why], sign === "✓" ? "" : "missed"];
    }));
  }

  const isRight = ({win, chosen, sum}) => Number(sum) === win.fan && win.fans.length === chosen.size &&
    win.fans.every(fan => chosen.has(fan[2]));

  // The buttons of the fans.
  const chips = (asked, words) => make("div", "choices", ...listOffered(asked).map(name => {
    const chip = button("", () => {
      if (!asked.chosen.delete(name)) asked.chosen.add(name);
      chip.setAttribute("aria-pressed", asked.chosen.has(name));
    }, nameOf(name, words));
    chip.setAttribute("aria-pressed", asked.chosen.has(name));
    return chip;
  }));

  // The form with the sum, whose Enter checks or goes on.
  function form(asked, go, words) {
    const {scoring} = words.learn, {isOver} = asked;
    const input = Object.assign(make("input", ""), {type: "number", min: 0, value: asked.sum, disabled: isOver});
    input.addEventListener("input", () => { asked.sum = input.value; });
    const element = make("form", "share", make("label", "", `${scoring.sum} `, input),
      make("button", "main next", isOver ? scoring.next : scoring.check));
    element.addEventListener("submit", event => {
      event.preventDefault();
      if (isOver) go.on();
      else if (asked.sum !== "") { asked.isOver = true; go.render(); }
    });
    return element;
  }

  // The card of a hand, as nodes. go: {on: asks for the next hand, render: draws the card again}.
  function card(asked, go, words) {
    const {scoring} = words.learn, {win, isOver} = asked;
    const tiles = [...win.melds, [...win.tiles, win.win]].map(group => group.join("")).join(" ");
    const facts = [fill(words.round, words.seats[win.prevalent_wind].replace("家", "")), words.seats[win.seat_wind],
      win.is_self_drawn ? scoring.selfDrawn : scoring.onDiscard, win.melds.length ? scoring.open(win.melds.length) :
        scoring.closed];
    const title = isOver ? `${isRight(asked) ? words.learn.right : scoring.wrong} ${win.fan} ${words.fan}` :
      scoring.question;
    return [make("h2", "", title), make("div", "hand", ...Fans.handTiles(tiles, 36)), note(facts.join(" · ")),
      isOver ? answerTable(asked, words) : chips(asked, words), form(asked, go, words),
      isOver ? null : note(scoring.hint)];
  }

  return {begin, card};
})();
