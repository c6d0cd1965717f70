// The whole game as a picture: of each seat the points that the reviewer expects, or the distance from ready, as a
// line, and what its decisions lost as bars.
"use strict";

const ViewerTimeline = (() => {
  const {byId} = Panels, {element} = MjTable, {decisionsOf, mistakesOf} = ViewerState;
  const GRAPH = {height: 148, top: 20, left: 52, right: 46, bottom: 24};
  const SEATS = [0, 1, 2, 3], MOST_LOSS = 10;

  // [frame, value] where the value changes: the reviewer's of the action that was played, and the score at the end.
  function listChanges(view, seat, isSteps) {
    const decisions = decisionsOf(view, seat), {end, lastFrame} = view;
    const distances = view.game.distances[seat] || decisions.map(({frame, distance_to_8_fan: distance, shanten}) =>
      [frame, distance, shanten]);
    if (isSteps) return distances.map(([frame, distance, plain]) => [frame, distance === null ? plain + 1 : distance]);
    const values = decisions.flatMap(({frame, ranked, logged, chosen}) => {
      const entry = ranked.find(([text]) => text === (logged || chosen));
      return entry ? [[frame, entry[1]]] : [];
    });
    return end && end.scores && values.length ? values.concat([[lastFrame, end.scores[seat]]]) : values;
  }

  // The scale of the picture: which values and losses its height stands for, and where a frame or value lies.
  function makeScale(view, changes, isSteps) {
    const {height, top, left, right, bottom} = GRAPH, {lastFrame} = view;
    const width = byId("graph").clientWidth, ground = height - bottom, room = ground - top;
    const across = width - left - right;
    // The scores of the end may be far off the scale; an arrow says so.
    const values = changes.flatMap(line =>
      line.filter(([frame]) => isSteps || frame < lastFrame).map(([, value]) => value));
    const high = isSteps ? 0 : 10 * Math.ceil(Math.max(10, ...values) / 10);
    const low = isSteps ? Math.max(1, ...values) : 10 * Math.floor(Math.min(-10, ...values) / 10);
    const lost = SEATS.flatMap(seat => mistakesOf(view, seat).map(({loss}) => Math.ceil(loss || 0)));
    return {width, ground, room, high, low,
      fullLoss: view.hasLoss ? Math.min(MOST_LOSS, Math.max(Panels.fullOf(view.unit), ...lost)) : 1,
      x: frame => left + across * frame / Math.max(1, lastFrame),
      y: value => top + room * Math.min(1, Math.max(0, (high - value) / (high - low))),
      frameAt: x => (x - left) / across * lastFrame};
  }

  const label = (x, y, anchor, content, turn) => element("text", {x, y, "text-anchor": anchor,
    transform: turn ? `rotate(${turn} ${x} ${y})` : null}, String(content));

  // The axes with their names and numbers.
  function drawAxes(view, scale, isSteps, words) {
    const {top, left, right} = GRAPH, {width, ground, room, high, low} = scale, middle = top + room / 2;
    const marks = isSteps ? Array.from({length: low + 1}, (_, distance) => distance) :
      Array.from({length: (high - low) / 10 + 1}, (_, index) => low + 10 * index);
    const nodes = marks.map(mark =>
      element("line", {class: "grid", x1: left, x2: width - right, y1: scale.y(mark), y2: scale.y(mark)}));
    for (const mark of marks) {
      if (marks.length < 6 || (isSteps ? mark : mark / 10) % 2 === 0) {
        const text = isSteps ? mark || words.distance(0) : Panels.signed(mark);
        nodes.push(label(left - 5, scale.y(mark) + 4, "end", text));
      }
    }
    nodes.push(label(11, middle, "middle", words.review.axes[isSteps ? "distance" : "points"], -90));
    for (let frame = 0; scale.x(frame) < width - right - 48; frame += view.lastFrame > 60 ? 20 : 10) {
      nodes.push(label(scale.x(frame), ground + 17, "middle", frame));
    }
    nodes.push(label(width - right, ground + 17, "end", words.review.axes.event));
    if (view.hasLoss) {
      nodes.push(...[0, .5, 1].map(share =>
        label(width - right + 5, ground - room * share + 4, "start", scale.fullLoss * share)));
      nodes.push(label(width - 6, middle, "middle", fill(words.lost, Panels.unitName(view.unit, words)), -90));
    }
    return nodes;
  }

  const classOf = (view, seat) => `seat-${seat}` + (seat === view.seat ? " current" : "");

  // What the mistakes of a seat lost, as bars. An arrow says where a loss is off the scale, a number of the shown
  // seat how large it is; numbers that would lie over each other are left out.
  function drawLosses(view, scale, seat) {
    const {top} = GRAPH, {ground, room, fullLoss} = scale, nodes = [], numbered = [];
    for (const {loss, frame} of mistakesOf(view, seat)) {
      const share = loss === null ? 1 : loss / fullLoss, x = scale.x(frame), className = classOf(view, seat);
      const size = Math.max(3, room * Math.min(1, share));
      nodes.push(element("rect", {class: className, x: x - 2, y: ground - size, width: 4, height: size}));
      if (share <= 1) continue;
      nodes.push(element("path", {class: className, d: `M${x - 5} ${top}h10l-5 -7z`}));
      if (seat === view.seat && !numbered.some(other => Math.abs(other - x) < 18)) {
        nodes.push(label(x, top - 9, "middle", loss.toFixed(0)));
        numbered.push(x);
      }
    }
    return nodes;
  }

  // The line of a seat; an arrow at its end says where the score is off the scale.
  function drawLine(view, scale, seat, changes, isSteps) {
    if (!changes.length) return [];
    const {lastFrame} = view, {high, low} = scale, score = changes.at(-1)[1], className = classOf(view, seat);
    const corners = changes.flatMap(([frame, value], index) =>
      index ? [[frame, changes[index - 1][1]], [frame, value]] : [[frame, value]]);
    const points = [...corners, [lastFrame, score]].map(([frame, value]) => `${scale.x(frame)},${scale.y(value)}`);
    const nodes = [element("polyline", {class: className, points: points.join(" ")})];
    if (!isSteps && (score > high || score < low)) {
      const up = score > high ? -7 : 7;
      nodes.push(element("path", {class: className, d: `M${scale.x(lastFrame) - 5} ${scale.y(score)}h10l-5 ${up}z`}));
    }
    return nodes;
  }

  // A click goes to its event, or to a mistake that is near.
  function openAt(view, scale, x) {
    const frame = scale.frameAt(x);
    const near = mistakesOf(view).reduce((best, decision) =>
      Math.abs(decision.frame - frame) < Math.abs(best - frame) ? decision.frame : best, Infinity);
    Viewer.show(view, Math.abs(near - frame) < view.lastFrame / 60 ? near : frame);
  }

  function renderGraph(view, words) {
    const {height, top, left, right} = GRAPH, isSteps = view.hasSteps || !view.hasPoints;
    const changes = SEATS.map(seat => listChanges(view, seat, isSteps)), scale = makeScale(view, changes, isSteps);
    // The shown seat lies in front.
    const seats = SEATS.slice().sort((a, b) => (a === view.seat) - (b === view.seat)), {width} = scale;
    view.cursor = element("rect", {class: "cursor", y: top - 4, width: 2, height: scale.room + 8});
    view.scale = scale;
    const graph = element("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img"},
      ...drawAxes(view, scale, isSteps, words), ...seats.flatMap(seat => drawLosses(view, scale, seat)),
      ...seats.flatMap(seat => drawLine(view, scale, seat, changes[seat], isSteps)), view.cursor);
    graph.addEventListener("click", event => openAt(view, scale, event.clientX - graph.getBoundingClientRect().left));
    byId("graph").replaceChildren(graph);
    byId("controls").style.setProperty("--left", `${left - 8}px`);
    byId("controls").style.setProperty("--right", `${right - 8}px`);
  }

  const moveCursor = view => view.cursor.setAttribute("x", view.scale.x(view.frame) - 1);

  return {renderGraph, moveCursor};
})();
