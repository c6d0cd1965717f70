// The state of a player's page: the data of player_summary.py and the language; figures as text. The other files take
// it as `view`.
"use strict";

const PlayerState = (() => {
  const {make, signed, percent} = Panels;
  const HANDS = 16;  // of a session, for points a session
  const PERCENTS = new Set(["wins", "self_draws", "deal_ins", "paid", "draws", "danger", "concealed", "chased",
    "gave_up"]);

  const begin = data => ({data, language: findLanguage()});

  // What this page says: its own words, and some of all pages.
  function findWords({language}) {
    const {player, actions, seats, leaks} = WORDS[language];
    return {...player, actions, seats, leaks};
  }

  const isMissing = value => value === null || value === undefined;
  const format = (value, digits = 2) => isMissing(value) ? "–" : value.toFixed(digits).replace(/^-(?=[0.]*$)/, "");
  // Points a hand as points a session.
  const perSession = points => isMissing(points) ? "–" : format(points * HANDS, 1);
  // A figure by its key.
  const tell = (key, value) => isMissing(value) ? "–" : PERCENTS.has(key) ? percent(value) :
    key === "score" ? signed(Number(value.toFixed(2))) : format(value);
  const range = (low, high) => make("small", "", isMissing(low) ? "" : `${low} … ${high}`);
  const fanName = ({data, language}, name) => Panels.fanName(name, data.fan_names, WORDS[language]);

  // First half → second half, coloured where they differ beyond chance. scale: of the figures shown.
  function tellTrend(half, scale) {
    const [first, second, isBeyond] = half || [];
    const text = half ? `${format(first * scale, 1)} → ${format(second * scale, 1)}` : "–";
    return make("span", isBeyond ? second < first ? "loss" : "loss blunder" : "", text);
  }

  // A leak in a sentence, for the head of the page.
  function describeLeak(leak, words) {
    const [shanten, count] = leak.distance, distance = words.distances[Math.min(4, Math.max(0, shanten ?? 4))];
    return words.sentence(words.leaks[leak.leak][1], perSession(leak.points[0]), leak.count, count, distance,
      leak.others === null ? null : perSession(leak.others));
  }

  return {HANDS, begin, findWords, format, perSession, tell, range, fanName, tellTrend, describeLeak};
})();
