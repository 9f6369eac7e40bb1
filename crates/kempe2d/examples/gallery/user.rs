//! User: a joint that is a type of yours. Only its equation is needed; derivatives come from it.
//!
//! A bead on an ellipse, driven along it by nothing but its start. Its energy stays.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, Constraint, Counts, Draw, Mass, Pose, Real, Role, Shape, UserJoint};
use kempe2d::{Vec2, World};

/// (x/a)² + (y/b)² = 1 of B's origin, from A's.
#[derive(Clone, Debug)]
struct Ellipse {
    a: f64,
    b: f64,
}

impl Constraint for Ellipse {
    fn name(&self) -> &str {
        "ellipse"
    }

    fn counts(&self) -> Counts {
        Counts::held(1)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let p = bodies[1].position - bodies[0].position;
        let (x, y) = (p.x * S::constant(1.0 / self.a), p.y * S::constant(1.0 / self.b));
        out[0] = x * x + y * y - S::one();
    }

    fn draw(&self, bodies: &[Pose], out: &mut dyn Draw) -> bool {
        let point = |k: i32| {
            let Vec2 { x, y } = Vec2::from_angle(f64::from(k) * std::f64::consts::TAU / 64.0);
            bodies[0].position + Vec2::new(self.a * x, self.b * y)
        };
        for k in 0..64 {
            out.line(point(k), point(k + 1), Role::Joint);
        }
        true
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.a, self.b]
    }
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    let bead = world.add_body(&BodyDef {
        position: Vec2::new(1.5, 0.0),
        shapes: vec![(Shape::circle(0.1), 1.0)],
        mass: Mass::Total(1.0),
        ..BodyDef::dynamic()
    })?;
    let ellipse = UserJoint::new(Ellipse { a: 1.5, b: 0.8 });
    world.add_joint(&ellipse.joint(&[ground, bead]))?;
    let mut fastest = 0.0_f64;
    for _ in 0..240 {
        world.step(1.0 / 240.0)?;
        fastest = fastest.max(world[bead].velocity().length());
    }
    let Vec2 { x, y } = world[bead].position();
    Ok(Scene::new(world, "user: a bead on an ellipse, a type of your own")
        .figure("the fastest", fastest, (2.0 * 9.81 * 0.8_f64).sqrt(), 0.03, "m/s")
        .figure("(x/a)² + (y/b)²", (x / 1.5).powi(2) + (y / 0.8).powi(2), 1.0, 1e-3, ""))
}
