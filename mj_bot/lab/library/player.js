// A player's page: what player_summary.py puts into the element #data.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const {make, byId, button, signed, percent} = Panels;
  const shown = {language: findLanguage()};
  const HANDS = 16;  // of a session, for points a session
  const PERCENTS = new Set(["wins", "self_draws", "deal_ins", "paid", "draws", "danger", "concealed", "chased", "gave_up"]);
  const number = (value, digits = 2) => value === null || value === undefined ? "–" : value.toFixed(digits).replace(/^-(?=[0.]*$)/, "");
  const tell = (key, value) => value === null || value === undefined ? "–" : PERCENTS.has(key) ? percent(value) :
    key === "score" ? signed(Number(value.toFixed(2))) : number(value);
  const range = (key, interval) => interval && interval.length > 1 ? `${tell(key, interval[1])} … ${tell(key, interval[2])}` : "";
  const day = seconds => new Date(seconds * 1000).toLocaleDateString(shown.language === "zh" ? "zh-CN" : "en-CA");
  const fanName = name => Panels.fanName(name, data.fan_names, WORDS[shown.language]);

  // What this page says: its own words, and some of all pages.
  function findWords() {
    const {player, actions, seats, leaks} = WORDS[shown.language];
    return {...player, actions, seats, leaks};
  }

  // An action of Botzone's text in words and the tiles that it names; of a chow all three.
  function tellAction(text, words) {
    const [kind, ...tiles] = text.split(" "), actions = words.actions;
    if (kind === "CHI") tiles.splice(0, 1, ...[-1, 0, 1].map(step => tiles[0][0] + (Number(tiles[0][1]) + step)));
    return make("span", "action", make("span", "", actions[kind] || kind), ...tiles.map(name => MjTable.icon(name, 20)));
  }

  function renderFilters(words) {
    const {choice} = data, form = make("form", "");
    const field = (name, input) => {
      input.name = name;
      form.append(make("label", "", words.choice[name], input));
    };
    const select = (texts, value) => {
      const made = make("select", "", ...texts.map(([key, text]) => {
        const option = make("option", "", text);
        option.value = key;
        return option;
      }));
      made.value = value;
      return made;
    };
    const input = (type, value) => Object.assign(make("input", ""), {type, value: value ?? ""});
    field("platform", select([["", words.all], ...data.platforms.filter(Boolean).map(name => [name, words.platforms[name] || name])], choice.platform));
    field("after", input("date", choice.after));
    field("before", input("date", choice.before));
    field("last", Object.assign(input("number", choice.last), {min: 1}));
    field("against", select([["", words.all], ...data.opponents.map(name => [name, name])], choice.against));
    form.append(make("button", "main", words.apply));
    form.addEventListener("submit", event => {
      event.preventDefault();
      const asked = [...new FormData(form)].filter(([, value]) => value);
      location.search = new URLSearchParams(asked);
    });
    // A page in a file has no server that could choose other games.
    byId("filters").replaceChildren(...(data.base === null ? [] : [form]),
      make("p", "soft small", [words.counted(data.games), data.names.length > 1 ? words.joined(data.names.slice(1).join(", ")) : "",
        data.waiting ? words.waiting(data.waiting) : "", words.note].filter(Boolean).join(" ")));
  }

  // A leak in a sentence, for the head of the page.
  function describeLeak(leak, words) {
    const [shanten, count] = leak.distance;
    return words.sentence(words.leaks[leak.leak][1], number(leak.points[0] * HANDS, 1), leak.count,
      count, words.distances[Math.min(4, Math.max(0, shanten ?? 4))], leak.others === null ? null : number(leak.others * HANDS, 1));
  }

  function renderSummary(words) {
    const largest = data.leaks.slice(0, 3);
    byId("summary").replaceChildren(make("h2", "", words.summary), largest.length ?
      make("ol", "", ...largest.map(leak => make("li", "", describeLeak(leak, words)))) : make("p", "soft", words.noLeaks));
  }

  // The judge's figures with their kinds, at the player's seats or at those of the others (1). Of a forecast also the mean
  // over all decisions.
  function tellCompared(key, comparisons, whose) {
    const words = findWords();
    return comparisons.length ? make("div", "", ...comparisons.map(([kind, ...figures]) => {
      const mean = figures[2 + whose];
      const figure = make("div", "", tell(key, figures[whose]), make("small", "", words.kinds[kind](mean === undefined ? "" : tell(key, mean))));
      if (kind === "replay") figure.title = words.replayed(data.judge, data.replays, whose);
      return figure;
    })) : "–";
  }

  function renderResults(words) {
    const rows = data.results.filter(([, interval]) => interval).map(([key, interval, others, comparisons]) => [[
      words.results[key], make("span", "", tell(key, interval[0]), make("small", "", range(key, interval))), tellCompared(key, comparisons, 0),
      tell(key, others), tellCompared(key, comparisons, 1)], ""]);
    const {judge} = data, heads = ["", words.own, fill(words.judge, judge), words.others, fill(words.judgeOfOthers, judge)];
    byId("results").replaceChildren(make("h2", "", words.resultsTitle),
      make("div", "wide", Panels.table(heads, rows)), make("p", "soft small", words.judgeNote(judge, data.replays, data.games)));
  }

  function renderCurve(words) {
    const {element} = MjTable, card = byId("curve"), points = data.curve.map(([, total]) => total);
    const width = Math.max(280, card.clientWidth - 30), height = 200, left = 50, ground = height - 22;
    const low = Math.min(0, ...points), high = Math.max(1, ...points);
    const x = index => left + (width - left - 10) * index / Math.max(1, points.length - 1);
    const y = total => ground - (ground - 10) * (total - low) / (high - low);
    const graph = element("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": words.curve});
    graph.append(element("line", {class: "zero", x1: left, x2: width - 10, y1: y(0), y2: y(0)}),
      element("polyline", {class: "line", points: points.map((total, index) => `${x(index)},${y(total)}`).join(" ")}));
    for (const total of new Set([low, 0, high])) graph.append(element("text", {x: left - 6, y: y(total) + 4, "text-anchor": "end"}, signed(Math.round(total))));
    if (points.length) {
      graph.append(element("text", {x: left, y: height - 5}, day(data.curve[0][0])),
        element("text", {x: width - 10, y: height - 5, "text-anchor": "end"}, day(data.curve.at(-1)[0])));
    }
    card.replaceChildren(make("h2", "", words.curve), graph);
  }

  // The worst examples of a leak or group, each a link to its event where there is a server.
  function listWorst(worst, words) {
    return make("div", "worst", ...worst.map(made => {
      const text = `${day(made.time)} · ${words.seats[made.seat]} #${made.frame}`;
      const line = make(data.base === null ? "div" : "a", "link", make("span", "at", text), tellAction(made.logged, words), " → ", tellAction(made.chosen, words), make("span", "loss", `−${number(made.loss)}`));
      if (data.base !== null) line.href = `${data.base}past/${made.game}#language=${shown.language}&seat=${made.seat}&frame=${made.frame}`;
      return line;
    }));
  }

  // First half → second half, coloured where they differ beyond chance. scale: of the figures shown.
  function tellTrend(half, scale) {
    const change = half && half[2] ? half[1] < half[0] ? "loss" : "loss blunder" : "";
    return make("span", change, half ? `${number(half[0] * scale, 1)} → ${number(half[1] * scale, 1)}` : "–");
  }

  function renderLeaks(words) {
    const most = Math.max(.01, ...data.leaks.map(leak => leak.points[0]));
    const row = (name, leak, kind) => {
      const [mean, low, high] = leak.points, bar = make("span", "bar");
      bar.style.width = `${80 * mean / most}px`;
      return [[make("details", "", make("summary", "", name), listWorst(leak.worst, words)),
        make("span", "", bar, " ", number(mean * HANDS, 1), " ", make("small", "", low === undefined ? "" : `${number(low * HANDS, 1)} … ${number(high * HANDS, 1)}`)),
        number(leak.others === null ? null : leak.others * HANDS, 1), String(leak.count), tellTrend(leak.halves, HANDS)], kind];
    };
    const rows = data.leaks.flatMap(leak => [row(words.leaks[leak.leak][0], leak, leak.plans.length ? "has-plans" : ""),
      ...leak.plans.map(plan => row(fanName(plan.plan), plan, "plan"))]);
    byId("leaks").replaceChildren(make("h2", "", words.leaksTitle), make("div", "wide",
      Panels.table([words.leak, words.own, words.others, words.count, words.trend], rows)), make("p", "soft small", words.leaksNote));
    Fans.mark(byId("leaks"), data.fan_names, WORDS[shown.language]);
    // The plans of a leak are rows below it, which open with it.
    const plans = byId("leaks").querySelectorAll(".plan"), leak = byId("leaks").querySelector(".has-plans details");
    const show = () => plans.forEach(line => { line.hidden = !leak.open; });
    if (leak) leak.addEventListener("toggle", show);
    if (leak) show();
  }

  function renderGroups(words) {
    const parts = Object.entries(data.groups).filter(([, rows]) => rows.length).map(([axis, rows]) => make("div", "",
      make("h2", "", words.axes[axis]), make("div", "wide", Panels.table(["", words.own, words.others, words.decisions, words.trend], rows.map(([group, [rate, low, high], others, count, halves, worst]) =>
        [[worst.length ? make("details", "", make("summary", "", words.group(axis, group)), listWorst(worst, words)) : words.group(axis, group),
          make("span", "", number(rate, 1), " ", make("small", "", `${number(low, 1)} … ${number(high, 1)}`)), number(others, 1), String(count), tellTrend(halves, 1)], ""])))));
    byId("groups").replaceChildren(make("p", "soft small", words.groupsNote), ...parts);
  }

  function renderSessions(words) {
    byId("sessions").hidden = !data.sessions.length;
    byId("sessions").replaceChildren(make("h2", "", words.sessions), make("div", "list", Panels.table(["", words.day, words.points, words.places],
      data.sessions.map(([title, time, total, places]) => [[title || words.session, day(time), signed(total), number(places)], ""]))));
  }

  function renderFans(words) {
    const most = Math.max(1, ...data.fans.map(([, count]) => count));
    byId("fans").hidden = !data.fans.length;
    byId("fans").replaceChildren(make("h2", "", words.fans), Panels.table(["", words.count], data.fans.map(([name, count]) => {
      const bar = make("span", "bar fan");
      bar.style.width = `${100 * count / most}px`;
      return [[fanName(name), make("span", "", bar, ` ${count}`)], ""];
    })));
    Fans.mark(byId("fans"), data.fan_names, WORDS[shown.language]);
  }

  function renderForecasts() {
    const words = WORDS[shown.language];
    byId("forecasts").hidden = !data.forecasts;
    byId("forecasts").replaceChildren(...Panels.forecasts(data.forecasts, data.judge || words.library.judge, words));
  }

  function save(name, address) {
    const link = make("a", "");
    link.download = name;
    link.href = address;
    link.click();
  }

  // One picture to share: name, results, the largest leaks, the curve.
  function savePicture(words) {
    const canvas = document.createElement("canvas"), context = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    const color = name => style.getPropertyValue(`--${name}`).trim();
    [canvas.width, canvas.height] = [1200, 900];
    const write = (text, x, y, size, ink = "ink") => {
      context.fillStyle = color(ink);
      context.font = `${size}px system-ui, "Noto Sans CJK SC", sans-serif`;
      context.fillText(text, x, y, 1200 - x - 40);
    };
    context.fillStyle = color("page");
    context.fillRect(0, 0, 1200, 900);
    write(data.names[0], 40, 70, 44);
    write(words.counted(data.games), 40, 110, 24, "soft");
    data.results.filter(([, interval]) => interval).slice(0, 10).forEach(([key, interval], index) => {
      const x = 40 + index % 2 * 280, y = 160 + Math.floor(index / 2) * 56;
      write(words.results[key], x, y, 20, "soft");
      write(tell(key, interval[0]), x, y + 26, 26);
    });
    const points = data.curve.map(([, total]) => total), low = Math.min(0, ...points), high = Math.max(1, ...points);
    context.strokeStyle = color("accent");
    context.lineWidth = 3;
    context.beginPath();
    points.forEach((total, index) => context.lineTo(640 + 520 * index / Math.max(1, points.length - 1), 420 - 280 * (total - low) / (high - low)));
    context.stroke();
    write(words.summary, 40, 500, 28);
    data.leaks.slice(0, 3).forEach((leak, index) => write(`${index + 1}. ${describeLeak(leak, words)}`, 40, 550 + 46 * index, 24));
    data.leaks.slice(3, 9).forEach((leak, index) => write(`${words.leaks[leak.leak][0]}: ${number(leak.points[0] * HANDS, 1)}`, 40 + index % 3 * 380, 720 + Math.floor(index / 3) * 44, 22, "soft"));
    write("mj_bot", 1060, 870, 24, "soft");
    save(`${data.names[0]}.png`, canvas.toDataURL("image/png"));
  }

  // A cell that begins as a formula gets an apostrophe, or a spreadsheet would run it: see guard_cell of export.py.
  const FORMULA = /(^|[;|\t\r\n"])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/g;
  const cell = value => {
    const text = String(value ?? ""), guarded = typeof value === "string" ? text.replace(FORMULA, "$1'") : text;
    return /[",\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  };

  function saveTable(words) {
    const rows = [["player", data.names[0]], ["games", data.games], ["games that the judge played again", data.replays], ["judge", data.judge], [],
      ["result", "mean", "low", "high", "others", "judge on the same walls at these seats", "judge on the same walls at the others' seats",
        "kind of the judge's figure", "judge at these seats", "judge at the others' seats", "judge at these seats, mean of all decisions", "judge at the others' seats, mean of all decisions"]];
    for (const [key, interval, others, comparisons] of data.results) {
      const find = isReplay => comparisons.find(([kind]) => (kind === "replay") === isReplay), replay = find(true) || [];
      rows.push([key, ...[0, 1, 2].map(index => (interval || [])[index]), others, replay[1], replay[2], ...(find(false) || [])]);
    }
    rows.push([], ["leak", "points a hand", "low", "high", "others", "count"]);
    for (const leak of data.leaks.flatMap(leak => [leak, ...leak.plans])) {
      rows.push([leak.leak || `plan ${leak.plan}`, ...[0, 1, 2].map(index => leak.points[index]), leak.others, leak.count]);
    }
    for (const [axis, groups] of Object.entries(data.groups)) {
      rows.push([], [axis, "points per 100 decisions", "low", "high", "others", "decisions"]);
      for (const [group, rates, others, count] of groups) rows.push([group, ...rates, others, count]);
    }
    save(`${data.names[0]}.csv`, `data:text/csv;charset=utf-8,${encodeURIComponent("\ufeff" + rows.map(row => row.map(cell).join(",")).join("\n") + "\n")}`);
  }

  function render() {
    const words = findWords();
    document.documentElement.lang = shown.language;
    byId("title").textContent = document.title = words.title(Panels.player(data.names[0], WORDS[shown.language]));
    byId("language").textContent = WORDS[shown.language].other;
    byId("picture").textContent = words.picture;
    byId("table").textContent = words.csv;
    byId("back").hidden = byId("learn").hidden = data.base === null;
    byId("learn").textContent = WORDS[shown.language].play.learn;
    byId("learn").href = `${data.base}learn#language=${shown.language}&player=${encodeURIComponent(data.names[0])}`;
    byId("back").textContent = "← " + words.library;
    byId("back").href = `${data.base}library#language=${shown.language}`;
    renderFilters(words);
    renderSummary(words);
    renderResults(words);
    renderCurve(words);
    renderLeaks(words);
    renderGroups(words);
    renderSessions(words);
    renderFans(words);
    renderForecasts();
    // Before the first review there is nothing to tell.
    for (const id of ["summary", "results", "curve", "leaks", "groups"]) byId(id).hidden = !data.games;
    history.replaceState(null, "", `#language=${shown.language}`);
  }

  byId("picture").addEventListener("click", () => savePicture(findWords()));
  byId("table").addEventListener("click", () => saveTable(findWords()));
  byId("language").addEventListener("click", () => {
    shown.language = shown.language === "en" ? "zh" : "en";
    render();
  });
  window.addEventListener("resize", () => renderCurve(WORDS[shown.language].player));
  render();
})();
