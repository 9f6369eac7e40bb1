//! Path: a point of a body on a curve of another.
//!
//! A bead on a cycloid is at the bottom after π √(R/g), wherever it starts. One leaves the end of a
//! ramp. A carriage on a ring turns with it.

use super::scene::{Fallible, Scene};
use kempe2d::{BodyDef, BodyId, Event, JointDef, Mass, Motor, Path, Shape, Vec2, World};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

fn add(world: &mut World, position: Vec2, shape: Shape) -> Fallible<BodyId> {
    let shapes = vec![(shape, 1.0)];
    let mass = Mass::Total(1.0);
    Ok(world.add_body(&BodyDef { position, shapes, mass, ..BodyDef::dynamic() })?)
}

pub fn run() -> Fallible<Scene> {
    let mut world = World::default();
    let ground = world.ground()?;
    let cycloid = |p: f64| Vec2::new(p + p.sin(), -1.0 - p.cos());
    let points: Vec<Vec2> = (-28..=28).map(|k| cycloid(f64::from(k) * PI / 32.0)).collect();
    let bowl = Path::spline(&points, false)?;
    let bead = add(&mut world, cycloid(2.0), Shape::circle(0.12))?;
    world.add_joint(&JointDef::path(ground, bead, &bowl, Vec2::ZERO))?;
    // `endless_path` would go on straight beyond the end.
    let corners = [(3.5, 0.0), (4.5, -1.0), (5.5, -1.0)].map(Vec2::from);
    let ramp = Path::polyline(&corners, false)?;
    let jumper = add(&mut world, corners[1], Shape::circle(0.12))?;
    world.set_velocity(jumper, Vec2::new(2.0, 0.0))?;
    let exits = JointDef::path_with_exits(ground, jumper, &ramp, Vec2::ZERO);
    let exits = world.add_joint(&exits)?;
    // A ring of 1 m, and a carriage at 1.5 m/s along it.
    let middle = Vec2::new(8.0, -1.0);
    let round = |k: i32| middle + Vec2::from_angle(f64::from(k) * TAU / 32.0);
    let ring = Path::spline(&(0..32).map(round).collect::<Vec<_>>(), true)?;
    let carriage = add(&mut world, round(0), Shape::rectangle(0.25, 0.12))?;
    world.set_rotation(carriage, FRAC_PI_2)?;
    let mut rides = JointDef::carriage(ground, carriage, &ring, Vec2::ZERO, 0.0);
    rides.axis_mut(0).motor = Some(Motor::at(1.5));
    let rides = world.add_joint(&rides)?;
    let (dt, mut bottom, mut left) = (1.0 / 240.0, 0.0, 0.0);
    for _ in 0..264 {
        let before = world[bead].position().x;
        let report = world.step(dt)?;
        if report.events.contains(&Event::PathLeft { joint: exits, upper: true }) {
            left = world.time();
        }
        let now = world[bead].position().x;
        if before > 0.0 && now <= 0.0 {
            bottom = world.time() + dt * now / (before - now);
        }
    }
    let way = world.joint_coordinate(rides, 0).ok_or("no ring")?;
    let turn = world[carriage].rotation() - FRAC_PI_2;
    Ok(Scene::new(world, "path: a bead on a cycloid, one that left a ramp, a carriage on a ring")
        .figure("the bead is at the bottom at", bottom, PI / 9.81_f64.sqrt(), 2e-3, "s")
        .figure("the ramp is left at", left, 0.5, 0.01, "s")
        .figure("the carriage after 1.1 s", way, 1.65, 5e-3, "m")
        .figure("its turn", turn, way, 5e-3, "rad"))
}
