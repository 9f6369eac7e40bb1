// What was measured, with a line at the instant.

function make(tag, parent, name) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  return parent.appendChild(node);
}

panels.forEach((panel) => {
  const figure = make("figure", element("charts"));
  const caption = make("figcaption", figure);
  make("span", caption, "label").textContent = panel.label;
  panel.outputs = panel.series.slice(0, 12).map((one, i) => {
    const key = make("span", caption, "key");
    key.style.color = `var(--s${i % 8})`;
    make("i", key);
    make("span", key).textContent = one.name;
    return make("output", key);
  });
  panel.plot = make("div", figure, "plot");
  panel.base = make("canvas", panel.plot);
  panel.over = make("canvas", panel.plot);
  panel.over.setAttribute("role", "img");
  panel.over.setAttribute("aria-label", "Chart: " + panel.label);
  let low = Infinity, high = -Infinity;
  for (const one of panel.series) {
    for (const y of one.y) if (!Number.isNaN(y)) { low = Math.min(low, y); high = Math.max(high, y); }
  }
  if (low > high) [low, high] = [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const room = high - low > 1e-12 * size ? 0.08 * (high - low) : size === 0 ? 1 : 0.5 * size;
  panel.low = low - room;
  panel.high = high + room;
  const pick = (event) => {
    const place = panel.over.getBoundingClientRect();
    const share = (event.clientX - place.left - panel.left) / Math.max(place.width - panel.left - 8, 1);
    seek(first + share * (last - first));
  };
  panel.over.addEventListener("pointerdown", (event) => { panel.over.setPointerCapture(event.pointerId); pick(event); });
  panel.over.addEventListener("pointermove", (event) => { if (event.buttons) pick(event); });
  panel.stale = true;
  panel.left = 40;
});

const raised = (exponent) => "10" + [...String(exponent)].map((digit) => "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[digit] || "\u207b").join("");

function label(panel, value) {
  if (panel.log) return Number.isInteger(value) ? raised(value) : shown(+(10 ** value).toPrecision(2));
  if (Math.abs(value) < 1e-9 * (panel.high - panel.low)) return "0";
  const size = Math.abs(value);
  return minus(size >= 1e5 || size < 1e-3 ? value.toExponential(1).replace("e+", "e") : String(+value.toPrecision(6)));
}

/** Where the axis of y has marks; for powers of ten at whole exponents, or else at 2 and 5 times. */
function rowsOf(panel, most) {
  if (!panel.log) return marks(panel.low, panel.high, most);
  const whole = marks(panel.low, panel.high, most).filter(Number.isInteger);
  if (whole.length > 1) return whole;
  const some = [];
  for (let i = Math.floor(panel.low); i <= panel.high; i++) some.push(i, i + Math.log10(2), i + Math.log10(5));
  const inside = some.filter((value) => value >= panel.low && value <= panel.high);
  return inside.length > 1 ? inside : marks(10 ** panel.low, 10 ** panel.high, most).map(Math.log10);
}

function sized(target) {
  const wide = target.clientWidth, tall = target.clientHeight;
  const [w, h] = [Math.max(1, Math.round(wide * ratio)), Math.max(1, Math.round(tall * ratio))];
  if (target.width !== w || target.height !== h) { target.width = w; target.height = h; }
  const context = target.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, wide, tall);
  context.lineJoin = context.lineCap = "round";
  return [context, wide, tall];
}

const across = (panel, wide, time) => panel.left + (time - first) / Math.max(last - first, 1e-12) * (wide - panel.left - 8);
const upward = (panel, tall, value) => 6 + (panel.high - value) / (panel.high - panel.low) * (tall - 26);

function drawBase(panel) {
  const [context, wide, tall] = sized(panel.base);
  context.font = letters(11);
  const rows = rowsOf(panel, tall / 34);
  const words = rows.map((value) => label(panel, value));
  panel.left = Math.max(24, ...words.map((word) => context.measureText(word).width)) + 8;
  context.strokeStyle = colors.grid;
  context.fillStyle = colors.faint;
  context.lineWidth = 1;
  context.textAlign = "right";
  context.textBaseline = "middle";
  rows.forEach((value, i) => {
    const y = Math.round(upward(panel, tall, value)) + 0.5;
    context.beginPath();
    context.moveTo(panel.left, y);
    context.lineTo(wide - 8, y);
    context.stroke();
    context.fillText(words[i], panel.left - 6, y);
  });
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  for (const value of marks(first, last, wide / 70)) {
    const x = Math.round(across(panel, wide, value)) + 0.5;
    context.beginPath();
    context.moveTo(x, 6);
    context.lineTo(x, tall - 20);
    context.stroke();
    context.fillText(minus(String(+value.toPrecision(6))), Math.min(x, wide - 14), tall - 6);
  }
  panel.series.forEach((one, i) => {
    context.strokeStyle = colors["s" + i % 8];
    context.lineWidth = 1.6;
    context.setLineDash(one.dashed ? [6, 4] : []);
    context.beginPath();
    let on = false;
    for (let k = 0; k < one.x.length; k++) {
      if (Number.isNaN(one.y[k])) { on = false; continue; }
      const x = across(panel, wide, one.x[k]), y = upward(panel, tall, one.y[k]);
      if (on) context.lineTo(x, y); else { context.moveTo(x, y); context.lineTo(x, y); }
      on = true;
    }
    context.stroke();
  });
  context.setLineDash([]);
  panel.stale = false;
}

/** The value of a series at this instant. */
function probe(one) {
  const { x, y } = one;
  if (!x.length || now < x[0] - 1e-9 || now > x[x.length - 1] + 1e-9) return NaN;
  let low = 0, high = x.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (x[middle] <= now) low = middle; else high = middle - 1;
  }
  if (low + 1 >= x.length || x[low + 1] === x[low] || now <= x[low]) return y[low];
  const share = (now - x[low]) / (x[low + 1] - x[low]);
  return y[low] + share * (y[low + 1] - y[low]);
}

function drawCharts() {
  for (const panel of panels) {
    if (panel.stale) drawBase(panel);
    const [context, wide, tall] = sized(panel.over);
    const x = across(panel, wide, now);
    context.strokeStyle = colors.ink;
    context.globalAlpha = 0.55;
    context.lineWidth = 1.25;
    context.beginPath();
    context.moveTo(x, 2);
    context.lineTo(x, tall - 20);
    context.stroke();
    context.globalAlpha = 1;
    panel.series.forEach((one, i) => {
      const value = probe(one);
      if (panel.outputs[i]) panel.outputs[i].textContent = shown(panel.log ? 10 ** value : value);
      if (Number.isNaN(value)) return;
      context.fillStyle = colors["s" + i % 8];
      context.strokeStyle = colors.paper;
      context.lineWidth = 1.5;
      context.beginPath();
      context.arc(x, upward(panel, tall, value), 4, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    });
  }
}
