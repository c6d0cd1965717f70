// The state of a player's page: the data of player_summary.py and the language; figures as text. The other files take
// it as `view`.
"use strict";

const PlayerState = (() => {
  const {make, signed, percent} = Panels;
  const HANDS = 16;  // of a session, for points a session
  const PERCENTS = new Set(["wins", "deal_ins", "paid", "draws", "claimed", "ready"]);
  const LUCK = .2;  // dangers of discards that differ by less than this share are equal

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

  function describeLeak(leak, words) {
    return words.sentence(words.leaks[leak.group][1], perSession(leak.points[0]), leak.count,
      words.distances[leak.distance], leak.others === null ? null : perSession(leak.others));
  }

  // A result that differs from the others' beyond chance, in a sentence.
  function describeResult({data}, key, words) {
    const [, interval, others] = data.results.find(row => row[0] === key), [own, theirs] = data.danger;
    const text = words.told(words.results[key], ...[...interval, others].map(value => tell(key, value)));
    if (key !== "deal_ins" || isMissing(own) || isMissing(theirs)) return text;
    const isLuck = Math.abs(own - theirs) < LUCK * theirs;
    return `${text} ${words.dangers(percent(own), percent(theirs), isLuck)}`;
  }

  const listSentences = (view, words) => view.data.told.map(([kind, what]) =>
    kind === "leak" ? describeLeak(view.data.leaks[what], words) : describeResult(view, what, words));

  return {begin, findWords, format, perSession, tell, range, fanName, listSentences};
})();
