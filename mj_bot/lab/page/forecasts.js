// What a judge forecast and what happened, as charts: a point for each bin of forecasts.py, larger for more decisions.
"use strict";

Object.assign(Panels, (() => {
  const {make, percent} = Panels;
  const CHART = {size: 150, left: 38, top: 6, right: 20, bottom: 20};

  function forecastChart(kind, bins, words) {
    const {element} = MjTable, {size, left, top, right, bottom} = CHART;
    const width = left + size + right, height = top + size + bottom;
    const chart = element("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": words.judges[kind]});
    const x = chance => left + size * chance, y = chance => top + size * (1 - chance);
    for (const mark of [0, .5, 1]) {
      const label = `${100 * mark}%`;
      chart.append(element("line", {class: "grid", x1: x(0), x2: x(1), y1: y(mark), y2: y(mark)}),
        element("text", {x: left - 4, y: y(mark) + 4, "text-anchor": "end"}, label),
        element("text", {x: x(mark), y: top + size + 16, "text-anchor": "middle"}, label));
    }
    chart.append(element("line", {class: "even", x1: x(0), y1: y(0), x2: x(1), y2: y(1)}));
    for (const [count, chances, happened] of bins.filter(([count]) => count)) {
      const [chance, share] = [chances / count, happened / count];
      chart.append(element("circle", {cx: x(chance), cy: y(share), r: Math.min(9, 2 + Math.log2(count))},
        element("title", {}, words.judges.bin(percent(chance), percent(share), count))));
    }
    return make("figure", "", make("figcaption", "small", words.judges[kind]), chart);
  }

  // tallies: {kind: bins}, or null. name: of the judge.
  function forecasts(tallies, name, words) {
    if (!tallies) return [];
    const charts = Object.entries(tallies).map(([kind, bins]) => forecastChart(kind, bins, words));
    return [Panels.fold("forecasts", fill(words.judges.chart, name), make("div", "forecasts", ...charts),
      make("p", "soft small", words.judges.chartNote))];
  }

  return {forecasts};
})());
