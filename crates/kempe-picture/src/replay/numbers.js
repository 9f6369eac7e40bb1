// The scene and its numbers, and where everything is at an instant.

const element = (id) => document.getElementById(id);
const scene = JSON.parse(element("scene").textContent);
const frames = scene.frames;

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

// an instant

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

// looks

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
