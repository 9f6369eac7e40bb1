//! Joints without a place of their own: what couples others, and what keeps bodies from colliding.

use super::joint::Scene;
use super::points::Part;
use super::rows::pointing;
use super::{Draw, Pen, Role, unit};
use crate::body::{Body, BodyKind};
use crate::joint::Term;
use kempe_scalar::Vec2;
use std::f64::consts::FRAC_1_SQRT_2;

/// Where an axis of another joint is marked.
struct Mark<'a> {
    body: &'a Body,
    /// Which of the coupling's bodies that is.
    place: usize,
    at: Vec2,
    /// What the axis does to the body.
    part: Part,
}

impl Scene<'_> {
    /// A mark for each axis, where its joint acts, and lines between them.
    pub(super) fn draw_coupling(&self, terms: &[Term], pen: &mut Pen<'_>) -> Vec<Option<Vec2>> {
        let mut acts: Vec<Option<Vec2>> = Vec::new();
        let mut marks: Vec<Mark<'_>> = Vec::new();
        for term in terms {
            let Some(joint) = self.world.joint(term.joint) else { continue };
            let Some(scene) = Scene::of(self.world, term.joint, joint, self.options) else {
                continue;
            };
            marks.extend(self.mark(&scene, term.axis, acts.len()));
            acts.extend(scene.acts());
        }
        acts.resize(self.bodies.len(), None);
        if let Some(bounds) = self.bounds(0)
            && self.options.joints
        {
            let role = self.length_role(&bounds, pen);
            pen.chain(marks.iter().map(|mark| mark.at), Role::Arm);
            for (k, mark) in marks.iter().enumerate() {
                // Those at one place are inside each other.
                let same = |other: &&Mark<'_>| !pen.seen((other.at - mark.at).length());
                let inside = marks[..k].iter().filter(same).count();
                mark.draw((1.5 + 0.5 * inside as f64) * pen.size, role, pen);
            }
            self.draw_open(&marks, bounds.past(), pen);
        }
        acts
    }

    /// The last body of a joint that moves with an axis; `first` of the coupling's is the first of it.
    fn mark(&self, of: &Scene<'_>, axis: usize, first: usize) -> Option<Mark<'_>> {
        let rows = self.world.joint_rows(of.joint);
        let row = rows
            .and_then(|rows| rows.jacobian.into_iter().nth(of.joint.def.kind.hold_count() + axis));
        let part = |k: usize| {
            let part = row.as_ref().and_then(|row| row.get(k).copied());
            part.map_or(Part::Nothing, Part::of)
        };
        let moves = |k: &usize| of.bodies[*k].kind != BodyKind::Static;
        let pulled = |k: &usize| moves(k) && part(*k) != Part::Nothing;
        let mut each = (0..of.bodies.len()).rev();
        let k = each.clone().find(pulled).or_else(|| each.find(moves))?;
        let body = *self.bodies.get(first + k)?;
        let at = of.acts().get(k).copied().flatten().unwrap_or(body.center);
        Some(Mark { body, place: first + k, at, part: part(k) })
    }

    /// By how much it is off, at the last axis.
    fn draw_open(&self, marks: &[Mark<'_>], past: f64, pen: &mut Pen<'_>) {
        let (Some(mark), Some(rows)) = (marks.last(), self.world.joint_rows(self.joint)) else {
            return;
        };
        let part = rows.jacobian.first().and_then(|row| row.get(mark.place).copied());
        let radius = 1.5 * pen.size;
        match part.map_or(Part::Nothing, Part::of) {
            Part::Turns(per) if pen.seen(radius * (past / per).abs()) => {
                let angle = pointing(mark.body, mark.at, pen);
                pen.arc(mark.at, radius, angle, -past / per, Role::Gap);
            }
            Part::Pulls(n, _) => {
                let off = past / n.length();
                // A curve that is nearly flat would take it far away.
                let off = off.clamp(-20.0 * pen.size, 20.0 * pen.size);
                let along = unit(n).unwrap_or(Vec2::ZERO);
                self.draw_gap(mark.at, mark.at - along * off, pen);
            }
            _ => {}
        }
    }

    /// A sign that forbids, between two bodies, or on the one that moves.
    pub(super) fn draw_filter(&self, pen: &mut Pen<'_>) {
        let &[a, b] = self.bodies.as_slice() else { return };
        if !self.options.joints {
            return;
        }
        let moving = |body: &Body| body.kind != BodyKind::Static;
        let [line, sign] = match self.joint.def.collide_connected {
            true => [Role::Disabled; 2],
            false => [Role::Arm, Role::Joint],
        };
        let radius = 0.6 * pen.size;
        let at = match (moving(a), moving(b)) {
            (true, false) => a.center,
            (false, true) => b.center,
            _ => (a.center + b.center) * 0.5,
        };
        if let Some(along) = unit(b.center - a.center)
            && moving(a) == moving(b)
            && (at - a.center).length() > radius
        {
            pen.line(a.center, at - along * radius, line);
            pen.line(at + along * radius, b.center, line);
        }
        pen.circle(at, radius, sign);
        let slash = Vec2::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2) * radius;
        pen.through(at, slash, sign);
    }
}

impl Mark<'_> {
    /// A circle for an angle, a line along the way for a travel, a square where there is neither.
    fn draw(&self, size: f64, role: Role, pen: &mut Pen<'_>) {
        match self.part {
            Part::Turns(_) => {
                let out = Vec2::from_angle(pointing(self.body, self.at, pen));
                let tick = 0.5 * pen.size;
                pen.circle(self.at, size, role);
                pen.line(self.at + out * (size - tick), self.at + out * (size + tick), role);
            }
            Part::Pulls(n, _) => {
                let along = unit(n).unwrap_or(Vec2::X);
                for way in [along, -along] {
                    pen.arrow(self.at, way * (2.0 * size), role);
                }
            }
            Part::Nothing => pen.square(self.at, self.body.turned(Vec2::X) * (0.5 * size), role),
        }
    }
}
