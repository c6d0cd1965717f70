// Questions on the page: the filters of mistakes, the card of a question, and a picture that asks others.
"use strict";

const Questions = (() => {
  const {make, button, action, note} = Panels;

  // The values of each filter of mistakes with their texts.
  const options = words => ({
    leak: Object.entries(words.leaks).map(([leak, [name]]) => [leak, name]),
    grade: Object.entries(words.review.classes),
    state: words.states.map((text, state) => [String(state), text]),
    sureness: ["clear", "unsure"].map(sureness => [sureness, words.judges[sureness]]),
  });

  // A filter with its name. values: [value, text]. choose: called with the value, "" for all.
  function filter(name, values, value, choose, words) {
    const chooser = Panels.select([["", words.index.filters.all], ...values], value, choose);
    chooser.name = name;
    return make("label", "small", words.index.filters[name], chooser);
  }

  // The filters that leave a choice. choices: {name: [value, text] of each value}. wanted: {name: value}. hasAny:
  // function(name, value) that tells whether anything fits. change: called after a choice.
  function filters(choices, wanted, hasAny, change, words) {
    return make("div", "filters", ...Object.entries(choices).map(([name, values]) => {
      const fitting = values.filter(([value]) => value === wanted[name] || hasAny(name, value));
      return fitting.length < 2 && !wanted[name] ? null :
        filter(name, fitting, wanted[name], value => { wanted[name] = value; change(); }, words);
    }));
  }

  // The card of an open question, as nodes. act: {choose: called with an action, give: shows the solution, compare:
  // called with an action}.
  function openCard(decision, {tries}, act, words) {
    const named = text => action(text, words, decision.claimed, 24), {learn} = words;
    const choices = Learning.listChoices(decision).choices.map(([text]) => {
      const choice = button(tries.includes(text) ? "tried" : "", () => act.choose(text), named(text));
      choice.dataset.action = text;
      choice.disabled = tries.includes(text);
      return choice;
    });
    const wrong = () => make("p", "verdict", make("span", "badge mistake", learn.wrong), named(tries.at(-1)),
      learn.again);
    return [make("h2", "", learn.question), tries.length ? wrong() : null, make("div", "choices", ...choices),
      tries.length ? make("p", "note-line", button("solution", act.give, learn.solution)) : null].filter(Boolean);
  }

  // A line with a choice of a question that is over: who chose it, what it is worth.
  function choiceLine(decision, question, text, {unit, act, words}) {
    const {learn} = words, {best, played} = Learning.listChoices(decision), grade = Learning.grade(decision, text);
    const loss = Learning.lossOf(decision, text), isHidden = loss === null || Panels.isEqual(loss);
    const who = question.tries.includes(text) ? learn.you : text === best ? learn.solved : learn.inGame;
    const line = button("link", () => act.compare(text), make("span", "at", who),
      make("span", "badge " + (grade === "wrong" ? "other" : ""), learn.grades[grade]),
      action(text, words, decision.claimed, 24),
      text === played && who !== learn.inGame ? make("span", "soft small", fill(words.aside, learn.inGame)) : null,
      make("span", "loss", isHidden ? "" : `−${Panels.format(loss)} ${Panels.unitName(unit, words)}`));
    if (text === Learning.compared(decision, question)) line.classList.add("current");
    return line;
  }

  // The card of a question that is over.
  function closedCard(decision, question, context) {
    const {best, played} = Learning.listChoices(decision), {tries} = question, {learn} = context.words;
    const isFound = tries.length && Learning.grade(decision, tries.at(-1)) !== "wrong";
    const title = Learning.isRight(decision, question) ? learn.right : isFound ? learn.found : learn.shown;
    const shown = [...new Set([...tries, best, ...(played ? [played] : [])])];
    return [make("h2", "", title), ...shown.map(text => choiceLine(decision, question, text, context)),
      note(learn.compare)];
  }

  const card = (decision, question, unit, act, words) => question.isOver ?
    closedCard(decision, question, {unit, act, words}) : openCard(decision, question, act, words);

  // The keys up and down choose a button of a card; a step of 0 chooses what leads on, or else the first one.
  function moveFocus(card, step) {
    const buttons = [...card.querySelectorAll("button:not(:disabled), a")];
    const index = buttons.indexOf(document.activeElement);
    const next = step ? null : card.querySelector(".next");
    if (next) next.focus();
    else if (buttons.length) buttons[index < 0 ? 0 : (index + step + buttons.length) % buttons.length].focus();
  }

  // A table with all that its picture needs: styles and tiles.
  function drawAlone(position, seat, size, words) {
    const container = document.createElement("div");
    const board = MjTable.draw(container, position, {seat, open: false, names: ["", "", "", ""], words});
    const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).filter(
      rule => rule.selectorText && rule.selectorText.includes(".mj-"));
    board.prepend(MjTable.element("style", {}, rules.map(rule => rule.cssText).join("\n")),
      ...[...document.getElementById("mj-back").closest("svg").children].map(child => child.cloneNode(true)));
    board.setAttribute("width", size);
    board.setAttribute("height", size);
    return board;
  }

  // A picture of a position that asks what its reader would do. seat: whose hand lies below.
  async function savePicture(position, seat, words) {
    const size = 1000, head = 84, board = drawAlone(position, seat, size, words);
    const image = new Image(), canvas = document.createElement("canvas"), context = canvas.getContext("2d");
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(board));
    await image.decode();
    [canvas.width, canvas.height] = [size + 32, size + head + 16];
    context.fillStyle = "#123f2f";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = "#f0c75e";
    context.font = '600 36px system-ui, "Noto Sans CJK SC", sans-serif';
    context.fillText(`${words.learn.ask}  ${words.seats[seat]}`, 24, 56, size - 100);
    context.drawImage(image, 16, head);
    Panels.save("position.png", canvas.toDataURL("image/png"));
  }

  return {options, filter, filters, card, moveFocus, savePicture};
})();
