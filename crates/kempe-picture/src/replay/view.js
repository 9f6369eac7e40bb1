// The view: paths, bodies, names and scales.

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
  let middle = null;
  const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  const around = (x, y, radius) => {
    reach = Math.max(reach, Math.hypot(x, y) + radius);
    [x, y].forEach((value, i) => {
      low[i] = Math.min(low[i], value - radius);
      high[i] = Math.max(high[i], value + radius);
    });
  };
  for (const [kind, ...numbers] of shapes) {
    if (kind === 0) {
      const [x, y, radius] = numbers;
      outline.moveTo(x + radius, y);
      outline.arc(x, y, radius, 0, 2 * Math.PI);
      inner.moveTo(x, y);
      inner.lineTo(x + radius, y);
      around(x, y, radius);
    } else if (kind === 1) {
      const [ax, ay, bx, by, radius] = numbers;
      const heading = Math.atan2(by - ay, bx - ax);
      outline.moveTo(bx + radius * Math.sin(heading), by - radius * Math.cos(heading));
      outline.arc(bx, by, radius, heading - Math.PI / 2, heading + Math.PI / 2);
      outline.arc(ax, ay, radius, heading + Math.PI / 2, heading + 1.5 * Math.PI);
      outline.closePath();
      around(ax, ay, radius);
      around(bx, by, radius);
    } else {
      for (let i = 0; i + 1 < numbers.length; i += 2) {
        if (i === 0) outline.moveTo(numbers[0], numbers[1]); else outline.lineTo(numbers[i], numbers[i + 1]);
        around(numbers[i], numbers[i + 1], 0);
      }
      outline.closePath();
    }
    middle = middle || low.map((value, i) => (value + high[i]) / 2);
  }
  return { outline, inner, reach, empty: !middle, middle: middle || [0, 0] };
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

const letters = (size) => size + 'px system-ui, "Segoe UI", Roboto, "DejaVu Sans", Helvetica, Arial, sans-serif';

function drawNames() {
  pen.font = letters(12);
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  pen.lineWidth = 3;
  pen.strokeStyle = colors.paper;
  pen.fillStyle = colors.ink;
  const taken = [];
  const write = (text, [px, py]) => {
    if (!text || !(px > -99 && px < width && py > 0 && py < height + 20)) return;
    const x = px + 8, wide = pen.measureText(text).width;
    let y = py - 8;
    for (let i = 0; i < 8; i++) {
      const other = taken.find(([left, right, at]) => x < right && left < x + wide && Math.abs(y - at) < 13);
      if (!other) break;
      y = other[2] + 14;
    }
    taken.push([x, x + wide, y]);
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  };
  scene.bodies.slice(0, 400).forEach(([name, , kind], i) => write(name, pixel(placed(pose(poses, i), kinds[kind].middle))));
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
