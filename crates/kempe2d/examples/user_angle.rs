//! An angle constraint that a user writes: ρ θ₂ − θ₁ stays between two bounds.
//!
//! In Nape this is `UserAngle`, which finds out by itself which bound is violated, scales its
//! effective mass by that, and clamps its impulses. Here it leaves the angle as an axis, and the axis
//! has the limit; it can as well have a motor, a spring or friction.
//!
//! ```text
//! cargo run --release -p kempe2d --example user_angle
//! ```

use kempe2d::{
    BodyDef, Constraint, Counts, Error, Event, Jacobian, Pose, Real, Shape, UserJoint, Vec2, World,
};

#[derive(Clone, Debug)]
struct UserAngle {
    ratio: f64,
}

impl Constraint for UserAngle {
    fn name(&self) -> &str {
        "angle"
    }

    /// One axis between two bodies.
    fn counts(&self) -> Counts {
        Counts::left(1)
    }

    /// q = ρ θ₂ − θ₁
    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        out[0] = S::constant(self.ratio) * bodies[1].rotation - bodies[0].rotation;
    }

    /// The derivatives would be found; given, they cost less.
    fn jacobian<S: Real>(&self, _: &[Pose<S>], _time: S, out: &mut Jacobian<'_, S>) -> bool {
        let still = Vec2::new(S::zero(), S::zero());
        out.set(0, 0, still, -S::one());
        out.set(0, 1, still, S::constant(self.ratio));
        true
    }

    fn validate(&self) -> Result<(), String> {
        match self.ratio.is_finite() {
            true => Ok(()),
            false => Err(format!("the ratio is {}", self.ratio)),
        }
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.ratio]
    }
}

fn main() -> Result<(), Error> {
    let mut world = World::default();
    let wheel = BodyDef {
        shapes: vec![(Shape::circle(0.5), 10.0)],
        gravity_scale: 0.0,
        ..BodyDef::dynamic()
    };
    let first = world.add_body(&wheel)?;
    let second = world.add_body(&BodyDef {
        position: Vec2::new(2.0, 0.0),
        angular_velocity: 20.0,
        ..wheel
    })?;
    // Three turns of play, then the second wheel takes the first along at half its speed.
    let play = 3.0 * std::f64::consts::TAU;
    let joint = UserJoint::new(UserAngle { ratio: 0.5 }).joint(&[first, second]);
    let joint = world.add_joint(&joint.with_limit(0.0, play))?;
    for _ in 0..150 {
        let report = world.step(1.0 / 60.0)?;
        let reached = |event: &Event| matches!(event, Event::LimitReached { .. });
        if report.events.iter().any(reached) {
            println!("{:4.2} s  the play is used up", world.time());
        }
    }
    let [one, two] = [first, second].map(|id| world[id].angular_velocity());
    println!("{:4.2} s  the wheels turn at {one:.3} and {two:.3} rad/s", world.time());
    println!(
        "        the angle is {:.3} of {play:.3} rad",
        world.joint_coordinate(joint, 0).unwrap_or(0.0)
    );
    Ok(())
}
