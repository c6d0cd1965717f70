// The deal-ins of several games: how likely each was, what was safer, and whether it was avoidable.
"use strict";

const IndexDealIns = (() => {
  const {make, byId, link, signed, percent} = Panels;
  const {listGames, nameOf, playerOf, addressOf} = IndexState;

  function dealInRow(view, dealIn, words) {
    const game = view.data.games[dealIn.game], player = playerOf(view, dealIn);
    const address = addressOf(view, game, {seat: dealIn.seat, frame: dealIn.frame});
    const row = [player ? Panels.player(player, words) : words.seats[dealIn.seat],
      link("", address, `${nameOf(view, game, words)} #${dealIn.frame}`), MjTable.icon(dealIn.tile, 20),
      dealIn.chance === null ? "–" : percent(dealIn.chance),
      make("span", "", ...Panels.saferAction(dealIn, null, words)), dealIn.is_avoidable ? words.dealIns.yes : "",
      dealIn.points === null ? "–" : signed(dealIn.points)];
    return [row, player && player === Me.name() ? "mine" : ""];
  }

  // How many deal-ins there were, how many would be expected by their chances, and how many were avoidable.
  function tellTotals(dealIns, words) {
    const avoidable = dealIns.filter(dealIn => dealIn.is_avoidable).length;
    return `${words.dealIns.title(dealIns.length)}${words.dealIns.comma}${fill(words.dealIns.avoidableOf, avoidable)}`;
  }

  function render(view, words) {
    const games = new Set(listGames(view)), {player} = view.wanted;
    const dealIns = view.data.deal_ins.filter(dealIn => games.has(dealIn.game) &&
      (!player || playerOf(view, dealIn) === player));
    byId("deal-ins").hidden = !dealIns.length;
    byId("deal-ins").replaceChildren(make("h2", "", tellTotals(dealIns, words)), make("div", "wide",
      Panels.table(words.dealIns.columns, dealIns.map(dealIn => dealInRow(view, dealIn, words)))),
      Panels.note(words.dealIns.note));
  }

  return {render};
})();
