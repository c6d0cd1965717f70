// The table of games: how each ended, and what each seat scored and lost.
"use strict";

const IndexGames = (() => {
  const {make, byId, button, link, signed} = Panels;
  const {listGames, seatsOf, nameOf, addressOf, formatLoss} = IndexState;

  const sumLosses = game => game.losses.every(loss => loss === null) ? null :
    game.losses.reduce((sum, loss) => sum + loss, 0);

  function describeEnd(view, game, words) {
    const {index, seats} = words, {end} = game;
    if (game.error) {
      const error = (view.data.said[view.language] || {})[game.error] || game.error;
      return make("span", "bad", `${index.broken}: ${error}`);
    }
    if (!end) return words.unfinished;
    if (end.verdict === "HUANG") return index.drawn;
    if (end.verdict !== "HU") return `${seats[end.seat]} ${words.erred}: ${words.verdicts[end.verdict] || end.verdict}`;
    const named = seat => game.players[seat] ? Panels.player(game.players[seat], words) : seats[seat];
    const fan = end.main_fan ? Panels.fanInText(end.main_fan, view.data.fan_names, words) : "";
    return [named(end.seat), end.fan ? `${end.fan} ${words.fan}` : words.wins, fan,
      end.from === null ? `· ${words.selfDrawn}` : `← ${named(end.from)}`].filter(Boolean).join(" ");
  }

  // What each column is sorted by, null last; a column of a seat by its loss.
  const sorters = {
    game: (game, index) => -index, round: game => game.wind === null ? null : -game.wind,
    end: game => game.end && game.end.fan || 0, total: sumLosses,
  };

  function sortGames(view) {
    const {data, column, isRising} = view, sign = isRising ? 1 : -1;
    const sorter = sorters[column] || (game => game.losses[seatsOf(view, game)[column]]);
    const keyed = listGames(view).map(index => [sorter(data.games[index], index), index]);
    keyed.sort(([a, i], [b, j]) => (a === null) - (b === null) || sign * (a - b) || i - j);
    return keyed.map(([, index]) => index);
  }

  function columnHead(view, column, text) {
    const sort = () => {
      view.isRising = view.column === column && !view.isRising;
      view.column = column;
      Index.render(view);
    };
    const className = column !== view.column ? "" : view.isRising ? "sorted rising" : "sorted";
    const head = make("th", className, button("", sort, text));
    if (Number(column) >= 0) head.classList.add("pair-head");
    head.dataset.column = column;
    return head;
  }

  // Score, loss, and seat or player, of a seat of a game.
  function seatCell(view, game, seat, words) {
    const player = game.players[seat], note = view.session ? words.seats[seat] : Panels.player(player, words);
    return make("td", player && player === Me.name() ? "mine" : "", make("span", "pair",
      game.scores ? signed(game.scores[seat]) : "–", make("i", "", formatLoss(game.losses[seat])),
      make("small", "", note)));
  }

  function gameRow(view, index, words) {
    const game = view.data.games[index];
    const row = make("tr", "",
      make("td", "", link("", addressOf(view, game), nameOf(view, game, words)),
        game.file === game.name ? null : make("small", "", game.file)),
      make("td", "", game.wind === null ? "–" : words.winds[game.wind]),
      make("td", "", describeEnd(view, game, words)),
      ...seatsOf(view, game).map(seat => seatCell(view, game, seat, words)),
      make("td", "", formatLoss(sumLosses(game))));
    row.dataset.game = index;
    return row;
  }

  function renderGames(view, words) {
    const {data, session} = view, {index} = words, heads = session ? session.names : words.seats;
    const columns = [["game", index.game], ["round", index.round], ["end", index.end],
      ...heads.map((name, column) => [String(column), name]), ["total", index.total]];
    const head = make("tr", "", ...columns.map(([column, text]) => columnHead(view, column, text)));
    const notes = [session ? index.own : index.seatNote, index.sort,
      data.unit ? fill(index.reviewer, Panels.unitName(data.unit, words), data.judges.join(words.judges.comma)) : "",
      data.pending ? words.judges.pending : ""];
    byId("games").replaceChildren(Panels.note(notes.filter(Boolean).join(" ")), make("div", "wide",
      make("table", "", head, ...sortGames(view).map(index => gameRow(view, index, words)))));
  }

  return {renderGames};
})();
