// Joints and their forces.

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
