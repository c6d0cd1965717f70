// The state of a game's page: the game, what of it is shown, and how far its reader has learned. The other files take
// it as `view`.
"use strict";

const ViewerState = (() => {
  // A copy of a value with one part changed; what is not on the path is shared.
  function setAt(value, path, part) {
    if (!path.length) return part;
    const copy = Array.isArray(value) ? value.slice() : {...value};
    copy[path[0]] = setAt(copy[path[0]], path.slice(1), part);
    return copy;
  }

  function listPositions(frames) {
    const positions = [];
    for (const frame of frames) {
      positions.push(frame.set.reduce((position, [path, part]) => setAt(position, path, part),
        positions.at(-1) || null));
    }
    return positions;
  }

  // Until a mistake's answer is found or shown, nothing gives it away: result, curve, marks, losses, the events after
  // it. The address brings the filters, the score of the games before, and of a run that the index began the games to
  // come. A page of one position asks for its decision.
  function makeLearning(game, address) {
    return {
      isOn: address.learn !== null || Boolean(game.ask),
      earlier: address.learn || [], run: address.run,
      wanted: address.only || {leak: "", grade: "", state: "", sureness: ""},
      questions: [{}, {}, {}, {}],  // of each seat {frame: question of Learning}
    };
  }

  // game: what pages.py puts into the element #data. address: of Address.read.
  function make(game, address) {
    const events = game.frames.map(({event}) => event), lastFrame = events.length - 1;
    const end = events.length && events.at(-1).kind === "END" ? events.at(-1) : null;
    const frame = address.frame ?? game.frame, reviews = Object.values(game.reviews);
    const unit = reviews.map(review => review.unit).find(Boolean) || "";
    return {
      game, events, end, lastFrame, unit, hasLoss: unit !== "", hasPoints: unit === "points",
      positions: listPositions(game.frames),
      judges: game.judges, isAsk: Boolean(game.ask),
      claims: events.flatMap((event, index) => event.claimed ? [index] : []),
      // The last decision of the seat that dealt in: its discard, or its added kong.
      dealIns: end && end.verdict === "HU" && end.from !== null ? game.decisions[end.from].slice(-1) : [],
      // What is shown.
      frame, seat: game.seat, isOpen: true, hasSteps: false, hasCommand: false, hasDangers: false,
      language: findLanguage(), speed: 1, timer: null,
      drawn: "",                                  // what the parts show that are drawn for a seat, not for a frame
      learning: makeLearning(game, address),
    };
  }

  // An error of the record in the language of the page.
  const tellError = (view, error) => (view.game.said[view.language] || {})[error] || error;

  const reviewOf = (view, seat = view.seat) => view.game.reviews[seat];
  const decisionsOf = (view, seat = view.seat) => reviewOf(view, seat) ? reviewOf(view, seat).decisions : [];
  const decisionAt = (view, frame = view.frame) => decisionsOf(view).find(decision => decision.frame === frame);
  const pick = (view, seat, indices) => (indices || []).map(index => decisionsOf(view, seat)[index]);
  const mistakesOf = (view, seat = view.seat) => pick(view, seat, reviewOf(view, seat)?.mistakes);
  // The decisions with the same mistake as one that counts for them.
  const repeatsOf = (view, {frame}) => decisionsOf(view).filter(decision => decision.repeats === frame);

  // The frames to which the steps of a kind lead.
  function listFrames(view, kind) {
    if (kind === "decision") return view.game.decisions[view.seat];
    if (kind === "claim") return view.claims;
    if (kind === "dealIn") return view.dealIns;
    return mistakesOf(view).map(decision => decision.frame).sort((a, b) => a - b);
  }

  // A seat at its worst mistake, else at its last decision.
  function openSeat(view, seat) {
    view.seat = seat;
    const [worst] = mistakesOf(view), last = reviewOf(view) && view.game.decisions[seat].at(-1);
    view.frame = worst ? worst.frame : last ?? 0;
  }

  // The seat of the address, or that of the player whom the address or the browser names.
  function openFirst(view, address) {
    if (address.seat !== null) {
      view.seat = address.seat;
      return;
    }
    const player = address.player || (view.game.player ? "" : Me.name()), seat = view.game.players.indexOf(player);
    if (player && seat >= 0) openSeat(view, seat);
  }

  return {make, tellError, reviewOf, decisionsOf, decisionAt, mistakesOf, repeatsOf, listFrames, openSeat, openFirst};
})();
