//! Follower: the coordinate of one joint is any function of another's, such as the lift of a cam.
//!
//! A cam turns at 2 rad/s; a tappet follows 0.2 sin²(q) of its angle.

use super::scene::{Fallible, Scene};
use kempe2d::{Axis, BodyDef, Curve, JointDef, Motor, Shape, Vec2, World};

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    // Drawn as an oval: as wide as the lift is large there.
    let corner = |k: i32| {
        let angle = f64::from(k) * std::f64::consts::TAU / 48.0;
        Vec2::from_angle(angle) * (0.3 + 0.2 * angle.cos().powi(2))
    };
    let corners = (0..48).map(corner).collect();
    let cam = world.add_body(&BodyDef {
        shapes: vec![(Shape::Polygon { corners }, 10.0)],
        ..BodyDef::dynamic()
    })?;
    let foot = Vec2::new(0.0, 0.7);
    let tappet = world.add_body(&BodyDef {
        position: foot,
        shapes: vec![(Shape::rectangle(0.08, 0.4), 10.0)],
        ..BodyDef::dynamic()
    })?;
    let pin = world.revolute_at(ground, cam, Vec2::ZERO)?;
    let on_cam = world.add_joint(&pin.with_axis(Axis::driven(Motor::at(2.0))))?;
    let rail = world.prismatic_at(ground, tappet, foot, Vec2::Y)?;
    let on_tappet = world.add_joint(&rail)?;
    // An expression in q, or a polynomial: `Curve::polynomial`.
    let lift = Curve::text("0.2 * sin(q)^2")?;
    world.add_joint(&JointDef::follower(on_tappet, on_cam, lift))?;
    let mut worst = 0.0_f64;
    for _ in 0..130 {
        world.step(1.0 / 60.0)?;
        let q = world.joint_coordinate(on_cam, 0).ok_or("no cam")?;
        let lift = world.joint_coordinate(on_tappet, 0).ok_or("no tappet")?;
        worst = worst.max((lift - 0.2 * q.sin().powi(2)).abs());
    }
    let angle = world[cam].rotation();
    Ok(Scene::new(world, "follower: a cam lifts a tappet by 0.2 sin² q")
        .figure("the cam", angle, 2.0 * 130.0 / 60.0, 0.02, "rad")
        .figure("the tappet is off by at most", worst, 0.0, 5e-4, "m"))
}
