// A player's page to share: one picture of it.
"use strict";

const PlayerExport = (() => {
  const {perSession, tell, listSentences} = PlayerState;
  const SIZE = [1200, 900], MARGIN = 40;
  const RESULTS = 12, LISTED = 6;  // of the picture: results and leaks

  // A canvas in the colours of the page. write(text, x, y, size, ink): cut at the margin.
  function makeCanvas() {
    const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    const color = name => style.getPropertyValue(`--${name}`).trim();
    [canvas.width, canvas.height] = SIZE;
    context.fillStyle = color("page");
    context.fillRect(0, 0, ...SIZE);
    const write = (text, x, y, size, ink = "ink") => {
      context.fillStyle = color(ink);
      context.font = `${size}px system-ui, "Noto Sans CJK SC", sans-serif`;
      context.fillText(text, x, y, SIZE[0] - x - MARGIN);
    };
    return {canvas, context, color, write};
  }

  function drawCurve({context, color}, totals) {
    const low = Math.min(0, ...totals), high = Math.max(1, ...totals), last = Math.max(1, totals.length - 1);
    context.strokeStyle = color("accent");
    context.lineWidth = 3;
    context.beginPath();
    totals.forEach((total, index) => 
      context.lineTo(640 + 520 * index / last, 420 - 280 * (total - low) / (high - low)));
    context.stroke();
  }

  // One picture to share: name, results, the largest leaks, the curve.
  function savePicture(view, words) {
    const {data} = view, picture = makeCanvas(), {write} = picture;
    write(data.names[0], MARGIN, 70, 44);
    write(words.counted(data.games), MARGIN, 110, 24, "soft");
    data.results.filter(([, interval]) => interval).slice(0, RESULTS).forEach(([key, interval], index) => {
      const x = MARGIN + index % 2 * 280, y = 160 + Math.floor(index / 2) * 56;
      write(words.results[key], x, y, 20, "soft");
      write(tell(key, interval[0]), x, y + 26, 26);
    });
    drawCurve(picture, data.curve.map(([, total]) => total));
    listSentences(view, words).forEach((text, index) => write(text, MARGIN, 560 + 46 * index, 24));
    data.leaks.slice(0, LISTED).forEach((leak, index) => write(
      `${words.leaks[leak.leak][0]}: ${perSession(leak.points[0])}`,
      MARGIN + index % 3 * 380, 740 + Math.floor(index / 3) * 44, 22, "soft"));
    write("mj_bot", 1060, 870, 24, "soft");
    Panels.save(`${data.names[0]}.png`, picture.canvas.toDataURL("image/png"));
  }

  return {savePicture};
})();
