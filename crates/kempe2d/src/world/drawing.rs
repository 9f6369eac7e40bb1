//! Drawing a world.

use super::World;
use crate::body::{Body, BodyKind};
use crate::draw::{Draw, DrawOptions, Pen, Role, draw_joint, unit};
use crate::joint::{Joint, JointId};
use crate::mass::Shape;
use kempe_scalar::{Vec2, precise};
use std::f64::consts::{FRAC_PI_2, PI};

impl World {
    /// Draws its bodies, joints and axes.
    ///
    /// ```
    /// use kempe2d::{BodyDef, JointDef, Shape, Svg, Vec2, World};
    ///
    /// let mut world = World::default();
    /// let ground = world.ground()?;
    /// let bar = world.add_body(&BodyDef {
    ///     position: Vec2::new(1.0, 0.0),
    ///     shapes: vec![(Shape::rectangle(1.0, 0.1), 100.0)],
    ///     ..BodyDef::dynamic()
    /// })?;
    /// world.add_joint(&JointDef::revolute(ground, bar, [Vec2::ZERO, Vec2::new(-1.0, 0.0)]))?;
    /// let mut svg = Svg::new();
    /// world.draw(&mut svg);
    /// assert!(svg.finish(640).starts_with("<svg"));
    /// # Ok::<(), kempe2d::Error>(())
    /// ```
    pub fn draw(&self, out: &mut dyn Draw) {
        self.draw_with(out, &DrawOptions::default());
    }

    /// Draws what the options say. Nothing is drawn at a place that is not finite.
    ///
    /// Every joint is drawn: built-in ones from their anchors, a user's by itself if it can, and
    /// all others from their equations, as lines between the points where their forces act.
    pub fn draw_with(&self, out: &mut dyn Draw, options: &DrawOptions) {
        let mut pen = Pen::new(out, options.size);
        if options.bodies {
            for (_, body) in self.bodies() {
                draw_body(body, &mut pen);
            }
        }
        let mut joints: Vec<(JointId, &Joint, Vec<Option<Vec2>>)> = Vec::new();
        for (id, joint) in self.joints() {
            let anchors = draw_joint(self, id, joint, options, &mut pen);
            joints.push((id, joint, anchors));
        }
        if options.forces {
            for (id, joint, anchors) in &joints {
                self.draw_forces(*id, joint, anchors, options, &mut pen);
            }
        }
        if options.labels {
            for (id, body) in self.bodies() {
                let role = if body.enabled { Role::Center } else { Role::Disabled };
                pen.label(
                    body.center - Vec2::Y * (2.0 * options.size),
                    &format!("body {}", id.index()),
                    role,
                );
            }
            for (id, joint, anchors) in &joints {
                let role = if joint.def.enabled { Role::Joint } else { Role::Disabled };
                let text = format!("{} {}", joint.def.kind.name(), id.index());
                pen.label(self.middle(joint, anchors), &text, role);
            }
        }
    }

    /// The forces of a joint on each body that can move, where it acts on it, and the torques about
    /// there.
    fn draw_forces(
        &self,
        id: JointId,
        joint: &Joint,
        anchors: &[Option<Vec2>],
        options: &DrawOptions,
        pen: &mut Pen<'_>,
    ) {
        let Some(forces) = self.joint_forces(id) else { return };
        let places = joint.def.bodies.iter().zip(anchors).zip(forces);
        for ((id, anchor), force) in places {
            let Some(body) = self.body(*id).filter(|body| body.kind != BodyKind::Static) else {
                continue;
            };
            let at = anchor.unwrap_or(body.center);
            let torque = force.torque - (at - body.center).cross(force.force);
            pen.arrow(at, force.force * options.force_scale, Role::Force);
            let radius = 3.0 * options.size;
            let sweep = torque * options.force_scale / (radius * radius);
            pen.turn(at, radius, sweep, Role::Torque);
        }
    }

    /// The middle of a joint's anchors, or of its bodies that can move.
    fn middle(&self, joint: &Joint, anchors: &[Option<Vec2>]) -> Vec2 {
        let mean = |points: &[Vec2]| {
            let sum = points.iter().fold(Vec2::ZERO, |sum, point| sum + *point);
            // None at all is not finite, and not drawn.
            sum * (1.0 / points.len() as f64)
        };
        let known: Vec<Vec2> = anchors.iter().flatten().copied().collect();
        if !known.is_empty() {
            return mean(&known);
        }
        let bodies: Vec<&Body> = joint.def.bodies.iter().filter_map(|id| self.body(*id)).collect();
        let moving = bodies.iter().filter(|body| body.kind != BodyKind::Static);
        mean(&moving.map(|body| body.center).collect::<Vec<_>>())
    }
}

fn role(body: &Body) -> Role {
    match body.kind {
        _ if !body.enabled => Role::Disabled,
        BodyKind::Static => Role::Static,
        _ if body.asleep => Role::Asleep,
        BodyKind::Kinematic => Role::Kinematic,
        BodyKind::Dynamic => Role::Dynamic,
    }
}

/// The outlines of a body, or a mark where there are none, and its centre of mass.
fn draw_body(body: &Body, pen: &mut Pen<'_>) {
    let role = role(body);
    let axis = body.turned(Vec2::X);
    for (shape, _) in &body.shapes {
        draw_shape(body, shape, axis, role, pen);
    }
    if body.shapes.is_empty() {
        // Longer towards the body's x axis.
        let (at, size) = (body.position(), pen.size);
        pen.line(at - axis * (0.5 * size), at + axis * size, role);
        pen.through(at, axis.perp() * (0.5 * size), role);
    }
    if body.kind == BodyKind::Dynamic {
        let radius = 0.3 * pen.size;
        pen.circle(body.center, radius, Role::Center);
        pen.through(body.center, axis * radius, Role::Center);
        pen.through(body.center, axis.perp() * radius, Role::Center);
    }
}

fn draw_shape(body: &Body, shape: &Shape, axis: Vec2, role: Role, pen: &mut Pen<'_>) {
    match shape {
        Shape::Circle { center, radius } => {
            let center = body.world_point(*center);
            pen.circle(center, *radius, role);
            pen.line(center, center + axis * *radius, role);
        }
        Shape::Capsule { start, end, radius } => {
            let (start, end) = (body.world_point(*start), body.world_point(*end));
            let along = unit(end - start).unwrap_or(axis);
            let (side, angle) = (along.perp() * *radius, precise::atan2(along.y, along.x));
            pen.line(start - side, end - side, role);
            pen.arc(end, *radius, angle - FRAC_PI_2, PI, role);
            pen.line(end + side, start + side, role);
            pen.arc(start, *radius, angle + FRAC_PI_2, PI, role);
        }
        Shape::Polygon { corners } => {
            let round = corners.iter().chain(corners.first());
            pen.chain(round.map(|corner| body.world_point(*corner)), role);
        }
    }
}
