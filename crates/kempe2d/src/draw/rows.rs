//! Joints that are drawn from their equations alone: from text, and of the user.

use super::bounds::Bounds;
use super::points::{Acting, Part, nearest};
use super::{Draw, DrawOptions, Pen, Role, unit};
use crate::body::{Body, BodyKind};
use crate::joint::Joint;
use kempe_scalar::{Vec2, precise};

/// What a row does to one of its bodies, and where.
#[derive(Clone, Copy)]
struct Place<'a> {
    body: &'a Body,
    part: Part,
    point: Vec2,
}

/// Every row: lines between the points where its forces act, and circles where it turns bodies.
pub(crate) fn draw_rows(
    joint: &Joint,
    bodies: &[&Body],
    acting: &Acting,
    options: &DrawOptions,
    pen: &mut Pen<'_>,
) {
    let hold = joint.def.kind.hold_count();
    let mut arms: Vec<(&Body, Vec2)> = Vec::new();
    for (row, now) in acting.rows.value.iter().enumerate() {
        let held = row < hold;
        if !(if held { options.joints } else { options.axes }) {
            continue;
        }
        let bounds = match row.checked_sub(hold) {
            Some(axis) => Bounds::of(joint, axis, *now),
            None => {
                let (lower, upper) = acting.bounds[row];
                Bounds { now: *now, lower, upper, rest: None }
            }
        };
        let role = match held {
            false => Role::Axis,
            true if bounds.holds() || bounds.touches(0.02 * pen.size) => Role::Joint,
            true => Role::Slack,
        };
        let places = places(bodies, acting, row);
        if options.joints {
            for place in &places {
                let known = arms.iter().any(|(body, at)| {
                    std::ptr::eq(*body, place.body) && !pen.seen((*at - place.point).length())
                });
                if !known && matches!(place.part, Part::Pulls(..)) {
                    arms.push((place.body, place.point));
                }
            }
        }
        draw_row(&places, role, pen);
        draw_bounds(&places, &bounds, held, pen);
    }
    for (body, at) in arms {
        draw_arm(body, at, pen);
    }
    if options.joints {
        let each = acting.points.iter().flatten().flatten();
        let mut drawn: Vec<Vec2> = Vec::new();
        for point in each {
            if drawn.iter().all(|other| pen.seen((*other - *point).length())) {
                pen.circle(*point, 0.5 * pen.size, Role::Anchor);
                drawn.push(*point);
            }
        }
    }
}

/// From a body to a point where a joint acts on it, so that it is seen which bodies hang together.
pub(crate) fn draw_arm(body: &Body, point: Vec2, pen: &mut Pen<'_>) {
    if body.kind != BodyKind::Static && (point - body.center).length() > pen.size {
        pen.line(body.center, point, Role::Arm);
    }
}

/// The angle at which a body is seen from a point, or its own where that is its centre of mass.
pub(crate) fn pointing(body: &Body, point: Vec2, pen: &Pen<'_>) -> f64 {
    let arm = body.center - point;
    if arm.length() > pen.size { precise::atan2(arm.y, arm.x) } else { body.rotation }
}

/// The bodies on which a row acts. Where no point is known, the force is drawn near a point that is
/// known of another body, or near the body's centre of mass.
fn places<'a>(bodies: &[&'a Body], acting: &Acting, row: usize) -> Vec<Place<'a>> {
    let parts: Vec<Part> = acting.rows.jacobian[row].iter().map(|part| Part::of(*part)).collect();
    let known = &acting.points[row];
    let still = |k: usize| bodies[k].kind == BodyKind::Static;
    let opposite = |k: usize, other: usize| match (parts[k], parts[other]) {
        (Part::Pulls(n, _), Part::Pulls(m, _)) => opposed(n, m),
        _ => false,
    };
    let others = || (0..bodies.len()).filter(|k| parts[*k] != Part::Nothing);
    let near = |k: usize| {
        let partner = others().find(|other| known[*other].is_some() && opposite(k, *other));
        match partner.and_then(|other| known[other]) {
            Some(point) => point,
            None if !still(k) => bodies[k].center,
            None => {
                let any = others().find_map(|other| known[other]);
                let moving = others().find(|other| !still(*other));
                any.or_else(|| moving.map(|other| bodies[other].center)).unwrap_or(bodies[k].center)
            }
        }
    };
    let place = |k: usize| {
        let body = bodies[k];
        let point = match (parts[k], known[k]) {
            (_, Some(point)) => point,
            (Part::Pulls(n, torque), None) => nearest(body.position(), n, torque, near(k)),
            // A body is turned about the point that is held of it.
            _ => acting.anchors[k].unwrap_or(body.center),
        };
        Place { body, part: parts[k], point }
    };
    // A static body that is only turned has nothing to show.
    let shown = |k: &usize| !(matches!(parts[*k], Part::Turns(_)) && still(*k));
    others().filter(shown).map(place).collect()
}

fn opposed(n: Vec2, m: Vec2) -> bool {
    (n + m).length() < 1e-6 * n.length()
}

fn draw_row(places: &[Place<'_>], role: Role, pen: &mut Pen<'_>) {
    let mut left: Vec<Place<'_>> = Vec::new();
    for place in places {
        if let Part::Turns(_) = place.part {
            let (at, size) = (place.point, pen.size);
            pen.circle(at, 1.5 * size, role);
            let axis = Vec2::from_angle(pointing(place.body, at, pen));
            pen.line(at + axis * size, at + axis * (2.0 * size), role);
        }
        // Forces that are opposite belong together; what is left goes from one to the next.
        let other = left.iter().position(|other| match (other.part, place.part) {
            (Part::Pulls(n, _), Part::Pulls(m, _)) => opposed(n, m),
            _ => false,
        });
        match other {
            Some(other) => {
                let other = left.remove(other);
                draw_between(&other, place, role, pen);
            }
            None => left.push(*place),
        }
    }
    if let [only] = left.as_slice() {
        draw_between(only, only, role, pen);
    }
    for pair in left.windows(2) {
        draw_between(&pair[0], &pair[1], role, pen);
    }
}

/// A line between two points, or along the force where they are together.
fn draw_between(from: &Place<'_>, to: &Place<'_>, role: Role, pen: &mut Pen<'_>) {
    if (to.point - from.point).length() > pen.size {
        pen.line(from.point, to.point, role);
    } else if let Part::Pulls(n, _) = to.part
        && let Some(along) = unit(n)
    {
        pen.through(to.point, along * pen.size, role);
    }
}

/// The bounds of a row, where its last body that can move would be at them.
fn draw_bounds(places: &[Place<'_>], bounds: &Bounds, held: bool, pen: &mut Pen<'_>) {
    let moving = places.iter().rev().find(|place| place.body.kind != BodyKind::Static);
    let Some(place) = moving.or(places.last()) else { return };
    let past = bounds.past();
    match place.part {
        Part::Pulls(n, _) => {
            let per = n * (1.0 / n.length_squared());
            if held && pen.seen(past.abs() * per.length()) {
                pen.line(place.point, place.point - per * past, Role::Gap);
            }
            if !held || !bounds.holds() {
                bounds.along(place.point, per, pen);
            }
        }
        Part::Turns(per) => {
            let (angle, radius) = (pointing(place.body, place.point, pen), 1.5 * pen.size);
            if held && pen.seen(radius * (past / per).abs()) {
                pen.arc(place.point, radius, angle, -past / per, Role::Gap);
            }
            if !held || !bounds.holds() {
                bounds.around(place.point, angle, 1.0 / per, pen);
            }
        }
        Part::Nothing => {}
    }
}
