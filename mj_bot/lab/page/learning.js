// Learning from mistakes: filters of mistakes, and questions whose answer is hidden until the person has found it.
"use strict";

const Learning = (() => {
  const {make, button, action} = Panels;
  const isClaim = text => /^(CHI|PENG) /.test(text || "");
  const opening = text => text && text.split(" ").slice(0, -1).join(" ");

  // A distance from ready as the filters have it: 4 for more.
  const stateOf = made => String(Math.min(4, Math.max(0, made.shanten ?? 4)));
  // Whether a mistake fits a filter's value; "" fits all.
  const FITS = {
    leak: (made, leak) => made.leak === leak, grade: (made, grade) => made.class === grade,
    state: (made, state) => stateOf(made) === state, judge: (made, judge) => judge === "agreed" ? !made.disputed : made.disputed,
  };
  const fits = (made, wanted) => Object.entries(FITS).every(([name, test]) => !wanted[name] || test(made, wanted[name]));

  // The values of each filter with their texts.
  const options = words => ({
    leak: Object.entries(words.leaks).map(([leak, [name]]) => [leak, name]), grade: Object.entries(words.review.classes),
    state: words.states.map((text, state) => [String(state), text]),
    judge: [["agreed", words.index.filters.agreed], ["disputed", words.judges.disputed]],
  });

  // A filter with its name. values: [value, text]. choose: called with the value, "" for all.
  function filter(name, values, value, choose, words) {
    const said = words.index.filters, chooser = make("select", "", ...[["", said.all], ...values].map(([of, text]) => {
      const made = make("option", "", text);
      made.value = of;
      return made;
    }));
    chooser.value = value;
    chooser.name = name;
    chooser.addEventListener("change", () => choose(chooser.value));
    return make("label", "small", said[name], chooser);
  }

  // What a person may choose at a decision: [action, loss or null] in an order that tells nothing. A claim comes without
  // its discard, and with the loss of its best one, but where the best and the played move are the same claim. The loss
  // is the one on which the judges agree, or else that of the judge who speaks.
  function listChoices(made) {
    const same = isClaim(made.chosen) && isClaim(made.logged) && opening(made.chosen) === opening(made.logged) && opening(made.chosen);
    const name = text => isClaim(text) && opening(text) !== same ? opening(text) : text;
    const best = (made.ranked.find(([text]) => text === made.chosen) || [])[1], losses = new Map();
    const others = [made.chosen, made.logged, made.win_fan === null ? null : "HU", made.tiles.length ? null : "PASS"];
    for (const text of [...made.tiles.map(([tile]) => "PLAY " + tile), ...made.ranked.map(([text]) => text).sort(), ...others]) {
      if (text && !losses.has(name(text))) losses.set(name(text), null);
    }
    for (const [text, value] of made.ranked) {
      const loss = Math.max(0, best - value), known = losses.get(name(text));
      if (best !== undefined && (known === null || loss < known)) losses.set(name(text), loss);
    }
    const answers = new Map((made.answers || []).map(answer => [name(answer.choice), answer]));
    for (const [choice, answer] of answers) losses.set(choice, answer.loss);
    if (made.logged) losses.set(name(made.logged), made.loss);
    losses.set(name(made.chosen), 0);
    return {choices: [...losses], best: name(made.chosen), played: made.logged && name(made.logged), answers};
  }

  const lossOf = (made, choice) => new Map(listChoices(made).choices).get(choice);

  // What a choice is worth: "best", "good" for one that is no mistake, else "wrong".
  function grade(made, choice) {
    const {best, played, answers} = listChoices(made), loss = lossOf(made, choice);
    const of = choice === played ? made.class : (answers.get(choice) || {class: null}).class;
    return choice === best || Panels.isEqual(loss) && !made.disputed ? "best" : of === "good" || Panels.isEqual(loss) ? "good" : "wrong";
  }

  // The decision as if the game had this choice, for the panel of a decision. One without an answer stays as it is.
  function suppose(made, choice) {
    const answer = listChoices(made).answers.get(choice);
    if (!answer) return made;
    const judges = made.judges.map((judge, place) => ({...judge, ...answer.judges[place], agreement: judge.chosen === answer.choice ? "same" : "other"}));
    return {...made, judges, logged: answer.choice, logged_facts: {danger: null, ...answer.facts}, repeats: null,
      uncertainty: judges.length > 1 ? null : judges[0].uncertainty,
      ...Object.fromEntries(["loss", "class", "agreement", "disputed", "causes", "remarks"].map(key => [key, answer[key]]))};
  }

  // A new question: what was tried, in order; whether it was found, or the solution shown; and what is compared.
  const begin = () => ({tries: [], isOver: false, compared: null});

  // Takes a choice, and ends the question where it is right.
  function answer(made, question, choice) {
    if (question.isOver || question.tries.includes(choice) || !listChoices(made).choices.some(([text]) => text === choice)) return false;
    question.tries.push(choice);
    if (grade(made, choice) !== "wrong") question.isOver = true;
    return true;
  }

  const isRight = (made, question) => question.tries.length > 0 && grade(made, question.tries[0]) !== "wrong";

  // The card of a question, as nodes. act: {choose: called with an action, give: shows the solution, compare: called with
  // an action}.
  function card(made, question, unit, act, words) {
    const said = words.learn, {choices, best, played} = listChoices(made), tried = question.tries;
    const named = text => action(text, words, made.claimed, 24);
    if (!question.isOver) {
      const buttons = choices.map(([text]) => {
        const choice = button(tried.includes(text) ? "tried" : "", () => act.choose(text), named(text));
        choice.dataset.action = text;
        choice.disabled = tried.includes(text);
        return choice;
      });
      return [make("h2", "", said.question), tried.length ? make("p", "verdict", make("span", "badge mistake", said.wrong), named(tried.at(-1)), said.again) : null,
        make("div", "choices", ...buttons), tried.length ? make("p", "note-line", button("solution", act.give, said.solution)) : null].filter(Boolean);
    }
    const kinds = {best: "", good: "", wrong: "other"}, tell = loss => loss === null || loss < .005 ? "" : `−${loss.toFixed(2)} ${words.units[unit] || unit}`;
    const lines = [...new Set([...tried, ...(tried.includes(best) ? [] : [best]), ...(played && !tried.includes(played) ? [played] : [])])].map(text => {
      const of = grade(made, text), who = tried.includes(text) ? said.you : text === best ? said.solved : said.inGame;
      const line = button("link", () => act.compare(text), make("span", "at", who), make("span", "badge " + kinds[of], said.grades[of]), named(text),
        text === played && who !== said.inGame ? make("span", "soft small", fill(words.aside, said.inGame)) : null, make("span", "loss", tell(lossOf(made, text))));
      if (text === compared(made, question)) line.classList.add("current");
      return line;
    });
    return [make("h2", "", isRight(made, question) ? said.right : tried.length && grade(made, tried.at(-1)) !== "wrong" ? said.found : said.shown), ...lines, make("p", "soft small note-line", said.compare)];
  }

  // Which choice is compared with the best: the one that the person has asked for, else the first wrong one, else the game's.
  function compared(made, question) {
    const {best, played} = listChoices(made);
    return question.compared ?? question.tries.find(text => text !== best) ?? played ?? best;
  }

  // Of questions in their order: [answered, all, right at once, lost by the first choices, lost in the game, right at once in a
  // row up to the last one].
  function score(asked) {
    const over = asked.filter(([, question]) => question && question.isOver);
    const right = over.map(([made, question]) => isRight(made, question));
    const sum = numbers => numbers.reduce((total, number) => total + (number || 0), 0);
    return [over.length, asked.length, right.filter(Boolean).length,
      sum(over.map(([made, question]) => question.tries.length ? lossOf(made, question.tries[0]) : made.loss)),
      sum(over.map(([made]) => made.loss)), right.length - 1 - right.lastIndexOf(false)];
  }

  // The keys up and down choose a button of a card; a step of 0 chooses what leads on, or else the first one.
  function moveFocus(card, step) {
    const buttons = [...card.querySelectorAll("button:not(:disabled), a")], place = buttons.indexOf(document.activeElement);
    const next = step ? null : card.querySelector(".next");
    if (next) next.focus();
    else if (buttons.length) buttons[place < 0 ? 0 : (place + step + buttons.length) % buttons.length].focus();
  }

  // A picture of a position that asks what its reader would do. seat: whose hand lies below.
  async function savePicture(position, seat, words) {
    const size = 1000, head = 84, container = document.createElement("div");
    const board = MjTable.draw(container, position, {seat, open: false, names: ["", "", "", ""], words});
    const rules = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).filter(rule => rule.selectorText && rule.selectorText.includes(".mj-"));
    board.prepend(MjTable.element("style", {}, rules.map(rule => rule.cssText).join("\n")),
      ...[...document.getElementById("mj-back").closest("svg").children].map(child => child.cloneNode(true)));
    board.setAttribute("width", size);
    board.setAttribute("height", size);
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
    save("position.png", canvas.toDataURL("image/png"));
  }

  function save(name, address) {
    const link = make("a", "");
    link.download = name;
    link.href = address;
    link.click();
  }

  // The score in words. numbers: of score.
  const tell = ([answered, all, right, lost, inGame, row], unit, words) => words.learn.score(answered, all, right) +
    (row > 1 ? " " + words.learn.row(row) : "") + (unit && answered ? " " + words.learn.lost(lost.toFixed(2), inGame.toFixed(2), words.units[unit] || unit) : "");

  return {FITS, fits, options, filter, listChoices, lossOf, grade, suppose, begin, answer, isRight, card, compared, score, tell, moveFocus, savePicture, save};
})();
