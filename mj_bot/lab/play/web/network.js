// The local network: opens the table to other devices, with a code that a phone's camera reads.
"use strict";

const Network = (() => {
  const {make, byId, link} = Panels;
  const EDGE = 2;  // light squares around the code
  let shared = {access: "", url: "", code: []};  // as the server sent it last

  // The dark squares of the code, as one path.
  function drawCode(rows) {
    const size = rows.length + 2 * EDGE;
    const picture = MjTable.element("svg", {viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": shared.url}, "");
    const squares = rows.flatMap((row, top) => row.map((dark, left) =>
      dark ? `M${left + EDGE} ${top + EDGE}h1v1h-1z` : "").filter(Boolean));
    picture.append(MjTable.element("path", {d: squares.join("")}, ""));
    return picture;
  }

  function render() {
    const {say} = Play, {access, url, code} = shared;
    byId("network-access").value = access;
    byId("network-label").hidden = Play.access !== "network";
    byId("network-show").hidden = !access;
    if (!access) return byId("network").close();
    byId("network-text").textContent = say.networkText[access];
    byId("network-code").replaceChildren(drawCode(code), make("p", "", link("", url, url)));
  }

  function show() {
    render();
    if (shared.access && !byId("network").open) byId("network").showModal();
  }

  async function change(access) {
    const answer = await Requests.ask("network", access === null ? undefined : {access});
    if (answer) shared = answer;
    render();
    if (answer && access) show();
  }

  function listen() {
    byId("network-access").addEventListener("change", event => change(event.target.value));
    byId("network-show").addEventListener("click", show);
    if (Play.access === "network") change(null);
    else render();
  }

  return {listen};
})();
