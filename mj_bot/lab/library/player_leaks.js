// A player's page: the first lines, all leaks in a table with examples, and rates by groups of decisions.
"use strict";

const PlayerLeaks = (() => {
  const {make, byId} = Panels;
  const {format, perSession, tell, range, fanName, listSentences} = PlayerState;
  const BAR_WIDTH = 80;

  function renderSummary(view, words) {
    const {data} = view, [, score] = data.results[0], told = listSentences(view, words);
    const notes = [data.names.length > 1 ? words.joined(data.names.slice(1).join(", ")) : "",
      data.waiting ? words.waiting(data.waiting) : ""].filter(Boolean).join(" ");
    const [mean, ...limits] = (score || []).map(value => tell("score", value));
    byId("summary").replaceChildren(
      make("p", "head", words.counted(data.games), score ? make("b", "", ` ${words.result(mean)} `) : "",
        range(...limits)),
      told.length ? make("ul", "", ...told.map(text => make("li", "", text))) : make("p", "", words.needsMore),
      ...(notes ? [make("p", "soft small", notes)] : []));
  }

  // A decision of a list, a link to its event where there is a server.
  function exampleLine({data, language}, decision, words) {
    const {game, seat, frame, time, logged, chosen, loss} = decision, {base} = data, all = WORDS[language];
    const parts = [make("span", "at", `${Panels.day(time, language)} · ${words.seats[seat]} #${frame}`),
      Panels.action(logged, all, null), " → ", Panels.action(chosen, all, null),
      make("span", "loss", `−${format(loss)}`)];
    return base === null ? make("div", "link", ...parts) :
      Panels.link("link", `${base}past/${game}#${Address.format({language, seat, frame})}`, ...parts);
  }

  // A name that unfolds the worst examples.
  const named = (view, name, worst, words) => make("details", "", make("summary", "", name),
    make("div", "worst", ...worst.map(decision => exampleLine(view, decision, words))));

  // The row of a group of decisions. say: points as text. most: points of the largest group, 0 for no bar.
  function groupRow(view, {points: [mean, ...limits], others, count, worst}, name, say, most, className, words) {
    const bar = make("span", most ? "bar" : "");
    if (most) bar.style.width = `${BAR_WIDTH * mean / most}px`;
    return [[worst.length ? named(view, name, worst, words) : name,
      make("span", "", bar, " ", say(mean), " ", range(...limits.map(say))), say(others), String(count)], className];
  }

  function renderLeaks(view, words) {
    const {data, language} = view, most = Math.max(.01, ...data.leaks.map(({points}) => points[0]));
    const rows = data.leaks.flatMap(leak => [
      groupRow(view, leak, words.leaks[leak.group][0], perSession, most, leak.plans.length ? "has-plans" : "", words),
      ...leak.plans.map(plan => groupRow(view, plan, fanName(view, plan.group), perSession, most, "plan", words))]);
    const heads = [words.leak, words.own, words.others, words.count];
    byId("leaks").replaceChildren(make("summary", "", words.leaksTitle),
      make("div", "wide", Panels.table(heads, rows)));
    Fans.mark(byId("leaks"), data.fan_names, WORDS[language]);
    // The plans of a leak are rows below it, which open with it.
    const plans = byId("leaks").querySelectorAll(".plan"), leak = byId("leaks").querySelector(".has-plans details");
    const show = () => plans.forEach(row => { row.hidden = !leak.open; });
    leak?.addEventListener("toggle", show);
    if (leak) show();
  }

  function renderGroups(view, words) {
    const heads = ["", words.own, words.others, words.decisions], rate = points => format(points, 1);
    const tables = Object.entries(view.data.groups).filter(([, groups]) => groups.length).map(([axis, groups]) =>
      make("div", "", make("h2", "", words.axes[axis]), make("div", "wide",
        Panels.table(heads, groups.map(group =>
          groupRow(view, group, words.group(axis, group.group), rate, 0, "", words))))));
    byId("groups").replaceChildren(make("summary", "", words.groupsNote), ...tables);
  }

  return {renderSummary, renderLeaks, renderGroups};
})();
