//! Bodies of a model in a world.

use super::body::{Body, BodyKind, Shape};
use super::build::{Builder, GROUND, point, way};
use super::either::Either;
use super::joint::Joint;
use super::named::Bodies;
use super::number::{Number, Point};
use kempe2d::{BodyDef, BodyId, MassProperties};

impl Builder<'_> {
    /// Whether something refers to the ground.
    fn names_ground(&self) -> bool {
        let model = self.model;
        let is = |name: &String| name == GROUND;
        let joint = |joint: &Joint| match &joint.bodies {
            Some(Bodies::List(names)) => names.iter().any(is),
            Some(Bodies::Bound(names)) => names.0.iter().any(|(_, name)| is(name)),
            None => false,
        };
        !model.forces.is_empty()
            || model.joints.iter().any(joint)
            || model.probes.iter().any(|probe| probe.body.as_ref().is_some_and(is))
            || model.traces.iter().any(|trace| is(&trace.body))
    }

    pub(super) fn all_bodies(&mut self) {
        let model = self.model;
        let names = model.bodies.iter().enumerate();
        self.unique("bodies", names.map(|(k, body)| (k, body.name.as_deref())));
        let grounds: Vec<usize> = model
            .bodies
            .iter()
            .enumerate()
            .filter(|(_, body)| body.kind == Some(BodyKind::Ground))
            .map(|(index, _)| index)
            .collect();
        for index in grounds.iter().skip(1) {
            self.fault(way("bodies", *index, &["kind"]), "there is one ground at most");
        }
        let named = model.bodies.iter().any(|body| body.name.as_deref() == Some(GROUND));
        if grounds.is_empty() && !named && self.names_ground() {
            let id = self.world.ground();
            self.bodies.insert(GROUND.to_owned(), id.ok());
        }
        for (index, body) in model.bodies.iter().enumerate() {
            let id = self.add_body(index, body);
            if let Some(name) = &body.name {
                self.bodies.insert(name.clone(), id);
            }
        }
    }

    fn add_body(&mut self, index: usize, body: &Body) -> Option<BodyId> {
        let added = if body.kind == Some(BodyKind::Ground) {
            let bare = Body { name: body.name.clone(), kind: body.kind, ..Body::default() };
            if *body != bare {
                self.hinted(
                    way("bodies", index, &[]),
                    "the ground has a name and nothing else",
                    Some("a body that nothing moves is `static`".to_owned()),
                );
                return None;
            }
            self.world.ground()
        } else {
            let def = self.body_def(index, body)?;
            self.world.add_body(&def)
        };
        match added {
            Ok(id) => Some(id),
            Err(error) => {
                self.refused(way("bodies", index, &[]), &error);
                None
            }
        }
    }

    fn body_def(&mut self, index: usize, body: &Body) -> Option<BodyDef> {
        let number = |number: &Option<Number>, own: f64| number.as_ref().map_or(own, Number::value);
        let mut shapes = Vec::with_capacity(body.shapes.len());
        for (piece, shape) in body.shapes.iter().enumerate() {
            match build_shape(shape) {
                Ok(shape) => shapes.push(shape),
                Err(message) => {
                    let path = way("bodies", index, &["shapes", &piece.to_string()]);
                    self.fault(path, message);
                    return None;
                }
            }
        }
        let locked = body.locked.unwrap_or_default();
        Some(BodyDef {
            kind: match body.kind.unwrap_or_default() {
                BodyKind::Dynamic => kempe2d::BodyKind::Dynamic,
                BodyKind::Kinematic => kempe2d::BodyKind::Kinematic,
                BodyKind::Static | BodyKind::Ground => kempe2d::BodyKind::Static,
            },
            position: point(body.position.as_ref()),
            rotation: number(&body.rotation, 0.0),
            velocity: point(body.velocity.as_ref()),
            angular_velocity: number(&body.angular_velocity, 0.0),
            shapes,
            mass: match &body.mass {
                None => kempe2d::Mass::FromShapes,
                Some(Either::Plain(total)) => kempe2d::Mass::Total(total.value()),
                Some(Either::Whole(given)) => kempe2d::Mass::Given(MassProperties {
                    mass: given.mass.value(),
                    inertia: given.inertia.value(),
                    center: point(given.center.as_ref()),
                }),
            },
            gravity_scale: number(&body.gravity_scale, 1.0),
            linear_damping: number(&body.linear_damping, 0.0),
            angular_damping: number(&body.angular_damping, 0.0),
            locked: kempe2d::Locked {
                x: locked.x.unwrap_or(false),
                y: locked.y.unwrap_or(false),
                rotation: locked.rotation.unwrap_or(false),
            },
            enabled: body.enabled.unwrap_or(true),
            can_sleep: body.can_sleep.unwrap_or(true),
            user_data: body.user_data.unwrap_or(0),
        })
    }
}

fn build_shape(shape: &Shape) -> Result<(kempe2d::Shape, f64), String> {
    let Shape { circle, capsule, rectangle, polygon, density } = shape;
    let circle = circle.as_ref().map(|circle| kempe2d::Shape::Circle {
        center: point(circle.center.as_ref()),
        radius: circle.radius.value(),
    });
    let capsule = capsule.as_ref().map(|capsule| kempe2d::Shape::Capsule {
        start: capsule.start.value(),
        end: capsule.end.value(),
        radius: capsule.radius.value(),
    });
    let rectangle = rectangle.as_ref().map(Point::value);
    let rectangle = rectangle.map(|half| kempe2d::Shape::rectangle(half.x, half.y));
    let polygon = polygon.as_ref().map(|corners| kempe2d::Shape::Polygon {
        corners: corners.iter().map(Point::value).collect(),
    });
    let mut all = [circle, capsule, rectangle, polygon].into_iter().flatten();
    match (all.next(), all.next()) {
        (Some(shape), None) => Ok((shape, density.as_ref().map_or(1.0, Number::value))),
        _ => Err("a shape is one of circle, capsule, rectangle and polygon".to_owned()),
    }
}
