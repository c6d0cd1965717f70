// What all scripts use: the numbers and the fans that Python has too, and texts with values.
"use strict";

// The numbers of page/constants.py.
const CONSTANTS = JSON.parse(document.getElementById("constants").textContent);
// Of each fan: name, English name, points, tiles of an example, others that the example counts, excluded.
const FAN_ROWS = CONSTANTS.fanRows;

// Puts values in the places of a text's %s.
function fill(text, ...values) {
  return text.split("%s").map((part, index) => (index ? values[index - 1] : "") + part).join("");
}
