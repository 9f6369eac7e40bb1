//! A few mechanisms, drawn: each kind of joint, its axes, its bounds and its forces.
//!
//! ```text
//! cargo run --release -p kempe2d --example draw -- mechanisms.svg
//! ```

use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, BodyId, DrawOptions, JointDef, Motor, Path, Pull, Shape, Softness, Svg,
    TextJoint, Vec2, World,
};

type Fallible<T = ()> = Result<T, Box<dyn std::error::Error>>;

const DENSITY: f64 = 100.0;

fn at(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

fn add(world: &mut World, position: Vec2, shape: Shape) -> Fallible<BodyId> {
    let shapes = vec![(shape, DENSITY)];
    Ok(world.add_body(&BodyDef { position, shapes, ..BodyDef::dynamic() })?)
}

fn main() -> Fallible {
    let mut world = World::default();
    crank(&mut world)?;
    pendulum(&mut world)?;
    ropes(&mut world)?;
    wheels(&mut world)?;
    bead(&mut world)?;
    drives(&mut world)?;
    cables(&mut world)?;
    curves(&mut world)?;
    couplings(&mut world)?;
    for _ in 0..50 {
        world.step(1.0 / 60.0)?;
    }
    let mut svg = Svg::new();
    let options = DrawOptions {
        forces: true,
        labels: true,
        force_scale: 1e-3,
        size: 0.08,
        ..DrawOptions::default()
    };
    world.draw_with(&mut svg, &options);
    let text = svg.finish(1000);
    match std::env::args_os().nth(1) {
        Some(path) => std::fs::write(path, text)?,
        None => print!("{text}"),
    }
    Ok(())
}

/// A motor turns a crank; a rod moves a block to and fro on a rail.
fn crank(world: &mut World) -> Fallible {
    let ground = world.ground()?;
    let wheel = add(world, at(0.0, 0.0), Shape::circle(0.5))?;
    let block = add(world, at(2.0, 0.0), Shape::rectangle(0.25, 0.15))?;
    let (start, end) = (at(-0.8, 0.0), at(0.8, 0.0));
    let rod = add(world, at(1.2, 0.0), Shape::Capsule { start, end, radius: 0.05 })?;
    let pin = world.revolute_at(ground, wheel, at(0.0, 0.0))?;
    world.add_joint(&pin.with_axis(Axis::driven(Motor::at(2.5))))?;
    world.add_joint(&world.revolute_at(wheel, rod, at(0.4, 0.0))?)?;
    world.add_joint(&world.revolute_at(rod, block, at(2.0, 0.0))?)?;
    let slide = world.prismatic_at(ground, block, at(2.0, 0.0), Vec2::X)?;
    world.add_joint(&slide.with_limit(-1.0, 0.2))?;
    Ok(())
}

/// A bar that swings between two stops, with a plate welded to its end.
fn pendulum(world: &mut World) -> Fallible {
    let ground = world.ground()?;
    let bar = add(world, at(3.9, 0.3), Shape::rectangle(0.6, 0.06))?;
    let plate = add(world, at(4.5, 0.3), Shape::rectangle(0.1, 0.25))?;
    let pin = world.revolute_at(ground, bar, at(3.3, 0.3))?;
    world.add_joint(&pin.with_limit(-0.9, 0.3))?;
    world.add_joint(&world.weld_at(bar, plate, at(4.5, 0.3))?)?;
    Ok(())
}

/// A taut rope, a slack one, a spring, and a rope over two wheels.
fn ropes(world: &mut World) -> Fallible {
    let ground = world.ground()?;
    let ball = add(world, at(0.3, -1.5), Shape::circle(0.2))?;
    world.add_joint(&JointDef::rope(ground, ball, [at(-0.3, -1.0), Vec2::ZERO], 0.9))?;
    let other = add(world, at(1.1, -1.9), Shape::circle(0.2))?;
    world.add_joint(&JointDef::rope(ball, other, [Vec2::ZERO, Vec2::ZERO], 1.6))?;
    let softness = Softness::Hertz { hertz: 1.2, damping_ratio: 0.3 };
    let spring = JointDef::spring(ground, other, [at(1.1, -1.0), at(0.0, 0.2)], 0.6, softness);
    world.add_joint(&spring)?;
    let weights = [
        add(world, at(2.0, -2.0), Shape::rectangle(0.2, 0.2))?,
        add(world, at(3.0, -2.0), Shape::rectangle(0.15, 0.2))?,
    ];
    let anchors = [at(2.0, -1.0), at(0.0, 0.2), at(3.0, -1.0), at(0.0, 0.2)];
    let bodies = [ground, weights[0], ground, weights[1]];
    world.add_joint(&JointDef::pulley(bodies, anchors, 1.0, 1.6))?;
    Ok(())
}

/// Two discs geared to each other, and a wheel on a sprung line.
fn wheels(world: &mut World) -> Fallible {
    let ground = world.ground()?;
    let discs = [
        add(world, at(4.0, -1.3), Shape::circle(0.3))?,
        add(world, at(4.45, -1.3), Shape::circle(0.15))?,
    ];
    for disc in discs {
        world.add_joint(&world.revolute_at(ground, disc, world[disc].position())?)?;
    }
    world.add_joint(&JointDef::gear(discs[0], discs[1], -0.5, 0.0))?;
    world.add_joint(&JointDef::angular_motor(ground, discs[0], 1.0, 50.0))?;
    let wheel = add(world, at(4.2, -2.1), Shape::circle(0.25))?;
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.5 };
    let anchors = [at(4.2, -2.1), Vec2::ZERO];
    world.add_joint(&JointDef::wheel(ground, wheel, anchors, Vec2::Y, softness))?;
    Ok(())
}

/// A bead on a parabola, and a rod to the next body, both written as equations.
fn bead(world: &mut World) -> Fallible {
    let ground = world.ground()?;
    let bead = add(world, at(0.6, 1.58), Shape::circle(0.1))?;
    let bob = add(world, at(1.2, 1.58), Shape::circle(0.12))?;
    let wire = Program::parse(
        "body wire, bead
         vector foot
         constraint
           let p = relative (-wire.rotation) (bead.position - wire.position) - foot in
           p.y - 0.5 * p.x^2",
    )?;
    let joint = TextJoint::new(&wire).with("foot", [0.0, 1.4])?;
    world.add_joint(&joint.joint(&[("wire", ground), ("bead", bead)])?)?;
    let rod = Program::parse("body a, b  constraint |b.position - a.position| - 0.6")?;
    world.add_joint(&TextJoint::new(&rod).joint(&[("a", bead), ("b", bob)])?)?;
    let pin = Program::parse(
        "body frame, bar
         vector place, end
         constraint bar.position + relative bar end - frame.position - relative frame place
         axis angle = bar.rotation - frame.rotation",
    )?;
    let bar = add(world, at(2.8, 1.4), Shape::rectangle(0.6, 0.05))?;
    let pin = TextJoint::new(&pin).with("place", [2.2, 1.4])?.with("end", [-0.6, 0.0])?;
    let pin = pin.joint(&[("frame", ground), ("bar", bar)])?;
    world.add_joint(&pin.with_limit(-0.5, 0.5))?;
    Ok(())
}

/// Boxes that may go about in a range, on a line, and where a pull draws them.
fn drives(world: &mut World) -> Fallible {
    let ground = world.ground()?;
    let block = || Shape::rectangle(0.15, 0.1);
    let free = add(world, at(5.7, 0.2), block())?;
    let range = [Axis::limited(-0.5, 0.5), Axis::limited(-0.3, 0.3), Axis::limited(-0.4, 0.4)];
    world.add_joint(&JointDef::generic(ground, free, [at(5.7, 0.2), at(0.05, 0.05)], range))?;
    let slider = add(world, at(7.2, 0.1), block())?;
    let line = [Axis::limited(-0.4, 0.7), Axis::held(0.0), Axis::held(0.0)];
    world.add_joint(&JointDef::generic(ground, slider, [at(7.0, 0.1), Vec2::ZERO], line))?;
    let softness = Softness::Hertz { hertz: 1.0, damping_ratio: 0.4 };
    let dragged = add(world, at(6.2, 1.5), block())?;
    let end = at(-0.15, 0.0);
    world.add_joint(&JointDef::mouse(ground, dragged, at(5.6, 2.0), end, softness, 500.0))?;
    let blown = add(world, at(7.2, 1.4), Shape::circle(0.15))?;
    let wind = Pull::at(at(1.0, 0.6), 60.0);
    world.add_joint(&JointDef::drive(ground, blown, [at(7.2, 1.4), Vec2::ZERO], wind))?;
    Ok(())
}

/// A load on a tackle, and a slack cable over a wheel.
fn cables(world: &mut World) -> Fallible {
    let ground = world.ground()?;
    let load = add(world, at(5.8, -1.8), Shape::rectangle(0.25, 0.15))?;
    let hand = add(world, at(6.45, -1.5), Shape::circle(0.155))?;
    let (left, right) = (at(5.65, -0.7), at(6.45, -0.7));
    let points = [(ground, left), (load, at(0.0, 0.15)), (ground, right), (hand, Vec2::ZERO)];
    world.add_joint(&JointDef::tendon(&points, 3.0))?;
    let (low, high) = (at(6.9, -1.6), at(7.3, -0.9));
    let bob = add(world, at(7.7, -1.3), Shape::circle(0.12))?;
    let softness = Softness::Hertz { hertz: 1.5, damping_ratio: 0.3 };
    world.add_joint(&JointDef::spring(ground, bob, [at(7.9, -0.7), Vec2::ZERO], 0.6, softness))?;
    world.add_joint(&JointDef::tendon(&[(ground, low), (ground, high), (bob, Vec2::ZERO)], 2.0))?;
    Ok(())
}

/// A bead on a loop, and a carriage on a track with ends.
fn curves(world: &mut World) -> Fallible {
    let ground = world.ground()?;
    let corners = [(-0.2, -3.3), (0.6, -3.0), (1.2, -3.5), (0.5, -4.1)].map(Vec2::from);
    let ring = Path::spline(&corners, true)?;
    let bead = add(world, at(1.2, -3.5), Shape::circle(0.1))?;
    world.add_joint(&JointDef::path(ground, bead, &ring, Vec2::ZERO))?;
    let points = [(1.9, -3.1), (2.6, -3.7), (3.4, -3.9), (4.2, -3.3)].map(Vec2::from);
    let track = Path::spline(&points, false)?;
    let way = track.tangent_at(0.4);
    let car = add(world, track.point_at(0.4), Shape::rectangle(0.2, 0.1))?;
    world.set_rotation(car, way.y.atan2(way.x))?;
    world.add_joint(&JointDef::carriage(ground, car, &track, Vec2::ZERO, 0.0))?;
    Ok(())
}

/// A pinion and its rack, a belt, and two bodies that pass through each other.
fn couplings(world: &mut World) -> Fallible {
    let ground = world.ground()?;
    let rack = add(world, at(5.4, -3.75), Shape::rectangle(0.5, 0.06))?;
    let slide = world.prismatic_at(ground, rack, at(5.4, -3.75), Vec2::X)?;
    let slide = world.add_joint(&slide.with_limit(-0.6, 0.6))?;
    let mut turns = Vec::new();
    for (x, radius) in [(5.4, 0.3), (6.4, 0.2)] {
        let disc = add(world, at(x, -3.39), Shape::circle(radius))?;
        let pin = world.revolute_at(ground, disc, at(x, -3.39))?;
        turns.push(world.add_joint(&pin)?);
    }
    world.edit_joint(turns[1], |def| def.axis_mut(0).motor = Some(Motor::at(0.4)))?;
    world.add_joint(&JointDef::rack_and_pinion(slide, turns[0], 0.3))?;
    world.add_joint(&JointDef::belt(turns[0], turns[1], 0.3, 0.2))?;
    let ghosts = [
        add(world, at(7.0, -3.3), Shape::rectangle(0.15, 0.15))?,
        add(world, at(7.7, -3.3), Shape::rectangle(0.15, 0.15))?,
    ];
    for ghost in ghosts {
        let hook = world[ghost].position() + at(0.0, 0.3);
        world.add_joint(&JointDef::rope(ground, ghost, [hook, Vec2::ZERO], 0.4))?;
    }
    world.add_joint(&JointDef::filter(ghosts[0], ghosts[1]))?;
    Ok(())
}
