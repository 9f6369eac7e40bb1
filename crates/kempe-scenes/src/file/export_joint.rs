//! From the joints of a world to the model of them.

use super::axis::{soft, unless};
use super::export::{ExportError, point};
use super::joint::{Axis, Breaking, Joint, Kind, Path, Pull, Term};
use super::named::{Bodies, Named};
use super::number::{Curve, Formula, Number, Values};
use kempe2d::equation::Value;
use kempe2d::{BodyId, JointId, JointKind, Vec2};
use std::collections::HashMap;

/// What things are called in the file, by their slots.
pub(super) struct Names {
    pub bodies: HashMap<usize, String>,
    pub joints: HashMap<usize, String>,
}

impl Names {
    pub(super) fn joint(&self, id: JointId, def: &kempe2d::JointDef) -> Result<Joint, ExportError> {
        let name = self.joints.get(&id.index()).cloned();
        let called = || name.clone().unwrap_or_else(|| format!("number {}", id.index()));
        let mut joint = self.kind(def).ok_or_else(|| ExportError::UserJoint {
            joint: called(),
            name: def.kind.name().to_owned(),
        })?;
        let axes: Option<Vec<Axis>> = def.axes.iter().map(Axis::of).collect();
        let axes = axes.ok_or_else(|| ExportError::UserLaw { joint: called() })?;
        let coupling = joint.kind == Kind::Coupling;
        let held = coupling && def.axes == [kempe2d::Axis::held(0.0)];
        match axes.as_slice() {
            [] if coupling => joint.axes = Some(Vec::new()),
            [] => {}
            [_] if held => {}
            [one] if *one != Axis::default() => {
                let Axis { held, limit, motor, spring, law, friction, ratchet } = one.clone();
                joint = Joint { held, limit, motor, spring, law, friction, ratchet, ..joint };
            }
            _ => joint.axes = Some(axes),
        }
        Ok(Joint {
            name,
            softness: soft(def.softness),
            max_force: unless(def.max_force, f64::INFINITY),
            max_torque: unless(def.max_torque, f64::INFINITY),
            breaking: def.breaking.as_ref().map(|breaking| Box::new(Breaking::of(breaking))),
            threshold: def.threshold.map(Number::Value),
            collide_connected: def.collide_connected.then_some(true),
            warm_start: (!def.warm_start).then_some(false),
            enabled: (!def.enabled).then_some(false),
            user_data: (def.user_data != 0).then_some(def.user_data),
            ..joint
        })
    }

    fn body(&self, id: BodyId) -> String {
        // Every body of a joint has a name.
        self.bodies.get(&id.index()).cloned().unwrap_or_default()
    }

    /// The joint with what its kind has; none for a type of the user.
    fn kind(&self, def: &kempe2d::JointDef) -> Option<Joint> {
        let listed = def.bodies.iter().map(|id| self.body(*id)).collect();
        let base = Joint { bodies: Some(Bodies::List(listed)), ..Joint::default() };
        let anchors = |anchor_a: &Vec2, anchor_b: &Vec2, angle: f64| Joint {
            anchor_a: point(*anchor_a, Vec2::ZERO),
            anchor_b: point(*anchor_b, Vec2::ZERO),
            angle: unless(angle, 0.0),
            ..base.clone()
        };
        let all = |list: &[Vec2]| Some(list.iter().map(|each| (*each).into()).collect());
        Some(match &def.kind {
            JointKind::Weld { anchor_a, anchor_b, angle } => {
                Joint { kind: Kind::Weld, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Revolute { anchor_a, anchor_b, angle } => {
                Joint { kind: Kind::Revolute, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Prismatic { anchor_a, anchor_b, rail, angle } => {
                let rail = point(*rail, Vec2::X);
                Joint { kind: Kind::Prismatic, rail, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Slot { anchor_a, anchor_b, rail, angle } => {
                let rail = point(*rail, Vec2::X);
                Joint { kind: Kind::Slot, rail, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Generic { anchor_a, anchor_b, rail, angle } => {
                let rail = point(*rail, Vec2::X);
                Joint { kind: Kind::Generic, rail, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Drive { anchor_a, anchor_b, rail, angle, pull } => {
                let (rail, pull) = (point(*rail, Vec2::X), Some(Box::new(Pull::of(pull))));
                Joint { kind: Kind::Drive, rail, pull, ..anchors(anchor_a, anchor_b, *angle) }
            }
            JointKind::Distance { anchor_a, anchor_b } => {
                Joint { kind: Kind::Distance, ..anchors(anchor_a, anchor_b, 0.0) }
            }
            JointKind::Angle { ratio, angle } => {
                let (ratio, angle) = (unless(*ratio, 1.0), unless(*angle, 0.0));
                Joint { kind: Kind::Angle, ratio, angle, ..base }
            }
            JointKind::Pulley { anchors, ratio } => {
                let (anchors, ratio) = (all(anchors), unless(*ratio, 1.0));
                Joint { kind: Kind::Pulley, anchors, ratio, ..base }
            }
            JointKind::Tendon { anchors, ratios } => {
                let plain = ratios.iter().all(|ratio| *ratio == 1.0);
                let ratios = ratios.iter().map(|ratio| (*ratio).into()).collect();
                let ratios = (!plain).then_some(ratios);
                Joint { kind: Kind::Tendon, anchors: all(anchors), ratios, ..base }
            }
            JointKind::Path { path, anchor, angle, follow, from, leave } => Joint {
                kind: Kind::Path,
                anchor_b: point(*anchor, Vec2::ZERO),
                angle: unless(*angle, 0.0),
                path: Some(Box::new(Path {
                    points: path.points().iter().map(|each| (*each).into()).collect(),
                    closed: path.is_closed().then_some(true),
                    smooth: path.is_smooth().then_some(true),
                })),
                follow: follow.then_some(true),
                from: from.map(Number::Value),
                leave: leave.then_some(true),
                ..base
            },
            JointKind::Coupling { terms, constant } => Joint {
                kind: Kind::Coupling,
                bodies: None,
                terms: Some(terms.iter().map(|each| self.term(each)).collect()),
                constant: unless(*constant, 0.0),
                ..base
            },
            JointKind::Filter => Joint { kind: Kind::Filter, ..base },
            JointKind::Text(text) => self.text(def, text),
            JointKind::User(_) => return None,
        })
    }

    fn term(&self, term: &kempe2d::Term) -> Term {
        let joint = self.joints.get(&term.joint.index()).cloned().unwrap_or_default();
        let axis = (term.axis != 0).then_some(term.axis);
        let base = Term { joint, axis, ..Term::default() };
        if let Some(source) = term.curve.source() {
            return Term { curve: Some(Curve(Formula::new(source))), ..base };
        }
        let coefficients = term.curve.coefficients().unwrap_or_default();
        let zero = |at: usize| coefficients[at].to_bits() == 0;
        if [0, 2, 3, 4].into_iter().all(zero) {
            return Term { ratio: unless(coefficients[1], 1.0), ..base };
        }
        let polynomial = Some(coefficients.into_iter().map(Number::Value).collect());
        Term { polynomial, ..base }
    }

    fn text(&self, def: &kempe2d::JointDef, text: &kempe2d::TextJoint) -> Joint {
        let program = text.program();
        let names = program.bodies().iter().zip(&def.bodies);
        let bound = names.map(|(own, id)| (own.clone(), self.body(*id))).collect();
        let list = |numbers: &[f64]| {
            Values::List(numbers.iter().map(|number| Values::Scalar((*number).into())).collect())
        };
        let set = program.parameters().iter().filter_map(|parameter| {
            let value = text.get(&parameter.name).ok().flatten()?;
            // What is not as in the program, to the bit.
            let bits = |value: Value| value.components().map(f64::to_bits);
            if parameter.default.map(bits) == Some(bits(value)) {
                return None;
            }
            let values = match value {
                Value::Scalar(number) => Values::Scalar(number.into()),
                Value::Vector(numbers) => list(&numbers),
                Value::Matrix(rows) => Values::List(rows.iter().map(|row| list(row)).collect()),
            };
            Some((parameter.name.clone(), values))
        });
        let set: Vec<(String, Values)> = set.collect();
        Joint {
            kind: Kind::Text,
            bodies: Some(Bodies::Bound(Named(bound))),
            program: Some(program.source().to_owned()),
            parameters: (!set.is_empty()).then_some(Named(set)),
            ..Joint::default()
        }
    }
}
