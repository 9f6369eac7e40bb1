//! Joints: their anchors, what they hold, and the axes that they leave.

use super::bounds::Bounds;
use super::points::Acting;
use super::rows::{draw_arm, draw_rows, pointing};
use super::{Draw, DrawOptions, Pen, Role, unit};
use crate::body::{Body, BodyKind};
use crate::joint::{Joint, JointId, JointKind};
use crate::world::World;
use kempe_scalar::Vec2;

/// A joint as it stands.
struct Scene<'a> {
    world: &'a World,
    id: JointId,
    joint: &'a Joint,
    bodies: Vec<&'a Body>,
    options: &'a DrawOptions,
}

/// Draws a joint, and gives the point where it acts on each of its bodies, where there is one.
pub(crate) fn draw_joint(
    world: &World,
    id: JointId,
    joint: &Joint,
    options: &DrawOptions,
    pen: &mut Pen<'_>,
) -> Vec<Option<Vec2>> {
    let found: Option<Vec<&Body>> = joint.def.bodies.iter().map(|id| world.body(*id)).collect();
    let Some(bodies) = found else { return Vec::new() };
    let off = !joint.def.enabled || joint.state.left_out;
    pen.only = off.then_some(Role::Disabled);
    let anchors = Scene { world, id, joint, bodies, options }.draw(pen);
    pen.only = None;
    anchors
}

impl Scene<'_> {
    fn draw(&self, pen: &mut Pen<'_>) -> Vec<Option<Vec2>> {
        let numbers = self.joint.def.kind.numbers();
        let two = || [numbers.anchor_a, numbers.anchor_b].into_iter();
        let points: Vec<Vec2> = match &self.joint.def.kind {
            JointKind::Text(_) | JointKind::User(_) => return self.draw_general(pen),
            JointKind::Angle { .. } => Vec::new(),
            JointKind::Pulley { anchors, .. } => self.in_world(anchors.iter().copied()),
            _ => self.in_world(two()),
        };
        match &self.joint.def.kind {
            JointKind::Angle { ratio, .. } => self.draw_angle(*ratio, pen),
            JointKind::Pulley { ratio, .. } => self.draw_pulley(&points, *ratio, pen),
            JointKind::Distance { .. } => self.draw_distance(&points, pen),
            JointKind::Prismatic { rail, .. } | JointKind::Slot { rail, .. } => {
                self.draw_rail(&points, *rail, pen);
            }
            _ => self.draw_pin(&points, pen),
        }
        if self.options.joints {
            for (k, (body, point)) in self.bodies.iter().zip(&points).enumerate() {
                draw_arm(body, *point, pen);
                // B's are inside A's.
                let radius = if k % 2 == 0 { 0.5 } else { 0.3 };
                pen.circle(*point, radius * pen.size, Role::Anchor);
            }
        }
        match points.is_empty() {
            true => vec![None; self.bodies.len()],
            false => points.into_iter().map(Some).collect(),
        }
    }

    fn in_world(&self, anchors: impl Iterator<Item = Vec2>) -> Vec<Vec2> {
        self.bodies.iter().zip(anchors).map(|(body, anchor)| body.world_point(anchor)).collect()
    }

    /// By what it draws itself, or from its equations.
    fn draw_general(&self, pen: &mut Pen<'_>) -> Vec<Option<Vec2>> {
        let own = match &self.joint.def.kind {
            JointKind::User(user) if self.options.joints => user.made(),
            _ => None,
        };
        let poses = || self.world.poses(&self.joint.def.bodies);
        let drawn = own.is_some_and(|own| own.draw(&poses(), pen));
        if drawn && !self.options.forces && !self.options.labels {
            return vec![None; self.bodies.len()];
        }
        let Some(acting) = Acting::of(self.world, self.joint) else {
            // Its equations have no value: what hangs together is all that can be shown.
            if !drawn && self.options.joints {
                let moving = self.bodies.iter().filter(|body| body.kind != BodyKind::Static);
                pen.chain(moving.map(|body| body.center), Role::Disabled);
            }
            return vec![None; self.bodies.len()];
        };
        if !drawn {
            draw_rows(self.joint, &self.bodies, &acting, self.options, pen);
        }
        acting.anchors
    }

    /// The coordinate of an axis and its bounds.
    fn bounds(&self, axis: usize) -> Option<Bounds> {
        let now = self.world.joint_coordinate(self.id, axis)?;
        Some(Bounds::of(self.joint, axis, now))
    }

    /// Weld and revolute: a pin, or a square that turns with each body.
    fn draw_pin(&self, points: &[Vec2], pen: &mut Pen<'_>) {
        let &[a, b] = points else { return };
        if self.options.joints {
            self.draw_gap(a, b, pen);
            if let JointKind::Weld { angle, .. } = self.joint.def.kind {
                let half = 0.7 * pen.size;
                pen.square(a, self.bodies[0].turned(Vec2::from_angle(angle)) * half, Role::Joint);
                pen.square(b, self.bodies[1].turned(Vec2::X) * half, Role::Joint);
            }
        }
        if let JointKind::Revolute { .. } = self.joint.def.kind {
            self.draw_turn(0, b, pen);
        }
    }

    fn draw_gap(&self, from: Vec2, to: Vec2, pen: &mut Pen<'_>) {
        if pen.seen((to - from).length()) {
            pen.line(from, to, Role::Gap);
        }
    }

    /// The bounds of an angle at a point: of where B is from there, or A if B is static.
    fn draw_turn(&self, axis: usize, point: Vec2, pen: &mut Pen<'_>) {
        let Some(bounds) = self.bounds(axis).filter(|_| self.options.axes) else { return };
        let moves = |k: usize| self.bodies[k].kind != BodyKind::Static;
        let (body, per) =
            if moves(1) || !moves(0) { (self.bodies[1], 1.0) } else { (self.bodies[0], -1.0) };
        bounds.around(point, pointing(body, point, pen), per, pen);
    }

    /// Prismatic and slot: the rail, with its ends where it has any.
    fn draw_rail(&self, points: &[Vec2], rail: Vec2, pen: &mut Pen<'_>) {
        let &[a, b] = points else { return };
        let (Some(bounds), Some(along)) = (self.bounds(0), unit(self.bodies[0].turned(rail)))
        else {
            return;
        };
        let foot = a + along * bounds.now;
        if self.options.axes {
            let more = 4.0 * pen.size;
            let from = match bounds.lower.is_finite() {
                true => bounds.lower.min(bounds.now),
                false => bounds.now.min(0.0).min(bounds.upper) - more,
            };
            let to = match bounds.upper.is_finite() {
                true => bounds.upper.max(bounds.now),
                false => bounds.now.max(0.0).max(bounds.lower) + more,
            };
            pen.line(a + along * from, a + along * to, Role::Axis);
            bounds.along(foot, along, pen);
        }
        if self.options.joints {
            self.draw_gap(foot, b, pen);
        }
        match self.joint.def.kind {
            JointKind::Slot { .. } => self.draw_turn(1, b, pen),
            // It does not turn on its rail.
            _ if self.options.joints => pen.square(b, along * (0.7 * pen.size), Role::Joint),
            _ => {}
        }
    }

    /// What a length is now: a rod or a taut rope, a slack one, or one that is only measured.
    fn length_role(&self, bounds: &Bounds, pen: &Pen<'_>) -> Role {
        let Some(axis) = self.joint.def.axes.first() else { return Role::Axis };
        let either = |lower: f64, upper: f64| lower < 0.0 && upper > 0.0;
        let springs = axis.spring.is_some_and(|each| either(each.force.lower, each.force.upper));
        let force = self.world.joint_axis_force(self.id, 0).map_or(0.0, |force| force.total());
        let nothing = axis.limit.is_none() && axis.spring.is_none() && axis.law.is_none();
        if nothing && axis.motor.is_none() && axis.ratchet.is_none() {
            Role::Axis
        } else if springs || force != 0.0 || bounds.touches(0.02 * pen.size) {
            Role::Joint
        } else {
            Role::Slack
        }
    }

    fn draw_distance(&self, points: &[Vec2], pen: &mut Pen<'_>) {
        let &[a, b] = points else { return };
        let Some(bounds) = self.bounds(0) else { return };
        let role = self.length_role(&bounds, pen);
        let shown = if role == Role::Axis { self.options.axes } else { self.options.joints };
        if shown {
            match bounds.rest {
                Some(_) => pen.spring(a, b, role),
                None if role == Role::Slack && bounds.upper.is_finite() => {
                    pen.rope(a, b, bounds.upper, self.world.settings().gravity, role);
                }
                None => pen.line(a, b, role),
            }
        }
        self.draw_length_bounds(b, b - a, 1.0, &bounds, pen);
    }

    /// Marks on the line of a length, at the end that moves; for a rod, how much it is off.
    fn draw_length_bounds(
        &self,
        end: Vec2,
        along: Vec2,
        ratio: f64,
        bounds: &Bounds,
        pen: &mut Pen<'_>,
    ) {
        let Some(along) = unit(along) else { return };
        let per = along * (1.0 / ratio);
        if self.options.axes && !bounds.holds() {
            bounds.along(end, per, pen);
        }
        if self.options.joints && bounds.holds() {
            self.draw_gap(end - per * bounds.past(), end, pen);
        }
    }

    /// Two ropes, and where they go from wheel to wheel.
    fn draw_pulley(&self, points: &[Vec2], ratio: f64, pen: &mut Pen<'_>) {
        let &[a, b, c, d] = points else { return };
        let Some(bounds) = self.bounds(0) else { return };
        let role = self.length_role(&bounds, pen);
        if self.options.joints {
            pen.line(a, b, role);
            pen.line(c, d, role);
            pen.line(a, c, Role::Arm);
        }
        self.draw_length_bounds(d, d - c, ratio, &bounds, pen);
    }

    /// A circle round each body, marked where it is turned, and bounds.
    fn draw_angle(&self, ratio: f64, pen: &mut Pen<'_>) {
        let &[a, b] = self.bodies.as_slice() else { return };
        let Some(bounds) = self.bounds(0) else { return };
        let role = if bounds.holds() { Role::Joint } else { Role::Axis };
        let shown = if role == Role::Axis { self.options.axes } else { self.options.joints };
        let moving = |body: &&Body| body.kind != BodyKind::Static;
        let size = pen.size;
        if shown {
            for body in [a, b].into_iter().filter(moving) {
                let axis = body.turned(Vec2::X);
                pen.circle(body.center, 1.5 * size, role);
                pen.line(body.center + axis * size, body.center + axis * (2.0 * size), role);
            }
            if moving(&a) && moving(&b) {
                pen.line(a.center, b.center, Role::Arm);
            }
        }
        let turns = moving(&b) && ratio.abs() > 1e-9;
        let (body, per) = if turns || !moving(&a) { (b, 1.0 / ratio) } else { (a, -1.0) };
        if self.options.axes && !bounds.holds() {
            bounds.around(body.center, body.rotation, per, pen);
        }
        let past = bounds.past() * per;
        if self.options.joints && bounds.holds() && pen.seen(1.5 * size * past.abs()) {
            pen.arc(body.center, 1.5 * size, body.rotation, -past, Role::Gap);
        }
    }
}
