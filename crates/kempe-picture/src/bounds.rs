//! How large the world of a replay is.

use crate::replay::{Replay, placed};
use kempe2d::{Shape, Vec2};

/// How many frames are looked at.
const SAMPLES: usize = 120;
/// How many bodies are looked at.
const BODIES: usize = 2000;

/// A box, and what is largest in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub low: Vec2,
    pub high: Vec2,
    /// The largest force that is shown in full, N; 0 where there are none.
    pub force: f64,
    /// The same for torques, N·m.
    pub torque: f64,
}

impl Bounds {
    pub fn size(&self) -> Vec2 {
        self.high - self.low
    }

    /// The longer side.
    pub fn extent(&self) -> f64 {
        self.size().x.max(self.size().y)
    }
}

/// The middle of the box about the first shape of a body, in its axes: where its name goes.
pub(crate) fn middle(shapes: &[Shape]) -> Vec2 {
    let (mut x, mut y) = ([f64::MAX, f64::MIN], [f64::MAX, f64::MIN]);
    let mut add = |point: Vec2, around: f64| {
        x = [x[0].min(point.x - around), x[1].max(point.x + around)];
        y = [y[0].min(point.y - around), y[1].max(point.y + around)];
    };
    shapes.iter().take(1).for_each(|shape| corners(shape, &mut add));
    match x[0] <= x[1] && y[0] <= y[1] {
        true => Vec2::new(0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1])),
        false => Vec2::ZERO,
    }
}

/// Points of a shape that together with what is around them are all of it.
fn corners(shape: &Shape, each: &mut dyn FnMut(Vec2, f64)) {
    match shape {
        Shape::Circle { center, radius } => each(*center, *radius),
        Shape::Capsule { start, end, radius } => {
            each(*start, *radius);
            each(*end, *radius);
        }
        Shape::Polygon { corners } => corners.iter().for_each(|corner| each(*corner, 0.0)),
    }
}

/// Numbers along one axis.
#[derive(Default)]
struct Spread(Vec<f64>);

impl Spread {
    fn add(&mut self, value: f64, around: f64) {
        if (value.abs() + around) < 1e12 {
            self.0.extend([value - around, value + around]);
        }
    }

    /// From the lowest to the highest; if a few are far off, without them.
    fn range(mut self) -> Option<(f64, f64)> {
        self.0.sort_unstable_by(f64::total_cmp);
        let last = self.0.len().checked_sub(1)?;
        let (low, high) = (self.0[0], self.0[last]);
        let at = |part: f64| self.0[(part * last as f64).round() as usize];
        let (near, far) = (at(0.04), at(0.96));
        if high - low > 4.0 * (far - near) && far > near {
            let room = 0.35 * (far - near);
            return Some((low.max(near - room), high.min(far + room)));
        }
        Some((low, high))
    }
}

/// Indices of at most so many of a list, evenly.
pub(crate) fn evenly(count: usize, most: usize) -> Vec<usize> {
    if count <= most || most < 2 {
        return (0..count.min(most.max(1))).collect();
    }
    let index = |i: usize| (i as f64 * (count - 1) as f64 / (most - 1) as f64).round() as usize;
    (0..most).map(index).collect()
}

pub(crate) fn bounds(replay: &Replay) -> Bounds {
    let (mut x, mut y) = (Spread::default(), Spread::default());
    let (mut fixed_x, mut fixed_y) = (Spread::default(), Spread::default());
    let (mut forces, mut torques) = (Vec::new(), Vec::new());
    let bodies = evenly(replay.bodies.len(), BODIES);
    for frame in evenly(replay.times.len(), SAMPLES) {
        let poses = replay.poses.get(frame).map_or(&[][..], Vec::as_slice);
        for &index in &bodies {
            let (Some(body), Some(pose)) = (replay.bodies.get(index), poses.get(index)) else {
                continue;
            };
            let (x, y) = if body.fixed { (&mut fixed_x, &mut fixed_y) } else { (&mut x, &mut y) };
            let mut add = |point: Vec2, around: f64| {
                let point = placed(*pose, point);
                x.add(point.x, around);
                y.add(point.y, around);
            };
            body.shapes.iter().for_each(|shape| corners(shape, &mut add));
            if body.shapes.is_empty() {
                add(Vec2::ZERO, 0.0);
            }
        }
        for trace in &replay.traces {
            if let Some(pose) = poses.get(trace.body) {
                let point = placed(*pose, trace.point);
                x.add(point.x, 0.0);
                y.add(point.y, 0.0);
            }
        }
        for joint in replay.joint_frames.get(frame).into_iter().flatten().take(BODIES) {
            for end in [joint.a, joint.b] {
                x.add(end.x, 0.0);
                y.add(end.y, 0.0);
            }
            forces.push(joint.force.length());
            torques.push(joint.torque.abs());
        }
    }
    let [low_x, high_x] = whole(x, fixed_x);
    let [low_y, high_y] = whole(y, fixed_y);
    let mut result = Bounds {
        low: Vec2::new(low_x, low_y),
        high: Vec2::new(high_x, high_y),
        force: large(forces),
        torque: large(torques),
    };
    // A little room; a point gets a metre, or what its distance from zero lets be seen.
    let extent = result.extent();
    let size = [low_x, high_x, low_y, high_y].iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    let room = if extent > 1e-9 * size { 0.08 * extent } else { f64::max(0.5, 0.05 * size) };
    result.low -= Vec2::new(room, room);
    result.high += Vec2::new(room, room);
    result
}

/// What moves, and of what is fixed what is near that.
fn whole(moving: Spread, fixed: Spread) -> [f64; 2] {
    match (moving.range(), fixed.range()) {
        (Some((low, high)), Some((near, far))) => {
            let room = 0.25 * (high - low);
            [low.min(near.max(low - room)), high.max(far.min(high + room))]
        }
        (Some((low, high)), None) | (None, Some((low, high))) => [low, high],
        (None, None) => [0.0, 0.0],
    }
}

/// Nearly the largest: a blow is drawn no longer than that.
fn large(mut values: Vec<f64>) -> f64 {
    values.retain(|value| *value > 0.0 && value.is_finite());
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    values.get((0.98 * last as f64).round() as usize).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::ReplayBody;

    fn at(points: &[[f64; 2]], shapes: Vec<Shape>, fixed: bool) -> Replay {
        Replay {
            bodies: vec![ReplayBody { fixed, shapes, ..ReplayBody::default() }],
            times: (0..points.len()).map(|i| i as f64).collect(),
            poses: points.iter().map(|[x, y]| vec![[*x, *y, 0.0]]).collect(),
            ..Replay::default()
        }
    }

    #[test]
    fn all_of_a_shape_is_inside() {
        let bounds = bounds(&at(&[[0.0, 0.0], [3.0, 1.0]], vec![Shape::circle(1.0)], false));
        assert!(bounds.low.x < -1.0 && bounds.low.y < -1.0);
        assert!(bounds.high.x > 4.0 && bounds.high.y > 2.0 && bounds.high.x < 5.0);
    }

    #[test]
    fn nothing_and_no_number_have_a_box() {
        for replay in [Replay::default(), at(&[[f64::NAN, f64::INFINITY]], vec![], false)] {
            let bounds = bounds(&replay);
            assert!(bounds.size().x > 0.5 && bounds.size().y > 0.5);
        }
        let far = bounds(&at(&[[1e9, 0.0]], vec![], false));
        assert!(far.extent() > 1e7);
    }

    #[test]
    fn what_flies_away_and_wide_ground_do_not_shrink_the_rest() {
        let mut points: Vec<[f64; 2]> = (0..100).map(|i| [0.01 * f64::from(i), 0.0]).collect();
        points.push([1e6, 0.0]);
        let mut replay = at(&points, vec![], false);
        assert!(bounds(&replay).extent() < 3.0);
        replay.bodies.push(ReplayBody {
            fixed: true,
            shapes: vec![Shape::rectangle(500.0, 1.0)],
            ..ReplayBody::default()
        });
        replay.poses.iter_mut().for_each(|poses| poses.push([0.0, -1.0, 0.0]));
        assert!(bounds(&replay).extent() < 3.0);
    }

    #[test]
    fn names_are_in_the_middle() {
        let bar = Shape::Capsule { start: Vec2::ZERO, end: Vec2::new(2.0, 0.0), radius: 0.5 };
        assert_eq!(middle(&[bar, Shape::circle(3.0)]), Vec2::new(1.0, 0.0));
        assert_eq!(middle(&[]), Vec2::ZERO);
    }

    #[test]
    fn some_of_many() {
        assert_eq!(evenly(3, 10), [0, 1, 2]);
        assert_eq!(evenly(11, 3), [0, 5, 10]);
        assert_eq!(evenly(5, 1), [0]);
        assert_eq!(evenly(0, 5), [0; 0]);
    }
}
