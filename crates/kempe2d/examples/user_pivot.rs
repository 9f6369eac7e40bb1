//! A pivot that a user writes: two points of two bodies stay together.
//!
//! In Nape this is `UserPivot`, with seven functions: the constraint, its velocity, its effective
//! mass, its impulses on bodies, and what is prepared for them. Here it is the constraint; the rest
//! follows from it.
//!
//! ```text
//! cargo run --release -p kempe2d --example user_pivot
//! ```

use kempe2d::{
    BodyDef, Break, Constraint, Counts, Draw, Error, Event, Pose, Real, Role, Shape, UserJoint,
    Vec2, World,
};

#[derive(Clone, Debug)]
struct UserPivot {
    anchor1: Vec2,
    anchor2: Vec2,
}

impl Constraint for UserPivot {
    fn name(&self) -> &str {
        "pivot"
    }

    /// Two equations between two bodies.
    fn counts(&self) -> Counts {
        Counts::held(2)
    }

    /// C = (x₂ + R₂ a₂) − (x₁ + R₁ a₁)
    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let gap = bodies[1].point(self.anchor2) - bodies[0].point(self.anchor1);
        out[0] = gap.x;
        out[1] = gap.y;
    }

    fn validate(&self) -> Result<(), String> {
        match self.anchor1.is_finite() && self.anchor2.is_finite() {
            true => Ok(()),
            false => Err("an anchor is not finite".to_owned()),
        }
    }

    /// A ring where the pin is.
    fn draw(&self, bodies: &[Pose], out: &mut dyn Draw) -> bool {
        out.circle(bodies[0].point(self.anchor1), 0.05, Role::Joint);
        true
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.anchor1.x, self.anchor1.y, self.anchor2.x, self.anchor2.y]
    }
}

fn main() -> Result<(), Error> {
    let mut world = World::default();
    let ground = world.ground()?;
    let bar = world.add_body(&BodyDef {
        position: Vec2::new(1.0, 0.0),
        shapes: vec![(Shape::rectangle(1.0, 0.05), 20.0)],
        ..BodyDef::dynamic()
    })?;
    let pivot = UserPivot { anchor1: Vec2::ZERO, anchor2: Vec2::new(-1.0, 0.0) };
    // Softness, breaking and read-outs are there as for every joint.
    let joint = UserJoint::new(pivot).joint(&[ground, bar]).with_break(Break::at_force(95.0));
    let joint = world.add_joint(&joint)?;
    for step in 0..240 {
        let report = world.step(1.0 / 60.0)?;
        let broke = report.events.iter().find_map(|event| match event {
            Event::Broke { cause, .. } => Some(*cause),
            _ => None,
        });
        if let Some(cause) = broke {
            println!("{:5.2} s  it breaks: {cause:?}", world.time());
            break;
        }
        if step % 10 == 0
            && let (Some((force, _)), Some(error)) =
                (world.joint_force(joint), world.joint_error(joint))
        {
            let open = error[0].hypot(error[1]);
            let degrees = world[bar].rotation().to_degrees();
            let force = force.length();
            println!("{:5.2} s  {degrees:7.1}°  {force:6.1} N  open {open:.1e} m", world.time());
        }
    }
    Ok(())
}
