//! A cart on sprung wheels that roll on a track, with a motor.

use crate::error::Error;
use crate::programs::gallery;
use crate::scene::{Scene, disc, plank};
use kempe2d::{Axis, BodyDef, ForceRange, JointDef, Mass, Motor, Softness, TextJoint, Vec2};

/// A cart of 200 kg on two wheels with springs of 20 N/mm, let fall by 10 cm. The wheels roll on a
/// track without slipping, and a motor turns the rear one towards 5 rad/s with at most 40 N·m.
///
/// Bodies: `cart`, `rear`, `front`. Joints: `rear suspension`, `front suspension`, `rear roll`,
/// `front roll`.
///
/// # Errors
/// None but what the world refuses.
pub fn wheel() -> Result<Scene, Error> {
    const RADIUS: f64 = 0.3;
    let mut scene = Scene::new("wheel");
    let track = scene.world.ground()?;
    let body = BodyDef {
        mass: Mass::Total(200.0),
        ..plank(Vec2::new(0.0, RADIUS + 0.35), Vec2::new(1.2, 0.25))
    };
    let cart = scene.add_body("cart", &body)?;
    let roll = gallery("rolling_disc")?;
    let suspension = Softness::Stiffness { stiffness: 20e3, damping: 1500.0 };
    for (name, x) in [("rear", -0.8), ("front", 0.8)] {
        let wheel = scene.add_body(name, &disc(Vec2::new(x, RADIUS), RADIUS, 15.0))?;
        let anchors = [Vec2::new(x, -0.3), Vec2::ZERO];
        let mut joint = JointDef::wheel(cart, wheel, anchors, Vec2::Y, suspension);
        if name == "rear" {
            let force = ForceRange::symmetric(40.0);
            // Clockwise is forwards.
            let motor = Motor::Velocity { speed: (-5.0).into(), force };
            joint = joint.with_second_axis(Axis::driven(motor));
        }
        scene.add_joint(&format!("{name} suspension"), &joint)?;
        let rolling = TextJoint::new(&roll).with("radius", RADIUS)?;
        let rolling = rolling.joint(&[("track", track), ("disc", wheel)])?;
        scene.add_joint(&format!("{name} roll"), &rolling)?;
    }
    Ok(scene)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_cart_settles_and_drives() {
        let mut scene = super::wheel().unwrap();
        let cart = scene.bodies["cart"];
        scene.run(1.0, 1.0 / 60.0).unwrap();
        // F = τ/r moves 230 kg and turns two discs that weigh half as much again.
        let speed = 40.0 / 0.3 / (200.0 + 1.5 * 30.0);
        assert!((scene.world[cart].velocity().x - speed).abs() < 0.05 * speed);
        scene.run(9.0, 1.0 / 60.0).unwrap();
        let cart = &scene.world[cart];
        assert!((cart.velocity().x - 5.0 * 0.3).abs() < 1e-2, "{cart:?}");
        // Half of 200 kg on either spring.
        let height = 0.6 - 100.0 * 9.81 / 20e3;
        assert!((cart.position().y - height).abs() < 2e-3, "{cart:?}");
    }
}
