//! Joints: their anchors, what they hold, and the axes that they leave.

use super::bounds::Bounds;
use super::points::Acting;
use super::rows::{draw_arm, draw_rows, pointing};
use super::{Draw, DrawOptions, Pen, Role};
use crate::body::{Body, BodyKind};
use crate::joint::{Joint, JointId, JointKind};
use crate::world::World;
use kempe_scalar::Vec2;

/// A joint as it stands.
pub(super) struct Scene<'a> {
    pub(super) world: &'a World,
    pub(super) id: JointId,
    pub(super) joint: &'a Joint,
    pub(super) bodies: Vec<&'a Body>,
    pub(super) options: &'a DrawOptions,
}

/// Draws a joint, and gives the point where it acts on each of its bodies, where there is one.
pub(crate) fn draw_joint(
    world: &World,
    id: JointId,
    joint: &Joint,
    options: &DrawOptions,
    pen: &mut Pen<'_>,
) -> Vec<Option<Vec2>> {
    let Some(scene) = Scene::of(world, id, joint, options) else { return Vec::new() };
    let off = !joint.def.enabled || joint.state.left_out;
    pen.only = off.then_some(Role::Disabled);
    let anchors = scene.draw(pen);
    pen.only = None;
    anchors
}

impl<'a> Scene<'a> {
    pub(super) fn of(
        world: &'a World,
        id: JointId,
        joint: &'a Joint,
        options: &'a DrawOptions,
    ) -> Option<Self> {
        let found: Option<Vec<&Body>> = joint.def.bodies.iter().map(|id| world.body(*id)).collect();
        Some(Self { world, id, joint, bodies: found?, options })
    }
}

impl Scene<'_> {
    fn draw(&self, pen: &mut Pen<'_>) -> Vec<Option<Vec2>> {
        let points = self.anchors();
        match &self.joint.def.kind {
            JointKind::Text(_) | JointKind::User(_) => return self.draw_general(pen),
            JointKind::Weld { .. } | JointKind::Revolute { .. } => self.draw_pin(&points, pen),
            JointKind::Prismatic { rail, .. } | JointKind::Slot { rail, .. } => {
                self.draw_rail(&points, *rail, pen);
            }
            JointKind::Distance { .. } => self.draw_distance(&points, pen),
            JointKind::Angle { ratio, .. } => self.draw_angle(*ratio, pen),
            JointKind::Pulley { ratio, .. } => self.draw_pulley(&points, *ratio, pen),
            JointKind::Generic { .. } => self.draw_generic(&points, pen),
            JointKind::Drive { pull, .. } => {
                self.draw_generic(&points, pen);
                self.draw_pull(&points, pull, pen);
            }
            JointKind::Tendon { ratios, .. } => self.draw_tendon(&points, ratios, pen),
            JointKind::Path { path, follow, leave, .. } => {
                self.draw_path(&points, path, *leave, *follow, pen);
            }
            JointKind::Coupling { terms, .. } => return self.draw_coupling(terms, pen),
            JointKind::Filter => self.draw_filter(pen),
        }
        // A cable has wheels too.
        if self.options.joints && !matches!(self.joint.def.kind, JointKind::Tendon { .. }) {
            for (k, (body, point)) in self.bodies.iter().zip(&points).enumerate() {
                draw_arm(body, *point, pen);
                // B's are inside A's.
                let radius = if k % 2 == 0 { 0.5 } else { 0.3 };
                pen.circle(*point, radius * pen.size, Role::Anchor);
            }
        }
        self.acts()
    }

    /// The points of its bodies that it refers to; of a path, the foot and the point.
    fn anchors(&self) -> Vec<Vec2> {
        let numbers = self.joint.def.kind.numbers();
        match &self.joint.def.kind {
            JointKind::Angle { .. }
            | JointKind::Coupling { .. }
            | JointKind::Filter
            | JointKind::Text(_)
            | JointKind::User(_) => Vec::new(),
            JointKind::Pulley { anchors, .. } => self.in_world(anchors.iter().copied()),
            JointKind::Tendon { anchors, .. } => self.in_world(anchors.iter().copied()),
            JointKind::Path { path, anchor, .. } => {
                let now = self.world.joint_coordinate(self.id, 0).unwrap_or(0.0);
                self.in_world([path.point_at(now), *anchor].into_iter())
            }
            _ => self.in_world([numbers.anchor_a, numbers.anchor_b].into_iter()),
        }
    }

    /// The point where it acts on each of its bodies, where there is one.
    pub(super) fn acts(&self) -> Vec<Option<Vec2>> {
        let none = || vec![None; self.bodies.len()];
        let points = match &self.joint.def.kind {
            JointKind::Text(_) | JointKind::User(_) => {
                return Acting::of(self.world, self.joint)
                    .map_or_else(none, |acting| acting.anchors);
            }
            // A's anchor is only where its axes count from.
            JointKind::Generic { .. } | JointKind::Drive { .. } => self.on_rails(),
            _ => self.anchors(),
        };
        if points.len() == self.bodies.len() {
            points.into_iter().map(Some).collect()
        } else {
            none()
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
    pub(super) fn bounds(&self, axis: usize) -> Option<Bounds> {
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

    pub(super) fn draw_gap(&self, from: Vec2, to: Vec2, pen: &mut Pen<'_>) {
        if pen.seen((to - from).length()) {
            pen.line(from, to, Role::Gap);
        }
    }

    /// The bounds of an angle at a point: of where B is from there, or A if B is static.
    pub(super) fn draw_turn(&self, axis: usize, point: Vec2, pen: &mut Pen<'_>) {
        let Some(bounds) = self.bounds(axis).filter(|_| self.options.axes) else { return };
        let moves = |k: usize| self.bodies[k].kind != BodyKind::Static;
        let (body, per) =
            if moves(1) || !moves(0) { (self.bodies[1], 1.0) } else { (self.bodies[0], -1.0) };
        bounds.around(point, pointing(body, point, pen), per, pen);
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
