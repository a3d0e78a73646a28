"""The look and the script of a report. Both are constants: nothing of a run is ever written into them."""

from base64 import b64encode
from hashlib import sha256
from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ground: light-dark(#fff, #12161b); --text: light-dark(#0b0f14, #f1f4f7);
  --muted: light-dark(#4a525c, #bcc5cf); --rule: light-dark(#e1e5ea, #2b333c); --held: light-dark(#f0f2f4, #20272f);
  --c0: light-dark(#0072b2, #56b4e9); --c1: light-dark(#a34e7f, #de9bc2); --c2: light-dark(#00775a, #2dc79b);
  --c3: light-dark(#8f5a00, #e8b04a); --c4: light-dark(#4a525c, #bcc5cf); }
body { background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; margin: 0 auto;
  max-width: 60rem; padding: 2rem 1.2rem 4rem; }
h1 { font: 600 2rem/1.2 Georgia, serif; margin: 0; } h2 { font: 600 1.3rem/1.3 Georgia, serif; margin: 2.4rem 0 .6rem; }
p { margin: .4rem 0; overflow-wrap: anywhere; } .muted { color: var(--muted); } .said { white-space: pre-wrap; }
math { font-size: 1.1em; } .equations { overflow-x: auto; padding: .6rem 0; } mtd { padding: .35em .25em; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { color: var(--muted); font-weight: 600; text-align: left; }
th, td { border-bottom: 1px solid var(--rule); padding: .35rem .8rem .35rem 0; vertical-align: top; }
td { max-width: 26rem; overflow-wrap: break-word; } td math { white-space: nowrap; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; } .wide td:last-child { min-width: 17rem; }
summary { cursor: pointer; padding: .3rem 0; }
figure { margin: 1rem 0 1.4rem; } figcaption { font-weight: 600; }
figure div { overflow-x: auto; }
svg.figure { display: block; height: auto; min-width: 32rem; width: 100%; }
.grid { stroke: var(--rule); } .axis { stroke: var(--muted); } .cross { stroke: var(--muted); stroke-dasharray: 3 3; }
.tick, .label { fill: var(--muted); font-size: 12px; } .end { text-anchor: end; } .middle { text-anchor: middle; }
.held { fill: var(--held); } .law { fill: none; stroke: var(--run); stroke-width: 2; stroke-linejoin: round; }
circle { fill: var(--ground); stroke: var(--run); stroke-width: 1; }
.c0 { --run: var(--c0); } .c1 { --run: var(--c1); } .c2 { --run: var(--c2); } .c3 { --run: var(--c3); }
.c4 { --run: var(--c4); }
fieldset.runs { border: 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 0; padding: 0; }
.runs label { display: flex; gap: .35rem; align-items: center; }
.swatch { width: 1rem; height: 3px; background: var(--run); } .off { display: none; }
output { display: block; min-height: 1.5em; color: var(--muted); font-size: .88rem;
  font-variant-numeric: tabular-nums; }
@media print { .runs input, output { display: none; } body { max-width: none; padding: 0; } }
"""

SCRIPT: Final = """
"use strict";
const runs = JSON.parse(document.getElementById("runs").textContent);
const shown = new Set(runs.map((_, k) => k));
const number = (v) => v === null ? "not measured" : Number(v.toPrecision(4)).toString().replace("-", "\\u2212");

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
    says.textContent = `${number(t)} \\u2013 ` + (parts.slice(0, 6).join("; ") || "no run has this time");
  });
  picture.addEventListener("pointerleave", () => { cross.classList.add("off"); says.textContent = ""; });
}
"""

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; "
    f"script-src 'sha256-{b64encode(sha256(SCRIPT.encode()).digest()).decode()}'"
)
"""What a browser lets the page do: this script alone, nothing from anywhere else, whatever the words of a run hold."""
