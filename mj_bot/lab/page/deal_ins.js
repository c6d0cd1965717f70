// Deal-ins, of review/dangers.py: how likely each was, what was safer, and what that would have cost.
"use strict";

Object.assign(Panels, (() => {
  const {make, percent, format, action} = Panels;

  // What a safer action is worth next to the discard: points more or less.
  function tellCost(cost, words) {
    const {more, less, equal} = words.dealIns;
    if (Math.abs(cost) < .005) return equal;
    return cost < 0 ? fill(more, format(-cost)) : fill(less, format(cost));
  }

  // The safer action with its chance and cost as nodes, or that there is none.
  function saferAction({safer}, claimed, words) {
    if (!safer) return [words.dealIns.none];
    const [text, chance, cost] = safer;
    return [action(text, words, claimed), ` ${percent(chance)}${words.dealIns.comma}${tellCost(cost, words)}`];
  }

  // The sentence below a decision whose discard was won on.
  function dealInNote(dealIn, claimed, words) {
    const {dealt, robbed, avoidable, unavoidable} = words.dealIns;
    const tile = make("span", "action", MjTable.icon(dealIn.tile, 20));
    const note = (...children) => make("p", "soft small event-line", ...children);
    if (dealIn.chance === null) return note(tile, ` ${robbed}`);
    return note(tile, ` ${fill(dealt, percent(dealIn.chance))} `, ...saferAction(dealIn, claimed, words),
      dealIn.safer ? ` · ${dealIn.is_avoidable ? avoidable : unavoidable}` : null);
  }

  return {saferAction, dealInNote};
})());
