"use strict";
const runs = JSON.parse(document.getElementById("runs").textContent);
const shown = new Set(runs.map((_, k) => k));
const number = (v) => v === null ? "not measured" : Number(v.toPrecision(4)).toString().replace("-", "\u2212");

for (const box of document.querySelectorAll(".runs input")) {
  box.addEventListener("change", () => {
    const run = Number(box.value);
    if (box.checked) shown.add(run); else shown.delete(run);
    for (const part of document.querySelectorAll(`g[data-run="${run}"]`)) part.classList.toggle("off", !box.checked);
  });
}

function nearest(times, t) {
  let low = 0, high = times.length - 1;
  while (high - low > 1) { const middle = (low + high) >> 1; if (times[middle] < t) low = middle; else high = middle; }
  return Math.abs(times[low] - t) <= Math.abs(times[high] - t) ? low : high;
}

for (const picture of document.querySelectorAll("svg.figure")) {
  const [first, last] = picture.dataset.extent.split(" ").map(Number);
  const state = Number(picture.dataset.state), cross = picture.querySelector(".cross");
  const says = picture.closest("figure").querySelector("output");
  picture.addEventListener("pointermove", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const place = Math.min(Math.max(at.x, 62), 748), t = first + (place - 62) / 686 * (last - first);
    cross.setAttribute("x1", place); cross.setAttribute("x2", place); cross.classList.remove("off");
    const parts = [];
    for (const k of shown) {
      const run = runs[k];
      if (t < run.t[0] || t > run.t[run.t.length - 1]) continue;
      const near = nearest(run.t, t);
      let text = `${run.label}: data ${number(run.data[state][near])} at ${number(run.t[near])}`;
      if (run.model) text += `, law ${number(run.model[state][nearest(run.model_t, t)])}`;
      parts.push(text);
    }
    says.textContent = `${number(t)} \u2013 ` + (parts.slice(0, 6).join("; ") || "no run has this time");
  });
  picture.addEventListener("pointerleave", () => { cross.classList.add("off"); says.textContent = ""; });
}
