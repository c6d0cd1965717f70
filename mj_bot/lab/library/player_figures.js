// A player's results: filters of games, the table of figures, the pictures, sessions and fans.
"use strict";

const PlayerFigures = (() => {
  const {make, byId, signed, day} = Panels, {format, tell, range} = PlayerState;
  const CURVE = {height: 200, left: 50, right: 10, top: 10, bottom: 22};

  // The form that chooses games.
  function makeForm({data}, words) {
    const {choice} = data, form = make("form", "");
    const input = (type, value) => Object.assign(make("input", ""), {type, value: value ?? ""});
    const platforms = data.platforms.filter(Boolean).map(name => [name, words.platforms[name] || name]);
    const fields = {
      platform: Panels.select([["", words.all], ...platforms], choice.platform, () => {}),
      after: input("date", choice.after), before: input("date", choice.before),
      last: Object.assign(input("number", choice.last), {min: 1}),
    };
    for (const [name, field] of Object.entries(fields)) {
      field.name = name;
      form.append(make("label", "", words.choice[name], field));
    }
    form.append(make("button", "main", words.apply));
    form.addEventListener("submit", event => {
      event.preventDefault();
      location.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    });
    return form;
  }

  function renderFilters(view, words) {
    const {data} = view;
    // A page in a file has no server that could choose other games.
    byId("filters").hidden = data.base === null;
    byId("filters").replaceChildren(make("summary", "", words.filters), makeForm(view, words));
  }

  function tellFigure(key, figure) {
    if (!figure) return "–";
    const [mean, ...limits] = figure.map(value => tell(key, value));
    return make("span", "", mean, " ", range(...limits));
  }

  function renderResults({data}, words) {
    const {judge, replays, results} = data, hasJudge = results.some(row => row[3]);
    const heads = ["", words.own, words.others, ...(hasJudge ? [fill(words.judge, judge)] : [])];
    const rows = results.filter(([, own]) => own).map(([key, own, others, ofJudge]) => [[words.results[key],
      tellFigure(key, own), tell(key, others), ...(hasJudge ? [tellFigure(key, ofJudge)] : [])], ""]);
    byId("results").replaceChildren(make("h2", "", words.resultsTitle), make("div", "wide", Panels.table(heads, rows)),
      make("p", "soft small", words.note(hasJudge ? judge : "", replays)));
  }

  // Bars of some counts. rows: [name, count].
  function makeBars(rows) {
    const most = Math.max(1, ...rows.map(([, count]) => count));
    return make("div", "bars", ...rows.flatMap(([name, count]) => {
      const bar = make("span", "bar fan");
      bar.style.width = `${80 * count / most}%`;
      return [make("span", "soft", name), make("span", "", bar, ` ${count}`)];
    }));
  }

  function renderPictures({data}, words) {
    const firsts = data.fan_counts.map(([first]) => first);
    const groups = data.fan_counts.map(([first, count], index) => [words.fanGroup(first, firsts[index + 1]), count]);
    const charts = [[words.fanCounts, groups], [words.placeCounts, data.places.map((count, index) =>
      [words.placeNames[index], count])]].filter(([, rows]) => rows.some(([, count]) => count));
    byId("pictures").hidden = !charts.length;
    byId("pictures").replaceChildren(...charts.map(([title, rows]) =>
      make("div", "", make("h2", "", title), makeBars(rows))));
  }

  function renderCurve({data, language}, words) {
    const {element} = MjTable, {height, left, right, top, bottom} = CURVE, {curve} = data;
    const totals = curve.map(([, total]) => total), ground = height - bottom;
    const width = Math.max(280, byId("curve").clientWidth - 30), end = width - right;
    const low = Math.min(0, ...totals), high = Math.max(0, ...totals), scale = Math.max(1, high - low);
    const x = index => left + (end - left) * index / Math.max(1, totals.length - 1);
    const y = total => ground - (ground - top) * (total - low) / scale;
    const text = (content, attributes) => element("text", attributes, content);
    const graph = element("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": words.curve},
      element("line", {class: "zero", x1: left, x2: end, y1: y(0), y2: y(0)}),
      element("polyline", {class: "line", points: totals.map((total, index) => `${x(index)},${y(total)}`).join(" ")}),
      ...[...new Set([low, 0, high])].map(total =>
        text(signed(Math.round(total)), {x: left - 6, y: y(total) + 4, "text-anchor": "end"})));
    if (curve.length) {
      graph.append(text(day(curve[0][0], language), {x: left, y: height - 5}),
        text(day(curve.at(-1)[0], language), {x: end, y: height - 5, "text-anchor": "end"}));
    }
    byId("curve").replaceChildren(make("h2", "", words.curve), graph);
  }

  function renderSessions({data, language}, words) {
    const rows = data.sessions.map(([title, time, total, points]) =>
      [[title || words.session, day(time, language), signed(total), format(points)], ""]);
    byId("sessions").hidden = !rows.length;
    byId("sessions").replaceChildren(make("summary", "", words.sessions),
      make("div", "list", Panels.table(["", words.day, words.points, words.places], rows)));
  }

  function renderFans(view, words) {
    const {data, language} = view;
    byId("fans").hidden = !data.fans.length;
    byId("fans").replaceChildren(make("summary", "", words.fans),
      makeBars(data.fans.map(([name, count]) => [PlayerState.fanName(view, name), count])));
    Fans.mark(byId("fans"), data.fan_names, WORDS[language]);
  }

  return {renderFilters, renderResults, renderPictures, renderCurve, renderSessions, renderFans};
})();
