"use strict";
(() => {
const element = (id) => document.getElementById(id);
const scene = JSON.parse(element("scene").textContent);
const frames = scene.frames;

// ---- numbers -------------------------------------------------------------------------------------

const bytes = Uint8Array.from(atob(element("data").textContent), (letter) => letter.charCodeAt(0));
let next = 0;

function count() {
  let value = 0, place = 1;
  for (;;) {
    const byte = bytes[next++];
    value += (byte & 127) * place;
    if (byte < 128) return value;
    place *= 128;
  }
}

function signed() {
  const value = count();
  return value % 2 ? -(value + 1) / 2 : value / 2;
}

function track(length, unit) {
  const kind = count();
  const values = new Float64Array(length);
  if (kind === 3) return values.fill(NaN);
  const gaps = [];
  if (kind >= 4) {
    for (let left = count(), end = 0; left > 0; left--) {
      const start = end + count();
      end = start + count();
      gaps.push([start, end]);
    }
  }
  let value = signed(), step = 0;
  for (let i = 0; i < length; i++) {
    if (i > 0 && kind % 4 === 1) value += signed();
    if (i > 0 && kind % 4 === 2) value += step += signed();
    values[i] = value * unit;
  }
  for (const [start, end] of gaps) values.fill(NaN, start, end);
  return values;
}

function switches() {
  return Array.from({ length: count() }, count);
}

const [unitTime, unitLength, unitAngle, unitForce, unitTorque] = scene.units;
const times = track(frames, unitTime);
const readPoses = () => scene.bodies.map(() => [
  track(frames, unitLength), track(frames, unitLength), track(frames, unitAngle),
]);
const poses = readPoses();
const ghosts = scene.ghost === null ? null : readPoses();
const joints = scene.joints.map((joint) => {
  const ends = [0, 1].map(() => count()
    ? { fixed: [signed() * unitLength / 16, signed() * unitLength / 16] }
    : { path: [track(frames, unitLength), track(frames, unitLength)] });
  const force = [track(frames, unitForce), track(frames, unitForce)];
  return { ...joint, ends, force, torque: track(frames, unitTorque), breaks: switches() };
});
let series = 0;
const panels = scene.panels.map((panel) => ({
  ...panel,
  series: panel.series.map(([name, dashed]) => {
    const length = count();
    return { name, dashed, x: track(length, unitTime), y: track(length, scene.scales[series++]) };
  }),
}));
const first = times[0], last = times[frames - 1];

// ---- an instant ----------------------------------------------------------------------------------

let now = first, frame = 0, part = 0;

function locate() {
  let low = 0, high = frames - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= now + 1e-12) low = middle; else high = middle - 1;
  }
  frame = low;
  part = low + 1 < frames ? Math.min(Math.max((now - times[low]) / (times[low + 1] - times[low]), 0), 1) : 0;
}

function at(values) {
  const a = values[frame];
  return part > 0 ? a + part * (values[frame + 1] - a) : a;
}

function pose(list, body) {
  const [x, y, angle] = list[body];
  return [at(x), at(y), at(angle)];
}

function placed([x, y, angle], [px, py]) {
  const cos = Math.cos(angle), sin = Math.sin(angle);
  return [x + cos * px - sin * py, y + sin * px + cos * py];
}

// ---- looks ---------------------------------------------------------------------------------------

const root = document.documentElement;
const night = window.matchMedia("(prefers-color-scheme: dark)");
let colors = {};

const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : night.matches;

function readColors() {
  const style = getComputedStyle(root);
  const names = ["paper", "ink", "faint", "grid", "fixed", "joint", "force", "torque", "broken", "ghost"];
  for (let i = 0; i < 8; i++) names.push("s" + i);
  colors = Object.fromEntries(names.map((name) => [name, style.getPropertyValue("--" + name).trim()]));
  element("theme").textContent = isDark() ? "Light" : "Dark";
  panels.forEach((panel) => { panel.stale = true; });
  redraw();
}

const minus = (text) => text.replace("-", "\u2212");

function shown(value) {
  if (!Number.isFinite(value)) return "\u2013";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return minus(value.toExponential(2).replace("e+", "e"));
  return minus(value.toPrecision(4));
}

const decimals = Math.min(6, Math.max(2, Math.ceil(-Math.log10(Math.max((last - first) / 1000, 1e-9)))));
const seconds = (value) => minus(value.toFixed(decimals)) + " s";

/** Round numbers from low to high, about as many as asked for. */
function marks(low, high, most) {
  const least = (high - low) / Math.max(most, 1);
  if (!(least > 0) || !Number.isFinite(least)) return [];
  const unit = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((value) => value >= least * (1 - 1e-9)) || 10 * unit;
  const result = [];
  for (let i = Math.ceil(low / step - 1e-6); i * step <= high + 1e-6 * step && result.length < 40; i++) result.push(i * step);
  return result;
}

// ---- the view ------------------------------------------------------------------------------------

const canvas = element("view");
const pen = canvas.getContext("2d");
let width = 1, height = 1, ratio = 1;
let center = [0, 0], scale = 1, fitted = true;
const [left, bottom, right, top] = scene.box;

function fit() {
  center = [(left + right) / 2, (bottom + top) / 2];
  scale = Math.min(width / (right - left), height / (top - bottom));
  fitted = true;
  redraw();
}

const pixel = ([x, y]) => [width / 2 + (x - center[0]) * scale, height / 2 - (y - center[1]) * scale];

function zoom(factor, x = width / 2, y = height / 2) {
  const whole = Math.min(width / (right - left), height / (top - bottom));
  const to = Math.min(Math.max(scale * factor, whole / 50), whole * 2000);
  const world = [center[0] + (x - width / 2) / scale, center[1] - (y - height / 2) / scale];
  center = [world[0] - (x - width / 2) / to, world[1] + (y - height / 2) / to];
  scale = to;
  fitted = false;
  redraw();
}

const kinds = scene.kinds.map((shapes) => {
  const outline = new Path2D(), inner = new Path2D();
  let reach = 0;
  for (const [kind, ...numbers] of shapes) {
    if (kind === 0) {
      const [x, y, radius] = numbers;
      outline.moveTo(x + radius, y);
      outline.arc(x, y, radius, 0, 2 * Math.PI);
      inner.moveTo(x, y);
      inner.lineTo(x + radius, y);
      reach = Math.max(reach, Math.hypot(x, y) + radius);
    } else if (kind === 1) {
      const [ax, ay, bx, by, radius] = numbers;
      const heading = Math.atan2(by - ay, bx - ax);
      outline.moveTo(bx + radius * Math.sin(heading), by - radius * Math.cos(heading));
      outline.arc(bx, by, radius, heading - Math.PI / 2, heading + Math.PI / 2);
      outline.arc(ax, ay, radius, heading + Math.PI / 2, heading + 1.5 * Math.PI);
      outline.closePath();
      reach = Math.max(reach, Math.hypot(ax, ay) + radius, Math.hypot(bx, by) + radius);
    } else {
      for (let i = 0; i + 1 < numbers.length; i += 2) {
        if (i === 0) outline.moveTo(numbers[0], numbers[1]); else outline.lineTo(numbers[i], numbers[i + 1]);
        reach = Math.max(reach, Math.hypot(numbers[i], numbers[i + 1]));
      }
      outline.closePath();
    }
  }
  return { outline, inner, reach, empty: shapes.length === 0 };
});
const moving = [], still = [];
scene.bodies.forEach(([, fixed], index) => (fixed ? still : moving).push(index));
const crowd = scene.bodies.length > 2000;
const paths = scene.traces.map(([, body, x, y]) => {
  const path = new Float64Array(2 * frames);
  for (let i = 0; i < frames; i++) {
    const [px, py] = placed(poses[body].map((values) => values[i]), [x, y]);
    path[2 * i] = px;
    path[2 * i + 1] = py;
  }
  return path;
});

const chosen = {};
for (const name of ["joints", "forces", "traces", "names", "ghost", "loop"]) {
  const box = element(name);
  chosen[name] = box.checked;
  box.addEventListener("change", () => { chosen[name] = box.checked; redraw(); });
}

function plain() {
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  pen.lineCap = pen.lineJoin = "round";
}

function line(points, closed) {
  pen.beginPath();
  points.forEach(([x, y], i) => i ? pen.lineTo(x, y) : pen.moveTo(x, y));
  if (closed) pen.closePath();
}

function drawGrid() {
  pen.strokeStyle = colors.grid;
  pen.lineWidth = 1;
  pen.globalAlpha = 0.75;
  pen.beginPath();
  const across = width / scale, up = height / scale, most = Math.max(width, height) / 70;
  const low = [center[0] - across / 2, center[1] - up / 2];
  const lines = marks(0, Math.max(across, up), most);
  const step = lines.length > 1 ? lines[1] - lines[0] : 0;
  if (step > 0) {
    for (let i = Math.ceil(low[0] / step); i * step < low[0] + across; i++) {
      const x = Math.round(pixel([i * step, 0])[0]) + 0.5;
      pen.moveTo(x, 0);
      pen.lineTo(x, height);
    }
    for (let i = Math.ceil(low[1] / step); i * step < low[1] + up; i++) {
      const y = Math.round(pixel([0, i * step])[1]) + 0.5;
      pen.moveTo(0, y);
      pen.lineTo(width, y);
    }
  }
  pen.stroke();
  pen.globalAlpha = 1;
  return step;
}

function drawTraces() {
  paths.forEach((path, index) => {
    const [, body, x, y] = scene.traces[index];
    pen.strokeStyle = colors[scene.bodies[body][3]];
    pen.lineWidth = 1.75;
    const stretch = (start, end, here) => {
      pen.beginPath();
      let on = false;
      const to = (point) => {
        const [px, py] = pixel(point);
        if (!Number.isFinite(px + py)) { on = false; return; }
        if (on) pen.lineTo(px, py); else pen.moveTo(px, py);
        on = true;
      };
      if (here && start > 0) to(here);
      for (let i = start; i < end; i++) to([path[2 * i], path[2 * i + 1]]);
      if (here && start === 0) to(here);
      pen.stroke();
    };
    const here = placed(pose(poses, body), [x, y]);
    pen.globalAlpha = 0.2;
    stretch(frame + 1, frames, here);
    pen.globalAlpha = 0.85;
    stretch(0, frame + 1, here);
    const [px, py] = pixel(here);
    pen.globalAlpha = 1;
    pen.fillStyle = pen.strokeStyle;
    pen.beginPath();
    pen.arc(px, py, 3, 0, 2 * Math.PI);
    pen.fill();
  });
}

function drawBody(list, index, pale) {
  const [, fixed, kind, role] = scene.bodies[index];
  const { outline, inner, reach, empty } = kinds[kind];
  const [x, y, angle] = pose(list, index);
  const [px, py] = pixel([x, y]);
  const size = reach * scale;
  if (!(Math.abs(px - width / 2) < width / 2 + size + 9 && Math.abs(py - height / 2) < height / 2 + size + 9)) return;
  const color = colors[pale ? "ghost" : role];
  pen.fillStyle = pen.strokeStyle = color;
  if (empty || size < 1.2) {
    pen.setTransform(ratio, 0, 0, ratio, ratio * px, ratio * py);
    const half = empty ? 4 : 1.2;
    if (fixed || !empty) { pen.fillRect(-half, -half, 2 * half, 2 * half); return; }
    pen.beginPath();
    pen.arc(0, 0, half, 0, 2 * Math.PI);
    if (pale) { pen.lineWidth = 1.5; pen.stroke(); } else pen.fill();
    return;
  }
  const cos = ratio * scale * Math.cos(angle), sin = ratio * scale * Math.sin(angle);
  pen.setTransform(cos, -sin, -sin, -cos, ratio * px, ratio * py);
  pen.lineWidth = 1.75 / scale;
  if (pale) {
    pen.setLineDash([5 / scale, 4 / scale]);
    pen.stroke(outline);
    return;
  }
  pen.globalAlpha = crowd ? 0.6 : fixed ? 0.3 : 0.25;
  pen.fill(outline);
  pen.globalAlpha = 1;
  if (!crowd || size > 6) {
    pen.stroke(outline);
    pen.lineWidth = 1.25 / scale;
    pen.globalAlpha = 0.6;
    pen.stroke(inner);
    pen.globalAlpha = 1;
  }
}

function ends(joint) {
  return joint.ends.map((end, i) => end.fixed
    ? placed(pose(poses, joint.on[i]), end.fixed)
    : end.path.map(at));
}

function isBroken(joint) {
  let broken = false;
  for (const change of joint.breaks) if (change <= frame) broken = !broken;
  return broken;
}

function dot([x, y], radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
}

function drawJoint(joint, small) {
  const [a, b] = ends(joint).map(pixel);
  if (!Number.isFinite(a[0] + a[1] + b[0] + b[1])) return;
  const broken = isBroken(joint);
  pen.strokeStyle = broken ? colors.broken : colors.joint;
  pen.fillStyle = colors.paper;
  pen.globalAlpha = broken ? 0.55 : 1;
  pen.lineWidth = 1.75 * small;
  const along = [b[0] - a[0], b[1] - a[1]], length = Math.hypot(...along);
  const dots = () => { pen.setLineDash([0.1, 4]); line([a, b]); pen.stroke(); pen.setLineDash([]); };
  switch (joint.sign) {
    case 0:
      if (length > 1) dots();
      dot(b, 4.5 * small);
      break;
    case 1: {
      let unit = length > 0 ? along.map((value) => value / length) : [1, 0];
      if (joint.rail) {
        const angle = joint.on[0] === null ? 0 : pose(poses, joint.on[0])[2];
        const [x, y] = placed([0, 0, angle], joint.rail), size = Math.hypot(x, y) || 1;
        unit = [x / size, -y / size];
      }
      const travel = along[0] * unit[0] + along[1] * unit[1];
      const point = (s, off) => [a[0] + s * unit[0] - off * unit[1], a[1] + s * unit[1] + off * unit[0]];
      const low = Math.min(travel, 0) - 14, high = Math.max(travel, 0) + 14;
      pen.lineWidth = 1.25;
      for (const off of [4, -4]) { line([point(low, off), point(high, off)]); pen.stroke(); }
      pen.lineWidth = 1.75;
      dot(b, 3);
      break;
    }
    case 3: {
      const side = length > 0 ? [-along[1] / length, along[0] / length] : [0, 0];
      const point = (s, off) => [a[0] + s * along[0] + off * side[0], a[1] + s * along[1] + off * side[1]];
      const zigzag = [a, point(0.15, 0)];
      for (let i = 0; i < 10; i++) zigzag.push(point(0.15 + 0.07 * (i + 0.5), i % 2 ? -6 : 6));
      line([...zigzag, point(0.85, 0), b]);
      pen.stroke();
      dot(a, 2.5);
      dot(b, 2.5);
      break;
    }
    case 4: {
      const [x, y] = b, s = 4 * small;
      line([[x - s, y - s], [x + s, y - s], [x + s, y + s], [x - s, y + s]], true);
      pen.fill();
      pen.stroke();
      line([[x - s, y - s], [x + s, y + s]]);
      pen.stroke();
      line([[x - s, y + s], [x + s, y - s]]);
      pen.stroke();
      break;
    }
    case 6:
      dots();
      dot(a, 2);
      dot(b, 2);
      break;
    default: {
      const points = joint.sign === 5 && joint.line.length > 1
        ? joint.line.map(([body, ...point]) => pixel(placed(pose(poses, body), point)))
        : [a, b];
      line(points);
      pen.stroke();
      points.forEach((point) => dot(point, 2.5));
    }
  }
  pen.globalAlpha = 1;
}

function drawForce(joint) {
  if (isBroken(joint)) return;
  const [x, y] = pixel(ends(joint)[1]);
  const longest = 0.16 * Math.min(width, height);
  let force = joint.force.map((values) => at(values) / (scene.force || 1));
  let size = Math.hypot(...force);
  if (size > 1.2) force = force.map((value) => value * 1.2 / size);
  size = Math.min(size, 1.2) * longest;
  if (size >= 2) {
    const unit = [force[0] * longest / size, -force[1] * longest / size], head = Math.min(9, 0.6 * size);
    const tip = [x + size * unit[0], y + size * unit[1]];
    const back = (off) => [tip[0] - head * unit[0] - off * unit[1], tip[1] - head * unit[1] + off * unit[0]];
    pen.strokeStyle = pen.fillStyle = colors.force;
    pen.lineWidth = 2.25;
    line([[x, y], back(0)]);
    pen.stroke();
    line([back(0.45 * head), tip, back(-0.45 * head)], true);
    pen.fill();
  }
  const share = scene.torque > 0 ? Math.min(Math.max(at(joint.torque) / scene.torque, -1), 1) : 0;
  if (Math.abs(share) >= 0.02) {
    const sweep = 5.2 * share, from = Math.PI / 2;
    const point = (s, radius) => [x + radius * Math.cos(from + sweep * s), y - radius * Math.sin(from + sweep * s)];
    pen.strokeStyle = colors.torque;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(x, y, 13, -from, -from - sweep, sweep > 0);
    pen.stroke();
    const behind = 1 - 0.5 / Math.max(Math.abs(sweep), 0.5);
    line([point(behind, 16.5), point(1, 13), point(behind, 9.5)]);
    pen.stroke();
  }
}

const letters = (size) => size + 'px system-ui, "Segoe UI", Roboto, "DejaVu Sans", Helvetica, Arial, sans-serif';

function drawNames() {
  pen.font = letters(12);
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  pen.lineWidth = 3;
  pen.strokeStyle = colors.paper;
  pen.fillStyle = colors.ink;
  const write = (text, [x, y]) => {
    if (!text || !(x > -99 && x < width && y > 0 && y < height + 20)) return;
    pen.strokeText(text, x + 8, y - 8);
    pen.fillText(text, x + 8, y - 8);
  };
  scene.bodies.slice(0, 400).forEach(([name], i) => write(name, pixel(pose(poses, i))));
  scene.traces.slice(0, 50).forEach(([name, body, x, y]) => write(name, pixel(placed(pose(poses, body), [x, y]))));
}

/** How long a length is, and a force if forces are drawn. */
function drawScale(step) {
  if (!(step > 0)) return;
  pen.font = letters(11.5);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  pen.lineWidth = 2;
  pen.strokeStyle = pen.fillStyle = colors.faint;
  const y = height - 16, x = 14, long = step * scale;
  line([[x, y - 4], [x, y], [x + long, y], [x + long, y - 4]]);
  pen.stroke();
  pen.fillText(String(+step.toPrecision(3)) + " m", x + long + 8, y - 1);
  if (chosen.forces && joints.length && scene.force > 0) {
    const arrow = 0.16 * Math.min(width, height), above = y - 22;
    pen.strokeStyle = pen.fillStyle = colors.force;
    line([[x, above], [x + arrow - 8, above]]);
    pen.stroke();
    line([[x + arrow - 9, above - 4], [x + arrow, above], [x + arrow - 9, above + 4]], true);
    pen.fill();
    pen.fillText(shown(scene.force) + " N", x + arrow + 8, above);
  }
}

function drawView() {
  plain();
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = colors.paper;
  pen.fillRect(0, 0, width, height);
  const step = drawGrid();
  if (chosen.traces) drawTraces();
  plain();
  still.forEach((index) => drawBody(poses, index, false));
  if (ghosts && chosen.ghost) moving.forEach((index) => drawBody(ghosts, index, true));
  pen.setLineDash([]);
  moving.forEach((index) => drawBody(poses, index, false));
  plain();
  const small = joints.length > 300 ? 0.6 : 1;
  if (chosen.joints) joints.forEach((joint) => drawJoint(joint, small));
  plain();
  if (chosen.forces) joints.forEach(drawForce);
  if (chosen.names) drawNames();
  plain();
  drawScale(step);
}

// ---- charts --------------------------------------------------------------------------------------

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

// ---- time ----------------------------------------------------------------------------------------

let playing = false, waiting = false, before = 0;
const slider = element("slider"), clock = element("clock");
const moment = make("b", clock);
clock.append(" / " + seconds(last));
slider.min = 0;
slider.max = Math.max(last - first, 1e-9);

function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(tick);
}

function tick(stamp) {
  waiting = false;
  if (playing) {
    const past = before ? Math.min((stamp - before) / 1000, 0.1) : 0;
    before = stamp;
    now += past * Number(element("speed").value);
    if (now >= last) {
      if (chosen.loop && last > first) now = first; else { now = last; setPlaying(false); }
    }
  }
  locate();
  drawView();
  drawCharts();
  moment.textContent = seconds(now);
  slider.value = now - first;
  slider.setAttribute("aria-valuetext", seconds(now));
  for (const [time, button] of eventButtons) button.classList.toggle("past", time <= now + 1e-9);
  if (playing) redraw();
}

function setPlaying(value) {
  if (value && now >= last) now = first;
  playing = value;
  before = 0;
  document.body.classList.toggle("playing", playing);
  element("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  redraw();
}

function seek(time) {
  if (!Number.isFinite(time)) return;
  now = Math.min(Math.max(time, first), last);
  locate();
  redraw();
}

/** Whole frames on or back. */
function stride(by) {
  setPlaying(false);
  locate();
  const from = by < 0 && part > 0 ? frame + 1 : frame;
  seek(times[Math.min(Math.max(from + by, 0), frames - 1)]);
}

// ---- events --------------------------------------------------------------------------------------

const eventButtons = scene.events.map(([time, text]) => {
  const button = make("button", make("li", element("event-list")));
  button.type = "button";
  make("b", button).textContent = seconds(time);
  make("span", button).textContent = text;
  button.addEventListener("click", () => seek(time));
  if (last > first && time >= first && time <= last) {
    make("i", element("ticks")).style.left = 100 * (time - first) / (last - first) + "%";
  }
  return [time, button];
});

// ---- hands ---------------------------------------------------------------------------------------

element("play").addEventListener("click", () => setPlaying(!playing));
element("back").addEventListener("click", () => stride(-1));
element("forward").addEventListener("click", () => stride(1));
element("zoom-in").addEventListener("click", () => zoom(1.5));
element("zoom-out").addEventListener("click", () => zoom(1 / 1.5));
element("fit").addEventListener("click", fit);
element("theme").addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; readColors(); });
slider.addEventListener("input", () => seek(first + Number(slider.value)));
night.addEventListener("change", readColors);

const keys = {
  ArrowLeft: (event) => stride(event.shiftKey ? -10 : -1),
  ArrowRight: (event) => stride(event.shiftKey ? 10 : 1),
  Home: () => seek(first),
  End: () => seek(last),
  " ": () => setPlaying(!playing),
  "+": () => zoom(1.5),
  "-": () => zoom(1 / 1.5),
  "0": fit,
};
document.addEventListener("keydown", (event) => {
  const own = { BUTTON: [" "], SELECT: ["ArrowLeft", "ArrowRight", "Home", "End", " "], INPUT: event.target.type === "checkbox" ? [" "] : [] };
  if (event.ctrlKey || event.metaKey || event.altKey || (own[event.target.tagName] || []).includes(event.key)) return;
  const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
  if (act) { act(event); event.preventDefault(); }
});

canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const lines = event.deltaMode === 1 ? 30 : 1;
  zoom(Math.exp(-0.0016 * Math.max(-300, Math.min(300, event.deltaY * lines))), event.offsetX, event.offsetY);
}, { passive: false });

const fingers = new Map();
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
});
canvas.addEventListener("pointermove", (event) => {
  const was = fingers.get(event.pointerId);
  if (!was) return;
  const is = [event.offsetX, event.offsetY];
  const other = [...fingers].find(([id]) => id !== event.pointerId);
  if (other) {
    const spread = (point) => Math.hypot(point[0] - other[1][0], point[1] - other[1][1]);
    if (spread(was) > 1) zoom(spread(is) / spread(was), (is[0] + other[1][0]) / 2, (is[1] + other[1][1]) / 2);
  }
  const share = other ? 0.5 : 1;
  center = [center[0] - share * (is[0] - was[0]) / scale, center[1] + share * (is[1] - was[1]) / scale];
  fitted = false;
  fingers.set(event.pointerId, is);
  redraw();
});
for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => fingers.delete(event.pointerId));
canvas.addEventListener("dblclick", fit);

// ---- the page ------------------------------------------------------------------------------------

element("title").textContent = scene.title;
element("about").textContent = scene.about;
element("note").textContent = scene.note && "This replay is too large for one page: " + scene.note + ".";
const hide = (id) => { element(id).closest("label").hidden = true; };
if (!joints.length) hide("joints");
if (!joints.length || !(scene.force > 0 || scene.torque > 0)) hide("forces");
if (!paths.length) hide("traces");
if (!scene.bodies.some(([name]) => name)) hide("names");
if (ghosts) element("ghost-name").textContent = "Ghost: " + (scene.ghost || "other run"); else hide("ghost");
element("events").hidden = !scene.events.length;
element("charts").hidden = !panels.length;
element("side").hidden = !scene.events.length && !panels.length;
for (const id of ["slider", "play", "back", "forward"]) element(id).disabled = frames < 2;

function resize() {
  ratio = window.devicePixelRatio || 1;
  width = Math.max(1, canvas.clientWidth);
  height = Math.max(1, canvas.clientHeight);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  panels.forEach((panel) => { panel.stale = true; });
  if (fitted) fit(); else redraw();
}
const watcher = new ResizeObserver(resize);
watcher.observe(canvas);
panels.forEach((panel) => watcher.observe(panel.plot));

window.kempe = {
  frames,
  seek,
  time: () => now,
  playing: () => playing,
  play: () => setPlaying(true),
  pause: () => setPlaying(false),
};
const wanted = /[#&]t=([-+.\de]+)/.exec(location.hash);
if (wanted) now = Math.min(Math.max(Number(wanted[1]) || 0, first), last);
readColors();
resize();
})();
