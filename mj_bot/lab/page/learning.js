// Learning from mistakes: what a person may choose at a decision, what each choice is worth, and the score.
"use strict";

const Learning = (() => {
  const {opening} = Panels;
  const isClaim = text => /^(CHI|PENG) /.test(text || "");

  // Whether a mistake fits a filter's value; "" fits all.
  const FITS = {
    leak: (decision, leak) => decision.leak === leak,
    grade: (decision, grade) => decision.class === grade,
    state: (decision, state) => String(decision.state) === state,
    sureness: (decision, sureness) => decision.is_clear === (sureness === "clear"),
  };
  const fits = (decision, wanted) =>
    Object.entries(FITS).every(([name, test]) => !wanted[name] || test(decision, wanted[name]));

  // How the actions of a decision are named as choices. A claim comes without its discard, but where the best and the
  // played move are the same claim.
  function nameChoices({chosen, logged}) {
    const isSame = isClaim(chosen) && isClaim(logged) && opening(chosen) === opening(logged);
    return text => isClaim(text) && !(isSame && opening(text) === opening(chosen)) ? opening(text) : text;
  }

  // The loss of each choice, null where unknown, in an order that tells nothing.
  function listLosses(decision, name) {
    const {ranked, tiles, chosen, logged} = decision, losses = new Map();
    const actions = [...tiles.map(([tile]) => "PLAY " + tile), ...ranked.map(([text]) => text).sort(), chosen, logged,
      decision.win_fan === null ? null : "HU", tiles.length ? null : "PASS"];
    for (const text of actions) if (text) losses.set(name(text), null);
    const best = new Map(ranked).get(chosen);
    for (const [text, value] of best === undefined ? [] : ranked) {
      const loss = Math.max(0, best - value), known = losses.get(name(text));
      if (known === null || loss < known) losses.set(name(text), loss);
    }
    return losses;
  }

  // What a person may choose at a decision: [action, loss or null]. A claim has the loss of its best discard. The
  // loss is that of the answer or of the decision where these are known, or else that of the ranked actions.
  function listChoices(decision) {
    const {chosen, logged} = decision, name = nameChoices(decision), losses = listLosses(decision, name);
    const answers = new Map((decision.answers || []).map(answer => [name(answer.choice), answer]));
    for (const [choice, answer] of answers) losses.set(choice, answer.loss);
    if (logged) losses.set(name(logged), decision.loss);
    losses.set(name(chosen), 0);
    return {choices: [...losses], best: name(chosen), played: logged && name(logged), answers};
  }

  const lossOf = (decision, choice) => new Map(listChoices(decision).choices).get(choice);

  // What a choice is worth: "best", "good" for one that is no mistake, else "wrong".
  function grade(decision, choice) {
    const {best, played, answers} = listChoices(decision), isEqual = Panels.isEqual(lossOf(decision, choice));
    const answer = choice === played ? decision : answers.get(choice);
    if (choice === best || isEqual) return "best";
    return answer && answer.class === "good" ? "good" : "wrong";
  }

  // The decision as if the game had this choice, for the panel of a decision. One without an answer stays as it is.
  function suppose(decision, choice) {
    const answer = listChoices(decision).answers.get(choice);
    if (!answer) return decision;
    const judges = decision.judges.map((judge, index) => ({...judge, ...answer.judges[index]}));
    const {loss, class: verdict, agreement, chance, is_clear: isClear, causes, remarks} = answer;
    return {...decision, judges, logged: answer.choice, logged_facts: {danger: null, ...answer.facts}, repeats: null,
      is_needless_danger: false, loss, class: verdict, agreement, chance, is_clear: isClear, causes, remarks};
  }

  // A new question: what was tried, in order; whether it was found, or the solution shown; and what is compared.
  const begin = () => ({tries: [], isOver: false, compared: null});

  // Takes a choice, and ends the question where it is right.
  function answer(decision, question, choice) {
    const isKnown = listChoices(decision).choices.some(([text]) => text === choice);
    if (question.isOver || question.tries.includes(choice) || !isKnown) return false;
    question.tries.push(choice);
    if (grade(decision, choice) !== "wrong") question.isOver = true;
    return true;
  }

  const isRight = (decision, question) => question.tries.length > 0 && grade(decision, question.tries[0]) !== "wrong";

  // Which choice is compared with the best: the one that the person has asked for, else the first wrong one, else the
  // game's.
  function compared(decision, question) {
    const {best, played} = listChoices(decision);
    return question.compared ?? question.tries.find(text => text !== best) ?? played ?? best;
  }

  // Of [decision, question] in their order: [answered, all, right at once, lost by the first choices, lost in the game,
  // right at once in a row up to the last one].
  function score(questions) {
    const over = questions.filter(([, question]) => question && question.isOver);
    const right = over.map(([decision, question]) => isRight(decision, question));
    const sum = losses => losses.reduce((total, loss) => total + (loss || 0), 0);
    const own = over.map(([decision, {tries}]) => tries.length ? lossOf(decision, tries[0]) : decision.loss);
    return [over.length, questions.length, right.filter(Boolean).length, sum(own),
      sum(over.map(([decision]) => decision.loss)), right.length - 1 - right.lastIndexOf(false)];
  }

  // The score in words.
  function tellScore([answered, all, right, lost, inGame, row], unit, words) {
    const {learn} = words, sentences = [learn.score(answered, all, right)];
    if (row > 1) sentences.push(learn.row(row));
    if (unit && answered) {
      sentences.push(learn.lost(Panels.format(lost), Panels.format(inGame), Panels.unitName(unit, words)));
    }
    return sentences.join(" ");
  }

  return {FITS, fits, listChoices, lossOf, grade, suppose, begin, answer, isRight, compared, score, tellScore};
})();
