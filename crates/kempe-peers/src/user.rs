//! Kempe's pivot, distance and weld, as a user of Kempe writes them in Rust.

use crate::failure::Failure;
use crate::model::{Model, is_bare};
use crate::text::held;
use kempe2d::{
    Constraint, Counts, Jacobian, JointDef, JointKind, Pose, Real, UserJoint, Vec2, World,
};

/// The world with these joints as a user's; the others stay as they are. `GIVEN` says whether the joints
/// give their Jacobians.
///
/// # Errors
/// If the world refuses them.
pub fn written<const GIVEN: bool>(world: &World, model: &Model) -> Result<World, Failure> {
    let mut world = world.clone();
    for (id, def) in &model.definitions {
        if let Some(written) = rewritten::<GIVEN>(def) {
            world.set_joint(*id, &written)?;
        }
    }
    Ok(world)
}

fn rewritten<const GIVEN: bool>(def: &JointDef) -> Option<JointDef> {
    let mut axes = def.axes.clone();
    let joint = match def.kind {
        JointKind::Revolute { anchor_a, anchor_b, .. } if is_bare(def) => {
            axes.clear();
            UserJoint::new(Pivot::<GIVEN> { a: anchor_a, b: anchor_b })
        }
        JointKind::Revolute { anchor_a, anchor_b, angle } => {
            UserJoint::new(Turn::<GIVEN, false> { a: anchor_a, b: anchor_b, phase: angle })
        }
        JointKind::Weld { anchor_a, anchor_b, angle } => {
            UserJoint::new(Turn::<GIVEN, true> { a: anchor_a, b: anchor_b, phase: angle })
        }
        JointKind::Distance { anchor_a, anchor_b } => match held(def) {
            Some(length) => {
                axes.clear();
                UserJoint::new(Length::<GIVEN, true> { a: anchor_a, b: anchor_b, length })
            }
            None => {
                UserJoint::new(Length::<GIVEN, false> { a: anchor_a, b: anchor_b, length: 0.0 })
            }
        },
        _ => return None,
    };
    Some(JointDef { axes, ..joint.joint(&def.bodies) })
}

/// x_B + R_B b − x_A − R_A a
fn gap<S: Real>(bodies: &[Pose<S>], a: Vec2, b: Vec2) -> Vec2<S> {
    bodies[1].point(b) - bodies[0].point(a)
}

/// The rows of a gap.
fn point_rows<S: Real>(bodies: &[Pose<S>], a: Vec2, b: Vec2, out: &mut Jacobian<'_, S>) {
    let (a, b) = (bodies[0].direction(a), bodies[1].direction(b));
    let (x, y) = (Vec2::new(S::one(), S::zero()), Vec2::new(S::zero(), S::one()));
    out.set(0, 0, -x, a.y);
    out.set(1, 0, -y, -a.x);
    out.set(0, 1, x, -b.y);
    out.set(1, 1, y, b.x);
}

/// Two points together.
#[derive(Clone, Debug)]
struct Pivot<const GIVEN: bool> {
    a: Vec2,
    b: Vec2,
}

impl<const GIVEN: bool> Constraint for Pivot<GIVEN> {
    fn name(&self) -> &str {
        "pivot"
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn counts(&self) -> Counts {
        Counts::held(2)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = gap(bodies, self.a, self.b);
        out[0] = gap.x;
        out[1] = gap.y;
    }

    fn jacobian<S: Real>(&self, bodies: &[Pose<S>], _: S, out: &mut Jacobian<'_, S>) -> bool {
        if GIVEN {
            point_rows(bodies, self.a, self.b, out);
        }
        GIVEN
    }
}

/// Two points together and the angle: held, or left as an axis.
#[derive(Clone, Debug)]
struct Turn<const GIVEN: bool, const HELD: bool> {
    a: Vec2,
    b: Vec2,
    phase: f64,
}

impl<const GIVEN: bool, const HELD: bool> Constraint for Turn<GIVEN, HELD> {
    fn name(&self) -> &str {
        if HELD { "weld" } else { "hinge" }
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn counts(&self) -> Counts {
        let (hold, axes) = if HELD { (3, 0) } else { (2, 1) };
        Counts { axes, ..Counts::held(hold) }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = gap(bodies, self.a, self.b);
        out[0] = gap.x;
        out[1] = gap.y;
        out[2] = bodies[1].rotation - bodies[0].rotation - S::constant(self.phase);
    }

    fn jacobian<S: Real>(&self, bodies: &[Pose<S>], _: S, out: &mut Jacobian<'_, S>) -> bool {
        if GIVEN {
            point_rows(bodies, self.a, self.b, out);
            let still = Vec2::new(S::zero(), S::zero());
            out.set(2, 0, still, -S::one());
            out.set(2, 1, still, S::one());
        }
        GIVEN
    }
}

/// The distance of two points: held, or left as an axis.
#[derive(Clone, Debug)]
struct Length<const GIVEN: bool, const HELD: bool> {
    a: Vec2,
    b: Vec2,
    length: f64,
}

impl<const GIVEN: bool, const HELD: bool> Constraint for Length<GIVEN, HELD> {
    fn name(&self) -> &str {
        if HELD { "rod" } else { "length" }
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn counts(&self) -> Counts {
        if HELD { Counts::held(1) } else { Counts::left(1) }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        out[0] = gap(bodies, self.a, self.b).length() - S::constant(self.length);
    }

    fn jacobian<S: Real>(&self, bodies: &[Pose<S>], _: S, out: &mut Jacobian<'_, S>) -> bool {
        if GIVEN {
            let (a, b) = (bodies[0].direction(self.a), bodies[1].direction(self.b));
            let gap = (bodies[1].position + b) - (bodies[0].position + a);
            let along = gap * (S::one() / gap.length());
            out.set(0, 0, -along, -a.cross(along));
            out.set(0, 1, along, b.cross(along));
        }
        GIVEN
    }
}
