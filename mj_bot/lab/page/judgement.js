// What the judges say of a decision: its class, its loss, what each judge would do, and the causes of the loss.
"use strict";

Object.assign(Panels, (() => {
  const {make, format, percent, titled, note, unitName, action} = Panels;
  const LEAST_LOSS = CONSTANTS.leastLoss;
  const isEqual = loss => loss !== null && loss < LEAST_LOSS;
  const MARKS = {inaccuracy: "?!", mistake: "?", blunder: "??"}, NEEDLESS = "!";

  // A text with the mark of a class, or else of a needless danger.
  const withMark = (grade, text, isNeedless = false) =>
    [MARKS[grade] || (isNeedless ? NEEDLESS : ""), text].filter(Boolean).join(" ");

  // The text and the class of a decision's badge. Colours are for classes.
  function describeVerdict(decision, words) {
    const {same, equal, good, kind, otherAction, classes} = words.review, grade = decision.class;
    if (decision.agreement === null) return [words.unknown, "unknown"];
    if (decision.agreement === "same") return [same, ""];
    if (MARKS[grade]) return [withMark(grade, classes[grade]), grade];
    if (decision.is_needless_danger) return [withMark(grade, words.leaks.needless[0], true), "inaccuracy"];
    if (isEqual(decision.loss)) return [equal, ""];
    return grade === "good" ? [good, ""] : [decision.agreement === "kind" ? kind : otherAction, "unknown"];
  }

  function verdictBadge(decision, words) {
    const [text, className] = describeVerdict(decision, words);
    return make("span", "badge " + className, text);
  }

  function lossText(decision, unit, words) {
    if (decision.agreement === null || decision.agreement === "same") return "";
    const missed = decision.chosen === "HU" ? words.review.missed + " " : "";
    return missed + (decision.loss === null || isEqual(decision.loss) ? "" :
      `−${format(decision.loss)} ${unitName(unit, words)}`);
  }

  // How sure a loss is, e.g. "clear 96%"; "" where this is unknown.
  function sureness(decision, words) {
    if (decision.chance === null || isEqual(decision.loss)) return "";
    return `${words.judges[decision.is_clear ? "clear" : "unsure"]} ${Math.round(100 * decision.chance)}%`;
  }

  // Where the judges' own choices differ: what each prefers, and what it sees lost.
  function splitNote(decision, words) {
    if (new Set(decision.judges.map(judge => judge.chosen)).size < 2) return null;
    const {split, comma, sees} = words.judges;
    return make("p", "soft small event-line", split, ...decision.judges.flatMap((judge, index) => [
      make("span", "action", make("b", "", judge.name), action(judge.chosen, words, decision.claimed)),
      judge.loss === null ? "" : fill(sees, isEqual(judge.loss) ? "0" : `−${format(judge.loss)}`),
      index < decision.judges.length - 1 ? comma : ""]));
  }

  // Where the judges differ, and whether the mistake counts elsewhere.
  const judges = (decision, words) => [splitNote(decision, words),
    decision.repeats === null ? null : note(fill(words.judges.repeats, decision.repeats))];

  const causePoints = points => (points < 0 ? "−" : "+") + format(Math.abs(points));

  // A figure of a cause after the best (0) or the played action (1).
  function causeFigure(cause, index) {
    const [name, , ...figures] = cause, value = figures[index];
    if (value === undefined) return "";
    if (name === "fan") return value.toFixed(1);
    return percent(value) + (name === "other" ? ` × ${figures[2 + index].toFixed(1)}` : "");
  }

  function causeHint([name, , , , ...more], words) {
    return fill(words.causes.hints[name], ...more.map(value => String(Number(value.toFixed(1)))));
  }

  // The loss as the judge sees it that gives the causes.
  const sumCauses = decision => decision.causes.reduce((sum, [, points]) => sum + points, 0);

  // All causes in a table with their sum.
  function causeTable(decision, words) {
    const {causes: texts} = words, rows = decision.causes.filter(([name, points]) =>
      name === "nobody" || Math.abs(points) >= LEAST_LOSS).map(cause => [[
      titled(texts[cause[0]], causeHint(cause, words)), causeFigure(cause, 0), causeFigure(cause, 1),
      cause[0] === "nobody" ? "" : causePoints(cause[1])], ""]);
    return Panels.table(["", "★", "●", words.units.points],
      [...rows, [[texts.sum, "", "", causePoints(sumCauses(decision))], "total"]]);
  }

  // Why the loss: the greatest causes as a sentence, then all in a table with their sum.
  function causes(decision, words) {
    if (!decision.causes || !decision.causes.length) return [];
    const {causes: texts} = words, loss = sumCauses(decision);
    // Where no cause makes half of the loss, the smaller ones are told too.
    const least = (decision.causes.some(([, points]) => points >= loss / 2) ? .15 : .1) * loss;
    const main = decision.causes.filter(([, points]) => Math.abs(points) >= least).sort((a, b) => b[1] - a[1]);
    const reasons = main.flatMap((cause, index) => {
      const text = texts.compared(texts[cause[0]], causePoints(cause[1]), causeFigure(cause, 0), causeFigure(cause, 1));
      return [index ? texts.comma : "", titled(text, causeHint(cause, words))];
    });
    const [before, after] = fill(texts.why, format(loss), "\n").split("\n");
    return [make("p", "remarks", before, ...reasons, after),
      Math.abs(loss - decision.loss) < LEAST_LOSS ? null : note(fill(texts.differs, decision.judges.at(-1).name)),
      Panels.fold("causes", texts.all, causeTable(decision, words))];
  }

  // The parts of a line of a list of mistakes. position: where it was, as text.
  function mistake(decision, position, words) {
    const loss = withMark(decision.class, lossText(decision, "", words), decision.is_needless_danger);
    return [make("span", "at", position), action(decision.logged, words, decision.claimed), make("span", "soft", "→"),
      action(decision.chosen, words, decision.claimed), make("span", `loss ${decision.class || ""}`, loss),
      make("span", "soft small", decision.is_clear ? "" : sureness(decision, words))];
  }

  function summary(review, tactic, words) {
    const heads = words.review.columns.slice(), hasLoss = review.unit !== "";
    if (hasLoss) heads[3] = fill(words.lost, unitName(review.unit, words));
    const rows = Object.entries(review.summary).map(([kind, counts]) => {
      const share = count => `${Math.round(100 * count / counts.decisions)}%`;
      const lost = hasLoss ? format(counts.loss) + (counts.missed ? ` + ${counts.missed}?` : "") : "–";
      return [[kind === "all" ? words.all : words.actions[kind], String(counts.decisions), share(counts.same), lost],
        kind === "all" ? "total" : ""];
    });
    return [make("h2", "", `${words.review.summary} · ${tactic}`), Panels.table(heads, rows)];
  }

  // The accuracy of a review as text, and the number of mistakes of each class; without losses in points "–".
  function grades(review) {
    const counts = review && review.summary.all, hasAccuracy = review && review.accuracy !== null;
    const classes = make("span", "grades");
    for (const [name, mark] of Object.entries(MARKS)) {
      if (counts && counts[name]) classes.append(make("b", name, `${counts[name]} ${mark}`), " ");
    }
    return [hasAccuracy ? `${(100 * review.accuracy).toFixed(0)}%` : "–", classes.firstChild ? classes : "–"];
  }

  return {isEqual, verdictBadge, lossText, sureness, judges, causes, mistake, summary, grades};
})());
