//! Many small mechanisms side by side, with joints of several kinds.

use crate::error::Error;
use crate::figures::figure;
use crate::scene::{Scene, plank};
use kempe_scalar::precise;
use kempe2d::{
    Axis, BodyDef, BodyId, ForceRange, JointDef, Limit, Motor, Shape, Softness, Spring, Vec2,
};
use std::f64::consts::{PI, TAU};

/// How many mechanisms stand in a row.
const ROW: usize = 40;

/// kg/m² of the parts of walkers and of weights.
const DENSITY: f64 = 10.0;

/// Where the mechanism of this number stands.
fn place(number: usize, apart: f64) -> Vec2 {
    Vec2::new((number % ROW) as f64, -((number / ROW) as f64)) * apart
}

fn denser(def: BodyDef) -> BodyDef {
    let shapes = def.shapes.into_iter().map(|(shape, _)| (shape, DENSITY));
    BodyDef { shapes: shapes.collect(), ..def }
}

fn disc(center: Vec2, radius: f64) -> BodyDef {
    denser(BodyDef {
        position: center,
        shapes: vec![(Shape::circle(radius), 1.0)],
        ..BodyDef::dynamic()
    })
}

/// A bar of 4 cm width between two points.
fn bar(from: Vec2, to: Vec2) -> BodyDef {
    let along = to - from;
    let rotation = precise::atan2(along.y, along.x);
    let half = Vec2::new(0.5 * along.length(), 0.02);
    BodyDef { rotation, ..denser(plank((from + to) * 0.5, half)) }
}

/// Ragdolls that hang by a hand, and linkages that walk in the air. The joints are such as Box2D and
/// Rapier have too: revolute ones with limits and springs (ragdolls), free, with limits and with motors
/// (legs), prismatic ones with limits (what the walkers hang on), welds (feet) and rods (tails).
///
/// # Errors
/// None but what the world refuses.
pub fn mixed(figures: usize, walkers: usize) -> Result<Scene, Error> {
    let mut scene = Scene::awake("mixed")?;
    for k in 0..figures {
        figure(&mut scene, &format!("figure {k} "), place(k, 3.0), |[lower, upper]| {
            let softness = Softness::Hertz { hertz: 1.0, damping_ratio: 0.5 };
            let spring = Some(Spring::new(0.0, softness));
            Some(Axis { limit: Some(Limit::new(lower, upper)), spring, ..Axis::default() })
        })?;
    }
    let below = place(figures.next_multiple_of(ROW), 3.0);
    for k in 0..walkers {
        walker(&mut scene, &format!("walker {k} "), below + place(k, 3.0))?;
    }
    Ok(scene)
}

/// A chassis on a slider of 10 cm, a crank with a motor, and on the crank two legs: Chebyshev's lambda
/// linkages of 1 m, each with a foot; behind it a weight on a rod.
///
/// Bodies: `chassis`, `crank`, `tail`, and `coupler`, `rocker` and `foot` of either side. Joints:
/// `slider`, `motor`, `rod`, and `pin`, `knee`, `hip` and `sole` of either side.
fn walker(scene: &mut Scene, prefix: &str, at: Vec2) -> Result<(), Error> {
    const UNIT: f64 = 0.2;
    let named = |name: &str| format!("{prefix}{name}");
    let shaft = at;
    let pivot = at + Vec2::new(2.0 * UNIT, 0.0);
    let ground = scene.world.ground()?;
    let middle = (shaft + pivot) * 0.5;
    let chassis = denser(plank(middle, Vec2::new(0.35, 0.1)));
    let chassis = scene.add_body(&named("chassis"), &chassis)?;
    let slider = scene.world.prismatic_at(ground, chassis, middle, Vec2::Y)?;
    scene.add_joint(&named("slider"), &slider.with_limit(-0.05, 0.05))?;
    let crank = scene.add_body(&named("crank"), &disc(shaft, UNIT))?;
    let force = ForceRange::symmetric(20.0);
    let motor = Axis::driven(Motor::Velocity { speed: TAU.into(), force });
    let drive = scene.world.revolute_at(chassis, crank, shaft)?.with_axis(motor);
    scene.add_joint(&named("motor"), &drive)?;
    for (side, turn) in [("left", 0.0), ("right", PI)] {
        leg(scene, &named(side), [chassis, crank], [shaft, pivot], (UNIT, turn))?;
    }
    let hook = at + Vec2::new(-0.15, -0.1);
    let end = hook - Vec2::new(0.0, 0.6);
    let tail = scene.add_body(&named("tail"), &disc(end, 0.08))?;
    let rod = scene.world.rod_between(chassis, tail, hook, end)?;
    scene.add_joint(&named("rod"), &rod)?;
    Ok(())
}

/// A leg of so large a crank, which stands at an angle.
fn leg(
    scene: &mut Scene,
    prefix: &str,
    [chassis, crank]: [BodyId; 2],
    [shaft, pivot]: [Vec2; 2],
    (unit, turn): (f64, f64),
) -> Result<(), Error> {
    let length = 2.5 * unit;
    let (sin, cos) = precise::sin_cos(turn);
    let pin = shaft + Vec2::new(cos, sin) * unit;
    // The knee is as far from the pin of the crank as from the pivot of the rocker, below them.
    let base = pivot - pin;
    let height = (length * length - 0.25 * base.length_squared()).sqrt();
    let knee = pin + base * 0.5 + base.perp() * (-height / base.length());
    let ankle = knee * 2.0 - pin;
    let coupler = scene.add_body(&format!("{prefix} coupler"), &bar(pin, ankle))?;
    let rocker = scene.add_body(&format!("{prefix} rocker"), &bar(knee, pivot))?;
    let foot = denser(plank(ankle, Vec2::new(0.06, 0.03)));
    let foot = scene.add_body(&format!("{prefix} foot"), &foot)?;
    scene.pin(&format!("{prefix} pin"), crank, coupler, pin)?;
    scene.pin(&format!("{prefix} knee"), coupler, rocker, knee)?;
    let hip = scene.world.revolute_at(chassis, rocker, pivot)?.with_limit(-1.5, 1.5);
    scene.add_joint(&format!("{prefix} hip"), &hip)?;
    let sole = scene.world.weld_at(coupler, foot, ankle)?;
    scene.add_joint(&format!("{prefix} sole"), &sole)?;
    Ok(())
}

/// Pairs of gears of 17 and 40 teeth, each on its shaft, that run freely; no gravity.
///
/// # Errors
/// None but what the world refuses.
pub fn gear_pairs(pairs: usize) -> Result<Scene, Error> {
    const TEETH: [f64; 2] = [17.0, 40.0];
    let mut scene = Scene::awake("gear_pairs")?.under(Vec2::ZERO)?;
    let world = &mut scene.world;
    let ground = world.ground()?;
    for k in 0..pairs {
        let [small, large] = TEETH.map(|teeth| 0.01 * teeth);
        let centers = [place(k, 2.0), place(k, 2.0) + Vec2::new(small + large, 0.0)];
        let speeds = [TAU, -TAU * TEETH[0] / TEETH[1]];
        let mut wheels = [ground; 2];
        for side in 0..2 {
            let wheel = disc(centers[side], [small, large][side]);
            wheels[side] = world.add_body(&BodyDef { angular_velocity: speeds[side], ..wheel })?;
            let shaft = world.revolute_at(ground, wheels[side], centers[side])?;
            world.add_joint(&shaft)?;
        }
        // θ_A z_A + θ_B z_B = 0, in radians of A.
        world.add_joint(&JointDef::gear(wheels[0], wheels[1], -TEETH[1] / TEETH[0], 0.0))?;
    }
    Ok(scene)
}

/// Pairs of weights on a rope over two fixed wheels, that is never slack: l₁ + 2 l₂ stays 12 m.
///
/// # Errors
/// None but what the world refuses.
pub fn pulley_pairs(pairs: usize) -> Result<Scene, Error> {
    let mut scene = Scene::awake("pulley_pairs")?;
    let world = &mut scene.world;
    let ground = world.ground()?;
    for k in 0..pairs {
        let left = place(k, 8.0);
        let right = left + Vec2::new(2.0, 0.0);
        let down = Vec2::new(0.0, -4.0);
        let first = world.add_body(&disc(left + down, 0.2))?;
        let second = world.add_body(&disc(right + down, 0.275))?;
        let bodies = [ground, first, ground, second];
        let anchors = [left, Vec2::ZERO, right, Vec2::ZERO];
        world.add_joint(&JointDef::stiff_pulley(bodies, anchors, 2.0, 12.0))?;
    }
    Ok(scene)
}
