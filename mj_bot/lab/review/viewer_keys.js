// What the keys and switches of a game's page do.
"use strict";

const ViewerKeys = (() => {
  const {make, byId, button} = Panels, {jump} = ViewerControls;
  const KEYS = ["← →", "Home End", "D", "C", "X", "M", "1-4", "O", "L", "P N", "R", "A", "G", "↑ ↓ Enter"];
  const MOST_SPEED = 8, LEAST_SPEED = .5;

  // What each switch does, by its id.
  const toggles = {
    learn: ViewerLearning.toggle,
    auto: view => { if (view.timer) ViewerControls.stop(view); else ViewerControls.stepByItself(view); },
    danger: view => { view.hasDangers = !view.hasDangers; },
    speed: view => { view.speed = view.speed < MOST_SPEED ? 2 * view.speed : LEAST_SPEED; },
    open: view => { view.isOpen = !view.isOpen; },
    language: view => { view.language = view.language === "en" ? "zh" : "en"; },
    riichi: view => { Riichi.toggle(); view.drawn = ""; },
    curve: view => { view.hasSteps = !view.hasSteps; },
  };

  function toggle(view, id) {
    toggles[id](view);
    Viewer.render(view);
  }

  // What the keys do now; back: with shift.
  function listKeys(view, direction) {
    const openLink = (turn, id) => { if (view.game[turn]) byId(id).click(); };
    const keys = {
      arrowleft: () => Viewer.show(view, view.frame - 1), arrowright: () => Viewer.show(view, view.frame + 1),
      home: () => Viewer.show(view, 0), end: () => Viewer.show(view, view.lastFrame),
      d: () => jump(view, "decision", direction), c: () => jump(view, "claim", direction),
      x: () => jump(view, "dealIn", direction), m: () => jump(view, "mistake", direction),
      o: () => toggle(view, "open"), l: () => toggle(view, "language"), g: () => toggle(view, "learn"),
      r: () => toggle(view, "danger"), a: () => toggle(view, "auto"),
      n: () => openLink("next", "next"), p: () => openLink("previous", "previous"),
    };
    if (view.learning.isOn) {
      keys.arrowdown = () => ViewerLearning.focusQuiz(1);
      keys.arrowup = () => ViewerLearning.focusQuiz(-1);
    }
    if (ViewerLearning.findOpen(view) !== null) {
      delete keys.o;
    } else {
      for (const seat of [0, 1, 2, 3]) keys[seat + 1] = () => { view.seat = seat; Viewer.render(view); };
    }
    return keys;
  }

  function press(view, event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("select, #command input")) return;
    const keys = listKeys(view, event.shiftKey ? -1 : 1), key = event.key.toLowerCase();
    if (!Object.hasOwn(keys, key)) return;
    keys[key]();
    event.preventDefault();
  }

  function renderKeys(words) {
    byId("keys").replaceChildren(...words.review.keys.split("%s").flatMap((part, index) =>
      index ? [make("kbd", "", KEYS[index - 1]), part] : [part]));
  }

  // A page without its server says how to play on.
  function renderCommand(view, words) {
    const {review} = words, where = view.game.where.replaceAll("'", "'\\''");
    const command = make("input", "command");
    command.value = `mj-bot play --open --record '${where}' --frame ${view.frame} --seat ${view.seat}`;
    command.readOnly = true;
    const copy = button("", async () => {
      command.select();
      await navigator.clipboard?.writeText(command.value).catch(() => document.execCommand("copy"));
      copy.textContent = review.copied;
    }, review.copy);
    const close = button("", () => { view.hasCommand = false; Viewer.render(view); }, review.close);
    return [make("p", "", review.command), command, make("div", "switches", copy, close), Panels.note(review.other)];
  }

  // The button to play on from here. It keeps its place between the decisions, so that the table does not move while
  // its reader steps on.
  function renderResume(view, words) {
    const {game, seat, frame, language} = view, {resume} = game;
    const isFile = game.where && !game.error && game.seats.length === 4 && !game.where.startsWith("stdin");
    byId("resume").hidden = !(resume ? [null, seat].includes(resume.seat) : isFile) || view.learning.isOn;
    byId("resume").textContent = words.review.resume;
    byId("resume").href = resume ? `${resume.address}&${Address.format({frame, seat, language})}` : "#";
    if (!game.decisions[seat].includes(frame)) byId("resume").removeAttribute("href");
  }

  function showCommand(view, event) {
    if (view.game.resume || !byId("resume").hasAttribute("href")) return;
    event.preventDefault();
    view.hasCommand = !view.hasCommand;
    Viewer.render(view);
    if (view.hasCommand) byId("command").scrollIntoView({block: "nearest"});
  }

  function clickTable(view, event) {
    const tile = event.target.closest(".mj-hand .mj-tile[data-tile]");
    if (tile && Number(tile.dataset.seat) === view.seat) ViewerLearning.choose(view, "PLAY " + tile.dataset.tile);
  }

  function listen(view) {
    for (const id of Object.keys(toggles)) byId(id).addEventListener("click", () => toggle(view, id));
    byId("resume").addEventListener("click", event => showCommand(view, event));
    byId("slider").addEventListener("input", event => Viewer.show(view, Number(event.target.value)));
    byId("table").addEventListener("click", event => clickTable(view, event));
    document.addEventListener("keydown", event => press(view, event));
  }

  return {renderKeys, renderCommand, renderResume, listen};
})();
