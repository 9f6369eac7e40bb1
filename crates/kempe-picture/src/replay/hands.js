// Time, events, and what hands do.

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

// events

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

// hands

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

// the page

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
  body: (index) => pose(poses, index),
  joint: (index) => ends(joints[index]),
};
const wanted = /[#&]t=([-+.\de]+)/.exec(location.hash);
if (wanted) now = Math.min(Math.max(Number(wanted[1]) || 0, first), last);
readColors();
resize();
