//! Where the rows of a joint act, found from its equations alone.
//!
//! A row has a force n and a torque τ about the body's origin. If it acts on a point r of the body
//! (from the origin, in world axes), then
//!
//! τ = r × n,   ∂n/∂θ = (∂n/∂x) ⊥r
//!
//! which are three equations of r for each row, linear ones. Where they agree, and say enough, there
//! is such a point. Where not (a rail is not held at a point of it), there is a line of action only.

use super::unit;
use crate::body::BodyId;
use crate::joint::{Joint, JointKind};
use crate::user::{Pose, Rows};
use crate::world::World;
use kempe_equation::BodyState;
use kempe_scalar::Vec2;

/// How far a body is moved to see what changes, m and rad.
const MOVE: f64 = 1e-4;

/// The rows of a joint from text or of the user, and where they act.
pub(crate) struct Acting {
    /// J is of the velocities of the origins.
    pub rows: Rows,
    /// The bounds of the held rows.
    pub bounds: Vec<(f64, f64)>,
    /// By body, the point on which all of its rows act.
    pub anchors: Vec<Option<Vec2>>,
    /// By row, then by body.
    pub points: Vec<Vec<Option<Vec2>>>,
}

/// What a row does to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    Nothing,
    Turns(f64),
    /// The force, and the torque about the origin.
    Pulls(Vec2, f64),
}

impl Part {
    pub(crate) fn of([x, y, torque]: [f64; 3]) -> Self {
        let n = Vec2::new(x, y);
        if n.length() > 1e-9 && n.length() > 1e-6 * torque.abs() {
            Self::Pulls(n, torque)
        } else if torque.abs() > 1e-9 {
            Self::Turns(torque)
        } else {
            Self::Nothing
        }
    }
}

/// The rows at a state, and the bounds of those from text.
fn rows_at(
    kind: &JointKind,
    ids: &[BodyId],
    states: &[BodyState],
    time: f64,
) -> Option<(Rows, Vec<(f64, f64)>)> {
    let mut rows = Rows::default();
    match kind {
        JointKind::Text(text) => {
            let found = text.instance.evaluate(states, time).ok()?;
            rows.reset(found.value.len(), ids.len());
            // A body under two names has its part at the first.
            let first = |role: &usize| !ids[..*role].contains(&ids[*role]);
            let slots: Vec<usize> = (0..ids.len()).filter(first).collect();
            for (row, line) in rows.jacobian.iter_mut().zip(&found.jacobian) {
                for (slot, part) in slots.iter().zip(line.chunks_exact(3)) {
                    row[*slot] = [part[0], part[1], part[2]];
                }
            }
            rows.value = found.value;
            let bounds = found.bounds.iter().map(|bound| (bound.lower, bound.upper)).collect();
            Some((rows, bounds))
        }
        JointKind::User(user) => {
            let pose = |state: &BodyState| Pose::new(Vec2::from(state.position), state.rotation);
            let poses: Vec<Pose> = states.iter().map(pose).collect();
            user.made()?.evaluate(&poses, time, &mut rows);
            let bounds = vec![(0.0, 0.0); rows.value.len()];
            rows.is_finite().then_some((rows, bounds))
        }
        _ => None,
    }
}

impl Acting {
    /// Of a joint from text or of the user; `None` for one whose equations have no value now.
    pub(crate) fn of(world: &World, joint: &Joint) -> Option<Self> {
        let (kind, ids) = (&joint.def.kind, &joint.def.bodies);
        let states = world.body_states(ids);
        let (rows, bounds) = rows_at(kind, ids, &states, world.time())?;
        let mut anchors = vec![None; ids.len()];
        let mut points = vec![vec![None; ids.len()]; rows.value.len()];
        for (body, anchor) in anchors.iter_mut().enumerate() {
            let parts = rows.jacobian.iter().map(|row| Part::of(row[body]));
            let pulls = parts.clone().any(|part| matches!(part, Part::Pulls(..)));
            // J of this body, along the moves of this body.
            let slope = |direction: usize| -> Option<Vec<Vec2>> {
                let moved = |by: f64| {
                    let mut states = states.clone();
                    match direction {
                        2 => states[body].rotation += by,
                        _ => states[body].position[direction] += by,
                    }
                    rows_at(kind, ids, &states, world.time())
                };
                let ((more, _), (less, _)) = (moved(MOVE)?, moved(-MOVE)?);
                let each = more.jacobian.iter().zip(&less.jacobian).map(|(more, less)| {
                    let ([x, y, _], [u, v, _]) = (more[body], less[body]);
                    Vec2::new(x - u, y - v) * (0.5 / MOVE)
                });
                Some(each.collect())
            };
            if !pulls {
                continue;
            }
            let (Some(x), Some(y), Some(turn)) = (slope(0), slope(1), slope(2)) else { continue };
            let equations: Vec<Option<Vec<Equation>>> = parts
                .enumerate()
                .map(|(row, part)| match part {
                    Part::Pulls(n, torque) => equations(n, torque, [x[row], y[row], turn[row]]),
                    _ => Some(Vec::new()),
                })
                .collect();
            let origin = Vec2::from(states[body].position);
            let all: Option<Vec<Equation>> =
                equations.iter().cloned().collect::<Option<Vec<_>>>().map(|each| each.concat());
            *anchor = all.and_then(|all| solve(&all)).map(|arm| origin + arm);
            for (row, equations) in equations.iter().enumerate() {
                if matches!(Part::of(rows.jacobian[row][body]), Part::Pulls(..)) {
                    let own = || solve(equations.as_ref()?).map(|arm| origin + arm);
                    points[row][body] = anchor.or_else(own);
                }
            }
        }
        Some(Self { rows, bounds, anchors, points })
    }
}

/// a · r = b, in m.
type Equation = (Vec2, f64);

/// What a row says of the point that it acts on; `None` if there is no such point.
fn equations(n: Vec2, torque: f64, [x, y, turn]: [Vec2; 3]) -> Option<Vec<Equation>> {
    let scale = 1.0 / n.length();
    let (n, torque, x, y, turn) = (n * scale, torque * scale, x * scale, y * scale, turn * scale);
    let mut equations = vec![(Vec2::new(n.y, -n.x), torque)];
    // How strongly the force turns with the position, 1/m.
    let bend = x.length().max(y.length());
    if bend > 1e-5 {
        let length = 1.0 / bend;
        equations.push((Vec2::new(y.x, -x.x) * length, turn.x * length));
        equations.push((Vec2::new(y.y, -x.y) * length, turn.y * length));
    } else if turn.length() > 1e-4 {
        return None;
    }
    Some(equations)
}

/// The point that solves all of them.
fn solve(equations: &[Equation]) -> Option<Vec2> {
    let (mut xx, mut xy, mut yy, mut right) = (0.0, 0.0, 0.0, Vec2::ZERO);
    for (a, b) in equations {
        xx += a.x * a.x;
        xy += a.x * a.y;
        yy += a.y * a.y;
        right += *a * *b;
    }
    let determinant = xx * yy - xy * xy;
    let sum = xx + yy;
    if determinant <= 1e-6 * sum * sum {
        return None;
    }
    let r =
        Vec2::new(yy * right.x - xy * right.y, xx * right.y - xy * right.x) * (1.0 / determinant);
    let close = 1e-4 * (1.0 + r.length());
    let solves = |(a, b): &Equation| (a.dot(r) - b).abs() <= close;
    (r.is_finite() && equations.iter().all(solves)).then_some(r)
}

/// The point nearest to `near` on the line along which a force acts that has this torque about
/// `origin`.
pub(crate) fn nearest(origin: Vec2, n: Vec2, torque: f64, near: Vec2) -> Vec2 {
    let foot = origin - n.perp() * (torque / n.length_squared());
    let along = unit(n).unwrap_or(Vec2::ZERO);
    foot + along * along.dot(near - foot)
}
